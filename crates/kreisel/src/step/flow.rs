//! From one time to another in equal steps: forces, kick, drift, with fracture and switches in between.

use crate::contact::connections::remember;
use crate::model::mapping::carry_velocities;
use crate::model::setup::Integrator;
use crate::model::{Aggregate, Event, Model, State, Touched};
use crate::step::clock::Stage;
use crate::step::drift::drift;
use crate::step::encounters;
use crate::step::evaluate::{Evaluated, evaluate};
use crate::step::fracture::break_overstretched;
use crate::step::kick::{Kicked, kick};
use crate::step::report::StepError;
use crate::step::rigid_fracture::{breaking, release};
use crate::step::support::Support;
use crate::step::switching::{overloaded, soften};
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// How many times the size of the scene an element may move in a step of forward Euler.
const LARGEST_STRIDE: f64 = 100.0;

/// What has flowed in and out of the energy since the frame began, and the size of every change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flow {
    /// Work of dampers and drag [J].
    pub damping_work: f64,
    /// Work of contact dampers [J].
    pub contact_work: f64,
    /// Work of friction [J].
    pub friction_work: f64,
    /// Work of loads [J].
    pub load_work: f64,
    /// Work of supports [J].
    pub support_work: f64,
    /// Energy of broken connections [J].
    pub fracture: f64,
    /// Energy taken out by conversions [J].
    pub conversion: f64,
    /// Sum of the magnitudes of all changes [J].
    pub turnover: f64,
    /// Impulse from outside [kg m/s].
    pub impulse: DVec3,
    /// Angular impulse from outside [kg m²/s].
    pub angular_impulse: DVec3,
    /// By how many times a step was too long for what linkages did in it [1].
    pub strayed: f64,
    /// By how much joints stayed open at most [m].
    pub open: f64,
    /// Energies at the last evaluation [J], to see how they change.
    pub last: Option<(f64, f64)>,
}

impl Flow {
    /// What has been received and not lost again [J].
    pub fn received(&self) -> f64 {
        let lost = self.fracture + self.conversion;
        self.load_work + self.support_work + self.damping_work + self.friction_work + self.contact_work - lost
    }
}

/// One step from time `t` to `t + h`. False if the step was not made, because an aggregate had to become soft first: what
/// is soft may need a smaller step.
pub fn substep(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    h: f64,
    flow: &mut Flow,
    events: &mut Vec<Event>,
) -> Result<bool, StepError> {
    let t = state.time;
    let before = match model.integrator {
        Integrator::VelocityVerlet => 0.5 * h,
        _ => 0.0,
    };
    if before > 0.0 {
        moved(model, state, w, t + before, before, flow);
    }
    w.clock.lap(Stage::Advance);
    let Some(found) = settled_forces(model, state, w, (t, before, h), flow, events) else { return Ok(false) };
    w.clock.lap(Stage::Rewire);
    let forward = model.integrator == Integrator::ForwardEuler;
    let old_velocity = forward.then(|| (state.velocity.clone(), state.aggregates.clone()));
    let kicked = kick(model, state, w, t, h);
    book(model, state, w, &found, &kicked, h, flow);
    check_finite(model, state, &kicked, t)?;
    w.clock.lap(Stage::FreeMotion);
    let after = h - before;
    match old_velocity {
        None => {
            remember(model, state, &w.contacts, after);
            moved(model, state, w, t + h, after, flow);
        }
        Some(old) => {
            check_reach(model, state, t, h)?;
            drift_with(model, state, w, old, t + h, h);
        }
    }
    w.clock.lap(Stage::Advance);
    encounters::note(model, state, w, events);
    w.clock.lap(Stage::Report);
    state.steps += 1;
    Ok(true)
}

/// Forward Euler moves with the velocities of before the kick.
fn drift_with(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    old: (crate::linear::Vectors, Vec<Aggregate>),
    t: f64,
    h: f64,
) {
    let new = (std::mem::replace(&mut state.velocity, old.0), std::mem::replace(&mut state.aggregates, old.1));
    remember(model, state, &w.contacts, h);
    drift(model, state, w, t, h);
    state.velocity = new.0;
    let State { aggregates, velocity, .. } = state;
    for (k, (a, kicked)) in aggregates.iter_mut().zip(new.1).enumerate() {
        a.velocity = kicked.velocity;
        a.angular_momentum = kicked.angular_momentum;
        carry_velocities(a, &w.ports[k], velocity);
    }
}

/// Forces at the pose of the moment, a time `drifted` after `t`, once fracture has had its say. `None` if an aggregate would
/// deform in the step: everything is back at time `t`, and the aggregate is soft.
fn settled_forces(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    (t, drifted, h): (f64, f64, f64),
    flow: &mut Flow,
    events: &mut Vec<Event>,
) -> Option<Evaluated> {
    loop {
        let found = evaluate(model, state, w, t + drifted, drifted, h);
        if found.overstretched
            && let Some(energy) = break_overstretched(model, state, w, events)
        {
            flow.fracture += energy;
            flow.turnover += energy;
            continue;
        }
        let overloaded = overloaded(model, state, w, h);
        let breaking = breaking(model, state, w);
        if overloaded.is_empty() && breaking.is_empty() {
            return Some(found);
        }
        if drifted > 0.0 {
            moved(model, state, w, t, -drifted, flow);
        }
        soften(model, state, &overloaded, events);
        release(model, state, w, &breaking, flow, events);
        w.refresh(model, state);
        return None;
    }
}

