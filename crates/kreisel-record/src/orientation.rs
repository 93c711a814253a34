//! Orientations in 4, 8 or 32 bytes, by how many elements they turn.
//!
//! Short forms hold the three smallest components of the unit quaternion, and which one is left out: `q` and `−q` are
//! the same orientation, so the largest component can be made positive and follows from `|q| = 1`; the others lie
//! within `±1/√2`. An error of half a step `ε = 2^(−bits)/√2` in each turns it by at most `2 √12 ε ≈ 5/2^bits` rad.

use crate::bytes::Reader;
use crate::error::RecordError;
use kreisel::DQuat;
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

/// Bits per component for aggregates of a few elements: 62 in all, 8 bytes.
const FINE: u32 = 20;
/// Bits per component for single elements with a spin of their own: 32 in all, 4 bytes.
const COARSE: u32 = 10;
/// From this many elements on, the four numbers are stored as they are.
const MANY: usize = 8;

/// Appends the orientation of an aggregate of `elements` elements.
pub(crate) fn write(out: &mut Vec<u8>, q: DQuat, elements: usize, lone: bool) {
    if lone {
        out.extend_from_slice(&(pack(q, COARSE) as u32).to_le_bytes());
    } else if elements < MANY {
        out.extend_from_slice(&pack(q, FINE).to_le_bytes());
    } else {
        q.to_array().into_iter().for_each(|c| out.extend_from_slice(&c.to_le_bytes()));
    }
}

/// Reads what [`write`] wrote.
pub(crate) fn read(from: &mut Reader, elements: usize, lone: bool) -> Result<DQuat, RecordError> {
    if lone {
        return Ok(unpack(from.u32()? as u64, COARSE));
    }
    if elements < MANY {
        return Ok(unpack(from.u64()?, FINE));
    }
    let q = DQuat::from_xyzw(from.f64()?, from.f64()?, from.f64()?, from.f64()?);
    // A comparison with NaN is false.
    if (q.length() - 1.0).abs() < 1e-3 { Ok(q) } else { Err(from.malformed("an orientation is not a rotation")) }
}

/// Packs an orientation into `3 bits + 2` bits.
fn pack(q: DQuat, bits: u32) -> u64 {
    let c = q.normalize().to_array();
    let largest = (0..4).fold(0, |best, i| if c[i].abs() > c[best].abs() { i } else { best });
    let sign = if c[largest] < 0.0 { -1.0 } else { 1.0 };
    let most = ((1_u64 << bits) - 1) as f64;
    // An even number of steps, so that zero, and with it the identity, is met exactly.
    let half = ((most - 1.0) / 2.0).round();
    let code = |a: f64| ((sign * a * SQRT_2 * half).round() + half).clamp(0.0, most) as u64;
    (0..4).filter(|&i| i != largest).fold(largest as u64, |packed, i| packed << bits | code(c[i]))
}

/// The orientation packed by [`pack`]; any bits give a unit quaternion.
fn unpack(packed: u64, bits: u32) -> DQuat {
    let mask = (1_u64 << bits) - 1;
    let half = ((mask as f64 - 1.0) / 2.0).round();
    let value = |place: u32| ((packed >> (place * bits) & mask) as f64 - half) / half * FRAC_1_SQRT_2;
    let rest = [value(2), value(1), value(0)];
    let largest = (packed >> (3 * bits) & 3) as usize;
    let mut c = [0.0; 4];
    c[largest] = (1.0 - rest.iter().map(|a| a * a).sum::<f64>()).max(0.0).sqrt();
    for (i, a) in (0..4).filter(|&i| i != largest).zip(rest) {
        c[i] = a;
    }
    DQuat::from_array(c).normalize()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use kreisel::DVec3;

    #[test]
    fn an_orientation_comes_back_within_its_resolution() {
        for i in 0..2000 {
            let t = i as f64;
            let q = DQuat::from_axis_angle(DVec3::new(t.sin(), t.cos(), (1.7 * t).sin()).normalize(), 0.37 * t);
            for bits in [COARSE, FINE] {
                let error = unpack(pack(q, bits), bits).angle_between(q);
                // acos near 1 resolves angles only to about 3e-8.
                assert!(error < 5.0 / (1_u64 << bits) as f64 + 1e-7, "{error} at {bits} bits");
            }
        }
    }

    #[test]
    fn many_elements_turn_exactly_and_what_is_no_rotation_is_refused() {
        let q = DQuat::from_axis_angle(DVec3::Z, 0.1234);
        let mut out = Vec::new();
        write(&mut out, q, 8, false);
        assert_eq!(read(&mut Reader::new("test", &out), 8, false).unwrap(), q);
        assert!(read(&mut Reader::new("test", &[0; 32]), 8, false).is_err());
        assert!(read(&mut Reader::new("test", &[0xff; 32]), 8, false).is_err());
    }

    #[test]
    fn the_identity_is_exact() {
        assert_eq!(unpack(pack(DQuat::IDENTITY, COARSE), COARSE), DQuat::IDENTITY);
        assert_eq!(unpack(pack(-DQuat::IDENTITY, FINE), FINE), DQuat::IDENTITY);
    }

    #[test]
    fn any_bits_give_a_unit_quaternion() {
        for i in 0..1000_u64 {
            let bits = i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            assert!((unpack(bits, FINE).length() - 1.0).abs() < 1e-12);
            assert!((unpack(bits, COARSE).length() - 1.0).abs() < 1e-12);
        }
    }
}
