//! How far exact bodies have sunk and drifted, once they are at rest.

use crate::console::short;
use kreisel::DVec3;
use kreisel::model::setup::Law;
use kreisel::model::{Model, State};

/// A kinetic energy below this share of the energy of position is rest [1].
const AT_REST: f64 = 1e-12;

/// One line about bodies that stand; `None` if anything still moves, or if there is nothing exact.
pub fn line(model: &Model, state: &State) -> Option<String> {
    let down = model.gravity.try_normalize()?;
    let still = state.ledger.kinetic <= AT_REST * state.ledger.gravity.abs();
    if model.law != Law::Constraint || model.colliders.is_empty() || !still {
        return None;
    }
    let mut bodies: Vec<u32> = model.colliders.iter().map(|c| c.body.0).collect();
    bodies.dedup();
    let moves: Vec<(u32, DVec3)> = bodies.into_iter().map(|b| (b, displacement(model, state, b))).collect();
    let name = |b: u32| &model.bodies[b as usize].name;
    let sunk = moves.iter().map(|&(b, u)| (b, u.dot(down))).max_by(|a, b| a.1.total_cmp(&b.1))?;
    let across = |u: DVec3| (u - down * u.dot(down)).length();
    let drifted = moves.iter().map(|&(b, u)| (b, across(u))).max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(format!(
        "at rest: no body sank by more than {} m ({}), none moved sideways by more than {} m ({})",
        short(sunk.1.max(0.0)),
        name(sunk.0),
        short(drifted.1),
        name(drifted.0)
    ))
}

/// How far the centre of a body is from where it began [m].
fn displacement(model: &Model, state: &State, body: u32) -> DVec3 {
    let elements = &model.bodies[body as usize].elements;
    let way = |e: &u32| state.position.get(*e as usize) - model.elements.rest.get(*e as usize);
    elements.iter().map(way).sum::<DVec3>() / elements.len().max(1) as f64
}
