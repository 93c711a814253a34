//! Seats of joints: what carries the points that a joint holds together, and how it holds them there.

use crate::model::joint::{JointKind, Side};
use crate::model::mapping::point_velocity;
use crate::model::{FREE, State};
use glamx::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Points of free elements may be this far apart, as a share of the radius, to be one.
pub const SAME: f64 = 1e-6;
/// A second element must lie within this angle of the axis of a hinge [cosine].
const ALONG: f64 = 0.94;
/// A third element must lie off the line of the first two by this share of its distance [1].
const ASIDE: f64 = 0.3;

/// Two points that are held together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// How: as the joint holds, or as a part of it where several seats do so together.
    pub kind: JointKind,
    /// The two sides.
    pub sides: [Side; 2],
    /// Length that a distance keeps [m].
    pub length: f64,
}

impl Seat {
    /// The rigid bodies of both sides, `None` being the world; nothing if a side is on a free element.
    pub fn bodies(&self, state: &State) -> Option<[Option<u32>; 2]> {
        let bodies = self.sides.map(|side| side.element.map(|e| state.owner[e as usize]));
        (!bodies.contains(&Some(FREE))).then_some(bodies)
    }
}

impl Side {
    /// The side of an element, or of the world, that is at a point and has axes in the world. Free elements carry at their own
    /// place.
    pub fn on(element: Option<u32>, point: DVec3, axes: DQuat, state: &State) -> Self {
        let body = element.and_then(|e| state.aggregates.get(state.owner[e as usize] as usize));
        match (element, body) {
            (None, _) => Self { element, at: point, frame: axes, rigid: false },
            (Some(_), None) => Self { element, at: DVec3::ZERO, frame: axes, rigid: false },
            (Some(_), Some(a)) => {
                let back = a.orientation.inverse();
                Self { element, at: back * (point - a.position), frame: (back * axes).normalize(), rigid: true }
            }
        }
    }

    /// Where it is, and its axes, in the world.
    pub fn place(&self, state: &State) -> (DVec3, DQuat) {
        let Some(e) = self.element else { return (self.at, self.frame) };
        match state.aggregates.get(state.owner[e as usize] as usize) {
            Some(a) => (a.position + a.orientation * self.at, (a.orientation * self.frame).normalize()),
            None => (state.position.get(e as usize) + self.at, self.frame),
        }
    }

    /// Velocity of the point there [m/s], and the spin of what carries it [rad/s]; supports are taken to stand.
    pub fn motion(&self, state: &State) -> (DVec3, DVec3) {
        let Some(e) = self.element else { return (DVec3::ZERO, DVec3::ZERO) };
        match state.aggregates.get(state.owner[e as usize] as usize) {
            Some(a) => (point_velocity(a.velocity, a.spin(), a.orientation * self.at), a.spin()),
            None => (state.velocity.get(e as usize), DVec3::ZERO),
        }
    }

    /// True if a free element carries it.
    pub fn is_free(&self, state: &State) -> bool {
        self.element.is_some_and(|e| state.owner[e as usize] == FREE)
    }

    /// True if it was on a rigid body that does not carry its element any more: nothing holds it.
    pub fn is_torn_off(&self, state: &State) -> bool {
        self.rigid && self.is_free(state)
    }
}

/// Free elements that carry what holds as a kind of joint: one for a ball, two along the axis of a hinge, three around what is
/// fixed. The first is given, the others are among the `own` ones.
pub fn carrying(kind: JointKind, first: u32, axis: DVec3, own: &[u32], state: &State) -> Option<Vec<u32>> {
    let from = |e: u32| state.position.get(e as usize) - state.position.get(first as usize);
    let mut others: Vec<u32> =
        own.iter().copied().filter(|&e| state.owner[e as usize] == FREE && from(e) != DVec3::ZERO).collect();
    match kind {
        JointKind::Hinge => {
            let along = |e: u32| from(e).normalize().dot(axis).abs();
            let straight = others.iter().map(|&e| along(e)).fold(0.0, f64::max);
            others.retain(|&e| along(e) >= ALONG && along(e) >= straight - 1e-9);
            let far = others.into_iter().max_by(|&a, &b| from(a).length().total_cmp(&from(b).length()))?;
            Some(vec![first, far])
        }
        JointKind::Fixed => {
            others.sort_by(|&a, &b| from(a).length_squared().total_cmp(&from(b).length_squared()));
            let second = *others.first()?;
            let n = from(second).normalize();
            let third = others.into_iter().find(|&e| n.cross(from(e)).length() > ASIDE * from(e).length())?;
            Some(vec![first, second, third])
        }
        _ => Some(vec![first]),
    }
}
