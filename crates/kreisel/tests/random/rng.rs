//! A small random generator with a fixed course: SplitMix64 [SLF14].

use kreisel::{DQuat, DVec3};

/// Random numbers that depend on the seed and nothing else.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `[low, high)`.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in the logarithm.
    pub fn scale(&mut self, low: f64, high: f64) -> f64 {
        self.range(low.ln(), high.ln()).exp()
    }

    pub fn below(&mut self, n: u32) -> u32 {
        (self.bits() % u64::from(n.max(1))) as u32
    }

    pub fn chance(&mut self, p: f64) -> bool {
        self.range(0.0, 1.0) < p
    }

    pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u32) as usize].clone()
    }

    /// A vector with components in `[−size, size)`.
    pub fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.range(-size, size), self.range(-size, size), self.range(-size, size))
    }

    pub fn direction(&mut self) -> DVec3 {
        self.vector(1.0).normalize_or(DVec3::X)
    }

    pub fn rotation(&mut self) -> DQuat {
        DQuat::from_scaled_axis(self.vector(3.0))
    }
}
