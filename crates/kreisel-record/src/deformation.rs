//! Deformations of quasi-static aggregates, to be shown: frames hold such a body as a rigid one.
//!
//! Memberships have coordinates in single precision; in a metre of steel their rounding would look like a stress of half a
//! megapascal. What it takes away is added to the displacements, which are small and therefore fine enough.

use crate::bytes::Reader;
use crate::error::RecordError;
use crate::membership::Membership;
use crate::pack::{pack_value, unpack_value};
use crate::quantise::{Range, read_field, write_field};
use kreisel::DVec3;
use kreisel::linear::Vectors;
use kreisel::model::{Aggregate, State};

/// Name in messages.
const WHAT: &str = "a deformation";
/// Bytes per component of a displacement: a 33 thousandth of the largest.
const BYTES: usize = 2;

/// The aggregates that are deformed, and a field of displacements of their elements, one after the other.
type Stored = (Vec<u32>, Vec<u8>);

/// Packs the displacements of the elements of those aggregates that have any [m]; `None` if none has.
pub(crate) fn pack(state: &State, displacement: &Vectors) -> Result<Option<Vec<u8>>, RecordError> {
    let is_moved = |a: &Aggregate| a.elements.iter().any(|&e| displacement.get(e as usize) != DVec3::ZERO);
    let moved: Vec<&Aggregate> = state.aggregates.iter().filter(|a| is_moved(a)).collect();
    if moved.is_empty() {
        return Ok(None);
    }
    let groups = (0..).zip(&state.aggregates).filter(|(_, a)| is_moved(a)).map(|(number, _)| number).collect();
    let mut field = Vec::new();
    let of = |a: &Aggregate, k: usize| {
        let rounded = a.local[k] - a.local[k].as_vec3().as_dvec3();
        displacement.get(a.elements[k] as usize) + a.orientation * rounded
    };
    let all: Vec<DVec3> = moved.iter().flat_map(|a| (0..a.elements.len()).map(|k| of(a, k))).collect();
    let component = |axis: usize| all.iter().map(|u| u[axis]).collect();
    if !write_field(&mut field, component, Range::AroundZero, BYTES) {
        return Err(RecordError::NotFinite { what: "the range of the displacements".into(), time: state.time });
    }
    let stored: Stored = (groups, field);
    pack_value(&stored).map(Some).map_err(|e| RecordError::malformed(WHAT, e))
}

/// Adds what [`pack`] packed to the positions of all elements.
pub(crate) fn apply(packed: &[u8], membership: &Membership, position: &mut Vectors) -> Result<(), RecordError> {
    let (groups, field): Stored = unpack_value(WHAT, packed)?;
    let mut elements: Vec<u32> = Vec::new();
    for (i, number) in groups.iter().enumerate() {
        let group = membership.groups.get(*number as usize);
        let group = group.filter(|_| i == 0 || groups[i - 1] < *number);
        let unknown = || RecordError::malformed(WHAT, format!("aggregate {number} is not there, or not in order"));
        elements.extend(&group.ok_or_else(unknown)?.elements);
    }
    let mut from = Reader::new(WHAT, &field);
    let displacement = read_field(&mut from, elements.len(), Range::AroundZero, BYTES)?;
    from.end()?;
    for (k, &e) in elements.iter().enumerate() {
        position.add(e as usize, displacement.get(k));
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::membership;
    use kreisel::DQuat;
    use kreisel::model::Origin;

    /// A free element, then an aggregate of two, then another of two.
    fn state() -> State {
        let aggregate = |elements: Vec<u32>| Aggregate {
            elements,
            local: vec![DVec3::ZERO; 2],
            mass: 1.0,
            inertia: DVec3::ONE,
            position: DVec3::ZERO,
            orientation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            angular_momentum: DVec3::ZERO,
            origin: Origin::Requested,
            given_inertia: false,
        };
        let aggregates = vec![aggregate(vec![1, 2]), aggregate(vec![3, 4])];
        State { aggregates, position: Vectors::zeros(5), ..State::default() }
    }

    fn displacement() -> Vectors {
        let mut u = Vectors::zeros(5);
        u.set(3, DVec3::new(1e-6, 0.0, -2e-6));
        u.set(4, DVec3::new(0.0, 5e-7, 2e-6));
        u
    }

    #[test]
    fn displacements_come_back_within_a_step_of_their_grid_and_others_stay_in_place() {
        let (state, u) = (state(), displacement());
        let packed = pack(&state, &u).unwrap().unwrap();
        let known = membership::unpack(&membership::pack(&state.aggregates).unwrap(), 5).unwrap();
        let mut position = Vectors::zeros(5);
        apply(&packed, &known, &mut position).unwrap();
        for e in 0..3 {
            assert_eq!(position.get(e), DVec3::ZERO);
        }
        for e in 3..5 {
            assert!(position.get(e).distance(u.get(e)) < 2e-6 / 3e4, "{}", position.get(e));
        }
    }

    #[test]
    fn nothing_is_written_where_nothing_is_deformed() {
        assert!(pack(&state(), &Vectors::zeros(5)).unwrap().is_none());
    }

    #[test]
    fn a_deformation_of_aggregates_that_are_not_there_or_named_twice_is_refused() {
        let state = state();
        let known = membership::unpack(&membership::pack(&state.aggregates).unwrap(), 5).unwrap();
        for groups in [vec![2_u32], vec![1, 1]] {
            let stored: Stored = (groups, vec![0; 100]);
            let hostile = pack_value(&stored).unwrap();
            assert!(apply(&hostile, &known, &mut Vectors::zeros(5)).is_err());
        }
        let short: Stored = (vec![0], vec![0; 3]);
        assert!(apply(&pack_value(&short).unwrap(), &known, &mut Vectors::zeros(5)).is_err());
    }
}
