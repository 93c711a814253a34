//! Linear complementarity problems, and how well a proposed answer solves one. [CPS92]

use super::twofold;
use crate::linear::lu::dot;

/// Find `z ≥ 0` with `w = M z + q ≥ 0` and `zᵀw = 0`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Lcp {
    /// `M`, row after row.
    m: Vec<f64>,
    /// `q`.
    q: Vec<f64>,
}

/// Why numbers are no complementarity problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LcpInputError {
    /// `M` has another number of entries than `q` asks for.
    Size {
        /// Entries of `M`.
        entries: usize,
        /// Entries of `q`.
        rows: usize,
    },
    /// An entry of `M`, row after row, is infinite or not a number.
    MatrixNotFinite(usize),
    /// An entry of `q` is infinite or not a number.
    VectorNotFinite(usize),
}

impl std::fmt::Display for LcpInputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Size { entries, rows } => {
                write!(f, "the matrix has {entries} entries; {rows} rows need {}", rows * rows)
            }
            Self::MatrixNotFinite(k) => write!(f, "entry {k} of the matrix is not finite"),
            Self::VectorNotFinite(k) => write!(f, "entry {k} of q is not finite"),
        }
    }
}

impl std::error::Error for LcpInputError {}

/// Largest residual of an answer that counts as right.
pub const TOLERANCE: f64 = 1e-9;

impl Lcp {
    /// The problem with this matrix, row after row.
    pub fn new(m: Vec<f64>, q: Vec<f64>) -> Result<Self, LcpInputError> {
        if m.len() != q.len() * q.len() {
            return Err(LcpInputError::Size { entries: m.len(), rows: q.len() });
        }
        if let Some(k) = m.iter().position(|x| !x.is_finite()) {
            return Err(LcpInputError::MatrixNotFinite(k));
        }
        if let Some(k) = q.iter().position(|x| !x.is_finite()) {
            return Err(LcpInputError::VectorNotFinite(k));
        }
        Ok(Self { m, q })
    }

    /// The same matrix with another `q`.
    pub(super) fn with_q(self, q: Vec<f64>) -> Result<Self, LcpInputError> {
        Self::new(self.m, q)
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.q.len()
    }

    /// `q`.
    pub fn q(&self) -> &[f64] {
        &self.q
    }

    /// Row `i` of `M`.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.m[i * self.size()..(i + 1) * self.size()]
    }

    /// `M`, row after row.
    pub fn matrix(&self) -> &[f64] {
        &self.m
    }

    /// `w = M z + q`.
    pub fn w(&self, z: &[f64]) -> Vec<f64> {
        (0..self.size()).map(|i| dot(self.row(i), z) + self.q[i]).collect()
    }

    /// `max(−min z, −min w, max|z w|)/max(1, ‖q‖)`; infinite where something is not a number. The worst of several ways to add up `w`:
    /// where impulses are large, one of them may come out small by luck, and whoever checks the answer adds in an order of his own.
    pub fn residual(&self, z: &[f64]) -> f64 {
        if z.len() != self.size() {
            return f64::INFINITY;
        }
        let worst = |z: f64, w: f64| {
            let worst = (-z).max(-w).max((z * w).abs());
            if worst.is_nan() || (z + w).is_nan() { f64::INFINITY } else { worst }
        };
        let ways = [|a: &[f64], b: &[f64], c| dot(a, b) + c, one_by_one, twofold::sum_of_products];
        let of_row =
            |i: usize| ways.map(|sum| worst(z[i], sum(self.row(i), z, self.q[i]))).into_iter().fold(0.0, f64::max);
        (0..self.size()).map(of_row).fold(0.0, f64::max) / self.unit()
    }

    /// `max(1, ‖q‖)`, also where squares are beyond all numbers.
    pub(super) fn unit(&self) -> f64 {
        let norm = dot(&self.q, &self.q).sqrt();
        let largest = || self.q.iter().fold(0.0_f64, |m, q| m.max(q.abs()));
        if norm.is_finite() { norm.max(1.0) } else { largest() }
    }

    /// The residual that rounding alone leaves of an exact answer: `w_i` of a basic `z_i` is the sum of terms of the size
    /// `|M||z|`, known to `ε` of that, and the residual multiplies it by `z_i`.
    pub fn rounding(&self, z: &[f64]) -> f64 {
        let size = |i: usize| self.row(i).iter().zip(z).fold(self.q[i].abs(), |s, (m, z)| s + (m * z).abs());
        let worst = (0..self.size()).map(|i| z[i].abs() * size(i)).fold(0.0, f64::max);
        f64::EPSILON * worst / self.unit()
    }

    /// The same problem in other units: `ẑ = z/s`, `M̂ = S M S`, `q̂ = S q`. Positive scales keep what kind of matrix it is.
    pub fn scaled(&self, s: &[f64]) -> Self {
        let n = self.size();
        let m = self.m.iter().enumerate().map(|(k, m)| s[k / n] * m * s[k % n]).collect();
        Self { m, q: self.q.iter().zip(s).map(|(q, s)| q * s).collect() }
    }

    /// Scales that bring the largest entry of each row and column near one [Rui01]. They are powers of two: nothing is rounded.
    pub fn scales(&self) -> Vec<f64> {
        let n = self.size();
        let mut s = vec![1.0; n];
        for _ in 0..SCALING_ROUNDS {
            let mut largest = vec![0.0_f64; n];
            for i in 0..n {
                for (j, m) in self.row(i).iter().enumerate().filter(|(_, m)| **m != 0.0) {
                    let size = (s[i] * m * s[j]).abs();
                    largest[i] = largest[i].max(size);
                    largest[j] = largest[j].max(size);
                }
            }
            s.iter_mut().zip(&largest).filter(|(_, l)| **l > 0.0).for_each(|(s, l)| *s /= l.sqrt());
        }
        s.into_iter().map(power_of_two).collect()
    }
}

