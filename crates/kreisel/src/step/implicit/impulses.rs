//! The impulses of a solved step: from the world, between groups, and on what is held.

use crate::contact::rows::relative_velocity;
use crate::force::grab;
use crate::linear::Vectors;
use crate::model::{FREE, Model, State};
use crate::step::implicit::groups::Groups;
use crate::step::implicit::residual::Forces;
use crate::step::implicit::scheme::Scheme;
use crate::step::implicit::system::System;
use crate::step::workspace::Workspace;
use glamx::DVec3;
use std::borrow::Cow;

/// An impulse [kg m/s] and its moment about the origin [kg m²/s].
#[derive(Clone, Copy, Debug, Default)]
pub struct Impulse {
    /// The impulse.
    pub linear: DVec3,
    /// The moment.
    pub angular: DVec3,
}

impl Impulse {
    /// Adds an impulse at a point.
    pub fn add_at(&mut self, x: DVec3, impulse: DVec3) {
        self.linear += impulse;
        self.angular += x.cross(impulse);
    }

    /// Adds another one.
    pub fn add(&mut self, other: &Self) {
        self.linear += other.linear;
        self.angular += other.angular;
    }
}

/// Impulses on each group, but for weight and drag; those of the law `constraint` are added where a step is solved.
#[derive(Clone, Debug, Default)]
pub struct Impulses {
    /// Of loads, grabs and the fixed world.
    pub world: Vec<Impulse>,
    /// Of other groups.
    pub pairs: Vec<Impulse>,
    /// What is left of the equation of every slot, `M Δu − h f`; empty if nothing is held.
    pub left: Vectors,
}

/// The impulses of forces at the pose where the state is; and, for a step that is only linearised, of their change to first
/// order over the given step from there.
pub fn impulses(
    model: &Model,
    (state, w): (&State, &Workspace),
    groups: &Groups,
    (forces, scheme): (&Forces, &Scheme),
    change: Option<(&System, &Vectors)>,
) -> Impulses {
    let none = || vec![Impulse::default(); groups.count];
    let mut found = Impulses { world: none(), pairs: none(), left: Vectors::default() };
    let points = change.map(|(system, p)| mapped_up(system, p));
    if !w.load.is_empty() {
        for e in 0..model.elements.len() {
            found.world[groups.of[e] as usize].add_at(state.position.get(e), w.load.get(e) * scheme.h);
        }
    }
    if let (Some((system, _)), Some(points), false) = (change, &points, w.load.is_empty()) {
        for (grabbed, k) in &system.grabs {
            let push = grab::at_point(grabbed, points) * -k;
            for (e, weight) in grabbed.carried_by.iter().map(|&(e, weight)| (e as usize, weight)) {
                found.world[groups.of[e] as usize].add_at(state.position.get(e), push * weight);
            }
        }
        let change = system.change_of_pressures(points);
        for e in 0..change.len() {
            found.world[groups.of[e] as usize].add_at(state.position.get(e), change.get(e));
        }
    }
    let touched = forces.contact_pose.as_ref().unwrap_or(&state.position);
    for c in &forces.contacts {
        let changed = points.as_ref().map_or(DVec3::ZERO, |p| c.matrix * relative_velocity(&c.row, p));
        let impulse = c.force * scheme.h - changed;
        let to = if c.outside { &mut found.world } else { &mut found.pairs };
        for (slot, block) in &c.row {
            let (slot, part) = (*slot as usize, block.transpose() * impulse);
            if slot < groups.of.len() {
                to[groups.of[slot] as usize].add_at(touched.get(slot), part);
            } else {
                let a = (slot - groups.of.len()) / 2;
                to[groups.of_body(state, a)].angular += part;
            }
        }
    }
    if !model.holds.is_empty() {
        found.left = left(forces, change);
    }
    found
}

/// Velocities of points from those of what carries them.
fn mapped_up<'a>(system: &System, p: &'a Vectors) -> Cow<'a, Vectors> {
    let mut points = Cow::Borrowed(p);
    if !system.slots.riders.is_empty() {
        system.slots.map_up(points.to_mut());
    }
    points
}

/// What is left of the equation, after a linearised step.
fn left(forces: &Forces, change: Option<(&System, &Vectors)>) -> Vectors {
    let Some((system, p)) = change else { return forces.residual.clone() };
    let mut left = Vectors::default();
    system.product(p, &mut left);
    left.axpy(1.0, &forces.residual);
    left
}

/// Weight and drag on a group at a pose, whose velocities are those of the state.
pub fn add_weight_and_drag(model: &Model, state: &State, groups: &Groups, h: f64, to: &mut [Impulse]) {
    for e in (0..model.elements.len()).filter(|&e| state.owner[e] == FREE) {
        let push = (model.gravity - state.velocity.get(e) * model.drag) * (model.elements.mass[e] * h);
        to[groups.of[e] as usize].add_at(state.position.get(e), push);
    }
    for (a, body) in state.aggregates.iter().enumerate() {
        let push = (model.gravity - body.velocity * model.drag) * (body.mass * h);
        let group = &mut to[groups.of_body(state, a)];
        group.add_at(body.position, push);
        group.angular -= body.angular_momentum * (model.drag * h);
    }
}
