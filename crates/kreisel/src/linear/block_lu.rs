//! Sparse LU factorisation by dense B×B blocks of matrices whose pattern is symmetric and whose entries need not be. [GL81]
//!
//! `A = L U` with unit blocks on the diagonal of `L`. What is above the diagonal lies transposed beside what is below, so that both are
//! swept as the columns of a Cholesky factor are (`linear/block_cholesky`).

use crate::linear::block_cholesky::{enqueue, transposed};
use crate::linear::small::Matrix;
use crate::linear::wide::{Work, run_wide};
use std::ops::Range;

/// Order and pattern, the matrix while it is put together, and its factor.
#[derive(Clone, Debug)]
pub(crate) struct BlockLu<const B: usize> {
    /// Where the blocks of each column begin, and where the last ends.
    bounds: Vec<usize>,
    /// Row of each block below the diagonal, in elimination order, ascending in a column.
    rows: Vec<u32>,
    /// Blocks on the diagonal, then their inverses.
    diagonal: Vec<Matrix<B>>,
    /// Blocks `(i, j)`, `i > j`.
    lower: Vec<Matrix<B>>,
    /// Transposed blocks `(j, i)`, `i > j`.
    upper: Vec<Matrix<B>>,
}

impl<const B: usize> BlockLu<B> {
    /// A matrix of this pattern with these diagonal blocks and no others yet.
    pub fn new((bounds, rows): (&[usize], &[u32]), diagonal: Vec<Matrix<B>>) -> Self {
        let zeros = vec![Matrix::ZERO; rows.len()];
        Self { bounds: bounds.to_vec(), rows: rows.to_vec(), diagonal, lower: zeros.clone(), upper: zeros }
    }

    /// Another matrix comes in.
    pub fn clear(&mut self, diagonal: &[Matrix<B>]) {
        self.diagonal.copy_from_slice(diagonal);
        self.lower.fill(Matrix::ZERO);
        self.upper.fill(Matrix::ZERO);
    }

    /// A block on the diagonal.
    pub fn diagonal_mut(&mut self, j: usize) -> &mut Matrix<B> {
        &mut self.diagonal[j]
    }

    /// A block below the diagonal, by its place.
    pub fn lower_mut(&mut self, place: usize) -> &mut Matrix<B> {
        &mut self.lower[place]
    }

    /// The one above it, transposed.
    pub fn upper_mut(&mut self, place: usize) -> &mut Matrix<B> {
        &mut self.upper[place]
    }

    /// Factors the matrix.
    pub fn eliminate(&mut self) {
        run_wide(Elimination(self));
    }

    /// Left-looking, as Cholesky's: column and row `j` take what all columns before with an entry in row `j` have to say.
    #[inline(always)]
    fn eliminate_columns(&mut self) {
        let n = self.diagonal.len();
        let (mut first, mut next, mut head) = (vec![usize::MAX; n], vec![usize::MAX; n], self.bounds.clone());
        let mut place = vec![usize::MAX; n];
        for j in 0..n {
            let (begin, end) = (self.bounds[j], self.bounds[j + 1]);
            (begin..end).for_each(|at| place[self.rows[at] as usize] = at);
            let mut column = first[j];
            while column != usize::MAX {
                let following = next[column];
                self.subtract_column(head[column]..self.bounds[column + 1], (j, begin), &place);
                head[column] += 1;
                enqueue(column, head[column], self.bounds[column + 1], &self.rows, &mut first, &mut next);
                column = following;
            }
            let inverse = inverse(&self.diagonal[j]);
            self.diagonal[j] = inverse;
            let transposed = transposed(&inverse);
            for block in &mut self.lower[begin..end] {
                *block = Matrix::product_transposed(block, &transposed);
            }
            enqueue(j, begin, end, &self.rows, &mut first, &mut next);
        }
    }

    /// Takes `L_ik U_kj` from column `j`, and `L_jk U_ki` from row `j`, which begin at `begin`; `entries` are those of column `k` from row
    /// `j` on.
    #[inline(always)]
    fn subtract_column(&mut self, entries: Range<usize>, (j, begin): (usize, usize), place: &[usize]) {
        let (lower, below) = self.lower.split_at_mut(begin);
        let (upper, above) = self.upper.split_at_mut(begin);
        let (l, u) = (lower[entries.start], upper[entries.start]);
        self.diagonal[j].subtract_product(&l, &u);
        for at in entries.start + 1..entries.end {
            let target = place[self.rows[at] as usize] - begin;
            below[target].subtract_product(&lower[at], &u);
            above[target].subtract_product(&upper[at], &l);
        }
    }

