//! Rapier in single precision.

use rapier3d as rapier;

type Number = f32;

#[path = "rapier.rs"]
pub mod engine;
