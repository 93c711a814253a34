//! The linear solver of implicit steps: conjugate gradients (biconjugate ones where the matrix is not symmetric), and what
//! preconditions them.
//!
//! A preconditioner is made once and used as long as it is good: the matrix of a body that has turned is `Q A Qᵀ`, so it turns
//! with its bodies. It is made anew when who carries what has changed, when the step has, or when solves take longer than
//! the first with it did. The state remembers for which pose it was made: a motion that was saved goes on with the same bits.

use crate::linear::{
    BicgSpace, BlockJacobi, BlockSource, CgError, CgInfo, CgParams, CgSpace, Direct, Operator, Preconditioner, SlotMap,
    TwoLevel, TwoLevelParams, Vectors,
};
use crate::model::setup::LinearSolver;
use crate::model::{FREE, Model, Preconditioning, State};
use crate::step::implicit::filter::Filter;
use crate::step::implicit::groups::Groups;
use crate::step::implicit::slots::Slots;
use crate::step::implicit::system::System;
use crate::step::implicit::turns::turns;
use crate::step::workspace::Workspace;
use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

/// Iterations before a solve counts as failed.
pub const MOST_ITERATIONS: usize = 3000;
/// Iterations beyond so many times those per digit of the first solve with a preconditioner are wasted …
const WORSE: f64 = 1.25;
/// … and when so many were, it is made anew: that costs about as much.
const WASTED: f64 = 40.0;
/// Factors of stiffness and damping that differ by no more than this share are as good as equal.
const ALIKE: f64 = 0.05;
/// Systems of fewer slots are factorised.
const SMALL: usize = 60;
/// Rigid clusters are tried when block Jacobi takes more iterations than this.
const MANY: usize = 60;

type Key = (Preconditioning, u64, u64, [u64; 2]);

/// A preconditioner, and for what it was made.
struct Made {
    /// `None`: for one solve only.
    key: Option<Key>,
    /// Its buffers are its own; the lock only makes simulations fit to be shared between threads.
    inner: Mutex<Box<dyn Preconditioner + Send>>,
}

impl std::fmt::Debug for Made {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Made").field("key", &self.key).finish_non_exhaustive()
    }
}

/// Buffers and factors. It may be dropped between any two steps without changing a bit.
#[derive(Debug, Default)]
pub struct Solver {
    space: CgSpace,
    lopsided_space: BicgSpace,
    made: Option<Made>,
    /// Of the springs' matrix.
    memory: Vec<f64>,
    /// What the last solve used, and whether its matrix was symmetric.
    used: Option<(Preconditioning, bool)>,
}

/// What a system is solved for.
#[derive(Clone, Copy)]
pub struct Occasion<'a> {
    /// What there is.
    pub model: &'a Model,
    /// What hangs together.
    pub groups: &'a Groups,
    /// Factors of stiffness and damping.
    pub factors: (f64, f64),
    /// When forces are taken [s].
    pub time: f64,
    /// Changes of velocity to look for the solution among: those of the steps before.
    pub guesses: &'a [Cow<'a, Vectors>],
}

