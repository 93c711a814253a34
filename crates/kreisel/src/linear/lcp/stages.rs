//! The methods of a chain: each offers what it finds.

use super::branch::{Decision, branch};
use super::chain::Chain;
use super::fischer::fischer_burmeister;
use super::howson::{is_game, lemke_howson};
use super::lemke::{Lemke, LemkeEnd, LemkeParams, lemke};
use super::polish::{active_sets, interior_point};
use super::pyramids::{Found, by_cones};
use super::slips::fixed_point;
use super::solve::Status;
use crate::linear::noise::Noise;

/// Multiplications that a fallback may spend on dense factors.
const WORK: f64 = 2e10;
/// Pivots per row that Lemke's method may take at first: where it ends it takes two or so, where it is lost it goes on by the ten thousand.
const FIRST_PIVOTS: usize = 4;
/// The same at least, and in rounds with other covering vectors.
const FEW_PIVOTS: usize = 5_000;
/// Multiplications that each of its fallbacks may spend.
const PIVOT_WORK: f64 = 1.5e10;
/// What counts as a tie in rounds of Lemke's method with care: the data themselves are known to some 1e-16, times what is lost in
/// nearly singular bases. The first round has the usual covering vector.
const CAREFUL_TIES: [f64; 6] = [1e-10, 1e-10, 1e-9, 1e-8, 1e-10, 1e-9];
/// What counts as a tie in rounds without care.
const WIDER_TIES: [f64; 4] = [1e-10, 1e-10, 1e-9, 1e-8];
/// Steps below which interior points do not arrive.
const FEWEST_STEPS: usize = 20;
/// Choices from which paths through a game begin.
const CHOICES: usize = 4;
/// Rounds of Lemke's method with other covering vectors.
const COVERS: u64 = 6;
/// Cases that a small problem may be split into.
const CASES: usize = 4000;
/// Multiplications that these cases may cost.
const CASE_WORK: f64 = 2e9;

