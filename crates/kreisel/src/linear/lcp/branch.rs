//! Proofs that a complementarity problem has no solution, and the search that always decides small ones.
//!
//! `w − M z = q` with `z, w ≥ 0` asks whether `q` lies in the cone of the columns `e_i` and `−M_i`; complementarity allows one
//! of each pair. If `q` is outside the cone of all columns, the separating `y ≥ 0` has `Mᵀy ≤ 0` and `q·y < 0`:
//! nobody can solve the problem. Else pairs that are both in use are split into two cases, as in integer programming.

use super::polish::polished;
use super::problem::{Lcp, TOLERANCE};
use crate::linear::lu::{add_scaled, dot};
use crate::linear::nnls::nearest_in_cone;

/// Which columns of a pair may be used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Allowed {
    Both,
    W,
    Z,
}

/// What the search found.
pub(super) enum Decision {
    /// An answer.
    Solved(Vec<f64>),
    /// Every case is separated from `q`; the vector separates all of them at once if one case was enough, else it is empty.
    NoSolution(Vec<f64>),
    /// Too many cases, or one that rounding does not decide.
    Open,
}

/// An answer that contradicted a separating vector would have to be this many times larger than `q`.
const MARGIN: f64 = 1e7;

/// What `Mᵀy` leaves above zero by rounding, relative to the largest of its terms. More is compliance: little, but then there is an answer, of large `z`. [1]
const ROUNDING: f64 = 1e-12;

/// True if `y` proves that no `z ≥ 0` of reasonable size has `M z + q ≥ 0`.
pub(super) fn is_certificate(problem: &Lcp, y: &[f64]) -> bool {
    let n = problem.size();
    let size = problem.q().iter().fold(0.0_f64, |s, q| s.max(q.abs()));
    let mut product = vec![0.0; n];
    let mut terms = vec![0.0; n];
    for (i, y) in y.iter().enumerate() {
        add_scaled(&mut product, *y, problem.row(i));
        terms.iter_mut().zip(problem.row(i)).for_each(|(t, m)| *t += (m * y).abs());
    }
    let worst = product.iter().fold(0.0_f64, |m, x| m.max(*x));
    if worst > ROUNDING * terms.iter().fold(0.0_f64, |m, t| m.max(*t)) {
        return false;
    }
    let least = y.iter().fold(0.0_f64, |m, x| m.min(*x));
    let length = dot(y, y).sqrt();
    -dot(problem.q(), y) > (MARGIN * worst).max(-MARGIN * least).max(1e-9 * length) * size && length > 0.0
}

/// Decides by cases, at most `limit` of them.
pub(super) fn branch(problem: &Lcp, limit: usize) -> (Decision, usize) {
    let mut open = vec![vec![Allowed::Both; problem.size()]];
    let (mut cases, mut sure) = (0, true);
    while let Some(allowed) = open.pop() {
        cases += 1;
        if cases > limit {
            return (Decision::Open, cases);
        }
        let (z, w, rest) = relaxed(problem, &allowed);
        if dot(&rest, &rest).sqrt() > 1e-9 * dot(problem.q(), problem.q()).sqrt() {
            if cases == 1 {
                return (certificate(problem, &rest).map_or(Decision::Open, Decision::NoSolution), cases);
            }
            sure &= separates(problem, &allowed, &rest);
            continue;
        }
        let (better, residual) = polished(problem, &z);
        if residual <= TOLERANCE {
            return (Decision::Solved(better), cases);
        }
        let both = |i: usize| z[i].min(w[i]);
        let Some(i) =
            (0..z.len()).filter(|&i| allowed[i] == Allowed::Both).max_by(|&i, &j| both(i).total_cmp(&both(j)))
        else {
            sure = false;
            continue;
        };
        let order = if z[i] > w[i] { [Allowed::W, Allowed::Z] } else { [Allowed::Z, Allowed::W] };
        for choice in order {
            let mut next = allowed.clone();
            next[i] = choice;
            open.push(next);
        }
    }
    (if sure { Decision::NoSolution(Vec::new()) } else { Decision::Open }, cases)
}

/// The separating vector that a projection leaves. Its zeros are known to what rounding does to `q`: where `q` is hardly outside the cone, that
/// is not small beside the vector itself. A row that no `z` lifts is a proof of its own.
fn certificate(problem: &Lcp, rest: &[f64]) -> Option<Vec<f64>> {
    let noise = ROUNDING * dot(problem.q(), problem.q()).sqrt();
    let exact = |r: &f64| if r.abs() > noise { -r } else { 0.0 };
    let stuck = |i: &usize| problem.q()[*i] < 0.0 && problem.row(*i).iter().all(|m| *m <= 0.0);
    let unit = |i: usize| (0..rest.len()).map(|k| f64::from(u8::from(k == i))).collect();
    let left = [rest.iter().map(|r| -r).collect(), rest.iter().map(exact).collect::<Vec<f64>>()];
    let mut ways = left.into_iter().chain((0..rest.len()).filter(stuck).map(unit));
    ways.find(|y| is_certificate(problem, y))
}

/// The nearest point to `q` with the allowed columns: `z`, `w` and the rest.
fn relaxed(problem: &Lcp, allowed: &[Allowed]) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let n = problem.size();
    let w_rows: Vec<usize> = (0..n).filter(|&i| allowed[i] != Allowed::Z).collect();
    let z_rows: Vec<usize> = (0..n).filter(|&i| allowed[i] != Allowed::W).collect();
    let unit = |i: usize| (0..n).map(|k| f64::from(u8::from(k == i))).collect::<Vec<f64>>();
    let minus = |j: usize| (0..n).map(|i| -problem.row(i)[j]).collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = w_rows.iter().map(|&i| unit(i)).chain(z_rows.iter().map(|&j| minus(j))).collect();
    let nearest = nearest_in_cone(&columns, problem.q());
    let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
    w_rows.iter().zip(&nearest.x).for_each(|(&i, x)| w[i] = *x);
    z_rows.iter().zip(&nearest.x[w_rows.len()..]).for_each(|(&i, x)| z[i] = *x);
    (z, w, nearest.rest)
}

/// True if the rest separates `q` from the allowed columns beyond rounding.
fn separates(problem: &Lcp, allowed: &[Allowed], rest: &[f64]) -> bool {
    let n = problem.size();
    let size = problem.q().iter().fold(0.0_f64, |s, q| s.max(q.abs()));
    let pull_w = (0..n).filter(|&i| allowed[i] != Allowed::Z).map(|i| rest[i]);
    let pull_z =
        (0..n).filter(|&j| allowed[j] != Allowed::W).map(|j| -(0..n).map(|i| problem.row(i)[j] * rest[i]).sum::<f64>());
    let worst = pull_w.chain(pull_z).fold(0.0_f64, f64::max);
    dot(rest, problem.q()) > MARGIN * worst * size
}
