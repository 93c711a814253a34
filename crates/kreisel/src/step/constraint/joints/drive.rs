//! Motors, dry friction and stops as rows with bounds.

use crate::contact::constraint::joint::{Direction, RowLaw};
use crate::model::{Command, Joint, JointState};

/// Motor, friction, lower and upper stop of a joint at the coordinate `x` over a step of size `h`, whose end is the time `ahead`
/// away; `unit` metres of a row are one unit of the coordinate. Always four rows, in this order; those that do nothing are
/// bounded by zero.
pub fn rows(
    joint: &Joint,
    state: &JointState,
    direction: Direction,
    x: f64,
    unit: f64,
    (h, ahead): (f64, f64),
) -> [(Direction, RowLaw); 4] {
    let bound = |force: f64| force * h / unit;
    let within = |bias: f64, most: f64| RowLaw { bias, softness: 0.0, low: -bound(most), high: bound(most) };
    let motor = motor(&state.command, x, unit, h);
    let (low, high) = joint.limits;
    // A gap that is open closes at most by what it is; one that is overrun is put right by position only.
    let lower = RowLaw { bias: (x - low).max(0.0) * unit / ahead, softness: 0.0, low: 0.0, high: f64::INFINITY };
    let upper = RowLaw { bias: (x - high).min(0.0) * unit / ahead, softness: 0.0, low: f64::NEG_INFINITY, high: 0.0 };
    let none = within(0.0, 0.0);
    let stop = |law: RowLaw| if law.bias.is_finite() { law } else { none };
    [motor, within(0.0, joint.friction), stop(lower), stop(upper)].map(|law| (direction, law))
}

/// A stop that bounces, in steps that do not look for the moment of the blow. If it is struck before the end of the step by the velocity `u⁻` before it, `φ/h + u⁻ < 0`, it asks for
/// `u ≥ −e u⁻`, where it is: for `e = 1` the way back is that of before, and energy is kept at any step; the blow comes early by
/// less than a step. What the step accelerates into the stop beyond that arrives with more than `u⁻`, and bounces in the
/// next one. Blows that are no faster than `slow`, a few times what the loads on the stop give in a step, end in it: their
/// flights would end within the step, too.
pub fn rebound(law: RowLaw, before: f64, restitution: f64, slow: f64) -> RowLaw {
    let towards = if law.high == 0.0 { before } else { -before };
    let strikes = towards > slow && towards > law.bias.abs();
    if strikes { RowLaw { bias: restitution * before, ..law } } else { law }
}

/// A stop, by its number, that is left at no less than a speed [m/s].
pub fn left_at(stop: usize, speed: f64) -> RowLaw {
    match stop {
        0 => RowLaw { bias: -speed, softness: 0.0, low: 0.0, high: f64::INFINITY },
        _ => RowLaw { bias: speed, softness: 0.0, low: f64::NEG_INFINITY, high: 0.0 },
    }
}

/// The motor. A damped spring at the end of the step, `τ = −k (x + h ẋ − target) − d ẋ`, is the row `u + b + γ p = 0` with
/// `b = ℓ k (x − target)/(h k + d)` and `γ = ℓ²/(h (h k + d))`, `u = ℓ ẋ`, `p = h τ/ℓ`: stable at any stiffness.
fn motor(command: &Command, x: f64, unit: f64, h: f64) -> RowLaw {
    match *command {
        Command::Free => RowLaw { bias: 0.0, softness: 0.0, low: 0.0, high: 0.0 },
        Command::Position { target, stiffness, damping, most } => {
            let answer = h * stiffness + damping;
            let bias = unit * stiffness * (x - target) / answer;
            let most = most * h / unit;
            RowLaw { bias, softness: unit * unit / (h * answer), low: -most, high: most }
        }
        Command::Speed { speed, most } => {
            let most = most * h / unit;
            RowLaw { bias: -unit * speed, softness: 0.0, low: -most, high: most }
        }
        Command::Force { force } => {
            let p = force * h / unit;
            RowLaw { bias: 0.0, softness: 0.0, low: p, high: p }
        }
    }
}

/// The same laws for a problem on the average of the velocities before and after: `u⁺ = 2ū − u⁻`.
pub fn on_average(law: RowLaw, before: f64) -> RowLaw {
    RowLaw { bias: 0.5 * (law.bias - before), softness: 0.5 * law.softness, ..law }
}
