//! One friction problem and the best answer so far, each verified, while method follows method.

use super::problem::FrictionProblem;
use super::stages::{CHEAP, LOOK_AHEAD, STEADILY, Stage};
use crate::linear::lcp::Status;
use glamx::DVec3;

/// How a friction problem is solved.
#[derive(Clone, Debug, PartialEq)]
pub struct ConeParams {
    /// Natural map, relative to `q`, that counts as solved.
    pub tolerance: f64,
    /// Natural map, relative to `q`, that the methods aim at.
    pub aim: f64,
    /// Impulses to start from; zero if empty.
    pub start: Vec<DVec3>,
    /// Sweeps of Gauss–Seidel before Newton's method.
    pub sweeps: usize,
    /// Where sweeps and Newton's method fail, methods that extrapolate come first: sooner done with problems of hundreds of contacts. In
    /// islands, which come warm, the usual order keeps the bits of a simulation.
    pub look_ahead: bool,
}

impl Default for ConeParams {
    fn default() -> Self {
        Self { tolerance: 1e-8, aim: 1e-11, start: Vec::new(), sweeps: 200, look_ahead: true }
    }
}

/// The answer to a friction problem.
#[derive(Clone, Debug, PartialEq)]
pub struct ConeAnswer {
    /// What is known.
    pub status: Status,
    /// Impulses, normal first.
    pub p: Vec<DVec3>,
    /// Natural map relative to `q`.
    pub residual: f64,
    /// Sweeps and steps of all methods.
    pub iterations: usize,
    /// The method that decided.
    pub method: &'static str,
    /// If there is no solution: normal impulses `y ≥ 0` that move nothing (`W N y = 0`) while the contacts approach (`q_n·y < 0`).
    pub certificate: Vec<f64>,
}

/// Solves a problem, or proves that it has no solution, or says that it failed.
pub fn solve_cone(problem: &FrictionProblem, params: &ConeParams) -> ConeAnswer {
    solve_with(problem, params, if params.look_ahead { &LOOK_AHEAD } else { &STEADILY })
}

/// The same by the cheaper methods only.
pub(crate) fn solve_cone_cheaply(problem: &FrictionProblem, params: &ConeParams) -> ConeAnswer {
    solve_with(problem, params, &LOOK_AHEAD[..CHEAP])
}

fn solve_with(problem: &FrictionProblem, params: &ConeParams, stages: &[Stage]) -> ConeAnswer {
    if let Some((plain, unit)) = problem.in_plain_units() {
        return in_units(
            problem,
            unit,
            solve_with(&plain, &ConeParams { start: Vec::new(), ..params.clone() }, stages),
        );
    }
    let mut chain = Chain::new(problem, params);
    for stage in stages {
        stage(&mut chain);
        chain.polish();
        if chain.is_done() {
            break;
        }
    }
    chain.answer
}

/// The answer of the same problem in other units; impulses that are no numbers in these are no answer.
fn in_units(problem: &FrictionProblem, unit: f64, mut answer: ConeAnswer) -> ConeAnswer {
    answer.p.iter_mut().for_each(|p| *p *= unit);
    answer.residual = problem.residual(&answer.p);
    if answer.status == Status::Solved && answer.residual > ConeParams::default().tolerance {
        answer.status = Status::Failed;
    }
    answer
}

/// The problem, its scaled twin and the best answer so far.
pub(super) struct Chain<'a> {
    pub(super) problem: &'a FrictionProblem,
    pub(super) params: &'a ConeParams,
    pub(super) scaled: FrictionProblem,
    pub(super) scales: Vec<f64>,
    pub(super) answer: ConeAnswer,
    /// True once the methods that factor again and again have begun, and for large problems, where all of them are dear.
    pub(super) costly: bool,
    /// True if what there is lacks nothing but digits, and no method can come closer.
    out_of_digits: bool,
}

/// The share of the tolerance that an answer may use: others round otherwise. [1]
const CLAIMED: f64 = 0.8;
/// A share of the tolerance that is by far enough [1].
pub(super) const BY_FAR: f64 = 0.1;
/// Beyond so many contacts a single dense factor takes longer than all sweeps.
const SMALL: usize = 60;

