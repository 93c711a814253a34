//! The chain of methods for one complementarity problem: Lemke first, others where it fails, each answer verified.

use super::branch::{Decision, branch, is_certificate};
use super::fischer::fischer_burmeister;
use super::howson::{is_game, lemke_howson};
use super::lemke::{Lemke, LemkeEnd, LemkeParams, lemke};
use super::nudge::nudged;
use super::orders::worst_residual;
use super::polish::{active_sets, interior_point, polished};
use super::problem::{Lcp, TOLERANCE, power_of_two};
use super::slips::fixed_point;
use super::spread::spread;
use crate::linear::noise::Noise;

/// What is known about a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There is an answer and it was verified.
    Solved,
    /// There is none, and that was proved.
    NoSolution,
    /// No method found an answer or a proof.
    Failed,
}

/// The answer to a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct LcpAnswer {
    /// What is known.
    pub status: Status,
    /// The answer, or the best that was found.
    pub z: Vec<f64>,
    /// Its residual.
    pub residual: f64,
    /// Pivots, steps and cases of all methods.
    pub iterations: usize,
    /// The method that decided.
    pub method: &'static str,
    /// Which `z` are basic; a warm start for the next problem of this kind.
    pub basis: Vec<bool>,
    /// If there is no solution: `y ≥ 0` with `Mᵀy ≤ 0`, `q·y < 0`, unless that took a distinction of cases.
    pub certificate: Vec<f64>,
}

/// What a chain may cost.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct LcpParams {
    /// A basis to start from.
    pub warm: Vec<bool>,
    /// Only Lemke's method, no fallback.
    pub lemke_only: bool,
}

/// Multiplications that a fallback may spend on dense factors, and all rounds of Lemke's method of one fallback together.
const WORK: f64 = 3e10;
/// How many times what rounding does to the largest terms may be left of an answer that lacks digits only.
const NOISE: f64 = 8.0;
/// What rounding may leave of something that is still an answer.
const HOPELESS: f64 = 1e-5;
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

/// Solves a problem, or proves that it has no solution, or says that it failed.
pub fn solve_lcp(problem: &Lcp, params: &LcpParams) -> LcpAnswer {
    let mut chain = Chain::new(problem);
    if problem.q().iter().all(|q| *q >= 0.0) {
        chain.offer(&vec![0.0; problem.size()], "trivial");
        return chain.answer;
    }
    let largest = (20 * problem.size()).max(5_000);
    let found = chain.lemke(&LemkeParams { max_pivots: largest, warm: params.warm.clone(), ..LemkeParams::default() });
    if chain.done() || params.lemke_only {
        return chain.answer;
    }
    chain.digits();
    if let LemkeEnd::Ray(ray) = &found.end {
        chain.offer_proof(ray, "lemke ray");
    }
    let stages: [fn(&mut Chain<'_>); 9] = [
        |chain| chain.game(),
        |chain| chain.slips(),
        |chain| chain.careful(),
        |chain| chain.active_sets(),
        |chain| chain.interior(),
        |chain| chain.newton(),
        |chain| chain.covers(),
        |chain| chain.proof(),
        |chain| chain.cases(),
    ];
    for stage in stages {
        if chain.done() {
            break;
        }
        stage(&mut chain);
        chain.digits();
    }
    chain.answer
}

/// The problem, its scaled twin and the best answer so far.
struct Chain<'a> {
    problem: &'a Lcp,
    scales: Vec<f64>,
    scaled: Lcp,
    answer: LcpAnswer,
    /// True if no method can come closer with the digits there are.
    finished: bool,
    /// Residual of the answer whose neighbours were tried.
    rounded: f64,
}

impl<'a> Chain<'a> {
    fn new(problem: &'a Lcp) -> Self {
        let scales = problem.scales();
        let scaled = problem.scaled(&scales);
        let size = scaled.q().iter().fold(0.0_f64, |s, q| s.max(q.abs()));
        // Units of z in which q is about one.
        let unit = if size > 0.0 { power_of_two(size) } else { 1.0 };
        let q = scaled.q().iter().map(|q| q / unit).collect();
        let scaled = Lcp::new(scaled.matrix().to_vec(), q);
        // Scales that lead beyond all numbers are of no use: the problem stays as it is.
        let (scales, unit, scaled) = match scaled {
            Ok(scaled) => (scales, unit, scaled),
            Err(_) => (vec![1.0; problem.size()], 1.0, problem.clone()),
        };
        let z = vec![0.0; problem.size()];
        let answer = LcpAnswer {
            status: Status::Failed,
            residual: problem.residual(&z),
            z,
            iterations: 0,
            method: "none",
            basis: Vec::new(),
            certificate: Vec::new(),
        };
        Self {
            problem,
            scales: scales.iter().map(|s| s * unit).collect(),
            scaled,
            answer,
            finished: false,
            rounded: f64::INFINITY,
        }
    }

