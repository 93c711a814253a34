//! What the contact problems of a run have cost.

use kreisel::step::StepReport;
use serde::{Deserialize, Serialize};

/// Sums over the steps of a run under the law `constraint`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contacting {
    /// Steps taken.
    pub steps: u64,
    /// Passes over the contacts of islands.
    pub sweeps: u64,
    /// Newton steps of islands for which passes were not enough.
    pub newton_steps: u64,
    /// Islands that kept more than the tolerance.
    pub unconverged: u64,
    /// The most that was left of the contact law, natural map [m/s].
    pub largest_residual: f64,
}

impl Contacting {
    /// Adds a frame.
    pub fn add(&mut self, frame: &StepReport) {
        self.steps += frame.substeps;
        self.sweeps += frame.contact_sweeps;
        self.newton_steps += frame.newton_iterations;
        self.unconverged += frame.unconverged_contacts;
        self.largest_residual = self.largest_residual.max(frame.contact_residual);
    }
}
