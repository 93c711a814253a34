//! What can be wrong with a solid or with a wish for its triangles.

use thiserror::Error;

/// Why there is no surface.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ShapeError {
    /// A size is not a positive number.
    #[error("{solid}: {field} is {value}; it must be positive and finite")]
    BadSize {
        /// Kind of solid.
        solid: &'static str,
        /// Which of its sizes.
        field: &'static str,
        /// What was given.
        value: f64,
    },
    /// Sizes that do not go together.
    #[error("{solid}: {reason} ({given} against {bound})")]
    Contradiction {
        /// Kind of solid.
        solid: &'static str,
        /// What should hold.
        reason: &'static str,
        /// The size given [m].
        given: f64,
        /// What it is compared with [m].
        bound: f64,
    },
    /// A place that is no place, or a rotation that is no rotation.
    #[error("moved: {field} is not {wanted}")]
    BadMotion {
        /// Which part of the motion.
        field: &'static str,
        /// What it should be.
        wanted: &'static str,
    },
    /// A union, intersection or blend of nothing.
    #[error("{solid} of nothing: it needs at least one part")]
    NoParts {
        /// Kind of solid.
        solid: &'static str,
    },
    /// Solids inside solids inside solids.
    #[error("solids nested more than {limit} deep")]
    TooDeep {
        /// Deepest nesting allowed.
        limit: usize,
    },
    /// More primitives than anybody can wait for.
    #[error("more than {limit} solids in one")]
    TooManyParts {
        /// Largest number of solids allowed.
        limit: usize,
    },
    /// The wanted edges are too short for the solid.
    #[error(
        "edges of {size} m around a solid of {extent} m give about {triangles:.1e} triangles (at most {limit:.1e}); take edges of {advice:.2e} m or more"
    )]
    TooFine {
        /// Wanted edge length [m].
        size: f64,
        /// Largest extent of the solid [m].
        extent: f64,
        /// Triangles to be expected, at least.
        triangles: f64,
        /// Largest number of triangles.
        limit: f64,
        /// Edge length that would do [m].
        advice: f64,
    },
    /// Nothing is inside, or nothing as large as a cell.
    #[error(
        "no surface found with edges of {size} m: the solid is empty or thinner than the edges are long (its bounds measure {extent} m)"
    )]
    Empty {
        /// Wanted edge length [m].
        size: f64,
        /// Largest extent of the solid's bounds [m].
        extent: f64,
    },
}
