//! Triangles in space: a tree of boxes, rays, crossings and winding numbers.

pub mod crossing;
pub mod ray;
pub mod tree;
pub mod winding;
