//! Momentum that numerics took is given back, group by group.
//!
//! Backward Euler brakes spin: `Σ x⁺ × m v⁺ − Σ x × m v = h Σ v⁺ × m v`, half of it in a second at 10 rad/s and `h = 1/60 s`;
//! and a linear solver leaves a little of every force unbalanced. After the step each group is given the rigid motion
//! `dV + dω × (x − c)` that makes its momenta what the impulses on it say. The centre of mass moves by itself: its own
//! orbital momentum changes by `C̃ × J` with `C̃ = C⁺ − h V` (`C` halfway for the midpoint rule), and what is turned is the
//! momentum about it, by arms from the centre where forces were taken; arms of impulses between groups are from `C̃`, so
//! that what one loses the other gains. Under the law `constraint` impulses between groups are told by where they act before the
//! step (`imparted`), and `C̃ = C`: with `C⁺ = C + h V⁺` the orbit changes by `C × J`, too. Groups that a fix or a joint holds to the world are left alone: the world takes what is
//! left.

use crate::linear::Vectors;
use crate::linear::eigen::{inertia_of_point, pseudo_inverse};
use crate::model::setup::Law;
use crate::model::{Aggregate, FREE, Model, State};
use crate::step::flow::Flow;
use crate::step::implicit::impulses::Impulse;
use crate::step::implicit::newton::Task;
use crate::step::support::Support;
use crate::step::workspace::Workspace;
use glamx::{DMat3, DVec3};

/// Impulses on the groups over a step.
pub struct Balance {
    /// Of weight, drag, loads and the fixed world.
    pub world: Vec<Impulse>,
    /// Of other groups.
    pub pairs: Vec<Impulse>,
    /// What the held parts of each group received.
    pub held: Vec<Impulse>,
    /// Centre of mass of what moves freely in each group, where forces were taken [m].
    pub middle: Vec<DVec3>,
}

/// Mass, centre and momenta of what moves freely in a group.
#[derive(Clone, Copy)]
struct Body {
    mass: f64,
    centre: DVec3,
    momentum: DVec3,
    /// Angular momentum about the origin.
    angular: DVec3,
    /// Inertia about the origin.
    inertia: DMat3,
}

impl Balance {
    /// Centres of mass of what moves freely in each group at the state's pose.
    pub fn middle(task: &Task, state: &State, w: &Workspace) -> Vec<DVec3> {
        let mut sums = vec![(0.0, DVec3::ZERO); task.groups.count];
        let mut add = |group: usize, mass: f64, place: DVec3| {
            sums[group].0 += mass;
            sums[group].1 += place * mass;
        };
        for e in unheld(task.model, state) {
            add(task.groups.of[e] as usize, task.model.elements.mass[e], state.position.get(e));
        }
        for (a, body) in state.aggregates.iter().enumerate().filter(|(a, _)| matches!(w.supports[*a], Support::None)) {
            add(task.groups.of_body(state, a), body.mass, body.position);
        }
        sums.into_iter().map(|(mass, sum)| if mass > 0.0 { sum / mass } else { sum }).collect()
    }
}

/// Elements that move by themselves and that no fix holds in any direction.
fn unheld(model: &Model, state: &State) -> impl Iterator<Item = usize> + use<> {
    let mut free: Vec<bool> = state.owner.iter().map(|&o| o == FREE).collect();
    model.holds.iter().for_each(|h| free[h.element as usize] = false);
    free.into_iter().enumerate().filter_map(|(e, free)| free.then_some(e))
}

/// Where everything is and how it moves, before the step or after it.
#[derive(Clone, Copy)]
struct Moment<'a> {
    position: &'a Vectors,
    velocity: &'a Vectors,
    aggregates: &'a [Aggregate],
}

impl<'a> Moment<'a> {
    fn of(state: &'a State) -> Self {
        Self { position: &state.position, velocity: &state.velocity, aggregates: &state.aggregates }
    }
}

fn measure(task: &Task, state: &State, at: Moment, w: &Workspace) -> Vec<Body> {
    let model = task.model;
    let (zero, nothing) = (DVec3::ZERO, DMat3::ZERO);
    let none = Body { mass: 0.0, centre: zero, momentum: zero, angular: zero, inertia: nothing };
    let mut bodies = vec![none; task.groups.count];
    for e in unheld(model, state) {
        let (m, x, v) = (model.elements.mass[e], at.position.get(e), at.velocity.get(e));
        let body = &mut bodies[task.groups.of[e] as usize];
        body.mass += m;
        body.centre += x * m;
        body.momentum += v * m;
        body.angular += x.cross(v) * m;
        body.inertia += inertia_of_point(x) * m;
    }
    for (a, aggregate) in at.aggregates.iter().enumerate() {
        if !matches!(w.supports[a], Support::None) {
            continue;
        }
        let (p, l) = aggregate.momenta();
        let body = &mut bodies[task.groups.of_body(state, a)];
        body.mass += aggregate.mass;
        body.centre += aggregate.position * aggregate.mass;
        body.momentum += p;
        body.angular += l;
        body.inertia += inertia_of_point(aggregate.position) * aggregate.mass + aggregate.world_inertia();
    }
    for body in bodies.iter_mut().filter(|b| b.mass > 0.0) {
        body.centre /= body.mass;
    }
    bodies
}

