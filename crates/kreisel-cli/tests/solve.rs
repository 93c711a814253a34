//! `kreisel solve`: answers, proofs, and what is said about files that are no problems.
#![allow(clippy::unwrap_used)]

mod common;
use common::*;
use serde_json::Value;

fn file(text: &str) -> (tempfile::TempDir, String) {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("problem.json");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_string();
    (place, path)
}

fn answer(text: &str) -> Value {
    let (_place, path) = file(text);
    serde_json::from_str(&expect(0, &["solve", &path, "--json"]).0).unwrap()
}

fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

#[test]
fn a_complementarity_problem_gets_its_known_answer() {
    let found = answer(r#"{"kind":"lcp","m":[[2,1],[1,2]],"q":[-5,-6]}"#);
    let z = list(&found["z"]);
    assert_eq!(found["status"], "solved");
    assert!((z[0] - 4.0 / 3.0).abs() < 1e-12 && (z[1] - 7.0 / 3.0).abs() < 1e-12, "{found}");
    assert!(found["residual"].as_f64().unwrap() < 1e-12 && found["iterations"].as_u64().unwrap() > 0);
    assert_eq!(found["method"], "lemke");
}

#[test]
fn impulses_without_the_digits_are_failed_with_the_reason() {
    let found = answer(r#"{"kind":"lcp","m":[[1,-1],[-1,1.000001]],"q":[-0.0981,0]}"#);
    assert_eq!(found["status"], "failed");
    assert!(found["reason"].as_str().unwrap().contains("unit of mass"), "{found}");
    assert!(answer(r#"{"kind":"lcp","m":[[2]],"q":[-5]}"#)["reason"].is_null());
}

#[test]
fn a_sliding_ball_gets_its_friction_and_repeated_entries_are_summed() {
    let w = r#"{"rows":3,"i":[0,0,1,2],"j":[0,0,1,2],"v":[0.5,0.5,3.5,3.5]}"#;
    let found = answer(&format!(r#"{{"kind":"friction","w":{w},"q":[-1,3,4],"mu":[0.2]}}"#));
    assert_eq!(found["status"], "solved");
    let p = list(&found["p"]);
    assert!((p[0] - 1.0).abs() < 1e-12 && (p[1] + 0.12).abs() < 1e-12 && (p[2] + 0.16).abs() < 1e-12, "{found}");
}

#[test]
fn nothing_to_solve_is_solved_and_whole_numbers_may_have_a_point() {
    for (text, name) in [
        (r#"{"kind":"lcp","m":[],"q":[]}"#, "z"),
        (r#"{"kind":"friction","w":{"rows":0.0,"i":[],"j":[],"v":[]},"q":[],"mu":[]}"#, "p"),
    ] {
        let found = answer(text);
        assert_eq!((found["status"].as_str(), found["residual"].as_f64()), (Some("solved"), Some(0.0)));
        assert!(list(&found[name]).is_empty());
    }
}

#[test]
fn problems_without_a_solution_are_answered_with_a_proof() {
    let found = answer(r#"{"kind":"lcp","m":[[1,-1],[-1,1]],"q":[-1,-1]}"#);
    let y = list(&found["certificate"]);
    assert_eq!(found["status"], "no-solution");
    assert!(y[0] > 0.0 && (y[0] - y[1]).abs() < 1e-9 * y[0], "{found}");
    let squeezed = r#"{"rows":6,"i":[0,0,3,3,1,2,4,5],"j":[0,3,0,3,1,2,4,5],"v":[1,-1,-1,1,1,1,1,1]}"#;
    let found = answer(&format!(r#"{{"kind":"friction","w":{squeezed},"q":[-1,0,0,-1,0,0],"mu":[0.5,0.5]}}"#));
    assert_eq!(found["status"], "no-solution");
}

#[test]
fn without_json_a_summary_is_printed() {
    let (_place, path) = file(r#"{"kind":"lcp","m":[[1]],"q":[-2]}"#);
    let (page, _) = expect(0, &["solve", &path]);
    assert!(page.contains("solved by lemke") && page.contains("2.000"), "{page}");
}

#[test]
fn files_that_are_no_problems_are_refused_with_the_place() {
    let refused = |text: &str, word: &str| {
        let (_place, path) = file(text);
        let (out, err) = expect(2, &["solve", &path, "--json"]);
        assert!(out.is_empty() && err.contains(word), "{word:?} is missing in\n{err}");
    };
    refused("nonsense", "not JSON");
    refused("[]", "no object");
    refused(r#"{"m":[[1]],"q":[1]}"#, "`kind` is missing");
    refused(r#"{"kind":"qp"}"#, "no kind `qp`");
    refused(r#"{"kind":"lcp","m":[[1,2]],"q":[1]}"#, "`m[0]` has 2 entries");
    refused(r#"{"kind":"lcp","m":[[1],[2]],"q":[1]}"#, "2 rows");
    refused(r#"{"kind":"lcp","m":[[null]],"q":[1]}"#, "`m[0][0]` is no finite number");
    refused(r#"{"kind":"lcp","m":[[1e999]],"q":[1]}"#, "out of range");
    let friction = |w: &str, q: &str, mu: &str| format!(r#"{{"kind":"friction","w":{w},"q":{q},"mu":{mu}}}"#);
    let good = r#"{"rows":3,"i":[0,1,2],"j":[0,1,2],"v":[1,1,1]}"#;
    refused(&friction(good, "[-1,0,0]", "[-0.1]"), "friction coefficient of contact 0");
    refused(&friction(good, "[-1,0,0]", "[0.1,0.2]"), "3 rows for 2 contacts");
    refused(&friction(good, "[-1,0]", "[0.1]"), "`w.rows` is 3");
    refused(&friction(r#"{"rows":3,"i":[0,1,3],"j":[0,1,2],"v":[1,1,1]}"#, "[-1,0,0]", "[0.1]"), "outside");
    refused(&friction(r#"{"rows":3,"i":[0,1],"j":[0,1,2],"v":[1,1,1]}"#, "[-1,0,0]", "[0.1]"), "2 row numbers");
    refused(
        &friction(r#"{"rows":3,"i":[0,1,0.5],"j":[0,1,2],"v":[1,1,1]}"#, "[-1,0,0]", "[0.1]"),
        "`w.i[2]` is no index",
    );
    let beyond = r#"{"rows":3,"i":[0,0,1,2],"j":[0,0,1,2],"v":[1e308,1e308,1,1]}"#;
    refused(&friction(beyond, "[-1,0,0]", "[0.1]"), "row 0, column 0 add up to infinity");
    refused(&friction(r#"{"rows":3,"i":[0,0],"j":[0,1],"v":[1,1]}"#, "[-1,0,0]", "[0.1]"), "not symmetric");
    let (_, err) = expect(2, &["solve", "no/such/file.json"]);
    assert!(err.contains("cannot read"), "{err}");
}
