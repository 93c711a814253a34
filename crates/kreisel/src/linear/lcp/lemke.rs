//! Lemke's complementary pivoting with lexicographic ties. [Lem65, CPS92 sec. 4.4]
//!
//! A variable `z₀` with a positive covering vector `d` makes `w = M z + d z₀ + q` feasible; then the complement of
//! whatever leaves the basis enters it, until `z₀` leaves. Ties of the ratio test are the rule in contact problems (equal
//! corners, symmetric stacks): rows of `[B⁻¹q, B⁻¹]` divided by their pivots are compared from left to right, which is
//! the limit of an ever smaller perturbation of `q` and cannot cycle. `z₀` is preferred in a tie.

use super::problem::Lcp;
use super::tableau::{Tableau, Variable};

/// How Lemke's method runs.
#[derive(Clone, Debug, PartialEq)]
pub struct LemkeParams {
    /// Pivots before it gives up.
    pub max_pivots: usize,
    /// Multiplications before it gives up.
    pub max_work: f64,
    /// Covering vector, positive; ones if empty.
    pub cover: Vec<f64>,
    /// Ratios that differ by less, relative to the largest of `q`, are ties.
    pub tie: f64,
    /// Entries of a column below this share of its largest, or of one, are zero.
    pub zero: f64,
    /// Refine every column and all values by what they leave of their equations in twice the digits: some four times the work, for
    /// problems whose bases are nearly singular.
    pub careful: bool,
    /// A basis to start from: which `z` are basic. It is used if it is an answer, else the start is cold.
    pub warm: Vec<bool>,
}

impl Default for LemkeParams {
    fn default() -> Self {
        Self {
            max_pivots: 5_000,
            max_work: f64::INFINITY,
            cover: Vec::new(),
            tie: 1e-12,
            zero: 1e-11,
            careful: false,
            warm: Vec::new(),
        }
    }
}

/// How Lemke's method ended.
#[derive(Clone, Debug, PartialEq)]
pub enum LemkeEnd {
    /// The artificial variable left the basis.
    Solved,
    /// Nothing blocks the entering variable: `z` grows along this direction for ever. For copositive-plus matrices this
    /// means that there is no solution; for others it means nothing.
    Ray(Vec<f64>),
    /// Too many pivots, or numbers too large.
    Stopped,
}

/// What Lemke's method found.
#[derive(Clone, Debug, PartialEq)]
pub struct Lemke {
    /// How it ended.
    pub end: LemkeEnd,
    /// The last `z`; an answer only if it ended `Solved`, up to rounding.
    pub z: Vec<f64>,
    /// Which `z` are basic.
    pub basis: Vec<bool>,
    /// How many pivots it took.
    pub pivots: usize,
    /// How many multiplications they took, about.
    pub work: f64,
}

/// Pivots between looks at the rounding.
const LOOK: usize = 40;
/// Rounding, relative to `q`, that calls for new factors.
const DRIFT: f64 = 1e-11;
/// How many times what new factors leave calls for others.
const GROWN: f64 = 10.0;

/// Runs Lemke's method on the problem as it is (scale it before).
pub fn lemke(problem: &Lcp, params: &LemkeParams) -> Lemke {
    let n = problem.size();
    let scale = problem.q().iter().fold(0.0_f64, |s, q| s.max(q.abs()));
    if let Some(found) = warm_start(problem, params, scale) {
        return found;
    }
    let cover = if params.cover.len() == n { params.cover.clone() } else { vec![1.0; n] };
    let mut tableau = Tableau::new(problem, &cover);
    tableau.careful = params.careful;
    let Some(row) = most_negative(problem.q(), &cover) else {
        return report(&tableau, LemkeEnd::Solved, 0);
    };
    let column = tableau.column(Variable::Cover);
    let mut leaving = tableau.pivot(row, Variable::Cover, &column);
    let mut drift = Drift { known: DRIFT * scale };
    for pivots in 1..params.max_pivots {
        if pivots % LOOK == 0 && !drift.held(&mut tableau) {
            return report(&tableau, LemkeEnd::Stopped, pivots);
        }
        let entering = complement(leaving);
        let column = tableau.column(entering);
        let Some(row) = leaving_row(&tableau, &column, params.tie * scale, params.zero) else {
            let ray = ray(&tableau, entering, &column);
            return report(&tableau, LemkeEnd::Ray(ray), pivots);
        };
        leaving = tableau.pivot(row, entering, &column);
        if leaving == Variable::Cover {
            return report(&tableau, LemkeEnd::Solved, pivots + 1);
        }
        if !tableau.values[row].is_finite() || tableau.work > params.max_work {
            return report(&tableau, LemkeEnd::Stopped, pivots + 1);
        }
    }
    report(&tableau, LemkeEnd::Stopped, params.max_pivots)
}

