//! Full equilibrium under finite loads: Newton's method on the potential `Π = U(x) − f·x`, with a line search.

use crate::linear::{CgError, CgParams, Vectors};
use crate::statics::space::Space;
use crate::statics::support::Support;
use crate::statics::tangent::{self, Tangent};
use crate::statics::{StaticError, StaticProblem, StaticSolution, negate};

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EquilibriumParams {
    /// In equilibrium when no element has more force left than this [N].
    pub force_tolerance: f64,
    /// At most so many Newton iterations.
    pub max_iterations: usize,
    /// At most so many conjugate-gradient iterations in each of them.
    pub max_linear_iterations: usize,
}

impl Default for EquilibriumParams {
    fn default() -> Self {
        Self { force_tolerance: 1e-6, max_iterations: 100, max_linear_iterations: 10_000 }
    }
}

/// Sufficient decrease of Armijo's rule.
const ARMIJO: f64 = 1e-4;

/// How often a step is halved before the search gives up.
const HALVINGS: usize = 40;

/// Rounding errors of the potential, as a share of its parts' magnitudes.
const ROUNDING: f64 = 1e-14;

/// Finds displacements after which loads, springs and cells balance, starting from the given positions.
///
/// Loads keep their directions. A floating body is kept from turning: a torque that its loads gain by the displacements
/// is left to the motion.
pub fn solve_equilibrium(problem: &StaticProblem, params: &EquilibriumParams) -> Result<StaticSolution, StaticError> {
    problem.check()?;
    let support = Support::new(problem.held, problem.positions.len());
    let mut x = problem.positions.clone();
    x.axpy(1.0, &support.displacements);
    let mut space = Space::new(problem, support)?;
    let mut first = None;
    let mut linear = 0;
    let mut iterations = 0;
    loop {
        space.move_to(&x);
        let forces = forces(problem, &x);
        let mut free = forces.clone();
        space.restrict(&mut free);
        let residual = largest(&free);
        if residual <= params.force_tolerance {
            return Ok(solution(problem, &space, x, forces, linear, residual));
        }
        let stuck = StaticError::NoEquilibrium { iterations, residual };
        if iterations >= params.max_iterations || !residual.is_finite() {
            return Err(stuck);
        }
        let forcing = (residual / *first.get_or_insert(residual)).sqrt().min(0.1);
        let cg = CgParams { tolerance: forcing, max_iterations: params.max_linear_iterations, verify: false };
        let step = newton_step(problem, &space, &x, &free, &cg, &mut linear)?;
        x = search(problem, &x, &step, &free).ok_or(stuck)?;
        iterations += 1;
    }
}

/// Loads and internal forces at `x` [N].
fn forces(problem: &StaticProblem, x: &Vectors) -> Vectors {
    let mut forces = problem.loads.clone();
    tangent::add_force(problem, x, &mut forces);
    forces
}

/// The largest force in a field [N].
fn largest(forces: &Vectors) -> f64 {
    (0..forces.len()).map(|i| forces.get(i).length()).fold(0.0, |a, b| if b > a || b.is_nan() { b } else { a })
}

/// Solves `K p = f` with the semidefinite stiffness, loosely while far away [EW96].
///
/// Where the solver stops early, its last iterate still points downhill; where it has none, the force itself does.
fn newton_step(
    problem: &StaticProblem,
    space: &Space,
    x: &Vectors,
    free: &Vectors,
    cg: &CgParams,
    linear: &mut usize,
) -> Result<Vectors, StaticError> {
    let k = Tangent::new(problem.connections, problem.cells, x, true);
    let mut p = Vectors::zeros(x.len());
    *linear += match space.solve(&k, &mut free.clone(), &mut p, cg) {
        Ok(info) => info.iterations,
        Err(CgError::NotConverged { iterations, .. } | CgError::Indefinite { iterations, .. }) => iterations,
        Err(error @ CgError::NotFinite { .. }) => return Err(StaticError::Linear(error)),
    };
    if p.dot(free) > 0.0 {
        return Ok(p);
    }
    let stiffest = k.diagonal().iter().map(|b| b.x_axis.x + b.y_axis.y + b.z_axis.z).fold(0.0, f64::max);
    let mut down = Vectors::zeros(x.len());
    down.axpy(if stiffest > 0.0 { 1.0 / stiffest } else { 1.0 }, free);
    Ok(down)
}

/// The longest of the steps `p, p/2, p/4 …` that lowers the potential enough; none if no step does.
fn search(problem: &StaticProblem, x: &Vectors, p: &Vectors, free: &Vectors) -> Option<Vectors> {
    let elastic = tangent::energy(problem, x);
    let (slope, work) = (p.dot(free), p.dot(problem.loads));
    let mut step = 1.0;
    for _ in 0..HALVINGS {
        let mut next = x.clone();
        next.axpy(step, p);
        let energy = tangent::energy(problem, &next);
        let noise = ROUNDING * (elastic + energy + (step * work).abs());
        if energy - elastic - step * work <= -ARMIJO * step * slope + noise {
            return Some(next);
        }
        step *= 0.5;
    }
    None
}

fn solution(
    problem: &StaticProblem,
    space: &Space,
    x: Vectors,
    mut forces: Vectors,
    iterations: usize,
    residual: f64,
) -> StaticSolution {
    let mut displacements = x;
    displacements.axpy(-1.0, problem.positions);
    negate(&mut forces);
    StaticSolution { displacements, reactions: space.reactions(forces), iterations, residual }
}
