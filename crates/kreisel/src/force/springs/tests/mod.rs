//! Tests of the springs: physics first, then the same bits everywhere.

mod bits;
mod fracture;
mod physics;

use super::{Spring, SpringRuns};
use crate::DVec3;
use crate::linear::Vectors;

/// Numbers that look random, the same in every run (Marsaglia's xorshift).
pub(super) struct Random(pub u64);

impl Random {
    /// Between −1 and 1.
    pub fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.number() + 1.0) / 2.0 * n as f64) as usize % n
    }

    pub fn field(&mut self, n: usize) -> Vectors {
        let mut field = Vectors::zeros(n);
        for e in 0..n {
            field.set(e, DVec3::new(self.number(), self.number(), self.number()));
        }
        field
    }

    /// Any pair but an element with itself, any parameters.
    pub fn spring(&mut self, e1: usize, e2: usize) -> Spring {
        let (stiffness, rest_length) = (2.0 + self.number(), 0.5 + 0.4 * self.number());
        let (damping, break_length) = (1.0 + self.number(), 2.0 * rest_length);
        Spring { e1: e1 as u32, e2: e2 as u32, stiffness, rest_length, damping, break_length }
    }
}

/// A net of `count` connections between random pairs, some pairs more than once, most of them near.
pub(super) fn net(elements: usize, count: usize, random: &mut Random) -> Vec<Spring> {
    let mut springs = Vec::new();
    while springs.len() < count {
        let e1 = random.below(elements);
        let e2 = if random.number() > 0.0 { random.below(elements) } else { (e1 + 1 + random.below(9)) % elements };
        if e1 != e2 {
            springs.push(random.spring(e1, e2));
        }
    }
    springs
}

/// The 18-neighbour lattice of `size` nodes, with parameters that differ from connection to connection.
pub(super) fn lattice(size: [usize; 3], random: &mut Random) -> Vec<Spring> {
    let [nx, ny, nz] = size;
    let at = |e: usize| [e % nx, e / nx % ny, e / (nx * ny)];
    let mut springs = Vec::new();
    for e in 0..nx * ny * nz {
        for step in [1, nx - 1, nx, nx + 1, nx * (ny - 1), nx * ny - 1, nx * ny, nx * ny + 1, nx * (ny + 1)] {
            let far = (0..3).map(|c| at(e)[c].abs_diff(at(e + step)[c])).max();
            if e + step < nx * ny * nz && far == Some(1) {
                springs.push(random.spring(e, e + step));
            }
        }
    }
    springs
}

/// Spring forces, damper forces, energy.
pub(super) fn forces(runs: &SpringRuns, x: &Vectors, v: &Vectors) -> (Vectors, Vectors, f64) {
    let (mut elastic, mut damping) = (Vectors::zeros(x.len()), Vectors::zeros(x.len()));
    let sums = runs.add_forces(x, v, &mut elastic, &mut damping);
    (elastic, damping, sums.energy)
}

/// The bits of a field; a zero has no sign here, because a hole in a run may add one.
pub(super) fn bits(field: &Vectors) -> Vec<u64> {
    field.x.iter().chain(&field.y).chain(&field.z).map(|a| (a + 0.0).to_bits()).collect()
}
