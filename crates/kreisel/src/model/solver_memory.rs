//! What implicit steps remember of their solver, so that a motion goes on bit for bit after it was saved.

use crate::linear::Vectors;
use glamx::{DQuat, DVec3};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// So many steps are remembered to guess the next from.
const STEPS: usize = 3;

/// Steps whose sizes differ by no more than this share are of one size.
const SAME_STEP: f64 = 1e-6;

/// A field that several states share: it does not change any more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SharedField(Arc<Vectors>);

impl From<Vectors> for SharedField {
    fn from(field: Vectors) -> Self {
        Self(Arc::new(field))
    }
}

impl std::ops::Deref for SharedField {
    type Target = Vectors;
    fn deref(&self) -> &Vectors {
        &self.0
    }
}

impl Serialize for SharedField {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Vectors::serialize(self, to)
    }
}

impl<'de> Deserialize<'de> for SharedField {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Vectors::deserialize(from).map(Self::from)
    }
}

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
    pub pose: SharedField,
    /// Positions [m] and orientations of the aggregates then.
    pub bodies: Vec<(DVec3, DQuat)>,
    /// Factors of stiffness [s²] and damping [s] then.
    pub factors: (f64, f64),
    /// [`crate::model::State::epoch`] then.
    pub epoch: u64,
    /// [`crate::model::State::steps`] then.
    pub step: u64,
    /// Iterations per digit of the first solve with it.
    pub first: Option<f64>,
    /// Iterations that later ones took beyond what the first lets expect.
    pub wasted: f64,
    /// How all velocities changed over the last steps, the latest first, slot by slot [m/s, rad/s]: the next change is looked
    /// for among them first.
    pub changes: Vec<SharedField>,
    /// [`crate::model::State::epoch`] over those steps, and their size [s].
    pub changes_of: (u64, f64),
}

impl SolverMemory {
    /// What tells one preconditioner from another.
    pub fn key(&self) -> (Preconditioning, u64, u64, [u64; 2]) {
        (self.kind, self.epoch, self.step, [self.factors.0.to_bits(), self.factors.1.to_bits()])
    }

    /// Forgets the pose: it is to be made anew.
    pub fn forget(&mut self) {
        let changes = std::mem::take(&mut self.changes);
        *self = Self { kind: self.kind, changes, changes_of: self.changes_of, ..Self::default() };
    }

    /// Remembers the change of velocities over a step of size `h` in the given epoch.
    pub fn remember_change(&mut self, change: Vectors, epoch: u64, h: f64) {
        self.changes.truncate(if self.is_like_those_before(epoch, h) { STEPS - 1 } else { 0 });
        self.changes_of = (epoch, h);
        self.changes.insert(0, change.into());
    }

    /// True if a step of size `h` in the given epoch continues those that are remembered.
    fn is_like_those_before(&self, epoch: u64, h: f64) -> bool {
        let (of, size) = self.changes_of;
        of == epoch && (h - size).abs() <= SAME_STEP * size
    }

    /// The changes that a step of size `h` over `slots` slots continues, the latest first.
    pub fn changes_before(&self, slots: usize, epoch: u64, h: f64) -> impl Iterator<Item = &SharedField> {
        let continued = self.is_like_those_before(epoch, h);
        self.changes.iter().filter(move |c| continued && c.len() == slots)
    }
}
