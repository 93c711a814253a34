//! Central differences: every force is held against the change of its energy, every differential against the change
//! of its force.

use crate::linear::Vectors;
use glamx::DVec3;

/// A field of `n` vectors with components in ±1 that have no pattern, the same at every run.
pub fn scattered(n: usize, seed: u64) -> Vectors {
    let mut s = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        s = s.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (s >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let mut field = Vectors::default();
    for _ in 0..n {
        field.push(DVec3::new(next(), next(), next()));
    }
    field
}

/// `x + s d`.
pub fn moved(x: &Vectors, s: f64, d: &Vectors) -> Vectors {
    let mut y = x.clone();
    y.axpy(s, d);
    y
}

/// `−f·d` and the rate of the energy along `d` agree to 1e-6.
pub fn assert_force_is_minus_gradient(energy: impl Fn(&Vectors) -> f64, force: &Vectors, x: &Vectors) {
    for seed in 1..8 {
        let d = scattered(x.len(), seed);
        let rate = (energy(&moved(x, STEP, &d)) - energy(&moved(x, -STEP, &d))) / (2.0 * STEP);
        let expected = -force.dot(&d);
        assert!((rate - expected).abs() < 1e-6 * (1.0 + expected.abs()), "{rate} against {expected}");
    }
}

/// The differential and the rate of the force along `d` agree to 1e-6.
pub fn assert_differential(
    force: impl Fn(&Vectors) -> Vectors,
    differential: impl Fn(&Vectors) -> Vectors,
    x: &Vectors,
) {
    for seed in 1..8 {
        let d = scattered(x.len(), seed);
        let (ahead, behind, exact) = (force(&moved(x, STEP, &d)), force(&moved(x, -STEP, &d)), differential(&d));
        for i in 0..x.len() {
            let rate = (ahead.get(i) - behind.get(i)) / (2.0 * STEP);
            let error = (rate - exact.get(i)).length();
            assert!(error < 1e-6 * (1.0 + rate.length()), "element {i}: {rate} against {}", exact.get(i));
        }
    }
}

const STEP: f64 = 1e-4;
