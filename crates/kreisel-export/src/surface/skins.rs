//! The surface of a body with a skin.

use crate::surface::{Mesh, normals};
use kreisel::model::{Model, Skin};
use kreisel_record::Frame;

/// The skin at a frame.
pub fn mesh(_model: &Model, skin: &Skin, frame: &Frame) -> Mesh {
    let vertices = skin.positions(&frame.position);
    let normals = normals::compute(&vertices, &skin.triangles);
    Mesh {
        vertex_origin: (0..vertices.len() as u32).collect(),
        triangle_origin: (0..skin.triangles.len() as u32).collect(),
        triangles: skin.triangles.clone(),
        vertices,
        normals,
    }
}
