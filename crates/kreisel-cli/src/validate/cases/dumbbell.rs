//! Springs that spin: a dumbbell that turns and breathes, and a ring that breathes.
//!
//! Two masses m at a distance d on a spring (k, rest length l) turn steadily with ω if `k (d − l) = ½ m ω² d`. Disturbed
//! along the spring they breathe with `ω_b² = 2k/m + 3ω²`: the reduced mass `m/2` in the spring's potential and that of the
//! centrifugal force at constant angular momentum. A ring of n masses and springs breathes with
//! `ω_b² = 4 (k/m) sin²(π/n)`: the chord changes by `2 sin(π/n)` per radius, and two springs pull at `sin(π/n)`.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{Crossings, scene, simulate, step};
use kreisel::DVec3;
use kreisel::model::setup::BodyShape;
use std::f64::consts::PI;

/// The case.
pub const CASE: Case = Case {
    name: "dumbbell",
    about: "a dumbbell that turns and a ring breathe with their frequencies",
    reference: "Closed forms: k (d − l) = ½ m ω² d; ω_b² = 2k/m + 3ω² for the dumbbell, 4 (k/m) sin²(π/n) for the ring.",
    run,
};

const DUMBBELL: &str = include_str!("../../../../../scenes/validation/dumbbell.toml");
const RING: &str = include_str!("../../../../../scenes/validation/ring.toml");
const SPIN: f64 = 4.0;
const STIFFNESS: f64 = 100.0;
const DISTANCE: f64 = 1.0 / 0.92;

/// Rate of rotation, of breathing [rad/s], and the largest relative change of the distance.
fn turn(disturbance: f64) -> Result<[f64; 3], String> {
    let mut setup = scene(DUMBBELL, &[])?;
    let BodyShape::Elements { elements, .. } = &mut setup.bodies[0].shape else { return Err("no list".into()) };
    elements[0].velocity = DVec3::new(-disturbance, 0.0, 0.0);
    elements[1].velocity = DVec3::new(disturbance, 0.0, 0.0);
    let mut sim = simulate(&setup)?;
    let (mut turns, mut breaths) = (Crossings::default(), Crossings::upwards());
    let mut largest = 0.0f64;
    while sim.time() < setup.duration {
        step(&mut sim)?;
        let x = &sim.state().position;
        let apart = x.get(1) - x.get(0);
        turns.sample(sim.time(), apart.y);
        breaths.sample(sim.time(), apart.length() - DISTANCE);
        largest = largest.max((apart.length() / DISTANCE - 1.0).abs());
    }
    Ok([PI / turns.spacing(), 2.0 * PI / breaths.spacing(), largest])
}

/// Rate of breathing of the ring [rad/s], and its reference.
fn breathe() -> Result<(f64, f64), String> {
    let mut setup = scene(RING, &[])?;
    let BodyShape::Elements { elements, connections } = &mut setup.bodies[0].shape else {
        return Err("no list".into());
    };
    elements.iter_mut().for_each(|e| e.velocity = 1e-3 * e.at.normalize());
    let (a, b) = connections[0].ends;
    let chord = elements[a as usize].at.distance(elements[b as usize].at);
    let stiffness = 1e6 * 1e-5 / chord;
    let rate = (4.0 * stiffness / 0.05).sqrt() * (PI / 24.0).sin();
    setup.frame = 0.02 / rate;
    setup.step = Some(setup.frame);
    let mut sim = simulate(&setup)?;
    let start = sim.state().position.get(0).length();
    let mut crossings = Crossings::default();
    while sim.time() < 22.0 / rate {
        step(&mut sim)?;
        crossings.sample(sim.time(), sim.state().position.get(0).length() - start);
    }
    Ok((PI / crossings.spacing(), rate))
}

fn run(_: &Settings, checks: &mut Checks) -> Result<(), String> {
    let [spin, _, change] = turn(0.0)?;
    let reason = "Verlet's error at hω = 0.015 (the spring's ω) is (hω)²/24";
    checks.within("rate of rotation [rad/s]", spin, SPIN, 1e-5, reason);
    checks.at_most(
        "relative change of the distance",
        change,
        1e-4,
        "the discrete circle differs from the true one by (hω)²",
    );
    let [_, breathing, _] = turn(1e-3)?;
    let reference = (2.0 * STIFFNESS + 3.0 * SPIN * SPIN).sqrt();
    checks.within(
        "rate of breathing, dumbbell [rad/s]",
        breathing,
        reference,
        1e-3,
        "linearised in an amplitude of 1e-4",
    );
    let (ring, reference) = breathe()?;
    checks.within("rate of breathing, ring of 24 [rad/s]", ring, reference, 1e-3, "linearised in a small amplitude");
    Ok(())
}
