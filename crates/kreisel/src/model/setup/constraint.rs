//! Settings of the law `constraint`.

use crate::model::Model;
use serde::{Deserialize, Serialize};

/// How the contact problems of the law `constraint` are solved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConstraintSettings {
    /// Which solver.
    pub solver: ContactSolver,
    /// Facets of the friction pyramid, even, at least 4; 0: the exact cone.
    pub facets: u32,
    /// Turn the pyramid until a facet lies along the slip: any number of facets then gives the exact cone.
    pub isotropic: bool,
    /// What is left of the contact law (natural map), as a share of the velocities in play [1].
    pub tolerance: f64,
    /// Passes over all contacts of an island at most.
    pub sweeps: u32,
    /// How often the gaps of bodies that turn are linearised anew about the end of a first-order step; 0: gaps are linear.
    pub gap_iterations: u32,
    /// Exact bodies sleep when they, and all that they touch, have been at rest for so long [s]; infinite: never.
    pub sleep_after: f64,
}

impl Default for ConstraintSettings {
    fn default() -> Self {
        Self {
            solver: ContactSolver::Automatic,
            facets: 0,
            isotropic: true,
            tolerance: 1e-3,
            sweeps: 2000,
            gap_iterations: 2,
            sleep_after: 0.5,
        }
    }
}

/// Solvers of contact problems.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContactSolver {
    /// By the size of the island.
    #[default]
    Automatic,
    /// Block Gauss–Seidel on the exact cone.
    GaussSeidel,
    /// Nonsmooth Newton on the exact cone.
    Newton,
    /// Lemke's pivoting on the friction pyramid.
    Lemke,
}

/// What a scene asks of the law `constraint` beside contact with friction on the exact cone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demands {
    /// Joints.
    pub joints: bool,
    /// Friction on a pyramid.
    pub pyramid: bool,
    /// Friction of rolling or of spinning.
    pub resistance: bool,
}

impl Demands {
    /// Those of a model.
    pub fn of(model: &Model) -> Self {
        Self {
            joints: !model.joints.is_empty(),
            pyramid: model.constraint.facets > 0,
            resistance: model.materials.iter().any(|m| !m.resistance.is_zero()),
        }
    }

    /// Why explicit steps must be taken, if they must.
    pub fn explicit(self) -> Option<&'static str> {
        match self {
            Self { joints: true, .. } => Some("joints take explicit steps under the law `constraint`"),
            Self { pyramid: true, .. } => Some("friction on a pyramid takes explicit steps"),
            Self { resistance: true, .. } => Some("friction of rolling and spinning takes explicit steps"),
            _ => None,
        }
    }
}
