//! The linear static problem `K u = f` about given positions, held or floating.

use crate::linear::{CgParams, Operator, Vectors};
use crate::statics::space::Space;
use crate::statics::support::Support;
use crate::statics::tangent::{self, Tangent};
use crate::statics::{StaticError, StaticProblem, StaticSolution};

/// How to solve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StaticParams {
    /// The linear solver's.
    pub cg: CgParams,
    /// Leave out the negative stiffness of pressed springs: always solvable, exact where nothing is strained yet.
    pub semidefinite: bool,
}

/// Solves `K u = f + f_int`: the displacements after which, to first order, loads, springs and cells balance.
///
/// `K` and the internal forces `f_int` are those of the given positions; without strain `f_int` is zero. A floating
/// body's displacements have no rigid part.
pub fn solve_statics(problem: &StaticProblem, params: &StaticParams) -> Result<StaticSolution, StaticError> {
    problem.check()?;
    let k = Tangent::new(problem.connections, problem.cells, problem.positions, params.semidefinite);
    let mut forces = problem.loads.clone();
    tangent::add_force(problem, problem.positions, &mut forces);
    let support = Support::new(problem.held, problem.positions.len());
    let mut u = support.displacements.clone();
    let mut change = Vectors::default();
    k.apply(&u, &mut change);
    let mut right = forces.clone();
    right.axpy(-1.0, &change);
    let space = Space::new(problem, support)?;
    let mut free = Vectors::zeros(u.len());
    let info = space.solve(&k, &mut right, &mut free, &params.cg).map_err(StaticError::Linear)?;
    u.axpy(1.0, &free);
    k.apply(&u, &mut change);
    change.axpy(-1.0, &forces);
    let reactions = space.reactions(change);
    Ok(StaticSolution { displacements: u, reactions, iterations: info.iterations, residual: info.residual })
}