/// True for groups that a fix or a joint holds to the world.
fn held(task: &Task) -> Vec<bool> {
    let mut is_held = task.groups.anchored.clone();
    task.model.holds.iter().for_each(|h| is_held[task.groups.of[h.element as usize] as usize] = true);
    is_held
}

/// Mass and velocity of each group at the state's pose; what the world holds is as heavy as that [kg, m/s].
pub fn masses_and_velocities(task: &Task, state: &State, w: &Workspace) -> Vec<(f64, DVec3)> {
    let one = |(body, held): (Body, bool)| {
        let velocity = if body.mass > 0.0 { body.momentum / body.mass } else { DVec3::ZERO };
        (if held || body.mass == 0.0 { f64::INFINITY } else { body.mass }, velocity)
    };
    measure(task, state, Moment::of(state), w).into_iter().zip(held(task)).map(one).collect()
}

/// Puts the momenta of all groups right, if the model wants it, and books what the world did to them.
pub fn repair(task: &Task, state: &mut State, w: &Workspace, balance: &Balance, flow: &mut Flow) {
    let before = before(task, state, w);
    let after = measure(task, state, Moment::of(state), w);
    let mut corrections = vec![(DVec3::ZERO, DVec3::ZERO); task.groups.count];
    let is_held = held(task);
    for g in 0..task.groups.count {
        let (world, pairs, held) = (&balance.world[g], &balance.pairs[g], &balance.held[g]);
        let (old, new) = (&before[g], &after[g]);
        flow.impulse += world.linear;
        flow.angular_impulse += world.angular;
        if is_held[g] || new.mass == 0.0 {
            // The world took what the solver left: nobody else can tell what it did.
            flow.impulse += new.momentum - old.momentum + held.linear - world.linear - pairs.linear;
            flow.angular_impulse += new.angular - old.angular + held.angular - world.angular - pairs.angular;
            continue;
        }
        let (was, middle) = (old.momentum / old.mass, balance.middle[g]);
        let received = world.linear + pairs.linear - held.linear;
        let momentum = old.momentum + received;
        // Where the centre will be once it has moved with its final velocity.
        let shift = (momentum - new.momentum) * (task.scheme.h * task.scheme.share / new.mass);
        let end = if task.model.implicit.keep_momentum { new.centre + shift } else { new.centre };
        let reference = match task.model.law {
            Law::Constraint => old.centre,
            _ if task.scheme.is_midpoint() => (old.centre + end) * 0.5,
            _ => end - was * task.scheme.h,
        };
        flow.angular_impulse += (reference - middle).cross(world.linear - held.linear);
        let turned = (world.angular - held.angular) - middle.cross(world.linear - held.linear) + pairs.angular
            - reference.cross(pairs.linear);
        let spin = old.angular - old.centre.cross(old.momentum) + turned;
        corrections[g] = correction(new, momentum, spin);
    }
    if task.model.implicit.keep_momentum {
        apply(task, state, w, &after, &corrections);
    }
}

/// What moved freely before the step.
fn before(task: &Task, state: &State, w: &Workspace) -> Vec<Body> {
    let start = task.start;
    measure(task, state, Moment { position: &start.position, velocity: &start.velocity, aggregates: &start.bodies }, w)
}

/// The rigid motion `(dV, dω)` about the centre that gives a body a momentum, and an angular momentum about its centre.
fn correction(body: &Body, momentum: DVec3, spin: DVec3) -> (DVec3, DVec3) {
    let inertia = body.inertia - inertia_of_point(body.centre) * body.mass;
    let missing = spin - (body.angular - body.centre.cross(body.momentum));
    ((momentum - body.momentum) / body.mass, pseudo_inverse(inertia) * missing)
}

/// Adds the motions; the centres of mass have moved with the velocities that they have now.
fn apply(task: &Task, state: &mut State, w: &Workspace, bodies: &[Body], corrections: &[(DVec3, DVec3)]) {
    let moved = task.scheme.h * task.scheme.share;
    for e in unheld(task.model, state) {
        let g = task.groups.of[e] as usize;
        let (dv, dw) = corrections[g];
        state.velocity.add(e, dv + dw.cross(state.position.get(e) - bodies[g].centre));
        state.position.add(e, dv * moved);
    }
    for a in 0..state.aggregates.len() {
        if !matches!(w.supports[a], Support::None) {
            continue;
        }
        let g = task.groups.of_body(state, a);
        let (dv, dw) = corrections[g];
        let body = &mut state.aggregates[a];
        body.velocity += dv + dw.cross(body.position - bodies[g].centre);
        body.position += dv * moved;
        let r = DMat3::from_quat(body.orientation);
        body.angular_momentum += r * (DMat3::from_diagonal(body.inertia) * (r.transpose() * dw));
    }
}
