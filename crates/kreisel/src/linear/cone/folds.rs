//! Proximal points whose neighbours are followed through folds. [AG90, Roc76]
//!
//! With much friction a pile has many answers, and most that begin end in a fold as the problem changes: Newton's method stops there. Paths
//! go on, but may lead from fold to fold in numbers that double with each contact. So each is followed for a while only; where
//! `t` was least on it a few sweeps find another branch, and the next path begins there. The weight follows what works: a heavy one makes
//! paths short, a light one brings them to the problem itself.

use super::follow::follow;
use super::fronts::least_degree_order;
use super::gauss_seidel::gauss_seidel;
use super::problem::FrictionProblem;
use glamx::DVec3;

/// Factorisations of one path, and of all of them: what needs more, seldom ends.
const LENGTH: usize = 300;
const MOST: usize = 6000;
/// Sweeps to another branch.
const SWEEPS: usize = 20;
/// How weights change where a path comes to its end, and where it does not; and their range, relative to the diagonal. [1]
const LIGHTER: f64 = 0.1;
const HEAVIER: f64 = 10.0;
const RANGE: std::ops::RangeInclusive<f64> = 1e-9..=0.1;

/// Paths from `p` for so many multiplications, keeping the best impulses; returns how many factorisations, and the residual.
pub(super) fn through_folds(
    problem: &FrictionProblem,
    p: &mut Vec<DVec3>,
    tolerance: f64,
    first_weight: f64,
    work: f64,
) -> (usize, f64) {
    let (mut best, mut x, mut weight) = (problem.residual(p), p.clone(), first_weight);
    let (mut taken, mut spent) = (0, 0.0);
    let order = least_degree_order(&problem.rows());
    while best > tolerance && spent < work && taken < MOST {
        let end = follow(&problem.proximal(weight, &x), &order, &x, LENGTH);
        (taken, spent) = (taken + end.factorings + 1, spent + end.work);
        x = end.p;
        if end.done {
            weight = (weight * LIGHTER).max(*RANGE.start());
        } else {
            weight = (weight * HEAVIER).min(*RANGE.end());
            gauss_seidel(problem, &mut x, tolerance, SWEEPS);
        }
        let residual = problem.residual(&x);
        if residual < best {
            best = residual;
            p.clone_from(&x);
        }
    }
    (taken, best)
}
