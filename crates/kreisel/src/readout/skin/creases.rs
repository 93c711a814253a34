//! Sharp edges: a vertex on one appears once for each of its smooth sides.

use crate::readout::skin::CREASE;
use glamx::DVec3;

/// The node of every vertex, and the triangles of vertices; vertex `k` is node `k` as long as there are nodes.
pub(super) fn split(
    nodes: &[DVec3],
    triangles: &[[u32; 3]],
    is_wound: impl Fn(usize) -> bool,
) -> (Vec<u32>, Vec<[u32; 3]>) {
    let sides = smooth_sides(nodes, triangles, is_wound);
    let mut node: Vec<u32> = (0..nodes.len() as u32).collect();
    let mut is_taken = vec![false; nodes.len()];
    let mut vertex = vec![u32::MAX; sides.len()];
    let mut split = triangles.to_vec();
    for (corner, v) in split.iter_mut().flatten().enumerate() {
        let side = sides[corner] as usize;
        if vertex[side] == u32::MAX {
            let k = *v as usize;
            vertex[side] = if is_taken[k] { node.len() as u32 } else { *v };
            if is_taken[k] {
                node.push(*v);
            }
            is_taken[k] = true;
        }
        *v = vertex[side];
    }
    (node, split)
}

/// For every corner of every triangle the first corner of the same node that is reached over smooth edges.
fn smooth_sides(nodes: &[DVec3], triangles: &[[u32; 3]], is_wound: impl Fn(usize) -> bool) -> Vec<u32> {
    let normal = |t: usize| {
        let [a, b, c] = triangles[t].map(|v| nodes[v as usize]);
        (b - a).cross(c - a).normalize_or_zero()
    };
    let is_smooth = |t: usize, u: usize| {
        let (n, m) = (normal(t), normal(u));
        // Triangles without area have no direction of their own.
        is_wound(t) == is_wound(u) && (n == DVec3::ZERO || m == DVec3::ZERO || n.dot(m) > CREASE)
    };
    let mut sides: Vec<u32> = (0..3 * triangles.len() as u32).collect();
    for pair in edges(triangles).chunk_by(|e, f| e.ends == f.ends) {
        let [e, f] = pair else { continue };
        let (t, u) = (e.corner as usize / 3, f.corner as usize / 3);
        if e.is_forward == f.is_forward || !is_smooth(t, u) {
            continue;
        }
        join(&mut sides, e.corner, next(f.corner));
        join(&mut sides, next(e.corner), f.corner);
    }
    (0..sides.len() as u32).map(|corner| root(&mut sides, corner)).collect()
}

/// The corner that follows in the same triangle.
fn next(corner: u32) -> u32 {
    if corner % 3 == 2 { corner - 2 } else { corner + 1 }
}

/// An edge of a triangle, from the corner to the next one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    ends: [u32; 2],
    corner: u32,
    is_forward: bool,
}

/// All edges of all triangles, sorted by their ends.
fn edges(triangles: &[[u32; 3]]) -> Vec<Edge> {
    let edge = |corner: usize| {
        let t = triangles[corner / 3];
        let (a, b) = (t[corner % 3], t[(corner + 1) % 3]);
        Edge { ends: [a.min(b), a.max(b)], corner: corner as u32, is_forward: a < b }
    };
    let mut edges: Vec<Edge> = (0..3 * triangles.len()).map(edge).collect();
    edges.sort_unstable();
    edges
}

fn join(sides: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(sides, a), root(sides, b));
    sides[a.max(b) as usize] = a.min(b);
}

fn root(sides: &mut [u32], mut i: u32) -> u32 {
    while sides[i as usize] != i {
        sides[i as usize] = sides[sides[i as usize] as usize];
        i = sides[i as usize];
    }
    i
}
