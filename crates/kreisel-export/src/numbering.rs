//! The file's own numbering of vertices and texture coordinates, for a mesh made from its surface.

use crate::surface::{Mesh, NEW};
use kreisel::model::Skin;

/// Which vertices are written in which order, and what the corners of the triangles are called then.
///
/// The file's vertices come first, in its order, also where several were welded to one; after them those that
/// refinement and fracture added. Texture coordinates likewise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbering {
    /// For every vertex written, the vertex of the mesh.
    pub vertices: Vec<u32>,
    /// For every triangle its corners, numbers in `vertices`.
    pub corners: Vec<[u32; 3]>,
    /// Texture coordinates.
    pub uvs: Vec<[f64; 2]>,
    /// For every triangle the texture coordinates of its corners, numbers in `uvs`; empty: none.
    pub uv_corners: Vec<[Option<u32>; 3]>,
}

impl Numbering {
    /// The mesh's own numbering.
    pub fn plain(mesh: &Mesh) -> Self {
        let vertices = (0..mesh.vertices.len() as u32).collect();
        Self { vertices, corners: mesh.triangles.clone(), ..Self::default() }
    }

    /// The numbering of the file that a skin's surface was read from.
    pub fn of_skin(skin: &Skin, mesh: &Mesh) -> Self {
        let first = first_copies(skin, mesh);
        let trace = &skin.surface.trace;
        let own: Vec<u32> = (0..skin.surface.vertices.len() as u32).collect();
        let file = if trace.vertices.is_empty() { &own } else { &trace.vertices };
        // The vertices of the skin come first in a mesh, also those of no triangle.
        let mut numbering = Self { vertices: file.clone(), ..Self::default() };
        let mut added = vec![NEW; mesh.vertices.len()];
        for t in 0..mesh.triangles.len() {
            let corners = mesh.triangles[t].map(|m| {
                let m = first[m as usize];
                let known = surface_corner(skin, mesh, t, m).filter(|_| m == mesh.vertex_origin[m as usize]);
                known.map_or_else(|| numbering.add_vertex(&mut added, m), |(s, c)| file_vertex(skin, s, c))
            });
            numbering.corners.push(corners);
        }
        numbering.add_texture(skin, mesh);
        numbering
    }

    fn add_vertex(&mut self, added: &mut [u32], m: u32) -> u32 {
        let place = &mut added[m as usize];
        if *place == NEW {
            *place = self.vertices.len() as u32;
            self.vertices.push(m);
        }
        *place
    }

    fn add_texture(&mut self, skin: &Skin, mesh: &Mesh) {
        let trace = &skin.surface.trace;
        let Some(coordinates) = crate::surface::texture_of(skin, mesh) else { return };
        self.uvs.clone_from(&trace.uvs);
        for (t, uvs) in coordinates.iter().enumerate() {
            let is_new = mesh.triangle_origin.get(t).is_none_or(|&s| s == NEW);
            let corners = [0, 1, 2].map(|k| match surface_corner(skin, mesh, t, mesh.triangles[t][k]) {
                Some((s, c)) => Some(trace.uv_corners[s][c]),
                None if is_new => None,
                None => {
                    self.uvs.push(uvs[k]);
                    Some(self.uvs.len() as u32 - 1)
                }
            });
            self.uv_corners.push(corners);
        }
    }
}

/// For every vertex of a mesh the vertex that stands for it: the skin's own, unless fracture has moved it elsewhere.
/// Twins at sharp edges differ in their normals only.
fn first_copies(skin: &Skin, mesh: &Mesh) -> Vec<u32> {
    let stands_for = |m: usize| {
        let origin = mesh.vertex_origin[m] as usize;
        let is_twin = origin < skin.rest.len() && mesh.vertices.get(origin) == Some(&mesh.vertices[m]);
        if is_twin { origin as u32 } else { m as u32 }
    };
    (0..mesh.vertices.len()).map(stands_for).collect()
}

/// The triangle of the surface, and which of its corners, that a vertex of triangle `t` of the mesh is.
fn surface_corner(skin: &Skin, mesh: &Mesh, t: usize, m: u32) -> Option<(usize, usize)> {
    let part = mesh.triangle_origin.get(t).copied().filter(|&s| s != NEW)?;
    let s = *skin.origin.get(part as usize)? as usize;
    let origin = mesh.vertex_origin.get(m as usize).copied()?;
    let corner = skin.surface.triangles.get(s)?.iter().position(|&v| v == origin)?;
    Some((s, corner))
}

/// The file's number of a corner of a triangle of the surface.
fn file_vertex(skin: &Skin, s: usize, corner: usize) -> u32 {
    let surface = &skin.surface;
    let corners = if surface.trace.corners.is_empty() { &surface.triangles } else { &surface.trace.corners };
    corners[s][corner]
}
