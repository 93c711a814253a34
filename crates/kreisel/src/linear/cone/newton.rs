//! Nonsmooth Newton on the function of Alart and Curnier, all contacts at once. [AC91]
//!
//! With `y = p − ρ u`: an open contact (`y_n ≤ 0`) has `p = 0`; a closed one `u_n = 0` and, sticking (`|y_t| ≤ μ y_n`), `u_t = 0`,
//! or, sliding, `p_t = μ y_n d`, `d = y_t/|y_t|`, linearised `δp_t = μ d δy_n + (μ y_n/|y_t|)(1 − d dᵀ) δy_t`.
//! Rows are divided by `ρ`. Redundant contacts make the matrix singular: small pivots are lifted.

use super::fronts::{BlockRow, Fronts, SmallPivots};
use super::problem::FrictionProblem;
use glamx::{DMat3, DVec3};

/// Shortenings of a step.
const HALVINGS: i32 = 12;

/// How a direction is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Direction {
    /// Scales the mass that each contact feels.
    pub(super) rho: f64,
    /// The share below which pivots count as zero.
    pub(super) lift: f64,
    /// Compliance that is added to every contact, per residual (both relative): redundant contacts leave directions in which
    /// impulses do nothing, and steps along them must not be longer than what is left to be done. It vanishes with the residual, so
    /// that the last steps are Newton's own. [Lev44]
    pub(super) damping: f64,
}

/// Steps from `p`, keeping the best iterate; returns how many, and its residual.
pub(super) fn newton(
    problem: &FrictionProblem,
    p: &mut Vec<DVec3>,
    tolerance: f64,
    steps: usize,
    way: Direction,
) -> (usize, f64) {
    let (mut x, mut residual) = (p.clone(), problem.residual(p));
    let (mut best, mut stale) = (residual, 0);
    for step in 0..steps {
        if best <= tolerance || stale > PATIENCE {
            return (step, best);
        }
        let Some(d) = direction(problem, &x, way, way.damping * residual.min(1.0)) else { return (step, best) };
        let trial = |t: f64| -> Vec<DVec3> { x.iter().zip(&d).map(|(x, d)| *x + *d * t).collect() };
        let mut choice = (f64::INFINITY, trial(1.0));
        for k in 0..HALVINGS {
            let candidate = trial(0.5_f64.powi(k));
            let value = problem.residual(&candidate);
            if value < choice.0 {
                choice = (value, candidate);
            }
            if value < (1.0 - 0.1 * 0.5_f64.powi(k)) * residual {
                break;
            }
        }
        // No descent: the shortest step's neighbour all the same, so that a kink does not hold the iteration for ever.
        (residual, x) = choice;
        if residual < best {
            stale = if residual < 0.9 * best { 0 } else { stale + 1 };
            best = residual;
            p.clone_from(&x);
        } else {
            stale += 1;
        }
        if !residual.is_finite() {
            return (step, best);
        }
    }
    (steps, best)
}

/// Steps without a better iterate.
const PATIENCE: usize = 12;

/// A direction on the exact cone.
pub(super) fn direction(problem: &FrictionProblem, p: &[DVec3], way: Direction, compliance: f64) -> Option<Vec<DVec3>> {
    let parts: Vec<Rows> = (0..problem.contacts()).map(|i| rows(problem, p, i, way.rho)).collect();
    solved(problem, p, &parts, way.lift, compliance)
}

/// One linear system; open contacts are eliminated, as their impulse is known.
pub(super) fn solved(
    problem: &FrictionProblem,
    p: &[DVec3],
    parts: &[Rows],
    lift: f64,
    compliance: f64,
) -> Option<Vec<DVec3>> {
    let k = problem.contacts();
    let closed: Vec<usize> = (0..k).filter(|&i| parts[i].closed).collect();
    let mut place = vec![usize::MAX; k];
    closed.iter().enumerate().for_each(|(c, &i)| place[i] = c);
    let (mut system, mut right): (Vec<BlockRow>, Vec<DVec3>) = (Vec::new(), Vec::new());
    for (c, &i) in closed.iter().enumerate() {
        let part = &parts[i];
        let (mut row, mut b) = (vec![(c, part.by_p + part.by_u * compliance)], -part.value);
        for (j, w) in problem.row(i) {
            let block = part.by_u * *w;
            if place[j] == usize::MAX {
                // An open contact's impulse goes to zero.
                b += block * p[j];
            } else {
                row.push((place[j], block));
            }
        }
        system.push(row);
        right.push(b);
    }
    let x = refined(&system, &right, lift)?;
    let change = |i: usize| if place[i] == usize::MAX { -p[i] } else { x[place[i]] };
    Some((0..k).map(change).collect())
}

/// The solution of a system; what small pivots cost is given back by refinement.
fn refined(system: &[BlockRow], right: &[DVec3], lift: f64) -> Option<Vec<DVec3>> {
    let factors = Fronts::new(system, SmallPivots::Lifted(lift))?;
    let mut x = right.to_vec();
    factors.solve(&mut x);
    let times = |row: &BlockRow| row.iter().map(|(j, block)| *block * x[*j]).sum::<DVec3>();
    let mut rest: Vec<DVec3> = system.iter().zip(right).map(|(row, b)| *b - times(row)).collect();
    factors.solve(&mut rest);
    x.iter_mut().zip(&rest).for_each(|(x, d)| *x += *d);
    Some(x)
}

/// A contact's equations: their value and derivatives by `p` and `u`.
pub(super) struct Rows {
    /// True if it is closed.
    pub(super) closed: bool,
    pub(super) value: DVec3,
    pub(super) by_p: DMat3,
    pub(super) by_u: DMat3,
}

fn rows(problem: &FrictionProblem, p: &[DVec3], i: usize, rho: f64) -> Rows {
    let (u, mu, rho) = (problem.velocity(i, p), problem.mu[i], rho * problem.rho(i));
    let y = p[i] - rho * u;
    let slip = y.y.hypot(y.z);
    if y.x <= 0.0 {
        return Rows { closed: false, value: p[i], by_p: DMat3::IDENTITY, by_u: DMat3::ZERO };
    }
    if slip <= mu * y.x {
        return Rows { closed: true, value: u, by_p: DMat3::ZERO, by_u: DMat3::IDENTITY };
    }
    let (c, s) = (y.y / slip, y.z / slip);
    let share = mu * y.x / slip;
    // F_t = (p_t − μ y_n d)/ρ with δy = δp − ρ δu.
    let g = DMat3::from_cols(
        DVec3::new(0.0, mu * c, mu * s),
        DVec3::new(0.0, share * (1.0 - c * c), -share * c * s),
        DVec3::new(0.0, -share * c * s, share * (1.0 - s * s)),
    );
    let tangential = DMat3::from_diagonal(DVec3::new(0.0, 1.0, 1.0));
    let value = DVec3::new(u.x, (p[i].y - mu * y.x * c) / rho, (p[i].z - mu * y.x * s) / rho);
    let by_u = g + DMat3::from_diagonal(DVec3::X);
    Rows { closed: true, value, by_p: (tangential - g) * (1.0 / rho), by_u }
}
