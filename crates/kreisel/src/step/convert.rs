//! Changes of the rigid/soft partition: elements become one rigid body, or free again. P and L are kept exactly.
//!
//! Soft → rigid: `M = Σm`, `c = Σm x/M`, `v = Σm v_e/M`, `L = Σm r × v_e`, `ω = I⁺L`: the rigid velocity is the mass-orthogonal
//! projection of the elements' velocities, so the kinetic energy removed is `½Σm|v_e − v − ω×r|²`. Rigid → soft:
//! `v_e = v + ω × r`; connections keep their rest lengths, frozen strain comes back.

use crate::linear::eigen::{inertia_of_point, principal_frame};
use crate::model::mapping::carry;
use crate::model::{Aggregate, FREE, Model, Origin, State};
use crate::step::reseat;
use glamx::{DMat3, DQuat, DVec3};
use std::fmt;

/// A switch that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SwitchError {
    /// No elements were named.
    Nothing,
    /// An element does not exist.
    NoSuchElement(u32),
    /// The rigid body of this element has a given inertia, which its elements could not carry on.
    GivenInertia(u32),
}

impl fmt::Display for SwitchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => write!(f, "no elements to switch"),
            Self::NoSuchElement(e) => write!(f, "there is no element {e}"),
            Self::GivenInertia(e) => {
                write!(f, "element {e} belongs to a rigid body with a given inertia: it can only stay rigid")
            }
        }
    }
}

impl std::error::Error for SwitchError {}

/// The rigid body of a set of elements as they are and move; elements that spin as balls bring their spin.
pub fn gather_aggregate(model: &Model, state: &State, elements: &[u32], origin: Origin) -> Aggregate {
    let mass_of = |e: u32| model.elements.mass[e as usize];
    let (x, v) = (|e: u32| state.position.get(e as usize), |e: u32| state.velocity.get(e as usize));
    let mass: f64 = elements.iter().map(|&e| mass_of(e)).sum();
    let centre = exact_sum(elements.iter().map(|&e| x(e) * mass_of(e))) / mass;
    let velocity = exact_sum(elements.iter().map(|&e| v(e) * mass_of(e))) / mass;
    let arm = |e: u32| x(e) - centre;
    let mut inertia = elements.iter().fold(DMat3::ZERO, |i, &e| i + inertia_of_point(arm(e)) * mass_of(e));
    let turning = |e: u32| arm(e).cross(v(e) - velocity) * mass_of(e) + own_spin(state, e);
    let l = exact_sum(elements.iter().map(|&e| turning(e)));
    if let (Origin::Lone, [e]) = (origin, elements) {
        let r = model.elements.radius[*e as usize];
        inertia = DMat3::from_diagonal(DVec3::splat(0.4 * mass * r * r));
    }
    let (moments, orientation) = principal_frame(inertia);
    let local = elements.iter().map(|&e| orientation.inverse() * (x(e) - centre)).collect();
    Aggregate {
        elements: elements.to_vec(),
        local,
        mass,
        inertia: without_rounding(moments, mass, elements.iter().map(|&e| x(e).length()).fold(0.0, f64::max)),
        position: centre,
        orientation,
        velocity,
        angular_momentum: l,
        origin,
        given_inertia: false,
    }
}

/// A sum with its rounding errors carried along [Neu74]: a thousand switches must not wear momentum down.
fn exact_sum(terms: impl Iterator<Item = DVec3>) -> DVec3 {
    let (mut sum, mut lost) = (DVec3::ZERO, DVec3::ZERO);
    for term in terms {
        let next = sum + term;
        let larger_sum = sum.abs().cmpge(term.abs());
        lost += DVec3::select(larger_sum, (sum - next) + term, (term - next) + sum);
        sum = next;
    }
    sum + lost
}