impl Solver {
    /// Memory for the springs' matrix.
    pub fn memory(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.memory)
    }

    /// Takes it back.
    pub fn keep(&mut self, memory: Vec<f64>) {
        self.memory = memory;
    }

    /// What the last solve used, for people.
    pub fn name(&self) -> &'static str {
        match self.used {
            None => "none",
            Some((Preconditioning::Jacobi, true)) => "conjugate gradients with block Jacobi",
            Some((Preconditioning::TwoLevel, true)) => "conjugate gradients with rigid clusters",
            Some((Preconditioning::Direct, true)) => "sparse factorisation",
            Some((Preconditioning::Jacobi, false)) => "biconjugate gradients with block Jacobi",
            Some((Preconditioning::TwoLevel, false)) => "biconjugate gradients with rigid clusters",
            Some((Preconditioning::Direct, false)) => "biconjugate gradients with a sparse factorisation",
        }
    }

    /// Solves `C A C p = right` from the given `p`; returns the number of iterations.
    pub fn solve(
        &mut self,
        system: &System,
        (state, w): (&mut State, &Workspace),
        occasion: &Occasion,
        right: &Vectors,
        p: &mut Vectors,
        params: &CgParams,
    ) -> Result<usize, CgError> {
        system.filter.apply(&system.slots, p);
        self.prepare(system, state, w, occasion);
        let guesses: Vec<&Vectors> = occasion.guesses.iter().map(|g| &**g).collect();
        let mut tried = self.attempt(system, &guesses, right, p, params);
        if tried.is_err() && self.give_up(state, occasion) {
            p.reset(right.len());
            self.prepare(system, state, w, occasion);
            tried = self.attempt(system, &guesses, right, p, params);
        }
        let info = tried?;
        self.judge(state, occasion, &info);
        Ok(info.iterations)
    }

    fn attempt(
        &mut self,
        system: &System,
        directions: &[&Vectors],
        right: &Vectors,
        p: &mut Vectors,
        params: &CgParams,
    ) -> Result<CgInfo, CgError> {
        let Some(made) = &mut self.made else { return Err(CgError::NotConverged { iterations: 0, residual: 1.0 }) };
        let inner = made.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        let within = Filtered { inner: &**inner, filter: system.filter, slots: &system.slots };
        if system.is_symmetric() {
            return self.space.solve_along(directions, system, &within, right, p, params);
        }
        self.lopsided_space.solve(system, &within, right, p, params)
    }

    /// After a failed solve: true if another preconditioner may do better.
    fn give_up(&mut self, state: &mut State, occasion: &Occasion) -> bool {
        let memory = &mut state.solver;
        let fresh = memory.kind != Preconditioning::Jacobi && memory.first.is_none();
        let chosen = occasion.model.implicit.solver != LinearSolver::Automatic;
        if memory.kind == Preconditioning::Jacobi && !chosen {
            memory.kind = Preconditioning::TwoLevel;
        } else if fresh || chosen {
            return false;
        }
        memory.forget();
        true
    }

    /// After a solve: is the preconditioner still good, or good enough at all?
    fn judge(&self, state: &mut State, occasion: &Occasion, info: &CgInfo) {
        let count = info.iterations;
        let lasting = self.made.as_ref().is_some_and(|m| m.key.is_some());
        let memory = &mut state.solver;
        if memory.kind == Preconditioning::Jacobi {
            if count > MANY && occasion.model.implicit.solver == LinearSolver::Automatic {
                memory.kind = Preconditioning::TwoLevel;
            }
            return;
        }
        if !lasting {
            return;
        }
        let digits = (info.first / info.residual).log10();
        if !(digits > 0.0 && digits.is_finite()) {
            return;
        }
        let first = *memory.first.get_or_insert(count as f64 / digits);
        memory.wasted += (count as f64 - WORSE * first * digits).max(0.0);
        if memory.wasted > WASTED {
            memory.forget();
        }
    }

    /// Makes sure that there is a preconditioner, turned as the bodies are.
    fn prepare(&mut self, system: &System, state: &mut State, w: &Workspace, occasion: &Occasion) {
        match occasion.model.implicit.solver {
            LinearSolver::Jacobi => state.solver.kind = Preconditioning::Jacobi,
            LinearSolver::TwoLevel => state.solver.kind = Preconditioning::TwoLevel,
            LinearSolver::Direct => state.solver.kind = Preconditioning::Direct,
            LinearSolver::Automatic if system.slots.len() < SMALL => state.solver.kind = Preconditioning::Direct,
            LinearSolver::Automatic => {}
        }
        self.used = Some((state.solver.kind, system.is_symmetric()));
        if state.solver.kind == Preconditioning::Jacobi {
            let inner = make(system, state, false, occasion, Preconditioning::Jacobi);
            self.made = Some(Made { key: None, inner: Mutex::new(inner) });
            return;
        }
        if !system.contacts.is_empty() {
            // Contacts come and go: with them it is that of the moment.
            let inner = make(system, state, false, occasion, state.solver.kind);
            self.made = Some(Made { key: None, inner: Mutex::new(inner) });
            return;
        }
        let memory = &state.solver;
        let fresh = memory.pose.is_empty() || memory.epoch != state.epoch || !alike(memory.factors, occasion.factors);
        if fresh {
            remember_pose(state, occasion);
        }
        let key = Some(state.solver.key());
        if self.made.as_ref().is_none_or(|m| m.key != key) {
            // The old one goes first: both at once would be the most memory that a step takes.
            self.made = None;
            // What is remembered is the matrix of the moment, unless aggregates give it a geometric stiffness.
            let inner = if fresh && state.aggregates.is_empty() {
                make(system, state, true, occasion, state.solver.kind)
            } else {
                let then = System::remembered(occasion.model, state, w, system.filter, occasion.time);
                make(&then, state, true, occasion, state.solver.kind)
            };
            self.made = Some(Made { key, inner: Mutex::new(inner) });
        }
        if let Some(made) = &mut self.made {
            let turns = turns(&state.solver.pose, occasion.model, state, occasion.groups);
            made.inner.get_mut().unwrap_or_else(PoisonError::into_inner).turn(&turns);
        }
    }
}

