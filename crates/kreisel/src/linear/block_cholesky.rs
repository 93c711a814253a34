//! Sparse Cholesky factorisation by columns of dense B×B blocks, eliminated in nested-dissection order [GL81].
//!
//! Blocks of fixed size make the inner loops dense and short; nothing depends on threads or on the machine's instructions.

use crate::linear::dissection::nested_dissection;
use crate::linear::small::Matrix;
use crate::linear::wide::{Work, run_wide};
use glamx::DVec3;
use std::ops::Range;

/// A symmetric matrix of B×B blocks while it is put together.
#[derive(Clone, Debug)]
pub(crate) struct BlockMatrix<const B: usize> {
    /// Diagonal blocks.
    pub diagonal: Vec<Matrix<B>>,
    /// Of row `i`, the `j > i` with a block `(i, j)`, in the order in which they came.
    columns: Vec<Vec<u32>>,
    /// The blocks that belong to them.
    blocks: Vec<Vec<Matrix<B>>>,
}

impl<const B: usize> BlockMatrix<B> {
    /// The zero matrix of `n` block rows.
    pub fn zeros(n: usize) -> Self {
        Self { diagonal: vec![Matrix::ZERO; n], columns: vec![Vec::new(); n], blocks: vec![Vec::new(); n] }
    }

    /// Block `(i, j)`, `i < j`.
    pub fn block_mut(&mut self, i: u32, j: u32) -> &mut Matrix<B> {
        let (columns, blocks) = (&mut self.columns[i as usize], &mut self.blocks[i as usize]);
        let at = columns.iter().position(|column| *column == j).unwrap_or_else(|| {
            columns.push(j);
            blocks.push(Matrix::ZERO);
            columns.len() - 1
        });
        &mut blocks[at]
    }

    /// Which rows share a block with which, both ways, ascending.
    fn neighbours(&self) -> Vec<Vec<u32>> {
        let mut neighbours = vec![Vec::new(); self.columns.len()];
        for (i, row) in self.columns.iter().enumerate() {
            for j in row {
                neighbours[i].push(*j);
                neighbours[*j as usize].push(i as u32);
            }
        }
        neighbours.iter_mut().for_each(|n| n.sort_unstable());
        neighbours
    }
}

/// The factor `L` of `P A Pᵀ = L Lᵀ`, with the inverses of its diagonal blocks. Directions in which `A` is singular are dropped:
/// the solution has nothing there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BlockCholesky<const B: usize> {
    /// The row eliminated first, second, ….
    pub order: Vec<u32>,
    inverse_diagonal: Vec<Matrix<B>>,
    /// Where the blocks of each column begin, and where the last ends.
    bounds: Vec<usize>,
    /// Row of each block below the diagonal, in elimination order, ascending in a column.
    rows: Vec<u32>,
    blocks: Vec<Matrix<B>>,
}

impl<const B: usize> BlockCholesky<B> {
    /// Factors a positive semidefinite matrix whose rows lie at `places` (they choose the order only).
    pub fn new(matrix: &BlockMatrix<B>, places: &[DVec3]) -> Self {
        Self::ending_with(matrix, places, &|_| false)
    }

    /// The same, with the rows that are `last` eliminated after all others.
    pub fn ending_with(matrix: &BlockMatrix<B>, places: &[DVec3], last: &dyn Fn(u32) -> bool) -> Self {
        let neighbours = matrix.neighbours();
        let (mut order, mut end): (Vec<u32>, Vec<u32>) =
            nested_dissection(places, &neighbours).into_iter().partition(|i| !last(*i));
        order.append(&mut end);
        let mut factor = Self::of_order(order, &neighbours, &|_| false);
        let mut rank = vec![0; factor.order.len()];
        (0u32..).zip(&factor.order).for_each(|(r, i)| rank[*i as usize] = r);
        factor.clear();
        factor.fill(matrix, &rank);
        let diagonal: Vec<Matrix<B>> = factor.order.iter().map(|i| matrix.diagonal[*i as usize]).collect();
        factor.eliminate(&diagonal);
        factor
    }