/// Moments of points on a line or at a place are zero, not rounding errors: `1e-12` of the largest moment, or an arm of a
/// few units in the last place of the coordinates, which are up to `far` [m].
fn without_rounding(moments: DVec3, mass: f64, far: f64) -> DVec3 {
    let arm = 16.0 * f64::EPSILON * far;
    let floor = (1e-12 * moments.max_element()).max(mass * arm * arm);
    DVec3::select(moments.cmpgt(DVec3::splat(floor)), moments, DVec3::ZERO)
}

/// Angular momentum that a ball-like element carries by itself.
fn own_spin(state: &State, e: u32) -> DVec3 {
    match state.owner[e as usize] {
        FREE => DVec3::ZERO,
        a if state.aggregates[a as usize].origin == Origin::Lone => state.aggregates[a as usize].angular_momentum,
        _ => DVec3::ZERO,
    }
}

/// The aggregate with an inertia given in body axes [kg m²] instead of that of its elements, turning with `spin`.
pub fn with_given_inertia(a: Aggregate, inertia: DMat3, axes: DQuat, spin: DVec3, state: &State) -> Aggregate {
    let turn = DMat3::from_quat(axes);
    let world = turn * inertia * turn.transpose();
    let (moments, orientation) = principal_frame(world);
    let place = |&e: &u32| orientation.inverse() * (state.position.get(e as usize) - a.position);
    let local = a.elements.iter().map(place).collect();
    Aggregate { inertia: moments, orientation, local, angular_momentum: world * spin, given_inertia: true, ..a }
}

/// The aggregate becomes the owner of its elements, before there are joints.
pub fn adopt(state: &mut State, aggregate: Aggregate) {
    exchange(state, &[], vec![aggregate]);
}

/// Makes a set of elements one rigid aggregate; returns the kinetic energy internalised [J].
pub fn make_rigid(model: &Model, state: &mut State, elements: &[u32], origin: Origin) -> Result<f64, SwitchError> {
    let (set, affected) = prepare(state, elements)?;
    if let Some(&a) = affected.iter().find(|&&a| state.aggregates[a].given_inertia) {
        return Err(SwitchError::GivenInertia(state.aggregates[a].elements[0]));
    }
    if let ([_], [a]) = (&set[..], &affected[..])
        && state.aggregates[*a].origin == Origin::Lone
    {
        // A ball is rigid already, and keeps its spin.
        return Ok(0.0);
    }
    let before = kinetic_of(model, state, &set);
    let whole = gather_aggregate(model, state, &set, origin);
    let mut parts = remainders(model, state, &affected, &set);
    let loss = before - whole.kinetic_energy();
    parts.push(whole);
    replace(model, state, &affected, parts);
    Ok(loss)
}

/// Makes a set of elements soft; elements that spin as balls stay as they are.
pub fn make_soft(model: &Model, state: &mut State, elements: &[u32]) -> Result<(), SwitchError> {
    let (set, mut affected) = prepare(state, elements)?;
    if let Some(&a) = affected.iter().find(|&&a| state.aggregates[a].given_inertia) {
        return Err(SwitchError::GivenInertia(state.aggregates[a].elements[0]));
    }
    affected.retain(|&a| state.aggregates[a].origin != Origin::Lone);
    affected.iter().for_each(|&a| restore_momentum(model, state, a));
    let parts = remainders(model, state, &affected, &set);
    replace(model, state, &affected, parts);
    give_lone_elements_spin(model, state);
    Ok(())
}

/// Corrects the velocities of an aggregate's elements so that they have its momenta to the last bit.
fn restore_momentum(model: &Model, state: &mut State, a: usize) {
    let elements = state.aggregates[a].elements.clone();
    let now = gather_aggregate(model, state, &elements, Origin::Requested);
    let wanted = &state.aggregates[a];
    let shift = wanted.velocity - now.velocity;
    let turn = now.inverse_inertia() * (wanted.angular_momentum - now.angular_momentum);
    for &e in &elements {
        let r = state.position.get(e as usize) - now.position;
        state.velocity.add(e as usize, shift + turn.cross(r));
    }
}