/// Rounding that was found to be there with new factors as well, where values are large.
struct Drift {
    known: f64,
}

impl Drift {
    /// Makes the inverse anew where rounding has grown; refined values do not show what has become of it: with care each time. False if the
    /// basis is singular.
    fn held(&mut self, tableau: &mut Tableau) -> bool {
        if !tableau.careful && tableau.drift() <= self.known {
            return true;
        }
        let regular = tableau.refactor().is_some();
        self.known = self.known.max(GROWN * tableau.drift());
        regular
    }
}

/// The answer of the last basis, if it still is one.
fn warm_start(problem: &Lcp, params: &LemkeParams, scale: f64) -> Option<Lemke> {
    if params.warm.len() != problem.size() || params.warm.is_empty() {
        return None;
    }
    let mut tableau = Tableau::new(problem, &vec![1.0; problem.size()]);
    tableau.choose(&params.warm)?;
    let good = tableau.values.iter().all(|v| *v >= -params.tie * scale) && tableau.drift() <= DRIFT * scale;
    good.then(|| report(&tableau, LemkeEnd::Solved, 0))
}

/// The row that needs most of the covering vector; the last of equals, as the lexicographic order says.
fn most_negative(q: &[f64], cover: &[f64]) -> Option<usize> {
    let need = |i: usize| q[i] / cover[i];
    let worst = (0..q.len()).fold(None, |best, i| match best {
        Some(b) if need(i) > need(b) => Some(b),
        _ => Some(i),
    });
    worst.filter(|&i| q[i] < 0.0)
}

pub(super) fn complement(variable: Variable) -> Variable {
    match variable {
        Variable::W(i) => Variable::Z(i),
        Variable::Z(i) => Variable::W(i),
        Variable::Cover => Variable::Cover,
    }
}

/// The row of the smallest ratio; of ties, the artificial variable's, else the lexicographically smallest.
pub(super) fn leaving_row(tableau: &Tableau, column: &[f64], tie: f64, zero: f64) -> Option<usize> {
    let largest = column.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
    let ratio = |r: usize| tableau.values[r].max(0.0) / column[r];
    let open: Vec<usize> = (0..column.len()).filter(|&r| column[r] > zero * largest.max(1.0)).collect();
    let least = open.iter().fold(f64::INFINITY, |m, &r| m.min(ratio(r)));
    // A row ties if its value becomes zero, up to rounding, when the entering variable takes the least ratio.
    let ties = |r: &usize| tableau.values[*r].max(0.0) - least * column[*r] <= tie;
    let tied: Vec<usize> = open.into_iter().filter(ties).collect();
    if let Some(&cover) = tied.iter().find(|&&r| tableau.basic[r] == Variable::Cover) {
        return Some(cover);
    }
    lexicographic_least(tableau, column, tied)
}

fn lexicographic_least(tableau: &Tableau, column: &[f64], mut tied: Vec<usize>) -> Option<usize> {
    for i in 0..tableau.size() {
        if tied.len() < 2 {
            break;
        }
        let share = |r: usize| tableau.inverse_entry(r, i) / column[r];
        let least = tied.iter().fold(f64::INFINITY, |m, &r| m.min(share(r)));
        let slack = TIED_ROWS * tied.iter().fold(1.0_f64, |m, &r| m.max(share(r).abs()));
        tied.retain(|&r| share(r) <= least + slack);
    }
    tied.first().copied()
}

