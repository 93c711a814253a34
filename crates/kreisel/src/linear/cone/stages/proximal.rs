//! Regular neighbours of a problem, `(W + α 1, q − α p)`, whose answers walk to one of the problem itself. [Roc76]

use super::newton::WAYS;
use crate::linear::cone::fronts::{Fronts, SmallPivots};
use crate::linear::cone::gauss_seidel::gauss_seidel;
use crate::linear::cone::newton::newton;
use crate::linear::cone::proximal::walk;
use crate::linear::cone::solve::Chain;
use glamx::DVec3;

/// Proximal weights relative to the diagonal, one round each direction of trust.
const WEIGHTS: [f64; 8] = [1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-3, 1e-1, 1.0];
/// Proximal points that look ahead.
const WALK: usize = 60;
/// Multiplications that one factor of each of them may cost.
const WALK_WORK: f64 = 2e9;
/// How far soft contacts yield, relative to what impulses do to them, and the residual of their answers. [1]
const SOFTNESS: [f64; 6] = [1.0, 0.1, 0.03, 1e-2, 3e-3, 1e-3];
const SOFT_ENOUGH: f64 = 1e-9;
/// Proximal steps with one weight.
const PROXIMAL_STEPS: usize = 60;

impl Chain<'_> {
    /// Proximal points that look ahead, then Newton's method from there.
    pub(super) fn walk(&mut self) {
        let mut p = self.best();
        let (done, _) = walk(&self.scaled, &mut p, 0.1 * self.params.aim, self.walk_rounds(), WAYS[0]);
        self.answer.iterations += done;
        self.offer(&p, "proximal newton");
        if !self.is_done() {
            self.newton(&self.best(), self.newton_steps(), "newton");
        }
    }

    /// Contacts that yield, `(W + α 1, q)`, less from round to round: their answers are starts far from where the other methods ended, and
    /// proximal points walk from each. At last Newton's method from the best of all.
    pub(super) fn soften(&mut self) {
        let zero = vec![DVec3::ZERO; self.problem.contacts()];
        let mut soft = zero.clone();
        for alpha in SOFTNESS {
            let near = self.scaled.proximal(alpha, &zero);
            let (sweeps, _) = gauss_seidel(&near, &mut soft, SOFT_ENOUGH, self.params.sweeps);
            let (steps, _) = newton(&near, &mut soft, SOFT_ENOUGH, self.newton_steps(), WAYS[0]);
            let mut p = soft.clone();
            let (walked, _) = walk(&self.scaled, &mut p, 0.1 * self.params.aim, self.walk_rounds(), WAYS[0]);
            self.answer.iterations += sweeps + steps + walked;
            self.offer(&p, "soft contacts, proximal newton");
            if self.is_done() {
                return;
            }
        }
        self.newton(&self.best(), self.newton_steps(), "newton");
    }

    /// `p ← solution of (W + α 1, q − α p)`: regular problems whose answers walk to one of the singular problem. [Roc76]
    pub(super) fn proximal(&mut self) {
        for alpha in WEIGHTS {
            let (mut p, mut last) = (self.best(), f64::INFINITY);
            for _ in 0..PROXIMAL_STEPS {
                let near = self.scaled.proximal(alpha, &p);
                let goal = 1e-3 * self.answer.residual.clamp(self.params.aim, 1.0);
                let (sweeps, rest) = gauss_seidel(&near, &mut p, goal, 20);
                self.answer.iterations += sweeps;
                if rest > goal {
                    let (steps, _) = newton(&near, &mut p, goal, self.newton_steps(), WAYS[0]);
                    self.answer.iterations += steps;
                }
                self.offer(&p, "proximal newton");
                let now = self.scaled.residual(&p);
                if self.answer.residual <= self.params.aim || now > 0.98 * last {
                    break;
                }
                last = now;
            }
            self.newton(&self.best(), self.newton_steps(), "newton");
            if self.is_done() {
                return;
            }
        }
    }

    /// Proximal points that work allows, each with some ten factors.
    pub(super) fn walk_rounds(&self) -> usize {
        ((WALK_WORK / (self.factor_work() + 1.0)) as usize).clamp(WALK / 10, WALK)
    }

    /// Multiplications of one factorisation.
    pub(super) fn factor_work(&self) -> f64 {
        Fronts::new(&self.scaled.rows(), SmallPivots::Lifted(1e-14)).map_or(0.0, |f| f.work())
    }
}
