//! The end of a solved step: works are booked, everything moves to its end, momentum is put right.

use crate::contact::connections::remember;
use crate::linear::Vectors;
use crate::model::mapping::carry_all;
use crate::model::world::Hold;
use crate::model::{Aggregate, FREE, Model, State};
use crate::step::evaluate::Evaluated;
use crate::step::flow::Flow;
use crate::step::implicit::impulses::{Impulse, add_weight_and_drag};
use crate::step::implicit::newton::{Solved, Task};
use crate::step::implicit::repair::{Balance, repair};
use crate::step::support::Support;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Takes the state from the pose of the solution to the end of the step.
pub fn finish(task: &Task, state: &mut State, w: &mut Workspace, solved: Solved, flow: &mut Flow) -> Solved {
    let h = task.scheme.h;
    book_works(task.model, state, w, &solved.forces.found, h, flow);
    remember(task.model, state, &w.contacts, h - task.scheme.reach);
    let mut world = solved.impulses.world.clone();
    add_weight_and_drag(task.model, state, task.groups, h, &mut world);
    let held: Vec<DVec3> = task.model.holds.iter().map(|hold| state.position.get(hold.element as usize)).collect();
    let centres: Vec<DVec3> = state.aggregates.iter().map(|a| a.position).collect();
    let middle = Balance::middle(task, state, w);
    move_to_end(task, state, w, &solved.du);
    let mut balance = Balance { world, pairs: solved.impulses.pairs.clone(), middle, held: Vec::new() };
    balance.held = book_reactions(task, state, w, (&held, &centres), &solved, flow);
    repair(task, state, w, &balance, flow);
    carry_all(state);
    solved
}

/// `h f` on a slot, as the solver saw it: `M Δu` less what is left of the equation.
fn received(task: &Task, solved: &Solved, slot: usize) -> DVec3 {
    let (du, left) = (solved.du.get(slot), solved.impulses.left.get(slot));
    let Some(of_bodies) = slot.checked_sub(solved.forces.slots.elements) else {
        return du * task.model.elements.mass[slot] - left;
    };
    let a = of_bodies / 2;
    let change = if of_bodies % 2 == 0 { du * task.start.bodies[a].mass } else { task.start.inertia[a] * du };
    change - left
}

/// Works over the step: power at the pose, whose velocities are the displacements of the step divided by `h`.
fn book_works(model: &Model, state: &State, w: &Workspace, found: &Evaluated, h: f64, flow: &mut Flow) {
    let (mut friction, mut contact) = (0.0, -found.torn);
    for c in &w.contacts {
        friction += c.friction.dot(c.velocity) * h;
        contact += c.damping_force * c.normal.dot(c.velocity) * h;
    }
    let power = |field: &Vectors| if field.is_empty() { 0.0 } else { field.dot(&state.velocity) };
    let rigid_drag: f64 = state.aggregates.iter().map(|a| -2.0 * model.drag * a.kinetic_energy()).sum();
    let damping = h * (power(&w.damping) + rigid_drag);
    let load = h * power(&w.load);
    flow.friction_work += friction;
    flow.contact_work += contact;
    flow.damping_work += damping;
    flow.load_work += load;
    let kinetic = crate::readout::momentum::kinetic_energy(model, state);
    flow.turnover += friction.abs() + contact.abs() + damping.abs() + load.abs();
    if let Some((elastic, before)) = flow.last {
        flow.turnover += (found.elastic - elastic).abs() + (kinetic - before).abs();
    }
    flow.last = Some((found.elastic, kinetic));
}

/// Positions and velocities at the end of the step; supports put right what they hold.
fn move_to_end(task: &Task, state: &mut State, w: &mut Workspace, du: &Vectors) {
    let (start, scheme) = (task.start, &task.scheme);
    for e in (0..task.model.elements.len()).filter(|&e| state.owner[e] == FREE) {
        let mean = state.velocity.get(e);
        state.position.set(e, start.position.get(e) + mean * scheme.h);
        state.velocity.set(e, start.velocity.get(e) + du.get(e));
    }
    for hold in &task.model.holds {
        if state.owner[hold.element as usize] != FREE {
            continue;
        }
        stand_still_where_held(task, state, hold);
    }
    let end = task.end();
    for (a, old) in start.bodies.iter().enumerate() {
        let n = task.model.elements.len();
        let (dv, dw) = (du.get(n + 2 * a), du.get(n + 2 * a + 1));
        let body = &mut state.aggregates[a];
        body.position = old.position + body.velocity * scheme.h;
        body.velocity = old.velocity + dv;
        body.orientation = start.end_orientation(a, scheme, dw);
        body.angular_momentum = old.angular_momentum + start.inertia[a] * dw;
        w.supports[a].settle(task.model, body, old, end, scheme.h);
    }
    w.moment = None;
}

