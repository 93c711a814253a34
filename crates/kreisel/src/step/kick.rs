//! Velocities change: `v⁺ = v + h M⁻¹ f`, then the filter of held elements. Works are exact: with `v̄ = ½(v + v⁺)` the kinetic
//! energy changes by `h f · v̄`.

use crate::linear::Vectors;
use crate::linear::chunks::{map_chunks, map_ranges};
use crate::model::mapping::{Wrench, gather, point_velocity};
use crate::model::{Aggregate, FREE, Model, State};
use crate::step::push::{Component, Pushes};
use crate::step::support::{Support, target};
use crate::step::workspace::Workspace;
use glamx::{DMat3, DVec3};

/// What a kick did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kicked {
    /// Kinetic energy after the kick [J].
    pub kinetic: f64,
    /// Work of dampers and drag on the elements, negative [J].
    pub damping_work: f64,
    /// Work of loads and grabs [J].
    pub load_work: f64,
    /// Work of fixes [J].
    pub support_work: f64,
    /// Impulse from gravity, drag, loads and fixes [kg m/s].
    pub impulse: DVec3,
    /// Their angular impulse about the origin [kg m²/s].
    pub angular_impulse: DVec3,
    /// Linear momentum after the kick [kg m/s].
    pub momentum: DVec3,
}

impl Kicked {
    fn add(&mut self, o: &Kicked) {
        self.kinetic += o.kinetic;
        self.damping_work += o.damping_work;
        self.load_work += o.load_work;
        self.support_work += o.support_work;
        self.impulse += o.impulse;
        self.angular_impulse += o.angular_impulse;
        self.momentum += o.momentum;
    }
}

/// Applies the forces in the workspace for the time `h` from time `t`.
pub fn kick(model: &Model, state: &mut State, w: &mut Workspace, t: f64, h: f64) -> Kicked {
    let mut sums = push_from_outside(model, state, w, h);
    sums.add(&kick_free(state, w, h));
    hold_free(model, state, w, t, h, &mut sums);
    for a in 0..state.aggregates.len() {
        if state.sleep.is_asleep(state.epoch, a) {
            continue;
        }
        sums.add(&kick_aggregate(model, state, w, a, t, h));
    }
    sums
}

/// Impulses of gravity, drag and loads on free elements. Those of gravity are `h g Σm` and `h (Σ m x) × g`.
fn push_from_outside(model: &Model, state: &State, w: &mut Workspace, h: f64) -> Kicked {
    let weight = if model.gravity == DVec3::ZERO { DVec3::ZERO } else { model.gravity * (w.total_free_mass * h) };
    let torque = w.free_moment(model, &state.position).cross(model.gravity) * h;
    let mut sums = Kicked { impulse: weight, angular_impulse: torque, ..Kicked::default() };
    if w.load.is_empty() && model.drag == 0.0 {
        return sums;
    }
    let (free_mass, load) = (&w.free_mass, &w.load);
    let parts = map_ranges(free_mass.len(), |range| {
        let mut sums = Kicked::default();
        for i in range.filter(|&i| free_mass[i] != 0.0) {
            let outside = (at(load, i) - state.velocity.get(i) * (model.drag * free_mass[i])) * h;
            sums.impulse += outside;
            sums.angular_impulse += state.position.get(i).cross(outside);
        }
        sums
    });
    parts.iter().for_each(|p| sums.add(p));
    sums
}

/// Free elements, all at once.
fn kick_free(state: &mut State, w: &Workspace, h: f64) -> Kicked {
    let v = &mut state.velocity;
    let (free_mass, force, damping, load) = (&w.free_mass, &w.force, &w.damping, &w.load);
    let parts = map_chunks([&mut v.x, &mut v.y, &mut v.z], |first, [x, y, z]| {
        let mass = &free_mass[first..];
        let kick = |force: &[f64], damping: &[f64], load: &[f64], v: &mut [f64]| {
            let part = |field| <[f64]>::get(field, first..).unwrap_or_default();
            Pushes { mass, force: part(force), damping: part(damping), load: part(load), h }.kick(v)
        };
        let sums = [
            kick(&force.x, &damping.x, &load.x, x),
            kick(&force.y, &damping.y, &load.y, y),
            kick(&force.z, &damping.z, &load.z, z),
        ];
        let all = |of: fn(&Component) -> f64| of(&sums[0]) + of(&sums[1]) + of(&sums[2]);
        Kicked {
            kinetic: 0.5 * all(|s| s.twice_kinetic),
            damping_work: 0.5 * h * all(|s| s.damping),
            load_work: 0.5 * h * all(|s| s.load),
            momentum: DVec3::from_array(sums.map(|s| s.momentum)),
            ..Kicked::default()
        }
    });
    let mut sums = Kicked::default();
    parts.iter().for_each(|p| sums.add(p));
    sums
}

/// The vector of element `i` in a field that is empty where it is zero.
fn at(field: &Vectors, i: usize) -> DVec3 {
    if field.is_empty() { DVec3::ZERO } else { field.get(i) }
}

