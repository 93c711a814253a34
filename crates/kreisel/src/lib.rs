//! Kreisel: mechanics in which rigid and soft bodies are one thing.
//!
//! Bodies own degrees of freedom, points ride on bodies, and everything that interacts, interacts at points.
//! The crate does no input or output and never panics on input. SI units throughout; z is up by convention only.

pub mod build;
pub mod collide;
pub mod contact;
pub mod discretize;
pub mod force;
pub mod linear;
pub mod model;
mod simulation;
pub mod statics;
pub mod step;
pub mod readout;

pub use glamx::{DMat3, DQuat, DVec3};
pub use simulation::Simulation;
