//! Vectors, operators and solvers that know no physics.

pub mod vectors;

pub use vectors::Vectors;
