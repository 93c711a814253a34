//! An exact ball under the law of constraints: it slides and comes to roll, and it bounces.
//!
//! Friction `μ m g` brakes and spins it until its lowest point stands still. The angular momentum about the line of contact
//! stays, so it rolls from `t = 2|u₀|/(7 μ g)` on with `v = v₀ − 2/7 u₀`, `u₀ = v₀ + ω₀ × r` the slip at the start, whose
//! direction never changes. [Cor35] A ball that falls from H strikes after `√(2H/g)` and flies `2 v eᵏ/g` after each blow.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{rigid, run_until, scene, simulate, step};
use kreisel::DVec3;

/// Sliding and rolling.
pub const ROLLS: Case = Case {
    name: "exact-ball",
    about: "an exact ball slides and comes to roll",
    reference: "Coriolis [Cor35]: v = v₀ − 2/7 u₀ from t = 2|u₀|/(7 μ g) on, u₀ the slip at the start.",
    run,
};
/// Bouncing.
pub const BOUNCES: Case = Case {
    name: "exact-bounce",
    about: "an exact ball bounces to rest",
    reference: "Closed form: apexes H e²ᵏ, at rest after √(2H/g) (1 + e)/(1 − e).",
    run: bounce,
};

/// Restitution at any step.
pub const STEPS: Case = Case {
    name: "bounce-steps",
    about: "restitution is met at any time step",
    reference: "Closed form: apex e² H, next blow after √(2H/g) (1 + 2e).",
    run: any_step,
};

const BALL: &str = include_str!("../../../../../scenes/validation/exact-ball.toml");
const RADIUS: f64 = 0.05;
const SPEED: f64 = 2.0;
const FRICTION: f64 = 0.2;
const G: f64 = 9.81;

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    for integrator in settings.pick(vec!["symplectic-euler"], vec!["symplectic-euler", "verlet", "extrapolated"]) {
        for (label, spin) in [("no spin", DVec3::ZERO), ("spin", DVec3::new(30.0, -20.0, 10.0))] {
            rolls(integrator, label, spin, checks)?;
        }
    }
    Ok(())
}

fn rolls(integrator: &str, label: &str, spin: DVec3, checks: &mut Checks) -> Result<(), String> {
    let words =
        [format!("integrator=\"{integrator}\""), format!("body.ball.spin=[{:?}, {:?}, {:?}]", spin.x, spin.y, spin.z)];
    let mut sim = simulate(&scene(BALL, &words)?)?;
    let start = DVec3::X * SPEED;
    let arm = -RADIUS * DVec3::Z;
    let slip = |v: DVec3, w: DVec3| v + w.cross(arm);
    let first = slip(start, spin).with_z(0.0);
    let (mut slides_until, mut bend): (f64, f64) = (0.0, 0.0);
    while sim.time() < 0.6 {
        step(&mut sim)?;
        let ball = rigid(&sim, "ball")?;
        let u = slip(ball.velocity, ball.spin());
        if u.length() > 1e-6 {
            slides_until = sim.time();
            bend = bend.max(u.cross(first).length() / (u.length() * first.length()));
        }
    }
    let ball = rigid(&sim, "ball")?;
    let expected = start - 2.0 / 7.0 * first;
    let reason = "exact: the angular momentum about the contact stays whatever the steps";
    let off = (ball.velocity - expected).length() / expected.length();
    checks.at_most(format!("{integrator}, {label}: velocity off 5/7 (v₀ + ⅖ R ω × e_z) [1]"), off, 1e-9, reason);
    let due = 2.0 * first.length() / (7.0 * FRICTION * G);
    checks.near(format!("{integrator}, {label}: rolls from [s]"), slides_until, due, 1e-3, "within a step of 1 ms");
    checks.at_most(format!("{integrator}, {label}: slip turns [1]"), bend, 1e-6, "its direction is constant");
    Ok(())
}

