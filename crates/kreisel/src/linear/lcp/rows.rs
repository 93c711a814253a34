//! The space that the rows of a matrix span, found row by row, and what lies across it.
//!
//! Rows are taken in the order of what they add, `A = L Q` with `Q` orthonormal: what is left of the others once they add no more than rounding
//! is redundant. Along `Q` a system has its shortest solution, across it the solutions are free.

use crate::linear::lu::{add_scaled, dot};

/// Part of a row across the others, relative to the largest row, that is rounding.
const DEPENDENT: f64 = 1e-11;

/// `A = L Q` without the rows that depend on others.
pub(super) struct RowSpace {
    /// Which rows were taken.
    taken: Vec<usize>,
    /// Rows of `L`.
    lower: Vec<Vec<f64>>,
    /// Rows of `Q`.
    basis: Vec<Vec<f64>>,
}

impl RowSpace {
    pub(super) fn new(rows: &[Vec<f64>]) -> Self {
        let mut left: Vec<(usize, Vec<f64>)> = rows.iter().cloned().enumerate().collect();
        let mut space = Self { taken: Vec::new(), lower: Vec::new(), basis: Vec::new() };
        let mut bound = 0.0;
        while let Some(largest) = (0..left.len()).max_by(|&i, &j| squared(&left[i].1).total_cmp(&squared(&left[j].1))) {
            let (row, rest) = left.swap_remove(largest);
            bound = f64::max(bound, DEPENDENT * squared(&rest).sqrt());
            let Some(unit) = across(&space.basis, rest, bound) else { break };
            left.iter_mut().for_each(|(_, r)| take_off(r, &unit));
            space.taken.push(row);
            space.basis.push(unit);
            space.lower.push(space.basis.iter().map(|b| dot(&rows[row], b)).collect());
        }
        space
    }

    /// The shortest `x` with `A x = b` in the rows that were taken.
    pub(super) fn shortest(&self, b: &[f64]) -> Vec<f64> {
        let mut y: Vec<f64> = Vec::with_capacity(self.taken.len());
        for (row, lower) in self.taken.iter().zip(&self.lower) {
            let known = dot(&lower[..y.len()], &y);
            y.push((b[*row] - known) / lower[y.len()]);
        }
        let mut x = vec![0.0; b.len()];
        self.basis.iter().zip(&y).for_each(|(unit, y)| add_scaled(&mut x, *y, unit));
        x
    }

    /// An orthonormal basis of what all rows send to zero.
    pub(super) fn null_space(self, columns: usize) -> Vec<Vec<f64>> {
        let (mut basis, rank) = (self.basis, self.taken.len());
        let mut outside: Vec<f64> =
            (0..columns).map(|j| 1.0 - basis.iter().map(|b| b[j] * b[j]).sum::<f64>()).collect();
        while basis.len() < columns {
            let Some(j) = (0..columns).max_by(|&i, &j| outside[i].total_cmp(&outside[j])) else { break };
            let axis = (0..columns).map(|i| f64::from(u8::from(i == j))).collect();
            let Some(unit) = across(&basis, axis, 0.0) else { break };
            outside.iter_mut().zip(&unit).for_each(|(o, u)| *o -= u * u);
            basis.push(unit);
        }
        basis.split_off(rank)
    }
}

/// Takes the part along a unit vector off `x`.
fn take_off(x: &mut [f64], unit: &[f64]) {
    let share = dot(x, unit);
    add_scaled(x, -share, unit);
}

fn squared(x: &[f64]) -> f64 {
    dot(x, x)
}

/// The direction of `x` across a basis; `None` if what is left is not longer than the bound.
fn across(basis: &[Vec<f64>], mut x: Vec<f64>, bound: f64) -> Option<Vec<f64>> {
    for _ in 0..2 {
        basis.iter().for_each(|b| take_off(&mut x, b));
    }
    let length = squared(&x).sqrt();
    (length > bound).then(|| x.iter().map(|x| x / length).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_all_solutions_of_a_redundant_system_the_shortest_is_found() {
        let rows = [vec![1.0, 1.0, 0.0], vec![2.0, 2.0, 0.0], vec![0.0, 0.0, 0.5]];
        let x = RowSpace::new(&rows).shortest(&[2.0, 4.0, 1.0]);
        assert!(x.iter().zip([1.0, 1.0, 2.0]).all(|(x, right)| (x - right).abs() < 1e-15), "{x:?}");
        let null = RowSpace::new(&rows).null_space(3);
        assert!(null.len() == 1 && (null[0][0] + null[0][1]).abs() < 1e-15 && null[0][2].abs() < 1e-15, "{null:?}");
        assert_eq!(RowSpace::new(&[vec![1.0, 0.0], vec![0.0, 1.0]]).null_space(2).len(), 0);
    }
}
