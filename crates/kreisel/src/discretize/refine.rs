//! Triangles cut smaller, without cracks: both triangles of a long edge cut it at the same point.

use crate::discretize::DiscretizeError;
use glamx::DVec3;

/// More triangles than this are refused.
const MOST_TRIANGLES: usize = 50_000_000;

/// Vertices and triangles, and for each triangle the one it was cut from.
pub(super) struct Refined {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    pub origin: Vec<u32>,
}

/// Halves edges until none is longer than `longest` [m]; the given vertices stay first.
pub(super) fn refine(vertices: &[DVec3], triangles: &[[u32; 3]], longest: f64) -> Result<Refined, DiscretizeError> {
    let origin = (0..triangles.len() as u32).collect();
    let mut mesh = Refined { vertices: vertices.to_vec(), triangles: triangles.to_vec(), origin };
    loop {
        let edges = long_edges(&mesh, longest);
        if edges.is_empty() {
            return Ok(mesh);
        }
        if mesh.triangles.len() > MOST_TRIANGLES {
            let reason = format!("triangles as small as cells ({longest} m) would be more than {MOST_TRIANGLES}");
            return Err(DiscretizeError::BadSkin { reason });
        }
        halve(&mut mesh, &edges);
    }
}

fn sides(t: [u32; 3]) -> [[u32; 2]; 3] {
    [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]].map(|[a, b]| [a.min(b), a.max(b)])
}

/// The edges that are too long, sorted, each once.
fn long_edges(mesh: &Refined, longest: f64) -> Vec<[u32; 2]> {
    // A little slack: an edge that is as long as a cell but for rounding stays.
    let limit = (longest * (1.0 + 1e-9)).powi(2);
    let is_long = |e: &[u32; 2]| mesh.vertices[e[0] as usize].distance_squared(mesh.vertices[e[1] as usize]) > limit;
    let mut edges: Vec<[u32; 2]> = mesh.triangles.iter().flat_map(|&t| sides(t)).filter(is_long).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

fn halve(mesh: &mut Refined, edges: &[[u32; 2]]) {
    let first = mesh.vertices.len() as u32;
    mesh.vertices.reserve(edges.len());
    for &[a, b] in edges {
        let middle = 0.5 * (mesh.vertices[a as usize] + mesh.vertices[b as usize]);
        mesh.vertices.push(middle);
    }
    let middle = |e: [u32; 2]| edges.binary_search(&e).ok().map(|k| first + k as u32);
    let mut triangles = Vec::with_capacity(2 * mesh.triangles.len());
    let mut origin = Vec::with_capacity(2 * mesh.triangles.len());
    for (&t, &from) in mesh.triangles.iter().zip(&mesh.origin) {
        cut(t, sides(t).map(middle), &mesh.vertices, &mut triangles);
        origin.resize(triangles.len(), from);
    }
    (mesh.triangles, mesh.origin) = (triangles, origin);
}

/// Cuts a triangle at the middles of its sides `01`, `12`, `20`.
fn cut(t: [u32; 3], middles: [Option<u32>; 3], vertices: &[DVec3], out: &mut Vec<[u32; 3]>) {
    let count = middles.iter().flatten().count();
    // Turned so that the halved sides come first.
    let turn = (0..3).find(|&k| match count {
        1 => middles[k].is_some(),
        2 => middles[(k + 2) % 3].is_none(),
        _ => true,
    });
    let at = |k: usize| (turn.unwrap_or(0) + k) % 3;
    let [a, b, c] = [t[at(0)], t[at(1)], t[at(2)]];
    match [middles[at(0)], middles[at(1)], middles[at(2)]] {
        [Some(ab), Some(bc), Some(ca)] => out.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]),
        [Some(ab), Some(bc), None] => {
            out.push([ab, b, bc]);
            quadrilateral([a, ab, bc, c], vertices, out);
        }
        [Some(ab), None, None] => out.extend([[a, ab, c], [ab, b, c]]),
        _ => out.push(t),
    }
}

/// Two triangles, cut along the shorter diagonal.
fn quadrilateral([a, b, c, d]: [u32; 4], vertices: &[DVec3], out: &mut Vec<[u32; 3]>) {
    let length = |p: u32, q: u32| vertices[p as usize].distance_squared(vertices[q as usize]);
    if length(a, c) <= length(b, d) {
        out.extend([[a, b, c], [a, c, d]]);
    } else {
        out.extend([[a, b, d], [b, c, d]]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume and the number of directed edges without an opposite one.
    fn volume_and_cracks(mesh: &Refined) -> (f64, usize) {
        let at = |v: u32| mesh.vertices[v as usize];
        let volume = mesh.triangles.iter().map(|t| at(t[0]).dot(at(t[1]).cross(at(t[2])))).sum::<f64>() / 6.0;
        let directed = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        let mut edges: Vec<[u32; 2]> = mesh.triangles.iter().flat_map(directed).collect();
        edges.sort_unstable();
        let alone = |e: &&[u32; 2]| edges.binary_search(&[e[1], e[0]]).is_err();
        (volume, edges.iter().filter(alone).count())
    }

    #[test]
    fn a_refined_surface_has_no_cracks_and_the_same_volume_and_short_edges() {
        let vertices = [DVec3::ZERO, 7.0 * DVec3::X, 2.0 * DVec3::Y, 0.3 * DVec3::Z];
        let triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        for longest in [10.0, 3.0, 1.0, 0.11] {
            let mesh = refine(&vertices, &triangles, longest).unwrap_or_else(|e| panic!("{e}"));
            let (volume, cracks) = volume_and_cracks(&mesh);
            assert!((volume - 0.7).abs() < 1e-12 && cracks == 0, "{volume} {cracks}");
            assert!(long_edges(&mesh, longest).is_empty() && mesh.vertices.starts_with(&vertices));
            let area = |t: &[u32; 3]| {
                let [a, b, c] = t.map(|v| mesh.vertices[v as usize]);
                (b - a).cross(c - a)
            };
            for (k, given) in triangles.iter().enumerate() {
                let parts = mesh.triangles.iter().zip(&mesh.origin).filter(|(_, o)| **o == k as u32);
                let sum: DVec3 = parts.map(|(t, _)| area(t)).sum();
                assert!((sum - area(given)).length() < 1e-11, "triangle {k} is the sum of its parts");
            }
        }
    }
}
