//! The step: one frame of simulated time, sentence by sentence.

pub mod adopt;
mod choose;
mod clock;
mod constraint;
mod contacts;
pub mod convert;
mod drift;
mod encounters;
mod evaluate;
mod flow;
mod fracture;
mod implicit;
mod kick;
mod ledger;
pub mod limit;
mod push;
mod quasi_static;
mod ray;
mod relief;
mod report;
mod reseat;
mod reserve;
mod rewire;
mod rigid_fracture;
mod runaway;
mod search;
mod settle;
mod skin_search;
mod slumber;
pub mod support;
mod swing;
mod switching;
mod whip;
mod workspace;
mod zones;

pub use choose::choose;
pub use clock::{Clock, Stage};
pub use contacts::contacts;
pub use ledger::open as open_ledger;
pub use quasi_static::{Deformed, deformed};
pub use ray::cast;
pub use report::{Islands, StepError, StepReport};
pub use settle::{SettleError, SettleParams, SettleReport, settle};
pub use workspace::Workspace;

use crate::contact::coefficients::CoefficientTable;
use crate::contact::foot::Foot;
use crate::linear::Vectors;
use crate::model::mapping::carry_all;
use crate::model::setup::{Integrator, Law};
use crate::model::{Event, FREE, Model, State, Topology};
use crate::readout::Forces;
use flow::{Flow, substep};
use glamx::DVec3;
use limit::Bound;

/// The share of the rigorous bound that is used: strain turns connections a little, and contacts come in numbers.
const SAFETY: f64 = 0.9;
/// At least so many steps in a frame, for accuracy where nothing vibrates.
const FEWEST_STEPS: f64 = 8.0;
/// Without a wanted step, the law `constraint` takes so many in a frame.
const FRAME_SHARE: f64 = 4.0;
/// A rigid body turns by at most this angle in a step [rad].
const LARGEST_TURN: f64 = 0.1;
/// In an implicit step it may turn farther: its own rotation is exact [rad].
const LARGEST_IMPLICIT_TURN: f64 = 0.5;
/// A rest of a step below this share of it is rounding.
const SAME_TIME: f64 = 1e-9;
/// Tries of implicit steps between two times, beyond so many for each that is planned: what takes more would not end.
const MOST_TRIES: u64 = 300;
const MOST_TRIES_EACH: u64 = 10;
/// More steps in a frame than this are refused: the frame would not end within anybody's patience.
const MOST_STEPS: u64 = 10_000_000;

/// One frame, `t → t + frame`. The caller swaps the two states when it returns `Ok`; a failed frame changes nothing.
pub fn step(
    model: &Model,
    s: &State,
    next: &mut State,
    w: &mut Workspace,
    frame: f64,
) -> Result<StepReport, StepError> {
    next.copy_from(s);
    let mut report = StepReport::default();
    let mut flow = Flow::default();
    let end = end_of_frame(s.time, frame);
    if !(frame > 0.0 && end > s.time && end.is_finite()) {
        return Err(report::no_time_passes(model, s.time, frame));
    }
    w.clock.begin();
    w.refresh(model, next);
    if slumber::everybody_sleeps(model, next, w, end) {
        return Ok(slumber::pass(model, next, w, end));
    }
    w.moment = None;
    w.meeting = Some(encounters::encounters(model, next));
    flow.conversion += switching::rigidify(model, next, w, frame, &mut report.events);
    while next.time < end {
        flow.conversion += rewire::switch_on_schedule(model, next, w, &mut report.events)?;
        w.refresh(model, next);
        flow::meet_supports(next, w, &mut flow);
        constraint::start_joints(model, next, w, &mut flow);
        let until = rewire::undisturbed_until(model, next, end);
        w.clock.lap(Stage::Rewire);
        advance(model, next, w, until, &mut flow, &mut report)?;
    }
    next.frames += 1;
    carry_all(next);
    ledger::close(model, s, next, w, &flow);
    report::check_frame(model, next)?;
    runaway::check(model, next, w, &report)?;
    report.time = next.time;
    report.contacts = next.contacts.len() + next.shape_contacts.len();
    w.clock.lap(Stage::Report);
    report.costs = w.clock.spent();
    Ok(report)
}

/// Equal steps until a given time, or until an aggregate becomes soft: then the step must be chosen anew.
fn advance(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    until: f64,
    flow: &mut Flow,
    report: &mut StepReport,
) -> Result<(), StepError> {
    let begin = state.time;
    let plan = plan(model, state, w, until - begin);
    if plan.substeps > MOST_STEPS && !model.integrator.is_implicit() {
        return Err(report::too_many_steps(model, begin, &plan));
    }
    if model.law == Law::Constraint && !model.joints.is_empty() {
        return whip::advance(model, state, w, until, plan, flow, report);
    }
    advance_as_planned(model, state, w, until, &plan, flow, report)
}

