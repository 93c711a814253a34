//! Largest eigenvalue of a small symmetric matrix, by Jacobi rotations.

/// Largest eigenvalue of a symmetric 6×6 matrix.
pub fn largest_eigenvalue_6(mut a: [[f64; 6]; 6]) -> f64 {
    for _ in 0..30 {
        let mut off = 0.0;
        for p in 0..6 {
            for q in p + 1..6 {
                off += a[p][q] * a[p][q];
                rotate(&mut a, p, q);
            }
        }
        let scale: f64 = (0..6).map(|i| a[i][i] * a[i][i]).sum();
        if off <= 1e-24 * scale {
            break;
        }
    }
    (0..6).map(|i| a[i][i]).fold(0.0, f64::max)
}

/// The similarity with the plane rotation that makes `a[p][q]` zero.
fn rotate(a: &mut [[f64; 6]; 6], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in a.iter_mut() {
        let (x, y) = (row[p], row[q]);
        (row[p], row[q]) = (c * x - s * y, s * x + c * y);
    }
    let (above, below) = (a[p], a[q]);
    a[p] = std::array::from_fn(|k| c * above[k] - s * below[k]);
    a[q] = std::array::from_fn(|k| s * above[k] + c * below[k]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_eigenvalue_of_a_chain_matrix_is_known() {
        let mut a = [[0.0; 6]; 6];
        for i in 0..6 {
            a[i][i] = 2.0;
            if i > 0 {
                (a[i][i - 1], a[i - 1][i]) = (-1.0, -1.0);
            }
        }
        let expected = 2.0 + 2.0 * (std::f64::consts::PI / 7.0).cos();
        assert!((largest_eigenvalue_6(a) - expected).abs() < 1e-14);
    }
}
