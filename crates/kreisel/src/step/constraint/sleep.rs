//! Islands that have been at rest for a while fall asleep as a whole: nothing is looked for, solved or moved among them, until
//! something comes near enough to touch one of them; then all that lean on each other wake up.
//!
//! Whoever sleeps is part of the fixed world for the others, and keeps its contacts and joints as they were. Bodies with loads
//! that change, grabs or supports do not sleep, nor do those of elements.

use crate::contact::constraint::carriers::Carrier;
use crate::contact::constraint::groups::{Group, groups};
use crate::model::{Model, ShapeContact, Sleep, State};
use crate::step::constraint::space::{ContactSpace, Found};
use crate::step::constraint::{apply, calm, detect};
use crate::step::flow::Flow;
use crate::step::workspace::Workspace;
use glamx::DVec3;
use std::sync::Arc;

/// Slower than this a support stands still [m/s, rad/s]: what rounding leaves of a prescribed motion.
const STILL: f64 = 1e-9;

/// True if something moves so fast that sleepers notice.
pub fn moves(c: &Carrier) -> bool {
    c.velocity.abs().max_element() > STILL || c.spin.abs().max_element() > STILL
}

/// Looks for contacts, and again as long as somebody wakes up.
pub fn detect_awake(model: &Model, state: &mut State, w: &Workspace, space: &mut ContactSpace, h: f64) {
    if state.sleep.gravity != model.gravity {
        state.sleep.wake_all();
    }
    detect::detect(model, state, w, space, h);
    while state.sleep.count(state.epoch) > 0 {
        let mut woken = pulled(model, state, w, h);
        woken.extend(disturbed(model, state, space, h));
        if woken.is_empty() {
            break;
        }
        wake(model, state, space, &woken);
        detect::detect(model, state, w, space, h);
    }
    leave_out(space);
}

/// Leaves out contacts of sleepers with what does not move either.
pub fn leave_out(space: &mut ContactSpace) {
    let ContactSpace { found, carrier, carriers, .. } = space;
    let movable = |k: u32| carriers[carrier[k as usize] as usize].is_movable();
    found.retain(|f| movable(f.first) || movable(f.second));
}

/// Sleepers that something has come to pull or hold since.
fn pulled(model: &Model, state: &State, w: &Workspace, h: f64) -> Vec<u32> {
    let asleep = |k: &usize| state.sleep.is_asleep(state.epoch, *k);
    let pulled = |k: &usize| !calm::is_left_alone(model, state, w, *k, h);
    (0..state.sleep.calm.len()).filter(asleep).filter(pulled).map(|k| k as u32).collect()
}

/// Sleepers that something is about to touch, or whose ground begins to move.
fn disturbed(model: &Model, state: &State, space: &ContactSpace, h: f64) -> Vec<u32> {
    let asleep = |c: u32| state.sleep.is_asleep(state.epoch, c as usize);
    let mut woken = Vec::new();
    for f in &space.found {
        let [a, b] = [f.first, f.second].map(|k| space.carrier[k as usize]);
        let (sleeper, other) = match (asleep(a), asleep(b)) {
            (true, false) => (a, b),
            (false, true) => (b, a),
            _ => continue,
        };
        let point = space.point(f);
        let at = |c: u32| space.carriers[c as usize].velocity_at(point - space.carriers[c as usize].position);
        let fall = if space.carriers[other as usize].is_movable() { model.gravity * h } else { DVec3::ZERO };
        let away = f.touch.normal * if other == a { 1.0 } else { -1.0 };
        if f.touch.gap + h * away.dot(at(other) + fall) <= space.slack {
            woken.push(sleeper);
        }
    }
    for c in state.shape_contacts.iter() {
        let Some([a, b]) = carriers(space, c) else { continue };
        let moves = |c: u32| !asleep(c) && moves(&space.carriers[c as usize]);
        woken.extend([(a, b), (b, a)].into_iter().filter(|&(s, o)| asleep(s) && moves(o)).map(|(s, _)| s));
    }
    for joint in model.joints.iter().zip(&state.joints).filter(|(_, s)| !s.broken) {
        let pair: Vec<u32> = calm::joined(joint, state).collect();
        let stirs =
            |&c: &u32| !asleep(c) && (space.carriers[c as usize].is_movable() || moves(&space.carriers[c as usize]));
        if pair.iter().any(stirs) {
            woken.extend(pair.into_iter().filter(|&c| asleep(c)));
        }
    }
    woken
}

/// The carriers of a contact of the step before; `None` if it is of elements that take part no more.
pub fn carriers(space: &ContactSpace, c: &ShapeContact) -> Option<[u32; 2]> {
    let of = |k: u32| space.carrier.get(k as usize).copied();
    Some([of(c.first)?, of(c.second)?])
}

/// The sleepers that the solution pushes, or that somebody is driven into at new contacts: for them it is no solution.
pub fn struck(state: &State, space: &ContactSpace, met: &[Found]) -> Vec<u32> {
    if state.sleep.count(state.epoch) == 0 {
        return Vec::new();
    }
    let pushed = space.rows.iter().filter(|row| row.impulse != DVec3::ZERO).flat_map(|row| [row.a, row.b]);
    let met = met.iter().flat_map(|f| [f.first, f.second]).map(|k| space.carrier[k as usize]);
    pushed.chain(met).filter(|&c| state.sleep.is_asleep(state.epoch, c as usize)).collect()
}

