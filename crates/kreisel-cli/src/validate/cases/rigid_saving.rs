//! What rigid periods save: a block in flight, rigid by itself or soft throughout.
//!
//! A rigid body in flight needs neither springs nor the small steps of their vibrations. The scene `rigid-flight` up to just
//! before its first impact, in steps and in processor time, over the same with a soft block.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{run_until, scene, simulate};
use kreisel_record::cpu_seconds;

/// The case.
pub const CASE: Case = Case {
    name: "rigid-saving",
    about: "to fly rigid is cheaper than to fly soft",
    reference: "None: the saving itself is the figure.",
    run,
};

/// Steps and processor time [s] of the flight, repeated.
fn fly(rigid: &str, repetitions: u32) -> Result<(f64, f64), String> {
    let text = kreisel_scene::find("rigid-flight").map_err(|e| e.to_string())?.text;
    let setup = scene(text, &[format!("body.block.rigid={rigid}"), "body.block.cells=8".into()])?;
    let (mut steps, mut spent) = (0.0, 0.0);
    for _ in 0..repetitions {
        let mut sim = simulate(&setup)?;
        let begin = cpu_seconds();
        run_until(&mut sim, 0.35)?;
        spent += cpu_seconds() - begin;
        steps = sim.state().steps as f64;
    }
    Ok((steps, spent))
}

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let repetitions = settings.pick(1, 3);
    let (rigid, soft) = (fly("\"automatic\"", repetitions)?, fly("false", repetitions)?);
    let reason = "a saving at all; the figure is the point";
    checks.at_most("steps of a flight, automatic / soft", rigid.0 / soft.0, 1.0, reason);
    checks.takes_at_most("processor time of a flight, automatic / soft", rigid.1 / soft.1, 1.0, reason);
    Ok(())
}
