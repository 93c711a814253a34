//! A fast symmetric top, held at its tip, precesses and nods.
//!
//! Lagrange's top [Goldstein, Classical Mechanics, § 5.7]: with the moment `I` across the axis about the tip, `p_ψ = I₃ ω`
//! about the axis and `p_φ` about the vertical constant, `φ′ = (p_φ − p_ψ cos θ)/(I sin² θ)` and
//! `I θ″ = I φ′² sin θ cos θ − p_ψ φ′ sin θ + m g l sin θ`. Integrated here by Runge–Kutta. Let go without precession it
//! draws cusps, and precesses on average with `m g l/(I₃ ω)` if it is fast.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{scene, simulate, step};
use crate::validate::reference::runge_kutta;
use std::f64::consts::PI;

/// The case.
pub const CASE: Case = Case {
    name: "spinning-top",
    about: "a top held at its tip precesses and nods as it must",
    reference: "Lagrange's top (Goldstein, Classical Mechanics, § 5.7), integrated by Runge–Kutta.",
    run,
};

const TOP: &str = include_str!("../../../../../scenes/validation/spinning-top.toml");
const MASS: f64 = 1.0;
const ARM: f64 = 0.1;
const ACROSS: f64 = 0.002 + MASS * ARM * ARM;
const ALONG: f64 = 0.003;
const SPIN: f64 = 200.0;
const TILT: f64 = PI / 6.0;
const WEIGHT: f64 = MASS * 9.81;

/// Angles θ and φ of the axis at a time, by independent integration.
fn integrated(time: f64) -> [f64; 2] {
    let p_psi = ALONG * SPIN;
    let p_phi = p_psi * TILT.cos();
    let precession = |theta: f64| (p_phi - p_psi * theta.cos()) / (ACROSS * theta.sin().powi(2));
    let lagrange = |_: f64, y: &[f64; 3]| {
        let (sin, cos) = y[0].sin_cos();
        let rate = precession(y[0]);
        [y[1], (ACROSS * rate * rate * sin * cos - p_psi * rate * sin + WEIGHT * ARM * sin) / ACROSS, rate]
    };
    let steps = 40_000;
    let h = time / f64::from(steps);
    let mut y = [TILT, 0.0, 0.0];
    for k in 0..steps {
        y = runge_kutta(&lagrange, h * f64::from(k), &y, h);
    }
    [y[0], y[2]]
}

fn run(_: &Settings, checks: &mut Checks) -> Result<(), String> {
    let mut sim = simulate(&scene(TOP, &[])?)?;
    let (mut turned, mut last) = (0.0, 0.0f64);
    while sim.time() < 2.0 - 1e-9 {
        step(&mut sim)?;
        let axis = sim.state().aggregates[0].position;
        let phi = axis.y.atan2(axis.x);
        turned += (phi - last + PI).rem_euclid(2.0 * PI) - PI;
        last = phi;
    }
    let axis = sim.state().aggregates[0].position;
    let [theta, phi] = integrated(2.0);
    let reason = "second order in the step of 0.5 ms, during which the top turns by 0.1 rad";
    checks.within("precession in 2 s [rad]", turned, phi, 1e-3, reason);
    checks.near("tilt after 2 s [rad]", (axis.z / axis.length()).acos(), theta, 1e-3, reason);
    checks.near("distance of the centre from the tip [m]", axis.length(), ARM, 1e-9, "the tip is held");
    let slow = WEIGHT * ARM / (ALONG * SPIN);
    checks.within(
        "mean precession [rad/s], slow-precession formula",
        turned / 2.0,
        slow,
        0.05,
        "leading order for a fast top",
    );
    Ok(())
}
