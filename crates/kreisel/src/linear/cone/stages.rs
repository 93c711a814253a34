//! The methods of the chain for one friction problem: Gauss–Seidel, Newton, proximal points, paths, convex problems.

use super::convex::Convex;
use super::damped::full_steps;
use super::extrapolate::Extrapolation;
use super::feasible::approaching_forever;
use super::folds::through_folds;
use super::fronts::{BlockRow, Fronts, SmallPivots};
use super::gauss_seidel::{extrapolated, gauss_seidel};
use super::interior::{Pace, interior_point};
use super::newton::{Direction, newton};
use super::proximal::walk;
use super::solve::{BY_FAR, Chain};
use crate::linear::lcp::Status;
use crate::linear::noise::Noise;
use glamx::DVec3;

pub(super) type Stage = fn(&mut Chain<'_>);

/// For problems that come cold: the cheap methods first. A few convex problems lead where others do not begin; many of them take ten times as
/// long as all others together.
pub(super) const LOOK_AHEAD: [Stage; 19] = [
    |chain| chain.sweep(chain.params.sweeps),
    |chain| chain.newton(&chain.best(), chain.newton_steps(), "newton"),
    |chain| chain.prove(),
    |chain| chain.full_steps(),
    |chain| chain.inside(&INSIDE[..3]),
    |chain| chain.interior_if(chain.is_light()),
    |chain| chain.convex_problems(FEW_ROUNDS),
    |chain| chain.look_ahead(),
    |chain| chain.fold(&FOLDS[..1]),
    |chain| chain.inside(&INSIDE[3..]),
    |chain| chain.interior_if(!chain.is_light()),
    |chain| chain.walk(),
    |chain| chain.soften(),
    |chain| chain.convex_problems(chain.slip_rounds()),
    |chain| chain.fold(&FOLDS[1..]),
    |chain| chain.proximal(),
    |chain| chain.sweep(10 * chain.params.sweeps),
    |chain| chain.proximal(),
    |chain| chain.sweep(20 * chain.params.sweeps),
];

/// For problems that come warm, step after step.
pub(super) const STEADILY: [Stage; 8] = [
    |chain| chain.sweep(chain.params.sweeps),
    |chain| chain.newton(&chain.best(), chain.newton_steps(), "newton"),
    |chain| chain.prove(),
    |chain| chain.slips(),
    |chain| chain.sweep(10 * chain.params.sweeps),
    |chain| chain.interior(),
    |chain| chain.proximal(),
    |chain| chain.sweep(20 * chain.params.sweeps),
];

/// Proximal weights relative to the diagonal, one round each direction of trust.
const WEIGHTS: [f64; 8] = [1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-3, 1e-1, 1.0];
/// Sweeps that look ahead, in units of the usual number.
const AHEAD: usize = 5;
/// Proximal points that look ahead.
const WALK: usize = 60;
/// Multiplications that one factor of each of them may cost.
const WALK_WORK: f64 = 2e9;
/// How far soft contacts yield, relative to what impulses do to them, and the residual of their answers. [1]
const SOFTNESS: [f64; 6] = [1.0, 0.1, 0.03, 1e-2, 3e-3, 1e-3];
const SOFT_ENOUGH: f64 = 1e-9;
/// Proximal steps with one weight.
const PROXIMAL_STEPS: usize = 60;
/// Convex problems at first, full steps from each, and the residual, relative to the least, that ends an extrapolation. [1]
const FEW_ROUNDS: usize = 8;
const SLIP_STEPS: usize = 20;
const JUMP: f64 = 3.0;
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
/// Ways through the inside: with large steps, and with small ones.
const HASTE: Pace = Pace { steps: 3 * NEWTON_STEPS, patience: usize::MAX, aims: [0.05, 0.3, 0.8] };
const CARE: Pace = Pace { steps: 300, patience: 40, aims: [0.3, 0.6, 0.9] };
/// By how much weights of contacts differ on ways in small steps. [1]
const INSIDE: [f64; 10] = [1.0, 10.0, 3.0, 3.0, 10.0, 3.0, 10.0, 3.0, 10.0, 3.0];
/// Multiplications of one such way, of all in a stage, and the steps below which one leads nowhere.
const INSIDE_WORK: f64 = 6e9;
const LEAST_STEPS: usize = 50;
/// Full steps of Newton's method.
const FULL_STEPS: usize = 30;
/// Newton steps for the last digits.
const LAST_STEPS: usize = 15;
/// Newton steps per problem.
const NEWTON_STEPS: usize = 60;
/// Multiplications that dense factors may cost in one stage.
const WORK: f64 = 2e12;

impl Chain<'_> {
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
        self.offer(&p, "extrapolated gauss-seidel");
        if !self.is_done() {
            self.newton(&self.best(), self.newton_steps(), "newton");
        }
    }

    /// Proximal points that look ahead, then Newton's method from there.
    fn walk(&mut self) {
        let mut p = self.best();
        let (done, _) = walk(&self.scaled, &mut p, 0.1 * self.params.aim, self.walk_rounds(), WAYS[0]);
        self.answer.iterations += done;
        self.offer(&p, "proximal newton");
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
            let (walked, _) = walk(&self.scaled, &mut p, 0.1 * self.params.aim, self.walk_rounds(), WAYS[0]);
            self.answer.iterations += sweeps + steps + walked;
            self.offer(&p, "soft contacts, proximal newton");
            if self.is_done() {
                return;
            }
        }
        self.newton(&self.best(), self.newton_steps(), "newton");
    }

    /// What paths and full steps leave unfinished is no start for other methods: it is near where answers end, or far from any.
    fn offer_finished(&mut self, scaled_p: &[DVec3], scaled_residual: f64, method: &'static str) {
        if scaled_residual <= self.params.tolerance {
            self.offer(scaled_p, method);
        }
    }

    /// Paths through folds.
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
            self.offer_finished(&p, residual, "paths through folds");
            if self.is_done() {
                return;
            }
        }
    }

    /// Proximal points that work allows, each with some ten factors.
    fn walk_rounds(&self) -> usize {
        ((WALK_WORK / (self.factor_work() + 1.0)) as usize).clamp(WALK / 10, WALK)
    }

    /// Multiplications of one factorisation.
    fn factor_work(&self) -> f64 {
        let pattern: Vec<BlockRow> =
            (0..self.problem.contacts()).map(|i| self.scaled.row(i).map(|(j, w)| (j, *w)).collect()).collect();
        Fronts::new(&pattern, SmallPivots::Lifted(1e-14)).map_or(0.0, |f| f.work())
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

    /// Full steps of Newton's method from no impulses and from the best.
    fn full_steps(&mut self) {
        for mut p in [vec![DVec3::ZERO; self.problem.contacts()], self.best()] {
            let (steps, residual) = full_steps(&self.scaled, &mut p, 0.1 * self.params.aim, FULL_STEPS);
            self.answer.iterations += steps;
            self.offer_finished(&p, residual, "full newton");
            if self.is_done() {
                return;
            }
        }
    }

    /// Impulses that are an answer in usual units but not in all: the last digits by Newton's method.
    pub(super) fn polish(&mut self) {
        if self.answer.status == Status::Solved || self.answer.residual > self.params.tolerance {
            return;
        }
        for way in WAYS {
            let mut p = self.best();
            let (steps, _) = newton(&self.scaled, &mut p, 0.0, LAST_STEPS, way);
            self.answer.iterations += steps;
            self.offer(&p, "newton");
            if self.answer.status == Status::Solved {
                return;
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

    /// The same for problems that come cold, with full steps from each answer; next slips are where the last ones lead.
    fn convex_problems(&mut self, rounds: usize) {
        self.costly = true;
        let convex = Convex::of_large_impulses(&self.scaled.symmetric());
        let (mut g, mut ahead) = (vec![0.0; self.problem.contacts()], Extrapolation::default());
        let (mut least, mut stale) = (f64::INFINITY, 0);
        for _ in 0..rounds {
            let (mut p, next, steps) = convex.solve(&g);
            let now = self.scaled.residual(&p);
            let (more, residual) = full_steps(&self.scaled, &mut p, 0.1 * self.params.aim, SLIP_STEPS);
            self.answer.iterations += steps + more;
            self.offer_finished(&p, residual, "slips, full newton");
            stale = if now < STEADY * least { 0 } else { stale + 1 };
            if self.is_done() || stale > SLIP_PATIENCE {
                return;
            }
            if now > JUMP * least {
                ahead.forget();
            }
            least = least.min(now);
            g = ahead.next(&g, next).into_iter().map(|g| g.max(0.0)).collect();
        }
    }

    fn slip_rounds(&self) -> usize {
        let n = 3.0 * self.problem.contacts() as f64;
        ((WORK / (30.0 * n * n * n / 3.0 + 1.0)) as usize).clamp(2, SLIP_ROUNDS)
    }

    /// An interior point, then Newton's method from there.
    fn interior(&mut self) {
        self.costly = true;
        let pace = Pace { steps: 3 * self.newton_steps(), ..HASTE };
        let inner = interior_point(&self.scaled, pace, &vec![1.0; self.problem.contacts()]);
        self.answer.iterations += inner.steps;
        self.offer(&inner.p, "interior point");
        self.newton(&inner.p, self.newton_steps(), "interior point, newton");
    }

    fn interior_if(&mut self, now: bool) {
        if now {
            self.interior();
        }
    }

    /// Steps inside that work allows on one way.
    fn steps_inside(&self) -> usize {
        (INSIDE_WORK / (self.factor_work() + 1.0)) as usize
    }

    /// True if that is enough for a way.
    fn is_light(&self) -> bool {
        self.steps_inside() >= LEAST_STEPS
    }

    /// Ways through the inside, contacts weighted by chance as unequally as told; Newton's method from where each ends.
    fn inside(&mut self, spreads: &[f64]) {
        self.costly = true;
        let (mut noise, mut spent) = (Noise(spreads.len() as u64), 0.0);
        let most = self.steps_inside();
        for &spread in spreads {
            if most < LEAST_STEPS || spent > INSIDE_WORK {
                return;
            }
            let weights: Vec<f64> = self.scales.iter().map(|_| spread.powf(2.0 * noise.next() - 1.0)).collect();
            let inner = interior_point(&self.scaled, Pace { steps: CARE.steps.min(most), ..CARE }, &weights);
            let mut p = inner.p;
            let (steps, residual) = newton(&self.scaled, &mut p, 0.1 * self.params.aim, LAST_STEPS, WAYS[0]);
            spent += inner.work;
            self.answer.iterations += inner.steps + steps;
            self.offer_finished(&p, residual, "inside");
            self.polish();
            if self.is_done() {
                return;
            }
        }
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
