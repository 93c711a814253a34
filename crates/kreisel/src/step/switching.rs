//! Bodies that switch by themselves: calm parts become rigid, rigid parts that a force would deform become soft.
//!
//! Rigid: all connections of the elements have changed slower than `rigid_below` for the time `patience`; connected
//! calm elements form one aggregate. Soft: the force that nothing balances on an element, with the frozen elastic
//! forces counted, would in one step change a connection faster than `soft_above` [after MWLK22]. Forces enter an
//! aggregate only at the elements they act on, so looking there is enough to notice them; the whole aggregate is
//! released.

use crate::linear::eigen::{outer, principal_frame};
use crate::model::mapping::{Wrench, gather};
use crate::model::topology::components;
use crate::model::{Event, EventKind, FREE, Model, Origin, State};
use crate::step::convert;
use crate::step::workspace::Workspace;
use glamx::{DMat3, DVec3};

/// Lets calm parts of automatic bodies become rigid; `elapsed` is the time since the last call [s]. Returns the kinetic
/// energy internalised [J].
pub fn rigidify(model: &Model, state: &mut State, w: &Workspace, elapsed: f64, events: &mut Vec<Event>) -> f64 {
    if state.calm.is_empty() {
        return 0.0;
    }
    note_calm(model, state, w, elapsed);
    let mut loss = 0.0;
    for part in calm_parts(model, state, w) {
        let whole = state.owner[part[0] as usize];
        if whole != FREE && state.aggregates[whole as usize].elements == part {
            continue;
        }
        if !fills_space(model, state, &part) {
            continue;
        }
        if let Ok(taken) = convert::make_rigid(model, state, &part, Origin::Automatic) {
            loss += taken;
            let body = model.bodies[model.elements.body[part[0] as usize].0 as usize].name.clone();
            let reason = format!("strain rate below {} 1/s", model.switching.rigid_below);
            let kind = EventKind::MadeRigid { elements: part.len() as u32, body, reason };
            events.push(Event { time: state.time, place: state.position.get(part[0] as usize), energy: taken, kind });
        }
    }
    loss
}

fn is_automatic(model: &Model, e: usize) -> bool {
    model.bodies[model.elements.body[e].0 as usize].automatic
}

/// Adds up for how long each element has been calm.
fn note_calm(model: &Model, state: &mut State, w: &Workspace, elapsed: f64) {
    let mut restless = vec![false; model.elements.len()];
    for (c, &[i, j]) in model.connections.ends.iter().enumerate() {
        let (i, j) = (i as usize, j as usize);
        if !is_automatic(model, i) || w.topology.is_broken(c) {
            continue;
        }
        let apart = state.position.get(i) - state.position.get(j);
        let rate = apart.normalize_or_zero().dot(state.velocity.get(i) - state.velocity.get(j)).abs();
        if rate > model.switching.rigid_below * model.connections.constants(c).rest_length {
            restless[i] = true;
            restless[j] = true;
        }
    }
    for (i, calm) in state.calm.iter_mut().enumerate() {
        *calm = if restless[i] { 0.0 } else { *calm + elapsed };
    }
}

/// Connected sets of elements that are calm, or rigid already, by their first element.
fn calm_parts(model: &Model, state: &State, w: &Workspace) -> Vec<Vec<u32>> {
    let ready = |e: u32| {
        let i = e as usize;
        let rigid = state.owner[i] != FREE && state.aggregates[state.owner[i] as usize].origin == Origin::Automatic;
        is_automatic(model, i) && (rigid || (state.owner[i] == FREE && state.calm[i] >= model.switching.patience))
    };
    let closed = |(c, ends): (usize, &[u32; 2])| w.topology.is_broken(c) || !(ready(ends[0]) && ready(ends[1]));
    let cut: Vec<bool> = model.connections.ends.iter().enumerate().map(closed).collect();
    let (component, count) = components(model.elements.len(), &model.connections.ends, &cut);
    let mut parts = vec![Vec::new(); count as usize];
    for e in (0..model.elements.len() as u32).filter(|&e| ready(e)) {
        parts[component[e as usize] as usize].push(e);
    }
    parts.retain(|p| p.len() >= 4);
    parts
}

/// A part whose elements spread by less than this share of their diameter about a plane counts as flat: a row of elements,
/// bent a little, would have next to no inertia about itself, and a stable step to match.
const FLAT: f64 = 0.1;

