//! The chain of methods for one friction problem: Gauss–Seidel, Newton, proximal points; each answer verified.

use super::convex::Convex;
use super::feasible::approaching_forever;
use super::folds::through_folds;
use super::gauss_seidel::{extrapolated, gauss_seidel};
use super::interior::interior_point;
use super::newton::{Direction, newton};
use super::problem::FrictionProblem;
use super::proximal::walk;
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
    if let Some((plain, unit)) = problem.in_plain_units() {
        return in_units(problem, unit, solve_cone(&plain, &ConeParams { start: Vec::new(), ..params.clone() }));
    }
    let mut chain = Chain::new(problem, params);
    let stages: &[Stage] = if params.look_ahead { &LOOK_AHEAD } else { &STEADILY };
    for stage in stages {
        stage(&mut chain);
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

type Stage = fn(&mut Chain<'_>);

/// For problems that come cold: the cheap methods first. The convex problems take ten times as long as all others together, but lead where others
/// do not begin.
const LOOK_AHEAD: [Stage; 14] = [
    |chain| chain.sweep(chain.params.sweeps),
    |chain| chain.newton(&chain.best(), chain.newton_steps(), "newton"),
    |chain| chain.prove(),
    |chain| chain.look_ahead(),
    |chain| chain.fold(&FOLDS[..1]),
    |chain| chain.interior(),
    |chain| chain.walk(),
    |chain| chain.soften(),
    |chain| chain.slips(),
    |chain| chain.fold(&FOLDS[1..]),
    |chain| chain.proximal(),
    |chain| chain.sweep(10 * chain.params.sweeps),
    |chain| chain.proximal(),
    |chain| chain.sweep(20 * chain.params.sweeps),
];

/// For problems that come warm, step after step.
const STEADILY: [Stage; 8] = [
    |chain| chain.sweep(chain.params.sweeps),
    |chain| chain.newton(&chain.best(), chain.newton_steps(), "newton"),
    |chain| chain.prove(),
    |chain| chain.slips(),
    |chain| chain.sweep(10 * chain.params.sweeps),
    |chain| chain.interior(),
    |chain| chain.proximal(),
    |chain| chain.sweep(20 * chain.params.sweeps),
];

/// The problem, its scaled twin and the best answer so far.
struct Chain<'a> {
    problem: &'a FrictionProblem,
    params: &'a ConeParams,
    scaled: FrictionProblem,
    scales: Vec<f64>,
    answer: ConeAnswer,
    /// True once the methods that factor again and again have begun, and for large problems, where all of them are dear.
    costly: bool,
}

/// Proximal weights relative to the diagonal, one round each direction of trust.
const WEIGHTS: [f64; 8] = [1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-3, 1e-1, 1.0];
/// Sweeps that look ahead, in units of the usual number.
const AHEAD: usize = 5;
/// Proximal points that look ahead.
const WALK: usize = 60;
/// How far soft contacts yield, relative to what impulses do to them, and the residual of their answers. [1]
const SOFTNESS: [f64; 6] = [1.0, 0.1, 0.03, 1e-2, 3e-3, 1e-3];
const SOFT_ENOUGH: f64 = 1e-9;
/// Proximal steps with one weight.
const PROXIMAL_STEPS: usize = 60;
/// A share of the tolerance that is by far enough [1].
const BY_FAR: f64 = 0.1;
/// Beyond so many contacts a single dense factor takes longer than all sweeps.
const SMALL: usize = 60;
/// Convex problems at most.
const SLIP_ROUNDS: usize = 60;
/// Convex problems that may follow each other without one that comes closer, by this share at least [1].
const SLIP_PATIENCE: usize = 6;
const STEADY: f64 = 0.97;
/// Ways to compute Newton's directions, tried in this order.
const WAYS: [Direction; 4] = [
    Direction { rho: 1.0, lift: 1e-14, damping: 0.0 },
    Direction { rho: 1.0, lift: 1e-14, damping: 1.0 },
    Direction { rho: 1.0, lift: 1e-14, damping: 1e-3 },
    Direction { rho: 1.0, lift: 1e-9, damping: 0.0 },
];
/// Where paths through folds begin, and what they may cost.
struct Fold {
    /// Sweeps from no impulses at all; none from the best that is known.
    sweeps: usize,
    /// The first weight. [1]
    weight: f64,
    /// Multiplications.
    work: f64,
}

/// Whether a path is short depends on where it begins as if by chance: better several than a long one.
const FOLDS: [Fold; 6] = [
    Fold { sweeps: 0, weight: 1e-2, work: 1.5e9 },
    Fold { sweeps: 0, weight: 1e-3, work: 3e9 },
    Fold { sweeps: 100, weight: 1e-3, work: 3e9 },
    Fold { sweeps: 50, weight: 1e-2, work: 3e9 },
    Fold { sweeps: 25, weight: 1e-1, work: 3e9 },
    Fold { sweeps: 12, weight: 1e-2, work: 3e9 },
];
/// Newton steps per problem.
const NEWTON_STEPS: usize = 60;
/// Multiplications that dense factors may cost in one stage.
const WORK: f64 = 2e12;

impl<'a> Chain<'a> {
    fn new(problem: &'a FrictionProblem, params: &'a ConeParams) -> Self {
        let (scaled, scales) = problem.scaled();
        let zero = vec![DVec3::ZERO; problem.contacts()];
        let p = if params.start.len() == zero.len() { params.start.clone() } else { zero };
        let residual = problem.residual(&p);
        let (method, certificate) = ("start", Vec::new());
        let mut answer = ConeAnswer { status: Status::Failed, p, residual, iterations: 0, method, certificate };
        if residual <= params.tolerance {
            answer.status = Status::Solved;
        }
        let costly = problem.contacts() > SMALL;
        Self { problem, params, scaled, scales, answer, costly }
    }

    /// True if nothing better is worth the effort: the aim is reached, or there is no solution, or costly methods have begun and
    /// the tolerance is met by far.
    fn is_done(&self) -> bool {
        let enough = if self.costly { BY_FAR * self.params.tolerance } else { 0.0 };
        self.answer.status == Status::NoSolution || self.answer.residual <= self.params.aim.max(enough)
    }

    /// The best impulses in scaled units.
    fn best(&self) -> Vec<DVec3> {
        self.answer.p.iter().zip(&self.scales).map(|(p, s)| *p / *s).collect()
    }

    fn offer(&mut self, scaled_p: &[DVec3], method: &'static str) {
        let p: Vec<DVec3> = scaled_p.iter().zip(&self.scales).map(|(p, s)| *p * *s).collect();
        let residual = self.problem.residual(&p);
        if residual < self.answer.residual {
            (self.answer.p, self.answer.residual, self.answer.method) = (p, residual, method);
        }
        if self.answer.residual <= self.params.tolerance {
            self.answer.status = Status::Solved;
        }
    }

    /// Extrapolation may run away where there is no answer, until rounding passes for one: such impulses are not looked at.
    fn offer_extrapolated(&mut self, scaled_p: &[DVec3], method: &'static str) {
        let terms = |i: usize| self.scaled.row(i).map(|(j, w)| (*w * scaled_p[j]).length_squared()).sum::<f64>();
        let rounding = f64::EPSILON * (0..scaled_p.len()).map(terms).sum::<f64>().sqrt();
        if rounding <= BY_FAR * self.params.tolerance * self.scaled.size() {
            self.offer(scaled_p, method);
        }
    }

    fn sweep(&mut self, sweeps: usize) {
        let mut p = self.best();
        let (done, _) = gauss_seidel(&self.scaled, &mut p, 0.1 * self.params.aim, sweeps);
        self.answer.iterations += done;
        self.offer(&p, "gauss-seidel");
    }

    /// Sweeps that look ahead, then Newton's method from there.
    fn look_ahead(&mut self) {
        let mut p = self.best();
        let (done, _) = extrapolated(&self.scaled, &mut p, 0.1 * self.params.aim, AHEAD * self.params.sweeps);
        self.answer.iterations += done;
        self.offer_extrapolated(&p, "extrapolated gauss-seidel");
        if !self.is_done() {
            self.newton(&self.best(), self.newton_steps(), "newton");
        }
    }

    /// Proximal points that look ahead, then Newton's method from there.
    fn walk(&mut self) {
        let mut p = self.best();
        let (done, _) = walk(&self.scaled, &mut p, 0.1 * self.params.aim, WALK.min(self.newton_steps()), WAYS[0]);
        self.answer.iterations += done;
        self.offer_extrapolated(&p, "proximal newton");
        if !self.is_done() {
            self.newton(&self.best(), self.newton_steps(), "newton");
        }
    }

    /// Contacts that yield, `(W + α 1, q)`, less from round to round: their answers are starts far from where the other methods ended, and
    /// proximal points walk from each. At last Newton's method from the best of all.
    fn soften(&mut self) {
        let zero = vec![DVec3::ZERO; self.problem.contacts()];
        let mut soft = zero.clone();
        for alpha in SOFTNESS {
            let near = self.scaled.proximal(alpha, &zero);
            let (sweeps, _) = gauss_seidel(&near, &mut soft, SOFT_ENOUGH, self.params.sweeps);
            let (steps, _) = newton(&near, &mut soft, SOFT_ENOUGH, self.newton_steps(), WAYS[0]);
            let mut p = soft.clone();
            let (walked, _) = walk(&self.scaled, &mut p, 0.1 * self.params.aim, WALK.min(self.newton_steps()), WAYS[0]);
            self.answer.iterations += sweeps + steps + walked;
            self.offer_extrapolated(&p, "soft contacts, proximal newton");
            if self.is_done() {
                return;
            }
        }
        self.newton(&self.best(), self.newton_steps(), "newton");
    }

    /// Paths through folds. What they leave unfinished is no start for other methods: it is near where answers end.
    fn fold(&mut self, attempts: &[Fold]) {
        self.costly = true;
        let goal = 0.1 * self.params.aim.max(BY_FAR * self.params.tolerance);
        for attempt in attempts {
            let mut p = self.best();
            if attempt.sweeps > 0 {
                p.fill(DVec3::ZERO);
                gauss_seidel(&self.scaled, &mut p, goal, attempt.sweeps);
            }
            let (steps, residual) = through_folds(&self.scaled, &mut p, goal, attempt.weight, attempt.work);
            self.answer.iterations += steps;
            if residual <= self.params.tolerance {
                self.offer_extrapolated(&p, "paths through folds");
            }
            if self.is_done() {
                return;
            }
        }
    }

    fn newton_steps(&self) -> usize {
        let n = 3.0 * self.problem.contacts() as f64;
        ((WORK / (n * n * n / 3.0 + 1.0)) as usize).clamp(10, NEWTON_STEPS)
    }

    fn newton(&mut self, start: &[DVec3], steps: usize, method: &'static str) {
        for way in WAYS {
            let mut p = start.to_vec();
            let (steps, _) = newton(&self.scaled, &mut p, 0.1 * self.params.aim, steps, way);
            self.answer.iterations += steps;
            self.offer(&p, method);
            if self.answer.residual <= self.params.aim {
                break;
            }
        }
    }

    fn prove(&mut self) {
        if self.answer.status == Status::Solved {
            return;
        }
        if let Some(y) = approaching_forever(&self.scaled) {
            self.answer.status = Status::NoSolution;
            self.answer.method = "farkas";
            self.answer.certificate = y.iter().zip(&self.scales).map(|(y, s)| y * s).collect();
        }
    }

    /// Convex problems of given slips, whose answers give the next slips; Newton's method from each.
    fn slips(&mut self) {
        self.costly = true;
        let convex = Convex::new(&self.scaled.symmetric());
        let mut g = vec![0.0; self.problem.contacts()];
        let (mut last, mut least, mut stale) = (f64::INFINITY, f64::INFINITY, 0);
        for round in 0..self.slip_rounds() {
            let (p, next, steps) = convex.solve(&g);
            self.answer.iterations += steps;
            self.offer(&p, "slips");
            let now = self.scaled.residual(&p);
            self.newton(&p, self.newton_steps().min(12), "slips, newton");
            if self.is_done() {
                return;
            }
            stale = if now < STEADY * least { 0 } else { stale + 1 };
            least = least.min(now);
            if stale > SLIP_PATIENCE {
                return;
            }
            // Slips that jump to and fro are met halfway.
            let share = if now > 0.9 * last && round > 4 { 0.5 } else { 1.0 };
            g.iter_mut().zip(&next).for_each(|(g, n)| *g += share * (n - *g));
            last = now;
        }
    }

    fn slip_rounds(&self) -> usize {
        let n = 3.0 * self.problem.contacts() as f64;
        ((WORK / (30.0 * n * n * n / 3.0 + 1.0)) as usize).clamp(2, SLIP_ROUNDS)
    }

    /// An interior point, then Newton's method from there.
    fn interior(&mut self) {
        self.costly = true;
        let (inner, steps) = interior_point(&self.scaled, 3 * self.newton_steps());
        self.answer.iterations += steps;
        self.offer(&inner, "interior point");
        self.newton(&inner, self.newton_steps(), "interior point, newton");
    }

    /// `p ← solution of (W + α 1, q − α p)`: regular problems whose answers walk to one of the singular problem. [Roc76]
    fn proximal(&mut self) {
        for alpha in WEIGHTS {
            let (mut p, mut last) = (self.best(), f64::INFINITY);
            for _ in 0..PROXIMAL_STEPS {
                let near = self.scaled.proximal(alpha, &p);
                let goal = 1e-3 * self.answer.residual.clamp(self.params.aim, 1.0);
                let (sweeps, rest) = gauss_seidel(&near, &mut p, goal, 20);
                self.answer.iterations += sweeps;
                if rest > goal {
                    let (steps, _) = newton(&near, &mut p, goal, self.newton_steps(), WAYS[0]);
                    self.answer.iterations += steps;
                }
                self.offer(&p, "proximal newton");
                let now = self.scaled.residual(&p);
                if self.answer.residual <= self.params.aim || now > 0.98 * last {
                    break;
                }
                last = now;
            }
            self.newton(&self.best(), self.newton_steps(), "newton");
            if self.is_done() {
                return;
            }
        }
    }
}
