//! The impulses of joints reach the bodies, the ledger and the joints' memory; joints that bore too much break.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::joint::JointBlock;
use crate::linear::Vectors;
use crate::model::{Event, EventKind, JointState, Model, State};
use crate::step::constraint::apply::to_support;
use crate::step::constraint::calm::sleeps;
use crate::step::constraint::detect;
use crate::step::constraint::joints::link::{Link, poses};
use crate::step::constraint::joints::make::wrapped;
use crate::step::constraint::joints::{add_riders, element_of, make};
use crate::step::constraint::space::ContactSpace;
use crate::step::flow::Flow;
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Adds all impulses to the bodies, and records them. `before` has the velocities before the step.
pub fn apply(
    model: &Model,
    state: &mut State,
    w: &Workspace,
    space: &ContactSpace,
    before: &Carriers,
    h: f64,
    flow: &mut Flow,
) {
    if model.joints.is_empty() {
        return;
    }
    push(model, state, w, (space, before), h, flow);
    record(model, state, (space, before, &space.carriers), h, flow);
}

/// Books the works of motors, friction and stops, `p · ½(u⁻ + u⁺)`, and remembers what the joints bore. Joints themselves do
/// no work: what theirs is, is the numerics'. The impulses have reached the bodies, which are given as they move before the
/// step and after it.
pub fn record(
    model: &Model,
    state: &mut State,
    (space, before, after): (&ContactSpace, &Carriers, &Carriers),
    h: f64,
    flow: &mut Flow,
) {
    let awake: Vec<bool> = model.joints.iter().zip(&state.joints).map(|joint| !sleeps(joint, state)).collect();
    for (memory, _) in state.joints.iter_mut().zip(awake).filter(|m| m.1) {
        *memory = JointState { coordinate: memory.coordinate, command: memory.command, ..emptied(memory, h) };
    }
    let mut pivot = DVec3::ZERO;
    for (link, block) in space.joints.links.iter().zip(&space.joints.blocks) {
        book(block, before, after, flow);
        let memory = &mut state.joints[link.joint as usize];
        if memory.impulses.is_empty() {
            pivot = block.point;
        }
        remember(memory, (link, block), pivot, after, space.joints.span(link, h));
    }
}

fn emptied(memory: &mut JointState, h: f64) -> JointState {
    let mut impulses = std::mem::take(&mut memory.impulses);
    impulses.clear();
    let seats = std::mem::take(&mut memory.seats);
    JointState { impulses, seats, broken: memory.broken, speed: memory.speed, step: h, ..JointState::default() }
}

fn book(block: &JointBlock, before: &Carriers, after: &Carriers, flow: &mut Flow) {
    for (k, row) in block.rows[block.holding..].iter().enumerate() {
        let work = row.impulse * 0.5 * (block.velocity(row, before) + block.velocity(row, after));
        match k {
            0 => flow.load_work += work,
            1 => flow.friction_work += work,
            _ => flow.contact_work += work,
        }
        flow.turnover += work.abs();
    }
}

/// Adds what a seat bore to what its joint did, whose torque is about its `pivot`, the point of its first seat: balls that hold
/// together what is fixed bear no torque each, but a couple between them.
fn remember(memory: &mut JointState, (link, block): (&Link, &JointBlock), pivot: DVec3, carriers: &Carriers, h: f64) {
    memory.step = h;
    let mut own = [0.0; 6];
    own.iter_mut().zip(&block.rows[..block.holding]).for_each(|(p, row)| *p = row.impulse);
    memory.impulses.push(own);
    for (p, row) in memory.drive.iter_mut().zip(&block.rows[block.holding..]) {
        *p = row.impulse;
    }
    let (force, torque) = block.wrench(carriers);
    memory.force += force / h;
    memory.torque += (torque + (block.point - pivot).cross(force)) / h;
    memory.effort = memory.drive[0] * link.unit() / h;
}

/// Adds all impulses of joints to bodies, elements and the world. Loads and dampers on free elements have been booked with
/// their velocities without joints for a step of size `h`; `before` has the velocities before the step.
pub fn push(
    model: &Model,
    state: &mut State,
    w: &Workspace,
    (space, before): (&ContactSpace, &Carriers),
    h: f64,
    flow: &mut Flow,
) {
    let bodies = state.aggregates.len();
    for block in &space.joints.blocks {
        for (k, first) in [(block.a as usize, true), (block.b as usize, false)] {
            let (p, l) = block.side_impulse(first);
            let element = element_of(space, bodies, k).filter(|_| space.carriers[k].is_movable());
            match (state.aggregates.get_mut(k), element) {
                (Some(a), _) if !w.immovable[k] => {
                    a.velocity += p / a.mass;
                    a.angular_momentum += l;
                }
                (_, Some(e)) => {
                    let (e, change) = (e as usize, p / model.elements.mass[e as usize]);
                    state.velocity.add(e, change);
                    let felt = |field: &Vectors| if field.is_empty() { 0.0 } else { field.get(e).dot(change) };
                    flow.load_work += 0.5 * h * felt(&w.load);
                    flow.damping_work += 0.5 * h * felt(&w.damping);
                }
                _ => to_support((&before[k], &space.carriers[k]), (p, l), flow),
            }
        }
    }
}

/// Notes coordinates and speeds where the bodies are now, the time `h` [s] after they were noted last. Poses do not tell whole
/// turns: of those that fit, the change that is nearest to `h` times the speed is the one.
pub fn note(model: &Model, state: &mut State, w: &Workspace, space: &mut ContactSpace, h: f64) {
    if model.joints.is_empty() {
        return;
    }
    detect::fill_carriers(model, state, w, space);
    add_riders(model, state, space);
    make(model, state, space, model.frame);
    let poses = poses(state, &space.carriers);
    for (link, block) in space.joints.links.iter().zip(&space.joints.blocks) {
        let Some((_, x)) =
            link.coordinate(&link.place(&poses)).filter(|_| model.joints[link.joint as usize].is_driven())
        else {
            continue;
        };
        let row = block.rows.get(block.holding);
        let speed = row.map_or(0.0, |row| block.velocity(row, &space.carriers) / link.unit());
        let memory = &mut state.joints[link.joint as usize];
        let due = memory.coordinate + h * speed;
        memory.coordinate += wrapped(link, x, memory.coordinate, due);
        memory.speed = speed;
    }
}

/// Joints that bore more than they can break; those that nobody can carry any more are let go.
pub fn break_overloaded(model: &Model, state: &mut State, time: f64, report: &mut StepReport) {
    for (k, joint) in model.joints.iter().enumerate() {
        let memory = &state.joints[k];
        let (force, torque) = (memory.force.length(), memory.torque.length());
        let overloaded = force > joint.break_force || torque > joint.break_torque;
        let torn_off = joint.seats(memory).any(|seat| seat.sides.iter().any(|side| side.is_torn_off(state)));
        if memory.broken || !(overloaded || torn_off) {
            continue;
        }
        let place = joint.seats(memory).next().map_or(DVec3::ZERO, |seat| seat.sides[0].place(state).0);
        let name = joint.name.clone();
        let kind = match torn_off {
            true => EventKind::JointLetGo { joint: name },
            false => EventKind::JointBroke { joint: name, force, torque },
        };
        report.events.push(Event { time, place, energy: 0.0, kind });
        let memory = &mut state.joints[k];
        *memory = JointState {
            broken: true,
            coordinate: memory.coordinate,
            command: memory.command,
            ..JointState::default()
        };
    }
}
