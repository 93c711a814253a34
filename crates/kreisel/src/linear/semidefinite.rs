//! Cholesky factors of small dense matrices that need not be definite: rows that follow from those before them are left out.
//!
//! `A = L Lᵀ` on the rows that are kept; the solution of `A x = b` has nothing in the others, and solves their equations too
//! where they agree with the rest.

/// A pivot below this share of its diagonal is rounding: the row follows from others [1].
const DEPENDENT: f64 = 1e-12;

/// The factor of a symmetric matrix without negative eigenvalues.
#[derive(Clone, Debug, Default)]
pub struct SemiCholesky {
    /// Rows of `L`, one after the other, up to their diagonal.
    lower: Vec<Vec<f64>>,
    /// False for rows that are left out.
    kept: Vec<bool>,
}

impl SemiCholesky {
    /// Factors the matrix with these entries, of which the lower triangle is asked for.
    pub fn new(size: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let mut factor = Self::default();
        for i in 0..size {
            let mut row: Vec<f64> = Vec::with_capacity(i + 1);
            for j in 0..i {
                let inner = dot(&row, &factor.lower[j]);
                row.push(if factor.kept[j] { (entry(i, j) - inner) / factor.lower[j][j] } else { 0.0 });
            }
            let own = entry(i, i);
            let pivot = own - dot(&row, &row);
            factor.kept.push(pivot > DEPENDENT * own && pivot > 0.0);
            row.push(pivot.max(0.0).sqrt());
            factor.lower.push(row);
        }
        factor
    }

    /// `b ← L⁻¹ b`.
    pub fn solve_lower(&self, b: &mut [f64]) {
        for (i, row) in self.lower.iter().enumerate() {
            b[i] = if self.kept[i] { (b[i] - dot(&row[..i], b)) / row[i] } else { 0.0 };
        }
    }

    /// `b ← L⁻ᵀ b`.
    pub fn solve_upper(&self, b: &mut [f64]) {
        for (i, row) in self.lower.iter().enumerate().rev() {
            b[i] = if self.kept[i] { b[i] / row[i] } else { 0.0 };
            let solved = b[i];
            b.iter_mut().zip(&row[..i]).for_each(|(b, l)| *b -= l * solved);
        }
    }
}

/// Of the shorter one's length.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `A = Σ v vᵀ` over rows of `v`; the last of them repeats what the first two say together.
    fn gram() -> Vec<Vec<f64>> {
        let v = [[2.0, 0.3, -1.0, 0.0], [0.5, 1.5, 0.2, -0.4], [0.0, -0.7, 1.1, 0.9]];
        let mut rows: Vec<Vec<f64>> = v.iter().map(|r| r.to_vec()).collect();
        rows.push((0..4).map(|k| v[0][k] - 2.0 * v[1][k]).collect());
        let entry = |i: usize, j: usize| (0..4).map(|k| rows[i][k] * rows[j][k]).sum();
        (0..4).map(|i| (0..4).map(|j| entry(i, j)).collect()).collect()
    }

    #[test]
    fn a_row_that_follows_from_others_is_left_out_and_its_equation_holds_where_it_agrees() {
        let a = gram();
        let factor = SemiCholesky::new(4, |i, j| a[i][j]);
        assert_eq!(factor.kept, [true, true, true, false]);
        let wanted = [0.7, -1.2, 0.4, 2.0];
        let b: Vec<f64> = a.iter().map(|row| dot(row, &wanted)).collect();
        let mut x = b.clone();
        factor.solve_lower(&mut x);
        factor.solve_upper(&mut x);
        assert_eq!(x[3], 0.0);
        let left = a.iter().zip(&b).map(|(row, b)| (dot(row, &x) - b).abs()).fold(0.0, f64::max);
        assert!(left < 1e-12, "{left}");
    }
}
