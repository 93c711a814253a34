//! All eigenvalues and eigenvectors of a small dense symmetric matrix.
//!
//! Householder reflections make it tridiagonal, then implicit QR steps with Wilkinson's shift make it diagonal
//! [GVL13 sec. 8.3]: about `9 n³` operations.

/// Eigenvalues, ascending, with their eigenvectors.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseEigen {
    /// The eigenvalues, ascending.
    pub values: Vec<f64>,
    /// An orthonormal eigenvector for each.
    pub vectors: Vec<Vec<f64>>,
}

/// QR steps that one eigenvalue may take; two or three are usual.
const STEPS_PER_VALUE: usize = 60;

/// Solves `A v = λ v` for a symmetric matrix given by its rows, of which the lower triangle is read.
///
/// `None` if a number is not finite: nothing else keeps the iteration from its end.
pub fn symmetric_eigen(rows: &[Vec<f64>]) -> Option<DenseEigen> {
    let n = rows.len();
    let mut a: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| if j <= i { rows[i][j] } else { rows[j][i] }).collect()).collect();
    if a.iter().flatten().any(|x| !x.is_finite()) {
        return None;
    }
    // Row k of `q` becomes the k-th eigenvector.
    let mut q: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let (mut d, mut e) = tridiagonalise(&mut a, &mut q);
    diagonalise(&mut d, &mut e, &mut q)?;
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| d[i].total_cmp(&d[j]));
    let vectors = order.iter().map(|&i| std::mem::take(&mut q[i])).collect();
    Some(DenseEigen { values: order.iter().map(|&i| d[i]).collect(), vectors })
}

