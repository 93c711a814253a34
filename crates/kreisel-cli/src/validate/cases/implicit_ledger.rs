//! The accounts of implicit steps: momentum to rounding, energy with the loss of the numerics as its own entry.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{run_until, scene, simulate, turnover};
use kreisel::Simulation;

/// The case.
pub const CASE: Case = Case {
    name: "implicit-ledger",
    about: "the accounts of momentum and energy close in implicit scenes",
    reference: "Conservation: every change of P, L and energy has its entry.",
    run,
};

/// Yardsticks of momentum `Σ m (|v| + g t)` [kg m/s] and of angular momentum, with the largest distance from the origin.
fn yardsticks(sim: &Simulation) -> (f64, f64) {
    let (mut linear, mut far) = (0.0, 0.0f64);
    for (e, m) in sim.model().elements.mass.iter().enumerate() {
        linear += m * (sim.state().velocity.get(e).length() + sim.model().gravity.length() * sim.time());
        far = far.max(sim.state().position.get(e).length());
    }
    (linear, linear * far)
}

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    for embedded in kreisel_scene::scenes() {
        let setup = scene(embedded.text, &[])?;
        if !setup.integrator.is_implicit() {
            continue;
        }
        let mut sim = simulate(&setup)?;
        let start = sim.ledger().energy();
        run_until(&mut sim, settings.pick(0.1, setup.duration.min(1.0)))?;
        let (ledger, (linear, angular)) = (sim.ledger(), yardsticks(&sim));
        let name = embedded.name;
        let reason = "required: 1e-10 of what flows";
        checks.at_most(format!("P unaccounted for, {name}"), ledger.momentum_residual.length() / linear, 1e-10, reason);
        let lost = ledger.angular_momentum_residual.length() / angular;
        checks.at_most(format!("L unaccounted for, {name}"), lost, 1e-10, reason);
        let open = (ledger.energy() - start - ledger.balance() - ledger.residual).abs() / turnover(&sim);
        checks.at_most(format!("energy unaccounted for, {name}"), open, 1e-10, "the loss of the numerics is an entry");
        let invented = (ledger.residual / turnover(&sim)).max(0.0);
        checks.at_most(format!("energy invented, {name}"), invented, 0.01, "implicit steps lose energy; required: 1 %");
    }
    Ok(())
}
