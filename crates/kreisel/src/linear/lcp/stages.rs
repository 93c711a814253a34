//! The methods of a chain: each offers what it finds.

use super::branch::{Decision, branch};
use super::chain::Chain;
use super::fischer::fischer_burmeister;
use super::howson::{is_game, lemke_howson};
use super::lemke::{Lemke, LemkeEnd, LemkeParams, lemke};
use super::polish::{active_sets, interior_point};
use super::slips::fixed_point;
use super::solve::Status;
use crate::linear::noise::Noise;

/// Multiplications that a fallback may spend on dense factors, and all rounds of Lemke's method of one fallback together.
const WORK: f64 = 3e10;
/// What counts as a tie in rounds of Lemke's method with care: the data themselves are known to some 1e-16, times what is lost in
/// nearly singular bases.
const CAREFUL_TIES: [f64; 6] = [1e-10, 1e-10, 1e-9, 1e-8, 1e-10, 1e-9];
/// Choices from which paths through a game begin.
const CHOICES: usize = 4;
/// Rounds of Lemke's method with other covering vectors.
const COVERS: u64 = 6;
/// Cases that a small problem may be split into.
const CASES: usize = 4000;
/// Multiplications that these cases may cost.
const CASE_WORK: f64 = 2e9;

impl Chain<'_> {
    pub(super) fn lemke(&mut self, params: &LemkeParams) -> Lemke {
        let found = lemke(&self.scaled, params);
        self.answer.iterations += found.pivots;
        // What a method that did not end has found may still be an answer, up to the last of the covering vector.
        if found.end != LemkeEnd::Stopped {
            self.offer(&found.z, "lemke");
        }
        found
    }

    /// The same; a ray may be a proof. Returns the work.
    fn lemke_or_proof(&mut self, params: &LemkeParams) -> f64 {
        let found = self.lemke(params);
        if let LemkeEnd::Ray(ray) = &found.end {
            self.offer_proof(ray, "lemke ray");
        }
        found.work
    }

    /// Lemke's method again, every column and value refined; where that is not enough, from other covering vectors, which part what
    /// symmetry ties together.
    pub(super) fn careful(&mut self) {
        let (n, mut noise, mut left) = (self.problem.size(), Noise(11), WORK);
        for (round, tie) in CAREFUL_TIES.into_iter().enumerate() {
            let cover = if round == 0 { Vec::new() } else { (0..n).map(|_| 0.1 + noise.next()).collect() };
            let max_pivots = (6 * n).max(2_000);
            let params =
                LemkeParams { max_pivots, max_work: left, careful: true, tie, cover, ..LemkeParams::default() };
            left -= self.lemke_or_proof(&params);
            if self.done() || left < 0.0 {
                return;
            }
        }
    }

    /// Paths of Lemke and Howson from a few choices, if the problem is a game of two players.
    pub(super) fn game(&mut self) {
        let n = self.problem.size();
        if !is_game(&self.scaled) {
            return;
        }
        for k in 0..n.min(CHOICES) {
            if let Some((z, pivots)) = lemke_howson(&self.scaled, k, (20 * n).max(5_000)) {
                self.answer.iterations += pivots;
                self.offer(&z, "lemke-howson");
            }
            if self.done() {
                return;
            }
        }
    }

    /// How many factorisations of full size the work allows.
    fn factorisations(&self, most: usize) -> usize {
        let n = self.problem.size() as f64;
        ((WORK / (n * n * n / 3.0 + 1.0)) as usize).clamp(3, most)
    }

    pub(super) fn active_sets(&mut self) {
        let (z, steps) = active_sets(&self.scaled, self.factorisations(self.problem.size() + 20));
        self.answer.iterations += steps;
        self.offer(&z, "active sets");
    }

    pub(super) fn newton(&mut self) {
        let n = self.problem.size();
        let mut noise = Noise(7);
        let last: Vec<f64> = self.answer.z.iter().zip(&self.scales).map(|(z, s)| z / s).collect();
        let random = (0..n).map(|_| noise.next()).collect();
        let mut left = self.factorisations(4 * 150);
        for start in [last, vec![0.0; n], vec![1.0; n], random] {
            let (z, steps) = fischer_burmeister(&self.scaled, &start, left.min(150));
            left -= steps;
            self.answer.iterations += steps;
            self.offer(&z, "fischer-burmeister newton");
            if self.done() {
                return;
            }
        }
    }

    pub(super) fn proof(&mut self) {
        let (decision, cases) = branch(&self.scaled, 1);
        self.take(decision, cases, "farkas");
    }

    pub(super) fn covers(&mut self) {
        let (n, mut left) = (self.problem.size(), WORK);
        for round in 0..COVERS {
            let mut noise = Noise(round + 1);
            let cover = (0..n).map(|_| 0.1 + noise.next()).collect();
            let max_pivots = (20 * n).max(5_000);
            left -= self.lemke_or_proof(&LemkeParams { max_pivots, max_work: left, cover, ..LemkeParams::default() });
            if self.done() || left < 0.0 {
                return;
            }
        }
    }

    pub(super) fn slips(&mut self) {
        if let Some((z, steps)) = fixed_point(&self.scaled, self.factorisations(60)) {
            self.answer.iterations += steps;
            self.offer(&z, "interior points and slips");
        }
    }

    pub(super) fn interior(&mut self) {
        let (z, steps) = interior_point(&self.scaled, self.factorisations(100));
        self.answer.iterations += steps;
        self.offer(&z, "interior point");
    }

    pub(super) fn cases(&mut self) {
        let n = self.problem.size() as f64;
        let limit = ((CASE_WORK / (16.0 * n * n * n + 1.0)) as usize).min(CASES);
        // The first case alone is the proof before.
        if limit > 1 {
            let (decision, cases) = branch(&self.scaled, limit);
            self.take(decision, cases, "branch and bound");
        }
    }

    fn take(&mut self, decision: Decision, cases: usize, method: &'static str) {
        self.answer.iterations += cases;
        match decision {
            Decision::Solved(z) => self.offer(&z, method),
            Decision::NoSolution(y) if !y.is_empty() => self.offer_proof(&y, method),
            Decision::NoSolution(_) => (self.answer.status, self.answer.method) = (Status::NoSolution, method),
            Decision::Open => {}
        }
    }
}
