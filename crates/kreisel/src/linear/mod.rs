//! Vectors, operators and solvers that know no physics.

mod block_cholesky;
pub mod block_jacobi;
pub mod blocks;
pub mod cg;
pub mod chunks;
mod clusters;
mod coarse;
pub mod dense;
pub mod direct;
mod dissection;
pub mod eigen;
pub mod eigen6;
mod fused;
pub(crate) mod lanes;
pub mod lobpcg;
pub mod operator;
pub mod rigid_modes;
pub mod rotation;
mod small;
mod stretches;
pub mod two_level;
pub mod vectors;
mod wide;

pub use block_jacobi::BlockJacobi;
pub use blocks::{BlockSource, SlotMap};
pub use cg::{CgError, CgInfo, CgParams, CgSpace, solve_cg};
pub use direct::Direct;
pub use operator::{Operator, Preconditioner};
pub use rigid_modes::{Projected, RigidModes};
pub use two_level::{Cycle, Cycled, TwoLevel, TwoLevelParams};
pub use vectors::Vectors;
