//! How implicit steps are solved, and when parts become rigid or soft by themselves, as parameters.

use crate::session::parameters::{Parameter, Value, check, choice, flag, named, slider};
use crate::session::world::World;
use kreisel::model::Model;
use kreisel::model::setup::{LinearSolver, Release, Switching};

const IMPLICIT: &str = "Implicit steps";
const SWITCHING: &str = "Rigid by itself";
const SOLVERS: [(&str, LinearSolver); 4] = [
    ("automatic", LinearSolver::Automatic),
    ("jacobi", LinearSolver::Jacobi),
    ("two-level", LinearSolver::TwoLevel),
    ("direct", LinearSolver::Direct),
];
const RELEASES: [(&str, Release); 2] = [("relief", Release::Relief), ("as-frozen", Release::AsFrozen)];
/// Strain rates that a slider offers [1/s].
const RATES: (f64, f64) = (1e-4, 10.0);

/// Those that mean something in a model.
pub fn list(model: &Model) -> Vec<Parameter> {
    let mut all = Vec::new();
    if model.integrator.is_implicit() {
        all.extend(of_implicit(model));
    }
    if model.bodies.iter().any(|b| b.automatic) {
        all.extend(of_switching(&model.switching));
    }
    all
}

fn of_implicit(model: &Model) -> [Parameter; 3] {
    let settings = &model.implicit;
    let tolerance = slider("implicit.tolerance", IMPLICIT, "tolerance", "", settings.tolerance, (1e-10, 1e-2));
    [
        Parameter { log: true, ..tolerance },
        choice("implicit.solver", IMPLICIT, "linear solver", &SOLVERS, settings.solver),
        flag("implicit.keep-momentum", IMPLICIT, "keep momentum", settings.keep_momentum),
    ]
}

fn of_switching(s: &Switching) -> [Parameter; 4] {
    let rate = |key: &str, label: &str, value: f64| {
        let path = format!("switching.{key}");
        Parameter { log: true, ..slider(&path, SWITCHING, label, "1/s", value, RATES) }
    };
    [
        rate("rigid-below", "rigid below", s.rigid_below),
        rate("soft-above", "soft above", s.soft_above),
        slider("switching.patience", SWITCHING, "patience", "s", s.patience, (0.0, (4.0 * s.patience).max(0.5))),
        choice("switching.release", SWITCHING, "frozen strain", &RELEASES, s.release),
    ]
}

/// Gives one of them a value; `None`: it is not one of them.
pub fn set(world: &mut World, keys: &[&str], value: &Value) -> Option<Result<(), String>> {
    match keys {
        ["implicit", key] => Some(set_implicit(world, key, value)),
        ["switching", key] => Some(set_switching(world, key, value)),
        _ => None,
    }
}

fn set_implicit(world: &mut World, key: &str, value: &Value) -> Result<(), String> {
    let mut settings = world.model.implicit;
    match (key, value) {
        ("tolerance", Value::Number(x)) => {
            check((1e-12..=0.1).contains(x), "the tolerance")?;
            settings.tolerance = *x;
        }
        ("solver", Value::Word(w)) => settings.solver = named(&SOLVERS, w)?,
        ("keep-momentum", Value::Flag(on)) => settings.keep_momentum = *on,
        _ => return Err(format!("implicit steps have no {key} like that")),
    }
    world.change(|m| m.implicit = settings);
    Ok(())
}

fn set_switching(world: &mut World, key: &str, value: &Value) -> Result<(), String> {
    let mut s = world.model.switching;
    match (key, value) {
        ("rigid-below", Value::Number(x)) => s.rigid_below = *x,
        ("soft-above", Value::Number(x)) => s.soft_above = *x,
        ("patience", Value::Number(x)) => s.patience = *x,
        ("release", Value::Word(w)) => s.release = named(&RELEASES, w)?,
        _ => return Err(format!("switching has no {key} like that")),
    }
    let are_sound = [s.rigid_below, s.soft_above, s.patience].iter().all(|x| (0.0..1e6).contains(x));
    check(are_sound, key)?;
    if s.rigid_below > s.soft_above {
        return Err("`rigid below` must not exceed `soft above`: parts would switch back and forth".into());
    }
    world.change(|m| m.switching = s);
    Ok(())
}
