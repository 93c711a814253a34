//! A closed net of triangles that can be split, collapsed and flipped and stays a manifold.

use kreisel::DVec3;
use std::collections::HashSet;

/// Rank of a vertex that may move in the surface.
pub const FACE: u8 = 1;
/// Rank of a vertex that may move along a crease.
pub const CREASE: u8 = 2;
/// Rank of a vertex that stays.
pub const CORNER: u8 = 3;

/// A triangle that is gone.
const GONE: [u32; 3] = [u32::MAX; 3];

/// A closed, oriented net of triangles.
#[derive(Default)]
pub struct Net {
    /// Places of the vertices [m].
    pub at: Vec<DVec3>,
    /// What each vertex lies on: `FACE`, `CREASE` or `CORNER`.
    pub rank: Vec<u8>,
    /// Triangles, anticlockwise from outside; some are gone.
    triangles: Vec<[u32; 3]>,
    /// The triangles of each vertex.
    of: Vec<Vec<u32>>,
    /// Edges that lie on creases, lower number first.
    creases: HashSet<[u32; 2]>,
}

/// An edge with the triangles on both sides: (a, b, c) and (b, a, d).
#[derive(Clone, Copy)]
pub struct Hinge {
    /// First end.
    pub a: u32,
    /// Second end.
    pub b: u32,
    /// Third corner on the left.
    pub c: u32,
    /// Third corner on the right.
    pub d: u32,
    left: u32,
    right: u32,
}

impl Net {
    /// A net of vertices with ranks, triangles, and edges that lie on creases.
    pub fn new(at: Vec<DVec3>, rank: Vec<u8>, triangles: Vec<[u32; 3]>, creases: HashSet<[u32; 2]>) -> Net {
        let mut of = vec![Vec::new(); at.len()];
        for (k, t) in triangles.iter().enumerate() {
            t.iter().for_each(|&v| of[v as usize].push(k as u32));
        }
        Net { at, rank, triangles, of, creases }
    }

    /// Whether an edge lies on a crease.
    pub fn is_crease(&self, a: u32, b: u32) -> bool {
        self.creases.contains(&[a.min(b), a.max(b)])
    }

    /// Says that an edge lies on a crease.
    pub fn mark_crease(&mut self, a: u32, b: u32) {
        self.creases.insert([a.min(b), a.max(b)]);
    }

    /// Says that an edge lies on no crease.
    pub fn unmark_crease(&mut self, a: u32, b: u32) {
        self.creases.remove(&[a.min(b), a.max(b)]);
    }

