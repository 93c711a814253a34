//! Binary STL of one frame: all triangles of all surfaces, in single precision.

use crate::error::ExportError;
use crate::place::{self, MARK};
use crate::story::Story;
use crate::surface::{Mesh, shapes};
use kreisel::DVec3;
use std::path::Path;

/// Length of the text at the beginning.
const HEAD: usize = 80;

/// Writes the surfaces of the story's only frame.
pub fn write(story: &mut Story, path: &Path) -> Result<(), ExportError> {
    let frame = story.frame(0)?;
    let model = story.model.clone();
    let mut shapes = shapes(&model, story.body.as_deref())?;
    let meshes: Vec<Mesh> = shapes.iter_mut().map(|s| s.mesh(&model, &frame)).collect();
    let count: usize = meshes.iter().map(|m| m.triangles.len()).sum();
    let count = u32::try_from(count).map_err(|_| ExportError::TooLarge { what: "STL", bytes: 50 * count as u64 })?;
    let mut head = format!("{MARK}: {} at {} s", story.name, frame.time).into_bytes();
    head.resize(HEAD, b' ');
    let mut bytes = head;
    bytes.extend(count.to_le_bytes());
    for mesh in &meshes {
        mesh.triangles.iter().for_each(|t| add_triangle(&mut bytes, t.map(|v| mesh.vertices[v as usize])));
    }
    place::write_bytes(path, &bytes)
}

/// Normal and corners, and two bytes that mean nothing.
fn add_triangle(bytes: &mut Vec<u8>, [a, b, c]: [DVec3; 3]) {
    let normal = (b - a).cross(c - a).normalize_or_zero();
    for vector in [normal, a, b, c] {
        bytes.extend(vector.to_array().into_iter().flat_map(|x| (x as f32).to_le_bytes()));
    }
    bytes.extend([0, 0]);
}
