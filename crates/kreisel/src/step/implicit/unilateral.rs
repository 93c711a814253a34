//! Contacts and joints of the law `constraint` in an implicit step: `W = J A⁻¹ Jᵀ` with the matrix `A` of the step.
//!
//! `g(Δu) = Jᵀ p` with `0 ≤ p_n ⊥ u_n + φ/h ≥ 0` and Coulomb's law for contacts, `u = J (u₀ + Δu)`, and `e(q⁺) = e(q)` for
//! joints. By turns: Newton's iteration for given pushes `p`; then the problem `u + W (p⁺ − p)` about its solution, with
//! joints eliminated and contacts on the exact cone. Where nothing changes any more both equations hold, however well `W` was
//! known: it only says how soon. Joints always take part. Contacts do once they would overlap, and with the first of them all that pushed in
//! the step before or would close if what they lean on stopped: in a column that falls as one nobody overlaps but the lowest, and floors that
//! join one after the other take a turn each.

use crate::contact::constraint::row::Jacobian;
use crate::contact::rows::Row as Blocks;
use crate::model::State;
use crate::step::constraint::{Meetings, Owner, Tie};
use crate::step::implicit::imparted::impart;
use crate::step::implicit::mobility::{CLOSED, Mobility};
use crate::step::implicit::newton::{self, Solved, Task, Unsolved};
use crate::step::implicit::residual::Push;
use crate::step::implicit::solver::Solver;
use crate::step::workspace::Workspace;
use glamx::{DMat3, DVec3};

/// Turns of Newton's iteration and the friction problem; half the step needs fewer.
const MOST_TURNS: usize = 20;
/// So many turns in a row that come no closer than `CLOSER` times what the best has left are in vain, and so are all that follow.
const MOST_IDLE: usize = 6;
const CLOSER: f64 = 0.9;
/// `W` is worked out anew if a turn leaves more than this share of what the turn before left.
const STALE: f64 = 0.2;
/// Velocities below this share of what gravity gives in a step are small [1].
const SLOW: f64 = 0.1;

/// A tie, and its Jacobian over the slots of the step.
pub struct Tied {
    /// Which.
    pub tie: Tie,
    /// Its rows.
    pub row: Blocks,
}

/// A step with contacts and joints that agree.
pub struct Agreed {
    /// The solution.
    pub solved: Solved,
    /// What it leaves of their laws [m/s].
    pub left: f64,
    /// True if something driven squeezes what cannot give way: contacts got less than they ask for.
    pub squeezed: bool,
}

/// Whether turns are worth it.
#[derive(Debug, Default)]
struct Patience {
    turns: usize,
    /// Those in a row that came no closer.
    idle: usize,
    /// The least that a turn has left [m/s].
    least: Option<f64>,
}

impl Patience {
    fn lasts(&self) -> bool {
        self.turns < MOST_TURNS && self.idle < MOST_IDLE
    }

    fn note(&mut self, left: f64) {
        self.turns += 1;
        let closer = self.least.is_none_or(|least| left < CLOSER * least);
        self.idle = if closer { 0 } else { self.idle + 1 };
        self.least = Some(self.least.map_or(left, |least| least.min(left)));
    }

    /// The problem has changed.
    fn begin_anew(&mut self) {
        (self.idle, self.least) = (0, None);
    }
}

