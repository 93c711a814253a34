//! How bodies push back: one file per law, and what the laws share.

pub mod bearable;
pub mod cladding;
pub mod closest;
pub mod coefficients;
pub mod connections;
pub mod constraint;
pub mod foot;
mod friction;
pub mod grip;
pub mod implicit;
mod masses;
mod opposite;
pub mod rows;
mod side;
mod tangent;
pub mod touch;
