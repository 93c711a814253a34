//! What is said when something is wrong, and the commands that only print.
#![allow(clippy::unwrap_used)]

mod common;
use common::*;
use std::time::{Duration, Instant};

/// Expects exit code 2 and all of these words.
fn refused(arguments: &[&str], words: &[&str]) {
    let (out, err) = expect(2, arguments);
    assert_eq!(out, "", "nothing is printed on standard output");
    words.iter().for_each(|word| assert!(err.contains(word), "{word:?} is missing in\n{err}"));
}

#[test]
fn every_scene_that_comes_along_is_found_fit() {
    let (names, _) = expect(0, &["scenes"]);
    assert!(names.lines().count() >= 7);
    for name in names.lines() {
        let (page, err) = expect(0, &["check", name]);
        for word in ["body", "elements", "per frame", "cost"] {
            assert!(page.contains(word), "{name}: {page}");
        }
        assert!(!err.contains("error"), "{name}: {err}");
    }
}

#[test]
fn scenes_are_listed_one_name_per_line() {
    let (names, err) = expect(0, &["scenes"]);
    assert_eq!(err, "");
    for scene in ["beam-soft", "beam-part-rigid"] {
        assert!(names.lines().any(|line| line == scene));
    }
    let (long, _) = expect(0, &["scenes", "--long"]);
    assert!(long.lines().count() == names.lines().count() && long.contains("A soft beam"));
}

#[test]
fn the_cases_of_validate_are_listed_without_running_them() {
    let (list, err) = expect(0, &["validate", "--list"]);
    assert!(err.is_empty() && list.lines().any(|line| line.starts_with("tippe-top ")), "{list}");
}

#[test]
fn the_schema_is_json_and_the_reference_is_for_people() {
    let schema: serde_json::Value = serde_json::from_str(&expect(0, &["schema"]).0).unwrap();
    assert!(schema.get("$schema").is_some());
    assert!(expect(0, &["schema", "--markdown"]).0.starts_with("# Scene files"));
}

#[test]
fn without_arguments_the_gallery_is_served_and_its_address_is_the_first_line() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_kreisel"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.as_mut().unwrap()), &mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.starts_with("http://127.0.0.1:"), "{line}");
}

#[test]
fn wrong_words_on_the_command_line_end_with_2_and_a_hint() {
    refused(&["run", "beam-sotf"], &["beam-soft"]);
    refused(&["run", "beam"], &["beam-soft", "beam-part-rigid"]);
    refused(&["rum", "beam-soft"], &["run"]);
    refused(&["beam-soft"], &["kreisel run beam-soft"]);
    refused(&["run"], &["SCENE"]);
    refused(&["run", "dumbbell", "--threads", "0"], &["--threads"]);
    refused(&["run", "dumbbell", "--set", "duration"], &["=", "--set"]);
    refused(&["run", "dumbbell", "--set", "durattion=3"], &["duration"]);
    refused(&["run", "dumbbell", "--set", "duration=-3"], &["duration"]);
    refused(&["run", "scenes/beam-soft.tmol"], &["there is no such file"]);
    refused(&["run", "zebra"], &["neither a scene nor a file", "kreisel scenes"]);
    refused(&["resume", "nowhere"], &["there is no recording nowhere"]);
    refused(&["resume", "beam-soft"], &["is a scene, not a recording", "kreisel run beam-soft"]);
    refused(&["export", "beam-soft", "--to", "csv"], &["is a scene, not a recording", "kreisel run beam-soft"]);
    refused(&["validate", "colum"], &["did you mean `column`?"]);
    refused(&["validate", "--list", "--json"], &["--list"]);
}

#[test]
fn what_is_not_a_scene_is_refused_soon() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
    let begin = Instant::now();
    refused(&["run", directory.path().to_str().unwrap()], &["directory"]);
    let noise: Vec<u8> = (0..100_000_u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect();
    std::fs::write(path("noise.toml"), &noise).unwrap();
    refused(&["check", &path("noise.toml")], &["error", "noise.toml"]);
    let gigabyte = std::fs::File::create(path("huge.toml")).unwrap();
    gigabyte.set_len(1 << 30).unwrap();
    refused(&["run", &path("huge.toml")], &["larger than"]);
    std::fs::write(path("a.kreisel"), b"KREISEL\0 and more").unwrap();
    refused(&["run", &path("a.kreisel")], &["is a recording", "resume"]);
    refused(&["resume", &path("noise.toml")], &["not a recording"]);
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}

#[test]
fn what_the_engine_refuses_is_shown_at_its_line() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("far.toml");
    let text = "duration = 1\n\n[[body]]\nname = \"block\"\nshape = { box = [1, 1, 1] }\nmaterial = \"gel\"\nrigid = { x = { above = 7 } }\n";
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    refused(&["run", file], &[&format!("{file}:7:9"), "body[0].rigid", "selects no element", "help:"]);
}