/// Solves a step with contacts and joints, which have the impulses of the solution.
pub fn solve(
    task: &Task,
    (state, w): (&mut State, &mut Workspace),
    solver: &mut Solver,
    meetings: &mut Meetings,
) -> Result<Agreed, Unsolved> {
    // Joints go on as they did in the step before.
    let joints = tied(task, state, meetings);
    let all: Vec<usize> = (0..joints.len()).collect();
    let given = pushes(meetings, &joints, &all);
    let mut solved = newton::solve(&Task { pushes: &given, ..*task }, state, w, solver, None)?;
    meetings.make_rows(task.model, state, w);
    let ties = tied(task, state, meetings);
    let mut warm = take_warm(meetings, &ties);
    let pushed: Vec<bool> = warm.iter().flatten().map(|p| *p != DVec3::ZERO).collect();
    let tolerance = tolerance(task, meetings);
    let mut takes_part: Vec<bool> = ties.iter().map(|t| t.tie.is_joint()).collect();
    let (mut mobility, mut before) = (None::<Mobility>, f64::INFINITY);
    let kinds: Vec<Tie> = ties.iter().map(|t| t.tie).collect();
    let fall = task.model.gravity.length() * task.scheme.h;
    let mut bends = task.model.constraint.gap_iterations;
    let mut patience = Patience::default();
    while patience.lasts() {
        let mut u = meetings.velocities(state, &kinds);
        let joins = joining(meetings, &kinds, &takes_part, |k| u[k].x < -tolerance, |k| pushed[k] || u[k].x < fall);
        let unknown = if joints.is_empty() { 0.0 } else { f64::INFINITY };
        let mut left = mobility.as_ref().map_or(unknown, |m| m.residual(meetings, &u));
        let stale = mobility.is_none() || left > STALE * before;
        let solves = joins.is_empty() && left <= tolerance;
        if solves && bends > 0 && meetings.bend(task.model, &task.start.bodies, state, tolerance) {
            (u, left, bends) = (meetings.velocities(state, &kinds), f64::INFINITY, bends - 1);
            patience.begin_anew();
        } else if solves {
            let pushing = mobility.iter().flat_map(|m| &m.members).map(|&k| kinds[k]);
            impart(task, (&*state, &*w), meetings, pushing, &mut solved.impulses);
            let squeezed = mobility.is_some_and(|m| m.is_squeezed());
            return Ok(Agreed { solved, left, squeezed });
        }
        if joins.is_empty() {
            patience.note(left);
        }
        joins.iter().for_each(|&k| takes_part[k] = true);
        let mut m = match mobility.take() {
            Some(m) if joins.is_empty() && !stale => m,
            _ => {
                let members = (0..u.len()).filter(|&k| takes_part[k]).collect();
                Mobility::new(task, (&*state, &*w), solver, &solved, &ties, members)
            }
        };
        before = left;
        let mut near = solved.du.clone();
        m.turn(task, meetings, &u, warm.take().as_deref(), &mut near);
        let given = pushes(meetings, &ties, &m.members);
        mobility = Some(m);
        let next = newton::solve(&Task { pushes: &given, ..*task }, state, w, solver, Some(near))?;
        solved = Solved {
            iterations: solved.iterations + next.iterations,
            linear_iterations: solved.linear_iterations + next.linear_iterations,
            ..next
        };
    }
    let joint = meetings.farthest_joint(state, tolerance).map(|k| task.model.joints[k].name.clone());
    Err(Unsolved::Contacts(before, joint))
}

/// What may be left [m/s]; not less than what Newton's iteration can tell.
fn tolerance(task: &Task, meetings: &Meetings) -> f64 {
    let fall = task.model.gravity.length() * task.scheme.h;
    let told = CLOSED * meetings.size() / meetings.step();
    (task.model.constraint.tolerance * meetings.speed().max(SLOW * fall)).max(told)
}

/// The impulses that contacts start from; they have none until they take part.
fn take_warm(meetings: &mut Meetings, ties: &[Tied]) -> Option<Vec<DVec3>> {
    let warm = ties.iter().map(|t| meetings.impulse(t.tie)).collect();
    meetings.rows_mut().iter_mut().for_each(|row| row.impulse = DVec3::ZERO);
    Some(warm)
}

/// Contacts that do not take part yet, and their couples: those that `leans` tells of, if one of them overlaps.
fn joining(
    meetings: &Meetings,
    ties: &[Tie],
    takes_part: &[bool],
    overlaps: impl Fn(usize) -> bool,
    leans: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let waits = |tie: Tie| match tie {
        Tie::Contact(k) => !takes_part[k],
        Tie::Couple(_) | Tie::Hold { .. } | Tie::Drive(_) => false,
    };
    if !(0..ties.len()).any(|k| waits(ties[k]) && overlaps(k)) {
        return Vec::new();
    }
    let meets = |k: usize| !takes_part[k] && (overlaps(k) || leans(k));
    let joins = |&k: &usize| match ties[k] {
        Tie::Contact(_) => meets(k),
        Tie::Couple(_) => meetings.contact_of(ties[k]).is_some_and(meets),
        Tie::Hold { .. } | Tie::Drive(_) => false,
    };
    (0..ties.len()).filter(joins).collect()
}

/// All ties with their Jacobians, in their own axes; contacts are numbered as they are.
pub fn tied(task: &Task, state: &State, meetings: &Meetings) -> Vec<Tied> {
    let elements = task.model.elements.len();
    let part = |j: &Jacobian, first: usize| {
        let line = |k: usize| DVec3::new(j[k][first], j[k][first + 1], j[k][first + 2]);
        DMat3::from_cols(line(0), line(1), line(2)).transpose()
    };
    let one = |tie: Tie| {
        let mut row = Blocks::new();
        for (owner, j) in meetings.sides(state, tie) {
            match owner {
                Owner::Element(e) => row.push((e as u32, part(&j, 0))),
                Owner::Body(a) => {
                    let slot = (elements + 2 * a) as u32;
                    row.extend([(slot, part(&j, 0)), (slot + 1, part(&j, 3))]);
                }
            }
        }
        Tied { tie, row }
    };
    meetings.ties().into_iter().map(one).collect()
}

/// The impulses of the ties that take part.
fn pushes(meetings: &Meetings, ties: &[Tied], members: &[usize]) -> Vec<Push> {
    let push = |&k: &usize| Push { row: ties[k].row.clone(), impulse: meetings.impulse(ties[k].tie) };
    members.iter().map(push).filter(|push| push.impulse != DVec3::ZERO).collect()
}
