//! Contact forces of a frame, to be shown: nothing is computed from them.

use crate::error::RecordError;
use crate::pack::{pack_value, unpack_value};
use kreisel::DVec3;

/// Name in messages.
const WHAT: &str = "a list of contact forces";

/// A force between two things that touch; the second one feels the opposite.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactForce {
    /// Where they touch [m].
    pub point: DVec3,
    /// Force on the first of them [N].
    pub force: DVec3,
}

/// Point and force as they are stored.
type Stored = ([f32; 3], [f32; 3]);

/// Packs contact forces in single precision; those beyond its range are left out.
pub(crate) fn pack(contacts: &[ContactForce]) -> std::io::Result<Vec<u8>> {
    let stored = |c: &ContactForce| (c.point.as_vec3().to_array(), c.force.as_vec3().to_array());
    let all: Vec<Stored> = contacts.iter().map(stored).filter(is_finite).collect();
    pack_value(&all)
}

/// Reads what [`pack`] packed. There are no more than the bytes hold: each takes 24.
pub(crate) fn unpack(packed: &[u8]) -> Result<Vec<ContactForce>, RecordError> {
    let stored: Vec<Stored> = unpack_value(WHAT, packed)?;
    if let Some(i) = stored.iter().position(|c| !is_finite(c)) {
        return Err(RecordError::malformed(WHAT, format!("number {i} is not finite")));
    }
    let vector = |a: [f32; 3]| DVec3::from_array(a.map(f64::from));
    Ok(stored.into_iter().map(|(point, force)| ContactForce { point: vector(point), force: vector(force) }).collect())
}

fn is_finite((point, force): &Stored) -> bool {
    point.iter().chain(force).all(|a| a.is_finite())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_force_beyond_single_precision_is_left_out_and_one_that_is_not_finite_is_not_read() {
        let contact = ContactForce { point: DVec3::X, force: DVec3::Z };
        let far = ContactForce { point: DVec3::X * 1e300, ..contact };
        let wild = ContactForce { force: DVec3::NAN, ..contact };
        assert_eq!(unpack(&pack(&[far, contact, wild]).unwrap()).unwrap(), [contact]);
        let hostile: Vec<Stored> = vec![([0.0; 3], [1.0; 3]), ([0.0; 3], [0.0, f32::INFINITY, 0.0])];
        let refused = unpack(&pack_value(&hostile).unwrap()).unwrap_err();
        assert!(refused.to_string().contains("number 1 is not finite"), "{refused}");
    }

    #[test]
    fn a_list_that_claims_more_than_it_holds_is_refused() {
        let mut lying = vec![255, 255, 255, 255, 15];
        lying.extend([0; 240]);
        assert!(unpack(&crate::pack::pack(&lying).unwrap()).is_err());
    }
}