impl<'a> Chain<'a> {
    fn new(problem: &'a FrictionProblem, params: &'a ConeParams) -> Self {
        let (scaled, scales) = problem.scaled();
        let zero = vec![DVec3::ZERO; problem.contacts()];
        let p = if params.start.len() == zero.len() { params.start.clone() } else { zero };
        let residual = problem.residual(&p);
        let (method, certificate) = ("start", Vec::new());
        let answer = ConeAnswer { status: Status::Failed, p, residual, iterations: 0, method, certificate };
        let costly = problem.contacts() > SMALL;
        let mut chain = Self { problem, params, scaled, scales, answer, costly, out_of_digits: false };
        if chain.stands(&chain.answer.p, residual) {
            chain.answer.status = Status::Solved;
        }
        chain
    }

    /// True if nothing better is worth the effort: the aim is reached, or there is no solution, or there are no digits, or costly methods
    /// have begun and the tolerance is met: by far, or whoever judges.
    pub(super) fn is_done(&self) -> bool {
        let enough = if self.costly { BY_FAR * self.params.tolerance } else { 0.0 };
        let near = self.answer.residual <= self.params.aim.max(enough);
        let good = match (self.params.look_ahead, self.answer.status == Status::Solved) {
            (true, solved) => solved && (near || self.costly),
            (false, _) => near,
        };
        good || self.answer.status == Status::NoSolution || self.out_of_digits
    }

    /// The best impulses in scaled units.
    pub(super) fn best(&self) -> Vec<DVec3> {
        self.answer.p.iter().zip(&self.scales).map(|(p, s)| *p / *s).collect()
    }

    /// Takes impulses that are better than what there is. Those that run away, where there is no answer, are not looked at unless they are
    /// one whoever judges: rounding may pass for one.
    pub(super) fn offer(&mut self, scaled_p: &[DVec3], method: &'static str) {
        self.offer_own(self.in_own_units(scaled_p), method);
    }

    /// Impulses in the units of the problem.
    pub(super) fn in_own_units(&self, scaled_p: &[DVec3]) -> Vec<DVec3> {
        scaled_p.iter().zip(&self.scales).map(|(p, s)| *p * *s).collect()
    }

    /// The same with impulses that are in the units of the problem.
    pub(super) fn offer_own(&mut self, p: Vec<DVec3>, method: &'static str) {
        let residual = self.problem.residual(&p);
        let solved = self.answer.status == Status::Solved;
        // Nothing is checked for what is no better; there are many of these.
        if residual >= self.answer.residual && (solved || residual > self.params.tolerance) {
            return;
        }
        let stands = self.stands(&p, residual);
        if !stands && (solved || self.runs_away(&p, residual)) {
            return;
        }
        if stands {
            self.answer.status = Status::Solved;
        }
        if stands || residual < self.answer.residual {
            (self.answer.p, self.answer.residual, self.answer.method) = (p, residual, method);
        }
    }

    /// Ends the chain with impulses that solve the problem as nearly as numbers do, if that is not near enough whoever judges.
    pub(super) fn give_up_for_digits(&mut self, p: Vec<DVec3>) {
        let residual = self.problem.residual(&p);
        let rounding = self.problem.rounding(&p);
        self.out_of_digits = !self.is_done() && rounding > self.params.tolerance && residual <= rounding;
        if self.out_of_digits {
            (self.answer.p, self.answer.residual, self.answer.method) = (p, residual, "proximal newton");
        }
    }

    fn runs_away(&self, p: &[DVec3], residual: f64) -> bool {
        self.params.look_ahead && self.problem.rounding(p) > self.params.tolerance.max(BY_FAR * residual)
    }

    /// True if impulses are an answer, whoever judges them: by a bound of what rounding may do, or by what it does in all usual orders. Islands
    /// judge by their own measure, step after step.
    pub(super) fn stands(&self, p: &[DVec3], residual: f64) -> bool {
        let (tolerance, claimed) = (self.params.tolerance, CLAIMED * self.params.tolerance);
        let bound = || self.problem.strict_residual(p) + 0.5 * self.problem.rounding(p);
        let worst = || self.problem.worst_of_orders(p);
        residual <= tolerance && (!self.params.look_ahead || bound() <= claimed || worst() <= claimed)
    }
}
