//! Newton's iteration for the equation of a step, `g(Δu) = M Δu − h f = 0`, with a line search on its slope.
//!
//! It starts where the step starts, everything standing still (what is held has moved): from there one iteration is the
//! linearised step `C (M + hB + h²K) C Δv = h C (f − hKv)` [BW98]; or where the steps before lead to, if that is nearer. Slopes `−g·p` need no energy: dampers, friction and
//! pressure have none. Linear systems are solved loosely while the iteration is far from its goal [EW96].

use crate::contact::implicit::Frozen;
use crate::linear::{CgError, CgParams, Vectors};
use crate::model::{Model, SharedField, State};
use crate::step::implicit::aim::Aim;
use crate::step::implicit::filter::Filter;
use crate::step::implicit::groups::Groups;
use crate::step::implicit::impulses::{Impulses, impulses};
use crate::step::implicit::pose::Start;
use crate::step::implicit::residual::{Forces, Push, evaluate, freeze};
use crate::step::implicit::scheme::Scheme;
use crate::step::implicit::slots::Slots;
use crate::step::implicit::solver::{MOST_ITERATIONS as MOST_LINEAR_ITERATIONS, Occasion, Solver};
use crate::step::implicit::system::System;
use crate::step::workspace::Workspace;
use std::borrow::Cow;

/// More iterations than this are not worth waiting for: half the step needs fewer.
const MOST_ITERATIONS: usize = 40;
/// After so many iterations contacts are frozen: who touches whom, normals and slip change no more.
const UNSTEADY: usize = 6;
/// So many iterations go by the symmetric part of the matrix, which is cheaper: who slips where is not yet known, and the rest
/// of the matrix, of friction that follows the push, would be a wrong one.
const SYMMETRIC: usize = 2;
/// Linear systems are solved to this share of their right side, unless less is enough.
const LOOSE: f64 = 3e-3;
/// The iteration starts where the steps before lead to, if less than this share of the equation is left there.
const NEARER: f64 = 0.1;
/// A step may overshoot the minimum along its direction as long as the slope there is below this share of the first.
const OVERSHOOT: f64 = 0.5;
/// How often a step is shortened.
const SHORTENINGS: usize = 12;

/// What does not change during a solve.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// What there is.
    pub model: &'a Model,
    /// Where it started.
    pub start: &'a Start,
    /// The integrator.
    pub scheme: Scheme,
    /// When it began [s].
    pub begin: f64,
    /// When forces are taken [s].
    pub time: f64,
    /// What is held.
    pub filter: &'a Filter,
    /// What keeps its momentum together: pieces, and what joints join of them.
    pub groups: &'a Groups,
    /// What hangs together by connections.
    pub pieces: &'a Groups,
    /// Impulses of the law `constraint`.
    pub pushes: &'a [Push],
}

impl Task<'_> {
    /// When it ends [s].
    pub fn end(&self) -> f64 {
        self.begin + self.scheme.h
    }
}

/// A solved step; the state is at the pose where forces are taken.
pub struct Solved {
    /// Change of velocities.
    pub du: Vectors,
    /// Forces at the pose.
    pub forces: Forces,
    /// Impulses.
    pub impulses: Impulses,
    /// Newton iterations.
    pub iterations: usize,
    /// Iterations of the linear solver in all.
    pub linear_iterations: usize,
    /// What is left, as a share of what there was [1].
    pub residual: f64,
}

/// Why a step has no solution.
#[derive(Clone, Debug, PartialEq)]
pub enum Unsolved {
    /// The linear solver failed.
    Linear(CgError),
    /// Newton's iteration ran out, with this share left [1].
    NotConverged(f64),
    /// Forces are not finite.
    NotFinite,
    /// The contacts and joints of the law `constraint` are not satisfied by so much [m/s]; a joint that does not get what it asks for.
    Contacts(f64, Option<String>),
}

impl std::fmt::Display for Unsolved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Linear(error) => write!(f, "the linear solver failed: {error}"),
            Self::NotConverged(left) => write!(f, "Newton's iteration did not converge, {left:.1e} of it is left"),
            Self::NotFinite => write!(f, "a force is not finite"),
            Self::Contacts(left, None) => write!(f, "contacts and forces did not agree, {left:.1e} m/s are left"),
            Self::Contacts(left, Some(joint)) => {
                let others = format!("joint \"{joint}\" asks for what others do not allow");
                write!(f, "contacts, joints and forces did not agree, {left:.1e} m/s are left: {others}")
            }
        }
    }
}

/// One linear solve from a pose.
struct Direction {
    p: Vectors,
    /// Of a step that is only linearised; a converged one has those of its end.
    impulses: Option<Impulses>,
    /// `−g·p` at its start.
    slope: f64,
    iterations: usize,
}

