//! The right side: all forces at a pose, and what is left of the equation of the step, `g = M Δu − h f`.

use crate::contact::implicit::{self, Frozen};
use crate::contact::rows::{Row, spread};
use crate::force::drag;
use crate::linear::Vectors;
use crate::model::{FREE, Model, State, Touched};
use crate::step::evaluate::{Evaluated, evaluate_apart, find_contacts_by, sight};
use crate::step::implicit::pose::Start;
use crate::step::implicit::scheme::Scheme;
use crate::step::implicit::slots::Slots;
use crate::step::workspace::Workspace;
use glamx::{DMat3, DVec3};

/// A contact as the solver sees it.
#[derive(Clone, Debug)]
pub struct Touching {
    /// Blocks of its relative velocity.
    pub row: Row,
    /// Its force [N].
    pub force: DVec3,
    /// `hτγ K + hγ B` of the contact [kg].
    pub matrix: DMat3,
    /// The same without what is not symmetric or not positive [kg].
    pub symmetric: DMat3,
    /// The other side is the fixed world.
    pub outside: bool,
}

/// Forces at a pose.
#[derive(Clone, Debug, Default)]
pub struct Forces {
    /// Who rides on whom.
    pub slots: Slots,
    /// What an evaluation finds out by the way.
    pub found: Evaluated,
    /// Forces on elements and couples on aggregates, before they are mapped down [N].
    pub at_points: Vectors,
    /// What is left, `M Δu − h f` [kg m/s].
    pub residual: Vectors,
    /// The right side of the next system, `−C` of what is left [kg m/s].
    pub right: Vectors,
    /// Contacts.
    pub contacts: Vec<Touching>,
    /// Positions where their rows were worked out, if those are not the pose's [m].
    pub contact_pose: Option<Vectors>,
}

/// An impulse of the law `constraint`.
#[derive(Clone, Debug)]
pub struct Push {
    /// Blocks of the velocities of its contact or joint, in the axes of that, as they were when the step began.
    pub row: Row,
    /// The impulse in the same axes [N s].
    pub impulse: DVec3,
}

/// Moves the state to the pose of `du` and works out the forces there, at time `t`, among them those of given impulses;
/// contacts may be frozen.
pub fn evaluate(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    (start, scheme, t): (&Start, &Scheme, f64),
    (du, pushes): (&Vectors, &[Push]),
    frozen: Option<&Frozen>,
) -> Forces {
    let layout = Slots { elements: model.elements.len(), bodies: start.bodies.len(), riders: Vec::new() };
    start.place(state, &layout, scheme, du);
    let mut found = evaluate_apart(model, state, w, t);
    damp_on_the_way(model, state, w, (start, scheme));
    match frozen {
        None => found.torn = find_contacts_by(implicit::evaluate, model, state, w, scheme.reach, scheme.h),
        Some(frozen) => {
            let mut contacts = std::mem::take(&mut w.contacts);
            frozen.evaluate(&sight(model, state, w, scheme.reach, scheme.h), &velocities(state), &mut contacts);
            w.contacts = contacts;
        }
    }
    let slots = Slots::new(state, w);
    let contacts = touching(model, state, w, scheme, frozen, &mut found);
    let mut force = Vectors::zeros(slots.len());
    for field in [&w.force, &w.damping, &w.load].into_iter().filter(|f| !f.is_empty()) {
        add_prefix(&mut force, field);
    }
    contacts.iter().for_each(|c| spread(&c.row, c.force, &mut force));
    pushes.iter().for_each(|p| spread(&p.row, p.impulse / scheme.h, &mut force));
    let at_points = if slots.bodies == 0 { Vectors::default() } else { force.clone() };
    slots.map_down(&mut force);
    add_weight_and_drag(model, (start, scheme), &slots, du, &mut force);
    let mut residual = force;
    inertia_minus(model, state, start, &slots, scheme.h, du, &mut residual);
    let contact_pose = frozen.map(|f| f.pose.clone());
    Forces { slots, found, at_points, residual, right: Vectors::default(), contacts, contact_pose }
}

