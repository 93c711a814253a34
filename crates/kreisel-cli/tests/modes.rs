//! `kreisel modes`: the table, the object, the recording, and what is said when something is wrong.
#![allow(clippy::unwrap_used)]

mod common;
use common::*;

fn object(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&expect(0, &[&["modes", "--json"], arguments].concat()).0).unwrap()
}

fn frequencies(found: &serde_json::Value) -> Vec<f64> {
    found["modes"].as_array().unwrap().iter().map(|m| m["frequency"].as_f64().unwrap()).collect()
}

#[test]
fn a_rigid_half_makes_the_beam_vibrate_faster() {
    let coarse = ["--count", "2", "--cells", "2"];
    let [soft, half] =
        ["beam-soft", "beam-part-rigid:beam"].map(|b| frequencies(&object(&[&[b], &coarse[..]].concat())));
    assert!(soft.len() == 2 && soft[0] < half[0] && soft[1] < half[1], "{soft:?} {half:?}");
}

#[test]
fn a_stiffer_material_shows_in_the_table_and_the_shapes_can_be_exported() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("swing");
    let arguments = ["modes", "beam-soft", "--count", "1", "--cells", "1", "--young", "8 MPa", "--out"];
    let (page, _) = expect(0, &[&arguments[..], &[out.to_str().unwrap()]].concat());
    assert!(page.contains("elastic") && page.contains("f [Hz]"), "{page}");
    let usual = frequencies(&object(&["beam-soft", "--count", "1", "--cells", "1"]))[0];
    let shown: f64 =
        page.lines().find(|l| l.contains("elastic")).unwrap().split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!((shown / usual - 2.0).abs() < 1e-4, "four times the 2 MPa: {shown} {usual}");
    let file = place.path().join("last.obj");
    expect(0, &["export", out.to_str().unwrap(), "--to", "obj", "--out", file.to_str().unwrap()]);
    assert!(file.exists());
}

#[test]
fn a_mesh_floats_with_six_rigid_motions() {
    let place = tempfile::tempdir().unwrap();
    let mesh = place.path().join("part.obj");
    let corner = |k: usize| format!("v {} {} {}\n", 3 * (k & 1), k >> 1 & 1, k >> 2);
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    std::fs::write(&mesh, (0..8).map(corner).collect::<String>() + faces).unwrap();
    let found = object(&[mesh.to_str().unwrap(), "--count", "2", "--cells", "2", "--material", "steel"]);
    let all = frequencies(&found);
    assert!(all.len() == 8 && all[..6].iter().all(|f| *f == 0.0) && all[6] > 0.0, "{all:?}");
    assert!(found["modes"].as_array().unwrap().iter().all(|m| m["residual"].as_f64().unwrap() < 1e-7));
}

#[test]
fn what_has_no_modes_is_refused_with_a_hint() {
    let refused = |arguments: &[&str], words: &[&str]| {
        let (out, err) = expect(2, &[&["modes"], arguments].concat());
        assert_eq!(out, "");
        words.iter().for_each(|word| assert!(err.contains(word), "{word:?} is missing in\n{err}"));
    };
    refused(&["beam-sotf"], &["beam-soft"]);
    refused(&["lever"], &["several bodies", "cow", "--body"]);
    refused(&["lever:calf"], &["calf", "cow"]);
    refused(&["lever:cow", "--body", "beam"], &["two bodies"]);
    refused(&["lever:beam"], &["rigid"]);
    refused(&["beam-soft", "--count", "0"], &["--count"]);
    refused(&["beam-soft", "--count", "1000000"], &["freedoms"]);
    refused(&["hanging-chain"], &["mechanism"]);
    refused(&["nothing.stl"], &["nothing.stl"]);
}