/// Solves the step from the state at its start, beginning with a given change of velocities if there is one.
pub fn solve(
    task: &Task,
    state: &mut State,
    w: &mut Workspace,
    solver: &mut Solver,
    near: Option<Vectors>,
) -> Result<Solved, Unsolved> {
    let Task { model, start, scheme, filter, .. } = *task;
    let layout = Slots { elements: model.elements.len(), bodies: start.bodies.len(), riders: Vec::new() };
    let mut du = start.standstill(state, &layout, &scheme);
    filter.prescribe(&layout, start, &scheme, &mut du);
    let mut now = at(task, state, w, &du, None);
    let aim = Aim::new(model, w, (start, &scheme), size(&now));
    let before: Vec<SharedField> = state.solver.changes_before(layout.len(), state.epoch, scheme.h).cloned().collect();
    let mut guesses: Vec<_> = before.iter().map(|c| filter.applied(&layout, c)).collect();
    let mut guess = unchanged(&du);
    if let Some(near) = near {
        du = near;
        guesses.clear();
        guess.reset(du.len());
        now = at(task, state, w, &du, None);
    } else if !scheme.linear
        && now.contacts.is_empty()
        && let Some(ahead) = carried_on(&before, &layout, &scheme)
    {
        if let Some((nearer, there)) = start_ahead(task, (&mut *state, &mut *w), &layout, ahead, size(&now)) {
            (du, now) = (nearer, there);
            guess.reset(du.len());
        } else {
            now = at(task, state, w, &du, None);
        }
    }
    let (mut iterations, mut linear_iterations, mut frozen) = (0, 0, None);
    loop {
        let left = size(&now);
        if !left.is_finite() {
            return Err(Unsolved::NotFinite);
        }
        if iterations >= MOST_ITERATIONS {
            return Err(Unsolved::NotConverged(aim.share(left)));
        }
        // Far from the goal the next linearisation differs by more than a loose solve does; near it, it does not.
        let (loosest, share) = if scheme.linear { (0.0, 1.0) } else { (LOOSE.min(aim.share(left)), 0.5) };
        let tolerance = (share * aim.goal / left.max(f64::MIN_POSITIVE)).max(loosest).min(0.5);
        let exact = scheme.linear || iterations >= SYMMETRIC;
        let step = descend(task, (&mut *state, &*w), solver, &now, (guess, &guesses), (tolerance, exact))?;
        guess = Vectors::zeros(du.len());
        guesses.clear();
        iterations += 1;
        linear_iterations += step.iterations;
        // What is below the goal is rounding: its slope leads nowhere.
        let (share, next) = if scheme.linear || left <= aim.goal {
            (1.0, moved(task, (&mut *state, &mut *w), &mut du, &step.p, 1.0, frozen.as_ref()))
        } else {
            search(task, (&mut *state, &mut *w), &mut du, &step, frozen.as_ref())?
        };
        now = next;
        if frozen.is_none() && iterations >= UNSTEADY && !now.contacts.is_empty() {
            frozen = Some(freeze(model, state, w, &scheme));
            now = at(task, state, w, &du, frozen.as_ref());
        }
        let left = size(&now);
        let done = scheme.linear || (share == 1.0 && aim.is_met(left, &step.p, &scheme));
        if done && let Some(kept) = frozen.take() {
            // Something may have come to touch meanwhile: then it takes part from here on.
            at(task, state, w, &du, None);
            let complete = kept.knows(&w.contacts);
            frozen = Some(if complete { kept } else { freeze(model, state, w, &scheme) });
            now = at(task, state, w, &du, frozen.as_ref());
            if !complete {
                continue;
            }
        }
        if done {
            if !left.is_finite() {
                return Err(Unsolved::NotFinite);
            }
            let at_end = || impulses(model, (&*state, &*w), task.groups, (&now, &scheme), None);
            let (impulses, residual) = (step.impulses.unwrap_or_else(at_end), aim.share(left));
            return Ok(Solved { du, forces: now, impulses, iterations, linear_iterations, residual });
        }
    }
}

fn at(task: &Task, state: &mut State, w: &mut Workspace, du: &Vectors, frozen: Option<&Frozen>) -> Forces {
    let mut forces = evaluate(task.model, state, w, (task.start, &task.scheme, task.time), (du, task.pushes), frozen);
    forces.right.reset(forces.residual.len());
    forces.right.axpy(-1.0, &forces.residual);
    task.filter.apply(&forces.slots, &mut forces.right);
    forces
}

/// The step after which velocities are what they were: a better guess than none.
fn unchanged(du: &Vectors) -> Vectors {
    let mut guess = Vectors::zeros(du.len());
    guess.axpy(-1.0, du);
    guess
}

