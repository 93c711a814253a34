//! What pushes of contacts do in an implicit step: `W = J A⁻¹ Jᵀ` with the matrix `A = L Lᵀ` of the step.
//!
//! Slots that contacts push are eliminated last. Then `L⁻¹ Jᵀ` has something in the last corner of `L` only, which is small, and
//! `W = (L⁻¹ Jᵀ)ᵀ (L⁻¹ Jᵀ)`: one factorisation for any number of contacts, and no solve through the whole of it.

use crate::contact::constraint::row::Row;
use crate::contact::rows::{Row as Blocks, spread};
use crate::linear::cone::{ConeParams, FrictionProblem, solve_cone};
use crate::linear::cone_local::natural_map;
use crate::linear::{BlockSource, Direct, Operator, Vectors};
use crate::model::State;
use crate::step::implicit::newton::{Solved, Task};
use crate::step::implicit::slots::Slots;
use crate::step::implicit::solver::{Occasion, Solver, factored};
use crate::step::implicit::system::System;
use crate::step::workspace::Workspace;
use glamx::{DMat3, DVec3};

/// What is held is so many times as stiff as the stiffest slot: far enough from it, and from rounding, for a `W` that only
/// says how soon.
const STIFF: f64 = 1e6;

/// What pushes do: the factor of the matrix, and `W` of the contacts that take part.
pub struct Mobility {
    /// Who takes part, ascending.
    pub contacts: Vec<usize>,
    /// Their Jacobians.
    rows: Vec<Blocks>,
    slots: Slots,
    factor: Direct,
    /// `W_ij`, row by row [1/kg].
    blocks: Vec<DMat3>,
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
    /// Of these `contacts`, whose Jacobians are among `rows`, at the pose of the state.
    pub fn new(
        task: &Task,
        (state, w): (&State, &Workspace),
        solver: &mut Solver,
        solved: &Solved,
        rows: &[Blocks],
        contacts: Vec<usize>,
    ) -> Self {
        let at = (task.start, &task.scheme, task.time);
        let mut system = System::new(task.model, state, w, at, task.filter, &solved.forces, solver.memory());
        system.make_symmetric();
        let factors = (task.scheme.of_stiffness(), task.scheme.of_damping());
        let occasion = Occasion { model: task.model, groups: task.groups, factors, time: task.time, guesses: &[] };
        let rows: Vec<Blocks> = contacts.iter().map(|&k| rows[k].clone()).collect();
        let pushed: Vec<u32> = rows.iter().flatten().map(|(slot, _)| *slot).collect();
        let held = Held { system: &system, stiff: STIFF * stiffest(&system) };
        let factor = factored(&held, &system, state, &occasion, &pushed);
        let blocks = delassus(&factor, &rows);
        let slots = system.slots.clone();
        if let Some(springs) = system.springs {
            solver.keep(springs.recycle());
        }
        Self { contacts, rows, slots, factor, blocks }
    }

    /// What the contacts leave of their law, the most of all [m/s].
    pub fn residual(&self, rows: &[Row], u: &[DVec3]) -> f64 {
        let left = |(i, &k): (usize, &usize)| {
            let w = &self.blocks[i * self.contacts.len() + i];
            let trace = w.x_axis.x + w.y_axis.y + w.z_axis.z;
            natural_map(rows[k].impulse, u[k], rows[k].friction, 3.0 / trace).abs().max_element()
        };
        self.contacts.iter().enumerate().map(left).fold(0.0, f64::max)
    }

    /// Gives the rows the impulses that the friction problem wants, and adds to `du` what they change.
    pub fn turn(&self, task: &Task, rows: &mut [Row], u: &[DVec3], warm: Option<&Vec<DVec3>>, du: &mut Vectors) {
        let n = self.contacts.len();
        let p: Vec<DVec3> = self.contacts.iter().map(|&k| rows[k].impulse).collect();
        let through = |i: usize| (0..n).fold(DVec3::ZERO, |sum, j| sum + self.blocks[i * n + j] * p[j]);
        let q = self.contacts.iter().enumerate().map(|(i, &k)| u[k] - through(i)).collect();
        let entries = self.blocks.iter().enumerate().map(|(at, b)| (at / n, at % n, *b)).collect();
        let problem =
            FrictionProblem::from_blocks(entries, q, self.contacts.iter().map(|&k| rows[k].friction).collect());
        let start = warm.map_or_else(|| p.clone(), |warm| self.contacts.iter().map(|&k| warm[k]).collect());
        let answer = solve_cone(&problem, &ConeParams { start, ..ConeParams::default() });
        let mut push = Vectors::zeros(du.len());
        for (i, &k) in self.contacts.iter().enumerate() {
            spread(&self.rows[i], answer.p[i] - p[i], &mut push);
            rows[k].impulse = answer.p[i];
        }
        let mut change = Vectors::default();
        self.factor.apply(&push, &mut change);
        task.filter.apply(&self.slots, &mut change);
        du.axpy(1.0, &change);
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
