//! Where static displacements are sought: without held components, without rigid motions.

use crate::linear::{BlockJacobi, CgError, CgInfo, CgParams, Projected, RigidModes, Vectors, solve_cg};
use crate::statics::support::{Support, Supported};
use crate::statics::tangent::Tangent;
use crate::statics::{StaticError, StaticProblem};

/// Loads on a floating body balance if their resultant is below this share of the sum of their magnitudes.
const BALANCED: f64 = 1e-9;

/// Where displacements are sought: supports keep components out, a floating body its rigid motions.
pub(super) struct Space {
    support: Support,
    modes: Option<RigidModes>,
}

impl Space {
    /// Chooses between held and floating; loads on a floating body must balance.
    pub fn new(problem: &StaticProblem, support: Support) -> Result<Self, StaticError> {
        if !problem.held.is_empty() {
            return Ok(Self { support, modes: None });
        }
        let modes = RigidModes::new(problem.positions);
        let (force, torque) = modes.resultant(problem.loads);
        let magnitudes = (0..problem.loads.len()).map(|i| problem.loads.get(i).length());
        let arms = (0..problem.loads.len()).map(|i| modes.arm(i).length());
        let largest_arm = arms.fold(0.0, f64::max);
        let limit = BALANCED * magnitudes.sum::<f64>();
        if force.length() > limit || torque.length() > limit * largest_arm {
            return Err(StaticError::Unbalanced { force, torque });
        }
        Ok(Self { support, modes: Some(modes) })
    }

    /// Takes out of a field what displacements in this space do not feel.
    pub fn restrict(&self, field: &mut Vectors) {
        self.support.keep_free(field);
        if let Some(modes) = &self.modes {
            modes.remove(field);
        }
    }

    /// The held components of a field; none of a floating body.
    pub fn reactions(&self, mut field: Vectors) -> Vectors {
        self.support.keep_held(&mut field);
        field
    }

    /// Solves `K u = right` within the space.
    pub fn solve(
        &self,
        k: &Tangent,
        right: &mut Vectors,
        u: &mut Vectors,
        params: &CgParams,
    ) -> Result<CgInfo, CgError> {
        let mut blocks = k.diagonal();
        self.support.mask_blocks(&mut blocks);
        let jacobi = BlockJacobi::new(&blocks);
        self.restrict(right);
        match &self.modes {
            None => {
                let within = |inner| Supported { inner, support: &self.support };
                solve_cg(&within(k), &within(&jacobi), right, u, params)
            }
            Some(modes) => {
                let within = |inner| Projected { inner, modes };
                solve_cg(&within(k), &within(&jacobi), right, u, params)
            }
        }
    }

    /// Takes the rigid motions of a floating body at other positions.
    pub fn move_to(&mut self, x: &Vectors) {
        if let Some(modes) = &mut self.modes {
            *modes = RigidModes::new(x);
        }
    }
}
