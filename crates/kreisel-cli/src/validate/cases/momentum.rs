//! Momentum and angular momentum of free bodies, soft, rigid, and switched a thousand times.
//!
//! Springs and dampers pull pairs of elements along the line that joins them, so `P = Σ m v` and `L = Σ m r × v` stay. A
//! rigid aggregate keeps world angular momentum as its state. A change from soft to rigid takes over `Σ m v` and
//! `Σ m r × v` of its elements and back again. What is left is rounding.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{drift, momenta, scene, simulate, step};
use kreisel::Simulation;

/// The case.
pub const CASE: Case = Case {
    name: "momentum",
    about: "free bodies keep P and L, soft, rigid and switching",
    reference: "Conservation of P = Σ m v and L = Σ m r × v, summed here over the elements.",
    run,
};

const BODY: &str = include_str!("../../../../../scenes/validation/free-body.toml");

/// The largest drifts of P and L over a number of frames, with something done before each.
fn worst_drift(
    sim: &mut Simulation,
    frames: usize,
    mut before: impl FnMut(&mut Simulation, usize) -> Result<(), String>,
) -> Result<(f64, f64), String> {
    let start = momenta(sim);
    let mut worst = (0.0f64, 0.0f64);
    for k in 0..frames {
        before(sim, k)?;
        step(sim)?;
        let (p, l) = drift(&start, &momenta(sim));
        worst = (worst.0.max(p), worst.1.max(l));
    }
    Ok(worst)
}

/// Rigid and soft in turns.
fn toggle(sim: &mut Simulation, k: usize) -> Result<(), String> {
    let body = sim.body("body").ok_or("no body")?;
    let done = if k.is_multiple_of(2) { sim.make_rigid(body) } else { sim.make_soft(body) };
    done.map_err(|e| e.to_string())
}

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let reason = "required: 1e-12 of Σm|v| and Σm|r||v|; rounding of some thousand steps";
    let mut record = |name: &str, worst: (f64, f64)| {
        checks.at_most(format!("drift of P, {name}"), worst.0, 1e-12, reason);
        checks.at_most(format!("drift of L, {name}"), worst.1, 1e-12, reason);
    };
    let frames = settings.pick(300, 1000);
    for integrator in settings.pick(vec!["symplectic-euler"], vec!["symplectic-euler", "verlet"]) {
        let with =
            |rigid: bool| scene(BODY, &[format!("integrator=\"{integrator}\""), format!("body.body.rigid={rigid}")]);
        let mut soft = simulate(&with(false)?)?;
        record(&format!("soft, {integrator}"), worst_drift(&mut soft, frames, |_, _| Ok(()))?);
        let mut rigid = simulate(&with(true)?)?;
        record(&format!("rigid, {integrator}"), worst_drift(&mut rigid, frames, |_, _| Ok(()))?);
        let mut both = simulate(&with(false)?)?;
        record(&format!("1000 switches, {integrator}"), worst_drift(&mut both, 1000, toggle)?);
    }
    Ok(())
}
