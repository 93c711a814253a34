//! Frequencies of chains of n equal masses and springs.
//!
//! `ω_j = 2 √(k/m) sin(κ_j/2)` with the wave number per link `κ_j = jπ/(n+1)` between two walls, `(2j−1)π/(2n+1)` at one
//! wall, `jπ/n` free; the shapes are `sin(κ i)`, `sin(κ i)`, `cos(κ (i − ½))`. The chain starts straight, with the
//! velocities of a shape; motion along the chain is linear at any amplitude. Symplectic Euler makes a vibration faster by
//! `(hω)²/24`, which is 1.7e-5 at `hω = 0.02`.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{Crossings, scene, simulate, step};
use kreisel::DVec3;
use kreisel::model::setup::BodyShape;
use std::f64::consts::PI;

/// The case.
pub const CASE: Case = Case {
    name: "chain-frequency",
    about: "chains held at both ends, one or none vibrate with their frequencies",
    reference: "Closed form: ω_j = 2 √(k/m) sin(κ_j/2), made faster by (hω)²/24 by the scheme.",
    run,
};

const CHAIN: &str = include_str!("../../../../../scenes/validation/chain.toml");
const MASSES: usize = 8;
/// `√(k/m)` with k = 100 N/m and m = 0.1 kg [rad/s].
const RATE: f64 = 31.622_776_601_683_793;

#[derive(Clone, Copy)]
struct Ends {
    name: &'static str,
    /// Elements before the first and after the last mass that are held.
    walls: (usize, usize),
    wave_number: fn(f64) -> f64,
    free_start: bool,
}

const ENDS: [Ends; 3] = [
    Ends { name: "fixed–fixed", walls: (1, 1), wave_number: |j| j * PI / 9.0, free_start: false },
    Ends { name: "fixed–free", walls: (1, 0), wave_number: |j| (2.0 * j - 1.0) * PI / 17.0, free_start: false },
    Ends { name: "free–free", walls: (0, 0), wave_number: |j| j * PI / 8.0, free_start: true },
];

fn shape(ends: &Ends, kappa: f64) -> Vec<f64> {
    let mass = |i: usize| {
        let i = (i + 1) as f64;
        if ends.free_start { (kappa * (i - 0.5)).cos() } else { (kappa * i).sin() }
    };
    (0..MASSES).map(mass).collect()
}

/// Frequency of a mode, from the times between zero crossings of its coordinate [rad/s].
fn measure(ends: &Ends, kappa: f64, omega: f64, periods: f64) -> Result<f64, String> {
    let (before, after) = ends.walls;
    let count = before + MASSES + after;
    let mut overrides = vec![format!("body.chain.shape.chain.count={count}")];
    let held: Vec<String> =
        (0..count).filter(|&e| e < before || e >= before + MASSES).map(|e| format!("{{ element = {e} }}")).collect();
    if !held.is_empty() {
        overrides.push(format!("body.chain.fix={{ any = [{}] }}", held.join(", ")));
    }
    let mut setup = scene(CHAIN, &overrides)?;
    let shape = shape(ends, kappa);
    let BodyShape::Elements { elements, .. } = &mut setup.bodies[0].shape else { return Err("no chain".into()) };
    for (e, a) in elements[before..].iter_mut().zip(&shape) {
        e.velocity = DVec3::new(1e-3 * a, 0.0, 0.0);
    }
    let h = 0.02 / omega;
    (setup.step, setup.frame) = (Some(h), h);
    let mut sim = simulate(&setup)?;
    let rest = sim.state().position.x.clone();
    let mut crossings = Crossings::default();
    while sim.time() < periods * 2.0 * PI / omega {
        step(&mut sim)?;
        let x = &sim.state().position.x;
        let coordinate = shape.iter().enumerate().map(|(i, a)| a * (x[before + i] - rest[before + i])).sum();
        crossings.sample(sim.time(), coordinate);
    }
    Ok(PI / crossings.spacing())
}

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    for ends in &ENDS {
        for j in settings.pick(vec![1, 7], vec![1, 2, 4, 6, 7]) {
            let kappa = (ends.wave_number)(f64::from(j));
            let omega = 2.0 * RATE * (0.5 * kappa).sin();
            let measured = measure(ends, kappa, omega, settings.pick(3.2, 10.2))?;
            let reason = "required: 1e-4 at hω = 0.02, where the scheme itself is 1.7e-5 too fast";
            checks.within(format!("ω of mode {j}, {} [rad/s]", ends.name), measured, omega, 1e-4, reason);
        }
    }
    Ok(())
}
