//! What is recorded comes back: exactly where it must, within the quantisation elsewhere.
#![allow(clippy::unwrap_used)]

mod common;
use common::*;
use kreisel::linear::Vectors;
use kreisel::model::State;
use kreisel::{DQuat, DVec3};
use kreisel_record::{FrameInput, RecordError, Recorder, Recording, state_from_bytes, state_hash, state_to_bytes};

fn largest_difference(a: &Vectors, b: &Vectors) -> f64 {
    (0..a.len()).map(|i| (a.get(i) - b.get(i)).abs().max_element()).fold(0.0, f64::max)
}

fn extent(a: &Vectors) -> f64 {
    let range = |c: &[f64]| c.iter().copied().fold(f64::MIN, f64::max) - c.iter().copied().fold(f64::MAX, f64::min);
    range(&a.x).max(range(&a.y)).max(range(&a.z))
}

#[test]
fn positions_and_velocities_come_back_within_the_quantisation() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kreisel");
    drop(record(&path, 0..5, |i| beam([12, 5, 4], i, 1e-2)));
    let mut recording = Recording::open(&path).unwrap();
    for i in 0..5 {
        let (frame, state) = (recording.frame(i).unwrap(), beam([12, 5, 4], i as u64, 1e-2));
        let half_step = 0.5 / ((1 << 24) - 1) as f64;
        assert!(largest_difference(&frame.position, &state.position) <= 1.001 * half_step * extent(&state.position));
        let fastest = (0..240).map(|e| state.velocity.get(e).abs().max_element()).fold(0.0, f64::max);
        assert!(largest_difference(&frame.velocity, &state.velocity) <= 0.501 * fastest / 32766.0);
    }
}

#[test]
fn elements_of_aggregates_follow_their_pose_and_its_spin() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kreisel");
    drop(record(&path, 0..4, rich));
    let mut recording = Recording::open(&path).unwrap();
    for (i, frame) in recording.frames().enumerate() {
        let (frame, state) = (frame.unwrap(), rich(i as u64));
        assert_eq!(frame.owner, state.owner);
        assert!(largest_difference(&frame.position, &state.position) < 2e-6);
        assert!(largest_difference(&frame.velocity, &state.velocity) < 2e-4);
        assert_eq!(frame.poses[2].orientation, state.aggregates[2].orientation, "twenty elements turn exactly");
        assert!((frame.poses[2].spin - DVec3::new(-1.0, 0.5, 0.2)).length() < 1e-4);
    }
}

#[test]
fn time_ledger_probes_events_and_breaks_come_back_exactly() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kreisel");
    drop(record(&path, 0..9, rich));
    let mut recording = Recording::open(&path).unwrap();
    assert_eq!(recording.header(), &header(60));
    for i in [8, 0, 3, 7, 4] {
        let (frame, state) = (recording.frame(i as usize).unwrap(), rich(i));
        assert_eq!((frame.time, frame.steps, frame.ledger), (state.time, state.steps, state.ledger));
        assert_eq!((frame.probes, frame.events), (probes(i).to_vec(), events(i)));
        assert_eq!((frame.broken, frame.contacts), (state.broken, 2));
        assert_eq!(frame.contact_forces, contact_forces(i));
        assert_eq!(recording.contact_forces(i as usize).unwrap(), contact_forces(i));
    }
    assert_eq!(recording.frame_at(0.035), 3);
    assert!(matches!(recording.frame(9), Err(RecordError::NoFrame { index: 9, frames: 9 })));
}

#[test]
fn who_carries_what_may_change_from_frame_to_frame_and_is_known_at_each() {
    let scene = |i: u64| {
        let mut state = beam([10, 3, 2], i, 0.0);
        if !i.is_multiple_of(3) {
            make_rigid(&mut state, 0..10 * i as u32, DVec3::Y);
        }
        state.epoch = i;
        state
    };
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kreisel");
    drop(record(&path, 0..6, scene));
    let mut recording = Recording::open(&path).unwrap();
    for i in [5, 0, 4, 3, 1, 2] {
        let (frame, state) = (recording.frame(i as usize).unwrap(), scene(i));
        assert_eq!(frame.owner, state.owner);
        assert!(largest_difference(&frame.position, &state.position) < 1e-6);
    }
}