/// Steps of the planned size until a given time.
fn advance_as_planned(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    until: f64,
    plan: &StepReport,
    flow: &mut Flow,
    report: &mut StepReport,
) -> Result<(), StepError> {
    let advance = if model.integrator.is_implicit() { advance_implicitly } else { advance_equally };
    advance(model, state, w, until, plan, flow, report)
}

/// Steps of the size that is planned.
fn advance_equally(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    until: f64,
    plan: &StepReport,
    flow: &mut Flow,
    report: &mut StepReport,
) -> Result<(), StepError> {
    let begin = state.time;
    for k in 1..=plan.substeps {
        if model.law == Law::Constraint {
            constraint::substep(model, state, w, plan.step, flow, report)?;
            encounters::note(model, state, w, &mut report.events);
            w.clock.lap(Stage::Report);
        } else if !substep(model, state, w, plan.step, flow, &mut report.events)? {
            break;
        }
        state.time = if k == plan.substeps { until } else { begin + k as f64 * plan.step };
        report.substeps += 1;
    }
    report.step = plan.step;
    report.stable_step = plan.stable_step;
    report.limiting_element = plan.limiting_element;
    report.limited_by_joints = plan.limited_by_joints;
    Ok(())
}

/// Implicit steps until a given time. One that has no solution is halved, and the next is twice as long as what was solved: what halved
/// it is still there, as a rule.
fn advance_implicitly(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    until: f64,
    plan: &StepReport,
    flow: &mut Flow,
    report: &mut StepReport,
) -> Result<(), StepError> {
    let mut stride = plan.step;
    let most = report.substeps + report.retries + MOST_TRIES + MOST_TRIES_EACH.saturating_mul(plan.substeps);
    while until - state.time > SAME_TIME * plan.step {
        let left = until - state.time;
        // Equal steps, however the sum of steps before has been rounded.
        let size = if left < (1.0 + SAME_TIME) * stride { left } else { stride };
        let taken = implicit::step(model, state, w, size, flow, report)?;
        if taken > 0.0 {
            report.substeps += 1;
            report.step = taken;
            stride = if taken < size { 2.0 * taken } else { 2.0 * stride }.min(plan.step);
        }
        if report.substeps + report.retries > most {
            return Err(implicit::too_many_tries(model, state, stride, report));
        }
    }
    state.time = until;
    report.stable_step = plan.stable_step;
    report.limiting_element = plan.limiting_element;
    report.limited_by_joints = plan.limited_by_joints;
    Ok(())
}

/// The equal steps in which a span of time [s] is taken, and what limits them.
pub fn plan(model: &Model, state: &State, w: &mut Workspace, span: f64) -> StepReport {
    w.refresh(model, state);
    let bound = w.stable_step(model, state);
    let wanted = largest_step(model, state, bound, span);
    let largest = swing::longest_step(model, state, wanted);
    // A step of zero makes this infinite, which the conversion below keeps as the largest number.
    let count = (span / largest - 1e-9).ceil().max(1.0);
    StepReport {
        time: state.time,
        substeps: count as u64,
        step: span / count,
        stable_step: bound.step,
        limiting_element: bound.element,
        limited_by_joints: largest < wanted,
        ..StepReport::default()
    }
}

/// The largest step allowed but for joints: the one asked for, but not beyond stability (except for forward Euler, which is
/// shown as it is).
fn largest_step(model: &Model, state: &State, bound: Bound, span: f64) -> f64 {
    let stable = bound.step;
    let spin = state.aggregates.iter().map(|a| a.spin().length()).fold(0.0, f64::max);
    let turn = LARGEST_TURN / spin.max(f64::MIN_POSITIVE);
    let accurate = (model.frame / FEWEST_STEPS).min(turn).min(bound.accurate);
    match (model.integrator, model.step) {
        (integrator, step) if model.law == Law::Constraint && !integrator.is_implicit() => {
            step.unwrap_or(model.frame / FRAME_SHARE).min(SAFETY * stable).min(span)
        }
        (integrator, step) if integrator.is_implicit() => {
            let turn = LARGEST_IMPLICIT_TURN / spin.max(f64::MIN_POSITIVE);
            step.unwrap_or(model.frame).min(turn).min(span)
        }
        (Integrator::ForwardEuler, Some(step)) => step.min(span),
        (_, Some(step)) => step.min(SAFETY * stable).min(span),
        (_, None) => accurate.min(SAFETY * stable).min(span),
    }
}

