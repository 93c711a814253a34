//! A block on a slope of angle α with friction μ.
//!
//! It stays if `tan α ≤ μ` and slides with `a = g (sin α − μ cos α)` otherwise. The contact's tangential spring has a memory:
//! a block that stays comes to rest in it and does not creep. The slope is made by tilting gravity, so that the block starts
//! unloaded on the plane.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{centre, run_until, scene, simulate};
use kreisel::model::Setup;

/// The case.
pub const CASE: Case = Case {
    name: "incline",
    about: "soft and rigid blocks stay and slide on a slope as they must",
    reference: "Coulomb: stays if tan α ≤ μ, else a = g (sin α − μ cos α).",
    run,
};

const SLOPE: &str = include_str!("../../../../../scenes/validation/incline.toml");
const G: f64 = 9.81;
const FRICTION: f64 = 0.5;

/// The scene at an angle [degrees].
fn tilted(rigid: bool, degrees: f64) -> Result<Setup, String> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let gravity = format!("gravity=[{}, 0, {}]", G * sin, -G * cos);
    scene(SLOPE, &[gravity, format!("body.block.rigid={rigid}")])
}

/// How far the centre of mass moves in 10 s once the block has settled [m].
fn creep(rigid: bool, degrees: f64) -> Result<f64, String> {
    let mut sim = simulate(&tilted(rigid, degrees)?)?;
    run_until(&mut sim, 3.0)?;
    let settled = centre(&sim, "block")?.position;
    run_until(&mut sim, 13.0)?;
    Ok((centre(&sim, "block")?.position - settled).length())
}

/// Mean acceleration down the slope once sliding has become steady [m/s²].
fn acceleration(rigid: bool, degrees: f64) -> Result<f64, String> {
    let mut sim = simulate(&tilted(rigid, degrees)?)?;
    run_until(&mut sim, 0.5)?;
    let early = centre(&sim, "block")?.velocity.x;
    run_until(&mut sim, 1.5)?;
    Ok(centre(&sim, "block")?.velocity.x - early)
}

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    for (name, rigid) in [("soft", false), ("rigid", true)] {
        for degrees in settings.pick(vec![20.0], vec![10.0, 20.0, 25.0]) {
            let reason = "required: 1e-6 m in 10 s; the angle of friction is 26.57°";
            checks.at_most(
                format!("creep in 10 s of a {name} block at {degrees}° [m]"),
                creep(rigid, degrees)?,
                1e-6,
                reason,
            );
        }
        for degrees in settings.pick(vec![35.0], vec![29.0, 35.0, 45.0]) {
            let (sin, cos) = f64::to_radians(degrees).sin_cos();
            let reference = G * (sin - FRICTION * cos);
            let label = format!("acceleration of a {name} block at {degrees}° [m/s²]");
            checks.within(
                label,
                acceleration(rigid, degrees)?,
                reference,
                0.02,
                "required: 2 %; the block vibrates as it slides",
            );
        }
    }
    Ok(())
}
