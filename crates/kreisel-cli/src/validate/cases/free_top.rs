//! A free asymmetric top that turns over and over: Euler's equations, I = (1, 2, 3), ω = (0.01, 5, 0).
//!
//! Spin about the axis of the middle moment is unstable; the solution is in Jacobi's elliptic functions [Landau and
//! Lifshitz, Mechanics, § 37]. With `2T = Σ I ω²`, `L² = Σ I² ω²` and `L² < 2T I₂`:
//! `ω₂ ∝ sn(τ)`, `τ = t √((I₂ − I₁)(2T I₃ − L²)/(I₁ I₂ I₃))`, `1 − k² = (I₃ − I₁)(2T I₂ − L²)/((I₂ − I₁)(2T I₃ − L²))`.
//! ω₃ = 0 at the start is `|sn| = 1`, so ω₂ vanishes a quarter and three quarters of the period 4K later:
//! 2.633027562 s and 7.899082686 s.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{Crossings, scene, simulate, step};
use crate::validate::reference::{elliptic_k, runge_kutta};
use kreisel::DVec3;

/// The case.
pub const CASE: Case = Case {
    name: "free-top",
    about: "a free asymmetric top turns over at the right times",
    reference: "Euler's equations in Jacobi's elliptic functions (Landau and Lifshitz, Mechanics, § 37).",
    run,
};
/// The same under the law of constraints.
pub const EXACT: Case = Case {
    name: "exact-top",
    about: "a free top turns over at the right times under the law of constraints",
    reference: "Euler's equations in Jacobi's elliptic functions (Landau and Lifshitz, Mechanics, § 37).",
    run: exact,
};

const TOP: &str = include_str!("../../../../../scenes/validation/free-top.toml");
const EXACT_TOP: &str = include_str!("../../../../../scenes/validation/exact-top.toml");
const I: [f64; 3] = [1.0, 2.0, 3.0];
const OMEGA: [f64; 3] = [0.01, 5.0, 0.0];

/// A quarter of the period of ω₂ in closed form [s].
fn quarter_period() -> f64 {
    let twice_energy: f64 = (0..3).map(|i| I[i] * OMEGA[i] * OMEGA[i]).sum();
    let square_momentum: f64 = (0..3).map(|i| (I[i] * OMEGA[i]).powi(2)).sum();
    let denominator = (I[1] - I[0]) * (twice_energy * I[2] - square_momentum);
    let complementary = ((I[2] - I[0]) * (twice_energy * I[1] - square_momentum) / denominator).sqrt();
    elliptic_k(complementary) / (denominator / (I[0] * I[1] * I[2])).sqrt()
}

/// The zeros of ω₂ by an independent integration of Euler's equations [s].
fn integrated_zeros() -> Vec<f64> {
    let euler = |_: f64, w: &[f64; 3]| {
        [(I[1] - I[2]) / I[0] * w[1] * w[2], (I[2] - I[0]) / I[1] * w[2] * w[0], (I[0] - I[1]) / I[2] * w[0] * w[1]]
    };
    let (mut w, mut crossings, h) = (OMEGA, Crossings::default(), 1e-4);
    for k in 0..80_000 {
        crossings.sample(h * f64::from(k), w[1]);
        w = runge_kutta(&euler, 0.0, &w, h);
    }
    crossings.times
}

/// The zeros of the second body component of the spin in the engine [s].
fn simulated_zeros(text: &str, words: &[String]) -> Result<Vec<f64>, String> {
    let mut sim = simulate(&scene(text, words)?)?;
    let axis = sim.state().aggregates[0].orientation.inverse() * DVec3::Y;
    let mut crossings = Crossings::default();
    while crossings.times.len() < 2 && sim.time() < 9.0 {
        let top = &sim.state().aggregates[0];
        crossings.sample(sim.time(), (top.orientation * axis).dot(top.spin()));
        step(&mut sim)?;
    }
    if crossings.times.len() < 2 { Err("the top does not turn over twice".into()) } else { Ok(crossings.times) }
}

fn run(_: &Settings, checks: &mut Checks) -> Result<(), String> {
    let exact = [quarter_period(), 3.0 * quarter_period()];
    let integrated = integrated_zeros();
    for k in 0..2 {
        let reason = "two derivations of the reference agree; the integration interpolates between steps of 0.1 ms";
        checks.near(
            format!("reference, zero {} of ω₂ by Runge–Kutta [s]", k + 1),
            integrated[k],
            exact[k],
            1e-8,
            reason,
        );
    }
    let found = simulated_zeros(TOP, &[])?;
    for k in 0..2 {
        let reason = "required: 1e-5 s at h = 1 ms; errors grow near the unstable axis before each flip";
        checks.near(format!("zero {} of ω₂, h = 1 ms [s]", k + 1), found[k], exact[k], 1e-5, reason);
    }
    Ok(())
}

fn exact(_: &Settings, checks: &mut Checks) -> Result<(), String> {
    let due = [quarter_period(), 3.0 * quarter_period()];
    for integrator in ["symplectic-euler", "verlet", "extrapolated"] {
        let found = simulated_zeros(EXACT_TOP, &[format!("integrator=\"{integrator}\"")])?;
        for k in 0..2 {
            let reason = "free rotation does not depend on the integrator of contacts; errors grow before each flip";
            checks.near(format!("{integrator}, zero {} of ω₂, h = 1 ms [s]", k + 1), found[k], due[k], 1e-5, reason);
        }
    }
    Ok(())
}
