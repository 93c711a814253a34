//! What pushes of contacts and joints do in an implicit step: `W = J A⁻¹ Jᵀ` with the matrix `A = L Lᵀ` of the step.
//!
//! Slots that they push are eliminated last. Then `L⁻¹ Jᵀ` has something in the last corner of `L` only, which is small, and
//! `W = (L⁻¹ Jᵀ)ᵀ (L⁻¹ Jᵀ)`: one factorisation for any number of contacts, and no solve through the whole of it.

#[cfg(test)]
mod tests;

use crate::contact::constraint::assembled::{Assembled, Found, Law};
use crate::contact::rows::{Row as Blocks, spread};
use crate::linear::cone_local::natural_map;
use crate::linear::{BlockSource, Direct, Operator, Vectors};
use crate::model::State;
use crate::step::constraint::{Meetings, Tie};
use crate::step::implicit::newton::{Solved, Task};
use crate::step::implicit::slots::Slots;
use crate::step::implicit::solver::{Occasion, Solver, factored};
use crate::step::implicit::system::System;
use crate::step::implicit::unilateral::Tied;
use crate::step::workspace::Workspace;
use glamx::{DMat3, DVec3};

/// What is held is so many times as stiff as the stiffest slot: far enough from it, and from rounding, for a `W` that only
/// says how soon.
const STIFF: f64 = 1e6;
/// Joints are solved to this share of what contacts may leave: what they leave is taken out by position [1].
const SHARPER: f64 = 1e-3;
/// Joints that open in a step by less than this share of the smallest body are closed: Newton's iteration tells no more [1].
pub const CLOSED: f64 = 1e-9;

/// What pushes do: the factor of the matrix, and `W` of what takes part.
pub struct Mobility {
    /// Who takes part, ascending.
    pub members: Vec<usize>,
    /// The same as ties.
    ties: Vec<Tie>,
    /// Their Jacobians.
    rows: Vec<Blocks>,
    slots: Slots,
    factor: Direct,
    /// `W_ij`, row by row [1/kg].
    blocks: Vec<DMat3>,
    /// Velocities that the last turn expects, and how it was found.
    expected: Option<Expected>,
}

/// What a turn expects.
struct Expected {
    u: Vec<DVec3>,
    left: f64,
    pyramid: bool,
    /// What each tie asks for less [m/s]; empty: nothing.
    lacking: Vec<f64>,
}

/// The matrix of a step in which what is held hardly moves.
struct Held<'a> {
    system: &'a System<'a>,
    stiff: f64,
}

impl BlockSource for Held<'_> {
    fn each_block(&self, take: &mut dyn FnMut(u32, u32, DMat3)) {
        self.system.each_block(take);
        self.system.filter.each_held_block(&self.system.slots, self.stiff, take);
    }
}

impl Mobility {
    /// Of these `members` among the `ties`, at the pose of the state.
    pub fn new(
        task: &Task,
        (state, w): (&State, &Workspace),
        solver: &mut Solver,
        solved: &Solved,
        ties: &[Tied],
        members: Vec<usize>,
    ) -> Self {
        let at = (task.start, &task.scheme, task.time);
        let mut system = System::new(task.model, state, w, at, task.filter, &solved.forces, solver.memory());
        system.make_symmetric();
        let factors = (task.scheme.of_stiffness(), task.scheme.of_damping());
        let occasion = Occasion { model: task.model, groups: task.pieces, factors, time: task.time, guesses: &[] };
        let rows: Vec<Blocks> = members.iter().map(|&k| ties[k].row.clone()).collect();
        let pushed: Vec<u32> = rows.iter().flatten().map(|(slot, _)| *slot).collect();
        let held = Held { system: &system, stiff: STIFF * stiffest(&system) };
        let factor = factored(&held, &system, state, &occasion, &pushed);
        let blocks = delassus(&factor, &rows);
        let slots = system.slots.clone();
        if let Some(springs) = system.springs {
            solver.keep(springs.recycle());
        }
        let ties = members.iter().map(|&k| ties[k].tie).collect();
        Self { members, ties, rows, slots, factor, blocks, expected: None }
    }

    /// True if something driven squeezes what cannot give way, so that contacts got less than they ask for.
    pub fn is_squeezed(&self) -> bool {
        self.expected.as_ref().is_some_and(|e| !e.lacking.is_empty())
    }