/// True if a preconditioner made with one pair of factors serves for the other.
fn alike(a: (f64, f64), b: (f64, f64)) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= ALIKE * a.abs();
    near(a.0, b.0) && near(a.1, b.1)
}

/// The pose of the moment is the one that a preconditioner is made for.
fn remember_pose(state: &mut State, occasion: &Occasion) {
    let memory = &mut state.solver;
    memory.pose = state.position.clone().into();
    memory.bodies = state.aggregates.iter().map(|a| (a.position, a.orientation)).collect();
    (memory.factors, memory.epoch, memory.step) = (occasion.factors, state.epoch, state.steps);
    (memory.first, memory.wasted) = (None, 0.0);
}

/// Factors a matrix of the pose of the moment, with some slots eliminated last.
pub fn factored(matrix: &dyn BlockSource, system: &System, state: &State, occasion: &Occasion, last: &[u32]) -> Direct {
    with_map(system, state, false, occasion, |map| Direct::ending_with(matrix, map, last))
}

/// Makes a preconditioner for the pose of the moment, or for that of `then` which the state remembers.
fn make(
    system: &System,
    state: &State,
    then: bool,
    occasion: &Occasion,
    kind: Preconditioning,
) -> Box<dyn Preconditioner + Send> {
    with_map(system, state, then, occasion, |map| match kind {
        Preconditioning::Jacobi => Box::new(BlockJacobi::of_slots(system, map)) as Box<dyn Preconditioner + Send>,
        Preconditioning::TwoLevel => Box::new(TwoLevel::new(system, map, &TwoLevelParams::default())),
        Preconditioning::Direct => Box::new(Direct::new(system, map)),
    })
}

/// What preconditioners must know of the slots: what hangs together, and who is free to move.
fn with_map<T>(system: &System, state: &State, then: bool, occasion: &Occasion, make: impl FnOnce(&SlotMap) -> T) -> T {
    let mut place = Cow::Borrowed(if then { &*state.solver.pose } else { &state.position });
    let mut component = occasion.groups.of.clone();
    let mut used: Vec<bool> = state.owner.iter().map(|&o| o == FREE).collect();
    for (e, free) in system.filter.held_elements() {
        used[e] &= free != glamx::DVec3::ZERO;
    }
    for (a, body) in state.aggregates.iter().enumerate() {
        let centre = if then { state.solver.bodies.get(a).map_or(body.position, |b| b.0) } else { body.position };
        (0..2).for_each(|_| place.to_mut().push(centre));
        component.extend([occasion.groups.of_body(state, a) as u32; 2]);
        used.extend([true; 2]);
    }
    let (points, bodies) = (system.slots.elements, system.slots.bodies);
    make(&SlotMap { points, bodies, place: &place, component: &component, used: &used })
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