    /// Order and pattern of the factor of matrices with blocks between `neighbours`. Its blocks come with the first
    /// [`BlockCholesky::clear`]. None as soon as the products of blocks that it takes, and its blocks, are `too_much`: nobody has
    /// paid for the rest.
    pub fn of_pattern(
        neighbours: &[Vec<u32>],
        places: &[DVec3],
        too_much: &dyn Fn((f64, usize)) -> bool,
    ) -> Option<Self> {
        let factor = Self::of_order(nested_dissection(places, neighbours), neighbours, too_much);
        (factor.bounds.len() > neighbours.len()).then_some(factor)
    }

    fn of_order(order: Vec<u32>, neighbours: &[Vec<u32>], too_much: &dyn Fn((f64, usize)) -> bool) -> Self {
        let mut rank = vec![0; order.len()];
        (0u32..).zip(&order).for_each(|(r, i)| rank[*i as usize] = r);
        let (bounds, rows) = pattern(&order, &rank, neighbours, too_much);
        Self { order, inverse_diagonal: Vec::new(), bounds, rows, blocks: Vec::new() }
    }

    /// Where the block of two rows is, given by their places in the order of elimination, the later one first.
    pub fn place(&self, below: u32, column: u32) -> Option<usize> {
        let range = self.bounds[column as usize]..self.bounds[column as usize + 1];
        self.rows[range.clone()].binary_search(&below).ok().map(|at| range.start + at)
    }

    /// Takes all blocks below the diagonal out, so that a new matrix can come in.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.blocks.resize(self.rows.len(), Matrix::ZERO);
    }

    /// A block below the diagonal, by its place.
    pub fn block_mut(&mut self, place: usize) -> &mut Matrix<B> {
        &mut self.blocks[place]
    }

    /// Where the blocks of each column begin, and their rows.
    pub fn layout(&self) -> (&[usize], &[u32]) {
        (&self.bounds, &self.rows)
    }

    /// Number of block rows.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        (self.blocks.capacity() + self.inverse_diagonal.capacity()) * size_of::<Matrix<B>>() + 4 * self.rows.capacity()
    }

    /// Puts the matrix below the diagonal into its places.
    fn fill(&mut self, matrix: &BlockMatrix<B>, rank: &[u32]) {
        for (i, (columns, blocks)) in matrix.columns.iter().zip(&matrix.blocks).enumerate() {
            for (j, block) in columns.iter().zip(blocks) {
                let (a, b) = (rank[i], rank[*j as usize]);
                let (column, below) = (a.min(b), a.max(b));
                let Some(at) = self.place(below, column) else { continue };
                // Below the diagonal the row is `below`: block (i, j) itself if i is eliminated later than j.
                self.blocks[at] = if a > b { *block } else { transposed(block) };
            }
        }
    }

    /// Factors the matrix of these diagonal blocks, in the order of elimination, and of the blocks that are in their places.
    pub fn eliminate(&mut self, diagonal: &[Matrix<B>]) {
        run_wide(Elimination { factor: self, diagonal });
    }

    /// Left-looking: column `j` takes what all columns before it with an entry in row `j` have to say.
    #[inline(always)]
    fn eliminate_columns(&mut self, diagonal: &[Matrix<B>]) {
        let n = self.len();
        self.inverse_diagonal.clear();
        // Columns whose next unused entry is in row j, as a list through `next`; `head[k]` is that entry of column k.
        let (mut first, mut next, mut head) = (vec![usize::MAX; n], vec![usize::MAX; n], self.bounds.clone());
        let mut place = vec![usize::MAX; n];
        for j in 0..n {
            let mut diagonal = diagonal[j];
            let scale = std::array::from_fn(|d| diagonal.0[d][d]);
            let (begin, end) = (self.bounds[j], self.bounds[j + 1]);
            (begin..end).for_each(|at| place[self.rows[at] as usize] = at);
            let mut column = first[j];
            while column != usize::MAX {
                let following = next[column];
                self.subtract_column(head[column]..self.bounds[column + 1], begin, &mut diagonal, &place);
                head[column] += 1;
                enqueue(column, head[column], self.bounds[column + 1], &self.rows, &mut first, &mut next);
                column = following;
            }
            let inverse = diagonal.inverse_cholesky(&scale);
            for block in &mut self.blocks[begin..end] {
                *block = Matrix::product_transposed(block, &inverse);
            }
            self.inverse_diagonal.push(inverse);
            enqueue(j, begin, end, &self.rows, &mut first, &mut next);
        }
    }

    /// Takes `L_ik L_jkᵀ` from column j, which begins at `begin`, for all `i ≥ j` in column k, whose entries from row j on are
    /// `entries`.
    #[inline(always)]
    fn subtract_column(&mut self, entries: Range<usize>, begin: usize, diagonal: &mut Matrix<B>, place: &[usize]) {
        let (done, rest) = self.blocks.split_at_mut(begin);
        let pivot = &done[entries.start];
        diagonal.subtract_product(pivot, pivot);
        for at in entries.start + 1..entries.end {
            rest[place[self.rows[at] as usize] - begin].subtract_product(&done[at], pivot);
        }
    }

    /// Solves `A x = b`, both in elimination order; `b` becomes `x`.
    pub fn solve(&self, b: &mut [[f64; B]]) {
        self.solve_lower(0, b);
        for j in (0..self.len()).rev() {
            let mut x = b[j];
            for at in self.bounds[j]..self.bounds[j + 1] {
                self.blocks[at].subtract_transposed_times(&b[self.rows[at] as usize], &mut x);
            }
            b[j] = self.inverse_diagonal[j].transposed_times(&x);
        }
    }

    /// Solves `L y = b` for a `b` that begins with row `first` of the elimination order, being zero before; `b` becomes `y`.
    pub fn solve_lower(&self, first: usize, b: &mut [[f64; B]]) {
        for j in first..self.len() {
            let x = self.inverse_diagonal[j].times(&b[j - first]);
            b[j - first] = x;
            for at in self.bounds[j]..self.bounds[j + 1] {
                self.blocks[at].subtract_times(&x, &mut b[self.rows[at] as usize - first]);
            }
        }
    }
}

