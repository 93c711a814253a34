//! Small dense matrices of fixed size: products, Cholesky factors and inverses, with singular directions lifted.

use glamx::{DMat3, DVec3};

/// A pivot below this share of its diagonal entry is rounding noise: the matrix is singular there.
const SINGULAR: f64 = 1e-12;

/// A `B × B` matrix, column by column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Matrix<const B: usize>(pub [[f64; B]; B]);

impl<const B: usize> Matrix<B> {
    pub const ZERO: Self = Self([[0.0; B]; B]);

    /// `self − a bᵀ`, in place.
    #[inline(always)]
    pub fn subtract_product(&mut self, a: &Self, b: &Self) {
        for (column, target) in self.0.iter_mut().enumerate() {
            for k in 0..B {
                let s = b.0[k][column];
                target.iter_mut().zip(&a.0[k]).for_each(|(t, a)| *t -= a * s);
            }
        }
    }

    /// `a bᵀ`.
    #[inline(always)]
    pub fn product_transposed(a: &Self, b: &Self) -> Self {
        let mut product = Self::ZERO;
        product.subtract_product(a, b);
        product.0.iter_mut().flatten().for_each(|e| *e = -*e);
        product
    }

    /// `y − A x`, in place of `y`.
    #[inline(always)]
    pub fn subtract_times(&self, x: &[f64; B], y: &mut [f64; B]) {
        for (column, s) in self.0.iter().zip(x) {
            y.iter_mut().zip(column).for_each(|(y, a)| *y -= a * s);
        }
    }

    /// `y − Aᵀ x`, in place of `y`.
    #[inline(always)]
    pub fn subtract_transposed_times(&self, x: &[f64; B], y: &mut [f64; B]) {
        for (column, y) in self.0.iter().zip(y) {
            *y -= column.iter().zip(x).fold(0.0, |sum, (a, x)| sum + a * x);
        }
    }

    /// `A x`.
    #[inline(always)]
    pub fn times(&self, x: &[f64; B]) -> [f64; B] {
        let mut y = [0.0; B];
        for (column, s) in self.0.iter().zip(x) {
            y.iter_mut().zip(column).for_each(|(y, a)| *y += a * s);
        }
        y
    }

    /// `Aᵀ x`.
    #[inline(always)]
    pub fn transposed_times(&self, x: &[f64; B]) -> [f64; B] {
        std::array::from_fn(|c| self.0[c].iter().zip(x).fold(0.0, |sum, (a, x)| sum + a * x))
    }

    /// Adds a 3×3 block whose first row and column are given.
    pub fn add_block(&mut self, row: usize, column: usize, block: &DMat3) {
        for (c, from) in block.to_cols_array_2d().iter().enumerate() {
            for (r, entry) in from.iter().enumerate() {
                self.0[column + c][row + r] += entry;
            }
        }
    }

    /// The inverse of the Cholesky factor `L` of a symmetric positive semidefinite matrix whose diagonal once was
    /// `scale`. Where a pivot is rounding noise the direction is dropped: its row of the inverse is zero.
    pub fn inverse_cholesky(&self, scale: &[f64; B]) -> Self {
        let (mut l, mut inverse) = (*self, Self::ZERO);
        for (j, scale) in scale.iter().enumerate() {
            let pivot = l.0[j][j];
            // A dropped direction: nothing of it goes on to the others.
            let root = if pivot > SINGULAR * scale && pivot > 0.0 { pivot.sqrt() } else { f64::INFINITY };
            for i in j..B {
                l.0[j][i] /= root;
            }
            for k in j + 1..B {
                let s = l.0[j][k];
                for i in k..B {
                    l.0[k][i] -= l.0[j][i] * s;
                }
            }
            inverse.0[j][j] = 1.0 / root;
            for c in 0..j {
                let sum = (c..j).fold(0.0, |sum, k| sum + stored(&l, j, k, root) * inverse.0[c][k]);
                inverse.0[c][j] = -sum / root;
            }
        }
        inverse
    }
}

/// Entry `(j, k)` of the factor, zero in a dropped row.
#[inline(always)]
fn stored<const B: usize>(l: &Matrix<B>, j: usize, k: usize, root: f64) -> f64 {
    if root.is_finite() { l.0[k][j] } else { 0.0 }
}

impl Matrix<6> {
    /// `[[a, b], [bᵀ, c]]`.
    pub fn of_blocks(a: &DMat3, b: &DMat3, c: &DMat3) -> Self {
        let mut m = Self::ZERO;
        m.add_block(0, 0, a);
        m.add_block(0, 3, b);
        m.add_block(3, 0, &b.transpose());
        m.add_block(3, 3, c);
        m
    }

    /// The product with two 3-vectors.
    pub fn times_pair(&self, a: DVec3, b: DVec3) -> [DVec3; 2] {
        let [x, y, z, u, v, w] = self.times(&[a.x, a.y, a.z, b.x, b.y, b.z]);
        [DVec3::new(x, y, z), DVec3::new(u, v, w)]
    }
}

/// The inverse of a symmetric positive semidefinite 6×6 matrix of velocity and spin, whose units differ: both halves are
/// lifted in proportion to their own trace where the matrix is singular.
pub(crate) fn invert_lifted(m: &Matrix<6>) -> Matrix<6> {
    const LIFT: f64 = 1e-3;
    let trace = |from: usize| (from..from + 3).fold(0.0, |sum, i| sum + m.0[i][i]);
    let (mut lifted, traces) = (*m, [trace(0), trace(3)]);
    let scale: [f64; 6] = std::array::from_fn(|i| if traces[i / 3] > 0.0 { traces[i / 3] } else { 1.0 });
    let inverse_of = |m: &Matrix<6>| m.inverse_cholesky(&scale);
    let mut inverse = inverse_of(&lifted);
    if (0..6).any(|i| inverse.0[i][i] == 0.0) {
        (0..6).for_each(|i| lifted.0[i][i] += LIFT * scale[i]);
        inverse = inverse_of(&lifted);
    }
    // A⁻¹ = L⁻ᵀ L⁻¹.
    let column = |c: usize| inverse.transposed_times(&inverse.0[c]);
    Matrix(std::array::from_fn(column))
}
