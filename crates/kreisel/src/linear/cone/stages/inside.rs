//! Ways through the inside of the cones.

use super::newton::{LAST_STEPS, NEWTON_STEPS, WAYS};
use crate::linear::cone::interior::{Pace, interior_point};
use crate::linear::cone::newton::newton;
use crate::linear::cone::solve::Chain;
use crate::linear::noise::Noise;

/// Ways through the inside: with large steps, and with small ones.
const HASTE: Pace = Pace { steps: 3 * NEWTON_STEPS, patience: usize::MAX, aims: [0.05, 0.3, 0.8] };
const CARE: Pace = Pace { steps: 300, patience: 40, aims: [0.3, 0.6, 0.9] };
/// By how much weights of contacts differ on ways in small steps. [1]
pub(super) const INSIDE: [f64; 10] = [1.0, 10.0, 3.0, 3.0, 10.0, 3.0, 10.0, 3.0, 10.0, 3.0];
/// Multiplications of one such way, of all in a stage, and the steps below which one leads nowhere.
const INSIDE_WORK: f64 = 6e9;
const LEAST_STEPS: usize = 50;

impl Chain<'_> {
    /// An interior point, then Newton's method from there.
    pub(super) fn interior(&mut self) {
        self.costly = true;
        let pace = Pace { steps: 3 * self.newton_steps(), ..HASTE };
        let inner = interior_point(&self.scaled, pace, &vec![1.0; self.problem.contacts()]);
        self.answer.iterations += inner.steps;
        self.offer(&inner.p, "interior point");
        self.newton(&inner.p, self.newton_steps(), "interior point, newton");
    }

    pub(super) fn interior_if(&mut self, now: bool) {
        if now {
            self.interior();
        }
    }

    /// Steps inside that work allows on one way.
    pub(super) fn steps_inside(&self) -> usize {
        (INSIDE_WORK / (self.factor_work() + 1.0)) as usize
    }

    /// True if that is enough for a way.
    pub(super) fn is_light(&self) -> bool {
        self.steps_inside() >= LEAST_STEPS
    }

    /// Ways through the inside, contacts weighted by chance as unequally as told; Newton's method from where each ends.
    pub(super) fn inside(&mut self, spreads: &[f64]) {
        self.costly = true;
        let (mut noise, mut spent) = (Noise(spreads.len() as u64), 0.0);
        let most = self.steps_inside();
        for &spread in spreads {
            if most < LEAST_STEPS || spent > INSIDE_WORK {
                return;
            }
            let weights: Vec<f64> = self.scales.iter().map(|_| spread.powf(2.0 * noise.next() - 1.0)).collect();
            let inner = interior_point(&self.scaled, Pace { steps: CARE.steps.min(most), ..CARE }, &weights);
            let mut p = inner.p;
            let (steps, residual) = newton(&self.scaled, &mut p, 0.1 * self.params.aim, LAST_STEPS, WAYS[0]);
            spent += inner.work;
            self.answer.iterations += inner.steps + steps;
            self.offer_finished(&p, residual, "inside");
            self.polish();
            if self.is_done() {
                return;
            }
        }
    }
}
