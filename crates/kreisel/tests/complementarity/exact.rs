//! What numbers can do at all: answers solved in twice the digits and rounded once, beside what `solve_lcp` tells as solved or failed.

use super::digits::{heavy_problems, worst_judgement};
use kreisel::linear::lcp::{Lcp, LcpParams, Status, solve_lcp};

/// A number in twice the digits: the sum of two, of which the second is what the first has lost.
#[derive(Clone, Copy, Default)]
struct Double(f64, f64);

impl Double {
    fn plus(self, other: Self) -> Self {
        let sum = self.0 + other.0;
        let part = sum - self.0;
        let lost = (self.0 - (sum - part)) + (other.0 - part) + self.1 + other.1;
        Self(sum + lost, lost - ((sum + lost) - sum))
    }

    fn times(self, other: Self) -> Self {
        let product = self.0 * other.0;
        let lost = self.0.mul_add(other.0, -product) + self.0 * other.1 + self.1 * other.0;
        Self(product + lost, lost - ((product + lost) - product))
    }

    fn minus(self, other: Self) -> Self {
        self.plus(Self(-other.0, -other.1))
    }

    fn over(self, other: Self) -> Self {
        let first = self.0 / other.0;
        let rest = self.minus(other.times(Self(first, 0.0)));
        Self(first, 0.0).plus(Self(rest.0 / other.0, 0.0))
    }
}

/// Pivots below this share of the largest are rounding of redundant contacts.
const REDUNDANT: f64 = 1e-12;

/// Solves `A x = b`, the last column of each row being `b`; unknowns that others make redundant stay zero.
fn solve_in_twice_the_digits(mut a: Vec<Vec<Double>>) -> Vec<Double> {
    let n = a.len();
    let mut order: Vec<usize> = (0..n).collect();
    let (mut rank, mut largest) = (0, 0.0_f64);
    while rank < n {
        let places = (rank..n).flat_map(|i| (rank..n).map(move |j| (i, j)));
        let size = |(i, j): (usize, usize)| a[i][j].0.abs();
        let (row, column) = places.max_by(|&p, &q| size(p).total_cmp(&size(q))).unwrap();
        largest = largest.max(size((row, column)));
        if size((row, column)) <= REDUNDANT * largest {
            break;
        }
        a.swap(rank, row);
        a.iter_mut().for_each(|row| row.swap(rank, column));
        order.swap(rank, column);
        let pivot = a[rank].clone();
        for row in &mut a[rank + 1..] {
            let factor = row[rank].over(pivot[rank]);
            (rank..=n).for_each(|j| row[j] = row[j].minus(factor.times(pivot[j])));
        }
        rank += 1;
    }
    let mut x = vec![Double::default(); n];
    for i in (0..rank).rev() {
        let known = (i + 1..rank).fold(a[i][n], |sum, j| sum.minus(a[i][j].times(x[order[j]])));
        x[order[i]] = known.over(a[i][i]);
    }
    x
}

/// The exact answer that holds the rows which `z` holds, next to `z`, rounded once.
fn exactly_solved(problem: &Lcp, z: &[f64]) -> Vec<f64> {
    let size = z.iter().fold(0.0_f64, |s, z| s.max(*z));
    let held: Vec<usize> = (0..z.len()).filter(|&i| z[i] > 1e-10 * size).collect();
    let scale = |i: usize| problem.row(i).iter().fold(0.0_f64, |s, m| s.max(m.abs())).log2().round().exp2();
    let row = |&i: &usize| {
        let unit = scale(i);
        let terms = held.iter().map(|&j| Double(problem.row(i)[j], 0.0).times(Double(z[j], 0.0)));
        let left = terms.fold(Double(problem.q()[i], 0.0), Double::plus);
        let entries = held.iter().map(|&j| Double(problem.row(i)[j] / unit, 0.0));
        entries.chain([Double(-left.0 / unit, -left.1 / unit)]).collect()
    };
    let mut exact = vec![0.0; z.len()];
    let change = solve_in_twice_the_digits(held.iter().map(row).collect());
    held.iter().zip(change).for_each(|(&i, d)| exact[i] = Double(z[i], 0.0).plus(d).0.max(0.0));
    exact
}

#[test]
fn twice_the_digits_solve_what_one_number_cannot_hold() {
    // A matrix of Hilbert's kind, whose inverse has entries of 10⁷.
    let n = 6;
    let entry = |i: usize, j: usize| Double(1.0, 0.0).over(Double((i + j + 1) as f64, 0.0));
    let right = |i: usize| (0..n).fold(Double::default(), |sum, j| sum.plus(entry(i, j)));
    let rows = (0..n).map(|i| (0..n).map(|j| entry(i, j)).chain([right(i)]).collect());
    let x = solve_in_twice_the_digits(rows.collect());
    assert!(x.iter().all(|x| x.minus(Double(1.0, 0.0)).0.abs() < 1e-22));
}

/// Of problems that are told as failed for rounding nine in ten at least fail as well if the rows that the answer holds are solved exactly and rounded
/// once. The others stand four orders of summation, but not all orders and the margin that the solver asks for.
#[test]
fn what_is_told_as_failed_nearly_always_fails_if_solved_exactly_too() {
    let (mut failed, mut lost, mut solved_for_all) = (0, 0, 0);
    for (round, problem) in heavy_problems(120).iter().enumerate() {
        let answer = solve_lcp(problem, &LcpParams::default());
        let exact = worst_judgement(problem, &exactly_solved(problem, &answer.z));
        solved_for_all += usize::from(answer.status == Status::Solved);
        if answer.status == Status::Failed {
            failed += 1;
            lost += usize::from(exact <= 1e-9);
            println!("{round}: told as {:.1e}, exactly solved and rounded {exact:.1e}", answer.residual);
        }
    }
    println!("{solved_for_all} solved; of {failed} failed, {lost} stand four orders of summation if solved exactly");
    assert!(failed > 10 && 10 * lost <= failed, "{lost} of {failed}");
}
