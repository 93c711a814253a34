//! The 3×3 block Jacobi preconditioner: each element answers for itself.

use crate::linear::{Operator, Vectors};
use glamx::DMat3;

/// A block is taken as singular below this share of the determinant it would have as a multiple of the identity.
const SINGULAR: f64 = 1e-9;

/// What is added to the diagonal of a singular block, as a share of its trace.
const LIFT: f64 = 1e-3;

/// The inverse of each element's diagonal block.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockJacobi {
    inverses: Vec<DMat3>,
}

impl BlockJacobi {
    /// Inverts symmetric positive semidefinite blocks, one per element.
    ///
    /// A singular block (an element in a straight chain has stiffness along the chain only) is lifted to a regular one:
    /// any positive definite matrix is a valid preconditioner.
    pub fn new(blocks: &[DMat3]) -> Self {
        Self { inverses: blocks.iter().map(invert).collect() }
    }
}

impl Operator for BlockJacobi {
    fn apply(&self, x: &Vectors, y: &mut Vectors) {
        y.reset(x.len());
        for (i, inverse) in self.inverses.iter().enumerate() {
            y.set(i, *inverse * x.get(i));
        }
    }
}

fn invert(block: &DMat3) -> DMat3 {
    let mean = (block.x_axis.x + block.y_axis.y + block.z_axis.z) / 3.0;
    if !(mean > 0.0 && mean.is_finite()) {
        return DMat3::IDENTITY;
    }
    // Scaled first, so that determinants of very stiff or very soft blocks neither overflow nor vanish.
    let scaled = *block * (1.0 / mean);
    let regular = if scaled.determinant() > SINGULAR { scaled } else { scaled + DMat3::IDENTITY * (3.0 * LIFT) };
    let inverse = regular.inverse() * (1.0 / mean);
    if inverse.is_finite() { inverse } else { DMat3::IDENTITY * (1.0 / mean) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glamx::DVec3;

    #[test]
    fn regular_blocks_are_inverted_and_singular_ones_stay_positive() {
        let regular = DMat3::from_cols(DVec3::new(4e9, 1e9, 0.0), DVec3::new(1e9, 3e9, 0.0), DVec3::new(0.0, 0.0, 2e9));
        let line = DMat3::from_diagonal(DVec3::new(5.0, 0.0, 0.0));
        let jacobi = BlockJacobi::new(&[regular, line, DMat3::ZERO]);
        let x = DVec3::new(1.0, -2.0, 3.0);
        let mut field = Vectors::default();
        (0..3).for_each(|i| field.push(if i == 0 { regular * x } else { x }));
        let mut y = Vectors::default();
        jacobi.apply(&field, &mut y);
        assert!((y.get(0) - x).length() < 1e-12);
        assert!(y.get(1).dot(x) > 0.0 && y.get(2) == x);
    }
}
