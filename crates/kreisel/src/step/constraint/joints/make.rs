//! The joints of a step as blocks of the contact problem.
// Small matrices and several arrays by one index read better so.
#![allow(clippy::needless_range_loop)]

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::joint::{Direction, JointBlock, RowLaw};
use crate::model::{Joint, JointKind, JointState, Model, State};
use crate::step::constraint::calm::sleeps;
use crate::step::constraint::joints::drive;
use crate::step::constraint::joints::link::{Link, Pose, poses};
use crate::step::constraint::joints::stops::{BOTH, Closed};
use crate::step::constraint::space::ContactSpace;
use std::f64::consts::TAU;

/// Blows on a stop that are no faster than so many times what it bore in the step before end there [1].
const FEW: f64 = 4.0;

/// Finds the links of all joints that are whole and awake.
pub fn find_links(model: &Model, state: &State, space: &mut ContactSpace) {
    let mut links = std::mem::take(&mut space.joints.links);
    links.clear();
    let moves = |(_, joint): &(usize, (&Joint, &JointState))| !joint.1.broken && !sleeps(*joint, state);
    for (k, (joint, memory)) in model.joints.iter().zip(&state.joints).enumerate().filter(moves) {
        let seats = joint.seats(memory).enumerate();
        links.extend(seats.filter_map(|(n, seat)| Link::new((k, n), &seat, joint, state, space)));
    }
    space.joints.links = links;
}

/// Blocks that only hold, overrun stops among them, with their errors as biases: for corrections of positions. The largest
/// error [m].
pub fn make_closing(model: &Model, state: &State, space: &mut ContactSpace) -> f64 {
    make_holding(model, state, space, true)
}

fn make_holding(model: &Model, state: &State, space: &mut ContactSpace, stops: bool) -> f64 {
    find_links(model, state, space);
    let poses = poses(state, &space.carriers);
    let mut largest: f64 = 0.0;
    let mut blocks = Vec::with_capacity(space.joints.links.len());
    for link in &space.joints.links {
        let placed = link.place(&poses);
        let mut held = link.holds(&placed);
        let joint = &model.joints[link.joint as usize];
        if let Some((direction, x)) = link.coordinate(&placed).filter(|_| stops && joint.is_driven() && is_free(link)) {
            let noted = state.joints[link.joint as usize].coordinate;
            let x = noted + wrapped(link, x, noted, noted);
            // Whoever overruns a stop that does nothing has struck it.
            let acts = space.joints.landing.as_ref().map_or([true; 2], |closed| closed[link.joint as usize]);
            let below = if acts[0] { (x - joint.limits.0).min(0.0) } else { 0.0 };
            let over = below + if acts[1] { (x - joint.limits.1).max(0.0) } else { 0.0 };
            if over != 0.0 {
                held.push((direction, over * link.unit()));
            }
        }
        let directions: Vec<Direction> = held.iter().map(|h| h.0).collect();
        let ends = (link.carriers[0], link.carriers[1]);
        let mut block = JointBlock::new(ends, link.point(&placed), &directions, &[], &space.carriers);
        for (row, (_, error)) in block.rows.iter_mut().zip(&held) {
            row.law.bias = *error;
            largest = largest.max(error.abs());
        }
        blocks.push(block);
    }
    space.joints.blocks = blocks;
    largest
}

/// Blocks that only hold velocities.
pub fn make_plain(model: &Model, state: &State, space: &mut ContactSpace) {
    make_holding(model, state, space, false);
    space.joints.blocks.iter_mut().flat_map(|b| &mut b.rows).for_each(|row| row.law.bias = 0.0);
}

/// By how much a coordinate that is found as `x` differs from that of `before`, angles by so many turns that they come nearest to
/// where they are due.
pub fn wrapped(link: &Link, x: f64, before: f64, due: f64) -> f64 {
    let off = x - before;
    if link.kind.turns() { off - TAU * ((x - due) / TAU).round() } else { off }
}

/// Blocks of all joints at the state's pose, with motors, friction and stops, started from the impulses of the step before.
pub fn make(model: &Model, state: &State, space: &mut ContactSpace, h: f64) {
    make_ahead(model, state, space, (h, h));
}

/// The same at a pose from which it is the time `ahead` to the end of the step.
fn make_ahead(model: &Model, state: &State, space: &mut ContactSpace, times: (f64, f64)) {
    find_links(model, state, space);
    let poses = poses(state, &space.carriers);
    let blocks = space.joints.links.iter().map(|link| block(model, state, space, link, &poses, times)).collect();
    space.joints.blocks = blocks;
}

