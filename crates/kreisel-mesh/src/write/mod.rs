//! Writers.

mod obj;
mod ply;
mod stl;

pub use obj::write_obj;
pub use ply::write_ply;
pub use stl::{write_stl, write_triangles};
