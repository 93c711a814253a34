//! Vectors, operators and solvers that know no physics.

pub mod eigen;
pub mod rotation;
pub mod vectors;

pub use vectors::Vectors;