#[test]
fn a_state_survives_as_bytes_bit_for_bit() {
    let mut state = rich(3);
    state.position.x[0] = -0.0;
    state.calm[1] = f64::INFINITY;
    state.contacts[0].rest = f64::NEG_INFINITY;
    state.velocity.y[2] = 5e-324;
    state.aggregates[1].orientation = DQuat::from_xyzw(-0.0, 0.1, 0.2, 0.3);
    let bytes = state_to_bytes(&state).unwrap();
    let back = state_from_bytes(&bytes).unwrap();
    assert_eq!(back, state);
    assert!(back.position.x[0].is_sign_negative() && back.aggregates[1].orientation.x.is_sign_negative());
    assert_eq!(state_to_bytes(&back).unwrap(), bytes);
    assert_eq!(state_hash(&back), state_hash(&state));
}

#[test]
fn the_hash_sees_every_bit_of_the_motion() {
    let state = rich(3);
    let changes: [fn(&mut State); 8] = [
        |s| s.time = f64::from_bits(s.time.to_bits() ^ 1),
        |s| s.position.z[59] = f64::from_bits(s.position.z[59].to_bits() ^ 1),
        |s| s.velocity.x[7] = -s.velocity.x[7],
        |s| s.aggregates[2].angular_momentum.y += 1e-15,
        |s| s.aggregates[0].orientation = -s.aggregates[0].orientation,
        |s| s.broken.push(1000),
        |s| s.contacts[1].slipping = false,
        |s| s.contacts[0].stretch.y = -0.0,
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut other = state.clone();
        change(&mut other);
        assert_ne!(state_hash(&other), state_hash(&state), "change {i}");
    }
}

#[test]
fn a_state_that_contradicts_itself_is_refused() {
    let changes: [fn(&mut State); 6] = [
        |s| s.owner[0] = 3,
        |s| s.position.y.truncate(59),
        |s| s.aggregates[1].elements[0] = 1_000_000,
        |s| s.aggregates[2].local.truncate(3),
        |s| s.contacts[0].element = 60,
        |s| s.calm.truncate(5),
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut state = rich(3);
        change(&mut state);
        assert!(state_from_bytes(&state_to_bytes(&state).unwrap()).is_err(), "change {i}");
    }
}

#[test]
fn a_frame_that_is_not_finite_is_refused_with_the_element_and_leaves_the_file_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kreisel");
    let mut recorder = record(&path, 0..2, rich);
    let before = recorder.bytes();
    let mut state = rich(2);
    state.velocity.y[17] = f64::NAN;
    let refused = recorder.frame(&FrameInput { probes: &[0.0, 1.0], ..FrameInput::of(&state) }).unwrap_err();
    assert!(refused.to_string().contains("the velocity of element 17 is not finite at 0.02 s"), "{refused}");
    let refused = recorder.frame(&FrameInput { probes: &[0.0, f64::INFINITY], ..FrameInput::of(&rich(2)) });
    assert!(refused.unwrap_err().to_string().contains("probe column 2"));
    assert!(recorder.keyframe(&state).is_err());
    assert_eq!((recorder.bytes(), std::fs::metadata(&path).unwrap().len()), (before, before));
}

#[test]
fn a_frame_of_another_model_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(&directory.path().join("a.kreisel"), header(7)).unwrap();
    let refused = recorder.frame(&FrameInput { probes: &[0.0, 1.0], ..FrameInput::of(&rich(0)) });
    assert!(matches!(refused, Err(RecordError::Mismatch { what: "elements", expected: 7, found: 60 })));
}

#[test]
fn two_runs_cannot_write_the_same_recording() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kreisel");
    let recorder = record(&path, 0..2, rich);
    assert!(matches!(Recorder::create(&path, header(60)), Err(RecordError::InUse { .. })));
    assert!(matches!(Recorder::append(&path), Err(RecordError::InUse { .. })));
    assert_eq!(Recording::open(&path).unwrap().len(), 2, "reading while it is written is fine");
    drop(recorder);
    assert!(Recorder::append(&path).is_ok());
}
