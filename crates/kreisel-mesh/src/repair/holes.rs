//! Holes: tiny ones are closed, larger ones are told.

use super::Mesh;
use super::edges::{OPEN, Twins, ends, next};
use crate::error::Problem;
use kreisel::DVec3;

/// A tiny hole has at most this many edges …
const MOST_EDGES: usize = 16;
/// … and at most this share of the whole area. A body loses by it less than what its elements cannot show anyway.
const LARGEST_SHARE: f64 = 1e-3;

/// A closed chain of open half-edges.
struct Hole {
    half_edges: Vec<u32>,
}

impl Hole {
    fn places<'a>(&'a self, mesh: &'a Mesh) -> impl Iterator<Item = DVec3> + 'a {
        self.half_edges.iter().map(|&h| mesh.vertices[ends(mesh, h).0 as usize])
    }

    fn centre(&self, mesh: &Mesh) -> DVec3 {
        self.places(mesh).sum::<DVec3>() / self.half_edges.len() as f64
    }

    /// Area of the fan around the centre.
    fn area(&self, mesh: &Mesh) -> f64 {
        let centre = self.centre(mesh);
        let place = |v: u32| mesh.vertices[v as usize] - centre;
        let triangle = |&h: &u32| {
            let (a, b) = ends(mesh, h);
            0.5 * place(a).cross(place(b)).length()
        };
        self.half_edges.iter().map(triangle).sum()
    }

    fn size(&self, mesh: &Mesh) -> f64 {
        let none = (DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY));
        let (low, high) = self.places(mesh).fold(none, |(l, h), x| (l.min(x), h.max(x)));
        (high - low).length()
    }
}

/// Closes tiny holes and returns how many; larger ones are refused.
pub fn fill_tiny(mesh: &mut Mesh, twins: &Twins) -> Result<usize, Problem> {
    let holes = find(mesh, twins);
    let most_area = LARGEST_SHARE * mesh.area();
    let is_tiny = |h: &Hole| h.half_edges.len() <= MOST_EDGES && h.area(mesh) <= most_area;
    let large: Vec<&Hole> = holes.iter().filter(|h| !is_tiny(h)).collect();
    let largest = large.iter().max_by(|a, b| a.size(mesh).total_cmp(&b.size(mesh)));
    if let Some(hole) = largest {
        let (edges, size, at) = (hole.half_edges.len(), hole.size(mesh), hole.centre(mesh));
        return Err(Problem::Holes { count: large.len(), edges, size, at });
    }
    holes.iter().for_each(|hole| close(mesh, hole));
    Ok(holes.len())
}

/// All chains of open half-edges. Around the end of one, the next is found by turning through the triangles there.
fn find(mesh: &Mesh, twins: &Twins) -> Vec<Hole> {
    let mut seen = vec![false; twins.of.len()];
    let mut holes = Vec::new();
    for start in 0..twins.of.len() as u32 {
        if twins.of[start as usize] != OPEN || seen[start as usize] {
            continue;
        }
        let mut half_edges = Vec::new();
        let mut half = start;
        while !std::mem::replace(&mut seen[half as usize], true) {
            half_edges.push(half);
            half = next(half);
            // A corner has fewer triangles than the mesh: the bound only guards against a mesh that is not oriented.
            for _ in 0..mesh.triangles.len() {
                if twins.of[half as usize] == OPEN {
                    break;
                }
                half = next(twins.of[half as usize]);
            }
        }
        holes.push(Hole { half_edges });
    }
    holes
}

/// Closes a hole with the triangles of least area: `A(i, j) = min over k of A(i, k) + A(k, j) + area(i, k, j)`
/// [BS95].
fn close(mesh: &mut Mesh, hole: &Hole) {
    let places: Vec<DVec3> = hole.places(mesh).collect();
    let n = places.len();
    let area = |i: usize, k: usize, j: usize| (places[k] - places[i]).cross(places[j] - places[i]).length();
    let mut least = vec![0.0; n * n];
    let mut through = vec![0; n * n];
    for (span, i) in (2..n).flat_map(|span| (0..n - span).map(move |i| (span, i))) {
        let j = i + span;
        let cost = |k: usize| least[i * n + k] + least[k * n + j] + area(i, k, j);
        let best = (i + 1..j).min_by(|&a, &b| cost(a).total_cmp(&cost(b))).unwrap_or(i + 1);
        (least[i * n + j], through[i * n + j]) = (cost(best), best);
    }
    let mut stack = vec![(0, n - 1)];
    while let Some((i, j)) = stack.pop() {
        if j < i + 2 {
            continue;
        }
        let k = through[i * n + j];
        let corner = |c: usize| ends(mesh, hole.half_edges[c]).0;
        let triangle = [corner(i), corner(j), corner(k)]; // against the way of the rim
        let source = mesh.source[hole.half_edges[i] as usize / 3];
        mesh.triangles.push(triangle);
        mesh.source.push(source);
        stack.extend([(i, k), (k, j)]);
    }
}
