//! Random numbers with a fixed seed. [SLF14]

use kreisel::{DQuat, DVec3};

/// The state.
pub struct Random(pub u64);

impl Random {
    /// A number, all equally likely.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number, all magnitudes equally likely.
    pub fn spread(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.between(0.0, 1.0))
    }

    /// A vector in a cube about the origin.
    pub fn vector(&mut self, reach: f64) -> DVec3 {
        DVec3::new(self.between(-reach, reach), self.between(-reach, reach), self.between(-reach, reach))
    }

    /// A rotation.
    pub fn rotation(&mut self) -> DQuat {
        DQuat::from_scaled_axis(self.vector(2.0))
    }
}
