//! A rigid rod that spins freely, its deformation solved for at a moment.
//!
//! The centrifugal load makes `σ = ρω²(L²/4 − x²)/2`, so that the rod is longer by `ρω²L³/(12E)`.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{run_until, scene, simulate};
use kreisel::DVec3;

/// The case.
pub const CASE: Case = Case {
    name: "quasi-static",
    about: "a rigid rod knows how far its spin would stretch it",
    reference: "Closed form: a spinning rod is longer by ρ ω² L³/(12E).",
    run,
};

const ROD: &str = "gravity = 0\n[[body]]\nname = \"rod\"\nshape = { box = [1, 0.1, 0.1] }\nspin = [0, 0, 5]\n\
     rigid = \"quasi-static\"\nmaterial = { young = 1e6, density = 1000, poisson = 0.25 }\n";

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    for cells in settings.pick(vec![2], vec![2, 4]) {
        let mut sim = simulate(&scene(ROD, &[format!("body.rod.cells={cells}")])?)?;
        run_until(&mut sim, 0.1)?;
        let deformed = sim.deformed().ok_or("no quasi-static body")?;
        if let Some(why) = deformed.trouble.first() {
            return Err(why.clone());
        }
        let rest = &sim.model().elements.rest;
        let end = |sign: f64| {
            let chosen: Vec<usize> = (0..rest.len()).filter(|&e| sign * rest.x[e] > 0.499).collect();
            chosen.iter().map(|&e| deformed.state.position.get(e)).sum::<DVec3>() / chosen.len() as f64
        };
        let (longer, reference) = (end(1.0).distance(end(-1.0)) - 1.0, 1000.0 * 25.0 / (12.0 * 1e6));
        let reason = "the formula is that of a thin rod; cells of finite size on top";
        checks.within(format!("stretch of the rod, {cells} cells across [m]"), longer, reference, 0.02, reason);
    }
    Ok(())
}
