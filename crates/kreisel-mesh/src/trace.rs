//! The way back to the file: which of its vertices, names and texture coordinates a surface has.

use crate::repair::Mesh;
use crate::soup::Soup;
use kreisel::model::{Surface, SurfacePart, SurfaceTrace};

/// A vertex of the file that no triangle uses.
pub const UNUSED: u32 = u32::MAX;

/// The surface with names, texture coordinates and the numbering of the file; `number` is the vertex of the surface
/// for every vertex of the file. A vertex that nothing uses takes the number of the one before it, so that numbers
/// stay the file's own; where it lies is of no consequence.
pub fn surface(mesh: Mesh, soup: Soup, number: Vec<u32>, made_anew: bool) -> Surface {
    if made_anew {
        return Surface { vertices: mesh.vertices, triangles: mesh.triangles, ..Surface::default() };
    }
    let parts = parts(&mesh, &soup);
    let trace = if soup.numbered { trace(&mesh, soup, number) } else { SurfaceTrace::default() };
    Surface { vertices: mesh.vertices, triangles: mesh.triangles, parts, trace }
}

fn trace(mesh: &Mesh, soup: Soup, mut number: Vec<u32>) -> SurfaceTrace {
    let mut first_of = vec![UNUSED; mesh.vertices.len()];
    for (k, n) in number.iter().enumerate().rev().filter(|(_, n)| **n != UNUSED) {
        first_of[*n as usize] = k as u32;
    }
    let corner = |t: usize, k: usize| {
        let (vertex, file) = (mesh.triangles[t][k], &soup.triangles[mesh.source[t] as usize]);
        file.iter().position(|&v| number[v as usize] == vertex)
    };
    let file_vertex = |t: usize, k: usize| match corner(t, k) {
        Some(c) => soup.triangles[mesh.source[t] as usize][c],
        None => first_of[mesh.triangles[t][k] as usize],
    };
    let all = 0..mesh.triangles.len();
    let corners: Vec<[u32; 3]> = all.clone().map(|t| std::array::from_fn(|k| file_vertex(t, k))).collect();
    let uv = |t: usize, k: usize| soup.uv_corners[mesh.source[t] as usize][corner(t, k).unwrap_or(0)];
    let has_uvs = !soup.uv_corners.is_empty();
    let uv_corners = all.filter(|_| has_uvs).map(|t| std::array::from_fn(|k| uv(t, k))).collect();
    let uvs = if has_uvs { soup.uvs } else { Vec::new() };
    if number.len() == mesh.vertices.len() && number.iter().enumerate().all(|(k, n)| k as u32 == *n) {
        return SurfaceTrace { uvs, uv_corners, ..SurfaceTrace::default() };
    }
    let mut last = 0;
    for n in &mut number {
        *n = if *n == UNUSED { last } else { *n };
        last = *n;
    }
    SurfaceTrace { vertices: number, corners, uvs, uv_corners }
}

/// Name of the run of triangles that closed holes.
const FILLING: &str = "filled holes";

/// The runs of the file without what was dropped; triangles that close holes are a run of their own.
fn parts(mesh: &Mesh, soup: &Soup) -> Vec<SurfacePart> {
    if soup.parts.is_empty() {
        return Vec::new();
    }
    // Sources rise until the triangles that fill holes.
    let original = mesh.source.windows(2).position(|w| w[1] <= w[0]).map_or(mesh.source.len(), |k| k + 1);
    let before = |t: u32| mesh.source[..original].partition_point(|s| *s < t) as u32;
    let run = |p: &SurfacePart| {
        let (first, end) = (before(p.first), before(p.first + p.count));
        SurfacePart { name: p.name.clone(), first, count: end - first }
    };
    let filling =
        SurfacePart { name: FILLING.to_string(), first: original as u32, count: (mesh.source.len() - original) as u32 };
    soup.parts.iter().map(run).chain([filling]).filter(|p| p.count > 0).collect()
}
