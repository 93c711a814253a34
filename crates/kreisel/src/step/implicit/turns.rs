//! How far groups have turned since a preconditioner was built: the rotation that fits the positions of then to those of now.

use crate::linear::Vectors;
use crate::linear::eigen::{outer, principal_frame};
use crate::model::{Model, State};
use crate::step::implicit::groups::Groups;
use glamx::{DMat3, DVec3};

/// The rotation of each group from the positions of `then` to those of the state, by the polar part of
/// `Σ m (x − c)(X − C)ᵀ`.
pub fn turns(then: &Vectors, model: &Model, state: &State, groups: &Groups) -> Vec<DMat3> {
    let mut sums = vec![(0.0, DVec3::ZERO, DVec3::ZERO); groups.count];
    for (e, &m) in model.elements.mass.iter().enumerate() {
        let sum = &mut sums[groups.of[e] as usize];
        sum.0 += m;
        sum.1 += state.position.get(e) * m;
        sum.2 += then.get(e) * m;
    }
    let mut spread = vec![DMat3::ZERO; groups.count];
    for (e, &m) in model.elements.mass.iter().enumerate() {
        let g = groups.of[e] as usize;
        let (mass, now, old) = sums[g];
        spread[g] += outer(state.position.get(e) - now / mass, (then.get(e) - old / mass) * m);
    }
    spread.into_iter().map(polar_rotation).collect()
}

/// The rotation nearest to a matrix, `F (FᵀF)^(−1/2)`; the identity where that is not unique, as for points on a line.
fn polar_rotation(f: DMat3) -> DMat3 {
    let (values, frame) = principal_frame(f.transpose() * f);
    if values.min_element() <= 1e-12 * values.max_element() || f.determinant() <= 0.0 {
        return DMat3::IDENTITY;
    }
    let axes = DMat3::from_quat(frame);
    let root = DVec3::from_array(values.to_array().map(|v| 1.0 / v.sqrt()));
    f * axes * DMat3::from_diagonal(root) * axes.transpose()
}
