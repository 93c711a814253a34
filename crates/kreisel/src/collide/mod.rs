//! Where things touch: candidate pairs and gaps.

mod cells;
mod dense;
pub mod grid;
mod layers;
mod levels;
mod order;
pub mod skin;
mod sparse;

pub use grid::Grid;
pub use skin::Skin;
