//! The static limit: in steps so long that inertia is nothing, backward Euler ends in the equilibrium.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{scene, simulate, step};
use kreisel::DVec3;
use kreisel::linear::Vectors;
use kreisel::statics::{EquilibriumParams, Held, StaticProblem, solve_equilibrium};

/// The case.
pub const CASE: Case = Case {
    name: "implicit-statics",
    about: "steps of 1000 s end in the static solution",
    reference: "The direct static solution of the same lattice.",
    run,
};

const BEAM: &str = include_str!("../../../../../scenes/validation/cantilever.toml");
const GRAVITY: f64 = 0.05;

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let overrides = [
        "integrator=\"backward-euler\"".to_string(),
        "duration=10000".into(),
        "frame=1000".into(),
        "step=1000".into(),
        "implicit.tolerance=1e-12".into(),
        format!("gravity={GRAVITY}"),
        format!("body.beam.cells={}", settings.pick(1, 2)),
        "body.beam.fix={ x = { below = \"-4.999 m\" } }".into(),
    ];
    let mut sim = simulate(&scene(BEAM, &overrides)?)?;
    for _ in 0..8 {
        step(&mut sim)?;
    }
    let model = sim.model();
    let rest = &model.elements.rest;
    let mut loads = Vectors::zeros(rest.len());
    loads.z.iter_mut().zip(&model.elements.mass).for_each(|(f, m)| *f = -m * GRAVITY);
    let is_held = |e: &usize| rest.x[*e] < -4.999;
    let hold = |e: usize| Held { element: e as u32, axes: [true; 3], displacement: DVec3::ZERO };
    let held: Vec<Held> = (0..rest.len()).filter(is_held).map(hold).collect();
    let problem = StaticProblem {
        positions: rest,
        connections: &model.connections,
        cells: &model.cells,
        loads: &loads,
        held: &held,
    };
    let precise = EquilibriumParams { force_tolerance: 1e-9, ..EquilibriumParams::default() };
    let direct = solve_equilibrium(&problem, &precise).map_err(|e| e.to_string())?.displacements;
    let mut difference = sim.state().position.clone();
    difference.axpy(-1.0, rest);
    difference.axpy(-1.0, &direct);
    let relative = (difference.dot(&difference) / direct.dot(&direct)).sqrt();
    checks.at_most("displacements, difference / direct", relative, 1e-8, "required: 1e-8");
    Ok(())
}
