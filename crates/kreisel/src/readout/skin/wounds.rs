//! Wounds: the loops along which fracture has opened the skin are closed.
//!
//! Each loop is filled with a fan of triangles about its middle, which rides on the mean of what the loop rides on. The
//! skin of every piece is then closed again: each edge has a triangle on either side. Two pieces share the shape of the
//! break in the reference configuration, so their volumes add up to that of the whole.

use crate::model::Skin;
use crate::readout::skin::{Mesh, WOUND};
use glamx::DVec3;
use std::collections::BTreeMap;

/// Closes all loops that the given skin did not have.
pub(super) fn close(mesh: &mut Mesh<'_>, skin: &Skin) {
    let mut open = open_edges(directed_edges(&mesh.triangles));
    let is_open = |e: &[u32; 2]| open.binary_search(e).is_ok() || open.binary_search(&[e[1], e[0]]).is_ok();
    let was_open = open_edges(directed_edges(&skin.triangles).filter(is_open));
    open.retain(|e| was_open.binary_search(e).is_err());
    for ring in rings(&open, mesh.rest.len()) {
        fill(mesh, &ring, skin.rest.len());
    }
}

fn directed_edges(triangles: &[[u32; 3]]) -> impl Iterator<Item = [u32; 2]> + '_ {
    triangles.iter().flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
}

/// Directed edges that are not there the other way as well, sorted.
fn open_edges(edges: impl Iterator<Item = [u32; 2]>) -> Vec<[u32; 2]> {
    let mut edges: Vec<([u32; 2], bool)> = edges.map(|[a, b]| ([a.min(b), a.max(b)], a < b)).collect();
    edges.sort_unstable();
    let mut open = Vec::new();
    for same in edges.chunk_by(|a, b| a.0 == b.0) {
        let [a, b] = same[0].0;
        let forwards = same.iter().filter(|e| e.1).count();
        let backwards = same.len() - forwards;
        let edge = if forwards > backwards { [a, b] } else { [b, a] };
        open.extend(std::iter::repeat_n(edge, forwards.abs_diff(backwards)));
    }
    open.sort_unstable();
    open
}

/// Rings of nodes along directed edges, no node twice in one; edges that lead nowhere are left out.
fn rings(edges: &[[u32; 2]], nodes: usize) -> Vec<Vec<u32>> {
    let mut is_used = vec![false; edges.len()];
    let mut place = vec![usize::MAX; nodes];
    let mut rings = Vec::new();
    for first in 0..edges.len() {
        if is_used[first] {
            continue;
        }
        let mut path = vec![edges[first][0]];
        place[path[0] as usize] = 0;
        while let Some(&end) = path.last() {
            let from = edges.partition_point(|e| e[0] < end);
            let leaving = edges[from..].iter().take_while(|e| e[0] == end).count();
            let Some(k) = (from..from + leaving).find(|&k| !is_used[k]) else { break };
            is_used[k] = true;
            let next = edges[k][1];
            if place[next as usize] == usize::MAX {
                place[next as usize] = path.len();
                path.push(next);
            } else {
                let ring = path.split_off(place[next as usize]);
                ring.iter().for_each(|&n| place[n as usize] = usize::MAX);
                rings.push(ring);
                place[next as usize] = path.len();
                path.push(next);
            }
        }
        path.iter().for_each(|&n| place[n as usize] = usize::MAX);
    }
    rings
}

fn fill(mesh: &mut Mesh<'_>, ring: &[u32], skin_vertices: usize) {
    match *ring {
        [] | [_] | [_, _] => {}
        [a, b, c] => mesh.add_triangles([[a, c, b]], WOUND),
        _ => {
            let share = 1.0 / ring.len() as f64;
            let middle = ring.iter().fold(DVec3::ZERO, |s, &n| s + mesh.rest[n as usize]) * share;
            let mut weights = BTreeMap::new();
            for (e, weight) in ring.iter().flat_map(|&n| mesh.bindings.of(n as usize)) {
                *weights.entry(e).or_insert(0.0) += weight * share;
            }
            let origin = mesh.vertex_origin(ring[0], skin_vertices);
            let centre = mesh.add_node(middle, weights, origin);
            let last = ring.len() - 1;
            let fan = |k: usize| [ring[if k == last { 0 } else { k + 1 }], ring[k], centre];
            mesh.add_triangles((0..ring.len()).map(fan), WOUND);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_rings_that_touch_in_a_node_are_two_rings() {
        let edges = [[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 2], [7, 8]];
        let mut sorted: Vec<[u32; 2]> = edges.to_vec();
        sorted.sort_unstable();
        let mut found = rings(&sorted, 9);
        found.iter_mut().for_each(|r| r.sort_unstable());
        found.sort_unstable();
        assert_eq!(found, [vec![0, 1, 2], vec![2, 3, 4]]);
    }

    #[test]
    fn a_triangle_alone_is_open_on_all_sides_and_two_back_to_back_on_none() {
        assert_eq!(open_edges(directed_edges(&[[0, 1, 2]])), [[0, 1], [1, 2], [2, 0]]);
        assert!(open_edges(directed_edges(&[[0, 1, 2], [0, 2, 1]])).is_empty());
    }
}
