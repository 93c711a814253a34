//! Frictional contact problems on the exact cone: Gauss–Seidel, nonsmooth Newton and proximal points.

mod convex;
mod damped;
mod faceted;
mod feasible;
mod firm;
mod folds;
mod follow;
mod fronts;
mod gauss_seidel;
mod harden;
mod homotopy;
mod interior;
mod newton;
mod nudge;
mod path;
mod pieces;
mod problem;
mod proximal;
mod section;
mod solve;
mod stages;
mod verify;

pub(crate) use faceted::Faceted;
pub(crate) use feasible::approaching_forever;
pub use problem::{FrictionInputError, FrictionProblem};
pub(crate) use solve::solve_cone_cheaply;
pub use solve::{ConeAnswer, ConeParams, solve_cone};