    /// Every edge once, lower number first.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let sides = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        self.triangles.iter().filter(|t| **t != GONE).flat_map(sides).filter(|[a, b]| a < b).collect()
    }

    /// Length of an edge [m].
    pub fn length(&self, a: u32, b: u32) -> f64 {
        (self.at[a as usize] - self.at[b as usize]).length()
    }

    /// The triangles that meet at a vertex.
    pub fn fan(&self, v: u32) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.of[v as usize].iter().map(|&t| self.triangles[t as usize])
    }

    /// The neighbours of a vertex, each once.
    pub fn ring(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        self.fan(v).map(move |t| after(t, v))
    }

    /// Number of neighbours.
    pub fn valence(&self, v: u32) -> usize {
        self.of[v as usize].len()
    }

    /// Twice the area of a triangle times its normal [m²].
    pub fn cross(&self, t: [u32; 3]) -> DVec3 {
        let [a, b, c] = t.map(|v| self.at[v as usize]);
        (b - a).cross(c - a)
    }

    /// The edge between two vertices, if there is one.
    pub fn hinge(&self, a: u32, b: u32) -> Option<Hinge> {
        let find = |from: u32, to: u32| {
            self.of[from as usize].iter().copied().find(|&t| after(self.triangles[t as usize], from) == to)
        };
        let (left, right) = (find(a, b)?, find(b, a)?);
        let (c, d) = (after(self.triangles[left as usize], b), after(self.triangles[right as usize], a));
        Some(Hinge { a, b, c, d, left, right })
    }

    /// Puts a vertex on an edge; creases pass through it.
    pub fn split(&mut self, hinge: Hinge, at: DVec3, rank: u8) {
        let Hinge { a, b, c, d, left, right } = hinge;
        let m = self.at.len() as u32;
        self.at.push(at);
        self.rank.push(rank);
        self.of.push(Vec::new());
        if self.creases.remove(&[a.min(b), a.max(b)]) {
            self.creases.insert([a, m]);
            self.creases.insert([b, m]);
        }
        self.set(left, [a, m, c]);
        self.set(right, [m, a, d]);
        self.add([m, b, c]);
        self.add([b, m, d]);
    }

    /// Whether `gone` can become one with its neighbour `kept` without the net ceasing to be a manifold.
    pub fn can_collapse(&self, hinge: Hinge) -> bool {
        let Hinge { a: gone, b: kept, c, d, .. } = hinge;
        let common = self.ring(gone).filter(|&v| self.ring(kept).any(|w| w == v)).count();
        let open = self.valence(c) > 3 && self.valence(d) > 3;
        common == 2 && open && c != d
    }

    /// Whether collapsing an edge would make one crease of two.
    pub fn joins_creases(&self, Hinge { a, b, c, d, .. }: Hinge) -> bool {
        [c, d].iter().any(|&v| self.is_crease(a, v) && self.is_crease(b, v))
    }

    /// Makes `hinge.a` one with `hinge.b`, which moves to a place.
    pub fn collapse(&mut self, hinge: Hinge, at: DVec3) {
        let Hinge { a: gone, b: kept, left, right, .. } = hinge;
        let ring: Vec<u32> = self.ring(gone).collect();
        for v in ring {
            if self.creases.remove(&[gone.min(v), gone.max(v)]) && v != kept {
                self.creases.insert([kept.min(v), kept.max(v)]);
            }
        }
        self.set(left, GONE);
        self.set(right, GONE);
        for t in self.of[gone as usize].clone() {
            let corners = self.triangles[t as usize];
            self.set(t, corners.map(|v| if v == gone { kept } else { v }));
        }
        self.at[kept as usize] = at;
    }

    /// Whether the edge can be replaced by the one between the opposite corners.
    pub fn can_flip(&self, hinge: Hinge) -> bool {
        let Hinge { a, b, c, d, .. } = hinge;
        let free = c != d && !self.is_crease(a, b) && self.ring(c).all(|v| v != d);
        free && self.valence(a) > 3 && self.valence(b) > 3
    }

    /// Replaces the edge by the one between the opposite corners.
    pub fn flip(&mut self, hinge: Hinge) {
        let Hinge { a, b, c, d, left, right } = hinge;
        self.set(left, [a, d, c]);
        self.set(right, [b, c, d]);
    }

    /// The vertices and triangles that are left, numbered anew.
    pub fn finish(self) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let mut number = vec![u32::MAX; self.at.len()];
        let mut places = Vec::new();
        for (k, at) in self.at.iter().enumerate().filter(|(k, _)| !self.of[*k].is_empty()) {
            number[k] = places.len() as u32;
            places.push(*at);
        }
        let left = self.triangles.iter().filter(|t| **t != GONE);
        (places, left.map(|t| t.map(|v| number[v as usize])).collect())
    }

    fn add(&mut self, t: [u32; 3]) {
        self.triangles.push(GONE);
        self.set(self.triangles.len() as u32 - 1, t);
    }

    /// Replaces a triangle, in the lists of its vertices too.
    fn set(&mut self, k: u32, t: [u32; 3]) {
        let old = std::mem::replace(&mut self.triangles[k as usize], t);
        if old != GONE {
            old.iter().for_each(|&v| self.of[v as usize].retain(|&other| other != k));
        }
        if t != GONE {
            t.iter().for_each(|&v| self.of[v as usize].push(k));
        }
    }
}

/// The corner after `v` in a triangle.
fn after(t: [u32; 3], v: u32) -> u32 {
    if t[0] == v {
        t[1]
    } else if t[1] == v {
        t[2]
    } else {
        t[0]
    }
}
