//! What the implicit steps of a run have cost.

use kreisel::step::StepReport;
use serde::{Deserialize, Serialize};

/// The cost of the implicit steps of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Solving {
    /// Steps taken.
    pub steps: u64,
    /// Newton iterations, one linear system each.
    pub newton_iterations: u64,
    /// Iterations of the linear solver.
    pub linear_iterations: u64,
    /// The linear solver of the last step.
    pub solver: String,
    /// Steps that were made again with half the size.
    pub retries: u64,
    /// Why, the last time.
    pub retry_reason: Option<String>,
    /// The largest share that a step has left of its equation [1].
    pub largest_residual: f64,
}

impl Solving {
    /// Adds a frame.
    pub fn add(&mut self, frame: &StepReport) {
        self.steps += frame.substeps;
        self.newton_iterations += frame.newton_iterations;
        self.linear_iterations += frame.linear_iterations;
        self.solver = frame.solver.to_string();
        self.retries += frame.retries;
        self.retry_reason = frame.solver_trouble.clone().or_else(|| self.retry_reason.take());
        self.largest_residual = self.largest_residual.max(frame.residual);
    }
}