impl Chain<'_> {
    /// Lemke's method as it is: it has what it needs, and the others have theirs besides.
    pub(super) fn first(&mut self, warm: &[bool]) -> Lemke {
        let max_pivots = (FIRST_PIVOTS * self.problem.size()).max(FEW_PIVOTS);
        self.lemke(&LemkeParams { max_pivots, warm: warm.to_vec(), ..LemkeParams::default() })
    }

    fn lemke(&mut self, params: &LemkeParams) -> Lemke {
        let found = lemke(&self.scaled, params);
        self.answer.iterations += found.pivots;
        // What a method that did not end has found may still be an answer, up to the last of the covering vector.
        if found.end != LemkeEnd::Stopped {
            self.offer(&found.z, "lemke");
        }
        found
    }

    /// The same; a ray may be a proof. Returns the work.
    fn lemke_or_proof(&mut self, params: LemkeParams) -> f64 {
        let found = self.lemke(&LemkeParams { max_work: params.max_work.min(self.left), ..params });
        self.left -= found.work;
        if let LemkeEnd::Ray(ray) = &found.end {
            self.offer_proof(ray, "lemke ray");
        }
        found.work
    }

    /// Lemke's method again with more that counts as a tie, since nearly singular bases make large differences of nothing, and from other
    /// covering vectors, which part what symmetry ties together.
    pub(super) fn ties(&mut self) {
        let mut noise = Noise(17);
        let mut left = PIVOT_WORK;
        for (round, tie) in WIDER_TIES.into_iter().enumerate() {
            let params = LemkeParams { max_work: left, tie, zero: tie, ..LemkeParams::default() };
            left -= self.again(params, round, 3, &mut noise);
            if self.done() || left < 0.0 {
                return;
            }
        }
    }

    /// The same, every column and value refined.
    pub(super) fn careful(&mut self) {
        let (mut noise, mut left) = (Noise(11), PIVOT_WORK);
        for (round, tie) in CAREFUL_TIES.into_iter().enumerate() {
            let params = LemkeParams { max_work: left, careful: true, tie, ..LemkeParams::default() };
            left -= self.again(params, round, 6, &mut noise);
            if self.done() || left < 0.0 {
                return;
            }
        }
    }

    /// A round of Lemke's method with so many pivots per row at most; all but the first have covering vectors at random. Returns the work.
    fn again(&mut self, params: LemkeParams, round: usize, pivots: usize, noise: &mut Noise) -> f64 {
        let n = self.problem.size();
        let cover = if round == 0 { Vec::new() } else { (0..n).map(|_| 0.1 + noise.next()).collect() };
        self.lemke_or_proof(LemkeParams { max_pivots: (pivots * n).max(2_000), cover, ..params })
    }

    /// Friction pyramids from the cones around them.
    pub(super) fn cones(&mut self) {
        let scaled = |z: Vec<f64>, scales: &[f64]| z.iter().zip(scales).map(|(z, s)| z / s).collect::<Vec<f64>>();
        match by_cones(self.problem) {
            Some(Found::Answer(z, steps)) => {
                self.answer.iterations += steps;
                self.offer(&scaled(z, &self.scales), "from the cones");
            }
            Some(Found::Proof(y)) => self.offer_proof(&scaled(y, &self.scales), "farkas"),
            None => {}
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
        ((WORK.min(self.left) / self.factorisation()) as usize).min(most)
    }

    /// Multiplications of one.
    fn factorisation(&self) -> f64 {
        let n = self.problem.size() as f64;
        n * n * n / 3.0 + 1.0
    }

    /// Counts steps of one factorisation each.
    fn spend(&mut self, steps: usize) {
        self.answer.iterations += steps;
        self.left -= steps as f64 * self.factorisation();
    }

    pub(super) fn active_sets(&mut self) {
        let (z, steps) = active_sets(&self.scaled, self.factorisations(self.problem.size() + 20));
        self.spend(steps);
        self.offer(&z, "active sets");
    }

    pub(super) fn newton(&mut self) {
        let n = self.problem.size();
        let mut noise = Noise(7);
        let last: Vec<f64> = self.answer.z.iter().zip(&self.scales).map(|(z, s)| z / s).collect();
        let random = (0..n).map(|_| noise.next()).collect();
        let mut left = self.factorisations(4 * 150);
        if left == 0 {
            return;
        }
        for start in [last, vec![0.0; n], vec![1.0; n], random] {
            let (z, steps) = fischer_burmeister(&self.scaled, &start, left.min(150));
            left -= steps;
            self.spend(steps);
            self.offer(&z, "fischer-burmeister newton");
            if self.done() || left == 0 {
                return;
            }
        }
    }

    pub(super) fn proof(&mut self) {
        let (decision, cases) = branch(&self.scaled, 1);
        self.take(decision, cases, "farkas");
    }

    pub(super) fn covers(&mut self) {
        let (n, mut left) = (self.problem.size(), PIVOT_WORK);
        for round in 0..COVERS {
            let mut noise = Noise(round + 1);
            let cover = (0..n).map(|_| 0.1 + noise.next()).collect();
            let max_pivots = (20 * n).max(FEW_PIVOTS);
            left -= self.lemke_or_proof(LemkeParams { max_pivots, max_work: left, cover, ..LemkeParams::default() });
            if self.done() || left < 0.0 {
                return;
            }
        }
    }

    pub(super) fn slips(&mut self) {
        let most = self.factorisations(6 * 60);
        if most < FEWEST_STEPS {
            return;
        }
        if let Some((z, steps)) = fixed_point(&self.scaled, most) {
            self.spend(steps);
            self.offer(&z, "interior points and slips");
        }
    }

    pub(super) fn interior(&mut self) {
        let most = self.factorisations(100);
        if most < FEWEST_STEPS {
            return;
        }
        let (z, steps) = interior_point(&self.scaled, most);
        self.spend(steps);
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
