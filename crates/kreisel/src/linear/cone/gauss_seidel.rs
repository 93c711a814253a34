//! Block Gauss–Seidel over contacts (NSGS): each contact solved exactly in its own block. [JAJ98]

use super::problem::FrictionProblem;
use crate::linear::cone_local;
use glamx::DVec3;

/// Sweeps until the residual (relative to `q`) is small or the sweeps are used up; returns how many, and the residual.
pub(super) fn gauss_seidel(problem: &FrictionProblem, p: &mut [DVec3], tolerance: f64, sweeps: usize) -> (usize, f64) {
    let mut residual = problem.residual(p);
    // Where a block is not quite symmetric, the rest of it goes with the other contacts: what stays put is exact all the same.
    let symmetric = |i: usize| problem.block(i, i) * 0.5 + problem.block(i, i).transpose() * 0.5;
    let diagonal: Vec<_> = (0..p.len()).map(symmetric).collect();
    let mut done = 0;
    while residual > tolerance && done < sweeps {
        // Looking costs a sweep: look seldom at first guesses and more seldom later.
        for _ in 0..(1 + done / 4).min(sweeps - done) {
            for i in 0..p.len() {
                let q = problem.velocity(i, p) - diagonal[i] * p[i];
                p[i] = cone_local::solve(&diagonal[i], q, problem.mu[i], p[i]).p;
            }
            done += 1;
        }
        residual = problem.residual(p);
    }
    (done, residual)
}
