//! How bodies push back: one file per law, and what the laws share.

pub mod coefficients;
pub mod connections;
pub mod grip;
mod side;
pub mod touch;