/// Dampers of backward Euler look along connections halfway between start and end: `n̄·(r⁺ − r) = (|r⁺|² − |r|²)/2|r̄|` is a
/// change of length, and a body that only turns is not damped. (Seen from the end, points on circles come from outside.)
fn damp_on_the_way(model: &Model, state: &State, w: &mut Workspace, (start, scheme): (&Start, &Scheme)) {
    let Some(springs) = w.springs.as_ref().filter(|s| s.is_damped() && !scheme.is_midpoint()) else { return };
    let mut middle = start.position.clone();
    middle.axpy(0.5 * scheme.reach, &state.velocity);
    let mut elastic = Vectors::zeros(middle.len());
    w.damping.reset(middle.len());
    springs.add_forces(&middle, &state.velocity, &mut elastic, &mut w.damping);
    if model.drag > 0.0 {
        drag::add_force(model.drag, &w.free_mass, &state.velocity, &mut w.damping);
    }
}

/// `a += b` for the elements of the shorter field `b`.
fn add_prefix(a: &mut Vectors, b: &Vectors) {
    for (a, b) in [(&mut a.x, &b.x), (&mut a.y, &b.y), (&mut a.z, &b.z)] {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
    }
}

/// Keeps the contacts of the pose where the state is.
pub fn freeze(model: &Model, state: &State, w: &Workspace, scheme: &Scheme) -> Frozen {
    Frozen::new(&sight(model, state, w, scheme.reach, scheme.h), w.search.close_candidates())
}

/// Velocities of elements, then velocity and spin of each aggregate.
pub fn velocities(state: &State) -> Vectors {
    let mut v = state.velocity.clone();
    for a in &state.aggregates {
        v.push(a.velocity);
        v.push(a.spin());
    }
    v
}

fn touching(
    model: &Model,
    state: &State,
    w: &Workspace,
    scheme: &Scheme,
    frozen: Option<&Frozen>,
    found: &mut Evaluated,
) -> Vec<Touching> {
    let (x, v) = (scheme.of_stiffness(), scheme.of_damping());
    let mut contacts = Vec::with_capacity(w.contacts.len());
    for (k, c) in w.contacts.iter().enumerate() {
        found.elastic += c.energy();
        found.tangential += c.tangential_energy();
        let outside = matches!(c.contact.other, Touched::Obstacle(_));
        let row = frozen.map_or_else(|| c.row(model, state), |f| f.row(k).clone());
        let (matrix, symmetric) = (c.tangent(x, v), c.symmetric_tangent(x, v));
        contacts.push(Touching { row, force: c.force(), matrix, symmetric, outside });
    }
    contacts
}

/// Weight and drag of aggregates; those of free elements are among the element forces.
fn add_weight_and_drag(
    model: &Model,
    (start, scheme): (&Start, &Scheme),
    slots: &Slots,
    du: &Vectors,
    force: &mut Vectors,
) {
    for (a, body) in start.bodies.iter().enumerate() {
        let (v, w) = (slots.velocity(a), slots.spin(a));
        let velocity = body.velocity + du.get(v) * scheme.share;
        let angular_momentum = body.angular_momentum + start.inertia[a] * du.get(w) * scheme.share;
        force.add(v, (model.gravity - velocity * model.drag) * body.mass);
        force.add(w, angular_momentum * -model.drag);
    }
}

/// `f ← M Δu − h f`.
fn inertia_minus(
    model: &Model,
    state: &State,
    start: &Start,
    slots: &Slots,
    h: f64,
    du: &Vectors,
    force: &mut Vectors,
) {
    for e in 0..slots.elements {
        let free = state.owner[e] == FREE;
        let m = model.elements.mass[e];
        force.set(e, if free { du.get(e) * m - force.get(e) * h } else { DVec3::ZERO });
    }
    for (a, body) in start.bodies.iter().enumerate() {
        let (v, w) = (slots.velocity(a), slots.spin(a));
        force.set(v, du.get(v) * body.mass - force.get(v) * h);
        force.set(w, start.inertia[a] * du.get(w) - force.get(w) * h);
    }
}
