//! The chain of methods for one complementarity problem: its parts, then Lemke, others where it fails, each answer verified.

use super::chain::Chain;
use super::lemke::LemkeEnd;
use super::parts::by_parts;
use super::problem::Lcp;

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

/// From so many rows on friction pyramids are sooner solved from the cones around them than by pivots.
const LARGE: usize = 300;

/// Solves a problem, or proves that it has no solution, or says that it failed.
pub fn solve_lcp(problem: &Lcp, params: &LcpParams) -> LcpAnswer {
    if let Some(answer) = by_parts(problem, params) {
        return answer;
    }
    let mut chain = Chain::new(problem);
    if problem.q().iter().all(|q| *q >= 0.0) {
        chain.offer(&vec![0.0; problem.size()], "trivial");
        return chain.answer;
    }
    let large = problem.size() >= LARGE && params.warm.is_empty() && !params.lemke_only;
    if large {
        chain.cones();
        if chain.done() {
            return chain.answer;
        }
    }
    let found = chain.first(&params.warm);
    if chain.done() || params.lemke_only {
        return chain.answer;
    }
    chain.digits();
    if let LemkeEnd::Ray(ray) = &found.end {
        chain.offer_proof(ray, "lemke ray");
    }
    if !large {
        chain.cones();
        chain.digits();
    }
    let stages: [fn(&mut Chain<'_>); 10] = [
        |chain| chain.game(),
        |chain| chain.ties(),
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
