//! Where paths to an answer begin: any impulses, or contacts that yield. [AG90]

use super::homotopy::{Change, Homotopy, Point};
use super::path::{Followed, Path, norm};
use super::pieces::state;
use super::problem::FrictionProblem;
use glamx::DVec3;

/// Where `t` has grown by so much the path leads nowhere.
const FAR: f64 = 1e3;
const FAR_SOFTER: f64 = 3.0;

/// Follows the path from the `y` of these impulses with at most so many factorisations, in this order of elimination.
pub(super) fn follow(problem: &FrictionProblem, order: &[usize], p: &[DVec3], most: usize) -> Followed {
    let y: Vec<DVec3> = (0..p.len()).map(|i| p[i] - problem.rho(i) * problem.velocity(i, p)).collect();
    let mut at = begin(problem, y, 0.0);
    let change = Change::Rest(vec![DVec3::ZERO; p.len()]);
    let mut family = Homotopy { problem, order, change, goal: 0.0, size: 0.0, factorings: 0, work: 0.0 };
    let rest: Vec<DVec3> = family.value(&at).iter().map(|g| -*g).collect();
    (family.size, at.t) = (problem.size().max(norm(&rest)), 1.0);
    family.change = Change::Rest(rest);
    Path { family, most, far: FAR }.reach_goal(at)
}

/// Follows the answer `p` of a problem whose contacts yield, with `softness` on the diagonal, until they do so by the second of these only.
pub(super) fn harden(
    problem: &FrictionProblem,
    order: &[usize],
    p: &[DVec3],
    softness: (f64, f64),
    most: usize,
) -> Followed {
    let y = |i: usize| p[i] - problem.rho(i) * (problem.velocity(i, p) + p[i] * softness.0);
    let at = begin(problem, (0..p.len()).map(y).collect(), softness.0.ln());
    let (size, goal, change) = (problem.size(), softness.1.ln(), Change::Softness);
    let family = Homotopy { problem, order, change, goal, size, factorings: 0, work: 0.0 };
    Path { far: at.t + FAR_SOFTER, family, most }.reach_goal(at)
}

fn begin(problem: &FrictionProblem, y: Vec<DVec3>, t: f64) -> Point {
    let states = y.iter().zip(&problem.mu).map(|(y, mu)| state(*y, *mu)).collect();
    Point { y, t, states }
}
