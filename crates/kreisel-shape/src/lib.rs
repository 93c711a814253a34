//! Bodies by signed distance, and the triangles around them.
//!
//! A [`Solid`] is plain data: primitives, and what is made of them by union, difference, intersection, blend, motion
//! and hollowing. [`Solid::distance`] says how far a place is from its surface, [`mesh`] puts a closed surface of
//! well-shaped triangles around it. Lengths in metres; primitives are centred at the origin, their axis is z.

mod bounds;
mod check;
mod coat;
mod cow;
mod distance;
mod eigen;
mod error;
mod field;
mod grid;
mod improve;
mod mesher;
mod net;
mod plain;
mod primitives;
mod prune;
mod sharpen;
mod solid;

pub use error::ShapeError;
pub use mesher::{MOST_TRIANGLES, mesh};
pub use solid::Solid;
