//! Cholesky factors of small dense matrices that need not be definite: rows that follow from others are left out.
//!
//! `A = L Lᵀ` on the rows that are kept; the solution of `A x = b` has nothing in the others, and solves their equations too
//! where they agree with the rest.
//!
//! The next row is always the one of which most is left beside those before: `s_i = a_ii − Σ l_ik²` as a share of `a_ii`. Then
//! `l_ik² ≤ s_k a_ii / a_kk`, no row is made of others by large factors, and what rounding leaves of one that follows from them is some
//! units in the last place [GVL13 ch. 4]. In any other order such a row may be the difference of large multiples of others,
//! and rounding times the squares of those is taken for something that is left, by which the solution is divided.

/// What is left of a row below this share of its diagonal is rounding: it follows from others [1].
const DEPENDENT: f64 = 1e-12;

/// The factor of a symmetric matrix without negative eigenvalues.
#[derive(Clone, Debug, Default)]
pub struct SemiCholesky {
    /// Rows of `L`: those that are kept up to their diagonal.
    lower: Vec<Vec<f64>>,
    /// The rows that are kept, in the order in which they were taken.
    order: Vec<usize>,
}

impl SemiCholesky {
    /// Factors the matrix with these entries.
    pub fn new(size: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let own: Vec<f64> = (0..size).map(|i| entry(i, i)).collect();
        let mut left = own.clone();
        let mut factor = Self { lower: vec![Vec::new(); size], order: Vec::new() };
        let mut waiting: Vec<usize> = (0..size).filter(|&i| own[i] > 0.0).collect();
        while let Some(next) = largest(&waiting, |i| left[i] / own[i]) {
            let taken = waiting.remove(next);
            if left[taken] <= DEPENDENT * own[taken] {
                break;
            }
            let root = left[taken].sqrt();
            for &i in &waiting {
                let l = (entry(i, taken) - dot(&factor.lower[i], &factor.lower[taken])) / root;
                left[i] -= l * l;
                factor.lower[i].push(l);
            }
            factor.lower[taken].push(root);
            factor.order.push(taken);
        }
        factor
    }

    /// `b ← L⁻¹ b`, in the order in which rows were taken.
    pub fn solve_lower(&self, b: &mut [f64]) {
        let mut solved = Vec::with_capacity(b.len());
        for (k, &i) in self.order.iter().enumerate() {
            let row = &self.lower[i];
            solved.push((b[i] - dot(&solved, row)) / row[k]);
        }
        solved.resize(b.len(), 0.0);
        b.copy_from_slice(&solved);
    }

    /// `b ← L⁻ᵀ b`, from that order into that of the matrix.
    pub fn solve_upper(&self, b: &mut [f64]) {
        let mut solved = vec![0.0; b.len()];
        for (k, &i) in self.order.iter().enumerate().rev() {
            let row = &self.lower[i];
            let x = b[k] / row[k];
            b.iter_mut().zip(&row[..k]).for_each(|(b, l)| *b -= l * x);
            solved[i] = x;
        }
        b.copy_from_slice(&solved);
    }
}

/// Place of the largest in a list, the first of those that are equal.
fn largest(list: &[usize], of: impl Fn(usize) -> f64) -> Option<usize> {
    (0..list.len()).reduce(|best, k| if of(list[k]) > of(list[best]) { k } else { best })
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
        assert_eq!(factor.order.len(), 3, "{:?}", factor.order);
        let wanted = [0.7, -1.2, 0.4, 2.0];
        let b: Vec<f64> = a.iter().map(|row| dot(row, &wanted)).collect();
        let mut x = b.clone();
        factor.solve_lower(&mut x);
        factor.solve_upper(&mut x);
        assert!((0..4).all(|i| factor.order.contains(&i) || x[i] == 0.0));
        let left = a.iter().zip(&b).map(|(row, b)| (dot(row, &x) - b).abs()).fold(0.0, f64::max);
        assert!(left < 1e-12, "{left}");
    }

    #[test]
    fn a_row_that_is_a_difference_of_large_multiples_of_others_is_left_out_too() {
        // The third is ten thousand times the difference of the first two.
        let first = [0.3, -1.1, 0.7];
        let third = [0.9, 0.2, -0.4];
        let second: [f64; 3] = std::array::from_fn(|k| first[k] + 1e-4 * third[k]);
        let rows = [first, second, third];
        let a: Vec<Vec<f64>> = rows.iter().map(|r| rows.iter().map(|s| dot(r, s)).collect()).collect();
        let factor = SemiCholesky::new(3, |i, j| a[i][j]);
        assert_eq!(factor.order.len(), 2, "{factor:?}");
        let b: Vec<f64> = rows.iter().map(|row| dot(row, &[0.5, 0.1, -0.8])).collect();
        let mut x = b.clone();
        factor.solve_lower(&mut x);
        factor.solve_upper(&mut x);
        assert!(x.iter().all(|x| x.abs() < 10.0), "{x:?}");
    }
}
