//! Large files of every bad kind end soon: no step of the reader is quadratic in the length of the file.

use kreisel_scene::{Scene, SceneError, read};
use std::time::Instant;

/// Length of the texts [bytes].
const LENGTH: usize = 2 << 20;
/// Far more than any of them needs [s], far less than a quadratic step would take.
const LIMIT: f64 = 20.0;

/// A text of about `LENGTH` bytes: a line for each number.
fn lines(head: &str, line: impl Fn(usize) -> String) -> String {
    let mut text = head.to_string();
    for i in 0.. {
        if text.len() > LENGTH {
            break;
        }
        text.push_str(&line(i));
    }
    text
}

fn timed(name: &str, text: &str) -> Result<Scene, SceneError> {
    let start = Instant::now();
    let result = read(name, text);
    if let Err(e) = &result {
        assert!(e.to_string().len() < 20_000, "{name}: a message of {} bytes", e.to_string().len());
    }
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds < LIMIT, "{name} took {seconds} s");
    result
}

#[test]
fn bad_files_of_two_megabytes_end_soon() {
    let texts = [
        ("unknown keys", lines("", |i| format!("unknown{i} = 1\n"))),
        ("one long key", lines("", |_| "a".into())),
        ("one long text", lines("title = \"", |_| "ä".into()) + "\""),
        ("one long number", lines("duration = ", |_| "1".into())),
        ("same names", lines("", |_| "[[body]]\nname = \"a\"\nshape = { ball = { radius = 1 } }\n".into())),
        ("no shapes", lines("", |i| format!("[[body]]\nname = \"a{i}\"\n"))),
        ("unknown bodies", lines("", |i| format!("[[body]]\nshape = {{ ball = {{ radius = 1 }} }}\nfix = \"a{i}\"\n"))),
        (
            "unknown materials",
            lines("", |i| format!("[[body]]\nshape = {{ ball = {{ radius = 1 }} }}\nmaterial = \"a{i}\"\n")),
        ),
        ("a chain of materials", lines("", |i| format!("[material.a{i}]\nlike = \"a{}\"\n", i + 1))),
        ("a list of numbers", lines("gravity = [", |_| "0, ".into()) + "]"),
        ("open brackets", lines("gravity = ", |_| "[".into())),
        ("regions", lines("[[fix]]\nwhere = { any = [", |_| "\"x\", ".into()) + "] }"),
        ("elements", lines("[[body]]\nshape = { elements = [", |_| "{ radius = 1 }, ".into()) + "] }"),
        ("quotes", lines("", |_| "\"".into())),
        ("equals", lines("", |_| "= ".into())),
    ];
    for (name, text) in &texts {
        assert!(timed(name, text).is_err(), "{name} was accepted");
    }
}

#[test]
fn a_large_but_sound_file_is_read() {
    let row = |i: usize| format!("{{ at = [{i}, 0, 0], radius = 0.1 }}, ");
    let text = lines("[[body]]\nshape = { elements = [", row) + "] }";
    assert!(timed("a long row", &text).is_ok());
    let text =
        lines("", |i| format!("[[body]]\nname = \"b{i}\"\nshape = {{ ball = {{ radius = 1 }} }}\nfix = \"b{i}\"\n"));
    assert!(timed("many bodies", &text).is_ok());
}
