//! Vectors, operators and solvers that know no physics.

pub mod block_jacobi;
pub mod cg;
pub mod chunks;
pub mod dense;
pub mod eigen;
pub mod eigen6;
pub(crate) mod lanes;
pub mod lobpcg;
pub mod operator;
pub mod rigid_modes;
pub mod rotation;
pub mod vectors;

pub use block_jacobi::BlockJacobi;
pub use cg::{CgError, CgInfo, CgParams, solve_cg};
pub use operator::Operator;
pub use rigid_modes::{Projected, RigidModes};
pub use vectors::Vectors;
