//! What a run leaves, and how it ends.
#![allow(clippy::unwrap_used)]

mod common;
use common::*;
use kreisel_record::Recording;

#[test]
fn a_run_leaves_the_files_and_keys_that_others_rely_on() {
    let directory = tempfile::tempdir().unwrap();
    let printed = run("beam-part-rigid", directory.path(), &["--set", "duration=0.1"]);
    assert_eq!(printed, summary(directory.path()), "--json prints the summary");
    let keys = "scene time steps cpu_seconds elements connections peak_bytes turnover residual state_hash";
    for key in keys.split(' ') {
        assert!(printed.get(key).is_some(), "{key}");
    }
    assert_eq!((&printed["scene"], &printed["time"]), (&"beam-part-rigid".into(), &0.1.into()));
    let probes = read(directory.path(), "probes.csv");
    assert!(probes.starts_with("time,tip.x,tip.y,tip.z,middle.x"), "{probes}");
    assert_eq!(probes.lines().count(), 1 + 7, "a header, the start and six frames");
    assert!(read(directory.path(), "ledger.csv").starts_with("time,kinetic,gravity"));
    assert!(read(directory.path(), "events.csv").starts_with("time,event"));
    let mut recording = Recording::open(&directory.path().join("recording.kreisel")).unwrap();
    assert_eq!((recording.len(), recording.last_keyframe().unwrap().time), (7, 0.1));
}

#[test]
fn a_run_tells_how_far_a_column_sank_and_when_a_tippe_top_turned_over() {
    let directory = tempfile::tempdir().unwrap();
    let printed = |scene: &str| {
        let path = directory.path().join(scene);
        expect(0, &["run", scene, "--out", path.to_str().unwrap(), "--set", "duration=0.7"]).0
    };
    assert!(printed("column").contains("no body sank by more than 0 m"));
    // Frames of 2 ms, and the switch at 0.59999 s by an independent integration.
    assert!(printed("tippe-top").contains("top stands on its part 2 since 0.6000 s, on part 1 before"));
}

#[test]
fn the_number_of_threads_does_not_show_in_the_result() {
    let directory = tempfile::tempdir().unwrap();
    let [one, two] = ["1", "2"].map(|n| directory.path().join(n));
    for (path, n) in [(&one, "1"), (&two, "2")] {
        run("falling-block", path, &["--set", "duration=0.45", "--threads", n]);
    }
    assert!(summary(&one)["time"].as_f64().unwrap() > 0.4);
    assert!(read(&one, "events.csv").contains("touch"), "contact is part of the comparison");
    assert_same_run(&one, &two);
}

#[test]
fn the_scene_may_be_a_path_and_overrides_reach_its_fields() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mine.toml");
    let file = file.to_str().unwrap();
    expect(0, &["new", file]);
    let coarse = run(file, &directory.path().join("a"), &["--set", "duration=20 ms"]);
    assert_eq!(coarse["scene"], file);
    assert!((coarse["time"].as_f64().unwrap() - 0.02).abs() < 1e-12);
    let beam = |n: &str| run("beam-soft", &directory.path().join(n), &["--set", "duration=0.02", "--set", n]);
    let [two, three] = ["body.beam.cells=2", "body.beam.cells=3"].map(|n| beam(n)["elements"].as_u64().unwrap());
    assert_eq!((two, three), (21 * 5 * 3, 31 * 7 * 4));
}

#[test]
fn without_json_the_ledger_is_printed_and_without_out_the_results_go_below_out() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["run", "dumbbell", "--set", "duration=0.1"];
    let output = kreisel(&arguments).current_dir(directory.path()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for word in ["kinetic", "residual", "turnover", "momentum", "out/dumbbell"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let progress = String::from_utf8(output.stderr).unwrap();
    assert!(progress.contains("100 %") && progress.contains("real time"), "{progress}");
    assert!(!progress.contains('\x1b') && !text.contains('\x1b'), "no colours where there is no terminal");
    assert!(directory.path().join("out/dumbbell/summary.json").exists());
}

#[test]
fn a_step_that_fails_ends_with_3_and_leaves_what_came_before() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    let wild = ["--set", "integrator=forward-euler", "--set", "step=0.015", "--set", "duration=1000"];
    let (json, err) =
        expect(3, &[&["run", "beam-soft", "--out", out, "--json", "--set", "body.beam.cells=1"], &wild[..]].concat());
    assert!(err.contains("error: the step at") && err.contains("unstable"), "{err}");
    let printed: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(printed["status"].as_str().unwrap().contains("failed"), "{printed}");
    let mut recording = Recording::open(&directory.path().join("recording.kreisel")).unwrap();
    assert!(recording.len() > 1 && !recording.is_torn());
    let last = recording.len() - 1;
    assert_eq!(recording.last_keyframe().unwrap().time, recording.time(last).unwrap());
    for frame in recording.frames() {
        assert_eq!(frame.unwrap().position.first_not_finite(), None);
    }
}

#[test]
fn a_step_that_is_too_large_is_divided_and_the_user_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    let (_, err) = expect(0, &["run", "beam-soft", "--out", out, "--set", "duration=0.02", "--set", "step=10 ms"]);
    assert!(err.contains("too large") && err.contains("substeps") && err.contains("of \"beam\""), "{err}");
    let warnings = &summary(directory.path())["warnings"];
    assert!(warnings[0].as_str().unwrap().contains("too large"), "{warnings}");
}
