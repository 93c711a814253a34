//! A step under the law `constraint`: free motion, contact impulses, and on with the new velocities.
//!
//! `v* = v + h M⁻¹ f`, `v⁺ = v* + M⁻¹ Jᵀ p`, `q⁺ = q ⊕ h v⁺`. Overlap that the linear gap has left is taken out at the
//! beginning of the next step by position only: a push that also gave speed would shoot bodies out.

mod ahead;
mod aim;
mod apply;
mod approach;
mod blows;
mod bounce;
mod calm;
mod curved;
mod detect;
mod doze;
mod farther;
mod felt;
mod flight;
mod flying;
mod in_time;
mod jam;
mod joints;
mod landing;
mod late;
mod meet;
mod meetings;
mod overlap;
mod pace;
mod passing;
mod project;
mod readings;
mod rest;
mod rows;
mod rubbing;
mod second_order;
mod skins;
mod sleep;
mod solve;
mod space;
mod sprung;
mod strayed;
mod ties;
mod timing;
mod undo;
mod whole;

pub use approach::energy as approach_energy;
pub use felt::{add_forces, add_joint_forces};
pub use joints::start as start_joints;
pub use meetings::{Meetings, Owner};
pub use readings::readings;
pub use space::{ContactSpace, in_place};
pub use ties::Tie;

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::sweep::Outcome;
use crate::model::{Model, ShapeContact, State};
use crate::step::clock::Stage;
use crate::step::constraint::farther::Again;
use crate::step::constraint::undo::Undo;
use crate::step::evaluate::evaluate_apart;
use crate::step::flow::{self, Flow};
use crate::step::kick::{Kicked, kick};
use crate::step::report::{StepError, StepReport};
use crate::step::workspace::Workspace;
use strayed::Parted;

/// Joints that stay open by more than this are told [m].
pub const OPEN: f64 = 1e-7;

/// One step from time `t` to `t + h`.
pub fn substep(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    h: f64,
    flow: &mut Flow,
    report: &mut StepReport,
) -> Result<(), StepError> {
    if model.integrator.finds_landings() {
        return second_order::substep(model, state, w, h, flow, report);
    }
    let may = in_time::can_be(model, state);
    let start = (may && in_time::spins(model, state, h)).then(|| (state.clone(), *flow, report.clone()));
    let unseen = first_order(model, state, w, (h, may), flow, report)?;
    let Some(start) = start.filter(|_| unseen && !in_time::is_heap(model, &w.contact_space)) else { return Ok(()) };
    (*state, *flow, *report) = start;
    w.moment = None;
    let mut space = std::mem::take(&mut w.contact_space);
    if in_time::step(model, state, w, &mut space, h, flow, report) {
        return Ok(());
    }
    w.contact_space = space;
    first_order(model, state, w, (h, false), flow, report).map(|_| ())
}

/// A step of first order, unless blows in it follow on each other and `may` be met so. True if somebody has come into another whom
/// the law had not seen.
fn first_order(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    (h, mut may): (f64, bool),
    flow: &mut Flow,
    report: &mut StepReport,
) -> Result<bool, StepError> {
    let t = state.time;
    let mut space = std::mem::take(&mut w.contact_space);
    space.step = state.steps;
    sleep::detect_awake(model, state, w, &mut space, h);
    if may && joints::is_struck(model, state, w, &mut space, h) {
        if in_time::step(model, state, w, &mut space, h, flow, report) {
            return Ok(false);
        }
        may = false;
    }
    let mut deep;
    let (Begun { before, asleep, kicked }, outcomes) = loop {
        overlap::separate(model, state, w, &mut space, flow);
        deep = !overlap::deep(&space).is_empty();
        let start = Undo::new(state, flow, may && blows::bounces(model));
        let begun = begin(model, state, w, &mut space, h, flow);
        match farther::solve(model, state, w, &mut space, (&begun.before, may), h) {
            Ok(outcomes) => break (begun, outcomes),
            Err(Again::Woken(struck)) => {
                start.give_back(state, flow);
                sleep::wake_struck(model, state, w, &mut space, &struck, h);
            }
            Err(Again::InTime) => {
                start.give_back(state, flow);
                if in_time::step(model, state, w, &mut space, h, flow, report) {
                    return Ok(false);
                }
                may = false;
            }
        }
    };
    joints::apply(model, state, w, &space, &before, h, flow);
    rest::still(&mut space);
    report.events.extend(jam::jammed(model, &space, &before, (t, h)));
    let timing = timing::Timing::new(&space, &before, h);
    apply::apply(model, state, w, (&mut space, &timing), &before, h, flow);
    joints::turn(state, w, &space, &before, flow);
    w.clock.lap(Stage::Contact);
    sleep::restore(state, asleep);
    sleep::note(model, state, w, &space, h, flow);
    flight::fly(model, state, &timing, &before, h, flow);
    let residual = outcomes.iter().map(|o| o.residual).fold(0.0, f64::max);
    space.spare = before;
    overlap::forestall(model, state, w, &mut space, (residual, h), flow);
    outcomes.iter().for_each(|o| note(o, report));
    // What begins deep in each other is not solved, whatever its velocities are.
    report.unconverged_contacts += u64::from(deep);
    w.contact_space = space;
    flow::check_finite(model, state, &kicked, t)?;
    flow::moved(model, state, w, t + h, h, flow);
    let parted = strayed::part(model, state, w, h, flow);
    report.unconverged_contacts += u64::from(parted == Parted::No);
    w.clock.lap(Stage::Advance);
    finish_joints(model, state, w, (t, h), flow, report);
    w.clock.lap(Stage::Contact);
    state.steps += 1;
    Ok(parted != Parted::Apart)
}

