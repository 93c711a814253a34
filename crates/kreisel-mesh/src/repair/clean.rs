//! Triangles that are none or are there twice are dropped.

use super::{Groups, Mesh};
use crate::report::Repairs;

/// Gives every vertex the number `first` says, renumbers those left in their order, and drops triangles of which two
/// corners became one. Returns the new number of every vertex.
pub fn join(mesh: &mut Mesh, first: &[u32], repairs: &mut Repairs) -> Vec<u32> {
    let mut number = vec![0u32; first.len()];
    let mut kept = 0u32;
    for k in 0..first.len() {
        if first[k] as usize == k {
            mesh.vertices[kept as usize] = mesh.vertices[k];
            number[k] = kept;
            kept += 1;
        } else {
            number[k] = number[first[k] as usize];
        }
    }
    mesh.vertices.truncate(kept as usize);
    mesh.vertices.shrink_to_fit();
    repairs.welded_vertices += first.len() - kept as usize;
    mesh.triangles.iter_mut().flatten().for_each(|v| *v = number[*v as usize]);
    let before = mesh.triangles.len();
    retain(mesh, |_, [a, b, c]| a != b && b != c && c != a);
    repairs.degenerate_triangles += before - mesh.triangles.len();
    number
}

/// Keeps the triangles that pass, with their sources.
fn retain(mesh: &mut Mesh, keep: impl Fn(usize, [u32; 3]) -> bool) {
    let mut kept = 0;
    for t in 0..mesh.triangles.len() {
        if keep(t, mesh.triangles[t]) {
            mesh.triangles[kept] = mesh.triangles[t];
            mesh.source[kept] = mesh.source[t];
            kept += 1;
        }
    }
    mesh.triangles.truncate(kept);
    mesh.source.truncate(kept);
}

/// The corners from the smallest on, and whether their order was that of a positive triangle.
fn sorted(t: [u32; 3]) -> ([u32; 3], bool) {
    let mut s = t;
    s.sort_unstable();
    let k = t.iter().position(|&v| v == s[0]).unwrap_or(0);
    (s, t[(k + 1) % 3] == s[1])
}

/// Drops all but one of triangles with the same corners. Two that look in opposite ways are a wall of no thickness
/// between two insides, and both go, unless most triangles are there both ways (a sheet drawn from both sides).
pub fn drop_duplicates(mesh: &mut Mesh, repairs: &mut Repairs) {
    let keys: Vec<([u32; 3], bool)> = mesh.triangles.iter().map(|&t| sorted(t)).collect();
    let groups = Groups::new(mesh.vertices.len(), keys.len(), |t| keys[t].0[0] as usize);
    let mut sets: Vec<Vec<u32>> = Vec::new();
    let mut bucket: Vec<u32> = Vec::new();
    for v in 0..groups.keys() {
        bucket.clear();
        bucket.extend(groups.of(v));
        bucket.sort_by_key(|&t| keys[t as usize].0); // stable: the first of the file stays first
        sets.extend(
            bucket
                .chunk_by(|a, b| keys[*a as usize].0 == keys[*b as usize].0)
                .filter(|c| c.len() > 1)
                .map(<[u32]>::to_vec),
        );
    }
    if sets.is_empty() {
        return;
    }
    let ways = |set: &[u32]| set.iter().filter(|t| keys[**t as usize].1).count();
    let walls = sets.iter().filter(|s| 2 * ways(s) == s.len()).count();
    let both_sided = 4 * walls > keys.len();
    let mut keep = vec![true; keys.len()];
    for set in &sets {
        let gone = if 2 * ways(set) == set.len() && !both_sided { 0 } else { 1 };
        set.iter().skip(gone).for_each(|&t| keep[t as usize] = false);
    }
    let before = mesh.triangles.len();
    retain(mesh, |t, _| keep[t]);
    repairs.duplicate_triangles += before - mesh.triangles.len();
}