/// Held free elements move as prescribed, over a step from `t` to `t + h`.
fn hold_free(model: &Model, state: &mut State, w: &mut Workspace, t: f64, h: f64, sums: &mut Kicked) {
    w.reaction.reset(if model.holds.is_empty() { 0 } else { model.elements.len() });
    for hold in &model.holds {
        let i = hold.element as usize;
        if state.owner[i] != FREE {
            continue;
        }
        let m = model.elements.mass[i];
        let wanted = (target(model, hold, t + h) - state.position.get(i)) / h;
        let free = state.velocity.get(i);
        let held = DVec3::from_array(std::array::from_fn(|a| if hold.axes[a] { wanted[a] } else { free[a] }));
        let (damping, load) = (at(&w.damping, i), at(&w.load, i));
        let total = w.force.get(i) + damping + load;
        let old = free - total * (h / m);
        let impulse = (held - free) * m;
        sums.damping_work += damping.dot(held - free) * (0.5 * h);
        sums.load_work += load.dot(held - free) * (0.5 * h);
        sums.support_work += impulse.dot(held + old) * 0.5;
        sums.kinetic += 0.5 * m * (held.length_squared() - free.length_squared());
        sums.momentum += impulse;
        sums.impulse += impulse;
        sums.angular_impulse += state.position.get(i).cross(impulse);
        w.reaction.set(i, impulse / h);
        state.velocity.set(i, held);
    }
}

/// One aggregate: its wrench, its support, and the velocities of the elements that forces reach.
fn kick_aggregate(model: &Model, state: &mut State, w: &mut Workspace, a: usize, t: f64, h: f64) -> Kicked {
    let State { aggregates, position, velocity, .. } = state;
    let body = &mut aggregates[a];
    let ports = &w.ports[a];
    let (outside, wrench) = wrenches(model, body, ports, position, w, a);
    let before = body.clone_motion();
    w.supports[a].kick(model, body, wrench, t, h);
    let mut sums = Kicked { kinetic: body.kinetic_energy(), momentum: body.velocity * body.mass, ..Default::default() };
    let spin = body.spin();
    let rotation = DMat3::from_quat(body.orientation);
    for &k in ports {
        let (e, r) = (body.elements[k as usize] as usize, rotation * body.local[k as usize]);
        let new = point_velocity(body.velocity, spin, r);
        let mean = (velocity.get(e) + new) * (0.5 * h);
        sums.damping_work += at(&w.damping, e).dot(mean);
        sums.load_work += at(&w.load, e).dot(mean);
        velocity.set(e, new);
    }
    // What is driven goes all the way with the velocity that it gets.
    let (v, s) = match w.immovable[a] {
        true => (body.velocity, spin),
        false => ((before.0 + body.velocity) * 0.5, (before.1 + spin) * 0.5),
    };
    let drag = (-before.0 * (model.drag * body.mass), -before.2 * model.drag);
    sums.damping_work += h * (drag.0.dot(v) + drag.1.dot(s));
    sums.impulse = outside.force * h;
    sums.angular_impulse = (body.position.cross(outside.force) + outside.torque) * h;
    if !matches!(w.supports[a], Support::None) {
        let push = (body.velocity - before.0) * body.mass - wrench.force * h;
        let twist = body.angular_momentum - before.2 - wrench.torque * h;
        sums.support_work = body.kinetic_energy() - before.3 - h * (wrench.force.dot(v) + wrench.torque.dot(s));
        sums.impulse += push;
        sums.angular_impulse += body.position.cross(push) + twist;
        note_reaction(model, body, push / h, &mut w.reaction);
    }
    sums
}

impl Aggregate {
    /// Velocity, spin, angular momentum and kinetic energy.
    fn clone_motion(&self) -> (DVec3, DVec3, DVec3, f64) {
        (self.velocity, self.spin(), self.angular_momentum, self.kinetic_energy())
    }
}

/// The wrench from outside the system (gravity, drag, loads), and the whole wrench.
fn wrenches(model: &Model, body: &Aggregate, ports: &[u32], x: &Vectors, w: &Workspace, a: usize) -> (Wrench, Wrench) {
    let mut outside = Wrench {
        force: (model.gravity - body.velocity * model.drag) * body.mass,
        torque: -body.angular_momentum * model.drag,
    };
    if !w.load.is_empty() {
        gather(body, ports, x, &w.load, &mut outside);
    }
    let mut whole = Wrench { force: outside.force, torque: outside.torque + w.couples[a] };
    gather(body, ports, x, &w.force, &mut whole);
    if !w.damping.is_empty() {
        gather(body, ports, x, &w.damping, &mut whole);
    }
    (outside, whole)
}

/// The reaction of a held aggregate is shared by its held elements.
pub(super) fn note_reaction(model: &Model, body: &Aggregate, force: DVec3, reaction: &mut Vectors) {
    let held: Vec<u32> = body.elements.iter().copied().filter(|e| is_held(model, *e)).collect();
    for &e in &held {
        reaction.add(e as usize, force / held.len() as f64);
    }
}

fn is_held(model: &Model, e: u32) -> bool {
    model.holds.binary_search_by_key(&e, |h| h.element).is_ok()
}