fn bounce(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let (height, e) = (1.0, 0.8_f64);
    let speed = f64::sqrt(2.0 * G * height);
    for (integrator, bar, reason) in
        [("symplectic-euler", 1e-6, "blows are met when they strike"), ("verlet", 1e-6, "landings are found in time")]
    {
        let words = [
            format!("integrator=\"{integrator}\""),
            "restitution=0.8".into(),
            "body.ball.velocity=[0, 0, 0]".into(),
            format!("body.ball.at=[0, 0, {:?}]", RADIUS + height),
        ];
        let mut sim = simulate(&scene(BALL, &words)?)?;
        let mut apexes: Vec<f64> = vec![0.0];
        while sim.time() < 2.5 {
            step(&mut sim)?;
            let ball = rigid(&sim, "ball")?;
            let top = ball.position.z - RADIUS + ball.velocity.z * ball.velocity.z / (2.0 * G);
            if let Some(last) = apexes.last_mut().filter(|last| (**last - top).abs() < 0.05 * top) {
                *last = top;
            } else {
                apexes.push(top);
            }
        }
        for k in 1..=3 {
            let apex = apexes.get(k + 1).copied().unwrap_or(f64::NAN);
            checks.within(format!("{integrator}: apex {k} [m]"), apex, height * e.powi(2 * k as i32), bar, reason);
        }
        if integrator == "verlet" || !settings.quick {
            let rest = speed / G * (1.0 + e) / (1.0 - e);
            run_until(&mut sim, rest + 0.2)?;
            let ball = rigid(&sim, "ball")?;
            let left = ball.velocity.length().max((ball.position.z - RADIUS).abs());
            checks.at_most(
                format!("{integrator}: speed and height left at {:.2} s", rest + 0.2),
                left,
                1e-6,
                "at rest",
            );
        }
    }
    Ok(())
}

/// The first apex and the next blow of a ball that falls from a metre, in steps of many sizes.
fn any_step(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let reason = "exact: the blow is met when it strikes, flights are parabolas";
    for law in settings.pick(vec!["newton"], vec!["newton", "poisson"]) {
        for e in settings.pick(vec![0.2, 1.0], vec![0.1, 0.2, 0.5, 0.8, 1.0]) {
            for (label, h) in [("1/30", 1.0 / 30.0), ("1/60", 1.0 / 60.0), ("1/240", 1.0 / 240.0), ("1e-3", 1e-3)] {
                let (apex, next) = first_bounce(law, e, h)?;
                let fall = (2.0 / G).sqrt();
                checks.near(format!("{law}, e = {e}, h = {label} s: apex [m]"), apex, e * e, 1e-9, reason);
                let due = fall * (1.0 + 2.0 * e);
                checks.near(format!("{law}, e = {e}, h = {label} s: next blow [s]"), next, due, 1e-9, reason);
            }
        }
    }
    Ok(())
}

/// How high a ball rises that falls from a metre, and when it strikes again.
fn first_bounce(law: &str, e: f64, h: f64) -> Result<(f64, f64), String> {
    let words = [
        format!("step={h:?}"),
        format!("frame={h:?}"),
        format!("restitution={e:?}"),
        format!("constraint.restitution_law=\"{law}\""),
        "body.ball.velocity=[0, 0, 0]".into(),
        format!("body.ball.at=[0, 0, {:?}]", RADIUS + 1.0),
    ];
    let mut sim = simulate(&scene(BALL, &words)?)?;
    while sim.time() < 1.0 {
        step(&mut sim)?;
        let ball = rigid(&sim, "ball")?;
        let (z, v) = (ball.position.z - RADIUS, ball.velocity.z);
        if v > 0.0 {
            return Ok((z + v * v / (2.0 * G), sim.time() + (v + (v * v + 2.0 * G * z).sqrt()) / G));
        }
    }
    Err("the ball does not bounce".into())
}
