//! The impulses reach the bodies, the ledger and the list of contacts.

use crate::contact::constraint::row::{Mode, Row};
use crate::model::mapping::carry_velocities;
use crate::model::{Model, ShapeContact, State};
use crate::step::constraint::space::ContactSpace;
use crate::step::flow::Flow;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Adds all impulses to the bodies; books their works, `p · ½(u* + u⁺)`, exact because positions do not move meanwhile.
pub fn apply(model: &Model, state: &mut State, w: &mut Workspace, space: &mut ContactSpace, h: f64, flow: &mut Flow) {
    let solved = std::mem::take(&mut space.carriers);
    let mut free = solved.clone();
    for (carrier, a) in free.iter_mut().zip(&state.aggregates) {
        carrier.velocity = a.velocity;
        carrier.spin = a.spin();
    }
    let mut contacts = Vec::with_capacity(space.rows.len());
    for (row, f) in space.rows.iter().zip(&space.found) {
        if row.impulse != DVec3::ZERO {
            let point = 0.5 * (f.touch.point_a + f.touch.point_b);
            push(state, row, point, &w.immovable, flow);
            let mean = (row.velocity(&free) + row.velocity(&solved)) * 0.5;
            let (normal, rub) = (row.impulse.x * mean.x, row.impulse.y * mean.y + row.impulse.z * mean.z);
            flow.contact_work += normal;
            flow.friction_work += rub;
            flow.turnover += normal.abs() + rub.abs();
        }
        if row.impulse != DVec3::ZERO || f.touch.gap <= 0.0 {
            contacts.push(readout(row, f, &solved, h));
        }
    }
    state.shape_contacts = contacts;
    for (k, a) in state.aggregates.iter().enumerate() {
        carry_velocities(a, &w.ports[k], &mut state.velocity);
    }
    space.carriers = solved;
    let _ = model;
}

/// The impulse reaches both bodies, or the world.
fn push(state: &mut State, row: &Row, point: DVec3, immovable: &[bool], flow: &mut Flow) {
    let p = row.world_impulse();
    for (k, p) in [(row.a, p), (row.b, -p)] {
        match state.aggregates.get_mut(k as usize) {
            Some(a) if !immovable[k as usize] => {
                a.velocity += p / a.mass;
                a.angular_momentum += (point - a.position).cross(p);
            }
            _ => {
                flow.impulse -= p;
                flow.angular_impulse -= point.cross(p);
            }
        }
    }
}

fn readout(
    row: &Row,
    f: &super::space::Found,
    solved: &[crate::contact::constraint::carriers::Carrier],
    step: f64,
) -> ShapeContact {
    let u = row.velocity(solved);
    ShapeContact {
        first: f.first,
        second: f.second,
        feature: f.touch.feature,
        point: 0.5 * (f.touch.point_a + f.touch.point_b),
        normal: f.touch.normal,
        gap: f.touch.gap,
        impulse: row.world_impulse(),
        step,
        slip: row.axes[1] * u.y + row.axes[2] * u.z,
        slipping: row.mode == Mode::Slip,
    }
}
