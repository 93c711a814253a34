//! A rattleback of golden section, spun the wrong way, wobbles, stops and turns back; nothing slides, nothing is lost.
//!
//! The body's third spin first vanishes at 34.35 s; the spin about the vertical, smoothed over 1 s, crosses zero at 34.70 s
//! (by an independent integration of rolling). Spun the other way it goes on turning.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{Crossings, energy, rigid, scene, simulate, step};
use kreisel::DVec3;
use std::collections::VecDeque;

/// The case.
pub const CASE: Case = Case {
    name: "rattleback",
    about: "a rattleback turns back at the right time",
    reference: "An independent integration of pure rolling.",
    run,
};

const STONE: &str = include_str!("../../../../../scenes/rattleback.toml");
const G: f64 = 9.81;

/// What a run shows.
struct Course {
    /// First zero of the body's third spin [s].
    body: f64,
    /// First zero of the spin about the vertical, smoothed over 1 s [s].
    vertical: f64,
    /// Share of the energy of motion at the start that is gone.
    loss: f64,
    /// Spin about the vertical at the end [rad/s].
    last: f64,
}

fn course(overrides: &[String], end: f64) -> Result<Course, String> {
    let mut sim = simulate(&scene(STONE, overrides)?)?;
    let stone = rigid(&sim, "stone")?;
    let (axis, before) = (stone.orientation.inverse() * DVec3::Z, energy(stone, G));
    let (mut body, mut vertical) = (Crossings::default(), Crossings::default());
    let (mut window, mut sum): (VecDeque<f64>, f64) = (VecDeque::new(), 0.0);
    let width = (1.0 / sim.model().frame).round() as usize;
    while sim.time() < end {
        let stone = rigid(&sim, "stone")?;
        body.sample(sim.time(), stone.spin().dot(stone.orientation * axis));
        window.push_back(stone.spin().z);
        sum += stone.spin().z;
        if window.len() > width {
            sum -= window.pop_front().unwrap_or_default();
            vertical.sample(sim.time() - 0.5, sum);
        }
        step(&mut sim)?;
    }
    let stone = rigid(&sim, "stone")?;
    let first = |c: &Crossings| c.times.first().copied().unwrap_or(f64::NAN);
    let loss = 1.0 - energy(stone, G) / before;
    Ok(Course { body: first(&body), vertical: first(&vertical), loss, last: stone.spin().z })
}

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    if settings.quick {
        let found = course(&["frame=\"10 ms\"".into()], 4.0)?;
        checks.near("h = 1 ms: energy lost in 4 s [1]", found.loss, 0.0, 1e-3, "nothing slides");
        return Ok(());
    }
    for integrator in ["verlet", "extrapolated"] {
        let words = [format!("integrator=\"{integrator}\""), "frame=\"10 ms\"".into()];
        let found = course(&words, 36.0)?;
        let reason = "required: 1 % at h = 1 ms; errors grow where it turns back";
        checks.within(format!("{integrator}: body's third spin vanishes at [s]"), found.body, 34.35, 0.01, reason);
        checks.within(format!("{integrator}: smoothed spin crosses zero at [s]"), found.vertical, 34.70, 0.01, reason);
        checks.near(
            format!("{integrator}: energy lost in 36 s [1]"),
            found.loss,
            0.0,
            0.01,
            "required: 1 %; nothing slides",
        );
    }
    let words = ["body.stone.spin=[0.01, -0.02, 2]".into(), "frame=\"10 ms\"".into()];
    let found = course(&words, 36.0)?;
    checks.near("spun the other way: spin at 36 s [rad/s]", found.last, 2.0, 0.3, "it goes on turning");
    Ok(())
}
