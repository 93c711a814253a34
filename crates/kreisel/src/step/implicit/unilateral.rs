//! Contacts of the law `constraint` in an implicit step: `W = J A⁻¹ Jᵀ` with the matrix `A` of the step.
//!
//! `g(Δu) = Jᵀ p` with `0 ≤ p_n ⊥ u_n + φ/h ≥ 0` and Coulomb's law, `u = J (u₀ + Δu)`. By turns: Newton's iteration for given
//! pushes `p`; then the friction problem `u + W (p⁺ − p)` about its solution, by the solvers on the exact cone. Where nothing
//! changes any more both equations hold, however well `W` was known: it only says how soon. Contacts take part once they
//! would overlap.

use crate::contact::constraint::row::{Jacobian, Row};
use crate::contact::rows::Row as Blocks;
use crate::model::State;
use crate::step::constraint::{Meetings, Owner};
use crate::step::implicit::mobility::Mobility;
use crate::step::implicit::newton::{self, Solved, Task, Unsolved};
use crate::step::implicit::residual::Push;
use crate::step::implicit::solver::Solver;
use crate::step::workspace::Workspace;
use glamx::{DMat3, DVec3};

/// Turns of Newton's iteration and the friction problem; half the step needs fewer.
const MOST_TURNS: usize = 20;
/// `W` is worked out anew if a turn leaves more than this share of what the turn before left.
const STALE: f64 = 0.2;
/// Velocities below this share of what gravity gives in a step are small [1].
const SLOW: f64 = 0.1;

/// Solves a step with contacts; their rows have the impulses of the solution. Returns the solution and what it leaves of the contact law [m/s].
pub fn solve(
    task: &Task,
    (state, w): (&mut State, &mut Workspace),
    solver: &mut Solver,
    meetings: &mut Meetings,
) -> Result<(Solved, f64), Unsolved> {
    let mut solved = newton::solve(task, state, w, solver, None)?;
    meetings.make_rows(task.model, state, w, task.scheme.h);
    let warm: Vec<DVec3> = meetings.rows_mut().iter_mut().map(|row| std::mem::take(&mut row.impulse)).collect();
    let blocks: Vec<Blocks> = meetings.rows().iter().map(|row| blocks(task, state, meetings, row)).collect();
    let fall = task.model.gravity.length() * task.scheme.h;
    let tolerance = task.model.constraint.tolerance * meetings.speed().max(SLOW * fall).max(f64::MIN_POSITIVE);
    let (mut takes_part, mut mobility, mut before) = (vec![false; blocks.len()], None::<Mobility>, f64::INFINITY);
    for turn in 0..MOST_TURNS {
        let u = meetings.velocities(&meetings.carriers(state));
        let joins: Vec<usize> = (0..u.len()).filter(|&k| !takes_part[k] && u[k].x < -tolerance).collect();
        let left = mobility.as_ref().map_or(0.0, |m| m.residual(meetings.rows(), &u));
        if joins.is_empty() && left <= tolerance {
            return Ok((solved, left));
        }
        joins.iter().for_each(|&k| takes_part[k] = true);
        if !joins.is_empty() || left > STALE * before {
            let contacts = (0..u.len()).filter(|&k| takes_part[k]).collect();
            mobility = Some(Mobility::new(task, (&*state, &*w), solver, &solved, &blocks, contacts));
        }
        before = left;
        let Some(m) = &mobility else { break };
        let mut near = solved.du.clone();
        m.turn(task, meetings.rows_mut(), &u, (turn == 0).then_some(&warm), &mut near);
        let pushes = pushes(task, state, meetings, &blocks, &m.contacts);
        let next = newton::solve(&Task { pushes: &pushes, ..*task }, state, w, solver, Some(near))?;
        solved = Solved {
            iterations: solved.iterations + next.iterations,
            linear_iterations: solved.linear_iterations + next.linear_iterations,
            ..next
        };
    }
    Err(Unsolved::Contacts(before))
}

/// The Jacobian of a contact over the slots of the step, in the contact's axes.
fn blocks(task: &Task, state: &State, meetings: &Meetings, row: &Row) -> Blocks {
    let elements = task.model.elements.len();
    let part = |j: &Jacobian, first: usize| {
        let line = |k: usize| DVec3::new(j[k][first], j[k][first + 1], j[k][first + 2]);
        DMat3::from_cols(line(0), line(1), line(2)).transpose()
    };
    let mut blocks = Blocks::new();
    for (owner, j) in meetings.sides(state, row) {
        match owner {
            Owner::Element(e) => blocks.push((e as u32, part(&j, 0))),
            Owner::Body(a) => {
                let slot = (elements + 2 * a) as u32;
                blocks.extend([(slot, part(&j, 0)), (slot + 1, part(&j, 3))]);
            }
        }
    }
    blocks
}

/// The impulses of the contacts that take part.
fn pushes(task: &Task, state: &State, meetings: &Meetings, blocks: &[Blocks], contacts: &[usize]) -> Vec<Push> {
    let carriers = meetings.carriers(state);
    let group = |carrier: u32| match meetings.owner(state, carrier)? {
        Owner::Element(e) => Some(task.groups.of[e] as usize),
        Owner::Body(a) => Some(task.groups.of_body(state, a)),
    };
    let push = |&k: &usize| {
        let row = &meetings.rows()[k];
        Push {
            row: blocks[k].clone(),
            impulse: row.impulse,
            in_world: row.world_impulse(),
            point: meetings.point(k, &carriers, task.scheme.h),
            groups: [group(row.a), group(row.b)],
        }
    };
    contacts.iter().filter(|&&k| meetings.rows()[k].impulse != DVec3::ZERO).map(push).collect()
}
