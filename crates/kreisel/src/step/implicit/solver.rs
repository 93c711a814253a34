//! The linear solver of implicit steps: conjugate gradients, what preconditions them, and what is kept from step to step.
//!
//! A preconditioner is built once and used as long as it is good: the matrix of a body that has turned is `Q A Qᵀ`, so it turns
//! with its bodies. It is built anew when who carries what has changed, when the step has, or when solves take longer
//! than they did.

use crate::linear::{
    BlockJacobi, CgError, CgParams, CgSpace, Direct, Operator, Preconditioner, SlotMap, TwoLevel, TwoLevelParams,
    Vectors,
};
use crate::model::setup::LinearSolver;
use crate::model::{FREE, Model, State};
use crate::step::implicit::filter::Filter;
use crate::step::implicit::groups::Groups;
use crate::step::implicit::slots::Slots;
use crate::step::implicit::system::System;
use crate::step::implicit::turns::Turns;

/// Iterations before a solve counts as failed.
const MOST_ITERATIONS: usize = 3000;
/// A preconditioner is built anew when a solve takes so many times the iterations of the first one with it …
const WORSE: f64 = 1.4;
/// … and so many more: a few iterations are cheaper than a factorisation.
const MORE: usize = 10;
/// Systems of fewer slots are factorised.
const SMALL: usize = 60;
/// A two-level preconditioner is tried when block Jacobi takes more iterations than this.
const MANY: usize = 50;

/// Which preconditioner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Jacobi,
    TwoLevel,
    Direct,
}

/// A preconditioner, and for what it was built.
struct Built {
    kind: Kind,
    epoch: u64,
    /// Factors of stiffness and damping.
    factors: (f64, f64),
    inner: Box<dyn Preconditioner + Send>,
    turns: Turns,
    /// Iterations for a reduction by ten, in its first solve.
    first: Option<f64>,
}

impl std::fmt::Debug for Built {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Built").field("kind", &self.kind).field("epoch", &self.epoch).finish_non_exhaustive()
    }
}

/// What is kept between steps. It may be dropped without changing the answer beyond the solver's tolerance.
#[derive(Debug, Default)]
pub struct Solver {
    last: Vectors,
    space: CgSpace,
    built: Option<Built>,
    /// Of the springs' matrix.
    memory: Vec<f64>,
    /// Block Jacobi has been found too slow for these bodies.
    hard: Option<u64>,
    /// How often a preconditioner was built.
    pub builds: u64,
}

/// What a system is solved for.
pub struct Occasion<'a> {
    /// What there is.
    pub model: &'a Model,
    /// The pose.
    pub state: &'a State,
    /// What hangs together.
    pub groups: &'a Groups,
    /// Factors of stiffness and damping.
    pub factors: (f64, f64),
}

impl Solver {
    /// The change that the last step made, from `du` on: the next one is likely to be alike.
    pub fn guess(&self, du: &Vectors) -> Option<Vectors> {
        if self.last.len() != du.len() {
            return None;
        }
        let mut guess = self.last.clone();
        guess.axpy(-1.0, du);
        Some(guess)
    }

