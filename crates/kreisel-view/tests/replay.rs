//! What a person does is recorded, and replays exactly.
#![allow(clippy::unwrap_used)]

use kreisel_record::{Recording, state_hash};
use kreisel_view::Source;
use kreisel_view::session::action::{Action, Chosen};
use kreisel_view::session::parameters::Value;
use kreisel_view::session::{Stage, Status, save};
use std::path::Path;

fn stage_of(scene: &str) -> (Stage, Source) {
    let source = Source::Scene(scene.into());
    let mut stage = Stage::new(64 << 20);
    stage.open(&source).map_err(|t| t.text).unwrap();
    (stage, source)
}

fn hash(stage: &Stage) -> String {
    let mut status = Status::default();
    stage.describe(&mut status);
    status.hash
}

fn steps(stage: &mut Stage, count: usize) {
    (0..count).for_each(|_| assert!(stage.step().unwrap()));
}

/// A little of everything, in a scene of one soft block.
fn meddle(stage: &mut Stage) {
    steps(stage, 4);
    stage.act(Action::Grab { id: 1, element: 30, at: [0.1, 0.0, 0.5], twist: false, firm: false }).unwrap();
    steps(stage, 2);
    stage.act(Action::Pull { id: 1, at: [0.2, 0.1, 0.8], turn: [0.0; 3] }).unwrap();
    steps(stage, 4);
    stage.act(Action::Release { id: 1 }).unwrap();
    stage.act(Action::MakeRigid { what: Chosen::Body(0) }).unwrap();
    steps(stage, 2);
    stage.act(Action::MakeSoft { what: Chosen::Body(0) }).unwrap();
    stage.act(Action::Set { path: "gravity".into(), value: Value::Vector([0.0, 0.0, -4.0]) }).unwrap();
    stage.act(Action::Fix { what: Chosen::Elements(vec![0, 1]) }).unwrap();
    steps(stage, 3);
    stage.act(Action::Free { what: Chosen::Elements(vec![0, 1]) }).unwrap();
    stage.act(Action::Cut { eye: [0.0, -5.0, 0.6], from: [0.01, 0.0, -1.0], to: [0.01, 0.0, 3.0] }).unwrap();
    steps(stage, 3);
}

fn file_of(bytes: &[u8], directory: &Path) -> std::path::PathBuf {
    let path = directory.join("session.kreisel");
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_session_is_saved_as_a_recording_that_ends_with_the_same_bits_and_replays_to_them() {
    let (mut stage, source) = stage_of("falling-block");
    meddle(&mut stage);
    let wanted = hash(&stage);
    let frame = stage.frame();
    let bytes = save::Order::new(stage.live().unwrap(), Some(&source)).carry_out().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = file_of(&bytes, directory.path());
    let mut recording = Recording::open(&path).unwrap();
    assert_eq!(recording.len() as u64, frame + 1);
    assert_eq!(format!("{:016x}", state_hash(&recording.last_keyframe().unwrap())), wanted);
    let mut again = Stage::new(64 << 20);
    again.open(&Source::Session(path)).map_err(|t| t.text).unwrap();
    steps(&mut again, frame as usize);
    assert_eq!(hash(&again), wanted);
}

#[test]
fn every_moment_can_be_gone_back_to_even_when_memory_is_short() {
    let source = Source::Scene("falling-block".into());
    let mut stage = Stage::new(300_000);
    stage.open(&source).map_err(|t| t.text).unwrap();
    let mut hashes = vec![hash(&stage)];
    for _ in 0..60 {
        steps(&mut stage, 1);
        hashes.push(hash(&stage));
    }
    for frame in [59, 60, 0, 17, 33, 1, 48] {
        stage.seek(frame).unwrap();
        assert_eq!(hash(&stage), hashes[frame as usize], "frame {frame}");
    }
}

#[test]
fn bodies_come_and_go_without_disturbing_the_others() {
    let (mut stage, _) = stage_of("falling-block");
    steps(&mut stage, 5);
    let before = stage.live().unwrap().world.state.clone();
    let drop =
        Action::Drop { shape: "block".into(), material: "steel".into(), size: 0.1, at: [0.0, 0.0, 3.0], rigid: true };
    stage.act(drop).unwrap();
    let world = &stage.live().unwrap().world;
    assert_eq!(world.model.bodies.len(), 2);
    let n = before.position.len();
    assert!((0..n).all(|e| world.state.position.get(e) == before.position.get(e)));
    assert_eq!(world.state.aggregates.len(), before.aggregates.len() + 1, "the new one is rigid");
    steps(&mut stage, 3);
    stage.act(Action::Delete { body: 0 }).unwrap();
    assert_eq!(stage.live().unwrap().world.model.bodies[0].name, "block 1");
    steps(&mut stage, 3);
}

#[test]
fn a_shape_that_is_kept_is_free_of_stress_and_what_cannot_be_done_after_that_says_so() {
    let (mut stage, _) = stage_of("beam-soft");
    steps(&mut stage, 20);
    stage.act(Action::KeepShape { body: 0 }).unwrap();
    assert!(stage.live().unwrap().world.state.ledger.elastic < 1e-9);
    let reason = stage.act(Action::Set { path: "material.0.young".into(), value: Value::Number(1e6) }).unwrap_err();
    assert!(reason.contains("before a shape is kept"), "{reason}");
    steps(&mut stage, 2);
}

#[test]
fn a_cut_through_a_rigid_body_leaves_two_rigid_bodies() {
    let (mut stage, _) = stage_of("falling-block");
    stage.act(Action::MakeRigid { what: Chosen::Body(0) }).unwrap();
    let centre = stage.live().unwrap().world.state.aggregates[0].position.to_array();
    let eye = [centre[0] + 0.013, centre[1] - 5.0, centre[2]];
    let point = |z: f64| [centre[0] + 0.013, centre[1], centre[2] + z];
    stage.act(Action::Cut { eye, from: point(-2.0), to: point(2.0) }).unwrap();
    let state = &stage.live().unwrap().world.state;
    assert_eq!(state.aggregates.len(), 2);
    assert!(!state.broken.is_empty());
    steps(&mut stage, 5);
}

#[test]
fn what_is_dropped_onto_something_else_is_put_above_it() {
    let (mut stage, _) = stage_of("falling-block");
    steps(&mut stage, 1);
    let at = stage.live().unwrap().world.state.position.get(0).to_array();
    let steps_before = stage.live().unwrap().report.substeps;
    for shape in ["ball", "block", "plank", "rod", "ring", "ball"] {
        let drop = Action::Drop { shape: shape.into(), material: "steel".into(), size: 0.2, at, rigid: false };
        stage.act(drop).unwrap();
    }
    let world = &stage.live().unwrap().world;
    let place = |b: usize| {
        let all = &world.model.bodies[b].elements;
        let heights = all.iter().map(|&e| world.state.position.get(e as usize).z);
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), z| (low.min(z), high.max(z)))
    };
    (1..world.model.bodies.len()).for_each(|b| assert!(place(b).0 > place(b - 1).1, "body {b} is inside another"));
    steps(&mut stage, 3);
    let live = stage.live().unwrap();
    assert!(live.world.state.broken.is_empty(), "nothing bursts");
    let steps_after = live.report.substeps;
    assert!(
        steps_after < 2 * steps_before,
        "{steps_after} steps a frame after {steps_before}: stiffness does not add up"
    );
}
