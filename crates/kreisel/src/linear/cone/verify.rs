//! What an answer has to stand besides the natural map in its usual units: other units, and another order of summation.

use super::problem::FrictionProblem;
use crate::linear::cone_local::natural_map;
use crate::linear::lcp::orders::{Term, sums};
use glamx::{DMat3, DVec3};

impl FrictionProblem {
    /// Norm of the natural map, relative to that of `q`, with the least `ρ` that somebody might judge an answer with.
    ///
    /// `r(ρ)` falls while `ρ` rises, for `min(p_n/ρ, u_n)` as for `(x − P(x − ρ u))/ρ` of any convex set [FP03 sec. 10.3]; so the least `ρ` is the
    /// hardest judge. Plausible are `1/λ_max(W_ii) ≥ 1/tr W_ii` of the contact itself, and one for all contacts: 1, or what some other contact has.
    pub(super) fn strict_residual(&self, p: &[DVec3]) -> f64 {
        let rho = self.least_plausible();
        let part = |i: usize| natural_map(p[i], self.velocity(i, p), self.mu[i], rho[i]).length_squared();
        let r = (0..self.contacts()).map(part).sum::<f64>().sqrt();
        let size = self.size();
        if r.is_nan() {
            f64::INFINITY
        } else if size > 0.0 {
            r / size
        } else {
            r
        }
    }

    /// The largest natural map, relative to `q`, that somebody finds who judges with the least plausible `ρ` and adds the terms of velocities in a
    /// usual order, and as much more as orders are off by: the map changes by no more than velocities do. Where heavy bodies stand on
    /// light ones the bound of rounding says that anything might be found; most of that never is.
    pub(super) fn worst_of_orders(&self, p: &[DVec3]) -> f64 {
        let rho = self.least_plausible();
        let mut found: Vec<(f64, f64)> = Vec::new();
        for i in 0..self.contacts() {
            let velocities = self.in_all_orders(i, p);
            let exact = velocities.last().copied().unwrap_or_default();
            found.resize(velocities.len(), (0.0, 0.0));
            for (found, u) in found.iter_mut().zip(&velocities) {
                found.0 += natural_map(p[i], *u, self.mu[i], rho[i]).length_squared();
                found.1 += (*u - exact).length_squared();
            }
        }
        let most = |of: fn(&(f64, f64)) -> f64| {
            found.iter().map(of).fold(0.0, |m: f64, x| if m.is_nan() || x <= m { m } else { x })
        };
        let (left, off) = (most(|f| f.0).sqrt(), most(|f| f.1).sqrt());
        let size = self.size();
        let worst = left + off;
        if worst.is_nan() { f64::INFINITY } else { worst / if size > 0.0 { size } else { 1.0 } }
    }

    /// The velocity of a contact in each of the usual orders, the one with all digits last.
    fn in_all_orders(&self, i: usize, p: &[DVec3]) -> Vec<DVec3> {
        let terms = |axis: usize| -> Vec<Term> {
            let of = |(j, w): (usize, &DMat3)| {
                let w = *w;
                (0..3).map(move |column| Term { at: 3 * j + column, m: w.col(column)[axis], z: p[j][column] })
            };
            self.row(i).flat_map(of).filter(|t| t.m != 0.0 && t.z != 0.0).collect()
        };
        let [x, y, z] =
            [0, 1, 2].map(|axis| -> Vec<f64> { sums(&terms(axis), self.q[i][axis], 3 * self.contacts()).collect() });
        x.into_iter().zip(y).zip(z).map(|((x, y), z)| DVec3::new(x, y, z)).collect()
    }

    /// The least `ρ` of each contact that somebody might judge an answer with.
    pub(super) fn least_plausible(&self) -> Vec<f64> {
        let own: Vec<f64> = (0..self.contacts()).map(|i| self.rho(i) / 3.0).collect();
        let (least, most) = own.iter().fold((f64::INFINITY, 0.0_f64), |(l, m), r| (l.min(*r), m.max(*r)));
        let common = 1.0_f64.min(most).max(least);
        own.into_iter().map(|r| r.min(common)).collect()
    }

    /// How much of `u`, relative to `q`, rounding may be: its terms are known to `ε` each. Impulses that run away where there is no answer
    /// make it so large that velocities come out as anything, zero included.
    pub fn rounding(&self, p: &[DVec3]) -> f64 {
        let magnitude = |w: &DMat3| DMat3::from_cols(w.x_axis.abs(), w.y_axis.abs(), w.z_axis.abs());
        let terms = |i: usize| self.row(i).fold(DVec3::ZERO, |sum, (j, w)| sum + magnitude(w) * p[j].abs());
        let all = (0..self.contacts()).map(|i| terms(i).length_squared()).sum::<f64>().sqrt();
        let size = self.size();
        f64::EPSILON * if size > 0.0 { all / size } else { all }
    }
}
