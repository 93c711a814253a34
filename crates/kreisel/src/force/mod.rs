//! What pulls: one file per force, each with energy, force and differential.

pub mod volume;
pub mod volume_chunks;
