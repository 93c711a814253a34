//! A free soft body that spins, in large implicit steps.
//!
//! Backward Euler takes `Σ x⁺ × m v⁺ − Σ x × m v = h Σ v⁺ × m v` out of the spin: a stiff body turns as
//! `ω(t) = ω₀ / √(1 + 2 h ω₀² t)`. Given back after each step, and never lost by the midpoint rule, `L` stays.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{drift, momenta, run_until, scene, simulate, step};

/// The case.
pub const CASE: Case = Case {
    name: "implicit-spin",
    about: "a soft body that spins at 10 rad/s keeps its spin in steps of 1/60 s",
    reference: "Conservation of L; without it backward Euler spins as ω₀/√(1 + 2 h ω₀² t).",
    run,
};

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let text = kreisel_scene::find("spinning-soft").map_err(|e| e.to_string())?.text;
    for integrator in ["backward-euler", "linear-backward-euler", "midpoint"] {
        let mut sim = simulate(&scene(text, &[format!("integrator=\"{integrator}\"")])?)?;
        let start = momenta(&sim);
        let mut worst = 0.0f64;
        for _ in 0..settings.pick(60, 600) {
            step(&mut sim)?;
            worst = worst.max(drift(&start, &momenta(&sim)).1);
        }
        checks.at_most(format!("drift of L, {integrator}"), worst, 1e-10, "required: 1e-10 over 10 s");
    }
    let mut plain = simulate(&scene(text, &["implicit.keep_momentum=false".into()])?)?;
    let start = momenta(&plain).angular.z;
    run_until(&mut plain, 1.0)?;
    let (h, spin) = (1.0 / 60.0, 10.0_f64);
    let reference = (1.0 + 2.0 * h * spin * spin).sqrt().recip();
    let reason = "the formula is that of a stiff body; this one stretches";
    checks.within("L after 1 s / L, backward Euler alone", momenta(&plain).angular.z / start, reference, 0.05, reason);
    Ok(())
}
