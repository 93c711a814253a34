//! Sweeps of Gauss–Seidel, plain and looking ahead.

use crate::linear::cone::gauss_seidel::{extrapolated, gauss_seidel};
use crate::linear::cone::solve::Chain;

/// Sweeps that look ahead, in units of the usual number.
const AHEAD: usize = 5;

impl Chain<'_> {
    pub(super) fn sweep(&mut self, sweeps: usize) {
        let mut p = self.best();
        let (done, _) = gauss_seidel(&self.scaled, &mut p, 0.1 * self.params.aim, sweeps);
        self.answer.iterations += done;
        self.offer(&p, "gauss-seidel");
    }

    /// Sweeps that look ahead, then Newton's method from there.
    pub(super) fn look_ahead(&mut self) {
        let mut p = self.best();
        let (done, _) = extrapolated(&self.scaled, &mut p, 0.1 * self.params.aim, AHEAD * self.params.sweeps);
        self.answer.iterations += done;
        self.offer(&p, "extrapolated gauss-seidel");
        if !self.is_done() {
            self.newton(&self.best(), self.newton_steps(), "newton");
        }
    }
}
