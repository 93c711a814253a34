//! Linkages that whip within a frame: it is taken again in more parts.
//!
//! How fast links will turn in a step is known when it is over. What makes a step too long (`joints/linkage`, `joints/energy`)
//! is asked of the step as a whole, not of its beginning: what swings there and back is taken in the same parts on both ways, so
//! that errors do not add up [HLW06 VIII.3].

use crate::model::{Model, State};
use crate::step::constraint::OPEN;
use crate::step::flow::Flow;
use crate::step::report::{StepError, StepReport};
use crate::step::workspace::Workspace;
use crate::step::{advance_as_planned, encounters};

/// Parts of a span at most, beyond those that were planned.
const MOST_PARTS: u64 = 256;

/// Shorter steps help joints that stay open if those come closer than this share of what was open [1].
const CLOSER: f64 = 0.9;

/// Equal steps until a given time, as many as planned or as linkages need.
pub fn advance(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    until: f64,
    mut plan: StepReport,
    flow: &mut Flow,
    report: &mut StepReport,
) -> Result<(), StepError> {
    let span = until - state.time;
    let start = (state.clone(), *flow, report.clone());
    let planned = plan.substeps;
    plan.substeps = planned.max(expected(state, span));
    let mut last = f64::INFINITY;
    for retries in 0.. {
        plan.step = span / plan.substeps as f64;
        plan.limited_by_joints |= plan.substeps > planned;
        (flow.strayed, flow.open) = (0.0, 0.0);
        let done = advance_as_planned(model, state, w, until, &plan, flow, report);
        // Joints that contradict each other stay open in any steps.
        let closed = flow.open <= OPEN || flow.open > CLOSER * last;
        last = flow.open;
        // Implicit steps that have no solution have been halved already.
        let in_vain = done.is_err() && model.integrator.is_implicit();
        if plan.substeps >= MOST_PARTS || in_vain || (done.is_ok() && flow.strayed <= 1.0 && closed) {
            report.retries += retries;
            return done;
        }
        state.copy_from(&start.0);
        (*flow, *report) = (start.1, start.2.clone());
        w.refresh(model, state);
        w.moment = None;
        w.meeting = Some(encounters::encounters(model, state));
        plan.substeps *= 2;
    }
    Ok(())
}

/// Half the parts that the span before was taken in: joints of linkages remember half a step.
fn expected(state: &State, span: f64) -> u64 {
    let shortest = state.joints.iter().map(|j| j.step).filter(|h| *h > 0.0).fold(f64::INFINITY, f64::min);
    (span / (4.0 * shortest) - 1e-9).ceil().clamp(1.0, MOST_PARTS as f64) as u64
}
