//! Events of bodies that begin to touch, or part.

use crate::model::collider::OBSTACLES;
use crate::model::{Contact, Event, EventKind, Model, State, Touched};
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Compares who touches whom with before.
pub fn note(model: &Model, state: &State, w: &mut Workspace, events: &mut Vec<Event>) {
    let now = pairs(model, state);
    let before = w.meeting.replace(now).unwrap_or_default();
    let now = w.meeting.as_deref().unwrap_or_default();
    if *now == before {
        return;
    }
    for &pair in now.iter().filter(|p| before.binary_search(p).is_err()) {
        let (place, energy) = place_and_energy(model, state, w, pair);
        let (first, second) = names(model, pair);
        events.push(Event { time: state.time, place, energy, kind: EventKind::Touch { first, second } });
    }
    for &pair in before.iter().filter(|p| now.binary_search(p).is_err()) {
        let (first, second) = names(model, pair);
        let kind = EventKind::Part { first, second };
        events.push(Event { time: state.time, place: DVec3::ZERO, energy: 0.0, kind });
    }
}

/// Notes who has begun to touch in the middle of a step; whoever touched before counts as still touching.
pub fn note_blow(model: &Model, state: &State, w: &mut Workspace, events: &mut Vec<Event>) {
    let before = w.meeting.clone().unwrap_or_default();
    let mut parted = Vec::new();
    note(model, state, w, &mut parted);
    events.extend(parted.into_iter().filter(|e| matches!(e.kind, EventKind::Touch { .. })));
    let now = w.meeting.get_or_insert_default();
    now.extend(before);
    now.sort_unstable();
    now.dedup();
}

/// Where two begin to touch [m], and the energy of the approach of their elements [J].
fn place_and_energy(model: &Model, state: &State, w: &Workspace, pair: (u32, u32)) -> (DVec3, f64) {
    if let Some(c) = w.contacts.iter().find(|c| pair_of(model, &c.contact) == pair) {
        let m = model.elements.mass[c.contact.element as usize];
        return (c.point, 0.5 * m * c.normal.dot(c.velocity).powi(2));
    }
    let shape = state.shape_contacts.iter().find(|c| ordered(c.between) == pair);
    (shape.map_or(DVec3::ZERO, |c| c.point), 0.0)
}

fn ordered([a, b]: [u32; 2]) -> (u32, u32) {
    (a.min(b), a.max(b))
}

/// Who touches whom at the moment, each pair once.
pub fn pairs(model: &Model, state: &State) -> Vec<(u32, u32)> {
    let shapes = state.shape_contacts.iter().filter(|c| c.presses()).map(|c| ordered(c.between));
    let mut pairs: Vec<(u32, u32)> = state.contacts.iter().map(|c| pair_of(model, c)).chain(shapes).collect();
    // Places of one pair follow each other, as a rule.
    pairs.dedup();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

fn pair_of(model: &Model, c: &Contact) -> (u32, u32) {
    let body = |e: u32| model.elements.body[e as usize].0;
    match c.other {
        Touched::Element(j) => (body(c.element).min(body(j)), body(c.element).max(body(j))),
        Touched::Obstacle(o) => (body(c.element), OBSTACLES | u32::from(o)),
        Touched::Skin(s) => {
            let other = model.skins[s as usize].body.0;
            (body(c.element).min(other), body(c.element).max(other))
        }
    }
}

fn names(model: &Model, (a, b): (u32, u32)) -> (String, String) {
    let second = if b & OBSTACLES == 0 {
        model.bodies[b as usize].name.clone()
    } else {
        model.obstacles[(b & !OBSTACLES) as usize].name.clone()
    };
    (model.bodies[a as usize].name.clone(), second)
}
