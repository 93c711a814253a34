//! A wave through dominoes settles at a speed of its own.
//!
//! Thickness 0.179 and gap 0.5 of the height, no slip on the table, inelastic, no friction between them: each domino strikes
//! the next while all behind lean on it; the wave settles at `v = 1.678 √(g h)`; see [Lee10].

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{rigid, scene, simulate, step};

/// The case.
pub const CASE: Case = Case {
    name: "dominoes",
    about: "a wave through dominoes settles at its own speed",
    reference: "Van Leeuwen [Lee10]: v = 1.678 √(g h) for this thickness and gap.",
    run,
};

const ROW: &str = include_str!("../../../../../scenes/validation/exact-dominoes.toml");
const G: f64 = 9.81;
const PITCH: f64 = 0.679;

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let reference = 1.678 * G.sqrt();
    for h in settings.pick(vec![2e-3], vec![2e-3, 1e-3]) {
        let words = [format!("step={h:?}"), format!("frame={h:?}")];
        let mut sim = simulate(&scene(ROW, &words)?)?;
        let (mut next, mut starts) = (1, Vec::new());
        while sim.time() < 10.0 && next <= 45 {
            step(&mut sim)?;
            while next <= 45 && rigid(&sim, &format!("domino-{next}"))?.spin().y > 0.05 {
                starts.push(sim.time());
                next += 1;
            }
        }
        let time = |k: usize| starts.get(k).copied().unwrap_or(f64::NAN);
        let speed = 20.0 * PITCH / (time(44) - time(24));
        let reason = "the limit of rigid dominoes that lean on each other, in steps; each blow is seen within a step";
        checks.within(format!("h = {} ms: speed of the wave [m/s]", h * 1e3), speed, reference, 0.01, reason);
    }
    Ok(())
}
