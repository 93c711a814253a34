//! Paths through folds, several short ones.

use crate::linear::cone::folds::through_folds;
use crate::linear::cone::gauss_seidel::gauss_seidel;
use crate::linear::cone::harden::hardened;
use crate::linear::cone::solve::{BY_FAR, Chain};
use glamx::DVec3;

/// Where paths through folds begin, and what they may cost.
pub(super) struct Fold {
    /// Sweeps from no impulses at all; none from the best that is known.
    sweeps: usize,
    /// The first weight. [1]
    weight: f64,
    /// Multiplications.
    work: f64,
}

/// Whether a path is short depends on where it begins as if by chance: better several than a long one.
pub(super) const FOLDS: [Fold; 6] = [
    Fold { sweeps: 0, weight: 1e-2, work: 1.5e9 },
    Fold { sweeps: 0, weight: 1e-3, work: 3e9 },
    Fold { sweeps: 100, weight: 1e-3, work: 3e9 },
    Fold { sweeps: 50, weight: 1e-2, work: 3e9 },
    Fold { sweeps: 25, weight: 1e-1, work: 3e9 },
    Fold { sweeps: 12, weight: 1e-2, work: 3e9 },
];

/// Multiplications of a way through contacts that yield less and less, and factorisations at least and at most.
const HARDENING: f64 = 2e11;
const LEAST: usize = 3000;
const MOST: usize = 30_000;

impl Chain<'_> {
    /// Contacts that yield less and less.
    pub(super) fn harden(&mut self) {
        self.costly = true;
        let most = (HARDENING / (self.factor_work() + 1.0)) as usize;
        let (p, steps, residual) = hardened(&self.scaled, 0.1 * self.params.aim, most.clamp(LEAST, MOST));
        self.answer.iterations += steps;
        self.offer_finished(&p, residual, "hardening contacts");
    }

    /// Paths through folds.
    pub(super) fn fold(&mut self, attempts: &[Fold]) {
        self.costly = true;
        let goal = 0.1 * self.params.aim.max(BY_FAR * self.params.tolerance);
        for attempt in attempts {
            let mut p = self.best();
            if attempt.sweeps > 0 {
                p.fill(DVec3::ZERO);
                gauss_seidel(&self.scaled, &mut p, goal, attempt.sweeps);
            }
            let (steps, residual) = through_folds(&self.scaled, &mut p, goal, attempt.weight, attempt.work);
            self.answer.iterations += steps;
            self.offer_finished(&p, residual, "paths through folds");
            if self.is_done() {
                return;
            }
        }
    }
}
