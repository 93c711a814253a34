//! The block `W_ii = J M⁻¹ Jᵀ` of one contact, and its inverses.

use crate::contact::constraint::carriers::{Carrier, Member, mobility};
use glamx::{DMat2, DMat3, DVec2, DVec3};

/// The block of a contact, `Σ axisᵀ (1/m − [r]× I⁻¹ [r]×) axis` over both sides.
pub fn own_block(axes: &[DVec3; 3], (a, arm_a): (&Carrier, DVec3), (b, arm_b): (&Carrier, DVec3)) -> DMat3 {
    let (turn_a, turn_b) = (axes.map(|axis| arm_a.cross(axis)), axes.map(|axis| arm_b.cross(axis)));
    let (lift_a, lift_b) = (turn_a.map(|t| a.inverse_inertia * t), turn_b.map(|t| b.inverse_inertia * t));
    let mass = a.inverse_mass + b.inverse_mass;
    let entry = |i: usize, j: usize| {
        let push = if i == j { mass } else { 0.0 };
        push + turn_a[i].dot(lift_a[j]) + turn_b[i].dot(lift_b[j])
    };
    let (xy, xz, yz) = (entry(0, 1), entry(0, 2), entry(1, 2));
    DMat3::from_cols(DVec3::new(entry(0, 0), xy, xz), DVec3::new(xy, entry(1, 1), yz), DVec3::new(xz, yz, entry(2, 2)))
}

/// The block of a contact with seats, `Cᵀ (W_A + W_B − W_AB − W_BA) C`: both sides may share carriers.
pub fn seated_block(axes: &[DVec3; 3], a: &[Member], b: &[Member], carriers: &[Carrier]) -> DMat3 {
    let c = DMat3::from_cols(axes[0], axes[1], axes[2]);
    let across = mobility(a, b, carriers);
    let w = mobility(a, a, carriers) + mobility(b, b, carriers) - across - across.transpose();
    c.transpose() * w * c
}

/// Inverse of a symmetric block, zero where it is as good as singular.
pub fn inverse(w: &DMat3) -> DMat3 {
    let size = w.x_axis.x.max(w.y_axis.y).max(w.z_axis.z);
    if w.determinant() > 1e-12 * size * size * size { w.inverse() } else { DMat3::ZERO }
}

/// The inverse of the tangential block `(a b; b c)`; where it is as good as singular, that of its largest eigenvalue.
#[inline]
pub fn tangential(a: f64, b: f64, c: f64) -> DMat2 {
    let det = a * c - b * b;
    if det > 1e-12 * (a + c) * (a + c) {
        return DMat2::from_cols_array(&[c / det, -b / det, -b / det, a / det]);
    }
    DMat2::from_diagonal(DVec2::splat(gentle(a, b, c)))
}

/// The inverse of the largest eigenvalue of the tangential block; zero where nothing moves.
#[inline]
pub fn gentle(a: f64, b: f64, c: f64) -> f64 {
    let largest = 0.5 * (a + c) + (0.25 * (a - c) * (a - c) + b * b).sqrt();
    if largest > 0.0 { 1.0 / largest } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tangential_block_is_inverted_and_gently_so_where_it_is_singular() {
        let (a, b, c) = (3.0, -0.7, 0.5);
        let one = tangential(a, b, c) * DMat2::from_cols_array(&[a, b, b, c]);
        assert!((one - DMat2::IDENTITY).to_cols_array().iter().all(|x| x.abs() < 1e-15), "{one}");
        // Eigenvalues of (4 2; 2 1) are 5 and 0.
        assert_eq!(tangential(4.0, 2.0, 1.0), DMat2::from_diagonal(DVec2::splat(0.2)));
        assert_eq!(tangential(0.0, 0.0, 0.0), DMat2::ZERO);
    }
}
