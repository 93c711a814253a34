//! A ball that slides comes to roll: a lone element is a ball with a spin of its own.
//!
//! Friction `μ m g` at the contact brakes it and spins it up until `v = ω R`; with `I = ⅖ m R²` that is at
//! `t = 2 v₀/(7 μ g)` with `v = 5/7 v₀`, whatever the friction law, because the angular momentum about the line of contact
//! stays. [Cor35]

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{centre, scene, simulate, step};

/// The case.
pub const CASE: Case = Case {
    name: "rolling-ball",
    about: "a sliding ball comes to roll",
    reference: "Coriolis [Cor35]: rolls with 5/7 v₀ from t = 2 v₀/(7 μ g) on.",
    run,
};

const BALL: &str = include_str!("../../../../../scenes/validation/rolling-ball.toml");
const RADIUS: f64 = 0.05;
const SPEED: f64 = 2.0;
const FRICTION: f64 = 0.2;

fn run(_: &Settings, checks: &mut Checks) -> Result<(), String> {
    let mut sim = simulate(&scene(BALL, &[])?)?;
    let mut rolls_from = None;
    while sim.time() < 0.6 {
        step(&mut sim)?;
        let slip = centre(&sim, "ball")?.velocity.x - RADIUS * sim.state().aggregates[0].spin().y;
        if rolls_from.is_none() && slip < 0.005 * SPEED {
            rolls_from = Some(sim.time());
        }
    }
    let reason = "the ball sinks into the ground by some micrometres and its radius of rolling is smaller by that";
    checks.within("speed when rolling [m/s]", centre(&sim, "ball")?.velocity.x, 5.0 / 7.0 * SPEED, 1e-3, reason);
    let reference = 2.0 * SPEED / (7.0 * FRICTION * 9.81);
    let reason = "seen when the slip is below 0.5 % of the speed, in frames of 1 ms";
    checks.within("rolls from [s]", rolls_from.unwrap_or(f64::NAN), reference, 0.01, reason);
    Ok(())
}
