//! Joints in the step: solved together with the contacts, with their error at the end of the step as the condition.
//!
//! In first-order steps the impulses act at the beginning and the joint is to be closed at the end, `g(q⁺) = 0`, as in the
//! method SHAKE [RCB77]: the scheme is symplectic, does not drift, and its joints do no work. In second-order steps they act
//! in the middle on the average velocity; position and velocity are put right at the end. What is left of an error is taken
//! out by position only.

mod correct;
mod drive;
mod finish;
mod link;
mod solve;

pub use correct::{correct, settle};
pub use finish::{apply, break_overloaded, note};
pub use link::Link;
pub use solve::{make, make_average, make_plain, make_whole, solve_for_end};

use crate::contact::constraint::carriers::Carrier;
use crate::contact::constraint::joint::JointBlock;
use crate::model::{FREE, Model, State};
use crate::step::constraint::space::ContactSpace;
use glamx::DVec3;

/// Buffers of the joints in a contact problem.
#[derive(Debug, Default)]
pub struct JointSpace {
    /// Free elements that carry joints, ascending: the carriers after the world.
    pub riders: Vec<u32>,
    /// Pairs of bodies that do not touch because a joint joins them, sorted.
    pub apart: Vec<(u32, u32)>,
    /// Who is joined to whom, and how.
    pub links: Vec<Link>,
    /// One block for each link.
    pub blocks: Vec<JointBlock>,
}

/// Adds the free elements that carry joints to the carriers, after the world.
pub fn add_riders(model: &Model, state: &State, space: &mut ContactSpace) {
    if model.joints.is_empty() {
        return;
    }
    let whole = || model.joints.iter().zip(&state.joints).filter(|(_, s)| !s.broken).map(|(joint, _)| joint);
    let sides = whole().flat_map(|j| j.pairs.iter().flatten()).filter_map(|side| side.element);
    let joints = &mut space.joints;
    joints.riders = sides.filter(|&e| state.owner[e as usize] == FREE).collect();
    joints.riders.sort_unstable();
    joints.riders.dedup();
    joints.apart = whole().filter_map(|j| j.apart).collect();
    joints.apart.sort_unstable();
    for &e in &joints.riders {
        let held = model.holds.binary_search_by_key(&e, |h| h.element).is_ok();
        let (position, velocity) = (state.position.get(e as usize), state.velocity.get(e as usize));
        let inverse_mass = if held { 0.0 } else { 1.0 / model.elements.mass[e as usize] };
        space.carriers.push(Carrier { position, velocity, inverse_mass, turns: false, ..Carrier::WORLD });
    }
}

/// True if two colliders do not touch because a joint joins their bodies.
pub fn are_joined(model: &Model, joints: &JointSpace, i: u32, j: u32) -> bool {
    if joints.apart.is_empty() {
        return false;
    }
    let body = |k: u32| model.colliders.get(k as usize).map(|c| c.body.0);
    let (Some(a), Some(b)) = (body(i), body(j)) else { return false };
    joints.apart.binary_search(&(a.min(b), a.max(b))).is_ok()
}

/// Copies velocities of riders from the state.
pub fn take_velocities(state: &State, space: &mut ContactSpace) {
    let first = state.aggregates.len() + 1;
    for (carrier, &e) in space.carriers.iter_mut().skip(first).zip(&space.joints.riders) {
        carrier.velocity = state.velocity.get(e as usize);
        carrier.spin = DVec3::ZERO;
    }
}
