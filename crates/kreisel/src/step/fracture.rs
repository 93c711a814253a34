//! Connections break when longer than their fracture distance: tension only, the energy goes to the ledger.

use crate::contact::touch::Touch;
use crate::force::volume;
use crate::model::{Contact, Event, EventKind, Model, State, Topology, Touched};
use crate::step::convert;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Breaks all connections that are too long; returns the energy they held [J], or `None` if there are none.
pub fn break_overstretched(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    events: &mut Vec<Event>,
) -> Option<f64> {
    let slots = w.springs.as_ref()?.overstretched(&state.position);
    if slots.is_empty() {
        return None;
    }
    let pieces = w.topology.components;
    let cells_before = volume::energy(&w.cells, &state.position) + w.frozen;
    let mut energy = 0.0;
    for &slot in &slots {
        energy += break_one(model, state, w.connection(slot), events);
    }
    state.broken.sort_unstable();
    state.epoch += 1;
    let before = w.refresh_after_fracture(model, state, &slots);
    let cells_lost = cells_before - volume::energy(&w.cells, &state.position) - w.frozen;
    for &slot in &slots {
        begin_contact(model, state, w, w.connection(slot));
    }
    soften_contacts(model, state, w, &before);
    convert::give_lone_elements_spin(model, state);
    if w.topology.components > pieces {
        let place = events.last().map_or(DVec3::ZERO, |e| e.place);
        let kind = EventKind::Fragmented { components: w.topology.components };
        events.push(Event { time: state.time, place, energy: 0.0, kind });
    }
    w.refresh(model, state);
    Some(energy + cells_lost)
}

fn break_one(model: &Model, state: &mut State, connection: u32, events: &mut Vec<Event>) -> f64 {
    let c = connection as usize;
    let ([a, b], class) = (model.connections.ends[c], model.connections.constants(c));
    let (xa, xb) = (state.position.get(a as usize), state.position.get(b as usize));
    let stretch = xa.distance(xb) - class.rest_length;
    let energy = 0.5 * class.stiffness * stretch * stretch;
    state.broken.push(connection);
    let kind = EventKind::Broke { connection, ends: [a, b] };
    events.push(Event { time: state.time, place: (xa + xb) * 0.5, energy, kind });
    energy
}

/// The two ends of a broken connection may touch from now on; where they overlap already, without force.
fn begin_contact(model: &Model, state: &mut State, w: &Workspace, connection: u32) {
    let [a, b] = model.connections.ends[connection as usize];
    let e = &model.elements;
    let sphere = |i: u32| Touch::new(model, i, w.topology.leans(i), &state.position).centre;
    let distance = sphere(a).distance(sphere(b));
    let key = (a, Touched::Element(b));
    if distance < e.radius[a as usize] + e.radius[b as usize] && model.contact.enabled {
        let new = Contact { element: a, other: key.1, rest: distance, stretch: DVec3::ZERO, slipping: false };
        if let Err(place) = state.contacts.binary_search_by_key(&key, |c| (c.element, c.other)) {
            state.contacts.insert(place, new);
        }
    }
}

/// A contact sphere that has just lost its anchor sits on its element: the contacts it is in must not jump.
fn soften_contacts(model: &Model, state: &mut State, w: &Workspace, before: &Topology) {
    let x = &state.position;
    let moved = |i: u32| before.leans(i) && !w.topology.leans(i);
    let sphere = |i: u32| Touch::new(model, i, w.topology.leans(i), x).centre;
    for c in &mut state.contacts {
        let distance = match c.other {
            Touched::Element(j) if moved(c.element) || moved(j) => sphere(c.element).distance(sphere(j)),
            Touched::Obstacle(o) if moved(c.element) => model.obstacles[o as usize].shape.distance(sphere(c.element)).0,
            // The skin is where it was; the sphere has come nearer by no more than it has moved.
            Touched::Skin(_) if moved(c.element) => {
                c.rest - Touch::new(model, c.element, true, x).centre.distance(sphere(c.element))
            }
            _ => continue,
        };
        c.rest = c.rest.min(distance);
    }
}
