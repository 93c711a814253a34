//! What can be wrong with a shape.

use glamx::{DQuat, DVec3};
use std::fmt;

/// A shape that cannot be.
#[derive(Clone, Debug, PartialEq)]
pub enum ShapeError {
    /// A size that is zero, negative, infinite or not a number.
    Size {
        /// What kind of shape.
        shape: &'static str,
        /// Which of its sizes.
        field: &'static str,
        /// Its value.
        value: f64,
    },
    /// A place or a rotation that is not one.
    Placement {
        /// The place [m].
        at: DVec3,
        /// The rotation.
        rotation: DQuat,
    },
    /// A density that is zero, negative, infinite or not a number [kg/m³].
    Density(f64),
    /// A vertex that is not a finite point.
    Vertex {
        /// Its number.
        index: usize,
        /// Its value.
        value: DVec3,
    },
    /// Fewer than four points cannot enclose a volume.
    TooFewPoints(usize),
    /// The points lie in a plane, on a line or in one place, up to rounding.
    Flat {
        /// How far they reach from their best plane [m].
        thickness: f64,
        /// How far they reach in all [m].
        extent: f64,
    },
    /// Faces that do not make a convex polyhedron.
    NotConvex,
    /// A triangle or a face names a vertex that is not there.
    Index {
        /// Which triangle or face.
        face: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A mesh without triangles that have an area.
    NoTriangles,
    /// A mesh that does not enclose a volume.
    Open {
        /// How many edges do not have exactly one triangle on each side.
        edges: usize,
        /// What it encloses all the same [m³].
        volume: f64,
    },
    /// A plane has no mass.
    PlaneHasNoMass,
    /// A body without shapes has no mass.
    Empty,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { shape, field, value } => {
                write!(f, "the {field} of a {shape} is {value}; it must be finite and greater than zero")
            }
            Self::Placement { at, rotation } => {
                write!(
                    f,
                    "a shape at {at} turned by {rotation}: the place must be finite, the rotation a unit quaternion"
                )
            }
            Self::Density(value) => write!(f, "a density of {value} kg/m³; it must be finite and greater than zero"),
            Self::Vertex { index, value } => write!(f, "vertex {index} is {value}; it must be finite"),
            Self::TooFewPoints(count) => write!(f, "{count} different points; a solid needs at least four"),
            Self::Flat { thickness, extent } => {
                write!(f, "the points reach over {extent} m but are only {thickness} m thick; a solid needs a volume")
            }
            Self::NotConvex => write!(f, "the faces do not make a convex polyhedron"),
            Self::Index { face, vertex, vertices } => {
                write!(f, "face {face} names vertex {vertex}, but there are {vertices}")
            }
            Self::NoTriangles => write!(f, "no triangle of the mesh has an area"),
            Self::Open { edges, volume } => write!(
                f,
                "the mesh does not enclose a volume: {edges} edges lack a triangle on one side, and the volume comes out as {volume} m³"
            ),
            Self::PlaneHasNoMass => write!(f, "a plane is a half-space without end; only what never moves can be one"),
            Self::Empty => write!(f, "a body without shapes has no mass"),
        }
    }
}

impl std::error::Error for ShapeError {}
