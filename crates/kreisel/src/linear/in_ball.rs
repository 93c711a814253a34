//! The smallest value of `½ pᵀ T p + bᵀ p` in the ball `|p| ≤ R`: friction of a given push in its own block. [MS83]
//!
//! Inside the ball `p = −T⁻¹ b`; else `p(α) = −(T + α 1)⁻¹ b` with `|p(α)| = R`, `α > 0`: the slip `b + T p = −α p` is against
//! the friction. `1/|p(α)|` is nearly linear in `α` and concave: Newton's method rises to the root without overshooting.

use glamx::{DMat3, DVec3};

/// Newton steps at most; three or four are usual.
const STEPS: u32 = 60;
/// The root is found when `|p|/R` is this near to one.
const ROUND_OFF: f64 = 4e-15;

/// Minimises in the ball of the given radius; `t` must be symmetric and positive definite.
pub fn minimise(t: &DMat3, b: DVec3, radius: f64) -> DVec3 {
    if radius.is_nan() || radius <= 0.0 || b == DVec3::ZERO {
        return DVec3::ZERO;
    }
    let free = -(t.inverse() * b);
    if free.is_finite() && free.length() <= radius {
        return free;
    }
    let (mut alpha, mut p) = (0.0, free);
    for _ in 0..STEPS {
        let shifted = (*t + DMat3::from_diagonal(DVec3::splat(alpha))).inverse();
        p = -(shifted * b);
        let size = p.length();
        if (size / radius - 1.0).abs() <= ROUND_OFF {
            break;
        }
        // d|p|/dα = −pᵀ(T + α)⁻¹p/|p|.
        let step = size * size / p.dot(shifted * p) * (size - radius) / radius;
        let next = alpha + step;
        if !next.is_finite() || next == alpha {
            break;
        }
        alpha = next.max(0.0);
    }
    p.try_normalize().map_or(DVec3::ZERO, |direction| direction * radius)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn friction_is_against_the_slip_that_it_leaves() {
        let t = DMat3::from_cols(DVec3::new(2.0, 0.3, 0.1), DVec3::new(0.3, 1.0, -0.2), DVec3::new(0.1, -0.2, 0.1));
        for (b, radius) in [(DVec3::new(1.0, -2.0, 0.5), 0.4), (DVec3::new(0.1, 0.0, 3.0), 7.0)] {
            let p = minimise(&t, b, radius);
            let slip = b + t * p;
            assert!((p.length() - radius).abs() < 1e-12);
            assert!(slip.cross(p).length() < 1e-9 * slip.length() * radius && slip.dot(p) < 0.0, "{slip} {p}");
        }
    }

    #[test]
    fn what_friction_can_hold_it_holds() {
        let t = DMat3::from_diagonal(DVec3::new(2.0, 1.0, 0.5));
        let p = minimise(&t, DVec3::new(0.2, 0.1, 0.1), 1.0);
        assert!((p - DVec3::new(-0.1, -0.1, -0.2)).length() < 1e-15);
        assert_eq!(minimise(&t, DVec3::X, 0.0), DVec3::ZERO);
    }
}
