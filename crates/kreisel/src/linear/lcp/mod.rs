//! Linear complementarity problems: Lemke's method, what to do where it fails, and proofs that nothing can be done.

mod lemke;
mod problem;
mod tableau;

pub use lemke::{Lemke, LemkeEnd, LemkeParams, lemke};
pub use problem::{Lcp, LcpInputError, TOLERANCE};
