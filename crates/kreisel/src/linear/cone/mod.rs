//! Frictional contact problems on the exact cone: Gauss–Seidel, nonsmooth Newton and proximal points.

mod convex;
mod damped;
mod feasible;
mod folds;
mod follow;
mod fronts;
mod gauss_seidel;
mod harden;
mod homotopy;
mod interior;
mod newton;
mod path;
mod pieces;
mod problem;
mod proximal;
mod solve;
mod stages;
mod verify;

pub use problem::{FrictionInputError, FrictionProblem};
pub use solve::{ConeAnswer, ConeParams, solve_cone};
