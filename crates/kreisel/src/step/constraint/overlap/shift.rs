//! Bodies, their shapes and their contacts are moved by position only.

use crate::contact::constraint::carriers::Carriers;
use crate::model::mapping::carry;
use crate::model::{Model, State};
use crate::step::constraint::detect::far;
use crate::step::constraint::joints::element_of;
use crate::step::constraint::overlap::recoil;
use crate::step::constraint::space::ContactSpace;
use crate::step::flow::Flow;
use crate::step::workspace::Workspace;
use glamx::{DQuat, DVec3};

/// Moves the bodies by the velocities and spins of `moved`, taken as shifts; gaps and points follow.
///
/// What is lifted is so by its contacts: where steps let bodies sink by a millionth of their size and this lifts them again, the
/// former has been booked as lost by contact, and the latter gives it back.
pub fn shift(
    model: &Model,
    state: &mut State,
    w: &Workspace,
    space: &mut ContactSpace,
    moved: &Carriers,
    flow: &mut Flow,
) {
    let lifted = lift(model, space, moved);
    flow.contact_work += lifted;
    flow.turnover += lifted.abs();
    shift_contacts(space, moved);
    note_ways(model, space, moved);
    shift_poses(space, moved);
    shift_elements(state, space, moved, flow);
    let mut turned = shift_bodies(state, w, space, moved);
    recoil::give_back(model, state, space, moved, &mut turned);
    // What the shift of a moving centre does to the angular momentum about the origin is no push of anybody.
    turned.into_iter().for_each(|change| flow.angular_impulse += change);
}

/// The energy in gravity that everything gains [J].
fn lift(model: &Model, space: &ContactSpace, moved: &Carriers) -> f64 {
    let movers = moved.iter().zip(space.carriers.iter()).filter(|(_, c)| c.is_movable());
    movers.map(|(way, c)| -model.gravity.dot(way.velocity) / c.inverse_mass).sum()
}

/// Contacts of what is shifted follow.
fn shift_contacts(space: &mut ContactSpace, moved: &Carriers) {
    let rests =
        |c: u32| moved[c as usize].is_still() && moved.members(c).iter().all(|m| moved[m.carrier as usize].is_still());
    let way = |c: u32, point: DVec3| moved.point_velocity(c, point - moved[c as usize].position);
    let mut found = std::mem::take(&mut space.found);
    for f in &mut found {
        let [a, b] = space.sides(f);
        if rests(a) && rests(b) {
            continue;
        }
        f.touch.point_a += way(a, f.touch.point_a);
        f.touch.point_b += way(b, f.touch.point_b);
        f.touch.gap = f.touch.normal.dot(f.touch.point_a - f.touch.point_b);
    }
    space.found = found;
    // What has been shifted must be looked at again, wherever it will be.
    let shapes = space.carrier.iter().zip(&mut space.last.reach);
    shapes.filter(|(c, _)| !rests(**c)).for_each(|(_, reach)| *reach = f64::NAN);
}

/// Who is shifted may come to others than it has looked at.
fn note_ways(model: &Model, space: &mut ContactSpace, moved: &Carriers) {
    for k in 0..space.shifted.len() {
        let c = space.carrier[k];
        if !moved[c as usize].is_still() {
            let (reach, (low, high)) = (space.reach[k], space.boxes[k]);
            let turned = moved[c as usize].spin.length() * far(model, space, k, (low + reach, high - reach));
            space.shifted[k] += moved.point_velocity(c, DVec3::ZERO).length() + turned;
        }
    }
}

/// Poses of the shapes follow: who asks for gaps at the end of the step starts from them.
fn shift_poses(space: &mut ContactSpace, moved: &Carriers) {
    let ContactSpace { poses, carrier, carriers, .. } = space;
    for (pose, &c) in poses.iter_mut().zip(carrier.iter()) {
        let (way, centre) = (&moved[c as usize], carriers[c as usize].position);
        if !way.turns {
            pose.position += moved.point_velocity(c, DVec3::ZERO);
        } else if !way.is_still() {
            let turn = DQuat::from_scaled_axis(way.spin);
            pose.position = centre + way.velocity + turn * (pose.position - centre);
            pose.rotation = (turn * pose.rotation).normalize();
        }
    }
}

/// Free elements are shifted; what that does to their angular momentum is booked.
fn shift_elements(state: &mut State, space: &mut ContactSpace, moved: &Carriers, flow: &mut Flow) {
    let bodies = state.aggregates.len();
    for k in bodies..moved.len() {
        let way = moved[k].velocity;
        if let Some(e) = element_of(space, bodies, k).filter(|_| way != DVec3::ZERO) {
            let momentum = space.carriers[k].velocity / space.carriers[k].inverse_mass;
            state.position.add(e as usize, way);
            space.carriers[k].position += way;
            flow.angular_impulse += way.cross(momentum);
        }
    }
}

/// Rigid bodies are shifted and turned, with the elements that others see; what that does to the angular momentum of each about the
/// origin [kg m²/s].
fn shift_bodies(state: &mut State, w: &Workspace, space: &mut ContactSpace, moved: &Carriers) -> Vec<DVec3> {
    let State { aggregates, position, velocity, .. } = state;
    let mut turned = vec![DVec3::ZERO; aggregates.len()];
    for (k, a) in aggregates.iter_mut().enumerate() {
        let way = &moved[k];
        if way.is_still() {
            continue;
        }
        let before = a.momenta().1;
        a.position += way.velocity;
        a.orientation = (DQuat::from_scaled_axis(way.spin) * a.orientation).normalize();
        space.carriers[k].position = a.position;
        carry(a, &w.ports[k], position, velocity);
        turned[k] = a.momenta().1 - before;
    }
    turned
}
