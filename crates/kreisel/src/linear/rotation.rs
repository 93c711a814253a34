//! Free rotation of a rigid body with constant angular momentum.
//!
//! The implicit midpoint `ω_m = R_m I⁻¹ R_mᵀ L`, `R_m = exp(h ω_m / 2) R`, `R⁺ = exp(h ω_m) R` keeps `L` exactly, is
//! symmetric and of second order; three of them with steps `γ, 1 − 2γ, γ`, `γ = 1/(2 − 2^{1/3})`, are of fourth
//! order [Yos90]. A spherical body turns about `L` exactly.

use glamx::{DQuat, DVec3};

const GAMMA: f64 = 1.351_207_191_959_657_8; // 1/(2 − 2^{1/3})
const ITERATIONS: usize = 12;

/// Orientation after the time `h` [s] of a free body with principal `inverse_moments` [1/(kg m²)] and angular momentum
/// `l` [kg m²/s], world axes.
pub fn rotate_freely(q: DQuat, inverse_moments: DVec3, l: DVec3, h: f64) -> DQuat {
    let spread = inverse_moments.max_element() - inverse_moments.min_element();
    if spread <= 1e-14 * inverse_moments.max_element() {
        return (DQuat::from_scaled_axis(l * (inverse_moments.x * h)) * q).normalize();
    }
    let mut turned = q;
    for share in [GAMMA, 1.0 - 2.0 * GAMMA, GAMMA] {
        turned = midpoint(turned, inverse_moments, l, share * h);
    }
    turned.normalize()
}

/// Angular velocity of a body with orientation `q`.
pub fn spin_of(q: DQuat, inverse_moments: DVec3, l: DVec3) -> DVec3 {
    q * (inverse_moments * (q.inverse() * l))
}

fn midpoint(q: DQuat, inverse_moments: DVec3, l: DVec3, h: f64) -> DQuat {
    let mut w = spin_of(q, inverse_moments, l);
    for _ in 0..ITERATIONS {
        let middle = DQuat::from_scaled_axis(w * (0.5 * h)) * q;
        let next = spin_of(middle, inverse_moments, l);
        let change = (next - w).length();
        w = next;
        if change <= 1e-15 * w.length() {
            break;
        }
    }
    DQuat::from_scaled_axis(w * h) * q
}

#[cfg(test)]
mod tests {
    use super::*;

    fn energy(q: DQuat, inverse: DVec3, l: DVec3) -> f64 {
        0.5 * l.dot(spin_of(q, inverse, l))
    }

    #[test]
    fn the_energy_error_of_an_asymmetric_top_falls_with_the_fourth_power_of_the_step() {
        let inverse = DVec3::new(1.0, 0.5, 1.0 / 3.0);
        let l = DVec3::new(0.8, 1.7, 2.0);
        let error = |n: u32| {
            let (h, mut q) = (2.0 / f64::from(n), DQuat::IDENTITY);
            for _ in 0..n {
                q = rotate_freely(q, inverse, l, h);
            }
            (energy(q, inverse, l) - energy(DQuat::IDENTITY, inverse, l)).abs()
        };
        let order = (error(20) / error(40)).log2();
        assert!((3.5..4.8).contains(&order), "order {order}");
    }

    #[test]
    fn a_ball_turns_about_its_angular_momentum() {
        let q = rotate_freely(DQuat::IDENTITY, DVec3::splat(2.0), DVec3::new(0.0, 0.0, 0.25), 1.0);
        assert!((q * DVec3::X - DVec3::new(0.5f64.cos(), 0.5f64.sin(), 0.0)).length() < 1e-15);
    }
}
