//! Rapier in double precision.

use rapier3d_f64 as rapier;

type Number = f64;

#[path = "rapier.rs"]
pub mod engine;
