//! What an answer has to stand besides the natural map in its usual units: other units, and another order of summation.

use super::problem::FrictionProblem;
use crate::linear::cone_local::natural_map;
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
