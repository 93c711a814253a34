//! The best answer that the methods of a chain have found, in the units of the problem and in scaled ones.

use super::branch::is_certificate;
use super::nudge::nudged;
use super::orders::worst_residual;
use super::polish::polished;
use super::problem::{Lcp, TOLERANCE, power_of_two};
use super::settle::settled;
use super::solve::{LcpAnswer, Status};
use super::spread::spread;

/// Multiplications that all methods after the first may spend together: some twenty seconds.
const ALL_WORK: f64 = 6e10;
/// How many times what rounding does to the largest terms may be left of an answer that lacks digits only.
const NOISE: f64 = 8.0;
/// A residual, in scaled units, of which settling may make an answer.
const NEARLY: f64 = 1e-3;
/// What rounding may leave of something that is still an answer.
const HOPELESS: f64 = 1e-5;

/// The problem, its scaled twin and the best answer so far.
pub(super) struct Chain<'a> {
    pub(super) problem: &'a Lcp,
    pub(super) scales: Vec<f64>,
    pub(super) scaled: Lcp,
    pub(super) answer: LcpAnswer,
    /// Multiplications that the methods after the first may still spend.
    pub(super) left: f64,
    /// True if no method can come closer with the digits there are.
    finished: bool,
    /// Residual of the answer whose neighbours were tried.
    rounded: f64,
}

impl<'a> Chain<'a> {
    pub(super) fn new(problem: &'a Lcp) -> Self {
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
            left: ALL_WORK,
            finished: false,
            rounded: f64::INFINITY,
        }
    }

    /// True if the problem is decided, or if no method can come closer with the digits there are.
    pub(super) fn done(&self) -> bool {
        self.answer.status != Status::Failed || self.finished
    }

    /// Polishes a candidate in scaled units and takes it if it is better than what there is; one that is nearly right is settled.
    pub(super) fn offer(&mut self, scaled_z: &[f64], method: &'static str) {
        let (polished_z, residual) = polished(&self.scaled, scaled_z);
        self.keep_scaled(&polished_z, method);
        self.keep_scaled(scaled_z, method);
        if !self.done() && residual < NEARLY {
            settled(&self.scaled, &polished_z).iter().for_each(|z| self.keep_scaled(z, method));
        }
    }

    fn keep_scaled(&mut self, z: &[f64], method: &'static str) {
        self.keep_better(z.iter().zip(&self.scales).map(|(z, s)| z.max(0.0) * s).collect(), method);
    }

    /// If there is an answer that lacks digits only: the numbers next to it, and next to the one of least impulses. Where rounding alone leaves
    /// more than the tolerance no other method finds a better one, and this is the end.
    pub(super) fn digits(&mut self) {
        let rounding = self.problem.rounding(&self.answer.z);
        let is_answer = rounding < HOPELESS && self.answer.residual <= NOISE * rounding;
        if self.done() || !is_answer || self.answer.method == "none" || self.answer.residual == self.rounded {
            return;
        }
        let scaled: Vec<f64> = self.answer.z.iter().zip(&self.scales).map(|(z, s)| z / s).collect();
        self.settle(&scaled, self.answer.method);
        if let Some(z) = spread(&self.scaled, &scaled).filter(|_| !self.done()) {
            self.settle(&z, "least impulses");
        }
        self.rounded = self.answer.residual;
        self.finished = rounding > TOLERANCE;
    }

    /// Takes the best of what `z` settles to and the numbers next to that.
    fn settle(&mut self, scaled_z: &[f64], method: &'static str) {
        let candidates = [polished(&self.scaled, scaled_z).0].into_iter().chain(settled(&self.scaled, scaled_z));
        for z in candidates.collect::<Vec<_>>() {
            let z: Vec<f64> = z.iter().zip(&self.scales).map(|(z, s)| z.max(0.0) * s).collect();
            self.keep_better(z.clone(), method);
            if self.done() {
                return;
            }
            self.keep_better(nudged(self.problem, &z), method);
        }
    }

    /// The residual for whoever adds up: no order matters where all terms together are known well enough.
    fn judged(&self, z: &[f64]) -> f64 {
        let residual = self.problem.residual(z);
        let settled = residual + self.problem.size() as f64 * self.problem.rounding(z) <= TOLERANCE;
        if settled { residual } else { worst_residual(self.problem, z) }
    }

    /// Takes an answer if it is better than what there is.
    pub(super) fn keep_better(&mut self, z: Vec<f64>, method: &'static str) {
        let residual = self.judged(&z);
        if residual < self.answer.residual || self.answer.method == "none" {
            self.answer.basis = z.iter().zip(&self.problem.w(&z)).map(|(z, w)| z > w).collect();
            (self.answer.residual, self.answer.z, self.answer.method) = (residual, z, method);
        }
        if self.answer.residual <= TOLERANCE {
            self.answer.status = Status::Solved;
        }
    }

    pub(super) fn offer_proof(&mut self, scaled_y: &[f64], method: &'static str) {
        if is_certificate(&self.scaled, scaled_y) {
            self.answer.status = Status::NoSolution;
            self.answer.method = method;
            self.answer.certificate = scaled_y.iter().zip(&self.scales).map(|(y, s)| y * s).collect();
        }
    }
}
