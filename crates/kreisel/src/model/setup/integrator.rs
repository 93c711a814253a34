//! How time goes on: explicit or implicit, and how implicit steps are solved.

use serde::{Deserialize, Serialize};

/// How time goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Integrator {
    /// The paper's forward Euler: unstable without damping; for teaching only.
    ForwardEuler,
    /// Kick, then drift: first order, symplectic.
    SymplecticEuler,
    /// Drift, kick, drift: second order, symplectic, one force evaluation.
    VelocityVerlet,
    /// Forces at the end of the step, to full convergence: first order, stable at any step, damps what it does not resolve.
    BackwardEuler,
    /// Forces at the end of the step, linearised: one solve a step.
    LinearBackwardEuler,
    /// Forces in the middle of the step: second order, conserving.
    ImplicitMidpoint,
    /// Two half steps of `VelocityVerlet` against a whole one, extrapolated: third order, under the law `constraint`.
    Extrapolated,
    /// Chosen from stiffness and wanted step when the scene is built; the reason is given.
    #[default]
    Automatic,
}

impl Integrator {
    /// True if contacts of the law `constraint` are found when they close within the step.
    pub fn finds_landings(self) -> bool {
        matches!(self, Self::VelocityVerlet | Self::Extrapolated)
    }

    /// True if a step solves a system of equations.
    pub fn is_implicit(self) -> bool {
        matches!(self, Self::BackwardEuler | Self::LinearBackwardEuler | Self::ImplicitMidpoint)
    }
}

/// How implicit steps are solved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImplicitSettings {
    /// A step is solved when what is left of its equation is below this share of what there was [1].
    pub tolerance: f64,
    /// Linear and angular momentum that a step has lost in numerics are given back to what moves freely.
    pub keep_momentum: bool,
    /// Which linear solver.
    pub solver: LinearSolver,
}

impl Default for ImplicitSettings {
    fn default() -> Self {
        Self { tolerance: 1e-6, keep_momentum: true, solver: LinearSolver::default() }
    }
}

/// How the linear systems of implicit steps are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinearSolver {
    /// By size and by what the iterations cost.
    #[default]
    Automatic,
    /// Conjugate gradients, each owner answers for itself.
    Jacobi,
    /// Conjugate gradients with a coarse space of rigid clusters.
    TwoLevel,
    /// A sparse factorisation.
    Direct,
}
