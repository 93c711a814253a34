//! Friction pyramids as a fixed point of monotone problems.
//!
//! The matrix of a pyramid is positive semidefinite but for `μ` in its rows `μ c − eᵀβ`, which has no opposite in the rows of `c`. With `−μ` there
//! the problem is monotone, and interior points solve it however many contacts are redundant, where pivots may go round for long. What was added
//! comes back with the slip of the last round: `w_c + μ λ_last − μ λ`. Contacts that stick have no slip: then the first round is the last. [Cad09]

use super::polish::{interior_point, polished};
use super::problem::{Lcp, TOLERANCE};

/// Rounds: where much slips, they come closer by a factor only, and pivots are quicker.
const ROUNDS: usize = 6;
/// Steps of a round.
const MOST_STEPS: usize = 60;
/// A round that leaves more, relative to `q`, has not solved its problem: the matrix is none of this kind, or digits are missing.
const UNSOLVED: f64 = 1e-3;

/// An entry that a skew matrix would have otherwise.
struct Lone {
    row: usize,
    column: usize,
    value: f64,
}

/// What the rows without a diagonal have without an opposite.
fn lone(problem: &Lcp) -> Vec<Lone> {
    let n = problem.size();
    let sum = |i: usize, j: usize| problem.row(i)[j] + problem.row(j)[i];
    let of = |i: usize| (0..n).map(move |j| Lone { row: j, column: i, value: sum(i, j) });
    (0..n).filter(|&i| problem.row(i)[i] == 0.0).flat_map(of).filter(|lone| lone.value != 0.0).collect()
}

/// The best `z` of all rounds and the steps that they took; `None` if nothing is to be taken from the matrix.
pub(super) fn fixed_point(problem: &Lcp, steps: usize) -> Option<(Vec<f64>, usize)> {
    let n = problem.size();
    let lone = lone(problem);
    if lone.is_empty() {
        return None;
    }
    let mut m = problem.matrix().to_vec();
    lone.iter().for_each(|l| m[l.row * n + l.column] -= l.value);
    let mut monotone = Lcp::new(m, problem.q().to_vec()).ok()?;
    let (mut best, mut taken) = ((f64::INFINITY, vec![0.0; n]), 0);
    for _ in 0..ROUNDS {
        let (z, used) = interior_point(&monotone, MOST_STEPS.min(steps - taken));
        taken += used;
        let (polished_z, residual) = polished(problem, &z);
        if residual < best.0 {
            best = (residual, polished_z);
        }
        let unsolved = monotone.residual(&z.iter().map(|z| z.max(0.0)).collect::<Vec<_>>());
        if best.0 <= TOLERANCE || unsolved > UNSOLVED || taken >= steps {
            break;
        }
        let mut q = problem.q().to_vec();
        lone.iter().for_each(|l| q[l.row] += l.value * z[l.column]);
        monotone = monotone.with_q(q).ok()?;
    }
    Some((best.1, taken))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_that_sticks_is_solved_in_the_first_round() {
        // Push, four edges and slip of one contact: the ball comes down and slips a little.
        let mut m = vec![0.0; 36];
        m[0] = 1.0;
        for (i, j) in (0..16).map(|k| (k / 4, k % 4)) {
            m[(1 + i) * 6 + 1 + j] = [3.5, 0.0, -3.5, 0.0][(4 + j - i) % 4];
        }
        (1..5).for_each(|i| (m[i * 6 + 5], m[30 + i]) = (1.0, -1.0));
        m[30] = 0.5;
        let problem = Lcp::new(m, vec![-1.0, 0.1, 0.0, -0.1, 0.0, 0.0]).unwrap();
        let (z, steps) = fixed_point(&problem, 60).unwrap();
        assert!(problem.residual(&z) <= TOLERANCE && steps <= MOST_STEPS, "{z:?} in {steps}");
        assert!(fixed_point(&Lcp::new(vec![1.0], vec![-1.0]).unwrap(), 60).is_none());
    }
}
