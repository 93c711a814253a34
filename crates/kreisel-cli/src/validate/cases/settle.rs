//! Rest states without time: a hanging chain, and a block on a slope below the angle of friction.
//!
//! Chain of n masses: tension `(n − j + 1) m g` above the j-th, extension `m g n(n + 1)/(2k)`. Block: the ground carries its
//! weight, and a run from the rest state stays there.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{centre, run_until, scene, simulate};
use kreisel::step::SettleParams;

/// The case.
pub const CASE: Case = Case {
    name: "settle",
    about: "a chain and a block on a slope find their rest without motion",
    reference: "Statics: the chain as in `hanging-chain`; a slope pushes with the weight of what stays on it.",
    run,
};

const CHAIN: &str = include_str!("../../../../../scenes/validation/hanging-chain.toml");
const SLOPE: &str = include_str!("../../../../../scenes/validation/incline.toml");
const N: usize = 10;
const WEIGHT: f64 = 0.1 * 9.81;
/// `E A / l` [N/m].
const STIFFNESS: f64 = 10e6 * 10e-6 / 0.1;

fn run(_: &Settings, checks: &mut Checks) -> Result<(), String> {
    let mut sim = simulate(&scene(CHAIN, &[])?)?;
    sim.settle(&SettleParams::default()).map_err(|e| e.to_string())?;
    let z = &sim.state().position.z;
    let reason = "required: forces balance to 1e-8 of the loads";
    for j in [1, N / 2, N] {
        let tension = STIFFNESS * (z[j - 1] - z[j] - 0.1);
        let reference = (N - j + 1) as f64 * WEIGHT;
        checks.near(format!("tension of spring {j} of {N} [N]"), tension, reference, 1e-8 * 11.0 * N as f64, reason);
    }
    let reference = WEIGHT * (N * (N + 1)) as f64 / (2.0 * STIFFNESS);
    checks.within("extension of the whole [m]", z[0] - z[N] - 0.1 * N as f64, reference, 1e-7, reason);
    for rigid in [false, true] {
        slope(rigid, checks)?;
    }
    Ok(())
}

fn slope(rigid: bool, checks: &mut Checks) -> Result<(), String> {
    let (sin, cos) = f64::to_radians(20.0).sin_cos();
    let gravity = format!("gravity=[{}, 0, {}]", 9.81 * sin, -9.81 * cos);
    let mut sim = simulate(&scene(SLOPE, &[gravity, format!("body.block.rigid={rigid}")])?)?;
    let report = sim.settle(&SettleParams::default()).map_err(|e| e.to_string())?;
    let name = if rigid { "rigid" } else { "soft" };
    let settled = centre(&sim, "block")?;
    let weight = settled.mass * 9.81;
    let reason = "required: forces balance to 1e-8 of the loads";
    checks.within(
        format!("force of a slope of 20° on a {name} block [N]"),
        report.ground_force.length(),
        weight,
        1e-6,
        reason,
    );
    run_until(&mut sim, 0.2)?;
    let crept = (centre(&sim, "block")?.position - settled.position).length();
    checks.at_most(format!("motion of the {name} block after that [m]"), crept, 1e-8, "no transient");
    Ok(())
}
