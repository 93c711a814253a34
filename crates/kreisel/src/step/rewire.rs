//! Scheduled switches, and switches by call.

use crate::model::mapping::carry_all;
use crate::model::setup::Release;
use crate::model::{Event, EventKind, Model, Origin, State};
use crate::step::relief::relieve_strain;
use crate::step::report::StepError;
use crate::step::workspace::Workspace;
use crate::step::{convert, ledger};

/// Times nearer than this share of a frame are the same: a step that short would divide rounding errors by itself.
const SAME_TIME: f64 = 1e-9;

/// When the next scheduled switch comes, if any is left.
pub fn next_switch(model: &Model, state: &State) -> Option<f64> {
    model.schedule.get(state.scheduled as usize).map(|s| s.time)
}

/// Until when the motion goes on without a switch, within a frame that ends at `end`.
pub fn undisturbed_until(model: &Model, state: &State, end: f64) -> f64 {
    next_switch(model, state).filter(|&t| end - t > SAME_TIME * model.frame).unwrap_or(end)
}

/// Makes all switches that are due; returns the energy they took out of the motion [J].
pub fn switch_on_schedule(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    events: &mut Vec<Event>,
) -> Result<f64, StepError> {
    let mut taken = 0.0;
    while next_switch(model, state).is_some_and(|t| t - state.time <= SAME_TIME * model.frame) {
        let switch = &model.schedule[state.scheduled as usize];
        let made = make(model, state, w, &switch.elements, switch.make_rigid, "scheduled", events);
        let failed = |e: convert::SwitchError| StepError {
            time: state.time,
            element: switch.elements.first().copied(),
            body: String::new(),
            cause: e.to_string(),
        };
        taken += made.map_err(failed)?;
        state.scheduled += 1;
    }
    Ok(taken)
}

/// Makes a set of elements rigid or soft; returns the energy that took out of the motion [J].
pub fn make(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    elements: &[u32],
    rigid: bool,
    reason: &str,
    events: &mut Vec<Event>,
) -> Result<f64, convert::SwitchError> {
    let before = energy(model, state, w);
    let mut reason = reason.to_string();
    if rigid {
        convert::make_rigid(model, state, elements, Origin::Requested)?;
    } else {
        if model.switching.release == Release::Relief
            && let Err(why) = relieve_strain(model, state, w, elements)
        {
            reason += &format!("; frozen strain kept: {why}");
        }
        convert::make_soft(model, state, elements)?;
    }
    let energy = before - energy(model, state, w);
    let first = elements.first().copied().unwrap_or_default();
    let body = model.bodies[model.elements.body[first as usize].0 as usize].name.clone();
    let elements = elements.len() as u32;
    let kind = if rigid {
        EventKind::MadeRigid { elements, body, reason }
    } else {
        EventKind::MadeSoft { elements, body, reason }
    };
    events.push(Event { time: state.time, place: state.position.get(first as usize), energy, kind });
    Ok(energy)
}

/// Total energy of a state [J].
fn energy(model: &Model, state: &mut State, w: &mut Workspace) -> f64 {
    w.refresh(model, state);
    carry_all(state);
    ledger::measure(model, state, w).energy()
}
