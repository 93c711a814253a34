//! Statics: the displacements that balance given loads, linearised or to full equilibrium; and small vibrations about it.

pub mod equilibrium;
mod freedoms;
pub mod linear;
pub mod mode_part;
pub mod modes;
mod modes_error;
pub mod part;
mod space;
mod support;
mod tangent;
mod twist;

pub use equilibrium::{EquilibriumParams, solve_equilibrium};
pub use linear::{StaticParams, solve_statics};
pub use mode_part::{ModePart, RigidPiece};
pub use modes::{Mode, ModeKind, ModeParams, Modes, solve_modes};
pub use modes_error::ModesError;
pub use part::{Part, relieve};

use crate::linear::{CgError, Vectors};
use crate::model::{Cell, Connections};
use glamx::DVec3;
use std::fmt;

/// An element held in chosen directions, at a given displacement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// The element; each at most once.
    pub element: u32,
    /// Which of the axes x, y, z are held.
    pub axes: [bool; 3],
    /// Displacement of the held directions [m].
    pub displacement: DVec3,
}

/// What is to be balanced. Without anything held the body floats, and the loads must balance by themselves.
#[derive(Clone, Copy, Debug)]
pub struct StaticProblem<'a> {
    /// Where the elements are now [m]; their connections may be strained.
    pub positions: &'a Vectors,
    /// Springs between them.
    pub connections: &'a Connections,
    /// Cells with a volume term.
    pub cells: &'a [Cell],
    /// Forces on the elements [N].
    pub loads: &'a Vectors,
    /// What is held.
    pub held: &'a [Held],
}

/// Displacements in balance with the loads.
#[derive(Clone, Debug, PartialEq)]
pub struct StaticSolution {
    /// Displacement of each element [m].
    pub displacements: Vectors,
    /// Force of the supports on each element [N], zero in directions that are not held.
    pub reactions: Vectors,
    /// Linear iterations in all.
    pub iterations: usize,
    /// What is left: relative to the loads [1] of the linear problem, the largest force [N] of an equilibrium.
    pub residual: f64,
}

/// Why there is no balance, with the facts.
#[derive(Clone, Debug, PartialEq)]
pub enum StaticError {
    /// Fields or numbers of elements do not fit each other, or a number is not finite.
    BadProblem {
        /// What is wrong.
        reason: String,
    },
    /// A floating body under loads that do not balance.
    Unbalanced {
        /// Sum of the loads [N].
        force: DVec3,
        /// Their moment about the middle of the elements [N m].
        torque: DVec3,
    },
    /// The linear solver failed: too few supports, a mechanism, or a state that buckles.
    Linear(CgError),
    /// Newton's iteration found no equilibrium.
    NoEquilibrium {
        /// Iterations done.
        iterations: usize,
        /// Largest force left on an element [N].
        residual: f64,
    },
}

impl fmt::Display for StaticError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadProblem { reason } => write!(f, "{reason}"),
            Self::Unbalanced { force, torque } => {
                write!(f, "nothing is held and the loads do not balance: force {force} N, torque {torque} N m")
            }
            Self::Linear(error) => write!(f, "{error}; is enough held, and is every element joined?"),
            Self::NoEquilibrium { iterations, residual } => {
                write!(f, "no equilibrium after {iterations} iterations, {residual:.3e} N are left")
            }
        }
    }
}

impl std::error::Error for StaticError {}

impl StaticProblem<'_> {
    /// Refuses what would index out of bounds or carry NaN into the solver.
    fn check(&self) -> Result<(), StaticError> {
        let n = self.positions.len();
        let inside = |e: &u32| (*e as usize) < n;
        let refuse = |reason: String| Err(StaticError::BadProblem { reason });
        if self.loads.len() != n {
            return refuse(format!("{} loads for {n} elements", self.loads.len()));
        }
        if let Some(ends) = self.connections.ends.iter().find(|ends| !ends.iter().all(inside)) {
            return refuse(format!("connection {}–{} of {n} elements", ends[0], ends[1]));
        }
        if let Some(cell) = self.cells.iter().find(|cell| !cell.corners.iter().all(inside)) {
            return refuse(format!("cell with corners {:?} of {n} elements", cell.corners));
        }
        if let Some(held) = self.held.iter().find(|held| !inside(&held.element) || !held.displacement.is_finite()) {
            return refuse(format!("held element {} of {n}, displaced by {}", held.element, held.displacement));
        }
        match self.positions.first_not_finite().or(self.loads.first_not_finite()) {
            Some(e) => refuse(format!("position or load of element {e} is not finite")),
            None => Ok(()),
        }
    }
}

/// `f ← −f`.
fn negate(field: &mut Vectors) {
    for c in [&mut field.x, &mut field.y, &mut field.z] {
        c.iter_mut().for_each(|c| *c = -*c);
    }
}
