//! What a frame reports, and how it can fail.

use crate::model::{Aggregate, Event, Model, State};
use std::fmt;

/// A frame that went well.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// Time reached [s].
    pub time: f64,
    /// Steps taken in the frame.
    pub substeps: u64,
    /// Size of the last step [s].
    pub step: f64,
    /// Largest stable step [s].
    pub stable_step: f64,
    /// Element that sets the stable step.
    pub limiting_element: Option<u32>,
    /// True if joints need shorter steps than anything else.
    pub limited_by_joints: bool,
    /// Newton iterations of implicit steps.
    pub newton_iterations: u64,
    /// Iterations of their linear solver.
    pub linear_iterations: u64,
    /// The largest share that they left of their equation [1].
    pub residual: f64,
    /// Steps that were made again with half the size, because they had no solution.
    pub retries: u64,
    /// Why, the last time.
    pub solver_trouble: Option<String>,
    /// The linear solver of implicit steps.
    pub solver: &'static str,
    /// Passes over the contacts of the law `constraint`.
    pub contact_sweeps: u64,
    /// Which solvers the contact problems took, island by island.
    pub islands: Islands,
    /// The most that they left of the contact law, natural map [m/s].
    pub contact_residual: f64,
    /// By how much joints stay open that cannot be closed [m].
    pub joint_gap: f64,
    /// Contact problems that kept more than the tolerance, and steps that left joints open.
    pub unconverged_contacts: u64,
    /// First-order steps that were taken as ones of second order, to meet blows one after the other.
    pub steps_in_time: u64,
    /// Contacts at the end of the frame.
    pub contacts: usize,
    /// Time that each stage took [s], in the order of [`crate::step::Stage::ALL`]; zeros unless the workspace's clock is on.
    pub costs: [f64; 6],
    /// What happened.
    pub events: Vec<Event>,
}

/// Islands of contacts and joints by the solver that they took; those that stand still need none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Islands {
    /// By passes over their contacts alone.
    pub swept: u64,
    /// With Newton steps, or factorised joints.
    pub newton: u64,
    /// By Lemke's method, on friction pyramids.
    pub lemke: u64,
}

/// A frame that failed; the state before it is intact.
#[derive(Clone, Debug, PartialEq)]
pub struct StepError {
    /// When [s].
    pub time: f64,
    /// Which element, if one can be named.
    pub element: Option<u32>,
    /// Name of its body.
    pub body: String,
    /// Why.
    pub cause: String,
}

/// A frame that would need more steps than anyone waits for.
pub(super) fn too_many_steps(model: &Model, time: f64, plan: &StepReport) -> StepError {
    let (count, step) = (plan.substeps as f64, plan.step);
    let element = plan.limiting_element.or((!model.elements.is_empty()).then_some(0));
    let body = element.map_or("", |e| model.body_name(e)).to_string();
    let cause = format!(
        "the frame would take {count:.2e} steps of {step:.2e} s: choose a shorter frame, softer or heavier elements, or \
         larger steps"
    );
    StepError { time, element, body, cause }
}

/// A frame so short that the clock would not notice, or not a time at all.
pub(super) fn no_time_passes(model: &Model, time: f64, frame: f64) -> StepError {
    let element = (!model.elements.is_empty()).then_some(0);
    let body = element.map_or("", |e| model.body_name(e)).to_string();
    let cause = format!("a frame of {frame:e} s takes the time nowhere from {time:e} s: choose a longer one");
    StepError { time, element, body, cause }
}

/// What a frame hands on must be finite.
pub(super) fn check_frame(model: &Model, state: &State) -> Result<(), StepError> {
    let wild = state.position.first_not_finite().or_else(|| state.velocity.first_not_finite());
    let spinning = |a: &&Aggregate| !(a.angular_momentum.is_finite() && a.orientation.is_finite());
    let wild = wild.or_else(|| state.aggregates.iter().find(spinning).map(|a| a.elements[0] as usize));
    if wild.is_none() && state.ledger.is_finite() {
        return Ok(());
    }
    let element = wild.map(|i| i as u32).or((!model.elements.is_empty()).then_some(0));
    let body = element.map_or("", |e| model.body_name(e)).to_string();
    let what = if wild.is_some() { "its motion is" } else { "the energy or momentum of the scene is" };
    Err(StepError { time: state.time, element, body, cause: format!("{what} no longer a finite number") })
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the step at {:.6e} s failed", self.time)?;
        if let Some(e) = self.element {
            write!(f, " at element {e} of \"{}\"", self.body)?;
        }
        write!(f, ": {}", self.cause)
    }
}

impl std::error::Error for StepError {}
