//! Where in a step an implicit integrator takes its forces.
//!
//! The unknown is the change `Δu` of all velocities over the step. Forces are taken at the pose
//! `x = x₀ + τ u`, `u = u₀ + γ Δu`: backward Euler has `τ = h`, `γ = 1`, the midpoint rule `τ = h/2`, `γ = 1/2`. Then
//! `M Δu = h f(x, u)` has the matrix `M + hγ B + hτγ K`.

use crate::model::setup::Integrator;

/// One implicit step of size `h`.
#[derive(Clone, Copy, Debug)]
pub struct Scheme {
    /// Step [s].
    pub h: f64,
    /// Time from the start of the step to the pose, `τ` [s].
    pub reach: f64,
    /// Share of the change of velocity that the pose has seen, `γ` [1].
    pub share: f64,
    /// One solve and no more.
    pub linear: bool,
}

impl Scheme {
    /// The scheme of an implicit integrator.
    pub fn new(integrator: Integrator, h: f64) -> Self {
        let midpoint = integrator == Integrator::ImplicitMidpoint;
        let linear = integrator == Integrator::LinearBackwardEuler;
        let part = if midpoint { 0.5 } else { 1.0 };
        Self { h, reach: part * h, share: part, linear }
    }

    /// True if forces are taken in the middle of the step.
    pub fn is_midpoint(&self) -> bool {
        self.share < 1.0
    }

    /// Factor of the stiffness, `hτγ` [s²].
    pub fn of_stiffness(&self) -> f64 {
        self.h * self.reach * self.share
    }

    /// Factor of the damping, `hγ` [s].
    pub fn of_damping(&self) -> f64 {
        self.h * self.share
    }
}