/// Where the steps before lead to and the forces there, if little of the equation is left there. What has come to touch on
/// the way is met from where it was: from inside, contacts have other solutions.
fn start_ahead(
    task: &Task,
    (state, w): Place,
    layout: &Slots,
    mut du: Vectors,
    first: f64,
) -> Option<(Vectors, Forces)> {
    task.filter.prescribe(layout, task.start, &task.scheme, &mut du);
    let forces = at(task, state, w, &du, None);
    (forces.contacts.is_empty() && size(&forces) < NEARER * first).then_some((du, forces))
}

/// The change of the next step, if changes go on as those of the last three steps did: a parabola through them. The
/// midpoint rule keeps waves that turn round from step to step: there it is none at all.
fn carried_on(before: &[SharedField], layout: &Slots, scheme: &Scheme) -> Option<Vectors> {
    if scheme.is_midpoint() {
        return Some(Vectors::zeros(layout.len()));
    }
    let [latest, second, third] = before else { return None };
    let mut next = Vectors::zeros(latest.len());
    for (share, change) in [(3.0, latest), (-3.0, second), (1.0, third)] {
        next.axpy(share, change);
    }
    Some(next)
}

/// Moves `du` on along `p`.
fn moved(task: &Task, (state, w): Place, du: &mut Vectors, p: &Vectors, share: f64, frozen: Option<&Frozen>) -> Forces {
    du.axpy(share, p);
    at(task, state, w, du, frozen)
}

/// The state at a pose, and its workspace.
type Place<'a> = (&'a mut State, &'a mut Workspace);

/// `|C g|` [kg m/s].
fn size(forces: &Forces) -> f64 {
    forces.right.dot(&forces.right).sqrt()
}

/// Solves `A p = −C g` to a tolerance, with the exact matrix or with its symmetric part.
fn descend(
    task: &Task,
    (state, w): (&mut State, &Workspace),
    solver: &mut Solver,
    now: &Forces,
    (mut p, guesses): (Vectors, &[Cow<Vectors>]),
    (tolerance, exact): (f64, bool),
) -> Result<Direction, Unsolved> {
    let mut system =
        System::new(task.model, state, w, (task.start, &task.scheme, task.time), task.filter, now, solver.memory());
    if !exact {
        system.make_symmetric();
    }
    let factors = (task.scheme.of_stiffness(), task.scheme.of_damping());
    let occasion = Occasion { model: task.model, groups: task.pieces, factors, time: task.time, guesses };
    // The forces at the next pose tell whether a step of Newton's iteration was any good; a linearised step is the last word.
    let params = CgParams { tolerance, max_iterations: MOST_LINEAR_ITERATIONS, verify: task.scheme.linear };
    let mut solved = solver.solve(&system, (state, w), &occasion, &now.right, &mut p, &params);
    let leads_on = solved.is_ok() && now.right.dot(&p) > 0.0;
    if !leads_on && !task.scheme.linear && !system.is_symmetric() {
        // Newton's iteration gets there without what is not symmetric, too, if in more steps.
        system.make_symmetric();
        p.reset(now.right.len());
        solved = solver.solve(&system, (state, w), &occasion, &now.right, &mut p, &params);
    }
    let iterations = solved.map_err(Unsolved::Linear)?;
    let of_step = || impulses(task.model, (&*state, w), task.groups, (now, &task.scheme), Some((&system, &p)));
    let impulses = task.scheme.linear.then(of_step);
    if let Some(springs) = system.springs {
        solver.keep(springs.recycle());
    }
    Ok(Direction { slope: now.right.dot(&p), p, impulses, iterations })
}

/// Goes along a direction until the slope does not rise too far beyond zero; returns the share of the step taken.
fn search(
    task: &Task,
    (state, w): Place,
    du: &mut Vectors,
    step: &Direction,
    frozen: Option<&Frozen>,
) -> Result<(f64, Forces), Unsolved> {
    let mut share = 1.0;
    let mut next = moved(task, (&mut *state, &mut *w), du, &step.p, 1.0, frozen);
    for _ in 0..SHORTENINGS {
        let slope = -next.residual.dot(&step.p);
        if slope.is_finite() && slope >= -OVERSHOOT * step.slope {
            return Ok((share, next));
        }
        // Where a straight line through both slopes is zero, within reason.
        let zero = if slope.is_finite() { share * step.slope / (step.slope - slope) } else { 0.0 };
        let shorter = zero.clamp(0.1 * share, 0.5 * share);
        next = moved(task, (&mut *state, &mut *w), du, &step.p, shorter - share, frozen);
        share = shorter;
    }
    if next.residual.dot(&step.p).is_finite() { Ok((share, next)) } else { Err(Unsolved::NotFinite) }
}
