//! Time profiles: a factor that scales a load or a prescribed motion as time goes on.

use glamx::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Where a driven body is at a time, against the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keyframe {
    /// When [s].
    pub time: f64,
    /// Displacement [m].
    pub shift: DVec3,
    /// Rotation vector [rad] about the centre of the motion.
    pub turn: DVec3,
}

/// A dimensionless factor as a function of time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Profile {
    /// Always one.
    #[default]
    Constant,
    /// Zero until `start` [s], one from `end` [s] on, smooth (C²) in between: `6u⁵ − 15u⁴ + 10u³`.
    Ramp {
        /// When it begins to rise [s].
        start: f64,
        /// When it has reached one [s].
        end: f64,
    },
    /// One between `start` and `end` [s], zero otherwise.
    Pulse {
        /// Switched on at [s].
        start: f64,
        /// Switched off at [s].
        end: f64,
    },
    /// `sin(2π frequency t + phase)`.
    Sine {
        /// Frequency [Hz].
        frequency: f64,
        /// Phase [rad].
        phase: f64,
    },
    /// Straight lines through `(time [s], factor)`, constant outside. Times ascend.
    Table(Vec<(f64, f64)>),
    /// Keyframes of a prescribed motion, instead of its displacement and rotation. Times ascend.
    Keyframes(Vec<Keyframe>),
}

impl Profile {
    /// The factor at time `t` [s].
    pub fn value(&self, t: f64) -> f64 {
        match self {
            Self::Constant | Self::Keyframes(_) => 1.0,
            Self::Ramp { start, end } => {
                let u = ramp_parameter(t, *start, *end);
                u * u * u * (10.0 + u * (6.0 * u - 15.0))
            }
            Self::Pulse { start, end } => f64::from(t >= *start && t < *end),
            Self::Sine { frequency, phase } => (std::f64::consts::TAU * frequency * t + phase).sin(),
            Self::Table(points) => table(points, t).0,
        }
    }

    /// The rate of the factor at time `t` [1/s]; zero at the jumps of a pulse.
    pub fn rate(&self, t: f64) -> f64 {
        match self {
            Self::Constant | Self::Pulse { .. } | Self::Keyframes(_) => 0.0,
            Self::Ramp { start, end } => {
                let u = ramp_parameter(t, *start, *end);
                if end > start { 30.0 * u * u * (1.0 - u) * (1.0 - u) / (end - start) } else { 0.0 }
            }
            Self::Sine { frequency, phase } => {
                let w = std::f64::consts::TAU * frequency;
                w * (w * t + phase).cos()
            }
            Self::Table(points) => table(points, t).1,
        }
    }
}

/// The share `6u⁵ − 15u⁴ + 10u³` of the way from one keyframe to the next at time `t`, its rate [1/s], and the two: the body
/// comes to rest at each, smoothly (C²). Before the first and after the last it rests.
pub fn between(keys: &[Keyframe], t: f64) -> Option<(f64, f64, [&Keyframe; 2])> {
    let next = keys.partition_point(|k| k.time <= t);
    let (a, b) = (keys.get(next.saturating_sub(1))?, keys.get(next).or(keys.last())?);
    let ramp = Profile::Ramp { start: a.time, end: b.time };
    if b.time > a.time && t >= a.time { Some((ramp.value(t), ramp.rate(t), [a, b])) } else { Some((0.0, 0.0, [a, a])) }
}

/// True if what keyframes drive is where it is built when a run begins, up to whole turns.
pub fn begin_in_place(keys: &[Keyframe]) -> bool {
    let in_place = |k: &Keyframe| k.shift == DVec3::ZERO && DQuat::from_scaled_axis(k.turn).xyz().length() <= 1e-9;
    between(keys, 0.0).is_none_or(|(s, _, [a, b])| in_place(a) && (s == 0.0 || (a.shift, a.turn) == (b.shift, b.turn)))
}

fn ramp_parameter(t: f64, start: f64, end: f64) -> f64 {
    if end > start { ((t - start) / (end - start)).clamp(0.0, 1.0) } else { f64::from(t >= start) }
}

/// Value and slope of the straight lines through `points` at `t`.
fn table(points: &[(f64, f64)], t: f64) -> (f64, f64) {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return (1.0, 0.0) };
    if t >= last.0 {
        return (last.1, 0.0);
    }
    // Before the first point, and where `t` is no number, there is none before.
    let i = points.partition_point(|p| p.0 <= t);
    let Some(((t0, a), (t1, b))) = i.checked_sub(1).map(|before| (points[before], points[i])) else {
        return (first.1, 0.0);
    };
    let slope = (b - a) / (t1 - t0);
    (a + slope * (t - t0), slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_the_derivative_of_the_value() {
        let profiles = [
            Profile::Ramp { start: 0.2, end: 1.7 },
            Profile::Sine { frequency: 1.3, phase: 0.4 },
            Profile::Table(vec![(0.0, 1.0), (0.5, -2.0), (2.0, 4.0)]),
        ];
        for p in &profiles {
            for t in [0.3, 0.77, 1.1, 1.63, 3.0] {
                let d = 1e-6;
                let fd = (p.value(t + d) - p.value(t - d)) / (2.0 * d);
                assert!((fd - p.rate(t)).abs() < 1e-6, "{p:?} at {t}: {fd} against {}", p.rate(t));
            }
        }
    }

    #[test]
    fn a_table_is_constant_outside_its_points_and_a_ramp_without_length_is_a_step() {
        let p = Profile::Table(vec![(1.0, 5.0), (2.0, 7.0)]);
        assert_eq!((p.value(0.0), p.value(1.5), p.value(9.0)), (5.0, 6.0, 7.0));
        let step = Profile::Ramp { start: 1.0, end: 1.0 };
        assert_eq!((step.value(0.5), step.value(1.0), step.rate(1.0)), (0.0, 1.0, 0.0));
    }
}