/// Wakes sleepers that a step would drive others into, before it begins.
pub fn wake_struck(model: &Model, state: &mut State, w: &Workspace, space: &mut ContactSpace, struck: &[u32], h: f64) {
    wake(model, state, space, struck);
    detect_awake(model, state, w, space, h);
}

/// Wakes bodies, and all sleepers that lean on them directly or through others.
fn wake(model: &Model, state: &mut State, space: &ContactSpace, woken: &[u32]) {
    let mut left = woken.to_vec();
    while let Some(k) = left.pop() {
        let Some(calm) = state.sleep.calm.get_mut(k as usize).filter(|c| c.is_infinite()) else { continue };
        *calm = 0.0;
        for [a, b] in state.shape_contacts.iter().filter_map(|c| carriers(space, c)) {
            left.extend([(a, b), (b, a)].into_iter().filter(|p| p.0 == k).map(|p| p.1));
        }
        for joint in model.joints.iter().zip(&state.joints) {
            let pair: Vec<u32> = calm::joined(joint, state).collect();
            left.extend(pair.iter().filter(|_| pair.contains(&k)));
        }
    }
}

/// The contacts of sleepers: they stay as they are.
pub fn kept(state: &State, space: &ContactSpace) -> Vec<ShapeContact> {
    if state.sleep.count(state.epoch) == 0 {
        return Vec::new();
    }
    let asleep = |c: u32| state.sleep.is_asleep(state.epoch, c as usize);
    let still = |c: u32| !space.carriers[c as usize].is_movable();
    let keeps =
        |c: &&ShapeContact| carriers(space, c).is_some_and(|[a, b]| (asleep(a) || asleep(b)) && still(a) && still(b));
    state.shape_contacts.iter().filter(keeps).copied().collect()
}

/// Puts them back among the contacts of the step.
pub fn restore(state: &mut State, kept: Vec<ShapeContact>) {
    if !kept.is_empty() {
        let contacts = Arc::make_mut(&mut state.shape_contacts);
        contacts.extend(kept);
        contacts.sort_by_key(|c| (c.first, c.second, c.feature));
    }
}

/// Makes room for the times at rest of all bodies there are.
pub fn lie_down(model: &Model, state: &mut State) {
    let bodies = state.aggregates.len();
    if state.sleep.epoch != state.epoch || state.sleep.calm.len() != bodies {
        state.sleep = Sleep { epoch: state.epoch, gravity: model.gravity, calm: vec![0.0; bodies] };
    }
}

/// Counts the time at rest; islands all of whose bodies have been at rest for long enough fall asleep.
pub fn note(model: &Model, state: &mut State, w: &Workspace, space: &ContactSpace, h: f64, flow: &mut Flow) {
    if model.constraint.sleep_after == f64::INFINITY {
        return;
    }
    let bodies = state.aggregates.len();
    lie_down(model, state);
    let mut rested = vec![false; bodies];
    space.rested.iter().filter(|&&k| (k as usize) < bodies).for_each(|&k| rested[k as usize] = true);
    let joined = if space.joints.blocks.is_empty() { Vec::new() } else { islands(space) };
    calm::resting(model, space, bodies, &joined, h).into_iter().for_each(|k| rested[k as usize] = true);
    if count(model, state, &rested, h) {
        let islands = if joined.is_empty() { self::islands(space) } else { joined };
        fall_asleep(model, state, w, &islands, h, flow);
    }
}

/// Counts the time at rest; true if somebody has been at rest for long enough.
pub fn count(model: &Model, state: &mut State, rested: &[bool], h: f64) -> bool {
    for (calm, rested) in state.sleep.calm.iter_mut().zip(rested).filter(|(calm, _)| calm.is_finite()) {
        *calm = if *rested { *calm + h } else { 0.0 };
    }
    state.sleep.calm.iter().any(|c| c.is_finite() && *c >= model.constraint.sleep_after)
}

/// Islands all of whose bodies have been at rest for long enough, and that nothing pulls or holds, fall asleep.
pub fn fall_asleep(model: &Model, state: &mut State, w: &Workspace, islands: &[Group], h: f64, flow: &mut Flow) {
    for island in islands {
        let calm = |k: &u32| state.sleep.calm.get(*k as usize).is_some_and(|c| *c >= model.constraint.sleep_after);
        if island.carriers.iter().all(|k| calm(k) && calm::is_left_alone(model, state, w, *k as usize, h)) {
            island.carriers.iter().for_each(|&k| state.sleep.calm[k as usize] = f64::INFINITY);
            apply::stop(state, &island.carriers, flow);
        }
    }
}

/// What hangs together by contacts, and by joints, which have the numbers after those of the contacts.
fn islands(space: &ContactSpace) -> Vec<Group> {
    let contacts = space.rows.iter().map(|row| (row.a, row.b));
    groups(&contacts.chain(space.joints.pairs()).collect::<Vec<_>>(), &space.carriers)
}
