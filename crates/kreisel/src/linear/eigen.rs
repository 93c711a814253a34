//! Symmetric 3×3 matrices: eigenvalues, principal frames, pseudo-inverses.

use glamx::{DMat3, DQuat, DVec3};

/// Eigenvalues of a symmetric matrix and the rotation whose columns are its axes (`det = +1`).
///
/// Cyclic Jacobi rotations [GVL13 sec. 8.5]. The closed form by the cubic's roots (as in `glamx`) loses half the
/// digits where two eigenvalues nearly agree, and a cube has three: angular momentum would leak at every switch.
pub fn principal_frame(m: DMat3) -> (DVec3, DQuat) {
    let scale = m.x_axis.abs().max(m.y_axis.abs()).max(m.z_axis.abs()).max_element();
    if scale == 0.0 || !scale.is_finite() {
        return (m.diagonal(), DQuat::IDENTITY);
    }
    let (mut a, mut axes) = (m * (1.0 / scale), DMat3::IDENTITY);
    for _ in 0..SWEEPS {
        if a.y_axis.x.abs() + a.z_axis.x.abs() + a.z_axis.y.abs() <= f64::MIN_POSITIVE {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let turn = jacobi_rotation(&a, p, q);
            a = turn.transpose() * a * turn;
            axes *= turn;
        }
    }
    (a.diagonal() * scale, DQuat::from_mat3(&axes).normalize())
}

/// Convergence is quadratic: five sweeps reach round-off, the rest is reserve.
const SWEEPS: usize = 12;

/// The plane rotation that makes `a[p][q]` zero.
fn jacobi_rotation(a: &DMat3, p: usize, q: usize) -> DMat3 {
    let apq = a.col(q)[p];
    if apq == 0.0 {
        return DMat3::IDENTITY;
    }
    let theta = (a.col(q)[q] - a.col(p)[p]) / (2.0 * apq);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let mut turn = DMat3::IDENTITY;
    turn.col_mut(p)[p] = c;
    turn.col_mut(q)[q] = c;
    turn.col_mut(q)[p] = t * c;
    turn.col_mut(p)[q] = -t * c;
    turn
}

/// Largest eigenvalue of a symmetric positive semidefinite matrix.
pub fn largest_eigenvalue(m: DMat3) -> f64 {
    principal_frame(m).0.max_element()
}

/// Pseudo-inverse of a symmetric positive semidefinite matrix: eigenvalues below `1e-9` of the largest count as zero.
pub fn pseudo_inverse(m: DMat3) -> DMat3 {
    let (values, frame) = principal_frame(m);
    let floor = 1e-9 * values.max_element();
    let inverse = |a: f64| if a > floor { 1.0 / a } else { 0.0 };
    let r = DMat3::from_quat(frame);
    r * DMat3::from_diagonal(DVec3::new(inverse(values.x), inverse(values.y), inverse(values.z))) * r.transpose()
}

/// `|y|² 1 − y yᵀ`: the inertia of a unit mass at `y`.
pub fn inertia_of_point(y: DVec3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(y.length_squared())) - outer(y, y)
}

/// The outer product `a bᵀ`.
pub fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> DMat3 {
        let a = DVec3::new(1.0, 2.0, -0.5);
        inertia_of_point(a) + inertia_of_point(DVec3::new(0.3, -0.7, 1.1)) * 2.0
    }

    #[test]
    fn the_principal_frame_rebuilds_the_matrix_at_every_scale() {
        for scale in [1e-20, 1.0, 1e15] {
            let m = sample() * scale;
            let (values, frame) = principal_frame(m);
            let r = DMat3::from_quat(frame);
            let back = r * DMat3::from_diagonal(values) * r.transpose();
            assert!((back - m).abs_diff_eq(DMat3::ZERO, 1e-14 * values.max_element()), "{back} {m}");
        }
    }

    #[test]
    fn nearly_equal_eigenvalues_lose_no_digits() {
        let turned = DMat3::from_quat(DQuat::from_rotation_x(0.3) * DQuat::from_rotation_z(1.1));
        let m = turned * DMat3::from_diagonal(DVec3::new(1.0, 1.0 + 1e-9, 1.0 - 3e-9)) * turned.transpose();
        let (values, frame) = principal_frame(m);
        let r = DMat3::from_quat(frame);
        let back = r * DMat3::from_diagonal(values) * r.transpose();
        assert!((back - m).abs_diff_eq(DMat3::ZERO, 3e-15), "{back} {m}");
    }

    #[test]
    fn the_pseudo_inverse_of_a_rod_leaves_its_axis_alone() {
        let rod = inertia_of_point(DVec3::new(0.0, 0.0, 2.0));
        let p = pseudo_inverse(rod);
        assert!((p * DVec3::X - DVec3::X / 4.0).length() < 1e-15);
        assert!((p * DVec3::Z).length() < 1e-12);
    }
}