    /// Memory for the springs' matrix.
    pub fn memory(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.memory)
    }

    /// Takes it back.
    pub fn keep(&mut self, memory: Vec<f64>) {
        self.memory = memory;
    }

    /// Keeps the change of velocities of a solved step.
    pub fn remember(&mut self, du: &Vectors) {
        self.last.copy_from(du);
    }

    /// What the last solve used.
    pub fn name(&self) -> &'static str {
        match self.built.as_ref().map(|b| b.kind) {
            None => "none",
            Some(Kind::Jacobi) => "conjugate gradients, block Jacobi",
            Some(Kind::TwoLevel) => "conjugate gradients, rigid clusters",
            Some(Kind::Direct) => "sparse factorisation",
        }
    }

    /// Solves `C A C p = right`; returns `p` and the number of iterations.
    pub fn solve(
        &mut self,
        system: &System,
        occasion: &Occasion,
        right: &Vectors,
        guess: Option<Vectors>,
        tolerance: f64,
    ) -> Result<(Vectors, usize), CgError> {
        let mut p = guess.unwrap_or_else(|| Vectors::zeros(right.len()));
        system.filter.apply(&system.slots, &mut p);
        let begin = p.clone();
        self.prepare(system, occasion);
        let mut tried = self.attempt(system, right, &mut p, tolerance);
        if self.is_worn(&tried, tolerance) {
            let harder = self.note_trouble(occasion);
            let failed = tried.is_err();
            if failed || harder {
                self.built = None;
            }
            if failed {
                p.copy_from(&begin);
                self.prepare(system, occasion);
                tried = self.attempt(system, right, &mut p, tolerance);
            }
        }
        tried.map(|count| (p, count))
    }

    fn attempt(&mut self, system: &System, right: &Vectors, p: &mut Vectors, tolerance: f64) -> Result<usize, CgError> {
        let Some(built) = &mut self.built else { return Err(CgError::NotConverged { iterations: 0, residual: 1.0 }) };
        let within = Filtered { inner: &*built.inner, filter: system.filter, slots: &system.slots };
        let params = CgParams { tolerance, max_iterations: MOST_ITERATIONS };
        let info = self.space.solve(system, &within, right, p, &params)?;
        built.first.get_or_insert(info.iterations as f64);
        Ok(info.iterations)
    }

    /// True if a solve failed, or took much longer than the first with this preconditioner.
    fn is_worn(&self, tried: &Result<usize, CgError>, _tolerance: f64) -> bool {
        let first = self.built.as_ref().and_then(|b| b.first).unwrap_or(f64::INFINITY);
        match tried {
            Err(_) => true,
            Ok(count) => {
                let slow = self.built.as_ref().is_some_and(|b| b.kind == Kind::Jacobi) && *count > MANY;
                slow || (*count as f64 > WORSE * first && *count as f64 > first + MORE as f64)
            }
        }
    }

    /// Remembers that block Jacobi is too slow here; true, because the preconditioner must be built anew.
    fn note_trouble(&mut self, occasion: &Occasion) -> bool {
        if self.built.as_ref().is_some_and(|b| b.kind == Kind::Jacobi) {
            self.hard = Some(occasion.state.epoch);
        }
        true
    }

    /// Makes sure that there is a preconditioner, turned as the bodies are.
    fn prepare(&mut self, system: &System, occasion: &Occasion) {
        let epoch = occasion.state.epoch;
        let kind = self.choose(system, occasion);
        let fits = |b: &Built| b.kind == kind && b.epoch == epoch && b.factors == occasion.factors;
        // Block Jacobi costs next to nothing: it is always that of the moment.
        if kind == Kind::Jacobi || !self.built.as_ref().is_some_and(fits) {
            self.build(kind, system, occasion);
        } else if let Some(built) = &mut self.built {
            let turns = built.turns.since(occasion.model, occasion.state, occasion.groups);
            built.inner.turn(&turns);
        }
    }

    fn choose(&self, system: &System, occasion: &Occasion) -> Kind {
        match occasion.model.implicit.solver {
            LinearSolver::Jacobi => Kind::Jacobi,
            LinearSolver::TwoLevel => Kind::TwoLevel,
            LinearSolver::Direct => Kind::Direct,
            LinearSolver::Automatic if system.slots.len() < SMALL => Kind::Direct,
            LinearSolver::Automatic if self.hard.is_some() => Kind::TwoLevel,
            LinearSolver::Automatic => Kind::Jacobi,
        }
    }

    fn build(&mut self, kind: Kind, system: &System, occasion: &Occasion) {
        let (slots, state) = (&system.slots, occasion.state);
        let mut place = state.position.clone();
        let mut component = occasion.groups.of.clone();
        let mut used: Vec<bool> = state.owner.iter().map(|&o| o == FREE).collect();
        for (e, free) in system.filter.held_elements() {
            used[e] &= free != glamx::DVec3::ZERO;
        }
        for (a, body) in state.aggregates.iter().enumerate() {
            (0..2).for_each(|_| place.push(body.position));
            component.extend([occasion.groups.of_body(state, a) as u32; 2]);
            used.extend([true; 2]);
        }
        let map =
            SlotMap { points: slots.elements, bodies: slots.bodies, place: &place, component: &component, used: &used };
        let inner: Box<dyn Preconditioner + Send> = match kind {
            Kind::Jacobi => Box::new(BlockJacobi::of_slots(system, &map)),
            Kind::TwoLevel => Box::new(TwoLevel::new(system, &map, &TwoLevelParams::default())),
            Kind::Direct => Box::new(Direct::new(system, &map)),
        };
        let turns = Turns::new(state, kind != Kind::Jacobi);
        let (epoch, factors) = (state.epoch, occasion.factors);
        self.built = Some(Built { kind, epoch, factors, inner, turns, first: None });
        self.builds += 1;
    }
}

/// `C M⁻¹`, for residuals that are filtered already.
struct Filtered<'a> {
    inner: &'a dyn Operator,
    filter: &'a Filter,
    slots: &'a Slots,
}

impl Operator for Filtered<'_> {
    fn apply(&self, x: &Vectors, y: &mut Vectors) {
        self.inner.apply(x, y);
        self.filter.apply(self.slots, y);
    }
}
