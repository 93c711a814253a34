//! Contacts of the law `constraint` in an implicit step: `W = J A⁻¹ Jᵀ` with the matrix `A` of the step.
//!
//! `g(Δu) = Jᵀ p` with `0 ≤ p_n ⊥ u_n + φ/h ≥ 0` and Coulomb's law, `u = J (u₀ + Δu)`. By turns: Newton's iteration for given
//! pushes `p`; then the friction problem `u + W (p⁺ − p)` about its solution, by the solvers on the exact cone. Where nothing
//! changes any more both equations hold, however well `W` was known: it only says how soon. Contacts take part once they
//! would overlap. A column of `A⁻¹ Jᵀ` is a linear solve: three for each contact that takes part.

use crate::contact::constraint::row::{Jacobian, Row};
use crate::contact::rows::{Row as Blocks, relative_velocity, spread};
use crate::linear::cone::{ConeParams, FrictionProblem, solve_cone};
use crate::linear::cone_local::natural_map;
use crate::linear::{CgParams, Vectors};
use crate::model::State;
use crate::step::constraint::{Meetings, Owner};
use crate::step::implicit::newton::{self, Solved, Task, Unsolved};
use crate::step::implicit::residual::Push;
use crate::step::implicit::solver::{MOST_ITERATIONS, Occasion, Solver};
use crate::step::implicit::system::System;
use crate::step::workspace::Workspace;
use glamx::{DMat3, DVec3};

/// Turns of Newton's iteration and the friction problem; half the step needs fewer.
const MOST_TURNS: usize = 20;
/// Columns of `A⁻¹ Jᵀ` are solved to this share.
const COLUMN: f64 = 1e-5;
/// They are worked out anew if a turn leaves more than this share of what the turn before left.
const STALE: f64 = 0.2;
/// Velocities below this share of what gravity gives in a step are small [1].
const SLOW: f64 = 0.1;

/// What pushes do: the columns of `A⁻¹ Jᵀ` of the contacts that take part, and `W`.
struct Mobility {
    /// Who takes part, ascending.
    contacts: Vec<usize>,
    /// Changes of velocity for a unit push along each axis of each of them.
    columns: Vec<Vectors>,
    /// `W_ij`, row by row [1/kg].
    blocks: Vec<DMat3>,
}

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
            mobility = Some(Mobility::new(task, (&*state, &*w), solver, &solved, &blocks, contacts)?);
        }
        before = left;
        let Some(m) = &mobility else { break };
        let near = m.next(meetings.rows_mut(), &u, (turn == 0).then_some(&warm), &solved.du);
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

impl Mobility {
    fn new(
        task: &Task,
        (state, w): (&State, &Workspace),
        solver: &mut Solver,
        solved: &Solved,
        rows: &[Blocks],
        contacts: Vec<usize>,
    ) -> Result<Self, Unsolved> {
        let at = (task.start, &task.scheme, task.time);
        let mut system = System::new(task.model, state, w, at, task.filter, &solved.forces, solver.memory());
        system.make_symmetric();
        let factors = (task.scheme.of_stiffness(), task.scheme.of_damping());
        let occasion = Occasion { model: task.model, groups: task.groups, factors, time: task.time, guesses: &[] };
        let params = CgParams { tolerance: COLUMN, max_iterations: MOST_ITERATIONS, verify: false };
        let right = |(k, axis): (usize, DVec3)| {
            let mut right = Vectors::zeros(solved.du.len());
            spread(&rows[k], axis, &mut right);
            task.filter.apply(&system.slots, &mut right);
            right
        };
        let axes = contacts.iter().flat_map(|&k| [(k, DVec3::X), (k, DVec3::Y), (k, DVec3::Z)]);
        let rights: Vec<Vectors> = axes.map(right).collect();
        let columns = solver.solve_many(&system, state, &occasion, &rights, &params).map_err(Unsolved::Linear)?;
        if let Some(springs) = system.springs {
            solver.keep(springs.recycle());
        }
        let blocks = symmetric(&contacts, &columns, rows);
        Ok(Self { contacts, columns, blocks })
    }

    /// What the contacts leave of their law, the most of all [m/s].
    fn residual(&self, rows: &[Row], u: &[DVec3]) -> f64 {
        let left = |(i, &k): (usize, &usize)| {
            let w = &self.blocks[i * self.contacts.len() + i];
            let trace = w.x_axis.x + w.y_axis.y + w.z_axis.z;
            natural_map(rows[k].impulse, u[k], rows[k].friction, 3.0 / trace).abs().max_element()
        };
        self.contacts.iter().enumerate().map(left).fold(0.0, f64::max)
    }

    /// Gives the rows the impulses that the friction problem wants; returns where the step would lead with them.
    fn next(&self, rows: &mut [Row], u: &[DVec3], warm: Option<&Vec<DVec3>>, du: &Vectors) -> Vectors {
        let n = self.contacts.len();
        let p: Vec<DVec3> = self.contacts.iter().map(|&k| rows[k].impulse).collect();
        let through = |i: usize| (0..n).fold(DVec3::ZERO, |sum, j| sum + self.blocks[i * n + j] * p[j]);
        let q = self.contacts.iter().enumerate().map(|(i, &k)| u[k] - through(i)).collect();
        let entries = self.blocks.iter().enumerate().map(|(at, b)| (at / n, at % n, *b)).collect();
        let problem =
            FrictionProblem::from_blocks(entries, q, self.contacts.iter().map(|&k| rows[k].friction).collect());
        let start = warm.map_or_else(|| p.clone(), |warm| self.contacts.iter().map(|&k| warm[k]).collect());
        let answer = solve_cone(&problem, &ConeParams { start, ..ConeParams::default() });
        let mut near = du.clone();
        for (i, &k) in self.contacts.iter().enumerate() {
            let change = answer.p[i] - p[i];
            for (share, column) in change.to_array().into_iter().zip(&self.columns[3 * i..]) {
                near.axpy(share, column);
            }
            rows[k].impulse = answer.p[i];
        }
        near
    }
}

/// `W_ij = ½ (J_i x_j + (J_j x_i)ᵀ)`: rounding and loose solves leave a little asymmetry.
fn symmetric(contacts: &[usize], columns: &[Vectors], rows: &[Blocks]) -> Vec<DMat3> {
    let n = contacts.len();
    let of = |i: usize, j: usize| {
        let along = |axis: usize| relative_velocity(&rows[contacts[i]], &columns[3 * j + axis]);
        DMat3::from_cols(along(0), along(1), along(2))
    };
    let whole: Vec<DMat3> = (0..n * n).map(|at| of(at / n, at % n)).collect();
    (0..n * n).map(|at| (whole[at] + whole[(at % n) * n + at / n].transpose()) * 0.5).collect()
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