/// The factor of a matrix, to be eliminated, and its diagonal blocks.
struct Elimination<'a, const B: usize> {
    factor: &'a mut BlockCholesky<B>,
    diagonal: &'a [Matrix<B>],
}

impl<const B: usize> Work for Elimination<'_, B> {
    #[inline(always)]
    fn run(self) {
        self.factor.eliminate_columns(self.diagonal);
    }
}

/// Puts a column into the list of the row of its entry `head`.
pub(super) fn enqueue(column: usize, head: usize, end: usize, rows: &[u32], first: &mut [usize], next: &mut [usize]) {
    if head < end {
        let row = rows[head] as usize;
        (next[column], first[row]) = (first[row], column);
    }
}

pub(super) fn transposed<const B: usize>(block: &Matrix<B>) -> Matrix<B> {
    Matrix(std::array::from_fn(|c| std::array::from_fn(|r| block.0[r][c])))
}

/// The rows of every column of the factor: its own neighbours, and what the columns that are merged into it leave; no more
/// columns once it is too much.
fn pattern(
    order: &[u32],
    rank: &[u32],
    neighbours: &[Vec<u32>],
    too_much: &dyn Fn((f64, usize)) -> bool,
) -> (Vec<usize>, Vec<u32>) {
    let (n, mut work) = (order.len(), 0.0);
    let (mut bounds, mut rows) = (vec![0], Vec::new());
    let mut children = vec![Vec::new(); n];
    let mut seen = vec![u32::MAX; n];
    for j in 0..n as u32 {
        let mut column: Vec<u32> = Vec::new();
        let mut take = |row: u32| {
            if row > j && seen[row as usize] != j {
                seen[row as usize] = j;
                column.push(row);
            }
        };
        neighbours[order[j as usize] as usize].iter().for_each(|i| take(rank[*i as usize]));
        for &child in &children[j as usize] {
            let child: usize = child;
            rows[bounds[child]..bounds[child + 1]].iter().for_each(|row| take(*row));
        }
        column.sort_unstable();
        if let Some(&parent) = column.first() {
            children[parent as usize].push(j as usize);
        }
        work += 0.5 * (column.len() as f64 + 1.0) * (column.len() as f64 + 2.0);
        if too_much((work, rows.len() + column.len())) {
            break;
        }
        rows.append(&mut column);
        bounds.push(rows.len());
    }
    (bounds, rows)
}
