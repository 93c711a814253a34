//! Prescribed motion of held elements: `x(t) = c + Rot(s θ) (X − c) + s u + t w` with the profile `s = s(t)`; or from one
//! keyframe to the next, `x(t) = c + Rot(s θ) R (X − c) + u + s Δu + t w`, with `θ` the rotation from `R` to the next.

use crate::linear::rotation::rotation_between;
use crate::model::Profile;
use crate::model::profile::{Keyframe, between};
use crate::model::setup::Motion;
use glamx::{DQuat, DVec3};

/// Turns whose axes differ by less than this angle are about one axis: whole turns from one to the next count [rad].
const ONE_AXIS: f64 = 1e-9;

/// Where the point `rest` [m] of the reference configuration is at time `t` [s].
pub fn position(motion: &Motion, rest: DVec3, t: f64) -> DVec3 {
    if let Profile::Keyframes(keys) = &motion.profile {
        let way = Way::new(keys, t);
        return motion.centre + way.turn * (rest - motion.centre) + way.shift + t * motion.velocity;
    }
    let s = motion.profile.value(t);
    motion.centre + arm(motion, rest, s) + s * motion.displacement + t * motion.velocity
}

/// How fast the point `rest` [m] moves at time `t` [s]: the axis is fixed, so
/// `dx/dt = ṡ θ × Rot(s θ) (X − c) + ṡ u + w` [m/s].
pub fn velocity(motion: &Motion, rest: DVec3, t: f64) -> DVec3 {
    if let Profile::Keyframes(keys) = &motion.profile {
        let way = Way::new(keys, t);
        return way.spin.cross(way.turn * (rest - motion.centre)) + way.speed + motion.velocity;
    }
    let (s, rate) = (motion.profile.value(t), motion.profile.rate(t));
    rate * (motion.rotation.cross(arm(motion, rest, s)) + motion.displacement) + motion.velocity
}

/// A moment on the way between keyframes.
struct Way {
    shift: DVec3,
    turn: DQuat,
    speed: DVec3,
    spin: DVec3,
}

impl Way {
    fn new(keys: &[Keyframe], t: f64) -> Self {
        let Some((s, rate, [a, b])) = between(keys, t) else {
            return Self { shift: DVec3::ZERO, turn: DQuat::IDENTITY, speed: DVec3::ZERO, spin: DVec3::ZERO };
        };
        let [from, to] = [a, b].map(|k| DQuat::from_scaled_axis(k.turn));
        let about_one_axis = a.turn.cross(b.turn).length() <= ONE_AXIS * a.turn.length() * b.turn.length();
        let angle = if about_one_axis { b.turn - a.turn } else { rotation_between(from, to) };
        let way = b.shift - a.shift;
        let turn = DQuat::from_scaled_axis(angle * s) * from;
        Self { shift: a.shift + way * s, turn, speed: way * rate, spin: angle * rate }
    }
}

fn arm(motion: &Motion, rest: DVec3, s: f64) -> DVec3 {
    DQuat::from_scaled_axis(s * motion.rotation) * (rest - motion.centre)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn twist() -> Motion {
        Motion {
            velocity: DVec3::new(0.1, 0.0, -0.2),
            displacement: DVec3::new(0.0, 0.5, 0.3),
            rotation: DVec3::new(1.0, -2.0, 0.5),
            centre: DVec3::new(0.2, 0.4, -1.0),
            profile: Profile::Sine { frequency: 0.7, phase: 0.3 },
        }
    }

    #[test]
    fn the_velocity_is_the_rate_of_the_position() {
        let (m, rest, d) = (twist(), DVec3::new(1.0, 0.8, -0.3), 1e-5);
        for t in [0.0, 0.3, 1.1, 2.7] {
            let rate = (position(&m, rest, t + d) - position(&m, rest, t - d)) / (2.0 * d);
            assert!((rate - velocity(&m, rest, t)).length() < 1e-6, "{rate} at {t}");
        }
    }

    #[test]
    fn keyframes_are_passed_at_their_times_and_their_velocity_is_the_rate_of_the_position() {
        let key = |time: f64, shift: DVec3, turn: DVec3| Keyframe { time, shift, turn };
        let keys = vec![
            key(0.5, DVec3::ZERO, DVec3::ZERO),
            key(1.0, DVec3::X, DVec3::Z * 1.2),
            key(3.0, DVec3::new(1.0, 2.0, 0.0), DVec3::new(0.4, 0.0, 1.0)),
        ];
        let m = Motion { velocity: DVec3::ZERO, profile: Profile::Keyframes(keys.clone()), ..twist() };
        let (rest, d) = (DVec3::new(1.0, 0.8, -0.3), 1e-5);
        for k in &keys {
            let expected = m.centre + DQuat::from_scaled_axis(k.turn) * (rest - m.centre) + k.shift;
            assert!((position(&m, rest, k.time) - expected).length() < 1e-12);
            assert!(velocity(&m, rest, k.time).length() < 1e-9, "it rests there");
        }
        for t in [0.0, 0.7, 0.9, 1.7, 2.6, 9.0] {
            let rate = (position(&m, rest, t + d) - position(&m, rest, t - d)) / (2.0 * d);
            assert!((rate - velocity(&m, rest, t)).length() < 1e-6, "{rate} at {t}");
        }
    }

    #[test]
    fn keyframes_about_one_axis_count_whole_turns_and_others_take_the_shortest_way() {
        let half_way = |from: DVec3, to: DVec3| {
            let key = |time: f64, turn: DVec3| Keyframe { time, shift: DVec3::ZERO, turn };
            let profile = Profile::Keyframes(vec![key(0.0, from), key(1.0, to)]);
            let m = Motion { velocity: DVec3::ZERO, centre: DVec3::ZERO, profile, ..twist() };
            position(&m, DVec3::X, 0.5)
        };
        assert!((half_way(DVec3::ZERO, DVec3::Z * TAU) + DVec3::X).length() < 1e-12);
        assert!((half_way(DVec3::Z * -TAU, DVec3::Z * TAU) - DVec3::X).length() < 1e-12);
        assert!(
            (half_way(DVec3::Z * 0.75 * TAU, DVec3::ZERO) - DQuat::from_rotation_z(0.375 * TAU) * DVec3::X).length()
                < 1e-12
        );
        // From -90 deg about z to 270 deg about nearly z: a small turn, not a whole one.
        let near = half_way(DVec3::Z * -0.25 * TAU, DVec3::new(0.01, 0.0, 0.75 * TAU));
        assert!((near + DVec3::Y).length() < 0.01, "{near}");
    }

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y_around_the_centre() {
        let quarter = Motion {
            velocity: DVec3::ZERO,
            displacement: DVec3::ZERO,
            rotation: DVec3::Z * std::f64::consts::FRAC_PI_2,
            centre: DVec3::new(5.0, 0.0, 0.0),
            profile: Profile::Ramp { start: 0.0, end: 1.0 },
        };
        let x = DVec3::new(6.0, 0.0, 2.0);
        assert_eq!(position(&quarter, x, 0.0), x);
        assert!((position(&quarter, x, 1.0) - DVec3::new(5.0, 1.0, 2.0)).length() < 1e-15);
    }

    #[test]
    fn the_held_points_keep_their_distances() {
        let m = twist();
        let (a, b) = (DVec3::new(1.0, 0.8, -0.3), DVec3::new(-0.4, 0.1, 0.9));
        for t in [0.2, 0.9, 4.0] {
            let d = position(&m, a, t).distance(position(&m, b, t));
            assert!((d - a.distance(b)).abs() < 1e-14);
        }
    }
}
