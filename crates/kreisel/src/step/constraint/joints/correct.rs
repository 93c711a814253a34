//! What is left of the errors of joints is taken out: of positions by position only, of velocities by impulses.

use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::joint::JointBlock;
use crate::contact::constraint::jointed;
use crate::linear::Vectors;
use crate::model::mapping::carry;
use crate::model::setup::ConstraintSettings;
use crate::model::{Model, State};
use crate::step::constraint::detect;
use crate::step::constraint::joints::finish::push;
use crate::step::constraint::joints::make::{make_closing, make_plain};
use crate::step::constraint::joints::{JointSpace, add_riders, element_of};
use crate::step::constraint::space::ContactSpace;
use crate::step::flow::Flow;
use crate::step::workspace::Workspace;
use glamx::{DQuat, DVec3};

/// Errors below this stay [m].
const CLOSED: f64 = 1e-11;
/// Changes of spin below this share are numerics of a smooth motion; larger ones would be blows that nobody struck [1].
const SMALL: f64 = 1e-6;
/// Shifts at most.
const MOST_SHIFTS: u32 = 20;
/// A shift turns no body by more than this: what is linear ends there [rad].
const MOST_TURN: f64 = 0.3;
/// Sweeps of a shift at most: joints that contradict each other find no end.
const MOST_SWEEPS: u32 = 40;

/// Closes all joints by position only: the smallest shifts in the mass metric. Joints that contradict each other end where
/// the sum of their squared errors is smallest. What is left [m].
pub fn correct(model: &Model, state: &mut State, w: &mut Workspace, space: &mut ContactSpace, flow: &mut Flow) -> f64 {
    if model.joints.is_empty() {
        return 0.0;
    }
    let settings = ConstraintSettings { sweeps: MOST_SWEEPS, ..model.constraint };
    let mut last = f64::INFINITY;
    for _ in 0..MOST_SHIFTS {
        look(model, state, w, space);
        let largest = make_closing(model, state, space);
        if largest <= CLOSED || largest > 0.9 * last {
            return largest;
        }
        let mut way = space.carriers.at_rest();
        jointed::solve((&mut [], &mut []), &mut space.joints.blocks, &mut way, 0.1 * largest, &settings);
        let turn = way.iter().map(|c| c.spin.length()).fold(0.0, f64::max);
        // Part of the way need not lessen the largest error.
        last = if turn > MOST_TURN { f64::INFINITY } else { largest };
        let share = (MOST_TURN / turn).min(1.0);
        way.iter_mut().for_each(|c| (c.velocity, c.spin) = (c.velocity * share, c.spin * share));
        shift(state, w, space, &way, flow);
    }
    look(model, state, w, space);
    make_closing(model, state, space)
}

/// The joint that is open the farthest, and by how much [m].
pub fn farthest_open(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace) -> Option<(usize, f64)> {
    look(model, state, w, space);
    make_closing(model, state, space);
    let JointSpace { links, blocks, .. } = &space.joints;
    let gap = |block: &JointBlock| block.rows.iter().map(|row| row.law.bias.abs()).fold(0.0, f64::max);
    let open = links.iter().zip(blocks).map(|(link, block)| (link.joint as usize, gap(block)));
    open.max_by(|a, b| a.1.total_cmp(&b.1))
}

/// How fast the sides of joints move against each other where they hold, at most [m/s]: what nothing can move obeys no joint, and no solution
/// tells of it.
pub fn parting(space: &ContactSpace) -> f64 {
    let held = space.joints.blocks.iter().flat_map(|block| block.rows[..block.holding].iter().map(move |r| (block, r)));
    held.map(|(block, row)| block.velocity(row, &space.carriers).abs()).fold(0.0, f64::max)
}

/// The carriers as the state has them.
pub fn look(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace) {
    detect::fill_carriers(model, state, w, space);
    add_riders(model, state, space);
}

/// Moves what carries joints.
fn shift(state: &mut State, w: &mut Workspace, space: &ContactSpace, way: &Carriers, flow: &mut Flow) {
    let mean = mean_velocity(space);
    let State { aggregates, position, velocity, .. } = state;
    for (k, a) in aggregates.iter_mut().enumerate() {
        if way[k].velocity == DVec3::ZERO && way[k].spin == DVec3::ZERO {
            continue;
        }
        let before = a.momenta().1;
        a.position += way[k].velocity;
        a.orientation = (DQuat::from_scaled_axis(way[k].spin) * a.orientation).normalize();
        carry(a, &w.ports[k], position, velocity);
        // A centre that is shifted while it moves past the others has another moment of momentum: the spin makes up for it.
        let passing = way[k].velocity.cross((a.velocity - mean) * a.mass);
        if passing.length() <= SMALL * a.angular_momentum.length() {
            a.angular_momentum -= passing;
        }
        // What the shift of a moving centre does to the angular momentum about the origin is no push of anybody.
        flow.angular_impulse += a.momenta().1 - before;
    }
    let bodies = aggregates.len();
    for (k, c) in way.iter().enumerate().skip(bodies).filter(|(_, c)| c.velocity != DVec3::ZERO) {
        let Some(e) = element_of(space, bodies, k).filter(|_| c.is_movable()) else { continue };
        shift_element(e as usize, c, position, velocity, flow);
        w.moment = None;
    }
}

/// The mean velocity of everything that is joined [m/s].
fn mean_velocity(space: &ContactSpace) -> DVec3 {
    let mut joined: Vec<u32> = space.joints.blocks.iter().flat_map(|b| [b.a, b.b]).collect();
    joined.sort_unstable();
    joined.dedup();
    let movers = joined.iter().map(|&k| &space.carriers[k as usize]).filter(|c| c.is_movable());
    let (mass, momentum) = movers.fold((0.0, DVec3::ZERO), |(m, p), c| {
        let mass = 1.0 / c.inverse_mass;
        (m + mass, p + c.velocity * mass)
    });
    if mass > 0.0 { momentum / mass } else { DVec3::ZERO }
}

fn shift_element(e: usize, c: &Carrier, position: &mut Vectors, velocity: &Vectors, flow: &mut Flow) {
    position.set(e, position.get(e) + c.velocity);
    flow.angular_impulse += c.velocity.cross(velocity.get(e)) / c.inverse_mass;
}

/// Stops what joints do not allow, by impulses at the pose of the moment.
pub fn settle(model: &Model, state: &mut State, w: &mut Workspace, space: &mut ContactSpace, flow: &mut Flow) {
    if model.joints.is_empty() {
        return;
    }
    look(model, state, w, space);
    make_plain(model, state, space);
    let before = space.carriers.clone();
    let ContactSpace { joints, carriers, .. } = &mut *space;
    let scale = joints.blocks.iter().fold(0.0, |m: f64, b| m.max(b.scale(carriers)));
    jointed::solve((&mut [], &mut []), &mut joints.blocks, carriers, 1e-2 * scale, &model.constraint);
    push(model, state, w, (space, &before), 0.0, flow);
    for (k, a) in state.aggregates.iter().enumerate() {
        crate::model::mapping::carry_velocities(a, &w.ports[k], &mut state.velocity);
    }
}
