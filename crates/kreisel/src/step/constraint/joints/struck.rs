//! Linkages that are about to bounce.
//!
//! A blow on one body of a linkage is one on all of them, where they are at that moment: no impulse at the beginning of a
//! first-order step tells what comes back. Linkages have velocities and positions of one time, as all bodies in the air have; so
//! such a step can be one of second order, which goes to the moment of the blow, meets it there, and goes on
//! ([`in_time`](crate::step::constraint::in_time)).

use crate::model::{Model, State};
use crate::step::constraint::joints::link::{Link, linked};
use crate::step::constraint::joints::make::find_links;
use crate::step::constraint::joints::stops::{self, Ahead, BOTH};
use crate::step::constraint::space::{ContactSpace, Found};
use crate::step::workspace::Workspace;

/// What approaches may come nearer by so many times what its speed leads to [1].
const FASTER: f64 = 2.0;
/// What moves slower than this share of what gravity gives in a step rests [1].
const SLOW: f64 = 0.1;

/// True if a gap [m] that closes at a speed [m/s] may be closed within the time `h`.
pub fn may_close(model: &Model, (gap, speed): (f64, f64), h: f64) -> bool {
    let faster = if speed > 0.0 { FASTER * speed } else { speed };
    gap <= h * (faster + model.gravity.length() * h)
}

/// True if a contact may close within the time `h`.
pub fn closes(model: &Model, space: &ContactSpace, f: &Found, h: f64) -> bool {
    may_close(model, (f.touch.gap, -space.opening(f)), h)
}

/// True if, within the time `h`, a linkage without motors and friction may strike something that gives part of the blow back.
pub fn is_struck(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace, h: f64) -> bool {
    if model.joints.is_empty() {
        return false;
    }
    let struck = struck(model, w, space, h);
    if !struck.contains(&true) && stops::elastic(model, state).next().is_none() {
        return false;
    }
    find_links(model, state, space);
    let links = &space.joints.links;
    let drives = |k: u32| model.joints[k as usize].is_forced(&state.joints[k as usize]);
    linked(links, &space.carriers).iter().any(|group| {
        let own = || group.contacts.iter().map(|&n| &links[n as usize]);
        let stopped = |link: &Link| strikes_stop(model, state, link, h);
        let strikes = group.carriers.iter().any(|&c| struck[c as usize]) || own().any(stopped);
        strikes && !own().any(|l| drives(l.joint))
    })
}

/// Carriers that move, and may touch something within the time `h` that gives part of the blow back.
fn struck(model: &Model, w: &Workspace, space: &ContactSpace, h: f64) -> Vec<bool> {
    let mut struck = vec![false; space.carriers.len()];
    let elastic = |f: &&Found| space.coefficients(model, w, f.first, f.second).restitution > 0.0;
    let moves = |f: &&Found| space.opening(f).abs() > slow(model, h);
    for f in space.found.iter().filter(moves).filter(|f| closes(model, space, f, h)).filter(elastic) {
        [f.first, f.second].into_iter().for_each(|k| struck[space.carrier[k as usize] as usize] = true);
    }
    struck
}

/// What moves no faster than this rests [m/s].
fn slow(model: &Model, h: f64) -> f64 {
    SLOW * model.gravity.length() * h
}

/// True if a joint moves, and may strike a stop within the time `h` that gives part of the blow back.
fn strikes_stop(model: &Model, state: &State, link: &Link, h: f64) -> bool {
    let (joint, memory) = (&model.joints[link.joint as usize], &state.joints[link.joint as usize]);
    let moves = (memory.speed * link.unit()).abs() > slow(model, h);
    let strikes = |stop: usize| may_close(model, Ahead::new(joint, memory, stop).times(link.unit()), h);
    moves && joint.restitution > 0.0 && joint.is_driven() && BOTH.into_iter().any(strikes)
}
