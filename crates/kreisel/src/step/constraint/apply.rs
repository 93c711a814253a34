//! The impulses reach the bodies, the ledger and the list of contacts.

use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::row::{Mode, Row};
use crate::contact::constraint::twist::Twist;
use crate::linear::{Vectors, room};
use crate::model::mapping::carry_velocities;
use crate::model::{Model, ShapeContact, State};
use crate::step::constraint::joints::element_of;
use crate::step::constraint::space::{ContactSpace, Found};
use crate::step::constraint::timing::{Stroke, Timing};
use crate::step::flow::Flow;
use crate::step::workspace::Workspace;
use glamx::DVec3;
use std::sync::Arc;

/// Adds all impulses to the bodies; books their works, `p · ½(u⁻ + u⁺)` with the velocities `before` the step: exact,
/// because positions do not move meanwhile, and the mean over the step that all forces share.
pub fn apply(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    (space, timing): (&mut ContactSpace, &Timing),
    before: &Carriers,
    h: f64,
    flow: &mut Flow,
) {
    let solved = std::mem::take(&mut space.carriers);
    // Those of before make room, if nobody else has them.
    state.shape_contacts = Arc::default();
    let stays = |(row, f): &(&Row, &Found)| row.impulse != DVec3::ZERO || f.touch.gap <= 0.0;
    let count = space.rows.iter().zip(&space.found).filter(stays).count();
    let mut contacts = Vec::with_capacity(room(count));
    let mut twists = space.twists.iter().peekable();
    let at_once = Timing::is_at_once(space);
    for (k, (row, f)) in space.rows.iter().zip(&space.found).enumerate() {
        let torque = twists.next_if(|t| t.row as usize == k).map_or(DVec3::ZERO, Twist::world_impulse);
        let mut strike = |stroke: &Stroke| push(state, (w, space), (before, &solved), row, (stroke, h), flow);
        if !at_once {
            timing.strokes(space, k as u32).iter().filter(|s| s.impulse != DVec3::ZERO).for_each(strike);
        } else if row.impulse != DVec3::ZERO {
            strike(&Stroke::at_once(row.world_impulse(), space.point(f)));
        }
        if stays(&(row, f)) {
            let u = row.velocity(&solved);
            book(row, (before, &solved), u, flow);
            contacts.push(ShapeContact { torque, ..readout(model, space, row, f, u, h) });
        }
    }
    turn(state, space, before, &solved, flow);
    state.shape_contacts = Arc::new(contacts);
    stop(state, &space.rested, flow);
    carry_all_velocities(state, w, h, flow);
    space.carriers = solved;
}

/// Nothing else does work while what takes no time acts: a blow, or what puts velocities right.
pub fn forget_other_forces(w: &mut Workspace) {
    w.load.reset(0);
    w.damping.reset(0);
}

/// Elements of rigid bodies move as these do now. Loads and dampers on them have been booked with their velocities without
/// contacts and joints for a step of size `h`.
fn carry_all_velocities(state: &mut State, w: &Workspace, h: f64, flow: &mut Flow) {
    let nothing = w.load.is_empty() && w.damping.is_empty();
    let free = if nothing { Vectors::default() } else { state.velocity.clone() };
    for (k, a) in state.aggregates.iter().enumerate() {
        carry_velocities(a, &w.ports[k], &mut state.velocity);
    }
    for (field, work) in [(&w.load, &mut flow.load_work), (&w.damping, &mut flow.damping_work)] {
        for i in (0..field.len()).filter(|&i| field.get(i) != DVec3::ZERO) {
            *work += 0.5 * h * field.get(i).dot(state.velocity.get(i) - free.get(i));
        }
    }
}

/// Books the works of a contact whose points move against each other with `u` in the end [m/s], in contact axes.
fn book(row: &Row, (before, after): (&Carriers, &Carriers), u: DVec3, flow: &mut Flow) {
    // Where nobody moves nothing is done.
    if row.impulse == DVec3::ZERO || (row.stood(before) && row.stood(after)) {
        return;
    }
    let mean = (row.velocity(before) + u) * 0.5;
    let (normal, rub) = (row.impulse.x * mean.x, row.impulse.y * mean.y + row.impulse.z * mean.z);
    flow.contact_work += normal;
    flow.friction_work += rub;
    flow.turnover += normal.abs() + rub.abs();
}

