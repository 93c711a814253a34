//! Proximal points that look ahead: `p ← solution of (W + α 1, q − α p)`. [Roc76]
//!
//! Redundant contacts leave impulses undetermined, and Newton's method on `W` alone loses itself among them. Each of these neighbours is regular
//! and takes a few steps of Newton's method from the last; what does not change from one to the next solves the problem itself.

use super::newton::{Direction, newton};
use super::problem::FrictionProblem;
use crate::linear::extrapolate::Extrapolation;
use glamx::DVec3;

/// Weights, relative to the diagonal: the first, and the range. [1]
const FIRST: f64 = 1e-2;
const RANGE: std::ops::RangeInclusive<f64> = 1e-8..=10.0;
/// How weights change where a neighbour is too hard, and where they hold the iteration back. [1]
const HEAVIER: f64 = 4.0;
const LIGHTER: f64 = 0.3;
/// Newton steps that a neighbour may take.
const STEPS: usize = 25;
/// A neighbour counts as solved when this share of the problem's own residual is left. [1]
const SHARP: f64 = 1e-2;
/// Rounds after which progress is looked at.
const LOOK: usize = 8;

/// Walks from `p`, keeping the best impulses; returns how many Newton steps, and the residual.
pub(super) fn walk(
    problem: &FrictionProblem,
    p: &mut Vec<DVec3>,
    tolerance: f64,
    rounds: usize,
    way: Direction,
) -> (usize, f64) {
    let flat = |p: &[DVec3]| -> Vec<f64> { p.iter().flat_map(|p| p.to_array()).collect() };
    let (mut best, mut taken) = (problem.residual(p), 0);
    let (mut x, mut last, mut ahead) = (p.clone(), p.clone(), Extrapolation::default());
    let (mut alpha, mut looked) = (FIRST, best);
    for round in 1..=rounds {
        if best <= tolerance {
            break;
        }
        let near = problem.proximal(alpha, &x);
        let goal = SHARP * best.clamp(tolerance, 1.0);
        let mut y = x.clone();
        let (steps, rest) = newton(&near, &mut y, goal, STEPS, way);
        taken += steps;
        let residual = problem.residual(&y);
        if residual < best {
            best = residual;
            p.clone_from(&y);
        }
        if rest > goal {
            ahead.forget();
            // What the last neighbour gave is nearer than what was extrapolated from it; if that is too far as well, so is the weight too small.
            if x == last {
                alpha = (alpha * HEAVIER).min(*RANGE.end());
                last.clone_from(p);
            }
            x.clone_from(&last);
            continue;
        }
        if round % LOOK == 0 {
            if best > 0.5 * looked && alpha * LIGHTER >= *RANGE.start() {
                alpha *= LIGHTER;
                ahead.forget();
            }
            looked = best;
        }
        let next = ahead.next(&flat(&x), flat(&y));
        x = next.chunks_exact(3).map(DVec3::from_slice).collect();
        last = y;
    }
    (taken, best)
}
