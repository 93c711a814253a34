//! The rest state under load: where every force is balanced, found by steps of pseudo-time that grow without end.

use crate::linear::Vectors;
use crate::model::{FREE, Model, State};
use crate::step::implicit::{Balance, balance, stand_still, stride};
use crate::step::ledger;
use crate::step::rewire::switch_on_schedule;
use crate::step::support::target;
use crate::step::workspace::Workspace;
use glamx::DVec3;

mod outcome;
mod yardstick;

pub use outcome::{SettleError, SettleParams, SettleReport};

use yardstick::Yardstick;

/// Pseudo-time grows by this factor when a step leaves the forces as they were, and more as it makes them smaller …
const GROWTH: f64 = 2.0;
/// … but no more than so many times that.
const FASTEST: f64 = 50.0;
/// A step that makes the forces so many times larger is taken back.
const WORSE: f64 = 3.0;
/// A step that is taken back is tried again with this share of the pseudo-time, or less.
const RETREAT: f64 = 0.2;
/// Forces that are this share of what they were, or less, count as no worse.
const AS_BEFORE: f64 = 0.9;
/// Steps without any good after which contacts are taken to be what keeps forces from balancing better.
const STALLED: usize = 25;
/// A pseudo-time that did no good is come near again by this factor a step.
const RELAX: f64 = 1.5;
/// Each step is solved to this share of the forces that it starts with [1] …
const ACCURACY: f64 = 1e-2;
/// … and no better than to this share of the loads [1].
const FINEST: f64 = 1e-11;
/// Aggregates turn no farther than about this in a step [rad]: what holds them is linear in one.
const LARGEST_TURN: f64 = 0.3;
/// The first step, as a multiple of the explicit bound.
const FIRST: f64 = 30.0;
/// Beyond this pseudo-time [s] steps do not grow: inertia is below rounding long before.
const LONGEST: f64 = 1e6;
/// Held elements farther than this share of their radius from where they should be are not held.
const OFF: f64 = 1e-6;

/// Brings a state to rest. A state that cannot be brought there is left in the middle: the caller keeps a copy.
pub fn settle(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    params: &SettleParams,
) -> Result<SettleReport, SettleError> {
    let time = params.time.unwrap_or(state.time);
    check(params, time)?;
    state.time = time;
    stand_still(state);
    w.refresh(model, state);
    switch_on_schedule(model, state, w, &mut Vec::new()).map_err(SettleError::Switch)?;
    w.refresh(model, state);
    if !can_move(model, state, w) {
        return Err(SettleError::Nothing);
    }
    let begin = state.position.clone();
    let yard = Yardstick::new(model, state, w, time);
    yard.refuse_floating(model, state)?;
    let mut report = SettleReport { time, loads: yard.loads, ..SettleReport::default() };
    let now = come_to_rest(model, state, w, params, &yard, &begin, &mut report)?;
    check_fixes(model, state, time)?;
    check_strength(model, state, w)?;
    describe(model, state, w, &now, &begin, &mut report);
    ledger::open(model, state, w);
    w.reaction = reactions(model, state, &now);
    Ok(report)
}

fn check(params: &SettleParams, time: f64) -> Result<(), SettleError> {
    if !time.is_finite() {
        return Err(SettleError::BadParams(format!("cannot settle at the time {time} s")));
    }
    if !(params.tolerance > 0.0 && params.tolerance.is_finite()) {
        return Err(SettleError::BadParams(format!("a tolerance of {} is none", params.tolerance)));
    }
    Ok(())
}

fn can_move(model: &Model, state: &State, w: &Workspace) -> bool {
    let held = |e: u32| {
        let hold = model.holds.binary_search_by_key(&e, |h| h.element).ok().map(|h| &model.holds[h]);
        hold.is_some_and(|h| h.axes == [true; 3])
    };
    let free = (0..model.elements.len() as u32).any(|e| state.owner[e as usize] == FREE && !held(e));
    free || w.immovable.iter().any(|still| !still) || model.holds.iter().any(|h| h.motion.is_some())
}