fn block(
    model: &Model,
    state: &State,
    space: &ContactSpace,
    link: &Link,
    poses: &[Pose],
    (h, ahead): (f64, f64),
) -> JointBlock {
    let (joint, memory) = (&model.joints[link.joint as usize], &state.joints[link.joint as usize]);
    let placed = link.place(poses);
    let held: Vec<Direction> = link.holds(&placed).into_iter().map(|h| h.0).collect();
    let mut driven: Vec<(Direction, RowLaw)> = Vec::new();
    let coordinate = link.coordinate(&placed).filter(|_| joint.is_driven() && is_free(link));
    if let Some((direction, x)) = coordinate {
        let x = memory.coordinate + wrapped(link, x, memory.coordinate, memory.coordinate);
        driven.extend(drive::rows(joint, memory, direction, x, link.unit(), (h, ahead)));
    }
    let ends = (link.carriers[0], link.carriers[1]);
    let mut block = JointBlock::new(ends, link.point(&placed), &held, &driven, &space.carriers);
    let span = space.joints.span(link, h);
    if let Some(closed) = &space.joints.landing {
        leave_open(&mut block, closed[link.joint as usize]);
    } else if joint.restitution > 0.0 && !driven.is_empty() {
        let (before, share) = (memory.speed * link.unit(), share(memory, span));
        for (row, p) in block.rows[held.len() + 2..].iter_mut().zip(&memory.drive[2..]).filter(|r| !r.0.law.is_idle()) {
            let slow = FEW * row.mobility() * (p * share).abs();
            row.law = drive::rebound(row.law, before, joint.restitution, slow);
        }
    }
    start(&mut block, link, memory, span);
    block
}

/// Stops that are not closed do nothing.
fn leave_open(block: &mut JointBlock, closed: Closed) {
    let stops = block.rows.iter_mut().skip(block.holding + 2);
    stops.zip(closed).filter(|(_, closed)| !closed).for_each(|(row, _)| row.law = RowLaw::IDLE);
}

/// Blocks of a blow at the state's pose: joints hold, motors and friction have no time to act, and stops that are closed ask for
/// what `answer` tells of their joint, their number and the speed at which they are struck: that at which they are left [m/s].
pub fn make_blow(
    model: &Model,
    state: &State,
    space: &mut ContactSpace,
    closed: &[Closed],
    mut answer: impl FnMut(u32, usize, f64) -> f64,
) {
    make_plain(model, state, space);
    let poses = poses(state, &space.carriers);
    let mut blocks = std::mem::take(&mut space.joints.blocks);
    for (link, block) in space.joints.links.iter().zip(&mut blocks) {
        let (placed, joint) = (link.place(&poses), &model.joints[link.joint as usize]);
        let Some((direction, _)) = link.coordinate(&placed).filter(|_| joint.is_driven() && is_free(link)) else {
            continue;
        };
        block.drive(direction, &space.carriers);
        let speed = block.velocity(&block.rows[block.holding], &space.carriers);
        for stop in BOTH.into_iter().filter(|&stop| closed[link.joint as usize][stop]) {
            let towards = if stop == 0 { -speed } else { speed };
            let leaves = if towards > 0.0 { answer(link.joint, stop, towards) } else { 0.0 };
            block.rows[block.holding + 2 + stop].law = drive::left_at(stop, leaves);
        }
    }
    space.joints.blocks = blocks;
}

/// What impulses of the step before are in a time [s].
fn share(memory: &JointState, span: f64) -> f64 {
    if memory.step > 0.0 { span / memory.step } else { 0.0 }
}

/// Starts a block from the impulses of the step before, if it acts for the time `span` [s].
pub fn start(block: &mut JointBlock, link: &Link, memory: &JointState, span: f64) {
    let share = share(memory, span);
    let start = memory.impulses.get(link.seat as usize).copied().unwrap_or_default();
    let known = start.iter().take(block.holding).chain(&memory.drive);
    for (row, p) in block.rows.iter_mut().zip(known) {
        row.impulse = (p * share).clamp(row.law.low, row.law.high);
    }
}

/// True if its coordinate is not held.
fn is_free(link: &Link) -> bool {
    link.kind != JointKind::Distance || link.length.is_none()
}

/// Blocks for a problem on the average of the velocities before and after the step: what holds, holds on average; what
/// drives, acts on the velocity at the end. The carriers have half their mobility and the average velocities already.
pub fn make_average(model: &Model, state: &State, space: &mut ContactSpace, before: &Carriers, h: f64) {
    // The gap of a stop in the middle of the step has half a step to close.
    make_ahead(model, state, space, (h, 0.5 * h));
    for block in &mut space.joints.blocks {
        let speed: Vec<f64> = block.rows.iter().map(|row| block.velocity(row, before)).collect();
        for k in block.holding..block.rows.len() {
            let row = &mut block.rows[k];
            row.law = drive::on_average(row.law, speed[k]);
        }
    }
}

/// The blocks of solved average ones for bodies of their own mobility, with the same impulses, which the carriers receive.
pub fn make_whole(model: &Model, state: &State, space: &mut ContactSpace, h: f64) {
    let solved = std::mem::take(&mut space.joints.blocks);
    make(model, state, space, h);
    for (block, solved) in space.joints.blocks.iter_mut().zip(&solved) {
        block.rows.iter_mut().zip(&solved.rows).for_each(|(row, s)| row.impulse = s.impulse);
        block.push_all(1.0, &mut space.carriers);
    }
}
