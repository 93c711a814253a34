//! Mathematics of the references: elliptic integrals and an independent integration of small systems.

use std::f64::consts::PI;

/// Complete elliptic integral of the first kind from the complementary modulus: `K = π / (2 AGM(1, k′))`, `k′² = 1 − k²`.
/// [Abramowitz and Stegun 17.6]
pub fn elliptic_k(complementary_modulus: f64) -> f64 {
    let (mut a, mut b) = (1.0, complementary_modulus);
    for _ in 0..60 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    PI / (2.0 * a)
}

/// One step of the classical Runge–Kutta method of fourth order for `y′ = f(t, y)`.
pub fn runge_kutta<const N: usize>(f: &impl Fn(f64, &[f64; N]) -> [f64; N], t: f64, y: &[f64; N], h: f64) -> [f64; N] {
    let moved = |k: &[f64; N], s: f64| -> [f64; N] { std::array::from_fn(|i| y[i] + s * k[i]) };
    let k1 = f(t, y);
    let k2 = f(t + 0.5 * h, &moved(&k1, 0.5 * h));
    let k3 = f(t + 0.5 * h, &moved(&k2, 0.5 * h));
    let k4 = f(t + h, &moved(&k3, h));
    std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_elliptic_integral_has_its_known_values() {
        assert!((elliptic_k(1.0) - PI / 2.0).abs() < 1e-15);
        assert!((elliptic_k(0.5_f64.sqrt()) - 1.854_074_677_301_372).abs() < 1e-14);
    }

    #[test]
    fn runge_kutta_follows_the_circle() {
        let mut y = [1.0, 0.0];
        for k in 0..1000 {
            y = runge_kutta(&|_, y: &[f64; 2]| [y[1], -y[0]], 1e-3 * f64::from(k), &y, 1e-3);
        }
        assert!((y[0] - 1f64.cos()).abs() < 1e-13 && (y[1] + 1f64.sin()).abs() < 1e-13);
    }
}
