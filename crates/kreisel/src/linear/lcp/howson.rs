//! Games of two players: the path of Lemke and Howson. [LH64]
//!
//! `M = [0 A; Bᵀ 0]` with positive `A`, `B` and `q < 0` asks for an equilibrium, and there is one, but Lemke's method may end in a ray. A pure choice
//! `k` of one player and the best answer `r` to it make all `w ≥ 0`, complementary but for `k` and the answer `s` to `r`; from there the
//! complement of whatever leaves enters, until `k` itself does leave.

use super::lemke::{LemkeParams, complement, leaving_row};
use super::problem::Lcp;
use super::tableau::{Tableau, Variable};

/// The `z` at the end of the path from choice `k`, and the pivots; `None` if the problem is no such game or the path does not end.
pub(super) fn lemke_howson(problem: &Lcp, k: usize, most: usize) -> Option<(Vec<f64>, usize)> {
    let params = LemkeParams::default();
    let scale = problem.q().iter().fold(0.0_f64, |s, q| s.max(q.abs()));
    let mut tableau = Tableau::new(problem, &vec![1.0; problem.size()]);
    let r = answer_to(problem, k)?;
    let s = answer_to(problem, r)?;
    let column = tableau.column(Variable::Z(k));
    tableau.pivot(r, Variable::Z(k), &column);
    let column = tableau.column(Variable::Z(r));
    let mut leaving = tableau.pivot(s, Variable::Z(r), &column);
    for pivots in 2..most {
        if leaving == Variable::W(k) || leaving == Variable::Z(k) {
            return Some((tableau.z(), pivots));
        }
        let entering = complement(leaving);
        let column = tableau.column(entering);
        let row = leaving_row(&tableau, &column, params.tie * scale, params.zero)?;
        leaving = tableau.pivot(row, entering, &column);
    }
    None
}

/// The row that needs most of `z_k` alone.
fn answer_to(problem: &Lcp, k: usize) -> Option<usize> {
    let need = |i: usize| -problem.q()[i] / problem.row(i)[k];
    let rows = (0..problem.size()).filter(|&i| problem.row(i)[k] > 0.0);
    rows.max_by(|&i, &j| need(i).total_cmp(&need(j)))
}

/// True if the rows are those of two players whose gains are all positive: each row has entries where the other player's columns are.
pub(super) fn is_game(problem: &Lcp) -> bool {
    let n = problem.size();
    let first: Vec<bool> = (0..n).map(|i| problem.row(0)[i] == 0.0).collect();
    let fits = |i: usize| {
        (0..n).all(|j| if first[i] == first[j] { problem.row(i)[j] == 0.0 } else { problem.row(i)[j] > 0.0 })
    };
    problem.q().iter().all(|q| *q < 0.0) && first.contains(&false) && (0..n).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matching_pennies_are_played_evenly_and_other_matrices_are_no_games() {
        // Gains of 2 and 1: whoever guesses right, and the other.
        let m = vec![0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 1.0, 2.0, 1.0, 2.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.0];
        let game = Lcp::new(m, vec![-1.0; 4]).unwrap();
        assert!(is_game(&game) && !is_game(&Lcp::new(vec![1.0], vec![-1.0]).unwrap()));
        for k in 0..4 {
            let (z, _) = lemke_howson(&game, k, 100).unwrap();
            assert!(z.iter().all(|z| (z - 1.0 / 3.0).abs() < 1e-15), "{k}: {z:?}");
        }
    }
}
