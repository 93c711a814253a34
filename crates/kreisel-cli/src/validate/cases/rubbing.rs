//! Two soft blocks that rub in free space keep their momentum and angular momentum.
//!
//! Equal and opposite friction on two element *centres* would make a couple. It acts at the contact point instead: the
//! element takes the force, its neighbours the couple.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{drift, momenta, scene, simulate, step};

/// The case.
pub const CASE: Case = Case {
    name: "rubbing",
    about: "friction between soft bodies keeps P and L",
    reference: "Conservation of P and L while two free bodies rub.",
    run,
};

const BLOCKS: &str = include_str!("../../../../../scenes/validation/rubbing.toml");

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    for rigid in settings.pick(vec![false], vec![false, true]) {
        let mut sim = simulate(&scene(BLOCKS, &[format!("body.upper.rigid={rigid}")])?)?;
        let start = momenta(&sim);
        let mut worst = (0.0f64, 0.0f64);
        while sim.time() < 0.3 {
            step(&mut sim)?;
            let (p, l) = drift(&start, &momenta(&sim));
            worst = (worst.0.max(p), worst.1.max(l));
        }
        let name = if rigid { "soft on rigid" } else { "soft on soft" };
        let reason = "rounding, relative to Σm|v| and Σm|r||v|";
        checks.at_most(format!("drift of P, {name}"), worst.0, 1e-12, reason);
        checks.at_most(format!("drift of L, {name}"), worst.1, 1e-12, reason);
        let rubbed = f64::from(u8::from(sim.ledger().friction_loss > 1e-3));
        checks.near(
            format!("they rub, {name}"),
            rubbed,
            1.0,
            0.0,
            "more than 1 mJ lost to friction, else nothing is shown",
        );
    }
    Ok(())
}