    /// True if the problem is decided, or if no method can come closer with the digits there are.
    fn done(&self) -> bool {
        self.answer.status != Status::Failed || self.finished
    }

    /// Polishes a candidate in scaled units and takes it if it is better than what there is.
    fn offer(&mut self, scaled_z: &[f64], method: &'static str) {
        let (polished_z, _) = polished(&self.scaled, scaled_z);
        for z in [polished_z.as_slice(), scaled_z] {
            let z: Vec<f64> = z.iter().zip(&self.scales).map(|(z, s)| z.max(0.0) * s).collect();
            self.keep_better(z, method);
        }
    }

    /// If there is an answer that lacks digits only: the numbers next to it, and next to the one of least impulses. Where rounding alone leaves
    /// more than the tolerance no other method finds a better one, and this is the end.
    fn digits(&mut self) {
        let rounding = self.problem.rounding(&self.answer.z);
        let is_answer = rounding < HOPELESS && self.answer.residual <= NOISE * rounding;
        if self.done() || !is_answer || self.answer.method == "none" || self.answer.residual == self.rounded {
            return;
        }
        self.round(self.answer.z.clone(), self.answer.method);
        let scaled: Vec<f64> = self.answer.z.iter().zip(&self.scales).map(|(z, s)| z / s).collect();
        if let Some(z) = spread(&self.scaled, &scaled).filter(|_| !self.done()) {
            let z = polished(&self.scaled, &z).0;
            self.round(z.iter().zip(&self.scales).map(|(z, s)| z.max(0.0) * s).collect(), "least impulses");
        }
        self.rounded = self.answer.residual;
        self.finished = rounding > TOLERANCE;
    }

    /// Takes the better of `z` and the numbers next to it.
    fn round(&mut self, z: Vec<f64>, method: &'static str) {
        self.keep_better(nudged(self.problem, &z), method);
        self.keep_better(z, method);
    }

    /// The residual for whoever adds up: no order matters where all terms together are known well enough.
    fn judged(&self, z: &[f64]) -> f64 {
        let residual = self.problem.residual(z);
        let settled = residual + self.problem.size() as f64 * self.problem.rounding(z) <= TOLERANCE;
        if settled { residual } else { worst_residual(self.problem, z) }
    }

    fn keep_better(&mut self, z: Vec<f64>, method: &'static str) {
        let residual = self.judged(&z);
        if residual < self.answer.residual || self.answer.method == "none" {
            self.answer.basis = z.iter().zip(&self.problem.w(&z)).map(|(z, w)| z > w).collect();
            (self.answer.residual, self.answer.z, self.answer.method) = (residual, z, method);
        }
        if self.answer.residual <= TOLERANCE {
            self.answer.status = Status::Solved;
        }
    }

    fn offer_proof(&mut self, scaled_y: &[f64], method: &'static str) {
        if is_certificate(&self.scaled, scaled_y) {
            self.answer.status = Status::NoSolution;
            self.answer.method = method;
            self.answer.certificate = scaled_y.iter().zip(&self.scales).map(|(y, s)| y * s).collect();
        }
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
    fn lemke_or_proof(&mut self, params: &LemkeParams) -> f64 {
        let found = self.lemke(params);
        if let LemkeEnd::Ray(ray) = &found.end {
            self.offer_proof(ray, "lemke ray");
        }
        found.work
    }

    /// Lemke's method again, every column and value refined; where that is not enough, from other covering vectors, which part what
    /// symmetry ties together.
    fn careful(&mut self) {
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
    fn game(&mut self) {
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

    fn active_sets(&mut self) {
        let (z, steps) = active_sets(&self.scaled, self.factorisations(self.problem.size() + 20));
        self.answer.iterations += steps;
        self.offer(&z, "active sets");
    }

    fn newton(&mut self) {
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

    fn proof(&mut self) {
        let (decision, cases) = branch(&self.scaled, 1);
        self.take(decision, cases, "farkas");
    }

    fn covers(&mut self) {
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

    fn slips(&mut self) {
        if let Some((z, steps)) = fixed_point(&self.scaled, self.factorisations(60)) {
            self.answer.iterations += steps;
            self.offer(&z, "interior points and slips");
        }
    }

    fn interior(&mut self) {
        let (z, steps) = interior_point(&self.scaled, self.factorisations(100));
        self.answer.iterations += steps;
        self.offer(&z, "interior point");
    }

    fn cases(&mut self) {
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
