//! From shapes to elements and connections: boxes, and explicit lists.

pub mod box_lattice;
mod box_springs;
mod box_surface;
mod constants;
pub mod element_list;
mod error;
mod fabric;
mod grid;
pub mod matter;
mod places;
mod refine;
pub mod skin;
pub mod solid_lattice;

pub use box_lattice::box_lattice;
pub use element_list::element_list;
pub use error::DiscretizeError;
pub use fabric::Fabric;
pub use matter::Matter;
pub use skin::{bind, box_skin};
pub use solid_lattice::solid_lattice;
