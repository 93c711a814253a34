//! Who may sleep: bodies on which nothing acts that changes, and joined ones that move slower than their solver can tell.

use crate::contact::constraint::carriers::Carrier;
use crate::contact::constraint::groups::Group;
use crate::model::{FREE, Joint, JointState, Model, Profile, State};
use crate::step::constraint::space::ContactSpace;
use crate::step::support::Support;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// True if no grab and no support acts on a body, and no load that changes within a step of size `h`.
pub fn is_left_alone(model: &Model, state: &State, w: &Workspace, k: usize, h: f64) -> bool {
    let (Some(ports), Some(Support::None)) = (w.ports.get(k), w.supports.get(k)) else { return false };
    let elements = &state.aggregates[k].elements;
    ports.iter().filter_map(|&p| elements.get(p as usize)).all(|&e| is_steady(model, state.time, e, h))
}

/// True if only loads reach an element, and those stay as they are around a moment.
fn is_steady(model: &Model, t: f64, e: u32, h: f64) -> bool {
    let mut loads = model.loads.iter().filter(|l| l.forces.iter().any(|f| f.0 == e)).peekable();
    let pulled = model.grabs.iter().flat_map(|g| &g.carried_by).any(|c| c.0 == e)
        || model.pressures.iter().any(|p| p.faces.iter().flatten().any(|&c| c == e));
    let level = |p: &Profile| p.value(t) == p.value(t - h) && p.value(t) == p.value(t + h);
    !pulled && loads.peek().is_some() && loads.all(|l| level(&l.profile))
}

/// The rigid bodies that a joint joins.
pub fn joined<'a>((joint, memory): (&'a Joint, &'a JointState), state: &'a State) -> impl Iterator<Item = u32> + 'a {
    let owner = |e: u32| state.owner[e as usize];
    let sides = joint.seats(memory).flat_map(|seat| seat.sides);
    sides.filter_map(|side| side.element).map(owner).filter(|&o| o != FREE)
}

/// True if a joint is between sleepers: it stays as it is.
pub fn sleeps(joint: (&Joint, &JointState), state: &State) -> bool {
    let count = state.sleep.count(state.epoch);
    count > 0 && joined(joint, state).any(|k| state.sleep.is_asleep(state.epoch, k as usize))
}

/// Rigid bodies of islands with joints that lean on the world and move slower than what the solver may leave of the speed that
/// gravity gives in a step: those it cannot tell from rest. Joints have the numbers after those of the contacts.
pub fn resting(model: &Model, space: &ContactSpace, bodies: usize, islands: &[Group], h: f64) -> Vec<u32> {
    let slow = model.constraint.tolerance * model.gravity.length() * h;
    let held = |k: u32| !space.carriers[k as usize].is_movable();
    let ends = |n: u32| match space.rows.get(n as usize) {
        Some(row) => Some((row.a, row.b)).filter(|_| row.impulse != DVec3::ZERO),
        None => space.joints.blocks.get(n as usize - space.rows.len()).map(|b| (b.a, b.b)),
    };
    let leans = |g: &Group| g.contacts.iter().filter_map(|&n| ends(n)).any(|(a, b)| held(a) || held(b));
    let still = |&k: &u32| (k as usize) < bodies && is_calm(&space.carriers[k as usize], slow);
    let joined = |g: &&Group| g.contacts.last().is_some_and(|&n| n as usize >= space.rows.len());
    let calm = islands.iter().filter(joined).filter(|g| leans(g) && g.carriers.iter().all(still));
    calm.flat_map(|g| g.carriers.iter().copied()).collect()
}

/// True if no point of a ball with the body's inertia moves faster.
pub fn is_calm(c: &Carrier, slow: f64) -> bool {
    let turning = if c.spin == DVec3::ZERO { 0.0 } else { c.spin.dot(c.inverse_inertia.inverse() * c.spin) };
    c.velocity.abs().max_element() <= slow && turning * c.inverse_mass <= slow * slow
}
