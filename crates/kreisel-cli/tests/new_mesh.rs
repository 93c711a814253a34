//! `kreisel new part.stl` writes a scene that can be checked.
#![allow(clippy::unwrap_used)]

mod common;

use common::expect;
use std::path::Path;

/// A block of these sides with one corner at the origin, as OBJ; without its last face if it shall leak.
fn write_block(path: &Path, size: [f64; 3], leaky: bool) {
    let corner = |k: usize| [k & 1, k >> 1 & 1, k >> 2 & 1];
    let vertex = |k: usize| {
        let c = corner(k);
        format!("v {} {} {}\n", size[0] * c[0] as f64, size[1] * c[1] as f64, size[2] * c[2] as f64)
    };
    let faces = ["f 1 3 4 2\n", "f 5 6 8 7\n", "f 1 2 6 5\n", "f 3 7 8 4\n", "f 1 5 7 3\n", "f 2 4 8 6\n"];
    let text: String =
        (0..8).map(vertex).chain(faces[..6 - usize::from(leaky)].iter().map(|f| f.to_string())).collect();
    std::fs::write(path, text).unwrap();
}

#[test]
fn a_scene_around_a_mesh_stands_ten_centimetres_above_the_ground() {
    let directory = tempfile::tempdir().unwrap();
    let mesh = directory.path().join("part.obj");
    write_block(&mesh, [200.0, 100.0, 50.0], false);
    let (out, _) = expect(0, &["new", mesh.to_str().unwrap()]);
    assert!(out.contains("volume 1.000e-3 m³") || out.contains("volume 0.001000 m³"), "{out}");
    let scene = directory.path().join("part.toml");
    let text = std::fs::read_to_string(&scene).unwrap();
    assert!(text.contains("mesh = { file = \"part.obj\", unit = \"mm\" }"), "{text}");
    assert!(text.contains("at = [-0.100000, -0.050000, 0.100000]"), "{text}");
    assert!(text.contains("guessed: its longest side is 200"), "{text}");
    expect(0, &["check", scene.to_str().unwrap()]);
    assert!(expect(2, &["new", mesh.to_str().unwrap()]).1.contains("exists already"));
}

#[test]
fn a_leaky_mesh_is_filled_and_a_scene_elsewhere_names_it_in_full() {
    let directory = tempfile::tempdir().unwrap();
    let mesh = directory.path().join("part.obj");
    write_block(&mesh, [0.3, 0.3, 0.2], true);
    std::fs::create_dir(directory.path().join("scenes")).unwrap();
    let scene = directory.path().join("scenes").join("mine.toml");
    let (out, _) = expect(0, &["new", mesh.to_str().unwrap(), "--out", scene.to_str().unwrap()]);
    assert!(out.contains("made anew from its winding number"), "{out}");
    let text = std::fs::read_to_string(&scene).unwrap();
    assert!(text.contains("unit = \"m\", fill = true"), "{text}");
    expect(0, &["check", scene.to_str().unwrap()]);
}

#[test]
fn a_mesh_that_is_not_there_or_of_cad_is_refused_with_help() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("part.stl");
    assert!(expect(2, &["new", missing.to_str().unwrap()]).1.contains("help: see that the path is right"));
    let step = directory.path().join("part.step");
    std::fs::write(&step, "ISO-10303-21;\n").unwrap();
    assert!(expect(2, &["new", step.to_str().unwrap()]).1.contains("FreeCAD"));
}
