//! Events of bodies that begin to touch, or part.

use crate::model::collider::OBSTACLES;
use crate::model::{Contact, Event, EventKind, Model, State, Touched};
use crate::step::constraint::approach_energy;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Two that touch.
#[derive(Clone, Copy, Debug)]
pub struct Encounter {
    /// Their numbers, the smaller one first.
    pair: (u32, u32),
    /// One of the places where they do [m].
    place: DVec3,
}

/// Compares who touches whom with before.
pub fn note(model: &Model, state: &State, w: &mut Workspace, events: &mut Vec<Event>) {
    let now = encounters(model, state);
    let before = w.meeting.replace(now).unwrap_or_default();
    let now = w.meeting.as_deref().unwrap_or_default();
    for met in now.iter().filter(|met| !has(&before, met.pair)) {
        let (place, energy) = place_and_energy(model, state, w, met);
        let (first, second) = names(model, met.pair);
        events.push(Event { time: state.time, place, energy, kind: EventKind::Touch { first, second } });
    }
    for met in before.iter().filter(|met| !has(now, met.pair)) {
        let (first, second) = names(model, met.pair);
        let kind = EventKind::Part { first, second };
        events.push(Event { time: state.time, place: met.place, energy: 0.0, kind });
    }
}

fn has(sorted: &[Encounter], pair: (u32, u32)) -> bool {
    sorted.binary_search_by_key(&pair, |met| met.pair).is_ok()
}

/// Notes who has begun to touch in the middle of a step; whoever touched before counts as still touching.
pub fn note_blow(model: &Model, state: &State, w: &mut Workspace, events: &mut Vec<Event>) {
    let before = w.meeting.clone().unwrap_or_default();
    let mut parted = Vec::new();
    note(model, state, w, &mut parted);
    events.extend(parted.into_iter().filter(|e| matches!(e.kind, EventKind::Touch { .. })));
    let now = w.meeting.get_or_insert_default();
    now.extend(before);
    // Of two places of a pair the later one comes first, and stays.
    now.sort_by_key(|met| met.pair);
    now.dedup_by_key(|met| met.pair);
}

/// Where two begin to touch [m], and the energy of their approach [J].
fn place_and_energy(model: &Model, state: &State, w: &Workspace, met: &Encounter) -> (DVec3, f64) {
    if let Some(c) = w.contacts.iter().find(|c| pair_of(model, &c.contact) == met.pair) {
        let m = model.elements.mass[c.contact.element as usize];
        return (c.point, 0.5 * m * c.normal.dot(c.velocity).powi(2));
    }
    let between = state.shape_contacts.iter().filter(|c| c.presses() && ordered(c.between) == met.pair);
    (met.place, approach_energy(state, &w.contact_space, between))
}

fn ordered([a, b]: [u32; 2]) -> (u32, u32) {
    (a.min(b), a.max(b))
}

/// Who touches whom at the moment, each pair once and in their order.
pub fn encounters(model: &Model, state: &State) -> Vec<Encounter> {
    let spheres = state.contacts.iter().map(|c| Some(pair_of(model, c)));
    let shapes = state.shape_contacts.iter().map(|c| c.presses().then(|| ordered(c.between)));
    let numbered = spheres.chain(shapes).enumerate().filter_map(|(k, pair)| Some((pair?, k)));
    let mut all: Vec<((u32, u32), usize)> = numbered.collect();
    // Places of one pair follow each other, as a rule.
    all.dedup_by_key(|(pair, _)| *pair);
    all.sort_unstable();
    all.dedup_by_key(|(pair, _)| *pair);
    all.into_iter().map(|(pair, k)| Encounter { pair, place: place_of(model, state, k) }).collect()
}

/// Where the contact with this number is [m]: those of spheres come first.
fn place_of(model: &Model, state: &State, k: usize) -> DVec3 {
    let Some(c) = state.contacts.get(k) else {
        return state.shape_contacts.get(k - state.contacts.len()).map_or(DVec3::ZERO, |c| c.point);
    };
    let (x, radius) = (state.position.get(c.element as usize), model.elements.radius[c.element as usize]);
    match c.other {
        Touched::Element(j) => {
            let (y, other) = (state.position.get(j as usize), model.elements.radius[j as usize]);
            x.lerp(y, radius / (radius + other))
        }
        Touched::Obstacle(o) => {
            let (distance, normal) = model.obstacles[o as usize].shape.distance(x);
            x - normal * distance
        }
        Touched::Skin(_) => x,
    }
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