/// The couples of rolling and torsional friction reach both bodies, or the world.
fn turn(state: &mut State, space: &ContactSpace, before: &Carriers, after: &Carriers, flow: &mut Flow) {
    for twist in &space.twists {
        book_couple(twist, before, after, flow);
        let m = twist.world_impulse();
        for (k, m) in [(twist.a, m), (twist.b, -m)] {
            match state.aggregates.get_mut(k as usize) {
                Some(a) if after[k as usize].is_movable() => a.angular_momentum += m,
                _ => to_support((&before[k as usize], &after[k as usize]), (DVec3::ZERO, m), flow),
            }
        }
    }
}

/// The work of a couple is one of friction.
pub fn book_couple(twist: &Twist, before: &Carriers, after: &Carriers, flow: &mut Flow) {
    let work = twist.impulse.dot(twist.spin(before) + twist.spin(after)) * 0.5;
    flow.friction_work += work;
    flow.turnover += work.abs();
}

/// Bodies that have come to rest stop; the world that they lean on takes what is left of their momentum.
pub fn stop(state: &mut State, rested: &[u32], flow: &mut Flow) {
    for &k in rested {
        let a = &mut state.aggregates[k as usize];
        let (p, l) = a.momenta();
        (a.velocity, a.angular_momentum) = (DVec3::ZERO, DVec3::ZERO);
        flow.impulse -= p;
        flow.angular_impulse -= l;
    }
}

/// The impulse reaches both bodies, or the world.
fn push(
    state: &mut State,
    (w, space): (&Workspace, &ContactSpace),
    (before, carriers): (&Carriers, &Carriers),
    row: &Row,
    (stroke, h): (&Stroke, f64),
    flow: &mut Flow,
) {
    let Stroke { impulse: p, point, leads } = *stroke;
    for (k, lead, p) in [(row.a, leads[0], p), (row.b, leads[1], -p)] {
        let mut one = |c: u32, arm: DVec3, p: DVec3| {
            let ends = (&before[c as usize], &carriers[c as usize]);
            push_one(state, (w, space), ends, (c as usize, arm, p, h), flow);
        };
        match carriers.members(k) {
            [] => one(k, point - lead - carriers[k as usize].position, p),
            members => members.iter().for_each(|m| one(m.carrier, m.arm, m.share.transpose() * p)),
        }
    }
}

/// An impulse at an arm reaches a body, an element, or the world. Loads and dampers on elements have been booked with their
/// velocities without contact for a step of size `h`.
fn push_one(
    state: &mut State,
    (w, space): (&Workspace, &ContactSpace),
    (before, carrier): (&Carrier, &Carrier),
    (c, arm, p, h): (usize, DVec3, DVec3, f64),
    flow: &mut Flow,
) {
    let bodies = state.aggregates.len();
    if let Some(a) = state.aggregates.get_mut(c).filter(|_| carrier.is_movable()) {
        a.velocity += p / a.mass;
        a.angular_momentum += arm.cross(p);
    } else if let Some(e) = element_of(space, bodies, c).filter(|_| carrier.is_movable()) {
        let change = p * carrier.inverse_mass;
        state.velocity.add(e as usize, change);
        let felt = |field: &Vectors| if field.is_empty() { 0.0 } else { field.get(e as usize).dot(change) };
        flow.load_work += 0.5 * h * felt(&w.load);
        flow.damping_work += 0.5 * h * felt(&w.damping);
    } else {
        to_support((before, carrier), (p, arm.cross(p)), flow);
    }
}

/// An impulse and its moment about the carrier's centre reach what holds or moves the carrier as it is told, and which works
/// against them. The carrier is given as it is before the step and after it.
pub fn to_support((before, after): (&Carrier, &Carrier), (p, moment): (DVec3, DVec3), flow: &mut Flow) {
    let work = -0.5 * (p.dot(before.velocity + after.velocity) + moment.dot(before.spin + after.spin));
    flow.support_work += work;
    flow.turnover += work.abs();
    flow.impulse -= p;
    flow.angular_impulse -= moment + after.position.cross(p);
}

/// The contact as people read it, once everything is solved: its points move against each other with `u` [m/s], in contact axes.
pub fn readout(model: &Model, space: &ContactSpace, row: &Row, f: &Found, u: DVec3, step: f64) -> ShapeContact {
    let (u, [_, t1, t2]) = (u + row.offset(), row.axes());
    ShapeContact {
        between: [space.whose(model, f.first), space.whose(model, f.second)],
        first: f.first,
        second: f.second,
        feature: f.touch.feature,
        point: 0.5 * (f.touch.point_a + f.touch.point_b),
        normal: f.touch.normal,
        gap: f.touch.gap,
        impulse: row.world_impulse(),
        step,
        slip: t1 * u.y + t2 * u.z,
        slipping: row.mode == Mode::Slip,
        torque: DVec3::ZERO,
    }
}
