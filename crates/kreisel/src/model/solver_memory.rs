//! What implicit steps remember of their solver, so that a motion goes on bit for bit after it was saved.

use crate::linear::Vectors;
use glamx::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// How the linear systems of implicit steps are preconditioned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Preconditioning {
    /// Each owner answers for itself; made anew for every system.
    #[default]
    Jacobi,
    /// Rigid clusters as well.
    TwoLevel,
    /// A sparse factorisation.
    Direct,
}

/// The preconditioner in use, and for which pose it was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolverMemory {
    /// Which one.
    pub kind: Preconditioning,
    /// Positions when it was made [m]; empty: it has not been.
    pub pose: Vectors,
    /// Positions [m] and orientations of the aggregates then.
    pub bodies: Vec<(DVec3, DQuat)>,
    /// Factors of stiffness [s²] and damping [s] then.
    pub factors: (f64, f64),
    /// [`crate::model::State::epoch`] then.
    pub epoch: u64,
    /// [`crate::model::State::steps`] then.
    pub step: u64,
    /// Iterations of the first solve with it.
    pub first: Option<u32>,
}

impl SolverMemory {
    /// What tells one preconditioner from another.
    pub fn key(&self) -> (Preconditioning, u64, u64, [u64; 2]) {
        (self.kind, self.epoch, self.step, [self.factors.0.to_bits(), self.factors.1.to_bits()])
    }

    /// Forgets the pose: it is to be made anew.
    pub fn forget(&mut self) {
        *self = Self { kind: self.kind, ..Self::default() };
    }
}
