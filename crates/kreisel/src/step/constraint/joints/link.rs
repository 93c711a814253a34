//! Where a joint is, what it holds and by how much it is off.

use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::groups::{Group, groups};
use crate::contact::constraint::joint::Direction;
use crate::model::joint::{JointKind, Side};
use crate::model::seat::Seat;
use crate::model::{Joint, State};
use crate::step::constraint::space::ContactSpace;
use glamx::{DQuat, DVec3};

/// Where carriers are.
pub type Pose = (DVec3, DQuat);

/// Two carriers that a joint joins.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Number of the joint.
    pub joint: u32,
    /// Number of the seat in it.
    pub seat: u32,
    /// What is left free.
    pub kind: JointKind,
    /// The carriers.
    pub carriers: [u32; 2],
    at: [DVec3; 2],
    frame: [DQuat; 2],
    /// Length that a distance keeps [m]; `None`: it does not.
    pub length: Option<f64>,
    /// The length that turns are measured with [m].
    pub lever: f64,
}

/// A joint in place.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Its point on A [m].
    pub a: DVec3,
    /// Its point on B [m].
    pub b: DVec3,
    /// Its axes on A.
    frame_a: DQuat,
    /// Its axes on B.
    frame_b: DQuat,
}

impl Link {
    /// The link of a seat; `None` if nobody carries it, or one rigid body both sides.
    pub fn new(
        (joint, number): (usize, usize),
        seat: &Seat,
        model: &Joint,
        state: &State,
        space: &ContactSpace,
    ) -> Option<Self> {
        let (sides, carriers) = (&seat.sides, &space.carriers);
        let (a, b) = (carrier_of(&sides[0], state, space)?, carrier_of(&sides[1], state, space)?);
        if a == b {
            return None;
        }
        let slack = model.is_slack(&state.joints[joint].command);
        Some(Self {
            joint: joint as u32,
            seat: number as u32,
            kind: seat.kind,
            carriers: [a, b],
            at: [sides[0].at, sides[1].at],
            frame: [sides[0].frame, sides[1].frame],
            length: (!slack).then_some(seat.length),
            lever: lever(&carriers[a as usize], &carriers[b as usize]),
        })
    }

    /// Where it is.
    pub fn place(&self, poses: &[Pose]) -> Placed {
        let on = |k: usize| {
            let (x, q) = poses[self.carriers[k] as usize];
            (x + q * self.at[k], (q * self.frame[k]).normalize())
        };
        let ((a, frame_a), (b, frame_b)) = (on(0), on(1));
        Placed { a, b, frame_a, frame_b }
    }

    /// The point at which both sides feel it.
    pub fn point(&self, placed: &Placed) -> DVec3 {
        match self.kind {
            JointKind::Slider | JointKind::Distance => placed.a,
            _ => 0.5 * (placed.a + placed.b),
        }
    }

    /// Directions that it holds, and its error along each [m]. Errors change with the velocities of the directions.
    pub fn holds(&self, p: &Placed) -> Vec<(Direction, f64)> {
        let off = p.a - p.b;
        let push = |n: DVec3| (Direction { push: n, turn: DVec3::ZERO }, n.dot(off));
        let turn =
            |n: DVec3, angle: DVec3| (Direction { push: DVec3::ZERO, turn: n * self.lever }, n.dot(angle) * self.lever);
        let world = [DVec3::X, DVec3::Y, DVec3::Z];
        let across = [p.frame_b * DVec3::Y, p.frame_b * DVec3::Z];
        match self.kind {
            JointKind::Ball => world.map(push).to_vec(),
            JointKind::Fixed => {
                let angle = turned(p);
                world.map(push).into_iter().chain(world.map(|n| turn(n, angle))).collect()
            }
            JointKind::Hinge => {
                let angle = (p.frame_b * DVec3::X).cross(p.frame_a * DVec3::X);
                world.map(push).into_iter().chain(across.map(|n| turn(n, angle))).collect()
            }
            JointKind::Slider => {
                let angle = turned(p);
                across.map(push).into_iter().chain(world.map(|n| turn(n, angle))).collect()
            }
            JointKind::Distance => {
                let held = self.length.map(|length| {
                    let n = unit(off, p);
                    (Direction { push: n, turn: DVec3::ZERO }, off.length() - length)
                });
                held.into_iter().collect()
            }
        }
    }

    /// The direction of its coordinate, and the coordinate itself [m or rad]; angles within half a turn.
    pub fn coordinate(&self, p: &Placed) -> Option<(Direction, f64)> {
        let off = p.a - p.b;
        let axis = p.frame_b * DVec3::X;
        match self.kind {
            JointKind::Hinge => {
                let (from, to) = (p.frame_b * DVec3::Y, p.frame_a * DVec3::Y);
                let angle = axis.dot(from.cross(to)).atan2(from.dot(to));
                Some((Direction { push: DVec3::ZERO, turn: axis * self.lever }, angle))
            }
            JointKind::Slider => Some((Direction { push: axis, turn: DVec3::ZERO }, axis.dot(off))),
            JointKind::Distance => Some((Direction { push: unit(off, p), turn: DVec3::ZERO }, off.length())),
            JointKind::Fixed | JointKind::Ball => None,
        }
    }

    /// Metres of a row per unit of the coordinate.
    pub fn unit(&self) -> f64 {
        if self.kind.turns() { self.lever } else { 1.0 }
    }
}

/// How far A has turned against B, as a rotation vector [rad].
fn turned(p: &Placed) -> DVec3 {
    let q = p.frame_a * p.frame_b.inverse();
    (if q.w < 0.0 { -q } else { q }).to_scaled_axis()
}

/// Direction of a distance; the joint's axis where the points coincide.
fn unit(off: DVec3, p: &Placed) -> DVec3 {
    off.try_normalize().unwrap_or(p.frame_b * DVec3::X)
}

/// The length at which turning is as easy as shifting [m].
fn lever(a: &Carrier, b: &Carrier) -> f64 {
    let trace = |c: &Carrier| c.inverse_inertia.x_axis.x + c.inverse_inertia.y_axis.y + c.inverse_inertia.z_axis.z;
    let (shift, turn) = (3.0 * (a.inverse_mass + b.inverse_mass), trace(a) + trace(b));
    if shift > 0.0 && turn > 0.0 { (shift / turn).sqrt() } else { 1.0 }
}

/// Number of the carrier of a side.
fn carrier_of(side: &Side, state: &State, space: &ContactSpace) -> Option<u32> {
    let world = (state.aggregates.len() + space.balls.len()) as u32;
    let Some(e) = side.element else { return Some(world) };
    if side.is_torn_off(state) { None } else { space.carrier_of(state, e) }
}

/// Bodies that hang together by links, which are the contacts of their groups.
pub fn linked(links: &[Link], carriers: &Carriers) -> Vec<Group> {
    let pairs: Vec<(u32, u32)> = links.iter().map(|l| (l.carriers[0], l.carriers[1])).collect();
    groups(&pairs, carriers)
}

/// Where the carriers of a state are.
pub fn poses(state: &State, carriers: &Carriers) -> Vec<Pose> {
    let bodies = state.aggregates.iter().map(|a| (a.position, a.orientation));
    let rest = carriers.iter().skip(state.aggregates.len()).map(|c| (c.position, DQuat::IDENTITY));
    bodies.chain(rest).collect()
}
