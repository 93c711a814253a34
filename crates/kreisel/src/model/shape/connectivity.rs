//! How the triangles of a mesh hang together, and whether they bound a convex solid.

use super::{Polyhedron, TriangleMesh};
use glamx::DVec3;

/// Meshes of more triangles are not looked at as polyhedra: joining the faces of their hull takes a time that grows with the square.
const MOST_TRIANGLES: usize = 2000;

/// An edge may be hollow by this sine, and a mesh smaller than its hull by this share, and count as convex: meshes of single
/// precision are no better.
const HOLLOW: f64 = 1e-5;

/// The triangles with one number for all vertices in the same place: files often give every face its own corners.
pub(super) fn welded(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    let place = |v: &u32| vertices[*v as usize].to_array().map(|x| (x + 0.0).to_bits());
    order.sort_unstable_by_key(|v| (place(v), *v));
    let mut first = vec![0; vertices.len()];
    for same in order.chunk_by(|a, b| place(a) == place(b)) {
        same.iter().for_each(|&v| first[v as usize] = same[0]);
    }
    triangles.iter().map(|t| t.map(|v| first[v as usize])).collect()
}

/// For every edge the one triangle beyond it, and how many edges have none or several.
pub(super) fn neighbours_of(triangles: &[[u32; 3]]) -> (Vec<[u32; 3]>, usize) {
    let mut sides: Vec<([u32; 2], bool, u32, usize)> = Vec::with_capacity(3 * triangles.len());
    for (t, corners) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            sides.push(([a.min(b), a.max(b)], a > b, t as u32, k));
        }
    }
    sides.sort_unstable();
    let mut neighbours = vec![[u32::MAX; 3]; triangles.len()];
    let mut open = 0;
    for edge in sides.chunk_by(|a, b| a.0 == b.0) {
        match edge {
            [(_, false, s, j), (_, true, t, k)] => {
                neighbours[*s as usize][*j] = *t;
                neighbours[*t as usize][*k] = *s;
            }
            _ => open += 1,
        }
    }
    (neighbours, open)
}

/// For every vertex of the triangles those that share an edge with any in its place, and where each list begins.
pub(super) fn rings_of(vertices: usize, triangles: &[[u32; 3]], joined: &[[u32; 3]]) -> (Vec<u32>, Vec<u32>) {
    let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(6 * triangles.len());
    for t in joined {
        for k in 0..3 {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            pairs.extend([(a, b), (b, a)]);
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut first: Vec<u32> = vec![u32::MAX; vertices];
    triangles.iter().zip(joined).for_each(|(t, j)| (0..3).for_each(|k| first[t[k] as usize] = j[k]));
    let (mut all, mut starts) = (Vec::new(), vec![0]);
    for v in first {
        let from = pairs.partition_point(|p| p.0 < v);
        all.extend(pairs[from..].iter().take_while(|p| p.0 == v).map(|p| p.1));
        starts.push(all.len() as u32);
    }
    (all, starts)
}

/// The hull of a closed mesh in one piece that has no hollow edge.
pub(super) fn hull_if_convex(mesh: &TriangleMesh) -> Option<Polyhedron> {
    let count = mesh.triangles().len();
    if mesh.open_edges() > 0 || count > MOST_TRIANGLES {
        return None;
    }
    let hollow = |t: usize| (0..3).any(|k| mesh.rise(t, k).is_none_or(|rise| rise > HOLLOW));
    if (0..count).any(hollow) || !is_one_piece(mesh) {
        return None;
    }
    let hull = Polyhedron::from_points(mesh.vertices()).ok()?;
    let (own, whole) = (
        volume(mesh.vertices(), mesh.triangles().iter().copied(), mesh.vertices()[0]),
        volume(hull.vertices(), hull.triangles(), mesh.vertices()[0]),
    );
    ((own - whole).abs() <= HOLLOW * whole).then_some(hull)
}

fn is_one_piece(mesh: &TriangleMesh) -> bool {
    let mut seen = vec![false; mesh.triangles().len()];
    let mut open = vec![0];
    while let Some(t) = open.pop() {
        if !std::mem::replace(&mut seen[t], true) {
            open.extend((0..3).filter_map(|k| mesh.neighbour(t, k)));
        }
    }
    seen.into_iter().all(|s| s)
}

/// `V = Σ a·(b × c)/6`, seen from a point near the solid.
fn volume(vertices: &[DVec3], triangles: impl Iterator<Item = [u32; 3]>, o: DVec3) -> f64 {
    triangles
        .map(|t| {
            let [a, b, c] = t.map(|v| vertices[v as usize] - o);
            a.dot(b.cross(c)) / 6.0
        })
        .sum()
}
