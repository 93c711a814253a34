//! Sleep in second-order steps: who rests is read off the motion at their end, because there is no solver's word for it.
//!
//! A step may consist of several parts, between which bodies land on each other; sleepers that something is about to touch
//! wake before the part in which it does, and those that are struck wake before the blow.

use crate::contact::constraint::groups::{Group, groups};
use crate::model::joint::Side;
use crate::model::{Model, ShapeContact, State};
use crate::step::constraint::space::ContactSpace;
use crate::step::constraint::{calm, rest, sleep};
use crate::step::flow::Flow;
use crate::step::workspace::Workspace;

/// Wakes whoever is touched, pulled or carried off within the time `h`. The contacts of those who sleep on, which the step
/// leaves alone.
pub fn wake(model: &Model, state: &mut State, w: &mut Workspace, h: f64) -> Vec<ShapeContact> {
    if state.sleep.count(state.epoch) == 0 {
        return Vec::new();
    }
    let mut space = std::mem::take(&mut w.contact_space);
    sleep::detect_awake(model, state, w, &mut space, h);
    let kept = sleep::kept(state, &space);
    w.contact_space = space;
    kept
}

/// Counts the time at rest at the end of a step of size `h`; islands that have been at rest for long enough fall asleep.
pub fn note(model: &Model, state: &mut State, w: &mut Workspace, h: f64, flow: &mut Flow) {
    if model.constraint.sleep_after == f64::INFINITY {
        return;
    }
    sleep::lie_down(model, state);
    let bodies = state.aggregates.len();
    let mut space = std::mem::take(&mut w.contact_space);
    space.take_velocities(state);
    let (pairs, joints) = pairs(model, state, &space);
    let islands = groups(&pairs, &space.carriers);
    let mut rested = vec![false; bodies];
    let rigid = |g: &&Group| g.carriers.iter().all(|&k| (k as usize) < bodies);
    for island in islands.iter().filter(rigid).filter(|g| rests(model, &space, g, (&pairs, joints), h)) {
        island.carriers.iter().for_each(|&k| rested[k as usize] = true);
    }
    if sleep::count(model, state, &rested, h) {
        sleep::fall_asleep(model, state, w, &islands, h, flow);
    }
    w.contact_space = space;
}

/// The carriers that press on each other or are joined; joints have the numbers from that on that is told.
fn pairs(model: &Model, state: &State, space: &ContactSpace) -> (Vec<(u32, u32)>, usize) {
    let pressed = state.shape_contacts.iter().filter(|c| c.presses());
    let mut pairs: Vec<(u32, u32)> = pressed.filter_map(|c| sleep::carriers(space, c)).map(|[a, b]| (a, b)).collect();
    let contacts = pairs.len();
    let world = (state.aggregates.len() + space.balls.len()) as u32;
    let carrier = |side: &Side| side.element.map_or(Some(world), |e| space.carrier_of(state, e));
    let whole = model.joints.iter().zip(&state.joints).filter(|(_, s)| !s.broken);
    let sides = whole.flat_map(|(joint, memory)| joint.seats(memory)).map(|seat| seat.sides);
    let joined = sides.filter_map(|[a, b]| carrier(&a).zip(carrier(&b)));
    pairs.extend(joined);
    (pairs, contacts)
}

/// True if an island leans on what does not move, and none of its bodies moves faster than what cannot be told from rest: with
/// joints, what their solver may leave.
fn rests(model: &Model, space: &ContactSpace, group: &Group, (pairs, joints): (&[(u32, u32)], usize), h: f64) -> bool {
    let joined = group.contacts.last().is_some_and(|&n| n as usize >= joints);
    let slow = if joined { rest::creep(model, h) } else { rest::slow(model, h) };
    let held = |c: u32| !space.carriers[c as usize].is_movable();
    let leans = group.contacts.iter().map(|&n| pairs[n as usize]).any(|(a, b)| held(a) || held(b));
    leans && group.carriers.iter().all(|&k| calm::is_calm(&space.carriers[k as usize], slow))
}
