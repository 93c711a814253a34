//! Interior points for friction: Newton's method on the smoothed complementarity of the cones, slip included. [AAN22]
//!
//! With `p̂ = (μ p_n, p_t)` and `û = (u_n/μ + |u_t|, u_t)` (de Saxcé's change of variable) Coulomb's law is `p̂ ∈ L`, `û ∈ L`, `p̂ ∘ û = 0`, `L` the
//! cone of Lorentz and `x ∘ y = (x·y, x₀ y_t + y₀ x_t)`. Iterates stay inside both cones and follow `p̂ ∘ û = σ e`, `σ → 0`.

use super::fronts::{BlockRow, Fronts, SmallPivots};
use super::problem::FrictionProblem;
use glamx::{DMat3, DVec3};

/// Frictionless contacts get this little: what follows an interior point removes it.
const LEAST_FRICTION: f64 = 1e-6;
/// How far towards the boundary a step may go.
const REACH: f64 = 0.99;

/// The last inner impulses and the number of steps.
pub(super) fn interior_point(problem: &FrictionProblem, steps: usize) -> (Vec<DVec3>, usize) {
    let k = problem.contacts();
    let mu: Vec<f64> = problem.mu.iter().map(|m| m.max(LEAST_FRICTION)).collect();
    let hat = |i: usize| DMat3::from_diagonal(DVec3::new(1.0 / mu[i], 1.0, 1.0));
    let size = (0..k).fold(0.0_f64, |s, i| s.max((hat(i) * problem.q[i]).length())).max(f64::MIN_POSITIVE);
    let (mut p, mut u) = (vec![DVec3::X * size; k], vec![DVec3::X * size; k]);
    let mut sigma = 0.5;
    for step in 0..steps {
        let impulse: Vec<DVec3> = (0..k).map(|i| hat(i) * p[i]).collect();
        let gap = p.iter().zip(&u).map(|(p, u)| p.dot(*u)).sum::<f64>() / k as f64;
        let missing = |i: usize| hat(i) * problem.velocity(i, &impulse) + DVec3::X * u[i].y.hypot(u[i].z) - u[i];
        let r: Vec<DVec3> = (0..k).map(missing).collect();
        let worst = r.iter().fold(0.0_f64, |s, r| s.max(r.length()));
        if gap <= 1e-16 * size * size && worst <= 1e-12 * size {
            return (impulse, step);
        }
        let Some((dp, du)) = direction(problem, &mu, (&p, &u, &r), sigma * gap) else { return (impulse, step) };
        let a = p.iter().zip(&dp).chain(u.iter().zip(&du)).fold(1.0_f64, |a, (x, d)| a.min(REACH * longest(*x, *d)));
        p.iter_mut().zip(&dp).for_each(|(p, d)| *p += *d * a);
        u.iter_mut().zip(&du).for_each(|(u, d)| *u += *d * a);
        sigma = if a > 0.9 {
            0.05
        } else if a > 0.3 {
            0.3
        } else {
            0.8
        };
        if a.is_nan() || a < 1e-10 {
            return (impulse, step);
        }
    }
    ((0..k).map(|i| hat(i) * p[i]).collect(), steps)
}

/// `dû = T(Ŵ dp̂ + r)`, `p̂ ∘ dû + û ∘ dp̂ = target e − p̂ ∘ û`; `T` carries the slip's share of `û₀`.
fn direction(
    problem: &FrictionProblem,
    mu: &[f64],
    (p, u, r): (&[DVec3], &[DVec3], &[DVec3]),
    target: f64,
) -> Option<(Vec<DVec3>, Vec<DVec3>)> {
    let k = p.len();
    let hat = |i: usize| DMat3::from_diagonal(DVec3::new(1.0 / mu[i], 1.0, 1.0));
    let (mut system, mut dp): (Vec<BlockRow>, Vec<DVec3>) = (Vec::new(), Vec::new());
    for i in 0..k {
        let arrow_t = arrow(p[i]) * slip_share(u[i]);
        let mut row = vec![(i, arrow(u[i]))];
        row.extend(problem.row(i).map(|(j, w)| (j, arrow_t * hat(i) * *w * hat(j))));
        system.push(row);
        dp.push(DVec3::X * target - arrow(p[i]) * u[i] - arrow_t * r[i]);
    }
    Fronts::new(&system, SmallPivots::Lifted(1e-18))?.solve(&mut dp);
    let change = |i: usize| hat(i) * problem.row(i).fold(DVec3::ZERO, |s, (j, w)| s + *w * (hat(j) * dp[j])) + r[i];
    let du = (0..k).map(|i| slip_share(u[i]) * change(i)).collect();
    Some((dp, du))
}

/// `x ∘ y = arrow(x) y`.
fn arrow(x: DVec3) -> DMat3 {
    DMat3::from_cols(x, DVec3::new(x.y, x.x, 0.0), DVec3::new(x.z, 0.0, x.x))
}

/// `[1 dᵀ; 0 1]`, `d` the direction of slip.
fn slip_share(u: DVec3) -> DMat3 {
    let slip = u.y.hypot(u.z).max(f64::MIN_POSITIVE);
    DMat3::from_cols(DVec3::X, DVec3::new(u.y / slip, 1.0, 0.0), DVec3::new(u.z / slip, 0.0, 1.0))
}

/// How far `x + a d` stays in the cone of Lorentz: the smallest positive root of `x₀² − |x_t|² = 0` along the way.
pub(super) fn longest(x: DVec3, d: DVec3) -> f64 {
    let form = |x: DVec3, y: DVec3| x.x * y.x - x.y * y.y - x.z * y.z;
    let (a, b, c) = (form(d, d), form(x, d), form(x, x).max(0.0));
    let root = b * b - a * c;
    let tip = if d.x < 0.0 { -x.x / d.x } else { f64::INFINITY };
    if root < 0.0 {
        return tip;
    }
    // Roots c/(−b ± √root), the form that keeps its digits.
    let smallest = [-b + root.sqrt(), -b - root.sqrt()].into_iter().map(|s| c / s).filter(|t| *t > 0.0);
    smallest.fold(tip, f64::min)
}
