//! A stable hash: FNV-1a, 64 bits. [FNV91]

use kreisel::DVec3;
use kreisel::linear::Vectors;

/// The running hash.
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds bytes: `h ← (h ⊕ byte) · prime`.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    pub(crate) fn write_u64(&mut self, a: u64) {
        self.write(&a.to_le_bytes());
    }

    /// Adds the bits of a number: −0.0 and 0.0 differ.
    pub(crate) fn write_f64(&mut self, a: f64) {
        self.write_u64(a.to_bits());
    }

    pub(crate) fn write_vector(&mut self, a: DVec3) {
        a.to_array().into_iter().for_each(|c| self.write_f64(c));
    }

    pub(crate) fn write_field(&mut self, field: &Vectors) {
        for component in [&field.x, &field.y, &field.z] {
            self.write_u64(component.len() as u64);
            component.iter().for_each(|&c| self.write_f64(c));
        }
    }

    pub(crate) fn value(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_agrees_with_published_values() {
        let hash = |s: &str| {
            let mut h = Fnv::default();
            h.write(s.as_bytes());
            h.value()
        };
        assert_eq!(hash(""), 0xcbf29ce484222325);
        assert_eq!(hash("a"), 0xaf63dc4c8601ec8c);
        assert_eq!(hash("foobar"), 0x85944171f73967e8);
    }
}