/// What a step knows when its contact problem is posed.
struct Begun {
    /// The bodies before the step.
    before: Carriers,
    /// Contacts of sleepers.
    asleep: Vec<ShapeContact>,
    /// What free motion did.
    kicked: Kicked,
}

/// All move freely, and the contact problem is posed: its rows are made.
fn begin(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    space: &mut ContactSpace,
    h: f64,
    flow: &mut Flow,
) -> Begun {
    let t = state.time;
    let asleep = sleep::kept(state, space);
    detect::seat_again(model, state, w, space);
    let mut before = std::mem::take(&mut space.spare);
    before.copy_from(&space.carriers);
    w.clock.lap(Stage::Detect);
    let found = evaluate_apart(model, state, w, t);
    w.contacts.clear();
    w.couples.clear();
    w.couples.resize(state.aggregates.len(), glamx::DVec3::ZERO);
    let kicked = kick(model, state, w, t, h);
    flow::book(model, state, w, &found, &kicked, h, flow);
    w.clock.lap(Stage::FreeMotion);
    space.take_velocities(state);
    joints::take_velocities(state, space);
    joints::begin(model, state, w, space, &before, h, flow);
    joints::make(model, state, space, h);
    space.sprung = sprung::sprung(model, state, w);
    blows::find(model, state, w, space, &before, h);
    space.make_rows(model, state, w, &before, h);
    if state.sleep.count(state.epoch) == 0 {
        // They have said where the solver starts, and make room until their successors come.
        state.shape_contacts = Default::default();
    }
    Begun { before, asleep, kicked }
}

/// Joints are closed, read and, where they bore too much, broken.
pub fn finish_joints(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    (t, h): (f64, f64),
    flow: &mut Flow,
    report: &mut StepReport,
) {
    if model.joints.is_empty() {
        return;
    }
    let mut space = std::mem::take(&mut w.contact_space);
    let open = joints::correct(model, state, w, &mut space, flow);
    tell_open(&space, open, report);
    flow.open = flow.open.max(open);
    joints::finish(model, state, w, &mut space, h, flow);
    joints::note(model, state, w, &mut space, h);
    joints::break_overloaded(model, state, t + h, report);
    w.contact_space = space;
}

/// The joint that is open the farthest, if one is by more than rounding, and by how much [m].
pub fn farthest_open(model: &Model, state: &State, w: &mut Workspace) -> Option<(usize, f64)> {
    let mut space = std::mem::take(&mut w.contact_space);
    let farthest = joints::farthest_open(model, state, w, &mut space);
    w.contact_space = space;
    farthest.filter(|(_, gap)| *gap > OPEN)
}

/// Joints that stay open [m] are told with the speed at which their sides part.
fn tell_open(space: &ContactSpace, open: f64, report: &mut StepReport) {
    if open > OPEN {
        report.unconverged_contacts += 1;
        report.joint_gap = report.joint_gap.max(open);
        report.contact_residual = report.contact_residual.max(joints::parting(space));
    }
}

fn note(outcome: &Outcome, report: &mut StepReport) {
    report.contact_sweeps += u64::from(outcome.sweeps);
    report.newton_iterations += u64::from(outcome.newton_steps);
    match outcome {
        Outcome { lemke: true, .. } => report.islands.lemke += 1,
        Outcome { newton_steps: 1.., .. } => report.islands.newton += 1,
        Outcome { sweeps: 1.., .. } => report.islands.swept += 1,
        _ => {}
    }
    report.contact_residual = report.contact_residual.max(outcome.residual);
    report.unconverged_contacts += u64::from(!outcome.converged);
}
