//! What contacts say of themselves: who touches whom, where, how hard, and whether statics alone determines it.

pub mod unique;

use crate::model::collider::OBSTACLES;
use crate::model::{BodyId, Model, ObstacleId};
use glamx::DVec3;
pub use unique::Unique;

/// One of the two that touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Party {
    /// A body.
    Body(BodyId),
    /// A thing of the fixed world.
    Obstacle(ObstacleId),
}

impl Party {
    /// The one with a number as contacts store it: bodies, and obstacles from [`OBSTACLES`] on.
    pub fn from_number(number: u32) -> Self {
        match number & OBSTACLES {
            0 => Self::Body(BodyId(number)),
            _ => Self::Obstacle(ObstacleId((number & !OBSTACLES) as u16)),
        }
    }

    /// Its number as contacts store it.
    pub fn number(self) -> u32 {
        match self {
            Self::Body(b) => b.0,
            Self::Obstacle(o) => OBSTACLES | u32::from(o.0),
        }
    }

    /// True if the model has it.
    pub fn exists(self, model: &Model) -> bool {
        match self {
            Self::Body(b) => (b.0 as usize) < model.bodies.len(),
            Self::Obstacle(o) => (o.0 as usize) < model.obstacles.len(),
        }
    }

    /// Its name.
    pub fn name(self, model: &Model) -> &str {
        let name = match self {
            Self::Body(b) => model.bodies.get(b.0 as usize).map(|b| b.name.as_str()),
            Self::Obstacle(o) => model.obstacles.get(o.0 as usize).map(|o| o.name.as_str()),
        };
        name.unwrap_or_default()
    }
}

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grip {
    /// The two touch and do not press.
    Separate,
    /// The points move together.
    Stick,
    /// They slide.
    Slip,
}

impl Grip {
    /// What a contact does that presses, or not, and slides, or not.
    pub fn of(presses: bool, slips: bool) -> Self {
        match (presses, slips) {
            (false, _) => Self::Separate,
            (true, true) => Self::Slip,
            (true, false) => Self::Stick,
        }
    }
}

/// A contact at the moment. Forces and torques are those on the first of the two; the second feels the opposite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactReading {
    /// The first.
    pub first: Party,
    /// The second.
    pub second: Party,
    /// Where [m].
    pub point: DVec3,
    /// Unit normal, from the second to the first [1].
    pub normal: DVec3,
    /// Gap [m]; negative: overlap.
    pub gap: f64,
    /// Mean force over the last step [N]; under the law of springs that of the moment.
    pub force: DVec3,
    /// Torque of rolling and torsional friction [N m], about the point.
    pub torque: DVec3,
    /// The step that the force acted for [s]; zero for a force of the moment.
    pub step: f64,
    /// Relative velocity across the normal, the first against the second [m/s].
    pub slip: DVec3,
    /// What it does.
    pub grip: Grip,
    /// Whether statics determines the force.
    pub unique: Unique,
}

impl ContactReading {
    /// Impulse over the last step [N s].
    pub fn impulse(&self) -> DVec3 {
        self.force * self.step
    }

    /// Push along the normal [N].
    pub fn push(&self) -> f64 {
        self.force.dot(self.normal)
    }
}

/// What two exert on each other at all their contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TotalForce {
    /// Force on the first [N].
    pub force: DVec3,
    /// Torque on the first about the origin [N m].
    pub torque: DVec3,
    /// At how many contacts.
    pub contacts: usize,
}

/// Sums the contacts between two, whichever is named first in the list: totals are right also where the single forces are
/// not unique.
pub fn total(contacts: &[ContactReading], first: Party, second: Party) -> TotalForce {
    let mut sum = TotalForce::default();
    for c in contacts {
        let sign = match (c.first, c.second) {
            pair if pair == (first, second) => 1.0,
            pair if pair == (second, first) => -1.0,
            _ => continue,
        };
        sum.force += c.force * sign;
        sum.torque += (c.point.cross(c.force) + c.torque) * sign;
        sum.contacts += 1;
    }
    sum
}
