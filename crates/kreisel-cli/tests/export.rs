//! `kreisel export`: what it writes, where, and what it says when it cannot.
#![allow(clippy::unwrap_used)]

mod common;
use common::*;
use std::path::Path;

fn run_dumbbell(directory: &Path) -> String {
    let out = directory.join("run");
    run("dumbbell", &out, &["--set", "duration=0.2"]);
    out.to_str().unwrap().into()
}

#[test]
fn every_format_is_written_beside_the_recording_and_again_over_itself() {
    let directory = tempfile::tempdir().unwrap();
    let place = run_dumbbell(directory.path());
    let names = [
        ("vtu", "vtu/dumbbell.pvd"),
        ("gltf", "dumbbell.gltf"),
        ("glb", "dumbbell.glb"),
        ("usd", "dumbbell.usda"),
        ("obj", "dumbbell.obj"),
        ("stl", "dumbbell.stl"),
        ("csv", "csv/probes.csv"),
        ("parquet", "parquet/ledger.parquet"),
    ];
    for (format, file) in names {
        for _ in 0..2 {
            let (out, err) = expect(0, &["export", &place, "--to", format]);
            assert!(out.contains("frame") && err.is_empty(), "{out}{err}");
            assert!(Path::new(&place).join(file).is_file(), "{file}");
        }
    }
    assert_eq!(read(Path::new(&place), "csv/ledger.csv"), read(Path::new(&place), "ledger.csv"));
}

#[test]
fn wrong_words_are_answered_with_a_hint() {
    let directory = tempfile::tempdir().unwrap();
    let place = run_dumbbell(directory.path());
    let refused = |arguments: &[&str], words: &[&str]| {
        let (_, err) = expect(2, &[&["export"], arguments].concat());
        words.iter().for_each(|word| assert!(err.contains(word), "{word:?} is missing in\n{err}"));
    };
    refused(&[&place, "--to", "gltff"], &["gltf", "glb", "similar"]);
    refused(&[&place], &["--to"]);
    refused(&["nowhere", "--to", "csv"], &["there is no recording nowhere", "kreisel run"]);
    refused(&[&place, "--to", "obj", "--time", "99"], &["99 s is not in the recording", "--time"]);
    refused(&[&place, "--to", "glb", "--body", "cow"], &["no body \"cow\"", "--body"]);
    refused(&[&place, "--to", "glb", "--time", "1"], &["--time is for obj and stl"]);
    refused(&[&place, "--to", "csv", "--fps", "0"], &["0 frames per second", "--fps 25"]);
    refused(&[&place, "--to", "csv", "--out", &place], &["is the directory of a run"]);
    let mine = directory.path().join("mine.stl");
    std::fs::write(&mine, "solid mine").unwrap();
    refused(&[&place, "--to", "stl", "--out", mine.to_str().unwrap()], &["left as it is", "--out"]);
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), "solid mine");
}
