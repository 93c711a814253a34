//! The convex problem inside Coulomb's law, by interior points in the scaling of Nesterov and Todd. [NT97, Cad09]
//!
//! With given slips `g_i = |u_t|` the law asks for `p̂ ∈ L`, `û = Ŵ p̂ + q̂ + g e ∈ L`, `p̂·û = 0`, where `p̂ = (μ p_n, p_t)`,
//! `û = (u_n/μ + |u_t|, u_t)` and `L` is the cone of Lorentz: the conditions of a convex minimum, which has one whenever bodies
//! can part. Then `g ← |û_t|`, until nothing changes. Frictionless contacts are rays: their tangential rows are empty.

use super::fronts::{BlockRow, Fronts, SmallPivots};
use super::problem::FrictionProblem;
use glamx::{DMat3, DVec3};

/// Steps of one problem at most.
const STEPS: usize = 60;
/// How far towards the boundary a step may go.
const REACH: f64 = 0.99;
/// Steps of one problem that may follow each other without a gap of half the least, where the start is of the size of the answer: then no
/// digits are left.
const PATIENCE: usize = 8;
/// Compliance that makes a matrix regular for a first look at the size of impulses, and how many times as large the start is. [1]
const COMPLIANCE: f64 = 1e-10;
const LARGER: f64 = 10.0;
/// A pivot of less, relative to the largest entry, is rounding.
const NOTHING: f64 = 1e-30;

/// The convex problem of some slips.
pub(super) struct Convex {
    /// From `p̂` to impulses and from velocities to `û`.
    hat: Vec<DMat3>,
    /// `Ŵ`.
    rows: Vec<BlockRow>,
    q: Vec<DVec3>,
    size: f64,
    /// Impulses to start from, and steps without a gap of half the least.
    start: f64,
    patience: usize,
}

impl Convex {
    pub(super) fn new(problem: &FrictionProblem) -> Self {
        let hat: Vec<DMat3> = problem.mu.iter().map(|&mu| scaling(mu)).collect();
        let row = |i: usize| problem.row(i).map(|(j, block)| (j, hat[i] * *block * hat[j])).collect();
        let rows = (0..problem.contacts()).map(row).collect();
        let q: Vec<DVec3> = problem.q.iter().zip(&hat).map(|(q, hat)| *hat * *q).collect();
        let size = q.iter().fold(0.0_f64, |s, q| s.max(q.length())).max(f64::MIN_POSITIVE);
        Self { hat, rows, q, size, start: size, patience: STEPS }
    }

    /// The same, started from impulses of the size of the answer: heavy bodies on light ones need 10⁶ times what `q` suggests, and from below the
    /// way there is long and costs digits.
    pub(super) fn of_large_impulses(problem: &FrictionProblem) -> Self {
        let mut convex = Self::new(problem);
        let mut rows = convex.rows.clone();
        rows.iter_mut().enumerate().for_each(|(i, row)| row.push((i, DMat3::IDENTITY * COMPLIANCE)));
        let mut p: Vec<DVec3> = convex.q.iter().map(|q| -*q).collect();
        if let Some(factor) = Fronts::new(&rows, SmallPivots::Dropped(NOTHING)) {
            factor.solve(&mut p);
            let largest = p.iter().fold(convex.size, |s, p| s.max(p.length()));
            (convex.start, convex.patience) = (LARGER * largest, PATIENCE);
        }
        convex
    }

    /// Impulses of the problem with slips `g`, the slips that they leave, and the number of steps.
    pub(super) fn solve(&self, g: &[f64]) -> (Vec<DVec3>, Vec<f64>, usize) {
        let k = self.q.len();
        let (mut p, mut u) = (vec![DVec3::X * self.start; k], vec![DVec3::X * self.size; k]);
        let (mut taken, mut least, mut stale) = (STEPS, f64::INFINITY, 0);
        for step in 0..STEPS {
            let gap = p.iter().zip(&u).map(|(p, u)| p.dot(*u)).sum::<f64>() / k as f64;
            let moved = self.times(&p);
            let r: Vec<DVec3> = (0..k).map(|i| moved[i] + self.q[i] + DVec3::X * g[i] - u[i]).collect();
            let worst = r.iter().fold(0.0_f64, |s, r| s.max(r.length()));
            stale = if gap < 0.5 * least { 0 } else { stale + 1 };
            least = least.min(gap);
            let exact = gap <= 1e-18 * self.size * self.size && worst <= 1e-13 * self.size;
            if exact || stale > self.patience {
                taken = step;
                break;
            }
            let scalings: Vec<Scaling> = p.iter().zip(&u).map(|(p, u)| Scaling::new(*p, *u)).collect();
            let Some(factor) = self.factor(&scalings) else { break };
            let affine = self.direction(&factor, &scalings, &r, |s| -s.lambda);
            let a = longest_of(&p, &u, &affine).min(1.0);
            let target = gap * (1.0 - a).powi(3).max(1e-6);
            let both = |i: usize, s: &Scaling| circle(s.inverse_times(affine.0[i]), s.times(affine.1[i]));
            let mut number = 0..k;
            let way = self.direction(&factor, &scalings, &r, |s| {
                let i = number.next().unwrap_or_default();
                s.divide(DVec3::X * target - circle(s.lambda, s.lambda) - both(i, s))
            });
            let a = (REACH * longest_of(&p, &u, &way)).min(1.0);
            // Near the end scalings run out of digits: then the last point that is one is the answer.
            let sound = way.0.iter().chain(&way.1).all(|d| d.is_finite());
            if !sound || a <= 1e-9 {
                taken = step;
                break;
            }
            p.iter_mut().zip(&way.0).for_each(|(p, d)| *p += *d * a);
            u.iter_mut().zip(&way.1).for_each(|(u, d)| *u += *d * a);
        }
        let slips = u.iter().map(|u| u.y.hypot(u.z)).collect();
        (p.iter().zip(&self.hat).map(|(p, hat)| *hat * *p).collect(), slips, taken)
    }

