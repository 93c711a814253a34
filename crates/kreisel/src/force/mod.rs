//! What pulls: one file per force, each with energy, force and differential.

#[cfg(test)]
pub(crate) mod difference;
pub mod drag;
pub mod grab;
pub mod gravity;
pub mod load;
pub mod pressure;
pub mod springs;
pub mod volume;
pub mod volume_chunks;
