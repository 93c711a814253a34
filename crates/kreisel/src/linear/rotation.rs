//! Free rotation of a rigid body with constant angular momentum `L`.
//!
//! In body axes the energy is `|L|²/2I₀ + Σ_k (1/I_k − 1/I₀) L_k²/2`, `I₀` the middle moment. The first term alone turns
//! the body about `L` and commutes with the rest; each other term turns it about its own axis at the constant rate
//! `(1/I_k − 1/I₀) L_k`. Half of one, the other, half of the one is symmetric and of second order [DLM97]; three of
//! these with steps `γ, 1 − 2γ, γ`, `γ = 1/(2 − 2^{1/3})`, are of fourth order [Yos90]. `L` is kept exactly, spheres and
//! symmetric tops turn exactly, nothing is iterated: thin rods, whose spin about themselves is fast, need no small steps.

use glamx::{DQuat, DVec3};

const GAMMA: f64 = 1.351_207_191_959_657_8; // 1/(2 − 2^{1/3})

/// Orientation after the time `h` [s] of a free body with principal `inverse_moments` [1/(kg m²)] and angular momentum
/// `l` [kg m²/s], world axes.
pub fn rotate_freely(q: DQuat, inverse_moments: DVec3, l: DVec3, h: f64) -> DQuat {
    if l == DVec3::ZERO {
        return q.normalize();
    }
    let inverse = inverse_moments.to_array();
    let mut axes = [0, 1, 2];
    axes.sort_by(|&a, &b| inverse[a].total_cmp(&inverse[b]));
    let [slow, middle, fast] = axes;
    let excess = |k: usize| inverse[k] - inverse[middle];
    let mut turned = q;
    for share in [GAMMA, 1.0 - 2.0 * GAMMA, GAMMA] {
        let h = share * h;
        turned = turn_about(turned, fast, excess(fast), l, 0.5 * h);
        turned = turn_about(turned, slow, excess(slow), l, h);
        turned = turn_about(turned, fast, excess(fast), l, 0.5 * h);
    }
    (DQuat::from_scaled_axis(l * (inverse[middle] * h)) * turned).normalize()
}

/// The body turns about its own axis `k` at the rate `c L_k`.
fn turn_about(q: DQuat, k: usize, c: f64, l: DVec3, h: f64) -> DQuat {
    if c == 0.0 {
        return q;
    }
    let rate = c * (q.inverse() * l)[k];
    q * DQuat::from_axis_angle(DVec3::AXES[k], rate * h)
}

/// Angular velocity of a body with orientation `q`.
pub fn spin_of(q: DQuat, inverse_moments: DVec3, l: DVec3) -> DVec3 {
    q * (inverse_moments * (q.inverse() * l))
}

/// The shortest rotation from one orientation to another, as axis times angle [rad].
///
/// By the sine of half the angle: the cosine cannot tell an angle of 1e-8 from none.
pub fn rotation_between(from: DQuat, to: DQuat) -> DVec3 {
    let q = to * from.inverse();
    let (v, w) = (DVec3::new(q.x, q.y, q.z), q.w);
    let sine = v.length();
    let half = if w < 0.0 { (-sine).atan2(-w) } else { sine.atan2(w) };
    if sine > 0.0 { v * (2.0 * half / sine) } else { DVec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_is_found_again_however_small() {
        let from = DQuat::from_rotation_y(0.7) * DQuat::from_rotation_z(-2.0);
        for angle in [1e-14, 1e-9, 1e-4, 1.0, 3.1] {
            let vector = DVec3::new(2.0, -1.0, 2.0) / 3.0 * angle;
            let to = DQuat::from_scaled_axis(vector) * from;
            let error = (rotation_between(from, to) - vector).length();
            assert!(error < 1e-15 * (1.0 + angle) * 8.0, "{angle}: {error:e}");
            assert!((rotation_between(from, -to) - vector).length() < 1e-14);
        }
    }

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

    #[test]
    fn a_thin_rod_with_a_large_step_keeps_its_energy() {
        // hL/I = 1e4 about the rod: an iterated midpoint would not converge.
        let inverse = DVec3::new(1.0, 1.001, 1e6);
        let l = DVec3::new(0.3, 0.7, 0.0);
        let mut q = DQuat::from_rotation_x(1e-4) * DQuat::from_rotation_y(-2e-4);
        let first = energy(q, inverse, l);
        for _ in 0..1000 {
            q = rotate_freely(q, inverse, l, 0.01);
            assert!(
                (energy(q, inverse, l) / first - 1.0).abs() < 1e-2,
                "{} J became {} J",
                first,
                energy(q, inverse, l)
            );
        }
    }

    #[test]
    fn a_symmetric_top_turns_exactly() {
        // Precession about L at L/I₁, spin about its own axis at (1/I₃ − 1/I₁) L₃.
        let (inverse, l) = (DVec3::new(0.5, 0.5, 1.7), DVec3::new(0.8, 0.0, 1.1));
        let (q, h) = (DQuat::from_rotation_y(0.3), 2.5);
        let own = (1.7 - 0.5) * (q.inverse() * l).z;
        let exact = DQuat::from_scaled_axis(l * 0.5 * h) * q * DQuat::from_rotation_z(own * h);
        let found = rotate_freely(q, inverse, l, h);
        assert!(exact.dot(found).abs() > 1.0 - 1e-14);
    }
}
