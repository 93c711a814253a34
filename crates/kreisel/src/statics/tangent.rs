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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discretize::box_lattice;
    use crate::linear::BlockJacobi;
    use crate::model::Material;

    /// A strained box of two by two by one cells with a volume term, and a direction to move in.
    fn strained(poisson: f64) -> (crate::discretize::Matter, Vectors, Vectors) {
        let material = Material { young: 10.0, poisson, ..Material::default() };
        let matter = box_lattice(DVec3::new(2.0, 2.0, 1.0), 1, &material).unwrap();
        let (mut x, mut u) = (Vectors::default(), Vectors::default());
        for e in 0..matter.len() {
            let (p, t) = (matter.positions.get(e), e as f64);
            x.push(p + 0.1 * DVec3::new((3.0 * t).sin(), (5.0 * t).cos(), (7.0 * t).sin()));
            u.push(DVec3::new((11.0 * t).cos(), (13.0 * t).sin(), (17.0 * t).cos()));
        }
        (matter, x, u)
    }

    #[test]
    fn forces_and_stiffness_are_the_derivatives_of_the_energy() {
        let (matter, x, u) = strained(0.4);
        let loads = Vectors::zeros(x.len());
        let (connections, cells) = (&matter.connections, matter.cells.as_slice());
        let problem = StaticProblem { positions: &x, connections, cells, loads: &loads, held: &[] };
        let at = |h: f64| {
            let mut y = x.clone();
            y.axpy(h, &u);
            let mut f = Vectors::zeros(x.len());
            add_force(&problem, &y, &mut f);
            (energy(&problem, &y), f)
        };
        let h = 1e-5;
        let (before, now, after) = (at(-h), at(0.0).1, at(h));
        let slope = (after.0 - before.0) / (2.0 * h);
        assert!((slope + now.dot(&u)).abs() < 1e-8 * slope.abs(), "{slope} {}", now.dot(&u));
        let mut change = after.1;
        change.axpy(-1.0, &before.1);
        let mut ku = Vectors::default();
        Tangent::new(connections, cells, &x, false).apply(&u, &mut ku);
        change.axpy(2.0 * h, &ku);
        assert!(change.dot(&change).sqrt() / (2.0 * h) < 1e-7 * ku.dot(&ku).sqrt());
    }

    #[test]
    fn the_blocks_are_those_of_the_stiffness() {
        let (matter, x, _) = strained(0.4);
        let k = Tangent::new(&matter.connections, &matter.cells, &x, false);
        let blocks = k.diagonal();
        for (e, axis) in [(0, DVec3::X), (4, DVec3::Z), (7, DVec3::Y)] {
            let (mut unit, mut column) = (Vectors::zeros(x.len()), Vectors::default());
            unit.set(e, axis);
            k.apply(&unit, &mut column);
            assert!((column.get(e) - blocks[e] * axis).length() < 1e-12);
        }
    }

    /// The largest eigenvalue of `B⁻¹ K` by power iteration, `B` the blocks that bound the step.
    fn largest_share_of_the_bound(poisson: f64) -> f64 {
        let material = Material { poisson, ..Material::default() };
        let matter = box_lattice(DVec3::new(5.0, 3.0, 3.0), 3, &material).unwrap();
        let (x, cells) = (&matter.positions, &matter.cells);
        let mut blocks = Tangent::new(&matter.connections, &[], x, false).diagonal();
        volume::add_bound(cells, x, &mut blocks);
        let (k, inverse) = (Tangent::new(&matter.connections, cells, x, false), BlockJacobi::new(&blocks));
        let (mut u, mut ku) = (Vectors::default(), Vectors::default());
        (0..x.len()).for_each(|e| u.push(DVec3::new((e as f64).sin(), (3.0 * e as f64).cos(), (7.0 * e as f64).sin())));
        let mut size = 0.0;
        for _ in 0..2000 {
            k.apply(&u, &mut ku);
            inverse.apply(&ku, &mut u);
            size = u.dot(&u).sqrt();
            let unit = u.clone();
            u.reset(x.len());
            u.axpy(1.0 / size, &unit);
        }
        size
    }

    #[test]
    fn the_step_bound_holds_for_every_poisson_ratio_and_is_not_idle() {
        for (poisson, at_least) in [(0.0, 1.6), (0.25, 1.999), (0.4, 1.999), (0.49, 1.999)] {
            let share = largest_share_of_the_bound(poisson);
            // The inverse of the iteration is kept in single precision: 6e-8.
            assert!(share <= 2.0 + 1.2e-7 && share > at_least, "ν = {poisson}: {share} of 2");
        }
    }
}
