//! The state as bytes, bit for bit, and its hash.

use crate::error::RecordError;
use crate::hash::Fnv;
use kreisel::model::{Aggregate, FREE, State, Touched};

const WHAT: &str = "a state";

/// The state as bytes: every bit of every number, infinities and −0.0 included.
pub fn state_to_bytes(state: &State) -> Result<Vec<u8>, RecordError> {
    postcard::to_stdvec(state).map_err(|e| RecordError::malformed(WHAT, e))
}

/// The state that [`state_to_bytes`] wrote. Bytes of anything else, or of a state that contradicts itself, are an error.
pub fn state_from_bytes(bytes: &[u8]) -> Result<State, RecordError> {
    let state = crate::pack::value_from_bytes(WHAT, bytes)?;
    check(&state).map_err(|reason| RecordError::malformed(WHAT, reason))?;
    Ok(state)
}

/// Refuses a state whose parts do not go together, so that nobody who is handed it reaches beyond an array.
fn check(state: &State) -> Result<(), String> {
    let n = state.owner.len();
    let fields = [&state.position, &state.velocity].into_iter().flat_map(|f| [f.x.len(), f.y.len(), f.z.len()]);
    if fields.into_iter().any(|length| length != n) || !(state.calm.is_empty() || state.calm.len() == n) {
        return Err(format!("its arrays are not all of {n} elements"));
    }
    if let Some(e) = (0..n).find(|&e| !is_carried(state, e)) {
        return Err(format!("element {e} is carried by an aggregate that does not exist"));
    }
    for (number, aggregate) in state.aggregates.iter().enumerate() {
        check_aggregate(state, number, aggregate)?;
    }
    let beyond = |e: u32| e as usize >= n;
    let touches_nothing = |other: Touched| matches!(other, Touched::Element(e) if beyond(e));
    if state.contacts.iter().any(|c| beyond(c.element) || touches_nothing(c.other)) {
        return Err("a contact is of an element that does not exist".into());
    }
    Ok(())
}

fn is_carried(state: &State, e: usize) -> bool {
    state.owner[e] == FREE || (state.owner[e] as usize) < state.aggregates.len()
}

fn check_aggregate(state: &State, number: usize, aggregate: &Aggregate) -> Result<(), String> {
    if aggregate.elements.len() != aggregate.local.len() {
        return Err(format!("aggregate {number} has not one coordinate per element"));
    }
    let owned = |e: &u32| state.owner.get(*e as usize).is_some_and(|&owner| owner as usize == number);
    match aggregate.elements.iter().find(|e| !owned(e)) {
        Some(e) => Err(format!("aggregate {number} claims element {e}, which it does not carry")),
        None => Ok(()),
    }
}

/// A hash of the exact bits of time, positions, velocities, aggregates, broken connections and contacts.
///
/// Two runs that agree in it agree in their motion, bit for bit.
pub fn state_hash(state: &State) -> u64 {
    let mut hash = Fnv::default();
    hash.write_f64(state.time);
    hash.write_field(&state.position);
    hash.write_field(&state.velocity);
    hash.write_u64(state.aggregates.len() as u64);
    state.aggregates.iter().for_each(|a| hash_aggregate(&mut hash, a));
    hash.write_u64(state.broken.len() as u64);
    state.broken.iter().for_each(|&b| hash.write_u64(b as u64));
    hash.write_u64(state.contacts.len() as u64);
    for contact in &state.contacts {
        hash.write_u64(contact.element as u64);
        hash.write_u64(match contact.other {
            Touched::Element(e) => e as u64,
            Touched::Obstacle(o) => 1 << 32 | o as u64,
            Touched::Skin(s) => 2 << 32 | s as u64,
        });
        hash.write_f64(contact.rest);
        hash.write_vector(contact.stretch);
        hash.write_u64(contact.slipping as u64);
    }
    hash.value()
}

fn hash_aggregate(hash: &mut Fnv, aggregate: &Aggregate) {
    hash.write_u64(aggregate.elements.len() as u64);
    aggregate.elements.iter().for_each(|&e| hash.write_u64(e as u64));
    aggregate.local.iter().for_each(|&s| hash.write_vector(s));
    hash.write_f64(aggregate.mass);
    hash.write_vector(aggregate.inertia);
    hash.write_vector(aggregate.position);
    aggregate.orientation.to_array().into_iter().for_each(|c| hash.write_f64(c));
    hash.write_vector(aggregate.velocity);
    hash.write_vector(aggregate.angular_momentum);
}
