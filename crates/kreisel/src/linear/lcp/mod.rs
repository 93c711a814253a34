//! Linear complementarity problems: Lemke's method, what to do where it fails, and proofs that nothing can be done.

mod branch;
mod chain;
mod fischer;
mod howson;
mod lemke;
mod nudge;
pub(in crate::linear) mod orders;
mod parts;
mod polish;
mod problem;
mod pyramids;
mod rows;
mod settle;
mod slips;
mod solve;
mod spread;
mod stages;
mod tableau;
pub(in crate::linear) mod twofold;

pub use lemke::{Lemke, LemkeEnd, LemkeParams, lemke};
pub use problem::{Lcp, LcpInputError, TOLERANCE};
pub use solve::{LcpAnswer, LcpParams, Status, solve_lcp};
