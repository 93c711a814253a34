//! Every parameter that the page offers can be set while the scene runs, reads back as it was set, and stays so.
#![allow(clippy::unwrap_used, clippy::panic)]

use kreisel_view::Source;
use kreisel_view::session::Stage;
use kreisel_view::session::action::Action;
use kreisel_view::session::parameters::{Parameter, Value, list};

fn stage_of(scene: &str) -> Stage {
    let mut stage = Stage::new(64 << 20);
    stage.open(&Source::Scene(scene.into())).map_err(|t| t.text).unwrap();
    assert!(stage.step().unwrap());
    stage
}

fn offered(stage: &Stage) -> Vec<Parameter> {
    list(&stage.live().unwrap().world.model)
}

fn value_of(stage: &Stage, path: &str) -> Value {
    offered(stage).into_iter().find(|p| p.path == path).unwrap_or_else(|| panic!("{path} is not offered")).value
}

fn set(stage: &mut Stage, path: &str, value: Value) -> Result<(), String> {
    stage.act(Action::Set { path: path.into(), value })
}

/// Another value that the page would offer; of numbers one nearby, so that the scene does not come to a standstill.
fn another(p: &Parameter) -> Value {
    match &p.value {
        Value::Flag(on) => Value::Flag(!on),
        Value::Number(x) if p.log => Value::Number((x * 1.25).min(p.max)),
        Value::Number(x) => Value::Number(0.9 * x + 0.1 * p.max),
        Value::Vector([x, y, z]) => Value::Vector([x + 0.5, *y, *z]),
        Value::Word(w) => {
            let other = p.choices.iter().find(|c| *c != w);
            Value::Word(other.map_or_else(|| w.clone(), |c| (*c).to_string()))
        }
    }
}

fn agree(a: &Value, b: &Value) -> bool {
    match (a, b) {
        // Counts are whole numbers, and loads are scaled.
        (Value::Number(a), Value::Number(b)) => (a - b).abs() <= (1e-9 * b.abs()).max(if *b > 1.0 { 0.5 } else { 0.0 }),
        _ => a == b,
    }
}

/// Sets every parameter of a scene in turn; gives the paths that were refused.
fn set_all(scene: &str) -> Vec<(String, String)> {
    let mut refused = Vec::new();
    for parameter in offered(&stage_of(scene)) {
        let mut stage = stage_of(scene);
        let wanted = another(&parameter);
        match set(&mut stage, &parameter.path, wanted.clone()) {
            Err(reason) => refused.push((parameter.path, reason)),
            Ok(()) => {
                let found = value_of(&stage, &parameter.path);
                assert!(agree(&found, &wanted), "{scene}: {} is {found:?}, not {wanted:?}", parameter.path);
                stage.step().unwrap_or_else(|e| panic!("{scene}: with another {} the step fails: {e}", parameter.path));
            }
        }
    }
    refused
}

#[test]
fn every_parameter_of_a_soft_scene_can_be_set() {
    assert_eq!(set_all("falling-block"), []);
}

#[test]
fn loads_and_what_becomes_rigid_by_itself_can_be_set() {
    assert_eq!(set_all("beam-part-rigid"), []);
    assert_eq!(set_all("rigid-flight"), []);
    assert!(offered(&stage_of("beam-part-rigid")).iter().any(|p| p.path == "load.force.0"));
    assert!(offered(&stage_of("rigid-flight")).iter().any(|p| p.path == "switching.rigid-below"));
}

#[test]
fn every_parameter_of_exact_bodies_and_their_joints_can_be_set_or_says_why_not() {
    for (path, reason) in set_all("tippe-top").into_iter().chain(set_all("crank")) {
        assert_eq!(path, "law", "{reason}");
        assert!(reason.contains("joints and exact shapes"), "{reason}");
    }
}

#[test]
fn a_denser_exact_body_is_heavier() {
    let mut stage = stage_of("tippe-top");
    let mass = |stage: &Stage| stage.live().unwrap().world.state.aggregates[0].mass;
    let (before, Value::Number(density)) = (mass(&stage), value_of(&stage, "material.0.density")) else { panic!() };
    set(&mut stage, "material.0.density", Value::Number(2.0 * density)).unwrap();
    assert!((mass(&stage) / before - 2.0).abs() < 1e-9);
}

#[test]
fn implicit_steps_offer_how_they_are_solved() {
    let mut stage = stage_of("cantilever");
    set(&mut stage, "integrator", Value::Word("backward-euler".into())).unwrap();
    set(&mut stage, "implicit.solver", Value::Word("direct".into())).unwrap();
    set(&mut stage, "implicit.tolerance", Value::Number(1e-4)).unwrap();
    assert_eq!(value_of(&stage, "implicit.tolerance"), Value::Number(1e-4));
    assert!(stage.step().unwrap());
}

#[test]
fn what_was_set_outlives_a_model_that_is_built_anew() {
    let mut stage = stage_of("beam-part-rigid");
    set(&mut stage, "load.force.0", Value::Number(3.0)).unwrap();
    set(&mut stage, "material.0.static-friction", Value::Number(0.9)).unwrap();
    set(&mut stage, "material.0.poisson", Value::Number(0.3)).unwrap();
    assert!(agree(&value_of(&stage, "load.force.0"), &Value::Number(3.0)));
    assert_eq!(value_of(&stage, "material.0.static-friction"), Value::Number(0.9));
    let drop =
        Action::Drop { shape: "ball".into(), material: "gel".into(), size: 0.1, at: [0.0, 0.0, 3.0], rigid: false };
    stage.act(drop).unwrap();
    assert!(agree(&value_of(&stage, "load.force.0"), &Value::Number(3.0)));
}

#[test]
fn a_material_of_another_body_stays_as_it_is_even_under_the_same_name() {
    let mut stage = stage_of("falling-block");
    let drop = |x: f64| Action::Drop {
        shape: "block".into(),
        material: "gel".into(),
        size: 0.1,
        at: [x, 0.0, 3.0],
        rigid: false,
    };
    stage.act(drop(1.0)).unwrap();
    let young = |stage: &Stage, i: usize| stage.live().unwrap().world.model.materials[i].young;
    let before = young(&stage, 0);
    let last = stage.live().unwrap().world.model.materials.len() - 1;
    assert!(last > 0, "what is dropped has a material of its own");
    let wanted = 0.5 * young(&stage, last);
    set(&mut stage, &format!("material.{last}.young"), Value::Number(wanted)).unwrap();
    assert_eq!(young(&stage, last), wanted);
    assert_eq!(young(&stage, 0), before);
}

#[test]
fn impossible_values_are_refused_in_words_and_change_nothing() {
    let mut stage = stage_of("beam-part-rigid");
    let before = offered(&stage);
    for (path, value) in [
        ("material.0.friction", Value::Number(-1.0)),
        ("material.0.restitution", Value::Number(1.5)),
        ("material.0.young", Value::Number(0.0)),
        ("material.99.young", Value::Number(1.0)),
        ("load.force.0", Value::Number(f64::NAN)),
        ("load.force.7", Value::Number(1.0)),
        ("switching.rigid-below", Value::Number(1e5)),
        ("implicit.solver", Value::Word("luck".into())),
        ("gravity", Value::Number(9.81)),
        ("nonsense", Value::Flag(true)),
    ] {
        let reason = set(&mut stage, path, value).unwrap_err();
        assert!(reason.len() > 10, "{path}: {reason}");
    }
    assert_eq!(offered(&stage), before);
}