/// Times of frames are whole multiples of the frame, not sums with rounding errors.
fn end_of_frame(time: f64, frame: f64) -> f64 {
    let count = ((time + frame) / frame).round();
    let whole = count * frame;
    if (whole - time - frame).abs() <= 1e-9 * frame { whole } else { time + frame }
}

/// Works out the forces at the state of the moment.
pub fn forces(model: &Model, state: &mut State, w: &mut Workspace) -> Forces {
    w.refresh(model, state);
    evaluate::evaluate(model, state, w, state.time, 0.0, 0.0);
    let mut total = w.force.clone();
    for field in [&w.damping, &w.load].into_iter().filter(|f| !f.is_empty()) {
        total.axpy(1.0, field);
    }
    let mut contact = Vectors::zeros(model.elements.len());
    let mut couples = vec![DVec3::ZERO; state.aggregates.len()];
    w.contacts.iter().for_each(|c| c.apply(model, &state.position, &mut contact, &mut couples));
    // Impulses of the law `constraint` are not found anew: what is told is their mean over the last step.
    let mut pushed = Vectors::zeros(model.elements.len());
    constraint::add_forces(model, state, &mut pushed);
    contact.axpy(1.0, &pushed);
    constraint::add_joint_forces(model, state, &mut pushed);
    total.axpy(1.0, &pushed);
    add_weights(model, state, &mut total);
    let mut reaction = w.reaction.clone();
    if !model.integrator.is_implicit() && !reaction.is_empty() {
        bear(model, state, w, &pushed, &mut reaction);
    }
    Forces { total, reaction, contact }
}

/// What contacts and joints do to bodies that nothing moves, their fixes bear: explicit steps do not give it to the bodies at all.
fn bear(model: &Model, state: &State, w: &Workspace, pushed: &Vectors, reaction: &mut Vectors) {
    for (_, body) in w.immovable.iter().zip(&state.aggregates).filter(|(immovable, _)| **immovable) {
        let load = body.elements.iter().fold(DVec3::ZERO, |sum, &e| sum + pushed.get(e as usize));
        kick::note_reaction(model, body, -load, reaction);
    }
}

/// Weight and drag of elements that rigid bodies carry: the step gives them to the body as a whole.
fn add_weights(model: &Model, state: &State, total: &mut Vectors) {
    for i in (0..model.elements.len()).filter(|&i| state.owner[i] != FREE) {
        total.add(i, (model.gravity - state.velocity.get(i) * model.drag) * model.elements.mass[i]);
    }
}

/// Points [m] and forces on the element [N] of the contacts at the state of the moment, the strongest `most` of them.
pub fn contact_forces(model: &Model, state: &mut State, w: &mut Workspace, most: usize) -> Vec<(DVec3, DVec3)> {
    w.refresh(model, state);
    evaluate::find_contacts(model, state, w, 0.0, 0.0);
    let shapes = state.shape_contacts.iter().map(|c| (c.point, c.force()));
    let pushing = w.contacts.iter().map(|c| (c.point, c.force())).chain(shapes);
    let mut all: Vec<(DVec3, DVec3)> = pushing.filter(|c| c.1 != DVec3::ZERO).collect();
    all.sort_by(|a, b| b.1.length_squared().total_cmp(&a.1.length_squared()));
    all.truncate(most);
    all
}

/// Where the contact spheres of elements stand on skins of others, sorted by element and skin.
pub fn feet(model: &Model, state: &mut State) -> Vec<(u32, Foot)> {
    let mut search = search::Search::default();
    let topology = Topology::new(model, state);
    // Where they stand does not depend on how stiff things are.
    search.invalidate(model, state, &topology, &CoefficientTable::default());
    search.update(model, state, &topology, 0.0);
    search.close_candidates().feet.to_vec()
}

/// Makes elements rigid or soft between frames; the ledger books what that takes.
pub fn switch(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    elements: &[u32],
    rigid: bool,
    events: &mut Vec<Event>,
) -> Result<(), convert::SwitchError> {
    w.refresh(model, state);
    let before = state.clone();
    let conversion = rewire::make(model, state, w, elements, rigid, "by call", events).inspect_err(|_| {
        state.clone_from(&before);
    })?;
    ledger::close(model, &before, state, w, &Flow { conversion, ..Flow::default() });
    Ok(())
}