    fn times(&self, p: &[DVec3]) -> Vec<DVec3> {
        self.rows.iter().map(|row| row.iter().fold(DVec3::ZERO, |sum, (j, w)| sum + *w * p[*j])).collect()
    }

    /// Factors of `Ŵ + S⁻²`.
    fn factor(&self, scalings: &[Scaling]) -> Option<Fronts> {
        let mut rows = self.rows.clone();
        rows.iter_mut().zip(scalings).enumerate().for_each(|(i, (row, s))| row.push((i, s.inverse_square())));
        Fronts::new(&rows, SmallPivots::Dropped(NOTHING))
    }

    /// `dp̂` and `dû` with `dû = Ŵ dp̂ + r`, `S⁻¹ dp̂ + S dû = c`.
    fn direction(
        &self,
        factor: &Fronts,
        scalings: &[Scaling],
        r: &[DVec3],
        mut c: impl FnMut(&Scaling) -> DVec3,
    ) -> (Vec<DVec3>, Vec<DVec3>) {
        let mut dp: Vec<DVec3> = scalings.iter().zip(r).map(|(s, r)| s.inverse_times(c(s)) - *r).collect();
        factor.solve(&mut dp);
        let du = self.times(&dp).iter().zip(r).map(|(u, r)| *u + *r).collect();
        (dp, du)
    }
}

/// `diag(1/μ, 1, 1)`; without friction only the normal counts.
fn scaling(mu: f64) -> DMat3 {
    DMat3::from_diagonal(if mu > 0.0 { DVec3::new(1.0 / mu, 1.0, 1.0) } else { DVec3::X })
}

/// `S = η (2 v vᵀ − J)` with `S û = S⁻¹ p̂ = λ`, `J = diag(1, −1, −1)`.
struct Scaling {
    eta: f64,
    v: DVec3,
    w: DVec3,
    lambda: DVec3,
}

fn mirrored(x: DVec3) -> DVec3 {
    DVec3::new(x.x, -x.y, -x.z)
}

fn determinant(x: DVec3) -> f64 {
    let slip = x.y.hypot(x.z);
    ((x.x - slip) * (x.x + slip)).max(f64::MIN_POSITIVE)
}

/// `x ∘ y`.
fn circle(x: DVec3, y: DVec3) -> DVec3 {
    DVec3::new(x.dot(y), x.x * y.y + y.x * x.y, x.x * y.z + y.x * x.z)
}

impl Scaling {
    fn new(p: DVec3, u: DVec3) -> Self {
        let (of_p, of_u) = (determinant(p).sqrt(), determinant(u).sqrt());
        let (p1, u1) = (p / of_p, u / of_u);
        let gamma = (0.5 * (1.0 + p1.dot(u1))).max(0.0).sqrt();
        let w = (p1 + mirrored(u1)) / (2.0 * gamma);
        let v = (w + DVec3::X) / (2.0 * (w.x + 1.0)).sqrt();
        let mut scaling = Self { eta: (of_p / of_u).sqrt(), v, w, lambda: DVec3::ZERO };
        scaling.lambda = scaling.times(u);
        scaling
    }

    fn times(&self, x: DVec3) -> DVec3 {
        (self.v * (2.0 * self.v.dot(x)) - mirrored(x)) * self.eta
    }

    fn inverse_times(&self, x: DVec3) -> DVec3 {
        let v = mirrored(self.v);
        (v * (2.0 * v.dot(x)) - mirrored(x)) / self.eta
    }

    fn inverse_square(&self) -> DMat3 {
        let w = mirrored(self.w);
        let outer = DMat3::from_cols(w * w.x, w * w.y, w * w.z) * 2.0;
        (outer - DMat3::from_diagonal(DVec3::new(1.0, -1.0, -1.0))) * (1.0 / (self.eta * self.eta))
    }

    /// `λ ∘ x = d` solved for `x`.
    fn divide(&self, d: DVec3) -> DVec3 {
        let l = self.lambda;
        let x = (l.x * d.x - l.y * d.y - l.z * d.z) / determinant(l);
        DVec3::new(x, (d.y - x * l.y) / l.x, (d.z - x * l.z) / l.x)
    }
}

fn longest_of(p: &[DVec3], u: &[DVec3], (dp, du): &(Vec<DVec3>, Vec<DVec3>)) -> f64 {
    let all = p.iter().zip(dp).chain(u.iter().zip(du));
    all.fold(f64::INFINITY, |a, (x, d)| a.min(super::interior::longest(*x, *d)))
}
