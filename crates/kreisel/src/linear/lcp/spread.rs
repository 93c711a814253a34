//! Among the answers of a redundant problem, the one of least impulses.
//!
//! What rounding leaves of an answer grows with the square of its impulses. Four corners carry what two can carry, and pivoting finds those that do
//! with few: rows of `α`, where `w = 0`, stay what they are along the null space `N` of `M_αα`. The least `|z + N y|` with `z + N y ≥ 0` and `w ≥ 0`
//! is a least distance, and that is a nonnegative least-squares problem [LH74 ch. 23].

use super::problem::Lcp;
use super::rows::RowSpace;
use crate::linear::lu::{add_scaled, dot};
use crate::linear::nnls::nearest_in_cone;

/// What counts as zero of `w`, relative to the largest impulse.
const HELD: f64 = 1e-9;
/// Rows beyond which the null space takes too long.
const LARGEST: usize = 800;

/// The answer of least impulses next to `z`, in scaled units; `None` if there is but one, or too many rows.
pub(super) fn spread(problem: &Lcp, z: &[f64]) -> Option<Vec<f64>> {
    let size = z.iter().fold(1.0_f64, |s, z| s.max(z.abs()));
    let w = problem.w(z);
    let (held, free): (Vec<usize>, Vec<usize>) = (0..z.len()).partition(|&i| w[i] <= HELD * size);
    if held.len() > LARGEST {
        return None;
    }
    let part = |i: usize| held.iter().map(|&j| problem.row(i)[j]).collect::<Vec<f64>>();
    let null = RowSpace::new(&held.iter().map(|&i| part(i)).collect::<Vec<_>>()).null_space(held.len());
    let along = |row: &[f64]| null.iter().map(|n| dot(row, n)).collect::<Vec<f64>>();
    let z_held: Vec<f64> = held.iter().map(|&i| z[i] / size).collect();
    // Limits g·y ≥ h of the entries and of the rows that are free.
    let entries = (0..held.len()).map(|k| (null.iter().map(|n| n[k]).collect(), -z_held[k]));
    let rows = free.iter().map(|&i| (along(&part(i)), -w[i] / size));
    let y = nearest(&entries.chain(rows).collect::<Vec<_>>(), &along(&z_held))?;
    let mut change = vec![0.0; held.len()];
    null.iter().zip(&y).for_each(|(n, y)| add_scaled(&mut change, size * y, n));
    let mut next = vec![0.0; z.len()];
    held.iter().zip(&change).for_each(|(&i, change)| next[i] = (z[i] + change).max(0.0));
    Some(next)
}

/// The `y` nearest to `−c` with all `g·y ≥ h`.
fn nearest(limits: &[(Vec<f64>, f64)], c: &[f64]) -> Option<Vec<f64>> {
    let column = |(g, h): &(Vec<f64>, f64)| g.iter().copied().chain([h + dot(g, c)]).collect::<Vec<f64>>();
    let mut target = vec![0.0; c.len() + 1];
    target[c.len()] = 1.0;
    let rest = nearest_in_cone(&limits.iter().map(column).collect::<Vec<_>>(), &target).rest;
    let (last, first) = rest.split_last()?;
    let y: Vec<f64> = first.iter().zip(c).map(|(r, c)| -r / last - c).collect();
    (!y.is_empty() && y.iter().all(|y| y.is_finite())).then_some(y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_corners_carry_the_same_where_two_would_do() {
        // Rows of a plate on four corners: lift and two tilts.
        let corner = |k: usize| [1.0, [-1.0, 1.0, 1.0, -1.0][k], [-1.0, -1.0, 1.0, 1.0][k]];
        let entry = |k: usize| dot(&corner(k / 4), &corner(k % 4));
        let problem = Lcp::new((0..16).map(entry).collect(), vec![-4.0; 4]).unwrap();
        let z = spread(&problem, &[2.0, 0.0, 2.0, 0.0]).unwrap();
        assert!(z.iter().all(|z| (z - 1.0).abs() < 1e-12), "{z:?}");
    }

    #[test]
    fn entries_stay_positive_and_free_rows_stay_free() {
        // Two entries of one row, and a second row that allows no more than 0.75 of the first.
        let m = vec![1.0, 1.0, 0.0, 1.0, 1.0, 0.0, -1.0, 0.0, 1.0];
        let problem = Lcp::new(m.clone(), vec![-2.0, -2.0, 0.75]).unwrap();
        let z = spread(&problem, &[0.5, 1.5, 0.0]).unwrap();
        assert!((z[0] - 0.75).abs() < 1e-12 && (z[1] - 1.25).abs() < 1e-12, "{z:?}");
    }
}
