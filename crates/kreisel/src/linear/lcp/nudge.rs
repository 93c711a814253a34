//! The last bits of large impulses: which of the numbers next to an answer leave least.
//!
//! An entry of `z` is known to half a unit in its last place, `w` of its row to the sum of what `M` makes of these, and the residual multiplies that
//! by `z` again: beyond some 10³ more than the tolerance may be left of an exact answer. Which neighbour each entry is rounded to is free. In the row
//! that leaves most one entry is moved at random and another so that the row comes out least; a move stays if all rows leave less together.
//! Rows are compared in exact arithmetic: what leaves least in some orders of summation leaves no less in others.

use super::problem::{Lcp, TOLERANCE};
use super::twofold::sum_of_products;
use crate::linear::noise::Noise;

/// Multiplications that moves may cost.
const WORK: usize = 10_000_000;
/// Share of the tolerance that is small enough: more is left by the orders of summation.
const ENOUGH: f64 = 0.05;
/// Moves in a row that better nothing before the search ends.
const PATIENCE: usize = 4_000;
/// Units in the last place that a move may take at random.
const REACH: f64 = 4.0;
/// Units in the last place that make up for it at most.
const FARTHEST: f64 = 64.0;

struct Search<'a> {
    problem: &'a Lcp,
    z: Vec<f64>,
    w: Vec<f64>,
    /// Rows and entries of each column without zeros.
    columns: Vec<Vec<(usize, f64)>>,
    work: usize,
}

/// An answer next to `z` whose rows come out smaller in exact arithmetic.
pub(super) fn nudged(problem: &Lcp, z: &[f64]) -> Vec<f64> {
    let mut search = Search::new(problem, z);
    let (mut noise, mut vain) = (Noise(3), 0);
    while search.work < WORK && vain < PATIENCE {
        let row = search.worst();
        if search.left(row) <= ENOUGH * TOLERANCE * problem.unit() {
            break;
        }
        let Some(moves) = search.moves(row, &mut noise) else { break };
        vain = if search.tries(&moves) { 0 } else { vain + 1 };
    }
    search.z
}

impl<'a> Search<'a> {
    fn new(problem: &'a Lcp, z: &[f64]) -> Self {
        let n = z.len();
        let w = (0..n).map(|i| sum_of_products(problem.row(i), z, problem.q()[i])).collect();
        let column = |j: usize| (0..n).map(|i| (i, problem.row(i)[j])).filter(|(_, m)| *m != 0.0).collect();
        Self { problem, z: z.to_vec(), w, columns: (0..n).map(column).collect(), work: 0 }
    }

    /// What a row adds to the residual.
    fn left(&self, i: usize) -> f64 {
        (self.z[i] * self.w[i]).abs().max(-self.w[i])
    }

    fn worst(&self) -> usize {
        (0..self.z.len()).max_by(|&i, &j| self.left(i).total_cmp(&self.left(j))).unwrap_or(0)
    }

    /// One entry of a row by a few units in its last place, and another that makes up for it.
    fn moves(&mut self, row: usize, noise: &mut Noise) -> Option<[(usize, f64); 2]> {
        let reach = |j: &usize| self.z[*j] > 0.0 && self.problem.row(row)[*j] != 0.0;
        let reach: Vec<usize> = (0..self.z.len()).filter(reach).collect();
        self.work += 3 * self.z.len();
        let mut pick = || reach.get((noise.next() * reach.len() as f64) as usize).copied();
        let (first, second) = (pick()?, pick()?);
        let unit = |j: usize| self.z[j].next_up() - self.z[j];
        let m = |j: usize| self.problem.row(row)[j];
        let random = ((2.0 * noise.next() - 1.0) * REACH).round() * unit(first);
        let step = -(self.w[row] + m(first) * random) / (m(second) * unit(second));
        Some([(first, random), (second, step.round().clamp(-FARTHEST, FARTHEST) * unit(second))])
    }

    /// Moves entries; false if that is taken back.
    fn tries(&mut self, moves: &[(usize, f64); 2]) -> bool {
        let size = self.left(self.worst());
        let before = self.rest(moves, size);
        let old = moves.map(|(j, _)| (j, self.z[j]));
        moves.iter().for_each(|&(j, step)| self.set(j, self.z[j] + step));
        let better = self.rest(moves, size) < before && moves.iter().all(|m| self.z[m.0] > 0.0);
        if !better {
            old.iter().for_each(|&(j, z)| self.set(j, z));
        }
        better
    }

    fn set(&mut self, j: usize, z: f64) {
        let step = z - self.z[j];
        self.z[j] = z;
        self.columns[j].iter().for_each(|&(i, m)| self.w[i] += m * step);
    }

    /// What the rows of some columns leave together, large rests counting most.
    fn rest(&mut self, moves: &[(usize, f64); 2], size: f64) -> f64 {
        let rows = moves.iter().flat_map(|m| &self.columns[m.0]);
        self.work += moves.iter().map(|m| self.columns[m.0].len()).sum::<usize>();
        rows.map(|&(i, _)| (self.left(i) / size).powi(4)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::polish::polished;
    use super::*;

    #[test]
    fn neighbours_of_a_large_answer_leave_less_than_the_nearest_numbers_do() {
        // A string of a hundred knots under load: z is 8,000 in its middle, its tension is exact, and the loads are not.
        let n = 100;
        let entry = |k: usize| [2.0, -1.0, 0.0][(k / n).abs_diff(k % n).min(2)] / 64.0;
        let q: Vec<f64> = (0..n).map(|i| -0.1 - 0.01 * (i as f64).sin()).collect();
        let problem = Lcp::new((0..n * n).map(entry).collect(), q).unwrap();
        let z = polished(&problem, &vec![1e3; n]).0;
        let exact = |z: &[f64]| {
            let search = Search::new(&problem, z);
            search.left(search.worst())
        };
        let (before, after) = (exact(&z), exact(&nudged(&problem, &z)));
        assert!(z[n / 2] > 7000.0 && after < 0.8 * before && before < 1e-8, "{before:e} {after:e}");
    }
}