/// Reflections `1 − β v vᵀ` from both sides, column by column; returns the diagonal and the one beside it.
fn tridiagonalise(a: &mut [Vec<f64>], q: &mut [Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
    let n = a.len();
    for k in 0..n.saturating_sub(2) {
        let mut v: Vec<f64> = (0..n).map(|i| if i > k { a[i][k] } else { 0.0 }).collect();
        if v[k + 2..].iter().all(|x| *x == 0.0) {
            continue;
        }
        let scale = v.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
        v.iter_mut().for_each(|x| *x /= scale);
        v[k + 1] += dot(&v, &v).sqrt().copysign(v[k + 1]);
        let beta = 2.0 / dot(&v, &v);
        reflect_both_sides(a, &v, beta);
        // Eigenvectors of A are those of the reflected matrix, reflected back: `Q ← H Q`, rows in turn.
        let mut shares = vec![0.0; n];
        (k + 1..n).for_each(|i| add_scaled(&mut shares, beta * v[i], &q[i]));
        (k + 1..n).for_each(|i| add_scaled(&mut q[i], -v[i], &shares));
    }
    let d = (0..n).map(|i| a[i][i]).collect();
    (d, (1..n).map(|i| a[i][i - 1]).collect())
}

/// `A ← H A H = A − v wᵀ − w vᵀ`, `p = β A v`, `w = p − (β pᵀv / 2) v`.
fn reflect_both_sides(a: &mut [Vec<f64>], v: &[f64], beta: f64) {
    let mut w: Vec<f64> = a.iter().map(|row| beta * dot(row, v)).collect();
    let half = 0.5 * beta * dot(&w, v);
    add_scaled(&mut w, -half, v);
    for (i, row) in a.iter_mut().enumerate() {
        add_scaled(row, -v[i], &w);
        add_scaled(row, -w[i], v);
    }
}

/// Shifted QR steps until nothing is left beside the diagonal; rows of `q` turn along.
fn diagonalise(d: &mut [f64], e: &mut [f64], q: &mut [Vec<f64>]) -> Option<()> {
    let mut high = d.len().saturating_sub(1);
    let mut steps = STEPS_PER_VALUE * d.len();
    while high > 0 {
        for i in 0..high {
            if e[i].abs() <= f64::EPSILON * (d[i].abs() + d[i + 1].abs()) {
                e[i] = 0.0;
            }
        }
        if e[high - 1] == 0.0 {
            high -= 1;
            continue;
        }
        let low = (0..high).rev().take_while(|&i| e[i] != 0.0).last().unwrap_or(high - 1);
        steps = steps.checked_sub(1)?;
        qr_step(d, e, q, low, high);
    }
    Some(())
}

/// One implicit QR step on rows `low..=high`: a rotation starts a bulge, the next ones chase it out.
fn qr_step(d: &mut [f64], e: &mut [f64], q: &mut [Vec<f64>], low: usize, high: usize) {
    let (t, f) = (0.5 * (d[high - 1] - d[high]), e[high - 1]);
    let shift = d[high] - f * f / (t + t.hypot(f).copysign(t));
    let (mut x, mut z) = (d[low] - shift, e[low]);
    for k in low..high {
        let r = x.hypot(z);
        let (c, s) = if r > 0.0 { (x / r, z / r) } else { (1.0, 0.0) };
        if k > low {
            e[k - 1] = r;
        }
        let (a, b, f) = (d[k], d[k + 1], e[k]);
        d[k] = c * c * a + 2.0 * c * s * f + s * s * b;
        d[k + 1] = s * s * a - 2.0 * c * s * f + c * c * b;
        e[k] = c * s * (b - a) + (c * c - s * s) * f;
        if k + 1 < high {
            (x, z) = (e[k], s * e[k + 1]);
            e[k + 1] *= c;
        }
        let (above, below) = q.split_at_mut(k + 1);
        for (a, b) in above[k].iter_mut().zip(&mut below[0]) {
            (*a, *b) = (c * *a + s * *b, c * *b - s * *a);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add_scaled(y: &mut [f64], s: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += s * x);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn noise(n: usize, seed: u64) -> Vec<Vec<f64>> {
        let mut s = seed;
        let mut next = || {
            s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (s >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        (0..n).map(|_| (0..n).map(|_| next()).collect()).collect()
    }

    #[test]
    fn the_eigenvalues_of_a_chain_matrix_are_known() {
        let n = 40;
        let entry = |i: usize, j: usize| f64::from([2, -1, 0][i.abs_diff(j).min(2)]);
        let rows: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let found = symmetric_eigen(&rows).unwrap();
        for (j, value) in found.values.iter().enumerate() {
            let exact = 2.0 - 2.0 * ((j + 1) as f64 * PI / (n + 1) as f64).cos();
            assert!((value - exact).abs() < 1e-14, "{value} {exact}");
        }
    }

    #[test]
    fn vectors_are_orthonormal_and_rebuild_the_matrix_even_with_equal_eigenvalues() {
        for (n, seed) in [(1, 1), (2, 2), (3, 3), (17, 4), (50, 5)] {
            let mut rows = noise(n, seed);
            if n == 17 {
                // Twice the projection on three directions: eigenvalues 2, 2, 2 and fourteen zeros.
                let basis = symmetric_eigen(&rows).unwrap().vectors;
                let entry = |i, j| (0..3).map(|k: usize| 2.0 * basis[k][i] * basis[k][j]).sum::<f64>();
                rows = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
            }
            let DenseEigen { values, vectors } = symmetric_eigen(&rows).unwrap();
            for i in 0..n {
                for j in 0..=i {
                    let unit = dot(&vectors[i], &vectors[j]) - f64::from(u8::from(i == j));
                    let back: f64 = (0..n).map(|k| values[k] * vectors[k][i] * vectors[k][j]).sum();
                    assert!(unit.abs() < 1e-13 && (back - rows[i][j]).abs() < 1e-13, "{n}: {unit} {back}");
                }
            }
        }
        assert_eq!(symmetric_eigen(&[vec![f64::NAN]]), None);
        assert!(symmetric_eigen(&[]).unwrap().values.is_empty());
    }
}
