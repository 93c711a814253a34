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
    /// Islands that were solved by passes alone, with Newton steps, and by Lemke's method.
    #[serde(default)]
    pub solved_by: SolvedBy,
    /// First-order steps that were taken as ones of second order, to meet blows one after the other.
    #[serde(default)]
    pub steps_in_time: u64,
    /// By how much joints stayed open that could not be closed [m].
    #[serde(default)]
    pub joint_gap: f64,
    /// Islands that kept more than the tolerance, and steps that left joints open.
    pub unconverged: u64,
    /// The most that was left of the contact law, natural map [m/s].
    pub largest_residual: f64,
}

/// How many islands took which solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolvedBy {
    /// Passes over the contacts alone.
    pub sweeps: u64,
    /// Newton steps too, or factorised joints.
    pub newton: u64,
    /// Lemke's method on friction pyramids.
    pub lemke: u64,
}

impl Contacting {
    /// Adds a frame.
    pub fn add(&mut self, frame: &StepReport) {
        self.steps += frame.substeps;
        self.sweeps += frame.contact_sweeps;
        self.newton_steps += frame.newton_iterations;
        self.solved_by.sweeps += frame.islands.swept;
        self.solved_by.newton += frame.islands.newton;
        self.solved_by.lemke += frame.islands.lemke;
        self.steps_in_time += frame.steps_in_time;
        self.joint_gap = self.joint_gap.max(frame.joint_gap);
        self.unconverged += frame.unconverged_contacts;
        self.largest_residual = self.largest_residual.max(frame.contact_residual);
    }
}
