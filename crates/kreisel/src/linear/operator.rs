//! What a linear solver asks of a matrix: its product with a vector.

use crate::linear::{Vectors, fused};
use glamx::DMat3;

/// A linear map from fields to fields of the same length, symmetric unless a solver says that it need not be.
pub trait Operator {
    /// `y = A x`; whatever `y` held before is overwritten.
    fn apply(&self, x: &Vectors, y: &mut Vectors);

    /// `y = A x`, and `xᵀ y`.
    fn apply_and_dot(&self, x: &Vectors, y: &mut Vectors) -> f64 {
        self.apply(x, y);
        fused::dot(x, y)
    }
}

/// An approximate inverse `M⁻¹` of a matrix whose bodies may turn after it was built.
pub trait Preconditioner: Operator {
    /// Says how far each connected component has turned since this was built.
    ///
    /// The matrix of a turned body is `Q A Qᵀ`, so that from now on `Q M⁻¹ Qᵀ` is applied. Components without an entry have
    /// not turned.
    fn turn(&mut self, turns: &[DMat3]);
}