/// Two balls of 0.1 m; what is added stands from line 12 on.
const TWO_BALLS: &str = "duration = 0.2
frame = \"10 ms\"
gravity = [0, 0, 0]
[[body]]
name = \"a\"
at = [0, 0, -0.3]
shape = { exact = { sphere = { radius = 0.1 } } }
[[body]]
name = \"b\"
at = [0, 0, -0.6]
shape = { exact = { sphere = { radius = 0.1 } } }
";

/// A file with two balls and what is added.
fn two_balls(directory: &std::path::Path, added: &str) -> String {
    let file = directory.join("two-balls.toml");
    std::fs::write(&file, format!("{TWO_BALLS}{added}")).unwrap();
    file.to_str().unwrap().into()
}

#[test]
fn keyframes_that_do_not_begin_where_the_body_is_are_shown_at_their_line() {
    let directory = tempfile::tempdir().unwrap();
    let keys = "keys = [{ time = 0.1, displacement = [0, 0, 1] }]";
    let file = two_balls(directory.path(), &format!("[[fix]]\nbody = \"a\"\n[fix.motion]\n{keys}\n"));
    refused(
        &["run", &file],
        &["would jump", "two-balls.toml:15:", "`fix[0].motion.keys`", "begin with `{ time = 0 }`"],
    );
}

#[test]
fn joints_that_are_torn_are_told_with_the_speed_and_the_gap() {
    let directory = tempfile::tempdir().unwrap();
    let added = "[[fix]]\nbody = \"a\"\n[[fix]]\nbody = \"b\"\nmotion = { velocity = [3, 0, 0] }\n\
                 [[joint]]\nkind = \"ball\"\na = \"a\"\nb = \"b\"\nat = [0, 0, -0.45]\n";
    let file = two_balls(directory.path(), added);
    let out = directory.path().join("out");
    let (page, _) = expect(0, &["run", &file, "--out", out.to_str().unwrap()]);
    for word in ["kept more than the tolerance", "largest residual 3.000 m/s", "joints stayed open by up to 0.6"] {
        assert!(page.contains(word), "{word}: {page}");
    }
}

#[test]
fn steps_that_joints_make_shorter_are_not_told_to_be_limited_by_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let distance = |a: &str, b: &str, at: f64| {
        format!("[[joint]]\nkind = \"distance\"\na = \"{a}\"\n{b}at = [0, 0, {at}]\nto = [0, 0, {}]\n", at + 0.3)
    };
    let added = distance("a", "", -0.3) + &distance("b", "b = \"a\"\n", -0.6);
    let file = two_balls(directory.path(), &added);
    let text = std::fs::read_to_string(&file)
        .unwrap()
        .replace("gravity = [0, 0, 0]", "gravity = [0, 0, -2000]\nstep = \"10 ms\"");
    std::fs::write(&file, text).unwrap();
    let out = directory.path().join("out");
    let (_, err) = expect(0, &["run", &file, "--out", out.to_str().unwrap()]);
    let warning = err.lines().find(|line| line.contains("too large")).unwrap();
    assert!(warning.contains("joints swings or turns too fast") && !warning.contains("nothing vibrates"), "{err}");
}

#[test]
fn switches_that_can_never_be_made_are_refused_before_the_run() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("switch.toml");
    let name = file.to_str().unwrap();
    let ball = "[[body]]\nname = \"ball\"\nshape = { exact = { sphere = { radius = 0.1 } } }\n\n[[at]]\ntime = 0.1\n";
    std::fs::write(&file, format!("{ball}make_soft = \"ball\"\n")).unwrap();
    refused(&["run", name], &["at[0]", "\"ball\" is an exact body, which can only be rigid", "help:"]);
    std::fs::write(&file, format!("{ball}make_rigid = {{ x = {{ above = 100 }} }}\n")).unwrap();
    refused(&["run", name], &["at[0]", "selects no element: [1, 0, 0] · x ≥ 100 m", "help:"]);
}

#[test]
fn fixes_of_bodies_and_of_the_scene_are_told_apart() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("held.toml");
    let name = file.to_str().unwrap();
    let text = |own: &str, other: &str| {
        format!(
            "[[body]]\nname = \"a\"\nshape = {{ box = [1, 1, 1] }}\nfix = {{ x = {{ below = {own} }} }}\n\n\
             [[fix]]\nbody = \"a\"\nwhere = {{ x = {{ above = {other} }} }}\n"
        )
    };
    std::fs::write(&file, text("-9", "0")).unwrap();
    refused(&["check", name], &[":4:7", "body[0].fix"]);
    std::fs::write(&file, text("0", "9")).unwrap();
    refused(&["check", name], &[":8:9", "fix[0].where"]);
}

#[test]
fn a_new_scene_never_replaces_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mine.toml");
    let name = file.to_str().unwrap();
    assert!(expect(0, &["new", name]).0.contains("kreisel run"));
    expect(0, &["check", name]);
    std::fs::write(&file, "mine").unwrap();
    refused(&["new", name], &["exists already"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
}
