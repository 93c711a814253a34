//! Which elements the rigid aggregates carry, and where: written only when it changes.

use crate::error::RecordError;
use crate::hash::Fnv;
use kreisel::DVec3;
use kreisel::model::{Aggregate, FREE, Origin};
use serde::{Deserialize, Serialize};

const WHAT: &str = "a membership";

/// As it is stored.
#[derive(Serialize, Deserialize)]
struct StoredGroup {
    /// The first element, then the differences from one to the next.
    gaps: Vec<u32>,
    /// Coordinates in the aggregate's frame [m].
    local: Vec<[f32; 3]>,
    lone: bool,
}

/// The elements of one aggregate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) elements: Vec<u32>,
    pub(crate) local: Vec<DVec3>,
    /// A single element with a spin of its own: its orientation is stored coarsely, its spin not at all.
    pub(crate) lone: bool,
}

/// Who carries what.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Membership {
    /// Per element: [`FREE`] or the number of its aggregate.
    pub(crate) owner: Vec<u32>,
    pub(crate) groups: Vec<Group>,
}

/// True if an aggregate is recorded as a point with an orientation.
pub(crate) fn is_lone(aggregate: &Aggregate) -> bool {
    aggregate.origin == Origin::Lone && aggregate.elements.len() == 1
}

/// Tells one membership from another.
pub(crate) fn fingerprint(aggregates: &[Aggregate]) -> u64 {
    let mut hash = Fnv::default();
    for a in aggregates {
        hash.write_u64(a.elements.len() as u64);
        hash.write_u64(is_lone(a) as u64);
        a.elements.iter().for_each(|&e| hash.write_u64(e as u64));
        a.local.iter().for_each(|&s| hash.write_vector(s));
    }
    hash.value()
}

/// Packs the membership of a state.
pub(crate) fn pack(aggregates: &[Aggregate]) -> std::io::Result<Vec<u8>> {
    let groups: Vec<_> = aggregates.iter().map(stored).collect();
    crate::pack::pack_value(&groups)
}

fn stored(aggregate: &Aggregate) -> StoredGroup {
    let mut previous = 0;
    let gap = |&e: &u32| {
        let gap = e.wrapping_sub(previous);
        previous = e;
        gap
    };
    let gaps = aggregate.elements.iter().map(gap).collect();
    let local = aggregate.local.iter().map(|s| s.as_vec3().to_array()).collect();
    StoredGroup { gaps, local, lone: is_lone(aggregate) }
}

/// Reads a membership of `n` elements.
pub(crate) fn unpack(packed: &[u8], n: usize) -> Result<Membership, RecordError> {
    let stored: Vec<StoredGroup> = crate::pack::unpack_value(WHAT, packed)?;
    let mut membership = Membership { owner: vec![FREE; n], groups: Vec::new() };
    for (number, group) in stored.into_iter().enumerate() {
        let group = restored(group)?;
        for &e in &group.elements {
            match membership.owner.get_mut(e as usize) {
                Some(owner) if *owner == FREE => *owner = number as u32,
                _ => return Err(RecordError::malformed(WHAT, format!("element {e} cannot be carried"))),
            }
        }
        membership.groups.push(group);
    }
    Ok(membership)
}

fn restored(stored: StoredGroup) -> Result<Group, RecordError> {
    let mut element = 0_u32;
    let next = |gap: u32| {
        element = element.wrapping_add(gap);
        element
    };
    let elements: Vec<u32> = stored.gaps.into_iter().map(next).collect();
    let local: Vec<DVec3> = stored.local.into_iter().map(|s| DVec3::from_array(s.map(f64::from))).collect();
    if local.len() != elements.len() || local.iter().any(|s| !s.is_finite()) || (stored.lone && elements.len() != 1) {
        return Err(RecordError::malformed(WHAT, "its coordinates do not go with its elements"));
    }
    Ok(Group { elements, local, lone: stored.lone })
}
