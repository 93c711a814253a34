//! Energy, forces and stiffness of springs and cells at given positions, for static problems.

use crate::force::volume;
use crate::linear::{Operator, Vectors};
use crate::model::{Cell, Connections};
use crate::statics::{StaticProblem, negate};
use glamx::{DMat3, DVec3};

/// Direction from the second to the first end, and length; no direction if the ends coincide.
fn direction(ends: [u32; 2], positions: &Vectors) -> (DVec3, f64) {
    let apart = positions.get(ends[0] as usize) - positions.get(ends[1] as usize);
    let d = apart.length();
    (if d > 0.0 { apart / d } else { DVec3::ZERO }, d)
}

/// Elastic energy at other positions [J]: `Σ ½ k (d − l)²` and the cells'.
pub(super) fn energy(problem: &StaticProblem, positions: &Vectors) -> f64 {
    let springs = problem.connections.ends.iter().enumerate().map(|(c, &ends)| {
        let constants = problem.connections.constants(c);
        let stretch = direction(ends, positions).1 - constants.rest_length;
        0.5 * constants.stiffness * stretch * stretch
    });
    springs.sum::<f64>() + volume::energy(problem.cells, positions)
}

/// Adds the forces of springs, `−k (d − l) n` on the first end, and cells at other positions [N].
pub(super) fn add_force(problem: &StaticProblem, positions: &Vectors, forces: &mut Vectors) {
    for (c, &ends) in problem.connections.ends.iter().enumerate() {
        let constants = problem.connections.constants(c);
        let (n, d) = direction(ends, positions);
        let pull = constants.stiffness * (d - constants.rest_length) * n;
        forces.add(ends[0] as usize, -pull);
        forces.add(ends[1] as usize, pull);
    }
    volume::add_force(problem.cells, positions, forces);
}

/// One spring's `K = axial n nᵀ + lateral (I − n nᵀ)`.
struct SpringTangent {
    ends: [u32; 2],
    n: DVec3,
    axial: f64,
    lateral: f64,
}

/// The stiffness `K = −∂f/∂x` at given positions.
pub(super) struct Tangent<'a> {
    springs: Vec<SpringTangent>,
    cells: &'a [Cell],
    positions: &'a Vectors,
    semidefinite: bool,
}

impl<'a> Tangent<'a> {
    /// `K_b = k [n nᵀ + (1 − l/d)(I − n nᵀ)]`; `semidefinite` replaces `1 − l/d` by zero where it is negative, which is
    /// the exact projection of a spring's matrix on the positive semidefinite ones.
    pub fn new(connections: &Connections, cells: &'a [Cell], positions: &'a Vectors, semidefinite: bool) -> Self {
        let spring = |(c, &ends): (usize, &[u32; 2])| {
            let constants = connections.constants(c);
            let (n, d) = direction(ends, positions);
            let turning = if d > 0.0 { 1.0 - constants.rest_length / d } else { 0.0 };
            let turning = if semidefinite { turning.max(0.0) } else { turning };
            SpringTangent { ends, n, axial: constants.stiffness, lateral: constants.stiffness * turning }
        };
        let springs = connections.ends.iter().enumerate().map(spring).collect();
        Self { springs, cells, positions, semidefinite }
    }

    /// The 3×3 diagonal blocks [N/m].
    pub fn diagonal(&self) -> Vec<DMat3> {
        let mut blocks = vec![DMat3::ZERO; self.positions.len()];
        for s in &self.springs {
            let block = (s.axial - s.lateral) * DMat3::from_cols(s.n * s.n.x, s.n * s.n.y, s.n * s.n.z)
                + s.lateral * DMat3::IDENTITY;
            blocks[s.ends[0] as usize] += block;
            blocks[s.ends[1] as usize] += block;
        }
        volume::add_diagonal(self.cells, self.positions, &mut blocks);
        blocks
    }
}

impl Operator for Tangent<'_> {
    fn apply(&self, x: &Vectors, y: &mut Vectors) {
        y.reset(x.len());
        volume::add_differential(self.cells, self.positions, x, self.semidefinite, y);
        // The differential is that of the force, the stiffness its negative.
        negate(y);
        for s in &self.springs {
            let [i, j] = s.ends.map(|e| e as usize);
            let u = x.get(i) - x.get(j);
            let pull = s.lateral * u + (s.axial - s.lateral) * s.n.dot(u) * s.n;
            y.add(i, pull);
            y.add(j, -pull);
        }
    }
}
