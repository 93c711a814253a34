//! Problems that fall apart: what no entry of the matrix joins is solved part by part.
//!
//! `w = M z + q` of a part knows nothing of the others. So the answers of all parts together are one of the whole, and a part without a
//! solution leaves the whole without one. Stacks that stand on one floor fall apart like that. Pivots cost the cube of the size, and
//! where Lemke's method is lost in one part the others do not lose their way with it.

use super::chain::Chain;
use super::problem::Lcp;
use super::solve::{LcpAnswer, LcpParams, Status, solve_lcp};

/// Problems of fewer rows are solved as a whole: there is nothing to be gained.
const MANY: usize = 200;

/// The answer of a large problem that falls apart; none if it does not.
pub(super) fn by_parts(problem: &Lcp, params: &LcpParams) -> Option<LcpAnswer> {
    if problem.size() < MANY {
        return None;
    }
    let parts = parts(problem);
    if parts.len() < 2 {
        return None;
    }
    let warm = |rows: &[usize]| rows.iter().filter_map(|&i| params.warm.get(i).copied()).collect();
    let solve = |rows: &Vec<usize>| {
        Some(solve_lcp(&part(problem, rows)?, &LcpParams { warm: warm(rows), lemke_only: params.lemke_only }))
    };
    let answers = parts.iter().map(solve).collect::<Option<Vec<LcpAnswer>>>()?;
    Some(put_together(problem, &parts, &answers))
}

fn put_together(problem: &Lcp, parts: &[Vec<usize>], answers: &[LcpAnswer]) -> LcpAnswer {
    let mut chain = Chain::new(problem);
    let whole = |of: &dyn Fn(&LcpAnswer) -> Vec<f64>| {
        let mut whole = vec![0.0; problem.size()];
        for (rows, answer) in parts.iter().zip(answers) {
            rows.iter().zip(of(answer)).for_each(|(&i, x)| whole[i] = x);
        }
        whole
    };
    // What it took most for says how the whole was solved.
    let method = answers.iter().max_by_key(|a| a.iterations).map_or("none", |a| a.method);
    chain.keep_better(whole(&|a| a.z.clone()), method);
    chain.answer.iterations = answers.iter().map(|a| a.iterations).sum();
    if let Some(none) = answers.iter().find(|a| a.status == Status::NoSolution).filter(|_| !chain.done()) {
        (chain.answer.status, chain.answer.method) = (Status::NoSolution, none.method);
        // A distinction of cases leaves none.
        let known = !none.certificate.is_empty();
        chain.answer.certificate = if known { whole(&|a| a.certificate.clone()) } else { Vec::new() };
    }
    chain.answer
}

/// The rows of each part, ascending, by the first of them.
fn parts(problem: &Lcp) -> Vec<Vec<usize>> {
    let n = problem.size();
    let mut part = vec![usize::MAX; n];
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for first in 0..n {
        if part[first] != usize::MAX {
            continue;
        }
        part[first] = parts.len();
        let (mut rows, mut next) = (vec![first], 0);
        while let Some(&i) = rows.get(next) {
            next += 1;
            for j in (0..n).filter(|&j| problem.row(i)[j] != 0.0 || problem.row(j)[i] != 0.0) {
                if part[j] == usize::MAX {
                    part[j] = parts.len();
                    rows.push(j);
                }
            }
        }
        rows.sort_unstable();
        parts.push(rows);
    }
    parts
}

fn part(problem: &Lcp, rows: &[usize]) -> Option<Lcp> {
    let m = rows.iter().flat_map(|&i| rows.iter().map(move |&j| problem.row(i)[j])).collect();
    Lcp::new(m, rows.iter().map(|&i| problem.q()[i]).collect()).ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Small problems side by side, their first rows before all second ones.
    fn side_by_side(count: usize) -> Lcp {
        let n = 2 * count;
        let mut m = vec![0.0; n * n];
        for k in 0..count {
            let (i, j) = (k, count + k);
            (m[i * n + i], m[i * n + j], m[j * n + i], m[j * n + j]) = (2.0, 1.0, 1.0, 2.0);
        }
        Lcp::new(m, [vec![-5.0; count], vec![-6.0; count]].concat()).unwrap()
    }

    #[test]
    fn what_falls_apart_is_solved_as_its_parts_are() {
        let problem = side_by_side(120);
        assert_eq!(parts(&problem).len(), 120);
        let answer = by_parts(&problem, &LcpParams::default()).unwrap();
        assert_eq!(answer.status, Status::Solved);
        assert!(problem.residual(&answer.z) < 1e-14);
        assert!((answer.z[7] - 4.0 / 3.0).abs() < 1e-14 && (answer.z[127] - 7.0 / 3.0).abs() < 1e-14);
    }

    #[test]
    fn a_part_without_a_solution_leaves_the_whole_without_one() {
        let (mut m, mut q) = (side_by_side(120).matrix().to_vec(), side_by_side(120).q().to_vec());
        (m[3 * 240 + 3], m[3 * 240 + 123], m[123 * 240 + 3]) = (0.0, 0.0, 0.0);
        q[3] = -1.0;
        let problem = Lcp::new(m, q).unwrap();
        let answer = by_parts(&problem, &LcpParams::default()).unwrap();
        assert_eq!(answer.status, Status::NoSolution);
        assert!((0..240).all(|i| (answer.certificate.get(i) > Some(&0.0)) == (i == 3)), "{:?}", answer.certificate);
    }

    #[test]
    fn what_hangs_together_is_not_taken_apart() {
        let mut m = side_by_side(120).matrix().to_vec();
        (0..239).for_each(|i| m[i * 240 + i + 1] = 0.1);
        let problem = Lcp::new(m, vec![-1.0; 240]).unwrap();
        assert!(by_parts(&problem, &LcpParams::default()).is_none());
    }
}
