//! Frames in which everybody sleeps: time passes, and nothing else.

use crate::model::setup::Law;
use crate::model::{Model, State};
use crate::step::report::StepReport;
use crate::step::support::Support;
use crate::step::workspace::Workspace;
use crate::step::{plan, rewire};

/// True if nothing can happen until the time `end`: all that is there are sleeping bodies that nothing pulls, holds or joins.
/// The workspace is up to date.
pub fn everybody_sleeps(model: &Model, state: &State, w: &Workspace, end: f64) -> bool {
    let sleeps = model.law == Law::Constraint && !model.integrator.is_implicit();
    let alone = model.loads.is_empty() && model.pressures.is_empty() && model.grabs.is_empty();
    let asleep = || !state.aggregates.is_empty() && state.sleep.count(state.epoch) == state.aggregates.len();
    sleeps
        && alone
        && model.joints.is_empty()
        && state.calm.is_empty()
        && w.total_free_mass == 0.0
        && state.sleep.gravity == model.gravity
        && rewire::next_switch(model, state).is_none_or(|t| t > end)
        && asleep()
        && w.supports.iter().all(|s| matches!(s, Support::None))
}

/// Lets the time pass until `end`, in as many steps as if something moved. The accounts stay as they are.
pub fn pass(model: &Model, state: &mut State, w: &mut Workspace, end: f64) -> StepReport {
    let mut report = plan(model, state, w, end - state.time);
    state.steps += report.substeps;
    state.frames += 1;
    state.time = end;
    report.time = end;
    report.contacts = state.shape_contacts.len();
    report
}
