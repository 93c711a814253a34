//! Proximal points that grow firm.

use crate::linear::cone::firm::Firm;
use crate::linear::cone::nudge::nudged;
use crate::linear::cone::solve::Chain;
use crate::linear::noise::Noise;
use glamx::DVec3;

/// Multiplications, and factorisations, that they may cost.
const FIRM_WORK: f64 = 2e10;
const MOST_STEPS: usize = 400;
/// Points that may follow each other without one that is much firmer, or that leaves half of the least.
const PATIENCE: usize = 20;
/// Sides from which the last digits are looked for, and how far these begin from each other, relative to the impulses. [1]
const SIDES: usize = 12;
const BESIDE: f64 = 4.0 * f64::EPSILON;

impl Chain<'_> {
    /// Proximal points from no impulses at all.
    pub(super) fn firm(&mut self) {
        let scaled = self.scaled.clone();
        let mut firm = Firm::new(&scaled, vec![DVec3::ZERO; self.problem.contacts()]);
        let (mut least, mut softest, mut stale) = (f64::INFINITY, f64::INFINITY, 0);
        while firm.work < FIRM_WORK && firm.steps < MOST_STEPS && stale < PATIENCE && firm.advance() {
            let residual = scaled.residual(&firm.p);
            stale = if residual < 0.5 * least || firm.yielding < 0.5 * softest { 0 } else { stale + 1 };
            (least, softest) = (least.min(residual), softest.min(firm.yielding));
            self.offer_finished(&firm.p, residual, "proximal newton");
            if self.is_done() {
                break;
            }
        }
        self.answer.iterations += firm.steps;
        self.last_digits(&firm.p);
    }

    /// Impulses that are an answer but for digits: of the numbers next to them those that leave least, found from several sides. If these are no
    /// answer, and rounding alone may be more than the tolerance, no other method has the digits either.
    fn last_digits(&mut self, scaled_p: &[DVec3]) {
        let (rho, mut noise) = (self.problem.least_plausible(), Noise(1));
        let p = self.in_own_units(scaled_p);
        let mut begin = p.clone();
        for _ in 0..SIDES {
            if self.is_done() || self.scaled.residual(scaled_p) > self.params.tolerance {
                return;
            }
            self.offer_own(nudged(self.problem, &rho, &begin), "proximal newton");
            let mut beside = || 1.0 + BESIDE * (2.0 * noise.next() - 1.0);
            begin = p.iter().map(|p| *p * DVec3::new(beside(), beside(), beside())).collect();
        }
        self.give_up_for_digits(p);
    }
}
