//! A run that was interrupted and resumed leaves what a run that was never interrupted leaves.
#![allow(clippy::unwrap_used)]

mod common;
use common::*;
use kreisel::model::State;
use kreisel_record::{FrameInput, RECORDING, Recording, RunDirectory, Summary, state_hash, state_to_bytes};
use std::fs;
use std::path::Path;

const FRAMES: u64 = 100;
const TABLES: [&str; 3] = ["probes.csv", "ledger.csv", "events.csv"];

fn go_on(run: &mut RunDirectory, frames: std::ops::Range<u64>) {
    for i in frames {
        run.frame(&FrameInput { events: &events(i), probes: &probes(i), ..FrameInput::of(&rich(i)) }).unwrap();
    }
}

fn begin(directory: &Path, frames: u64) -> RunDirectory {
    let mut run = RunDirectory::create(directory, header(60)).unwrap();
    go_on(&mut run, 0..frames);
    run
}

fn finish(run: RunDirectory) {
    let last = rich(FRAMES - 1);
    let summary = Summary::new(run.header(), &last, "done", 0.0, 2.0);
    run.finish(&last, &summary).unwrap();
}

fn uninterrupted(directory: &Path) {
    finish(begin(directory, FRAMES));
}

fn assert_same(a: &Path, b: &Path) {
    for table in TABLES {
        assert_eq!(fs::read_to_string(a.join(table)).unwrap(), fs::read_to_string(b.join(table)).unwrap(), "{table}");
    }
    let mut recordings = [a, b].map(|d| Recording::open(&d.join(RECORDING)).unwrap());
    let [first, second] = recordings.each_mut().map(|r| r.frames().map(|f| f.unwrap()).collect::<Vec<_>>());
    assert_eq!(first, second);
    let [first, second] = recordings.each_mut().map(|r| state_to_bytes(&r.last_keyframe().unwrap()).unwrap());
    assert_eq!(first, second);
}

/// Resumes at the state that comes back and goes on to the end.
fn resume_to_the_end(directory: &Path) -> State {
    let (mut run, state) = RunDirectory::resume(directory).unwrap();
    go_on(&mut run, state.frames + 1..FRAMES);
    finish(run);
    state
}

#[test]
fn after_a_crash_at_any_frame_the_resumed_run_leaves_the_same_tables_and_frames() {
    let directory = tempfile::tempdir().unwrap();
    let (whole, crashed) = (directory.path().join("whole"), directory.path().join("crashed"));
    uninterrupted(&whole);
    for frames in [1, 2, 30, 31, 47, 99] {
        drop(begin(&crashed, frames));
        let state = resume_to_the_end(&crashed);
        assert_eq!(state_to_bytes(&state).unwrap(), state_to_bytes(&rich(state.frames)).unwrap());
        assert!(state.frames < frames);
        assert_same(&whole, &crashed);
    }
}

#[test]
fn a_torn_recording_and_torn_or_missing_tables_do_not_keep_a_run_from_going_on() {
    let directory = tempfile::tempdir().unwrap();
    let (whole, torn) = (directory.path().join("whole"), directory.path().join("torn"));
    uninterrupted(&whole);
    drop(begin(&torn, 70));
    let bytes = fs::read(torn.join(RECORDING)).unwrap();
    fs::write(torn.join(RECORDING), &bytes[..bytes.len() - 100]).unwrap();
    let table = fs::read(torn.join("ledger.csv")).unwrap();
    fs::write(torn.join("ledger.csv"), &table[..table.len() / 2]).unwrap();
    fs::remove_file(torn.join("probes.csv")).unwrap();
    resume_to_the_end(&torn);
    assert_same(&whole, &torn);
}

#[test]
fn a_run_that_ended_cleanly_goes_on_from_its_last_frame() {
    let directory = tempfile::tempdir().unwrap();
    let (whole, stopped) = (directory.path().join("whole"), directory.path().join("stopped"));
    uninterrupted(&whole);
    let run = begin(&stopped, 44);
    run.finish(&rich(43), &Summary::default()).unwrap();
    assert!(stopped.join("summary.json").exists());
    assert_eq!(resume_to_the_end(&stopped).frames, 43);
    assert_same(&whole, &stopped);
}

#[test]
fn a_run_that_ended_between_frames_goes_on_with_everything_that_changed_there() {
    let directory = tempfile::tempdir().unwrap();
    let run = begin(directory.path(), 4);
    run.finish(&rich(12), &Summary::default()).unwrap();
    let (mut run, state) = RunDirectory::resume(directory.path()).unwrap();
    assert_eq!(state, rich(12));
    let mut next = rich(12);
    next.time += 0.01;
    run.frame(&FrameInput { probes: &[0.0, 0.0], ..FrameInput::of(&next) }).unwrap();
    let frame = Recording::open(&directory.path().join(RECORDING)).unwrap().frame(4).unwrap();
    assert_eq!((&frame.broken, &frame.owner), (&next.broken, &next.owner));
    let errors = (0..60).map(|e| (frame.position.get(e) - next.position.get(e)).length());
    assert!(errors.fold(0.0, f64::max) < 1e-5);
}

#[test]
fn the_tables_hold_every_number_to_the_last_bit_and_quote_what_needs_it() {
    let directory = tempfile::tempdir().unwrap();
    drop(begin(directory.path(), 8));
    let read = |name: &str| fs::read_to_string(directory.path().join(name)).unwrap();
    let probe_rows = read("probes.csv");
    let mut lines = probe_rows.lines();
    assert_eq!(lines.next(), Some("time,tip.x,tip.y"));
    for (i, line) in lines.enumerate() {
        let numbers: Vec<f64> = line.split(',').map(|n| n.parse().unwrap()).collect();
        assert_eq!(numbers, [&[0.01 * i as f64], &probes(i as u64)[..]].concat());
    }
    assert!(read("ledger.csv").starts_with("time,kinetic,gravity,elastic,frozen,load_work"));
    assert_eq!(read("ledger.csv").lines().count(), 9);
    let event = read("events.csv").lines().nth(1).unwrap().to_string();
    let expected = "0,touch,0.1,-0,0.00000000000000001,0.3333333333333333,\"the \"\"cow\"\", falling and beam\"";
    assert_eq!(event, expected);
}

#[test]
fn the_summary_has_the_keys_that_others_rely_on() {
    let directory = tempfile::tempdir().unwrap();
    uninterrupted(directory.path());
    let text = fs::read_to_string(directory.path().join("summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    let keys = "scene time steps cpu_seconds elements connections peak_bytes turnover residual state_hash";
    for key in keys.split(' ') {
        assert!(summary.get(key).is_some(), "{key}");
    }
    assert_eq!(summary["state_hash"], format!("{:016x}", state_hash(&rich(FRAMES - 1))));
    assert_eq!((&summary["elements"], &summary["scene"]), (&60.into(), &"beam".into()));
    assert!(summary["peak_bytes"].as_u64().unwrap() > 0 || !cfg!(target_os = "linux"));
}