/// True unless all elements lie nearly in one plane, or on one line.
fn fills_space(model: &Model, state: &State, part: &[u32]) -> bool {
    let x = |e: &u32| state.position.get(*e as usize);
    let middle = part.iter().map(x).sum::<DVec3>() / part.len() as f64;
    let spread = part.iter().fold(DMat3::ZERO, |s, e| s + outer(x(e) - middle, x(e) - middle));
    let (values, _) = principal_frame(spread);
    let diameter = part.iter().map(|&e| 2.0 * model.elements.radius[e as usize]).fold(f64::INFINITY, f64::min);
    (values.min_element() / part.len() as f64).sqrt() > FLAT * diameter
}

/// An automatic aggregate that the forces of the moment would deform.
#[derive(Clone, Debug)]
pub struct Overloaded {
    elements: Vec<u32>,
    rate: f64,
}

/// Automatic aggregates that the forces of the moment would deform too fast in a step `h`.
pub fn overloaded(model: &Model, state: &State, w: &Workspace, h: f64) -> Vec<Overloaded> {
    (0..state.aggregates.len())
        .filter(|&a| state.aggregates[a].origin == Origin::Automatic && !state.aggregates[a].given_inertia)
        .map(|a| Overloaded {
            elements: state.aggregates[a].elements.clone(),
            rate: predicted_rate(model, state, w, a, h),
        })
        .filter(|o| o.rate > model.switching.soft_above)
        .collect()
}

/// Makes overloaded aggregates soft.
pub fn soften(model: &Model, state: &mut State, overloaded: &[Overloaded], events: &mut Vec<Event>) {
    for Overloaded { elements, rate } in overloaded {
        if convert::make_soft(model, state, elements).is_ok() {
            elements.iter().for_each(|&e| state.calm[e as usize] = 0.0);
            let first = elements[0] as usize;
            let body = model.bodies[model.elements.body[first].0 as usize].name.clone();
            let reason = format!("strain rate would be {rate:.3} 1/s");
            let kind = EventKind::MadeSoft { elements: elements.len() as u32, body, reason };
            events.push(Event { time: state.time, place: state.position.get(first), energy: 0.0, kind });
        }
    }
}

/// The largest strain rate that one step would give at the elements that forces reach [1/s].
fn predicted_rate(model: &Model, state: &State, w: &Workspace, a: usize, h: f64) -> f64 {
    let body = &state.aggregates[a];
    let mut wrench = Wrench { force: model.gravity * body.mass, torque: w.couples[a] };
    for field in [&w.force, &w.damping, &w.load].into_iter().filter(|f| !f.is_empty()) {
        gather(body, &w.ports[a], &state.position, field, &mut wrench);
    }
    let (spin, turn) = (body.spin(), DMat3::from_quat(body.orientation));
    let linear = wrench.force / body.mass;
    let angular = body.inverse_inertia() * (wrench.torque - spin.cross(body.angular_momentum));
    let mut largest: f64 = 0.0;
    for &k in &w.ports[a] {
        let (k, e) = (k as usize, body.elements[k as usize] as usize);
        let field = |f: &crate::linear::Vectors| if f.is_empty() { DVec3::ZERO } else { f.get(e) };
        let fields = [field(&w.force), field(&w.damping), field(&w.load)];
        if fields == [DVec3::ZERO; 3] {
            // A port only because something is near it: how near it was searched for must not show.
            continue;
        }
        let r = turn * body.local[k];
        let m = model.elements.mass[e];
        let rigid = linear + angular.cross(r) + spin.cross(spin.cross(r));
        let acting = fields[0] + fields[1] + fields[2] + model.gravity * m + turn * w.internal[a][k];
        let unbalanced = acting / m - rigid;
        largest = largest.max(unbalanced.length() * h / (2.0 * model.elements.radius[e]));
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Elements;

    fn place(points: &[[f64; 3]]) -> (Model, State) {
        let elements = Elements { radius: vec![0.5; points.len()], ..Elements::default() };
        let mut state = State::default();
        points.iter().for_each(|p| state.position.push(DVec3::from(*p)));
        (Model { elements, ..Model::default() }, state)
    }

    #[test]
    fn a_bent_row_and_a_bent_sheet_do_not_fill_space_and_a_cell_does() {
        let all = |points: &[[f64; 3]]| {
            let (model, state) = place(points);
            fills_space(&model, &state, &(0..points.len() as u32).collect::<Vec<_>>())
        };
        assert!(!all(&[[0.0, 0.0, 0.0], [1.0, 0.001, 0.0], [2.0, 0.001, 0.002], [3.0, 0.0, 0.0], [4.0, 0.001, 0.0]]));
        assert!(!all(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.001], [0.0, 1.0, 0.0], [1.0, 1.0, 0.003]]));
        assert!(all(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0]]));
    }
}
