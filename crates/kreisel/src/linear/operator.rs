//! What a linear solver asks of a matrix: its product with a vector.

use crate::linear::Vectors;

/// A symmetric linear map from fields to fields of the same length.
pub trait Operator {
    /// `y = A x`; whatever `y` held before is overwritten.
    fn apply(&self, x: &Vectors, y: &mut Vectors);
}
