//! Full steps of Newton's method with a little compliance in every contact. [Lev44]
//!
//! Redundant contacts leave directions in which impulses do nothing, and heavy bodies on light ones others in which they do 10⁻⁶ or less of
//! what they do elsewhere. Compliance `ε` added to every contact keeps steps short along the former; it has to be smaller than the latter.
//! Where impulses are 10⁶ times `q`, a change of what one contact does moves the natural map by as much: steps that are shortened until it
//! falls never arrive. Full steps go from one set of closed contacts to the next.

use super::newton::{Direction, direction};
use super::problem::FrictionProblem;
use glamx::DVec3;

/// Compliances relative to the diagonal: the first, and how each step changes it. [1]
const COMPLIANCES: [(f64, f64); 3] = [(1e-10, 1.0), (1e-2, 0.3), (1e-8, 1.0)];
/// Steps without a better iterate.
const PATIENCE: usize = 20;
const WAY: Direction = Direction { rho: 1.0, lift: 1e-15, damping: 0.0 };

/// So many steps from `p` with each compliance, keeping the best impulses; returns how many, and the residual.
pub(super) fn full_steps(problem: &FrictionProblem, p: &mut Vec<DVec3>, tolerance: f64, steps: usize) -> (usize, f64) {
    let (begin, mut best, mut taken) = (p.clone(), problem.residual(p), 0);
    for (mut compliance, change) in COMPLIANCES {
        let (mut x, mut stale) = (begin.clone(), 0);
        for _ in 0..steps {
            if best <= tolerance || stale > PATIENCE {
                break;
            }
            let Some(d) = direction(problem, &x, WAY, compliance) else { break };
            x.iter_mut().zip(&d).for_each(|(x, d)| *x += *d);
            let residual = problem.residual(&x);
            (taken, stale, compliance) = (taken + 1, stale + 1, compliance * change);
            if residual < best {
                (best, stale) = (residual, 0);
                p.clone_from(&x);
            }
        }
    }
    (taken, best)
}
