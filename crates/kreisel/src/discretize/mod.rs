//! From shapes to elements and connections: boxes, solids inside surfaces, and explicit lists.

pub mod box_lattice;
mod box_springs;
mod box_surface;
mod carry;
mod clip;
mod closest;
mod constants;
pub mod element_list;
mod error;
mod exact;
mod fabric;
mod fill;
mod grid;
mod joining;
mod lattice;
mod mass_balance;
pub mod matter;
mod places;
mod refine;
#[cfg(test)]
mod shapes;
mod shells;
pub mod skin;
mod solid_contact;
pub mod solid_lattice;
mod weighted_cells;

pub use box_lattice::{box_lattice, box_of_fabric};
pub use carry::carry;
pub use element_list::element_list;
pub use error::DiscretizeError;
pub use exact::exact;
pub use fabric::Fabric;
pub use matter::Matter;
pub use skin::{bind, box_skin};
pub use solid_lattice::solid_lattice;