/// A body that moves against a support at rest, as it may at the start or after a switch, is stopped by it before
/// anything else: the step must be chosen for the spin that it has then.
pub fn meet_supports(state: &mut State, w: &Workspace, flow: &mut Flow) {
    let State { aggregates, velocity, .. } = state;
    for (a, support) in aggregates.iter_mut().zip(&w.supports) {
        if matches!(support, Support::None) || support.moves() {
            continue;
        }
        let (p, l, kinetic) = a.motion();
        support.meet(a);
        let members: Vec<u32> = (0..a.elements.len() as u32).collect();
        carry_velocities(a, &members, velocity);
        let (p1, l1, kinetic1) = a.motion();
        flow.impulse += p1 - p;
        flow.angular_impulse += l1 - l;
        flow.support_work += kinetic1 - kinetic;
        flow.turnover += (kinetic1 - kinetic).abs();
    }
}

/// Drifts, and books what the supports of held aggregates do meanwhile.
pub(super) fn moved(model: &Model, state: &mut State, w: &mut Workspace, t: f64, h: f64, flow: &mut Flow) {
    let held: Vec<usize> = (0..state.aggregates.len()).filter(|&a| !matches!(w.supports[a], Support::None)).collect();
    let before: Vec<_> = held.iter().map(|&a| state.aggregates[a].motion()).collect();
    drift(model, state, w, t, h);
    for (&a, (p, l, kinetic)) in held.iter().zip(before) {
        let (p1, l1, kinetic1) = state.aggregates[a].motion();
        flow.impulse += p1 - p;
        flow.angular_impulse += l1 - l;
        // A support that does not move does no work: what a drift changes there is the numerics'.
        if w.supports[a].moves() {
            flow.support_work += kinetic1 - kinetic;
            flow.turnover += (kinetic1 - kinetic).abs();
        }
    }
}

impl Aggregate {
    /// Both momenta and the kinetic energy.
    pub(super) fn motion(&self) -> (DVec3, DVec3, f64) {
        let (p, l) = self.momenta();
        (p, l, self.kinetic_energy())
    }
}

/// Books the works of a kick.
pub(super) fn book(
    model: &Model,
    state: &State,
    w: &Workspace,
    found: &Evaluated,
    kicked: &Kicked,
    h: f64,
    flow: &mut Flow,
) {
    let (mut friction, mut contact) = (0.0, 0.0);
    for c in &w.contacts {
        let mean = (c.velocity + c.relative_velocity(model, state, &state.velocity)) * (0.5 * h);
        friction += c.friction.dot(mean);
        contact += c.damping_force * c.normal.dot(mean);
        if let Touched::Obstacle(_) = c.contact.other {
            let impulse = c.force() * h;
            flow.impulse += impulse;
            flow.angular_impulse += c.point.cross(impulse);
        }
    }
    flow.friction_work += friction;
    flow.contact_work += contact - found.torn;
    flow.damping_work += kicked.damping_work;
    flow.load_work += kicked.load_work;
    flow.support_work += kicked.support_work;
    flow.impulse += kicked.impulse;
    flow.angular_impulse += kicked.angular_impulse;
    let works = [friction, contact - found.torn, kicked.damping_work, kicked.load_work, kicked.support_work];
    flow.turnover += works.iter().map(|a| a.abs()).sum::<f64>();
    if let Some((elastic, kinetic)) = flow.last {
        flow.turnover += (found.elastic - elastic).abs() + (kicked.kinetic - kinetic).abs();
    }
    flow.last = Some((found.elastic, kicked.kinetic));
}

/// Forward Euler may be asked for steps beyond stability. What then leaves the scene far behind in one step has diverged: to
/// wait for numbers that are not finite would mean to look for contacts among elements strewn over light years.
fn check_reach(model: &Model, state: &State, t: f64, h: f64) -> Result<(), StepError> {
    let rest = &model.elements.rest;
    let none = (DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY));
    let (low, high) = (0..rest.len()).fold(none, |(low, high), i| (low.min(rest.get(i)), high.max(rest.get(i))));
    let reach = LARGEST_STRIDE * (high - low).length().max(model.elements.radius.iter().copied().fold(0.0, f64::max));
    let strays = |i: &usize| state.velocity.get(*i).length() * h > reach;
    let Some(i) = (0..rest.len()).find(strays) else { return Ok(()) };
    let (element, body) = (Some(i as u32), model.body_name(i as u32).to_string());
    let cause =
        "it would move a hundred times the size of the scene in one step: the step is too large for the stiffness";
    Err(StepError { time: t, element, body, cause: cause.into() })
}

/// A kinetic energy that is not finite betrays the first number that is not.
pub(super) fn check_finite(model: &Model, state: &State, kicked: &Kicked, t: f64) -> Result<(), StepError> {
    if kicked.kinetic.is_finite() {
        return Ok(());
    }
    let culprit = state.velocity.first_not_finite().or_else(|| {
        let wild = |a: &&Aggregate| !a.kinetic_energy().is_finite();
        state.aggregates.iter().find(wild).map(|a| a.elements[0] as usize)
    });
    let fastest = || {
        let speed = |i: &usize| state.velocity.get(*i).length();
        (0..state.velocity.len()).max_by(|a, b| speed(a).total_cmp(&speed(b)))
    };
    let element = culprit.or_else(fastest).map(|i| i as u32);
    let body =
        element.map_or_else(String::new, |e| model.bodies[model.elements.body[e as usize].0 as usize].name.clone());
    let cause = "its velocity is no longer finite: the step is too large for the stiffness, or a load is too strong";
    Err(StepError { time: t, element, body, cause: cause.into() })
}
