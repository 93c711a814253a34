//! Beams that swing in one of their bending modes, in implicit steps: the period against the lattice's own eigenvalue.
//!
//! The midpoint rule turns a mode by `2 atan(ωh/2)` in a step, so that its period is `1 + (ωh)²/12` times too long: 8e-5 with
//! 200 steps to a period.

use crate::validate::case::{Case, Settings};
use crate::validate::cases::modes::{BEAM, beam, bending_modes};
use crate::validate::check::Checks;
use crate::validate::lab::{Crossings, scene, step};
use kreisel::Simulation;
use kreisel::statics::Mode;
use std::f64::consts::TAU;

/// The case.
pub const CASE: Case = Case {
    name: "implicit-modes",
    about: "beams swing with their period in small implicit steps",
    reference: "The lattice's own eigenvalue; the midpoint rule makes a period longer by (ωh)²/12.",
    run,
};

/// The fix that makes it a cantilever.
const CLAMP: &str = "body.beam.fix={ x = { below = -4.999 } }";
/// Steps in a period.
const STEPS: f64 = 200.0;
/// Periods that are timed.
const PERIODS: f64 = 3.0;
/// The largest displacement [m]: far below the ten metres of the beam, so that it is small in the sense of the theory.
const AMPLITUDE: f64 = 1e-5;

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    for clamped in [true, false] {
        let cells = settings.pick(1, 2);
        let cells = format!("body.beam.cells={cells}");
        let part = beam(std::slice::from_ref(&cells), clamped)?;
        let modes = bending_modes(&part)?;
        if modes.len() < 6 {
            return Err(format!("only {} bending modes, not three pairs", modes.len()));
        }
        for (number, mode) in (1..).zip(modes.iter().step_by(2).take(3)) {
            let omega = TAU / swing(std::slice::from_ref(&cells), clamped, mode)?;
            let name = if clamped { "clamped" } else { "free" };
            let reason = "the midpoint rule is slow by (ωh)²/12 = 8e-5; half as much again is allowed";
            checks.within(
                format!("ω of bending {number}, {name} [rad/s]"),
                omega,
                mode.angular_frequency,
                1.2e-4,
                reason,
            );
        }
    }
    Ok(())
}

/// The period of a beam that starts straight, with the velocities of a mode [s].
fn swing(overrides: &[String], clamped: bool, mode: &Mode) -> Result<f64, String> {
    let h = TAU / mode.angular_frequency / STEPS;
    let mut overrides = overrides.to_vec();
    overrides.extend(["integrator=\"midpoint\"".into(), "body.beam.material.damping=0".into()]);
    if clamped {
        overrides.push(CLAMP.into());
    }
    let mut setup = scene(BEAM, &overrides)?;
    (setup.frame, setup.step) = (h, Some(h));
    let still = Simulation::new(&setup).map_err(|e| e.to_string())?;
    let mut state = still.state().clone();
    let farthest = (0..mode.shape.len()).map(|e| mode.shape.get(e).length()).fold(0.0, f64::max);
    state.velocity.axpy(AMPLITUDE * mode.angular_frequency / farthest, &mode.shape);
    let mut sim = Simulation::from_model(still.model().clone(), state).map_err(|e| e.to_string())?;
    let mut crossings = Crossings::upwards();
    // `Σ m φ·v`: how fast this mode moves.
    let pace = |sim: &Simulation| {
        let (mass, v) = (&sim.model().elements.mass, &sim.state().velocity);
        mass.iter().enumerate().map(|(e, m)| m * mode.shape.get(e).dot(v.get(e))).sum::<f64>()
    };
    for _ in 0..((PERIODS + 1.0) * STEPS) as usize {
        step(&mut sim)?;
        crossings.sample(sim.time(), pace(&sim));
    }
    Ok(crossings.spacing())
}
