//! Texture coordinates of a skin: those of the file, interpolated where refinement or fracture added vertices.

use crate::surface::{Mesh, NEW};
use kreisel::DVec3;
use kreisel::model::Skin;

/// Texture coordinates of the corners of every triangle; `None` if the surface has none. New triangles have (0, 0).
pub fn corners(skin: &Skin, mesh: &Mesh) -> Option<Vec<[[f64; 2]; 3]>> {
    if skin.surface.trace.uv_corners.is_empty() {
        return None;
    }
    let of_triangle = |t: usize| {
        let part = mesh.triangle_origin.get(t).copied().filter(|&s| s != NEW);
        let origin = part.and_then(|s| skin.origin.get(s as usize).copied());
        let vertex = |v: u32| mesh.vertex_origin.get(v as usize).copied().filter(|&o| o != NEW);
        mesh.triangles[t].map(|v| match (origin, vertex(v)) {
            (Some(origin), Some(vertex)) => coordinate(skin, origin as usize, vertex as usize),
            _ => [0.0; 2],
        })
    };
    Some((0..mesh.triangles.len()).map(of_triangle).collect())
}

/// The texture coordinate of a vertex of the skin within a triangle of the surface.
fn coordinate(skin: &Skin, triangle: usize, vertex: usize) -> [f64; 2] {
    let (surface, trace) = (&skin.surface, &skin.surface.trace);
    let uvs = trace.uv_corners[triangle].map(|k| trace.uvs[k as usize]);
    if let Some(corner) = surface.triangles[triangle].iter().position(|&v| v as usize == vertex) {
        return uvs[corner];
    }
    let Some(&x) = skin.rest.get(vertex) else { return [0.0; 2] };
    let weights = barycentric(x, surface.corners(triangle));
    [0, 1].map(|axis| (0..3).map(|k| weights[k] * uvs[k][axis]).sum())
}

/// The weights of a triangle's corners at the point of its plane nearest to `x`; thirds if it has no area.
fn barycentric(x: DVec3, [a, b, c]: [DVec3; 3]) -> [f64; 3] {
    let normal = (b - a).cross(c - a);
    let area = normal.length_squared();
    if area == 0.0 {
        return [1.0 / 3.0; 3];
    }
    let v = (x - a).cross(c - a).dot(normal) / area;
    let w = (b - a).cross(x - a).dot(normal) / area;
    [1.0 - v - w, v, w]
}
