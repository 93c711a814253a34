//! Overrides from the command line.
#![allow(clippy::unwrap_used, clippy::panic)]

use kreisel::model::setup::BodyShape;
use kreisel_scene::{apply_overrides, read_with_overrides};

const SCENE: &str = r#"duration = 1   # a comment
[[body]]
name = "beam"
shape = { box = [4, 1, 1] }
material = "oak"
cells = 4

[[body]]
name = "chain"
shape = { elements = [{ radius = 1 }, { radius = 1, at = [3, 0, 0] }] }
"#;

fn with(overrides: &[&str]) -> kreisel::model::Setup {
    read_with_overrides("scene.toml", SCENE, overrides).unwrap_or_else(|e| panic!("{e}")).setup
}

fn refusal(set: &str) -> String {
    read_with_overrides("scene.toml", SCENE, &[set]).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn fields_are_replaced_by_name_and_by_number() {
    for cells in ["body.beam.cells=3", "body[0].cells=3", "body[\"beam\"].cells = 3"] {
        let BodyShape::Box { cells, .. } = with(&[cells]).bodies[0].shape else { panic!("not a box") };
        assert_eq!(cells, 3);
    }
    assert_eq!(with(&["duration=2", "duration=3 s"]).duration, 3.0, "the last one holds, quotes may be left out");
    let setup = with(&["body.chain.shape.elements[1].radius=\"2 cm\"", "body.beam.shape.box[0]=5"]);
    let BodyShape::Elements { elements, .. } = &setup.bodies[1].shape else { panic!("not a list") };
    assert_eq!((elements[0].radius, elements[1].radius), (1.0, 0.02));
}

#[test]
fn fields_that_were_not_written_are_added() {
    let setup = with(&["step=1e-4", "integrator=verlet", "switching.patience=50 ms", "gravity=[0, 0, 0]"]);
    assert_eq!((setup.step, setup.switching.patience, setup.gravity.length()), (Some(1e-4), 0.05, 0.0));
}

#[test]
fn a_field_of_a_named_material_keeps_the_others() {
    let material = &with(&["body.beam.material.young=\"2 MPa\""]).bodies[0].material;
    assert_eq!((material.young, material.density), (2e6, 700.0));
    let material = &with(&["material.oak.young=3 GPa"]).bodies[0].material;
    assert_eq!((material.young, material.density), (3e9, 700.0));
}

#[test]
fn comments_and_lines_stay_where_they_are() {
    let text = apply_overrides("scene.toml", SCENE, &["duration=2", "body.beam.cells=5"]).unwrap();
    assert_eq!(text, SCENE.replace("duration = 1", "duration = 2").replace("cells = 4", "cells = 5"));
}

#[test]
fn overrides_that_lead_nowhere_are_refused() {
    for (set, expected) in [
        ("step", "needs a `=`"),
        ("step=", "value after `=` is missing"),
        ("=3", "path is empty"),
        ("body.beem.cells=3", "did you mean `beam`?"),
        ("body[7].cells=3", "there are 2 of `body`"),
        ("body[0]=3", "cannot be replaced as a whole"),
        ("body=3", "cannot be replaced as a whole"),
        ("duration.x=3", "single value and has no fields"),
        ("body.beam.shape.box[9]=3", "has 3 entries"),
        ("body.beam.shape.box.x=3", "entries go by number"),
        ("body.beam.cels=3", "did you mean `cells`?"),
        ("body.beam.cells=0", "from 1 to 10000"),
        ("a.a.a.a=[[[[[[", "unknown field `a`"),
    ] {
        assert!(refusal(set).contains(expected), "{set}: {}", refusal(set));
    }
    let deep = format!("x={}", "[".repeat(100_000));
    assert!(refusal(&deep).contains("nested too deep"));
}
