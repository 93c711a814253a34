//! A ball that rolls on a turntable goes round in circles, 2/7 as fast as the table, wherever it starts.
//!
//! No slip on a table with spin Ω: `v + ω × r = Ω × x`, `m v̇ = f`, `I ω̇ = r × f` with `I = ⅖ m R²` give `v̇ = 2/7 Ω × v`:
//! a circle of its own about a centre that is not the table's. [Bur81]

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{rigid, run_until, scene, simulate};
use kreisel::DVec3;

/// The case.
pub const CASE: Case = Case {
    name: "turntable",
    about: "a ball circles on a turntable",
    reference: "Burns [Bur81]: circles with 2/7 of the spin of the table.",
    run,
};

const TABLE: &str = include_str!("../../../../../scenes/validation/exact-turntable.toml");
const TURN: f64 = 3.5;

fn run(_: &Settings, checks: &mut Checks) -> Result<(), String> {
    // It rolls from the start: v + ω × r = Ω × x.
    let mut sim = simulate(&scene(TABLE, &[])?)?;
    run_until(&mut sim, 0.1)?;
    let start = rigid(&sim, "ball")?.clone();
    let rate = 2.0 / 7.0 * TURN;
    let centre = start.position + DVec3::Z.cross(start.velocity) / rate;
    for turn in [0.25, 0.5, 0.75] {
        let angle = std::f64::consts::TAU * turn;
        run_until(&mut sim, 0.1 + angle / rate)?;
        let ball = rigid(&sim, "ball")?;
        let (sin, cos) = (rate * (sim.time() - 0.1)).sin_cos();
        let arm = start.position - centre;
        let due = centre + DVec3::new(cos * arm.x - sin * arm.y, sin * arm.x + cos * arm.y, 0.0);
        let off = (ball.position - due).with_z(0.0).length() / arm.length();
        checks.at_most(format!("off its circle after {turn} of a turn [1]"), off, 0.01, "first order, h = 1 ms");
    }
    Ok(())
}
