//! Velocities that joints do not allow when a run begins are stopped by a blow of the joints, without bounce.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::joint::JointBlock;
use crate::model::setup::Law;
use crate::model::{Model, State};
use crate::readout::momentum::kinetic_energy;
use crate::step::constraint::joints::correct::{look, settle};
use crate::step::constraint::joints::make::make_plain;
use crate::step::constraint::space::ContactSpace;
use crate::step::flow::Flow;
use crate::step::workspace::Workspace;

/// Velocities across a joint below this share of those of its sides are rounding [1].
const ROUNDING: f64 = 1e-9;

/// Before the first step: what joints do not allow is taken out, and its energy is booked as lost by contact.
pub fn start(model: &Model, state: &mut State, w: &mut Workspace, flow: &mut Flow) {
    if model.law != Law::Constraint || model.joints.is_empty() || state.steps > 0 {
        return;
    }
    let before = kinetic_energy(model, state);
    if strike_disallowed(model, state, w, flow) {
        let work = kinetic_energy(model, state) - before;
        flow.contact_work += work;
        flow.turnover += work.abs();
    }
}

/// Takes out what joints do not allow; true if there is something. What that does to supports has been booked then.
pub fn strike_disallowed(model: &Model, state: &mut State, w: &mut Workspace, flow: &mut Flow) -> bool {
    let mut space = std::mem::take(&mut w.contact_space);
    look(model, state, w, &mut space);
    make_plain(model, state, &mut space);
    let disallowed = is_disallowed(&space);
    if disallowed {
        settle(model, state, w, &mut space, flow);
    }
    w.contact_space = space;
    disallowed
}

fn is_disallowed(space: &ContactSpace) -> bool {
    let wrong = |block: &JointBlock| block.scale(&space.carriers) > ROUNDING * fastest(block, &space.carriers);
    space.joints.blocks.iter().any(wrong)
}

/// The larger velocity of the places where a joint holds [m/s].
fn fastest(block: &JointBlock, carriers: &Carriers) -> f64 {
    let speed = |k: u32| carriers.point_velocity(k, block.point - carriers[k as usize].position).length();
    speed(block.a).max(speed(block.b))
}
