//! The last bits of large impulses: which of the numbers next to an answer leaves least.
//!
//! An entry of `z` is known to half a unit in its last place, `w` of its row to the sum of what `M` makes of these, and the residual multiplies that
//! by `z` again: beyond some 10³ more than the tolerance may be left of an exact answer. Which neighbour each entry is rounded to is free. The row
//! that is worst is bettered by the step of one entry to its next number that leaves the least, until no step helps.

use super::problem::Lcp;
use super::twofold::sum_of_products;

/// Multiplications that steps may cost.
const WORK: f64 = 3e7;

/// An answer next to `z` whose rows come out smaller in exact arithmetic.
pub(super) fn nudged(problem: &Lcp, z: &[f64]) -> Vec<f64> {
    let n = z.len();
    let mut z = z.to_vec();
    let mut w: Vec<f64> = (0..n).map(|i| sum_of_products(problem.row(i), &z, problem.q()[i])).collect();
    let columns: Vec<Vec<(usize, f64)>> = (0..n).map(|j| column(problem, j)).collect();
    let mut work = 0.0;
    while work < WORK {
        let worst = (0..n).map(|i| (left(z[i], w[i]), i)).fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a });
        let reach = (0..n).filter(|&j| z[j] > 0.0 && problem.row(worst.1)[j] != 0.0);
        let mut best = (worst.0, None);
        for (j, next) in reach.flat_map(|j| [(j, z[j].next_up()), (j, z[j].next_down())]) {
            let step = next - z[j];
            let of = |&(i, m): &(usize, f64)| left(z[i], w[i] + m * step);
            let after = columns[j].iter().map(of).fold(0.0, f64::max);
            work += columns[j].len() as f64;
            if after < best.0 {
                best = (after, Some((j, next)));
            }
        }
        let Some((j, next)) = best.1 else { break };
        columns[j].iter().for_each(|&(i, m)| w[i] += m * (next - z[j]));
        z[j] = next;
    }
    z
}

/// What a row adds to the residual.
fn left(z: f64, w: f64) -> f64 {
    (z * w).abs().max(-w)
}

/// Rows and entries of a column without zeros.
fn column(problem: &Lcp, j: usize) -> Vec<(usize, f64)> {
    (0..problem.size()).map(|i| (i, problem.row(i)[j])).filter(|(_, m)| *m != 0.0).collect()
}

#[cfg(test)]
mod tests {
    use super::super::polish::polished;
    use super::*;

    #[test]
    fn a_neighbour_of_a_large_answer_leaves_less_than_the_nearest_number_does() {
        // A string of a hundred knots under load: z is 125 in its middle, twos and ones are exact, and the loads are not.
        let n = 100;
        let entry = |k: usize| [2.0, -1.0, 0.0][(k / n).abs_diff(k % n).min(2)];
        let q: Vec<f64> = (0..n).map(|i| -0.1 - 0.01 * (i as f64).sin()).collect();
        let problem = Lcp::new((0..n * n).map(entry).collect(), q).unwrap();
        let z = polished(&problem, &vec![1e3; n]).0;
        let exact = |z: &[f64]| {
            let w = |i: usize| sum_of_products(problem.row(i), z, problem.q()[i]);
            (0..n).map(|i| left(z[i], w(i))).fold(0.0, f64::max)
        };
        let (before, after) = (exact(&z), exact(&nudged(&problem, &z)));
        assert!(z[n / 2] > 100.0 && after < 0.8 * before && before < 1e-10, "{before:e} {after:e}");
    }
}