/// Steps of pseudo-time until all forces balance.
fn come_to_rest(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    params: &SettleParams,
    yard: &Yardstick,
    begin: &Vectors,
    report: &mut SettleReport,
) -> Result<Balance, SettleError> {
    let mut pace = Pace { h: yard.first_step, ceiling: LONGEST };
    let (mut trouble, mut best) = (String::new(), (f64::INFINITY, 0));
    let mut now = balance(model, state, w, report.time);
    let mut is_placed = model.holds.iter().all(|hold| hold.motion.is_none());
    let mut loose = model.clone();
    let scale = yard.loads.max(yard.largest(state, &now.left).0);
    report.tolerance = (params.tolerance * scale).max(yard.rounding);
    loop {
        let (worst, slot) = yard.largest(state, &now.left);
        report.residual = worst;
        if worst < 0.5 * best.0 {
            best = (worst, report.steps);
        }
        report.stalled = worst > report.tolerance && report.steps >= best.1 + STALLED;
        let enough = if report.stalled { params.coarse_tolerance * scale } else { report.tolerance };
        if worst <= enough && is_placed {
            return Ok(now);
        }
        if report.steps >= params.max_steps || !worst.is_finite() {
            let (steps, body, tolerance) = (report.steps, yard.body(model, state, slot), report.tolerance);
            return Err(SettleError::NotConverged { steps, residual: worst, tolerance, body, trouble });
        }
        loose.implicit.tolerance = (ACCURACY * worst / scale).clamp(FINEST, ACCURACY);
        let before = state.clone();
        report.steps += 1;
        let step = match stride(&loose, state, w, report.time, pace.h) {
            Ok(step) => step,
            Err(why) => {
                undo(model, state, w, before);
                trouble = why.to_string();
                pace.retreat(RETREAT);
                continue;
            }
        };
        report.newton_iterations += step.newton;
        report.linear_iterations += step.linear;
        let after = balance(model, state, w, report.time);
        let left = yard.largest(state, &after.left).0;
        let room = 1.0 / (step.moved / yard.longest_stride).max(step.turned / LARGEST_TURN).max(f64::MIN_POSITIVE);
        let worse = left > WORSE * worst.max(report.tolerance) && pace.h > yard.first_step && is_placed;
        if worse || (room < 0.5 && is_placed) {
            undo(model, state, w, before);
            if worse {
                pace.retreat(RETREAT)
            } else {
                pace.h *= (0.5 * room).sqrt()
            }
            continue;
        }
        pace.advance(worst / left.max(f64::MIN_POSITIVE), room);
        (now, is_placed) = (after, true);
        yard.refuse_runaway(model, state, begin, &now)?;
    }
}

/// The pseudo-time of the next step.
struct Pace {
    /// [s]
    h: f64,
    /// A little less than what did no good not long ago [s].
    ceiling: f64,
}

impl Pace {
    fn retreat(&mut self, share: f64) {
        self.ceiling = 2.0 * share * self.h;
        self.h *= share;
    }

    /// After a step that made the forces `better` times smaller, and could have been `room` times as wide.
    fn advance(&mut self, better: f64, room: f64) {
        let growth = if better >= AS_BEFORE { GROWTH * better.clamp(1.0, FASTEST) } else { 1.0 / GROWTH };
        self.ceiling = (self.ceiling * RELAX).min(LONGEST);
        self.h = (self.h * growth.min(room.sqrt())).min(self.ceiling);
    }
}

fn undo(model: &Model, state: &mut State, w: &mut Workspace, before: State) {
    *state = before;
    w.search.invalidate(model, state, &w.topology, &w.coefficients);
}

/// A rigid part may be held in more ways than it can follow.
fn check_fixes(model: &Model, state: &State, time: f64) -> Result<(), SettleError> {
    for hold in &model.holds {
        let e = hold.element as usize;
        let off = target(model, hold, time) - state.position.get(e);
        let off = DVec3::from_array(std::array::from_fn(|k| if hold.axes[k] { off[k] } else { 0.0 }));
        if off.length() > OFF * model.elements.radius[e] {
            let body = model.body_name(hold.element).to_string();
            return Err(SettleError::ConflictingFixes { body, element: hold.element, distance: off.length() });
        }
    }
    Ok(())
}

fn check_strength(model: &Model, state: &State, w: &Workspace) -> Result<(), SettleError> {
    let slots = w.springs.as_ref().map_or_else(Vec::new, |s| s.overstretched(&state.position));
    let Some(&first) = slots.first() else { return Ok(()) };
    let connection = w.connection(first);
    let [a, b] = model.connections.ends[connection as usize];
    Err(SettleError::Breaks {
        body: model.body_name(a).to_string(),
        connection,
        length: state.position.get(a as usize).distance(state.position.get(b as usize)),
        limit: model.connections.constants(connection as usize).break_length,
        count: slots.len(),
    })
}

fn describe(model: &Model, state: &State, w: &Workspace, now: &Balance, begin: &Vectors, report: &mut SettleReport) {
    for e in 0..begin.len() {
        let moved = state.position.get(e).distance(begin.get(e));
        if report.farthest.is_none() || moved > report.largest_displacement {
            (report.largest_displacement, report.farthest) = (moved, Some(e as u32));
        }
    }
    report.elastic_energy = now.elastic + w.frozen;
    report.contacts = w.contacts.iter().filter(|c| c.force() != DVec3::ZERO).count();
    let world = w.contacts.iter().filter(|c| matches!(c.contact.other, crate::model::Touched::Obstacle(_)));
    report.ground_force = world.fold(DVec3::ZERO, |sum, c| sum + c.force());
    let forces = reactions(model, state, now);
    report.reactions = model.fix_names.iter().map(|name| (name.clone(), DVec3::ZERO)).collect();
    for hold in &model.holds {
        report.reactions[hold.fix as usize].1 += forces.get(hold.element as usize);
    }
}

/// Forces of fixes on the elements [N]; what holds an aggregate is shared evenly by its held elements.
fn reactions(model: &Model, state: &State, now: &Balance) -> Vectors {
    let n = model.elements.len();
    let mut forces = Vectors::zeros(if model.holds.is_empty() { 0 } else { n });
    for hold in &model.holds {
        let e = hold.element as usize;
        let force = match state.owner[e] {
            FREE => now.held.get(e),
            a => {
                let members = &state.aggregates[a as usize].elements;
                let is_held = |e: &&u32| model.holds.binary_search_by_key(*e, |h| h.element).is_ok();
                now.held.get(n + 2 * a as usize) / members.iter().filter(is_held).count().max(1) as f64
            }
        };
        forces.set(e, -force);
    }
    forces
}
