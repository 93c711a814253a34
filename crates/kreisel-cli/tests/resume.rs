//! An interrupted run goes on as if nothing had happened.
#![allow(clippy::unwrap_used)]

mod common;
use common::*;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A run that goes on until it is stopped, with contact and automatic switching.
fn endless(directory: &Path) -> Child {
    let out = directory.to_str().unwrap();
    let arguments = ["run", "rigid-flight", "--out", out, "--json", "--quiet", "--set", "duration=1000"];
    kreisel(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until so many frames are in the table.
fn wait_for_frames(directory: &Path, frames: usize) {
    let begin = Instant::now();
    while std::fs::read_to_string(directory.join("probes.csv")).map_or(0, |t| t.lines().count()) < frames {
        assert!(begin.elapsed() < Duration::from_secs(60), "the run does not come on");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn send(signal: &str, child: &Child) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

fn resume(directory: &Path, until: &str) -> serde_json::Value {
    let out = directory.to_str().unwrap();
    serde_json::from_str(&expect(0, &["resume", out, "--until", until, "--json", "--quiet"]).0).unwrap()
}

/// The time a little later than where a run is, in whole frames of 1/60 s.
fn a_little_later(directory: &Path) -> String {
    let probes = read(directory, "probes.csv");
    let time: f64 = probes.lines().next_back().unwrap().split(',').next().unwrap().parse().unwrap();
    (((time * 60.0).round() + 12.0) / 60.0).to_string()
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_130_and_what_was_recorded_and_the_run_can_go_on() {
    let directory = tempfile::tempdir().unwrap();
    let [whole, stopped] = ["whole", "stopped"].map(|n| directory.path().join(n));
    let child = endless(&stopped);
    wait_for_frames(&stopped, 5);
    send("-INT", &child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(summary(&stopped)["status"], "interrupted");
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed, summary(&stopped));
    let until = a_little_later(&stopped);
    resume(&stopped, &until);
    run("rigid-flight", &whole, &["--set", &format!("duration={until}")]);
    assert_same_run(&whole, &stopped);
}

#[cfg(unix)]
#[test]
fn a_run_that_was_killed_goes_on_bit_for_bit() {
    let directory = tempfile::tempdir().unwrap();
    let [whole, killed] = ["whole", "killed"].map(|n| directory.path().join(n));
    let mut child = endless(&killed);
    wait_for_frames(&killed, 40);
    send("-KILL", &child);
    child.wait().unwrap();
    assert!(!killed.join("summary.json").exists());
    let until = a_little_later(&killed);
    resume(&killed, &until);
    run("rigid-flight", &whole, &["--set", &format!("duration={until}"), "--threads", "1"]);
    assert_same_run(&whole, &killed);
}

#[test]
fn a_run_that_ended_within_a_frame_is_made_longer_as_if_it_had_been_long_from_the_start() {
    let directory = tempfile::tempdir().unwrap();
    let [whole, short] = ["whole", "short"].map(|n| directory.path().join(n));
    run("falling-block", &whole, &["--set", "duration=0.4"]);
    run("falling-block", &short, &["--set", "duration=0.345"]);
    assert_eq!(summary(&short)["time"], 0.345);
    resume(&short, "400 ms");
    assert_same_run(&whole, &short);
}

#[test]
fn a_complete_run_is_left_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let made = run("dumbbell", directory.path(), &["--set", "duration=0.1"]);
    let recording = directory.path().join("recording.kreisel");
    let before = std::fs::read(&recording).unwrap();
    let (out, err) = expect(0, &["resume", recording.to_str().unwrap(), "--json"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&out).unwrap(), made);
    assert!(err.contains("complete"), "{err}");
    assert_eq!(std::fs::read(&recording).unwrap(), before);
}
