//! Rigid bars that swing: from one held element (a ball joint) and from a line of them (a hinge).
//!
//! A physical pendulum released at rest at the angle θ₀ has the period `T = 4 √(I/(m g d)) K(sin ½θ₀)`, with the moment of
//! inertia I about the pivot and the distance d of the centre of mass from it; both are summed here from the elements. On a
//! hinge only the part of gravity across its axis counts, and the bar stays in its plane.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{Crossings, centre, scene, simulate, step};
use crate::validate::reference::elliptic_k;
use kreisel::Simulation;
use std::f64::consts::FRAC_1_SQRT_2;

/// The case.
pub const CASE: Case = Case {
    name: "pendulum",
    about: "rigid bars swing with their period on a ball joint and a hinge",
    reference: "Closed form: T = 4 √(I/(m g d)) K(sin ½θ₀).",
    run,
};

const BAR: &str = include_str!("../../../../../scenes/validation/pendulum.toml");
const HINGED: &str = include_str!("../../../../../scenes/validation/hinge.toml");

/// Period of a swing of 90° about the y axis through the origin, with gravity `g` across it [s].
fn period(sim: &Simulation, g: f64) -> Result<f64, String> {
    let bar = centre(sim, "bar")?;
    let mass = &sim.model().elements.mass;
    let moment: f64 = mass.iter().enumerate().map(|(e, m)| m * square_distance(sim, e)).sum();
    let scale = (moment / (bar.mass * g * bar.position.x)).sqrt();
    Ok(4.0 * scale * elliptic_k(FRAC_1_SQRT_2))
}

/// Square of an element's distance from the y axis [m²].
fn square_distance(sim: &Simulation, e: usize) -> f64 {
    let x = sim.state().position.get(e);
    x.x * x.x + x.z * x.z
}

/// Measured period, its reference [s], and how far the centre leaves the plane of the swing [m].
fn swing(text: &str, g: f64, duration: f64) -> Result<[f64; 3], String> {
    let mut sim = simulate(&scene(text, &[])?)?;
    let reference = period(&sim, g)?;
    let mut crossings = Crossings::default();
    let mut aside = 0.0f64;
    while sim.time() < duration {
        step(&mut sim)?;
        let bar = centre(&sim, "bar")?.position;
        crossings.sample(sim.time(), bar.x);
        aside = aside.max(bar.y.abs());
    }
    Ok([2.0 * crossings.spacing(), reference, aside])
}

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let duration = settings.pick(4.0, 10.0);
    for (name, text, g) in [("ball joint", BAR, 9.81), ("hinge", HINGED, 9.81 * 30f64.to_radians().cos())] {
        let [measured, reference, aside] = swing(text, g, duration)?;
        let reason = "second order in the step of 1 ms";
        checks.within(format!("period on a {name} [s]"), measured, reference, 1e-4, reason);
        checks.at_most(
            format!("out of the plane, {name} [m]"),
            aside,
            1e-9,
            "nothing pushes it there, or the hinge holds",
        );
    }
    Ok(())
}
