//! `kreisel render` and `kreisel plot`: what they write, and what they say when they cannot.
#![allow(clippy::unwrap_used)]

mod common;
use common::*;
use std::path::Path;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Expects exit code 2, nothing on standard output, all of these words, and no new file.
fn refused(arguments: &[&str], words: &[&str]) {
    let (out, err) = expect(2, arguments);
    assert_eq!(out, "");
    words.iter().for_each(|word| assert!(err.contains(word), "{word:?} is missing in\n{err}"));
}

#[test]
fn a_run_becomes_pictures_films_and_plots() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let run_directory = at("fall");
    run("falling-block", &run_directory, &["--set", "duration=0.2"]);
    let (run, small) = (text(&run_directory), ["--size", "64x48", "--threads", "1"]);
    let draw =
        |out: &Path, more: &[&str]| expect(0, &[&["render", run, "--out", text(out)], &small[..], more].concat()).0;
    assert!(draw(&at("a.png"), &["--time", "0.1"]).contains("t = 0.1000 s"));
    assert_eq!(std::fs::read(at("a.png")).unwrap()[..8], *b"\x89PNG\r\n\x1a\n");
    assert!(draw(&at("a.gif"), &["--fps", "20", "--color", "speed"]).contains("5 pictures"));
    assert_eq!(std::fs::read(at("a.gif")).unwrap()[..6], *b"GIF89a");
    draw(&at("all"), &["--fps", "10", "--show", "connections", "--camera", "side", "--from", "100 ms"]);
    assert_eq!(std::fs::read_dir(at("all")).unwrap().count(), 2);
    let recording = run_directory.join("recording.kreisel");
    expect(0, &["plot", run, text(&recording), "--out", text(&at("p.svg"))]);
    let svg = std::fs::read_to_string(at("p.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("fall 2") && svg.contains("time [s]"));
    expect(0, &["plot", run, "--ledger", "--out", text(&at("p.png"))]);
    refused(&["plot", run, "--probe", "nothing", "--out", text(&at("q.svg"))], &["no probe `nothing`"]);
    refused(&["render", run, "--set", "duration=1"], &["is a recording", "give the scene"]);
}

#[test]
fn a_scene_is_run_first_and_leaves_nothing_but_the_picture() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("a.png");
    let arguments = ["render", "falling-block", "--set", "duration=0.05", "--size", "32x32", "--out", text(&out), "-q"];
    let (said, err) = expect(0, &arguments);
    assert_eq!((said.as_str(), err.as_str()), ("", ""));
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn wishes_that_cannot_be_met_are_answered_before_anything_is_run() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("a.png");
    let draw = |more: &[&str], words: &[&str]| {
        refused(&[&["render", "stack", "--out", text(&out)], more].concat(), words);
    };
    draw(&["--size", "640"], &["`640` is not a size", "640x480"]);
    draw(&["--size", "0x10"], &["`0x10` is not a size"]);
    draw(&["--camera", "tpo"], &["`tpo` is no camera", "front"]);
    draw(&["--time", "soon"], &["`soon` is not a time"]);
    draw(&["--fps", "0"], &["positive"]);
    draw(&["--from", "2", "--to", "1"], &["end before it begins"]);
    draw(&["--show", "bones"], &["bones", "skins"]);
    let bmp = directory.path().join("a.bmp");
    refused(&["render", "stack", "--out", text(&bmp)], &[".bmp", ".png, .gif or .mp4"]);
    refused(&["render", "stakc"], &["stakc", "stack"]);
    refused(&["plot", "stack"], &["is a scene", "kreisel run stack"]);
    refused(&["plot", "nowhere"], &["no recording nowhere"]);
    refused(&["plot", "nowhere", "--out", "a.pdf"], &[".svg or .png"]);
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    refused(&["render", "stack", "--out", text(&file.join("a.png"))], &["--out"]);
    assert!(!out.exists());
}

#[test]
fn without_ffmpeg_a_film_is_refused_with_what_to_install() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("a.mp4");
    let mut command = kreisel(&["render", "stack", "--out", text(&out)]);
    let output = command.env("PATH", directory.path()).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(err.contains("ffmpeg") && err.contains("install") && err.contains(".gif"), "{err}");
}
