//! What pulls: one file per force, each with energy, force and differential.

pub mod springs;
pub mod volume;
