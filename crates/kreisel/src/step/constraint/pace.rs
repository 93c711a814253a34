//! Bodies that are driven, in second-order steps.
//!
//! On the way through a step they have the velocity that takes them from its begin to its end, and that is the mean of what they carry; at
//! both ends they have that of their motion at these moments. With one velocity for all three, what they carry would come too late
//! by half a step, and contacts would make up for it in every one.

use crate::contact::constraint::carriers::Carriers;
use crate::model::mapping::carry_velocities;
use crate::model::{Model, State};
use crate::readout::momentum::kinetic_energy;
use crate::step::constraint::joints;
use crate::step::flow::Flow;
use crate::step::kick::note_reaction;
use crate::step::workspace::Workspace;

/// Where a motion begins or ends with a jerk, the velocity at an end of a step is that inside it: that of so much of the step away [1].
const INSIDE: f64 = 1e-9;

/// The velocities when a step of size `h` begins.
pub fn begin(model: &Model, state: &mut State, w: &mut Workspace, h: f64, flow: &mut Flow) {
    let t = state.time + INSIDE * h;
    if keep(model, state, w, (t, None), flow) && !model.joints.is_empty() {
        jerk(model, state, w, flow);
    }
}

/// Where what is driven starts or stops with a jerk, its joints strike what hangs on them, without bounce.
fn jerk(model: &Model, state: &mut State, w: &mut Workspace, flow: &mut Flow) {
    let (kinetic, given) = (kinetic_energy(model, state), flow.support_work);
    if joints::strike_disallowed(model, state, w, flow) {
        let work = kinetic_energy(model, state) - kinetic - (flow.support_work - given);
        flow.contact_work += work;
        flow.turnover += work.abs();
    }
}

/// Those when it ends, at time `t`.
pub fn end(model: &Model, state: &mut State, w: &mut Workspace, (t, h): (f64, f64), flow: &mut Flow) {
    keep(model, state, w, (t - INSIDE * h, Some(h)), flow);
}

/// The change reaches their supports, as a blow or as a force for the time `h`. True if there are such bodies.
fn keep(model: &Model, state: &mut State, w: &mut Workspace, (t, h): (f64, Option<f64>), flow: &mut Flow) -> bool {
    let mut any = false;
    for k in 0..state.aggregates.len() {
        if !w.immovable[k] || !w.supports[k].moves() {
            continue;
        }
        let State { aggregates, velocity, .. } = state;
        let a = &mut aggregates[k];
        let (p, l, kinetic) = a.motion();
        w.supports[k].keep_pace(model, a, t);
        carry_velocities(a, &w.ports[k], velocity);
        let (p1, l1, kinetic1) = a.motion();
        if let Some(h) = h {
            note_reaction(model, a, (p1 - p) / h, &mut w.reaction);
        }
        flow.impulse += p1 - p;
        flow.angular_impulse += l1 - l;
        flow.support_work += kinetic1 - kinetic;
        flow.turnover += (kinetic1 - kinetic).abs();
        any = true;
    }
    any
}

/// Carriers that nothing moves have one velocity through the step, that of `now`.
pub fn steady(before: &mut Carriers, now: &Carriers) {
    for (before, now) in before.iter_mut().zip(now.iter()).filter(|(_, now)| !now.is_movable()) {
        (before.velocity, before.spin) = (now.velocity, now.spin);
    }
}
