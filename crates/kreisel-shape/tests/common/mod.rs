//! What the tests of shapes share: random numbers with a seed, and looking at surfaces.
#![allow(clippy::unwrap_used, dead_code)]

use kreisel::model::Surface;
use kreisel::{DQuat, DVec3};
use kreisel_shape::Solid;
use std::collections::HashMap;

/// SplitMix. [SLF14]
pub struct Random(pub u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    pub fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| self.between(-size, size)))
    }

    pub fn rotation(&mut self) -> DQuat {
        let axis = self.vector(1.0).normalize();
        DQuat::from_axis_angle(axis, self.between(0.0, 3.0))
    }

    /// A primitive of about half a metre.
    pub fn primitive(&mut self) -> Solid {
        let [a, b] = std::array::from_fn(|_| self.between(0.2, 0.5));
        let sizes = DVec3::from_array(std::array::from_fn(|_| self.between(0.2, 0.5)));
        match self.below(8) {
            0 => Solid::Box { size: 2.0 * sizes },
            1 => Solid::Sphere { radius: a },
            2 => Solid::Cylinder { radius: a, height: 2.0 * b },
            3 => Solid::Capsule { radius: a, height: 2.0 * a + b },
            4 => Solid::Torus { radius: a, thickness: 1.2 * a },
            5 => Solid::Ellipsoid { radii: sizes },
            6 => Solid::Cone { radius: a, height: 2.0 * b, top: if a > b { 0.0 } else { 0.5 * a } },
            _ => Solid::Limb { from: 0.3 * sizes, to: -sizes, start: a, end: 0.6 * a },
        }
    }

    /// A tree of solids.
    pub fn solid(&mut self, depth: usize) -> Solid {
        if depth == 0 {
            return self.primitive();
        }
        let n = 2 + self.below(2);
        let mut parts: Vec<Solid> = (0..n).map(|_| self.moved(depth - 1)).collect();
        match self.below(5) {
            0 => Solid::Union(parts),
            1 => Solid::Difference(Box::new(self.solid(depth - 1)), parts),
            2 => Solid::Intersection(parts),
            3 => Solid::Blend { parts, radius: self.between(0.05, 0.2) },
            _ => Solid::Shell { solid: Box::new(parts.remove(0)), wall: self.between(0.1, 0.15) },
        }
    }

    fn moved(&mut self, depth: usize) -> Solid {
        let (at, rotation, scale) = (self.vector(0.3), self.rotation(), self.between(0.7, 1.3));
        Solid::Moved { at, rotation, scale, solid: Box::new(self.solid(depth)) }
    }
}

/// Whether every edge is passed once in each direction: closed, oriented, and two triangles at each edge.
pub fn is_closed(surface: &Surface) -> bool {
    let edges = edges(surface);
    edges.iter().all(|([a, b], n)| *n == 1 && edges.get(&[*b, *a]) == Some(&1))
}

fn edges(surface: &Surface) -> HashMap<[u32; 2], u32> {
    let mut edges = HashMap::new();
    for t in &surface.triangles {
        for side in [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]] {
            *edges.entry(side).or_default() += 1;
        }
    }
    edges
}

/// Whether the triangles around each vertex form one fan.
pub fn has_single_fans(surface: &Surface) -> bool {
    let mut next: Vec<HashMap<u32, u32>> = vec![HashMap::new(); surface.vertices.len()];
    for t in &surface.triangles {
        for k in 0..3 {
            next[t[k] as usize].insert(t[(k + 1) % 3], t[(k + 2) % 3]);
        }
    }
    next.iter().all(|ring| {
        let Some(&start) = ring.keys().min() else { return false };
        let (mut at, mut steps) = (start, 0);
        while steps <= ring.len() {
            at = ring[&at];
            steps += 1;
            if at == start {
                break;
            }
        }
        steps == ring.len()
    })
}

/// Vertices − edges + triangles.
pub fn euler(surface: &Surface) -> i64 {
    surface.vertices.len() as i64 - edges(surface).len() as i64 / 2 + surface.triangles.len() as i64
}

/// Smallest angle of each triangle [°], in rising order.
pub fn smallest_angles(surface: &Surface) -> Vec<f64> {
    let smallest = |t: usize| {
        let [a, b, c] = surface.corners(t);
        let angle = |u: DVec3, v: DVec3| u.angle_between(v).to_degrees();
        angle(b - a, c - a).min(angle(c - b, a - b)).min(angle(a - c, b - c))
    };
    let mut angles: Vec<f64> = (0..surface.triangles.len()).map(smallest).collect();
    angles.sort_by(f64::total_cmp);
    angles
}
