//! Newton's method: from the best impulses, in full steps, and for the last digits.

use crate::linear::cone::damped::full_steps;
use crate::linear::cone::newton::{Direction, newton};
use crate::linear::cone::solve::Chain;
use crate::linear::lcp::Status;
use glamx::DVec3;

/// Ways to compute Newton's directions, tried in this order.
pub(super) const WAYS: [Direction; 4] = [
    Direction { rho: 1.0, lift: 1e-14, damping: 0.0 },
    Direction { rho: 1.0, lift: 1e-14, damping: 1.0 },
    Direction { rho: 1.0, lift: 1e-14, damping: 1e-3 },
    Direction { rho: 1.0, lift: 1e-9, damping: 0.0 },
];
/// Full steps of Newton's method.
const FULL_STEPS: usize = 30;
/// Newton steps for the last digits.
pub(super) const LAST_STEPS: usize = 15;
/// Newton steps per problem.
pub(super) const NEWTON_STEPS: usize = 60;
/// Multiplications that dense factors may cost in one stage.
pub(super) const WORK: f64 = 2e12;

impl Chain<'_> {
    pub(super) fn newton_steps(&self) -> usize {
        let n = 3.0 * self.problem.contacts() as f64;
        ((WORK / (n * n * n / 3.0 + 1.0)) as usize).clamp(10, NEWTON_STEPS)
    }

    pub(super) fn newton(&mut self, start: &[DVec3], steps: usize, method: &'static str) {
        for way in WAYS {
            let mut p = start.to_vec();
            let (steps, _) = newton(&self.scaled, &mut p, 0.1 * self.params.aim, steps, way);
            self.answer.iterations += steps;
            self.offer(&p, method);
            if self.answer.residual <= self.params.aim {
                break;
            }
        }
    }

    /// Full steps of Newton's method from no impulses and from the best.
    pub(super) fn full_steps(&mut self) {
        for mut p in [vec![DVec3::ZERO; self.problem.contacts()], self.best()] {
            let (steps, residual) = full_steps(&self.scaled, &mut p, 0.1 * self.params.aim, FULL_STEPS);
            self.answer.iterations += steps;
            self.offer_finished(&p, residual, "full newton");
            if self.is_done() {
                return;
            }
        }
    }

    /// Impulses that are an answer in usual units but not in all: the last digits by Newton's method.
    pub(in crate::linear::cone) fn polish(&mut self) {
        if self.answer.status == Status::Solved || self.answer.residual > self.params.tolerance {
            return;
        }
        for way in WAYS {
            let mut p = self.best();
            let (steps, _) = newton(&self.scaled, &mut p, 0.0, LAST_STEPS, way);
            self.answer.iterations += steps;
            self.offer(&p, "newton");
            if self.answer.status == Status::Solved {
                return;
            }
        }
    }

    /// What paths and full steps leave unfinished is no start for other methods: it is near where answers end, or far from any.
    pub(super) fn offer_finished(&mut self, scaled_p: &[DVec3], scaled_residual: f64, method: &'static str) {
        if scaled_residual <= self.params.tolerance {
            self.offer(scaled_p, method);
        }
    }
}
