//! The factor of the Hessian, and of which one it is: where all contacts do what they did, nothing is factored anew.
//!
//! `M + Jᵀ G J` depends on the velocities through the slopes `G` of the contacts alone, and those that do not slide have one of a few.

use super::Island;
use super::terms::hessian;
use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::joint::JointBlock;
use crate::contact::constraint::row::Row;
use crate::linear::block_cholesky::BlockCholesky;

/// A factor, and what the contacts did when it was made.
pub(super) struct Factored {
    /// The factor.
    pub factor: BlockCholesky<6>,
    /// None if that is not enough to know it by.
    kinds: Option<Vec<u8>>,
}

impl Factored {
    /// Nothing but order and pattern is known yet.
    pub fn new(factor: BlockCholesky<6>) -> Self {
        Self { factor, kinds: None }
    }

    /// Factors the Hessian at the velocities of the moment, where contacts do what `kinds` says.
    pub fn update(
        &mut self,
        island: &Island,
        problem: (&[Row], &[JointBlock]),
        carriers: &Carriers,
        bounds: &[f64],
        kinds: Option<Vec<u8>>,
    ) {
        if kinds.is_none() || kinds != self.kinds {
            let diagonal = hessian(island, &mut self.factor, problem, carriers, bounds);
            self.factor.eliminate(&diagonal);
        }
        self.kinds = kinds;
    }
}
