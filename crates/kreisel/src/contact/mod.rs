//! How bodies push back: one file per law, and what the laws share.

pub mod cladding;
pub mod closest;
pub mod coefficients;
pub mod connections;
pub mod foot;
mod friction;
pub mod grip;
mod masses;
mod opposite;
mod side;
pub mod touch;
