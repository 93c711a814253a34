//! Where things touch: candidate pairs and gaps.

pub mod broad;
mod cells;
mod dense;
pub mod grid;
mod layers;
mod levels;
mod order;
pub mod shapes;
pub mod skin;
mod sparse;

pub use broad::{Broad, pairs};
pub use grid::Grid;
pub use shapes::{Pose, Touch, touch};
pub use skin::Skin;
