//! Block Gauss–Seidel over contacts (NSGS): each contact solved exactly in its own block. [JAJ98]

use super::problem::FrictionProblem;
use crate::linear::cone_local;
use crate::linear::extrapolate::Extrapolation;
use glamx::{DMat3, DVec3};

/// A residual that is so many times the best ends an extrapolation; so do so many sweeps without a better one.
const WORSE: f64 = 10.0;
const PATIENCE: usize = 300;

/// Sweeps until the residual (relative to `q`) is small or the sweeps are used up; returns how many, and the residual.
pub(super) fn gauss_seidel(problem: &FrictionProblem, p: &mut [DVec3], tolerance: f64, sweeps: usize) -> (usize, f64) {
    let mut residual = problem.residual(p);
    let diagonal = diagonal(problem);
    let mut done = 0;
    while residual > tolerance && done < sweeps {
        // Looking costs a sweep: look seldom at first guesses and more seldom later.
        for _ in 0..(1 + done / 4).min(sweeps - done) {
            sweep(problem, &diagonal, p);
            done += 1;
        }
        residual = problem.residual(p);
    }
    (done, residual)
}

/// The blocks of the diagonal. Where one is not quite symmetric, the rest of it goes with the other contacts: what stays put is exact all
/// the same.
fn diagonal(problem: &FrictionProblem) -> Vec<DMat3> {
    (0..problem.contacts()).map(|i| problem.block(i, i) * 0.5 + problem.block(i, i).transpose() * 0.5).collect()
}

fn sweep(problem: &FrictionProblem, diagonal: &[DMat3], p: &mut [DVec3]) {
    for i in 0..p.len() {
        let q = problem.velocity(i, p) - diagonal[i] * p[i];
        p[i] = cone_local::solve(&diagonal[i], q, problem.mu[i], p[i]).p;
    }
}

/// Sweeps that look ahead: each starts where the last ones would lead, were contacts not to change what they do. The best impulses are
/// kept; returns how many sweeps, and the residual.
pub(super) fn extrapolated(
    problem: &FrictionProblem,
    p: &mut Vec<DVec3>,
    tolerance: f64,
    sweeps: usize,
) -> (usize, f64) {
    let diagonal = diagonal(problem);
    let flat = |p: &[DVec3]| -> Vec<f64> { p.iter().flat_map(|p| p.to_array()).collect() };
    let (mut best, mut ahead, mut x) = (problem.residual(p), Extrapolation::default(), p.clone());
    let mut stale = 0;
    for done in 0..sweeps {
        if best <= tolerance {
            return (done, best);
        }
        let begin = flat(&x);
        sweep(problem, &diagonal, &mut x);
        let residual = problem.residual(&x);
        stale += 1;
        if residual < best {
            (best, stale) = (residual, 0);
            p.clone_from(&x);
        }
        if residual.is_nan() || residual > WORSE * best || stale > PATIENCE {
            // From one sweep beyond the best: from the best itself it would go the same way again.
            ahead.forget();
            x.clone_from(p);
            sweep(problem, &diagonal, &mut x);
            stale = 0;
            continue;
        }
        x = ahead.next(&begin, flat(&x)).chunks_exact(3).map(DVec3::from_slice).collect();
    }
    (sweeps, best)
}
