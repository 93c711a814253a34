//! Convex problems of given slips, whose answers give the next slips.

use super::newton::WORK;
use crate::linear::cone::convex::Convex;
use crate::linear::cone::damped::full_steps;
use crate::linear::cone::solve::Chain;
use crate::linear::extrapolate::Extrapolation;

/// Convex problems at first, full steps from each, and the residual, relative to the least, that ends an extrapolation. [1]
pub(super) const FEW_ROUNDS: usize = 8;
const SLIP_STEPS: usize = 20;
const JUMP: f64 = 3.0;
/// Convex problems at most.
const SLIP_ROUNDS: usize = 60;
/// Convex problems that may follow each other without one that comes closer, by this share at least [1].
const SLIP_PATIENCE: usize = 6;
const STEADY: f64 = 0.97;

impl Chain<'_> {
    /// Convex problems of given slips, whose answers give the next slips; Newton's method from each.
    pub(super) fn slips(&mut self) {
        self.costly = true;
        let convex = Convex::new(&self.scaled.symmetric());
        let mut g = vec![0.0; self.problem.contacts()];
        let (mut last, mut least, mut stale) = (f64::INFINITY, f64::INFINITY, 0);
        for round in 0..self.slip_rounds() {
            let (p, next, steps) = convex.solve(&g);
            self.answer.iterations += steps;
            self.offer(&p, "slips");
            let now = self.scaled.residual(&p);
            self.newton(&p, self.newton_steps().min(12), "slips, newton");
            if self.is_done() {
                return;
            }
            stale = if now < STEADY * least { 0 } else { stale + 1 };
            least = least.min(now);
            if stale > SLIP_PATIENCE {
                return;
            }
            // Slips that jump to and fro are met halfway.
            let share = if now > 0.9 * last && round > 4 { 0.5 } else { 1.0 };
            g.iter_mut().zip(&next).for_each(|(g, n)| *g += share * (n - *g));
            last = now;
        }
    }

    /// The same for problems that come cold, with full steps from each answer; next slips are where the last ones lead.
    pub(super) fn convex_problems(&mut self, rounds: usize) {
        self.costly = true;
        let convex = Convex::of_large_impulses(&self.scaled.symmetric());
        let (mut g, mut ahead) = (vec![0.0; self.problem.contacts()], Extrapolation::default());
        let (mut least, mut stale) = (f64::INFINITY, 0);
        for _ in 0..rounds {
            let (mut p, next, steps) = convex.solve(&g);
            let now = self.scaled.residual(&p);
            let (more, residual) = full_steps(&self.scaled, &mut p, 0.1 * self.params.aim, SLIP_STEPS);
            self.answer.iterations += steps + more;
            self.offer_finished(&p, residual, "slips, full newton");
            stale = if now < STEADY * least { 0 } else { stale + 1 };
            if self.is_done() || stale > SLIP_PATIENCE {
                return;
            }
            if now > JUMP * least {
                ahead.forget();
            }
            least = least.min(now);
            g = ahead.next(&g, next).into_iter().map(|g| g.max(0.0)).collect();
        }
    }

    pub(super) fn slip_rounds(&self) -> usize {
        let n = 3.0 * self.problem.contacts() as f64;
        ((WORK / (30.0 * n * n * n / 3.0 + 1.0)) as usize).clamp(2, SLIP_ROUNDS)
    }
}
