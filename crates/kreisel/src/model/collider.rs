//! Colliders: exact shapes and whom they ride on.

use crate::model::shape::Shape;
use crate::model::{BodyId, MaterialId};
use glamx::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// An exact shape that rides on a rigid body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Collider {
    /// Its geometry.
    pub shape: Shape,
    /// Where its origin is in the principal frame of the rigid body [m].
    pub at: DVec3,
    /// Its orientation in that frame.
    pub rotation: DQuat,
    /// Where its origin is in the reference configuration [m], and its orientation there.
    pub rest: (DVec3, DQuat),
    /// An element of the rigid body that carries it.
    pub element: u32,
    /// The body it belongs to.
    pub body: BodyId,
    /// What it is made of.
    pub material: MaterialId,
}

/// Obstacles are numbered from here on among the things that meet.
pub const OBSTACLES: u32 = 1 << 31;

/// A contact between exact shapes, as the last step left it: what the next one starts from, and what people read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShapeContact {
    /// Number of the first collider; the obstacles are numbered after the model's colliders.
    pub first: u32,
    /// Number of the second.
    pub second: u32,
    /// Whose they are: numbers of bodies, and of obstacles from [`OBSTACLES`] on.
    pub between: [u32; 2],
    /// Which of their features touch.
    pub feature: u64,
    /// Where [m].
    pub point: DVec3,
    /// Unit normal, from the second to the first.
    pub normal: DVec3,
    /// Gap at the beginning of the step [m].
    pub gap: f64,
    /// Impulse on the first [N s], world axes.
    pub impulse: DVec3,
    /// Angular impulse of rolling and torsional friction on the first [N m s], world axes.
    pub torque: DVec3,
    /// Step that the impulse acted for [s].
    pub step: f64,
    /// Relative velocity at the end of the step, the first against the second [m/s].
    pub slip: DVec3,
    /// True if they slid.
    pub slipping: bool,
}

impl ShapeContact {
    /// Mean force on the first over the step [N].
    pub fn force(&self) -> DVec3 {
        if self.step > 0.0 { self.impulse / self.step } else { DVec3::ZERO }
    }

    /// True if the two slid faster than `creep` [m/s]. Friction may be used up where nothing moves: of a body on four corners
    /// some bear less than their share of the slope.
    pub fn slides(&self, creep: f64) -> bool {
        self.slipping && self.slip.length_squared() > creep * creep
    }

    /// True if the two press on each other.
    pub fn presses(&self) -> bool {
        self.impulse != DVec3::ZERO
    }
}
