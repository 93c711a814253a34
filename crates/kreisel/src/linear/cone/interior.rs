//! Interior points for friction: Newton's method on the smoothed complementarity of the cones, slip included. [AAN22]
//!
//! With `p̂ = (μ p_n, p_t)` and `û = (u_n/μ + |u_t|, u_t)` (de Saxcé's change of variable) Coulomb's law is `p̂ ∈ L`, `û ∈ L`, `p̂ ∘ û = 0`, `L` the
//! cone of Lorentz and `x ∘ y = (x·y, x₀ y_t + y₀ x_t)`. Iterates stay inside both cones and follow `p̂ ∘ û = σ ω e`, `σ → 0`. The problem is not convex:
//! the way may end before its goal. Small steps stay on it where large ones lose it, and each choice of the weights `ω` is another way.

use super::fronts::{BlockRow, Fronts, SmallPivots, least_degree_order};
use super::problem::FrictionProblem;
use glamx::{DMat3, DVec3};

/// Frictionless contacts get this little: what follows an interior point removes it.
const LEAST_FRICTION: f64 = 1e-6;
/// How far towards the boundary a step may go.
const REACH: f64 = 0.99;

/// How a way through the inside is gone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pace {
    /// Steps at most.
    pub(super) steps: usize,
    /// Steps that may follow each other without half of the least that was left.
    pub(super) patience: usize,
    /// What a step aims at, relative to what is left: after long steps, after shorter ones, after short ones. [1]
    pub(super) aims: [f64; 3],
}

/// Where a way ended.
pub(super) struct Inner {
    pub(super) p: Vec<DVec3>,
    pub(super) steps: usize,
    /// Multiplications.
    pub(super) work: f64,
}

/// How a way comes along.
struct Progress {
    /// The least that was left.
    least: f64,
    /// Steps since half of it.
    stale: usize,
    /// What `q` is like, in the units of the cones.
    size: f64,
}

impl Progress {
    /// True if the goal is reached or too many steps brought too little: by the mean of `p̂·û` and the most that `û` lacks.
    fn is_over(&mut self, gap: f64, lacking: f64, patience: usize) -> bool {
        let left = gap + lacking * self.size;
        self.stale = if left < 0.5 * self.least { 0 } else { self.stale + 1 };
        self.least = self.least.min(left);
        (gap <= 1e-16 * self.size * self.size && lacking <= 1e-12 * self.size) || self.stale > patience
    }
}

/// Goes inside the cones, each contact with its weight, as far as the way leads.
pub(super) fn interior_point(problem: &FrictionProblem, pace: Pace, weights: &[f64]) -> Inner {
    let k = problem.contacts();
    let mu: Vec<f64> = problem.mu.iter().map(|m| m.max(LEAST_FRICTION)).collect();
    let size = (0..k).fold(0.0_f64, |s, i| s.max((hat(mu[i]) * problem.q[i]).length())).max(f64::MIN_POSITIVE);
    let (mut p, mut u) = (vec![DVec3::X * size; k], vec![DVec3::X * size; k]);
    let order = least_degree_order(&problem.rows());
    let mut progress = Progress { least: f64::INFINITY, stale: 0, size };
    let (mut sigma, mut work, mut steps) = (0.5, 0.0, 0);
    while steps < pace.steps {
        let (gap, r) = left_to_do(problem, &mu, &p, &u);
        if progress.is_over(gap, r.iter().fold(0.0_f64, |s, r| s.max(r.length())), pace.patience) {
            break;
        }
        let targets: Vec<f64> = weights.iter().map(|w| sigma * gap * w).collect();
        let Some((dp, du, cost)) = direction(problem, &mu, (&p, &u, &r), &targets, &order) else { break };
        let Some(a) = take_step(&mut p, &mut u, &dp, &du) else { break };
        sigma = pace.aims[usize::from(a <= 0.9) + usize::from(a <= 0.3)];
        (steps, work) = (steps + 1, work + cost);
    }
    Inner { p: p.iter().zip(&mu).map(|(p, mu)| hat(*mu) * *p).collect(), steps, work }
}

/// Goes as far as both cones allow, and says how far; `None` if that is nowhere.
fn take_step(p: &mut [DVec3], u: &mut [DVec3], dp: &[DVec3], du: &[DVec3]) -> Option<f64> {
    let both = p.iter().zip(dp).chain(u.iter().zip(du));
    let a = both.fold(1.0_f64, |a, (x, d)| a.min(REACH * longest(*x, *d)));
    if a.is_nan() || a < 1e-10 {
        return None;
    }
    p.iter_mut().zip(dp).for_each(|(p, d)| *p += *d * a);
    u.iter_mut().zip(du).for_each(|(u, d)| *u += *d * a);
    Some(a)
}

/// `diag(1/μ, 1, 1)`.
fn hat(mu: f64) -> DMat3 {
    DMat3::from_diagonal(DVec3::new(1.0 / mu, 1.0, 1.0))
}

/// The mean of `p̂·û`, and what `û` lacks of the velocities of `p̂`.
fn left_to_do(problem: &FrictionProblem, mu: &[f64], p: &[DVec3], u: &[DVec3]) -> (f64, Vec<DVec3>) {
    let k = p.len();
    let impulse: Vec<DVec3> = (0..k).map(|i| hat(mu[i]) * p[i]).collect();
    let gap = p.iter().zip(u).map(|(p, u)| p.dot(*u)).sum::<f64>() / k as f64;
    let missing = |i: usize| hat(mu[i]) * problem.velocity(i, &impulse) + DVec3::X * u[i].y.hypot(u[i].z) - u[i];
    (gap, (0..k).map(missing).collect())
}

/// `dû = T(Ŵ dp̂ + r)`, `p̂ ∘ dû + û ∘ dp̂ = target e − p̂ ∘ û`, and the multiplications; `T` carries the slip's share of `û₀`.
fn direction(
    problem: &FrictionProblem,
    mu: &[f64],
    (p, u, r): (&[DVec3], &[DVec3], &[DVec3]),
    targets: &[f64],
    order: &[usize],
) -> Option<(Vec<DVec3>, Vec<DVec3>, f64)> {
    let k = p.len();
    let (mut system, mut dp): (Vec<BlockRow>, Vec<DVec3>) = (Vec::new(), Vec::new());
    for i in 0..k {
        let arrow_t = arrow(p[i]) * slip_share(u[i]);
        let mut row = vec![(i, arrow(u[i]))];
        row.extend(problem.row(i).map(|(j, w)| (j, arrow_t * hat(mu[i]) * *w * hat(mu[j]))));
        system.push(row);
        dp.push(DVec3::X * targets[i] - arrow(p[i]) * u[i] - arrow_t * r[i]);
    }
    let factors = Fronts::in_order(&system, order, SmallPivots::Lifted(1e-18))?;
    factors.solve(&mut dp);
    let change =
        |i: usize| hat(mu[i]) * problem.row(i).fold(DVec3::ZERO, |s, (j, w)| s + *w * (hat(mu[j]) * dp[j])) + r[i];
    let du = (0..k).map(|i| slip_share(u[i]) * change(i)).collect();
    Some((dp, du, factors.work()))
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
