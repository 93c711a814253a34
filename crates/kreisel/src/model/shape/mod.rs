//! Rigid shapes: exact solids that a body carries, alone or as a compound.

mod connectivity;
mod error;
mod hull;
mod mass;
mod mesh;
mod polyhedron;
mod surface;

pub use error::ShapeError;
pub use mass::{MassProperties, Sheets, mass_properties, mass_properties_with};
pub use mesh::{Bound, TriangleMesh};
pub use polyhedron::Polyhedron;
pub use surface::surface;

use glamx::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A solid around the origin of its own frame. Round shapes have the local z axis as their axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// A ball.
    Sphere {
        /// Radius [m].
        radius: f64,
    },
    /// A box.
    Box {
        /// Half of each side [m].
        half_size: DVec3,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Semi-axes along x, y, z [m].
        semi_axes: DVec3,
    },
    /// All points within `radius` of the segment from `−half_length` to `half_length` on the z axis.
    Capsule {
        /// Half of the segment's length [m].
        half_length: f64,
        /// Radius [m].
        radius: f64,
    },
    /// A circular cylinder.
    Cylinder {
        /// Half of its height [m].
        half_length: f64,
        /// Radius [m].
        radius: f64,
    },
    /// A circular cone: base at `z = −half_length`, apex at `z = half_length`.
    Cone {
        /// Half of its height [m].
        half_length: f64,
        /// Radius of the base [m].
        radius: f64,
    },
    /// A convex polyhedron.
    Polyhedron(Arc<Polyhedron>),
    /// The half-space `z ≤ 0`; only for what never moves.
    Plane,
    /// A surface of triangles, solid behind each.
    Mesh(Arc<TriangleMesh>),
}

/// A shape in the frame of its body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacedShape {
    /// The shape.
    pub shape: Shape,
    /// Where its origin lies in the body's frame [m].
    pub at: DVec3,
    /// How it is turned in the body's frame.
    pub rotation: DQuat,
}

impl PlacedShape {
    /// A shape at the origin of its body.
    pub fn centred(shape: Shape) -> Self {
        Self { shape, at: DVec3::ZERO, rotation: DQuat::IDENTITY }
    }

    /// Refuses bad shapes and places that are not numbers.
    pub fn check(&self) -> Result<(), ShapeError> {
        let turned = (self.rotation.length() - 1.0).abs() < 1e-6;
        if !self.at.is_finite() || !self.rotation.is_finite() || !turned {
            return Err(ShapeError::Placement { at: self.at, rotation: self.rotation });
        }
        self.shape.check()
    }
}

impl Shape {
    /// What it is called in messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sphere { .. } => "sphere",
            Self::Box { .. } => "box",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::Capsule { .. } => "capsule",
            Self::Cylinder { .. } => "cylinder",
            Self::Cone { .. } => "cone",
            Self::Polyhedron(_) => "polyhedron",
            Self::Plane => "plane",
            Self::Mesh(_) => "mesh",
        }
    }

    /// Refuses sizes that are zero, negative, infinite or not a number.
    pub fn check(&self) -> Result<(), ShapeError> {
        let size = |field: &'static str, value: f64| match value.is_finite() && value > 0.0 {
            true => Ok(()),
            false => Err(ShapeError::Size { shape: self.name(), field, value }),
        };
        let sizes = |field, v: DVec3| v.to_array().into_iter().try_for_each(|value| size(field, value));
        match self {
            Self::Sphere { radius } => size("radius", *radius),
            Self::Box { half_size } => sizes("half_size", *half_size),
            Self::Ellipsoid { semi_axes } => sizes("semi_axes", *semi_axes),
            Self::Capsule { half_length, radius }
            | Self::Cylinder { half_length, radius }
            | Self::Cone { half_length, radius } => {
                size("half_length", *half_length).and_then(|()| size("radius", *radius))
            }
            Self::Polyhedron(_) | Self::Plane | Self::Mesh(_) => Ok(()),
        }
    }
}

/// The matrix of a rotation, whose quaternion need not be quite of unit length.
pub(crate) fn matrix(rotation: DQuat) -> DMat3 {
    DMat3::from_quat(rotation.normalize())
}
