//! Which triangles meet at which edge.

use super::{Groups, Mesh};
use crate::error::Problem;

/// No neighbour.
pub const OPEN: u32 = u32::MAX;

/// For every half-edge `3 t + k` (from corner `k` of triangle `t` to the next) the half-edge of the neighbour.
#[derive(Clone, Debug)]
pub struct Twins {
    /// The neighbour's half-edge; [`OPEN`] if there is none.
    pub of: Vec<u32>,
    /// Half-edges without a neighbour.
    pub open: usize,
    /// Edges with more than two triangles.
    pub crowded: usize,
    /// The first of them: a half-edge, and how many triangles it has.
    pub first_crowded: Option<(u32, usize)>,
}

/// Where a half-edge begins and ends.
pub fn ends(mesh: &Mesh, half: u32) -> (u32, u32) {
    let (t, k) = (half as usize / 3, half as usize % 3);
    (mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3])
}

/// The next half-edge around the same triangle.
pub fn next(half: u32) -> u32 {
    if half % 3 == 2 { half - 2 } else { half + 1 }
}

/// Finds the neighbours of all triangles.
pub fn twins(mesh: &Mesh) -> Twins {
    let half_edges = 3 * mesh.triangles.len();
    let low = |h: usize| {
        let (a, b) = ends(mesh, h as u32);
        a.min(b) as usize
    };
    let groups = Groups::new(mesh.vertices.len(), half_edges, low);
    let mut twins = Twins { of: vec![OPEN; half_edges], open: 0, crowded: 0, first_crowded: None };
    let mut bucket: Vec<(u32, u32)> = Vec::new();
    for v in 0..groups.keys() {
        bucket.clear();
        bucket.extend(groups.of(v).iter().map(|&h| {
            let (a, b) = ends(mesh, h);
            (a.max(b), h)
        }));
        bucket.sort_unstable();
        for edge in bucket.chunk_by(|a, b| a.0 == b.0) {
            twins.add(edge);
        }
    }
    twins
}

impl Twins {
    fn add(&mut self, edge: &[(u32, u32)]) {
        match *edge {
            [_] => self.open += 1,
            [(_, a), (_, b)] => {
                self.of[a as usize] = b;
                self.of[b as usize] = a;
            }
            _ => {
                self.crowded += 1;
                let first = edge.first().map(|e| (e.1, edge.len()));
                self.first_crowded = self.first_crowded.or(first);
            }
        }
    }

    /// Refuses edges with more than two triangles.
    pub fn check_manifold(&self, mesh: &Mesh) -> Result<(), Problem> {
        let Some((half, triangles)) = self.first_crowded else { return Ok(()) };
        let (a, b) = ends(mesh, half);
        let at = 0.5 * (mesh.vertices[a as usize] + mesh.vertices[b as usize]);
        Err(Problem::NotManifold { count: self.crowded, triangles, at })
    }
}
