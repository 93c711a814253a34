//! Recordings keep to 16 bytes per element and frame.
#![allow(clippy::unwrap_used)]

mod common;
use common::*;
use kreisel::model::State;
use kreisel::{DQuat, DVec3};
use kreisel_record::Recording;

const SIZE: [usize; 3] = [50, 20, 20];
const FRAMES: u64 = 120;

/// Bytes per element and frame of a finished recording.
fn bytes_per_element_and_frame(frames: u64, state: impl Fn(u64) -> State) -> f64 {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("size.kreisel");
    let started = std::time::Instant::now();
    let recorder = record(&path, 0..frames, &state);
    recorder.finish(&state(frames - 1)).unwrap();
    let length = std::fs::metadata(&path).unwrap().len();
    let recording = Recording::open(&path).unwrap();
    assert_eq!(recording.len() as u64, frames);
    let average = length as f64 / (recording.header().elements() as f64 * frames as f64);
    let keyframes = recording.keyframe_times().len();
    println!("{average:.2} bytes, {keyframes} keyframes, {:.2} s", started.elapsed().as_secs_f64());
    average
}

#[test]
fn a_bending_trembling_body_takes_at_most_sixteen_bytes_per_element_and_frame() {
    assert!(bytes_per_element_and_frame(FRAMES, |i| beam(SIZE, i, 1e-4)) <= 16.0);
}

#[test]
fn a_smoothly_bending_body_takes_less_than_half_of_that() {
    assert!(bytes_per_element_and_frame(FRAMES, |i| beam(SIZE, i, 0.0)) <= 8.0);
}

#[test]
fn a_gas_in_which_nothing_is_predictable_keeps_to_it_too() {
    assert!(bytes_per_element_and_frame(FRAMES, |i| beam(SIZE, i, 10.0)) <= 16.0);
}

#[test]
fn a_rigid_body_costs_next_to_nothing() {
    let rigid = |i| {
        let mut state = beam(SIZE, 0, 0.0);
        make_rigid(&mut state, 0..20_000, DVec3::Z);
        state.time = 0.01 * i as f64;
        state
    };
    assert!(bytes_per_element_and_frame(FRAMES, rigid) <= 2.0);
}

#[test]
fn a_thousand_spinning_balls_keep_to_it() {
    let balls = |i| {
        let mut state = beam([10, 10, 10], i, 10.0);
        for e in 0..1000 {
            make_rigid(&mut state, e..e + 1, DVec3::Z);
            let mut turn = Random(1 + e as u64 + 5000 * i);
            let ball = &mut state.aggregates[e as usize];
            ball.orientation = DQuat::from_xyzw(turn.signed(), turn.signed(), turn.signed(), turn.signed()).normalize();
            ball.velocity = DVec3::new(turn.signed(), turn.signed(), turn.signed());
            state.velocity.set(e as usize, ball.velocity);
        }
        state.epoch = 0;
        state
    };
    assert!(bytes_per_element_and_frame(FRAMES, balls) <= 16.0);
}
