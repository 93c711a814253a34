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
    /// What comes back of a blow.
    pub restitution_law: RestitutionLaw,
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
            restitution_law: RestitutionLaw::Newton,
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

/// What comes back of a blow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RestitutionLaw {
    /// A share of the speed, `u_n⁺ = −e u_n⁻`.
    #[default]
    Newton,
    /// A share of the impulse, `p_e = e p_c`, in a phase of its own.
    Poisson,
}

/// What a scene asks of the law `constraint` beside contact with friction on the exact cone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demands {
    /// Friction on a pyramid.
    pub pyramid: bool,
    /// Friction of rolling or of spinning.
    pub resistance: bool,
    /// Poisson's restitution.
    pub poisson: bool,
}

impl Demands {
    /// Those of a model.
    pub fn of(model: &Model) -> Self {
        Self {
            pyramid: model.constraint.facets > 0,
            resistance: model.materials.iter().any(|m| !m.resistance.is_zero()),
            poisson: model.constraint.restitution_law == RestitutionLaw::Poisson,
        }
    }

    /// Why explicit steps must be taken, if they must.
    pub fn explicit(self) -> Option<&'static str> {
        self.poisson.then_some("Poisson's restitution takes explicit steps")
    }

    /// Why restitution must be Newton's, if it must.
    pub fn newton(self) -> Option<&'static str> {
        match self {
            Self { poisson: true, pyramid: true, .. } => {
                Some("Poisson's restitution does not go with friction on a pyramid")
            }
            Self { poisson: true, resistance: true, .. } => {
                Some("Poisson's restitution does not go with friction of rolling or spinning")
            }
            _ => None,
        }
    }
}
