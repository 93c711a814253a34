//! Complementarity solvers on problems made from scenes and from random numbers, with their rates of success.

#![allow(clippy::unwrap_used)]

#[path = "complementarity/cones.rs"]
mod cones;
#[path = "complementarity/digits.rs"]
mod digits;
#[path = "complementarity/exact.rs"]
mod exact;
#[path = "complementarity/folds.rs"]
mod folds;
#[path = "complementarity/heavy.rs"]
mod heavy;
#[path = "complementarity/jumbled.rs"]
mod jumbled;
#[path = "complementarity/kinds.rs"]
mod kinds;
#[path = "complementarity/lcp.rs"]
mod lcp;
#[path = "complementarity/pyramids.rs"]
mod pyramids;
#[path = "complementarity/rocks.rs"]
mod rocks;
#[path = "complementarity/scenes.rs"]
mod scenes;
#[path = "complementarity/survey.rs"]
mod survey;
#[path = "complementarity/variety.rs"]
mod variety;