/// Entries of tied rows that differ by less, relative to the largest, are equal.
const TIED_ROWS: f64 = 1e-11;

/// The direction of `z` along which nothing blocks.
fn ray(tableau: &Tableau, entering: Variable, column: &[f64]) -> Vec<f64> {
    let mut ray = vec![0.0; tableau.size()];
    for (variable, change) in tableau.basic.iter().zip(column) {
        if let Variable::Z(j) = variable {
            ray[*j] = (-change).max(0.0);
        }
    }
    if let Variable::Z(j) = entering {
        ray[j] = 1.0;
    }
    ray
}

fn report(tableau: &Tableau, end: LemkeEnd, pivots: usize) -> Lemke {
    let mut basis = vec![false; tableau.size()];
    for variable in &tableau.basic {
        if let Variable::Z(j) = variable {
            basis[*j] = true;
        }
    }
    Lemke { end, z: tableau.z(), basis, pivots, work: tableau.work }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_textbook_problem_is_solved() {
        let m = vec![2.0, 1.0, 1.0, 2.0];
        let found = lemke(&Lcp::new(m, vec![-5.0, -6.0]).unwrap(), &LemkeParams::default());
        assert_eq!(found.end, LemkeEnd::Solved);
        assert!((found.z[0] - 4.0 / 3.0).abs() < 1e-14 && (found.z[1] - 7.0 / 3.0).abs() < 1e-14);
    }

    /// Murty's example: ones on the diagonal, twos below, and `q_i = −(2ⁿ + … + 2ⁿ⁻ⁱ)`.
    fn murty(n: usize) -> Lcp {
        let entry = |i: usize, j: usize| [0.0, 1.0, 2.0][1 + usize::from(j < i) - usize::from(j > i)];
        let q = (0..n).map(|i| -((0..=i).map(|k| (1_u64 << (n - k)) as f64).sum::<f64>())).collect();
        Lcp::new((0..n * n).map(|k| entry(k / n, k % n)).collect(), q).unwrap()
    }

    #[test]
    fn murtys_example_takes_a_power_of_two_of_pivots() {
        for n in [4, 8, 10] {
            let found = lemke(&murty(n), &LemkeParams::default());
            assert_eq!((found.end.clone(), found.pivots), (LemkeEnd::Solved, 1 << n));
            assert!(murty(n).residual(&found.z) < 1e-12);
        }
        let few = LemkeParams { max_pivots: 100, ..LemkeParams::default() };
        assert_eq!(lemke(&murty(10), &few).end, LemkeEnd::Stopped);
    }

    #[test]
    fn a_problem_without_solution_ends_in_a_ray() {
        let m = vec![1.0, -1.0, -1.0, 1.0];
        let found = lemke(&Lcp::new(m, vec![-1.0, -1.0]).unwrap(), &LemkeParams::default());
        assert!(
            matches!(&found.end, LemkeEnd::Ray(ray) if (ray[0] - ray[1]).abs() < 1e-12 && ray[0] > 0.0),
            "{found:?}"
        );
    }

    #[test]
    fn a_warm_basis_that_still_answers_costs_no_pivot() {
        let problem = Lcp::new(vec![2.0, 1.0, 1.0, 2.0], vec![-5.0, -6.0]).unwrap();
        let cold = lemke(&problem, &LemkeParams::default());
        let again = LemkeParams { warm: cold.basis.clone(), ..LemkeParams::default() };
        assert_eq!(lemke(&problem, &again).pivots, 0);
        let other = Lcp::new(vec![2.0, 1.0, 1.0, 2.0], vec![-5.0, 6.0]).unwrap();
        let found = lemke(&other, &again);
        assert!(found.pivots > 0 && other.residual(&found.z) < 1e-14);
    }
}
