//! Implicit steps: particles and rigid bodies in one system, `C (M + hγ B + hτγ K) C Δu = −C g`.
//!
//! The order of a step: remember the start; filter; Newton's iteration (each: forces at a pose, linearise, conjugate gradients,
//! search); book works and impulses; move to the end; give back lost momentum; break what is too long.

mod aim;
mod blocks;
mod filter;
mod finish;
mod groups;
mod imparted;
mod impulses;
mod mobility;
mod newton;
mod pose;
mod repair;
mod residual;
mod rest;
mod scheme;
mod slots;
mod solver;
mod system;
#[cfg(test)]
mod tests;
mod turns;
mod unilateral;

pub use groups::Groups;
pub use newton::Unsolved;
pub use rest::{Balance, balance, stand_still, stride};
pub use solver::Solver;

use crate::model::setup::Law;
use crate::model::{Event, Model, State};
use crate::step::clock::Stage;
use crate::step::constraint::{Meetings, finish_joints};
use crate::step::encounters;
use crate::step::flow::Flow;
use crate::step::fracture::break_overstretched;
use crate::step::report::{StepError, StepReport};
use crate::step::rigid_fracture::{breaking, can_break, release};
use crate::step::switching::{overloaded, soften};
use crate::step::workspace::Workspace;
use filter::Filter;
use finish::finish;
use newton::{Task, solve};
use pose::Start;
use scheme::Scheme;
use unilateral::Agreed;

/// A step that has no solution is halved so many times before the frame fails.
const MOST_HALVINGS: u32 = 14;

/// One implicit step of at most `h`; halved until it can be solved. Returns the time that it took, zero if an aggregate had
/// to become soft first.
pub fn step(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    h: f64,
    flow: &mut Flow,
    report: &mut StepReport,
) -> Result<f64, StepError> {
    let mut size = h;
    for _ in 0..=MOST_HALVINGS {
        match attempt(model, state, w, size, flow, report) {
            Ok(true) => return Ok(size),
            Ok(false) => return Ok(0.0),
            Err(why) => {
                w.search.invalidate(model, state, &w.topology, &w.coefficients);
                report.retries += 1;
                report.solver_trouble = Some(why.to_string());
                size *= 0.5;
            }
        }
    }
    let why = report.solver_trouble.clone().unwrap_or_default();
    Err(failure(model, state, format!("no solution even with a step of {size:.3e} s: {why}")))
}

/// A frame whose steps are solved, but only in so small parts that it would not end.
pub fn too_many_tries(model: &Model, state: &State, stride: f64, report: &StepReport) -> StepError {
    let why = report.solver_trouble.clone().unwrap_or_default();
    failure(
        model,
        state,
        format!("after {} halved steps they are still no longer than {stride:.1e} s: {why}", report.retries),
    )
}

fn failure(model: &Model, state: &State, cause: String) -> StepError {
    let element = (!model.elements.is_empty()).then_some(0);
    let body = element.map_or("", |e| model.body_name(e)).to_string();
    StepError { time: state.time, element, body, cause }
}

/// One step of size `h`; a failed one leaves the state as it was. False if it was not made, because an aggregate had to become soft first.
fn attempt(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    h: f64,
    flow: &mut Flow,
    report: &mut StepReport,
) -> Result<bool, Unsolved> {
    let scheme = Scheme::new(model.integrator, h);
    if !soften_overloaded(model, state, w, h, flow, &mut report.events) {
        return Ok(false);
    }
    w.clock.lap(Stage::Rewire);
    let mut meetings = (model.law == Law::Constraint).then(|| Meetings::find(model, state, w, h, flow));
    w.clock.lap(Stage::Detect);
    let flying = meetings.as_ref().map_or(&[][..], Meetings::flying);
    let start = Start::new(state, &scheme).with_flying(flying);
    let filter = Filter::new(model, state, &start, state.time, &scheme);
    let pieces = Groups::new(model, state, &w.topology);
    let joined = (!model.joints.is_empty()).then(|| pieces.joined(model, state));
    let groups = joined.as_ref().unwrap_or(&pieces);
    let (begin, time) = (state.time, state.time + scheme.reach);
    let task =
        Task { model, start: &start, scheme, begin, time, filter: &filter, groups, pieces: &pieces, pushes: &[] };
    let mut solver = std::mem::take(&mut w.solver);
    let remembered = state.solver.clone();
    let solved = match &mut meetings {
        None => solve(&task, state, w, &mut solver, None).map(|solved| Agreed { solved, left: 0.0, squeezed: false }),
        Some(meetings) => unilateral::solve(&task, (&mut *state, &mut *w), &mut solver, meetings),
    };
    w.solver = solver;
    w.clock.lap(Stage::FreeMotion);
    let Agreed { solved, left, squeezed } = match solved {
        Ok(solved) => solved,
        Err(why) => {
            start.restore(state);
            state.solver = remembered;
            if let Some(meetings) = meetings {
                w.contact_space = meetings.give_back(model, state, w, flow);
            }
            return Err(why);
        }
    };
    let solved = finish(&task, state, w, solved, flow);
    if let Some(meetings) = meetings {
        report.events.extend(meetings.jammed(model, begin));
        w.contact_space = meetings.finish(model, state, flow);
        finish_joints(model, state, w, (begin, h), flow, report);
        report.contact_residual = report.contact_residual.max(left);
        report.unconverged_contacts += u64::from(squeezed);
    }
    w.clock.lap(Stage::Advance);
    report.newton_iterations += solved.iterations as u64;
    report.linear_iterations += solved.linear_iterations as u64;
    report.residual = report.residual.max(solved.residual);
    report.solver = w.solver.name();
    state.solver.remember_change(solved.du, state.epoch, h);
    state.time = begin + h;
    state.steps += 1;
    break_connections(model, state, w, flow, &mut report.events);
    w.clock.lap(Stage::Rewire);
    encounters::note(model, state, w, &mut report.events);
    w.clock.lap(Stage::Report);
    Ok(true)
}

/// Lets aggregates that the forces of the moment would deform or break become soft; true if there were none.
fn soften_overloaded(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    h: f64,
    flow: &mut Flow,
    events: &mut Vec<Event>,
) -> bool {
    if !state.aggregates.iter().any(|a| a.origin == crate::model::Origin::Automatic) && !can_break(w) {
        return true;
    }
    crate::step::evaluate::evaluate(model, state, w, state.time, 0.0, 0.0);
    let overloaded = overloaded(model, state, w, h);
    let breaking = breaking(model, state, w);
    if overloaded.is_empty() && breaking.is_empty() {
        return true;
    }
    soften(model, state, &overloaded, events);
    release(model, state, w, &breaking, flow, events);
    w.refresh(model, state);
    false
}

/// Connections break between steps only.
fn break_connections(model: &Model, state: &mut State, w: &mut Workspace, flow: &mut Flow, events: &mut Vec<Event>) {
    while let Some(energy) = break_overstretched(model, state, w, events) {
        flow.fracture += energy;
        flow.turnover += energy;
    }
}