    /// Solves `A x = b`, both in elimination order; `b` becomes `x`.
    pub fn solve(&self, b: &mut [[f64; B]]) {
        for j in 0..b.len() {
            let y = b[j];
            for at in self.bounds[j]..self.bounds[j + 1] {
                self.lower[at].subtract_times(&y, &mut b[self.rows[at] as usize]);
            }
        }
        for j in (0..b.len()).rev() {
            let mut x = b[j];
            for at in self.bounds[j]..self.bounds[j + 1] {
                self.upper[at].subtract_transposed_times(&b[self.rows[at] as usize], &mut x);
            }
            b[j] = self.diagonal[j].times(&x);
        }
    }
}

/// A matrix to be factored.
struct Elimination<'a, const B: usize>(&'a mut BlockLu<B>);

impl<const B: usize> Work for Elimination<'_, B> {
    #[inline(always)]
    fn run(self) {
        self.0.eliminate_columns();
    }
}

/// The inverse by Gauss and Jordan with the largest pivots. Where nothing is left of a column it holds no numbers, and neither does the
/// solution.
#[inline(always)]
fn inverse<const B: usize>(m: &Matrix<B>) -> Matrix<B> {
    let mut rows: [[f64; B]; B] = transposed(m).0;
    let mut result: [[f64; B]; B] = std::array::from_fn(|r| std::array::from_fn(|c| f64::from(u8::from(r == c))));
    for c in 0..B {
        let largest = (c..B).fold(c, |best, r| if rows[r][c].abs() > rows[best][c].abs() { r } else { best });
        rows.swap(c, largest);
        result.swap(c, largest);
        let scale = 1.0 / rows[c][c];
        rows[c].iter_mut().chain(&mut result[c]).for_each(|e| *e *= scale);
        let (pivot, image) = (rows[c], result[c]);
        for r in (0..B).filter(|r| *r != c) {
            let share = rows[r][c];
            rows[r].iter_mut().zip(&pivot).for_each(|(e, p)| *e -= share * p);
            result[r].iter_mut().zip(&image).for_each(|(e, p)| *e -= share * p);
        }
    }
    transposed(&Matrix(result))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::block_cholesky::BlockCholesky;
    use crate::linear::noise::Noise;
    use glamx::DVec3;

    type Entries = [[f64; 3]; 3];

    fn times(m: &Entries, x: &[f64; 3]) -> [f64; 3] {
        m.map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum())
    }

    /// A grid of bodies, each coupled with its neighbours in both directions by entries of their own.
    #[test]
    fn the_solution_of_an_unsymmetric_grid_satisfies_its_equations() {
        let (side, mut noise) = (5_u32, Noise(3));
        let n = (side * side) as usize;
        let beside = |i: u32, j: u32| (i % side).abs_diff(j % side) + (i / side).abs_diff(j / side) == 1;
        let neighbours: Vec<Vec<u32>> =
            (0..n as u32).map(|i| (0..n as u32).filter(|&j| beside(i, j)).collect()).collect();
        let places: Vec<DVec3> =
            (0..n as u32).map(|i| DVec3::new(f64::from(i % side), f64::from(i / side), 0.0)).collect();
        let Some(pattern) = BlockCholesky::<3>::of_pattern(&neighbours, &places, &|_| false) else {
            panic!("no pattern")
        };
        let mut entries = |diagonal: f64| -> Entries {
            std::array::from_fn(|r| std::array::from_fn(|c| noise.next() - 0.5 + if r == c { diagonal } else { 0.0 }))
        };
        let mut entry = |i: usize, j: usize| match beside(pattern.order[i], pattern.order[j]) {
            _ if i == j => entries(4.0),
            true => entries(0.0),
            false => [[0.0; 3]; 3],
        };
        let full: Vec<Vec<Entries>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let columns = |m: &Entries| Matrix(std::array::from_fn(|c| std::array::from_fn(|r| m[r][c])));
        let mut lu = BlockLu::new(pattern.layout(), (0..n).map(|i| columns(&full[i][i])).collect());
        for (i, j) in (0..n).flat_map(|j| (j + 1..n).map(move |i| (i, j))) {
            if let Some(place) = pattern.place(i as u32, j as u32) {
                *lu.lower_mut(place) = columns(&full[i][j]);
                *lu.upper_mut(place) = Matrix(full[j][i]);
            }
        }
        lu.eliminate();
        let b: Vec<[f64; 3]> = (0..n).map(|k| [1.0, k as f64, -2.0]).collect();
        let mut x = b.clone();
        lu.solve(&mut x);
        for i in 0..n {
            let row = (0..n).fold([0.0; 3], |sum, j| {
                let part = times(&full[i][j], &x[j]);
                std::array::from_fn(|k| sum[k] + part[k])
            });
            assert!((0..3).all(|k| (row[k] - b[i][k]).abs() < 1e-11), "row {i}: {row:?} for {:?}", b[i]);
        }
    }
}