/// A held element is where its fix has it, and moves as it does on average.
fn stand_still_where_held(task: &Task, state: &mut State, hold: &Hold) {
    let e = hold.element as usize;
    let place = crate::step::support::target(task.model, hold, task.end());
    let mean = (place - task.start.position.get(e)) / task.scheme.h;
    let (mut x, mut v) = (state.position.get(e), state.velocity.get(e));
    for axis in (0..3).filter(|&k| hold.axes[k]) {
        x[axis] = place[axis];
        v[axis] = mean[axis];
    }
    state.position.set(e, x);
    state.velocity.set(e, v);
}

/// What fixes did: what held elements and aggregates have gained beyond what they received. Returns what the held ones of
/// each group received.
fn book_reactions(
    task: &Task,
    state: &State,
    w: &mut Workspace,
    (places, centres): (&[DVec3], &[DVec3]),
    solved: &Solved,
    flow: &mut Flow,
) -> Vec<Impulse> {
    let (model, h) = (task.model, task.scheme.h);
    let mut held = vec![Impulse::default(); task.groups.count];
    w.reaction.reset(if model.holds.is_empty() { 0 } else { model.elements.len() });
    if solved.impulses.left.is_empty() {
        return held;
    }
    let is_free = |(hold, _): &(&Hold, &DVec3)| state.owner[hold.element as usize] == FREE;
    for (hold, place) in model.holds.iter().zip(places).filter(is_free) {
        let (e, m) = (hold.element as usize, model.elements.mass[hold.element as usize]);
        let mut got = Impulse::default();
        got.add_at(*place, received(task, solved, e));
        let (x0, v0) = (task.start.position.get(e), task.start.velocity.get(e));
        let (x, v) = (state.position.get(e), state.velocity.get(e));
        let reaction =
            Impulse { linear: (v - v0) * m - got.linear, angular: (x.cross(v) - x0.cross(v0)) * m - got.angular };
        held[task.groups.of[e] as usize].add(&got);
        book(flow, &reaction, reaction.linear.dot((x - x0) / h));
        w.reaction.set(e, reaction.linear / h);
    }
    for (a, body) in state.aggregates.iter().enumerate() {
        if matches!(w.supports[a], Support::None) {
            continue;
        }
        let slot = model.elements.len() + 2 * a;
        let mut got = Impulse::default();
        got.add_at(centres[a], received(task, solved, slot));
        got.angular += received(task, solved, slot + 1);
        let (p0, l0) = task.start.bodies[a].momenta();
        let (p, l) = body.momenta();
        let reaction = Impulse { linear: p - p0 - got.linear, angular: l - l0 - got.angular };
        held[task.groups.of_body(state, a)].add(&got);
        let work = if w.supports[a].moves() { support_work(task, body, a, solved) } else { 0.0 };
        book(flow, &reaction, work);
        share_reaction(model, body, reaction.linear / h, &mut w.reaction);
    }
    held
}

/// Work of a moving support: what the aggregate's kinetic energy has gained beyond the work of what it received.
fn support_work(task: &Task, body: &Aggregate, a: usize, solved: &Solved) -> f64 {
    let slot = task.model.elements.len() + 2 * a;
    let old = &task.start.bodies[a];
    let (v, s) = ((old.velocity + body.velocity) * 0.5, (old.spin() + body.spin()) * 0.5);
    let (push, couple) = (received(task, solved, slot), received(task, solved, slot + 1));
    body.kinetic_energy() - old.kinetic_energy() - push.dot(v) - couple.dot(s)
}

fn book(flow: &mut Flow, reaction: &Impulse, work: f64) {
    flow.impulse += reaction.linear;
    flow.angular_impulse += reaction.angular;
    flow.support_work += work;
    flow.turnover += work.abs();
}

fn share_reaction(model: &Model, body: &Aggregate, force: DVec3, reaction: &mut Vectors) {
    let is_held = |e: &&u32| model.holds.binary_search_by_key(*e, |h| h.element).is_ok();
    let held: Vec<u32> = body.elements.iter().filter(is_held).copied().collect();
    for &e in &held {
        reaction.set(e as usize, force / held.len() as f64);
    }
}