/// Sorts the set, brings its aggregates' elements up to date, and names these aggregates.
fn prepare(state: &mut State, elements: &[u32]) -> Result<(Vec<u32>, Vec<usize>), SwitchError> {
    let mut set = elements.to_vec();
    set.sort_unstable();
    set.dedup();
    let last = *set.last().ok_or(SwitchError::Nothing)?;
    if last as usize >= state.owner.len() {
        return Err(SwitchError::NoSuchElement(last));
    }
    let owners = set.iter().map(|&e| state.owner[e as usize]).filter(|&o| o != FREE);
    let mut affected: Vec<usize> = owners.map(|o| o as usize).collect();
    affected.sort_unstable();
    affected.dedup();
    let State { aggregates, position, velocity, .. } = state;
    for &a in &affected {
        let members: Vec<u32> = (0..aggregates[a].elements.len() as u32).collect();
        carry(&aggregates[a], &members, position, velocity);
    }
    Ok((set, affected))
}

/// What is left of the affected aggregates without the set.
fn remainders(model: &Model, state: &State, affected: &[usize], set: &[u32]) -> Vec<Aggregate> {
    let mut parts = Vec::new();
    for &a in affected {
        let old = &state.aggregates[a];
        let rest: Vec<u32> = old.elements.iter().copied().filter(|e| set.binary_search(e).is_err()).collect();
        if !rest.is_empty() {
            parts.push(gather_aggregate(model, state, &rest, old.origin));
        }
    }
    parts
}

fn kinetic_of(model: &Model, state: &State, set: &[u32]) -> f64 {
    set.iter().fold(0.0, |sum, &e| {
        let i = e as usize;
        let spin = match state.owner[i] {
            FREE => 0.0,
            a => {
                let a = &state.aggregates[a as usize];
                if a.origin == Origin::Lone { 0.5 * a.angular_momentum.dot(a.spin()) } else { 0.0 }
            }
        };
        sum + 0.5 * model.elements.mass[i] * state.velocity.get(i).length_squared() + spin
    })
}

/// Removes aggregates and adds others; joints follow.
fn replace(model: &Model, state: &mut State, remove: &[usize], add: Vec<Aggregate>) {
    let mut changes = vec![false; state.owner.len()];
    let removed = remove.iter().map(|&a| &state.aggregates[a]);
    removed.chain(&add).flat_map(|a| &a.elements).for_each(|&e| changes[e as usize] = true);
    let leaving = reseat::leave(model, state, |e| changes[e as usize]);
    exchange(state, remove, add);
    leaving.settle(model, state);
}

/// Removes aggregates, adds others, and writes the owners anew.
fn exchange(state: &mut State, remove: &[usize], add: Vec<Aggregate>) {
    for &a in remove {
        for &e in &state.aggregates[a].elements {
            state.owner[e as usize] = FREE;
        }
    }
    let mut index = 0;
    state.aggregates.retain(|_| {
        index += 1;
        remove.binary_search(&(index - 1)).is_err()
    });
    state.aggregates.extend(add);
    for (a, aggregate) in state.aggregates.iter().enumerate() {
        for &e in &aggregate.elements {
            state.owner[e as usize] = a as u32;
        }
    }
    state.epoch += 1;
}

/// Free elements without any unbroken connection become balls with a spin, so that friction can turn them.
pub fn give_lone_elements_spin(model: &Model, state: &mut State) {
    if !model.contact.enabled {
        return;
    }
    let mut joined = vec![false; model.elements.len()];
    let mut broken = state.broken.iter().peekable();
    for (c, ends) in model.connections.ends.iter().enumerate() {
        if broken.next_if_eq(&&(c as u32)).is_some() {
            continue;
        }
        ends.iter().for_each(|&e| joined[e as usize] = true);
    }
    let lone = (0..joined.len()).filter(|&i| !joined[i] && state.owner[i] == FREE);
    let balls: Vec<Aggregate> = lone.map(|i| gather_aggregate(model, state, &[i as u32], Origin::Lone)).collect();
    if !balls.is_empty() {
        replace(model, state, &[], balls);
    }
}