/// `a·b + c`, term after term.
fn one_by_one(a: &[f64], b: &[f64], c: f64) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b) + c
}

/// The power of two nearest to a positive number, by its logarithm.
pub(super) fn power_of_two(x: f64) -> f64 {
    x.log2().round().clamp(-1000.0, 1000.0).exp2()
}

/// Passes over the matrix; the scales settle quadratically.
const SCALING_ROUNDS: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_residual_sees_each_way_to_be_wrong() {
        let problem = Lcp::new(vec![2.0, 0.0, 0.0, 2.0], vec![-2.0, 2.0]).unwrap();
        assert_eq!(problem.residual(&[1.0, 0.0]), 0.0);
        for wrong in [[0.9, 0.0], [1.1, 0.0], [1.0, 0.1], [1.0, -0.1], [f64::NAN, 0.0]] {
            assert!(problem.residual(&wrong) > 0.01, "{wrong:?}");
        }
        assert_eq!(problem.residual(&[1.0]), f64::INFINITY);
    }

    #[test]
    fn an_answer_is_judged_in_the_least_lucky_order_of_summation() {
        // One after the other, 1e16 + 1 is 1e16 and the one is lost; in lanes the large terms meet first.
        let mut m = vec![0.0; 25];
        m[..5].copy_from_slice(&[1e16, 1.0, 0.0, 0.0, -1e16]);
        let row = m[..5].to_vec();
        let sums = [one_by_one(&row, &[1.0; 5], -1.0), twofold::sum_of_products(&row, &[1.0; 5], -1.0)];
        assert_eq!(sums, [-1.0, 0.0]);
        assert_eq!(Lcp::new(m, vec![-1.0, 0.0, 0.0, 0.0, 0.0]).unwrap().residual(&[1.0; 5]), 1.0);
    }

    #[test]
    fn numbers_whose_squares_overflow_are_judged_too() {
        let problem = Lcp::new(vec![-1e300], vec![-1e300]).unwrap();
        assert_eq!(problem.residual(&[0.0]), 1.0);
    }

    #[test]
    fn what_is_no_problem_is_said() {
        assert_eq!(Lcp::new(vec![1.0; 3], vec![0.0; 2]), Err(LcpInputError::Size { entries: 3, rows: 2 }));
        assert_eq!(Lcp::new(vec![f64::NAN], vec![0.0]), Err(LcpInputError::MatrixNotFinite(0)));
        assert_eq!(Lcp::new(vec![1.0], vec![f64::INFINITY]), Err(LcpInputError::VectorNotFinite(0)));
    }

    #[test]
    fn scales_even_out_a_matrix_of_mixed_units() {
        let problem = Lcp::new(vec![1e6, 2.0, 0.5, 1e-8], vec![1.0, 1.0]).unwrap();
        let scaled = problem.scaled(&problem.scales());
        for i in 0..2 {
            let largest = scaled.row(i).iter().fold(0.0_f64, |l, x| l.max(x.abs()));
            assert!((0.1..2.0).contains(&largest), "{largest}");
        }
    }
}
