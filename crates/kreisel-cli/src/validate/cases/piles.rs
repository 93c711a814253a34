//! Piles at rest: a column, a pyramid, a pit of balls. Nothing has a stiffness, so nothing sinks.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{run_until, scene, simulate};
use kreisel::Simulation;

/// A column of boxes.
pub const COLUMN: Case = Case {
    name: "column",
    about: "twenty boxes in a column neither sink nor drift",
    reference: "Statics: rigid boxes at rest neither sink nor drift.",
    run: column,
};
/// A pyramid of boxes.
pub const PYRAMID: Case = Case {
    name: "pyramid",
    about: "a pyramid of 210 boxes does not sink",
    reference: "Statics: rigid boxes at rest do not sink.",
    run: pyramid,
};
/// A pit of balls.
pub const PIT: Case = Case {
    name: "ball-pit",
    about: "2,000 balls overlap by next to nothing",
    reference: "Geometry: rigid balls do not overlap.",
    run: pit,
};

const COLUMN_SCENE: &str = include_str!("../../../../../scenes/column.toml");
const PYRAMID_SCENE: &str = include_str!("../../../../../scenes/pyramid.toml");
const PIT_SCENE: &str = include_str!("../../../../../scenes/ball-pit.toml");

/// Greatest sink and greatest drift of all bodies until a time [m].
fn settle(text: &str, end: f64) -> Result<(f64, f64), String> {
    let mut sim = simulate(&scene(text, &[])?)?;
    let start: Vec<_> = sim.state().aggregates.iter().map(|a| a.position).collect();
    run_until(&mut sim, end)?;
    let ways = sim.state().aggregates.iter().zip(&start).map(|(a, s)| a.position - s);
    Ok(ways.fold((0.0, 0.0), |(sink, drift): (f64, f64), way| (sink.max(-way.z), drift.max(way.x.hypot(way.y)))))
}

fn column(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let end = settings.pick(3.0, 10.0);
    let (sink, drift) = settle(COLUMN_SCENE, end)?;
    let reason = "required: 1 mm at h = 1/60 s";
    checks.at_most(format!("greatest sink in {end} s [m]"), sink, 1e-3, reason);
    checks.at_most(format!("greatest drift in {end} s [m]"), drift, 1e-3, reason);
    Ok(())
}

fn pyramid(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let end = settings.pick(0.5, 5.0);
    let (sink, drift) = settle(PYRAMID_SCENE, end)?;
    let reason = "required: 1 mm at h = 1/60 s";
    checks.at_most(format!("greatest sink in {end} s [m]"), sink, 1e-3, reason);
    checks.at_most(format!("greatest drift in {end} s [m]"), drift, 1e-3, reason);
    Ok(())
}

fn pit(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    if settings.quick {
        return Ok(());
    }
    let mut sim = simulate(&scene(PIT_SCENE, &[])?)?;
    let mut deepest: f64 = 0.0;
    for k in 1..=100 {
        run_until(&mut sim, 0.1 * f64::from(k))?;
        deepest = deepest.max(overlap(&sim));
    }
    checks.at_most("greatest overlap over a diameter, ten times a second [1]", deepest / 0.2, 0.01, "required: 1 %");
    let outside = sim.state().aggregates.iter().filter(|a| a.position.abs().max_element() > 6.0 || a.position.z < 0.0);
    checks.at_most("balls that escaped", outside.count() as f64, 0.0, "walls hold");
    Ok(())
}

/// Greatest overlap of two balls, or of a ball with the walls or the ground [m].
fn overlap(sim: &Simulation) -> f64 {
    let mut balls: Vec<_> = sim.state().aggregates.iter().map(|a| a.position).collect();
    balls.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut deepest: f64 = 0.0;
    for (k, a) in balls.iter().enumerate() {
        let walls = (a.x.abs().max(a.y.abs()) - 1.4).max(0.1 - a.z);
        let others = balls[k + 1..].iter().take_while(|b| b.x - a.x < 0.2).map(|b| 0.2 - a.distance(*b));
        deepest = others.fold(deepest.max(walls), f64::max);
    }
    deepest
}
