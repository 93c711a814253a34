//! Rows that are held by impulses, as nearly zero as numbers allow.
//!
//! An answer's rows `w = 0` are known to what a method leaves. Where contacts are redundant their system is singular: its factors make
//! large changes of nothing. The shortest change that brings all rows to zero is found along the rows instead, and again with what is left in twice the
//! digits, until each entry is the number nearest to an exact answer.

use super::problem::Lcp;
use super::rows::RowSpace;
use super::twofold::sum_of_products;

/// Impulses below this share of the largest are none: they are what rounding left of corners that carry nothing.
const NOTHING: [f64; 2] = [0.0, 1e-10];
/// Passes of refinement.
const PASSES: usize = 6;
/// Rows beyond which their space takes too long.
const LARGEST: usize = 800;

/// Answers next to `z` whose held rows are solved to the last digit, with and without what is hardly there.
pub(super) fn settled(problem: &Lcp, z: &[f64]) -> Vec<Vec<f64>> {
    let size = z.iter().fold(0.0_f64, |s, z| s.max(*z));
    let mut held: Vec<Vec<usize>> =
        NOTHING.iter().map(|share| (0..z.len()).filter(|&i| z[i] > share * size).collect()).collect();
    held.dedup();
    held.retain(|rows| rows.len() <= LARGEST);
    held.iter().map(|rows| settle(problem, z, rows)).collect()
}

fn settle(problem: &Lcp, z: &[f64], held: &[usize]) -> Vec<f64> {
    let part = |&i: &usize| held.iter().map(|&j| problem.row(i)[j]).collect::<Vec<f64>>();
    let space = RowSpace::new(&held.iter().map(part).collect::<Vec<_>>());
    let mut x = vec![0.0; z.len()];
    held.iter().for_each(|&i| x[i] = z[i]);
    for _ in 0..PASSES {
        let rest: Vec<f64> = held.iter().map(|&i| -sum_of_products(problem.row(i), &x, problem.q()[i])).collect();
        held.iter().zip(space.shortest(&rest)).for_each(|(&i, change)| x[i] += change);
    }
    x.iter_mut().for_each(|x| *x = x.max(0.0));
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_corners_of_a_plate_are_solved_to_the_last_digit() {
        // Lift and two tilts: one of four corners is redundant. A fifth row would like a little of nothing.
        let corner = |k: usize| [1.0, [-0.3, 0.3, 0.3, -0.3][k], [-0.7, -0.7, 0.7, 0.7][k]];
        let entry = |i: usize, j: usize| (0..3).map(|r| corner(i)[r] * corner(j)[r]).sum::<f64>();
        let mut m = vec![0.0; 25];
        (0..16).for_each(|k| m[k / 4 * 5 + k % 4] = entry(k / 4, k % 4));
        let problem = Lcp::new(m, vec![-4000.0, -4000.0, -4000.0, -4000.0, 0.0]).unwrap();
        let rough = [1100.0 + 1e-7, 900.0, 1100.0, 900.0, 1e-9];
        let [all, clean] = settled(&problem, &rough).try_into().unwrap();
        assert!(all[4] > 0.0 && clean[4] == 0.0);
        let left =
            |z: &[f64]| (0..5).map(|i| sum_of_products(problem.row(i), z, problem.q()[i]).abs()).fold(0.0, f64::max);
        assert!(left(&rough) > 1e-8 && left(&clean) < 1e-12, "{:e}", left(&clean));
    }
}
