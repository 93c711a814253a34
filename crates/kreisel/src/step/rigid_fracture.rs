//! Fracture of rigid parts: the loads of the moment, with inertia relief, say which connection would be too long.
//!
//! A part that can break is looked at when the forces that reach it have grown by a tenth since it was last looked at, and
//! only if they could break anything: a force `F` on a body `L` across strains no connection by more than about that of the
//! moment `F L` on the weakest section of single connections. Free flight costs nothing. Where a connection would be longer
//! than it can be, the part becomes soft, with the strain of its loads; what is too long breaks in the same step.

use crate::linear::Vectors;
use crate::model::mapping::carry_all;
use crate::model::{Aggregate, Event, FREE, Model, Origin, State};
use crate::step::flow::Flow;
use crate::step::quasi_static::is_quasi_static;
use crate::step::relief::linear_displacements;
use crate::step::rewire::make;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Loads that have grown by less than this factor since the last solve are not solved again.
const GROWN: f64 = 1.1;
/// Forces below this share of what could break a connection by bending cannot.
const HARMLESS: f64 = 0.1;

/// What is known of an aggregate's strength.
#[derive(Clone, Copy, Debug, Default)]
pub struct Strength {
    /// Forces below this cannot break anything [N]; infinite if nothing can break.
    harmless: f64,
    /// Sum of the sizes of the forces when it was last solved for [N].
    solved: f64,
}

/// A rigid part in which a connection would break.
#[derive(Clone, Debug)]
pub struct Breaking {
    /// Its elements.
    pub elements: Vec<u32>,
    /// Why it becomes soft.
    pub reason: String,
}

/// Strengths of all aggregates.
pub fn strengths(model: &Model, state: &State) -> Vec<Strength> {
    let none = Strength { harmless: f64::INFINITY, solved: 0.0 };
    let mut found = vec![none; state.aggregates.len()];
    if !model.connections.classes.iter().any(|c| c.break_length.is_finite()) {
        return found;
    }
    // Weakest force and shortest connection of each.
    let mut weakest = vec![(f64::INFINITY, f64::INFINITY); state.aggregates.len()];
    for (c, &[i, j]) in model.connections.ends.iter().enumerate() {
        let owner = state.owner[i as usize];
        if owner != FREE && owner == state.owner[j as usize] && state.broken.binary_search(&(c as u32)).is_err() {
            let (class, least) = (model.connections.constants(c), &mut weakest[owner as usize]);
            least.0 = least.0.min(class.stiffness * (class.break_length - class.rest_length));
            least.1 = least.1.min(class.rest_length);
        }
    }
    for (a, body) in state.aggregates.iter().enumerate() {
        let (force, shortest) = weakest[a];
        // What a scene makes rigid and nothing else stays so: only quasi-static parts feel their loads.
        let feels = is_quasi_static(model, body);
        if feels && body.origin != Origin::Lone && !body.given_inertia && force.is_finite() {
            found[a].harmless = HARMLESS * force * shortest / (2.0 * reach(body)).max(shortest);
        }
    }
    found
}

/// True if an aggregate may break.
pub fn can_break(w: &Workspace) -> bool {
    w.strengths.iter().any(|s| s.harmless.is_finite())
}

/// From the centre of mass to the farthest element [m].
fn reach(body: &Aggregate) -> f64 {
    body.local.iter().map(|s| s.length()).fold(0.0, f64::max)
}

/// Rigid parts in which the forces of the moment would break a connection.
pub fn breaking(model: &Model, state: &mut State, w: &mut Workspace) -> Vec<Breaking> {
    let mut found = Vec::new();
    for a in 0..w.strengths.len() {
        let known = w.strengths[a];
        if known.harmless.is_infinite() {
            continue;
        }
        let load = load_on(state, w, a);
        if load <= known.harmless || load <= GROWN * known.solved {
            continue;
        }
        w.strengths[a].solved = load;
        // Only the elements that forces reach are where they are: the solve needs all of them.
        carry_all(state);
        if let Ok((_, u)) = linear_displacements(model, state, w, a)
            && let Some(reason) = overlong(model, state, a, &u, load)
        {
            found.push(Breaking { elements: state.aggregates[a].elements.clone(), reason });
        }
    }
    found
}

/// Makes parts that would break soft, with the strain of their loads.
pub fn release(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    breaking: &[Breaking],
    flow: &mut Flow,
    events: &mut Vec<Event>,
) {
    for part in breaking {
        if let Ok(taken) = make(model, state, w, &part.elements, false, &part.reason, events) {
            flow.conversion += taken;
        }
        w.refresh(model, state);
    }
}

/// Sum of the sizes of the forces that reach an aggregate, that of its spin among them [N].
fn load_on(state: &State, w: &Workspace, a: usize) -> f64 {
    let body = &state.aggregates[a];
    let mut sum = 0.0;
    for &k in &w.ports[a] {
        let e = body.elements[k as usize] as usize;
        let fields = [&w.force, &w.damping, &w.load].into_iter().filter(|f| !f.is_empty());
        sum += fields.fold(DVec3::ZERO, |sum, f| sum + f.get(e)).length();
    }
    sum + body.mass * body.spin().length_squared() * reach(body)
}

/// The connection that the displacements make longest beside what it can be, if that is too long.
fn overlong(model: &Model, state: &State, a: usize, u: &Vectors, load: f64) -> Option<String> {
    let body = &state.aggregates[a];
    let place = |e: u32| body.elements.binary_search(&e).ok().map(|k| state.position.get(e as usize) + u.get(k));
    let mut worst = (1.0, None);
    for (c, &[i, j]) in model.connections.ends.iter().enumerate() {
        let class = model.connections.constants(c);
        if !class.break_length.is_finite() || state.owner[i as usize] != a as u32 || state.owner[j as usize] != a as u32
        {
            continue;
        }
        let (Some(x), Some(y)) = (place(i), place(j)) else { continue };
        let share = (x.distance(y) - class.rest_length) / (class.break_length - class.rest_length);
        if share > worst.0 && state.broken.binary_search(&(c as u32)).is_err() {
            worst = (share, Some((c, [i, j])));
        }
    }
    let (c, [i, j]) = worst.1?;
    Some(format!(
        "connection {c} ({i}–{j}) would be stretched {:.2} times what it bears, under loads of {load:.3e} N",
        worst.0
    ))
}
