//! A ball falls from a height and bounces with the restitution it was given.
//!
//! After a fall from `H` it arrives with `v = √(2gH)` and leaves with `e v`; from its energy in flight follows `e`. It
//! touches first at `t₁ = √(2H/g)` and again at `t₁ (1 + 2e)`. The contact's damper is chosen so that a spring and damper
//! that never pull give `e`.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{centre, scene, simulate};
use kreisel::model::EventKind;

/// The case.
pub const CASE: Case = Case {
    name: "ball-bounce",
    about: "a ball bounces with its coefficient, at the right times",
    reference: "Closed form: leaves with e √(2gH), touches at t₁ = √(2H/g) and t₁ (1 + 2e).",
    run,
};

const BALL: &str = include_str!("../../../../../scenes/validation/ball-bounce.toml");
const G: f64 = 9.81;
const HEIGHT: f64 = 1.0;
const RADIUS: f64 = 0.05;

/// The restitution reached and the times of the first two touches [s].
fn bounce(restitution: f64) -> Result<(f64, Vec<f64>), String> {
    let mut sim = simulate(&scene(BALL, &[format!("body.ball.restitution={restitution}")])?)?;
    let (mut touches, mut reached) = (Vec::new(), None);
    while sim.time() < 1.5 {
        let report = sim.step().map_err(|e| e.to_string())?;
        let touched = report.events.iter().filter(|e| matches!(e.kind, EventKind::Touch { .. }));
        touches.extend(touched.map(|e| e.time));
        let ball = centre(&sim, "ball")?;
        if reached.is_none() && ball.velocity.z > 0.0 && sim.state().contacts.is_empty() {
            let energy = 0.5 * ball.velocity.z.powi(2) + G * (ball.position.z - RADIUS);
            reached = Some((energy / (G * HEIGHT)).sqrt());
        }
    }
    Ok((reached.ok_or("the ball does not come back")?, touches))
}

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    for restitution in settings.pick(vec![0.8, 0.3], vec![1.0, 0.9, 0.8, 0.5, 0.3, 0.2]) {
        let (reached, _) = bounce(restitution)?;
        let reason = "required: 2 %; gravity and the finite step act during the contact";
        checks.within(format!("restitution, e = {restitution} wanted"), reached, restitution, 0.02, reason);
    }
    let (_, touches) = bounce(0.8)?;
    let first = (2.0 * HEIGHT / G).sqrt();
    for (k, reference) in [first, first * 2.6].into_iter().enumerate() {
        let time = touches.get(k).copied().unwrap_or(f64::NAN);
        checks.within(
            format!("time of touch {} [s]", k + 1),
            time,
            reference,
            0.01,
            "1 %: a contact lasts some milliseconds",
        );
    }
    Ok(())
}