    /// What is left of the laws, the most of all [m/s]: of contacts on the cone by the natural map, of others by how far they
    /// are from what was expected of them.
    pub fn residual(&self, meetings: &Meetings, u: &[DVec3]) -> f64 {
        let Some(expected) = &self.expected else { return f64::INFINITY };
        let closed = CLOSED * meetings.size() / meetings.step();
        let left = |(i, &k): (usize, &usize)| {
            let (tie, off) = (self.ties[i], u[k] - expected.u[i]);
            match tie {
                Tie::Contact(c) if !expected.pyramid && !meetings.shares_its_cone(tie) => {
                    let w = &self.blocks[i * self.members.len() + i];
                    let trace = w.x_axis.x + w.y_axis.y + w.z_axis.z;
                    let row = &meetings.rows()[c];
                    let asked = u[k] + DVec3::X * expected.lacking.get(i).copied().unwrap_or(0.0);
                    natural_map(row.impulse, asked, row.friction, 3.0 / trace).abs().max_element()
                }
                Tie::Contact(_) => off.abs().max_element(),
                Tie::Couple(_) => off.abs().max_element() * meetings.lever(tie),
                Tie::Hold { .. } | Tie::Drive(_) if off.abs().max_element() <= closed => 0.0,
                Tie::Hold { .. } | Tie::Drive(_) => off.abs().max_element() / SHARPER,
            }
        };
        self.members.iter().enumerate().map(left).fold(expected.left, f64::max)
    }

    /// Gives the ties the impulses that their problem wants, and adds to `du` what they change; `warm` is where to start.
    pub fn turn(
        &mut self,
        task: &Task,
        meetings: &mut Meetings,
        u: &[DVec3],
        warm: Option<&[DVec3]>,
        du: &mut Vectors,
    ) {
        let n = self.members.len();
        let p: Vec<DVec3> = self.ties.iter().map(|&tie| meetings.impulse(tie)).collect();
        let through = |i: usize| (0..n).fold(DVec3::ZERO, |sum, j| sum + self.blocks[i * n + j] * p[j]);
        let q = self.members.iter().enumerate().map(|(i, &k)| u[k] - through(i)).collect();
        let start = warm.map_or_else(|| p.clone(), |warm| self.members.iter().map(|&k| warm[k]).collect());
        let (w, laws) = (std::mem::take(&mut self.blocks), self.laws(meetings));
        let mut problem = Assembled { w, q, laws, p: start, driven: meetings.is_driven() };
        let Found { left, pyramid, lacking } = problem.solve(&task.model.constraint);
        self.expected = Some(Expected { u: problem.velocities(), left, pyramid, lacking });
        let mut push = Vectors::zeros(du.len());
        for (i, &tie) in self.ties.iter().enumerate() {
            spread(&self.rows[i], problem.p[i] - p[i], &mut push);
            meetings.give(tie, problem.p[i], &problem.laws[i]);
        }
        self.blocks = problem.w;
        let mut change = Vectors::default();
        self.factor.apply(&push, &mut change);
        task.filter.apply(&self.slots, &mut change);
        du.axpy(1.0, &change);
    }

    /// What each of them obeys. Contacts come first, in the order of their numbers.
    fn laws(&self, meetings: &Meetings) -> Vec<Law> {
        let place = |contact: usize| self.members.binary_search(&contact).unwrap_or(0);
        self.ties.iter().map(|&tie| meetings.law(tie, place)).collect()
    }
}

/// The largest entry of the diagonal [kg].
fn stiffest(system: &System) -> f64 {
    let mut most: f64 = 0.0;
    system.each_block(&mut |i, j, block| {
        if i == j {
            most = most.max(block.x_axis.x).max(block.y_axis.y).max(block.z_axis.z);
        }
    });
    most
}

/// `W_ij = (L⁻¹ J_iᵀ)ᵀ (L⁻¹ J_jᵀ)`.
fn delassus(factor: &Direct, rows: &[Blocks]) -> Vec<DMat3> {
    let of = |row: &Blocks, axis: DVec3| row.iter().map(|(slot, b)| (*slot, b.transpose() * axis)).collect();
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let rights: Vec<Vec<(u32, DVec3)>> = rows.iter().flat_map(|row| axes.map(|axis| of(row, axis))).collect();
    let halves = factor.lower_solves(&rights);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b);
    let block = |i: usize, j: usize| {
        let column = |c: usize| DVec3::from_array(std::array::from_fn(|r| dot(&halves[3 * i + r], &halves[3 * j + c])));
        DMat3::from_cols(column(0), column(1), column(2))
    };
    let n = rows.len();
    let mut blocks = vec![DMat3::ZERO; n * n];
    for i in 0..n {
        for j in i..n {
            blocks[i * n + j] = block(i, j);
            blocks[j * n + i] = blocks[i * n + j].transpose();
        }
    }
    blocks
}
