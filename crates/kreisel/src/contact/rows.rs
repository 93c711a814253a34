//! The Jacobian of a contact, `u = Σ B_i v_i`: relative velocity from the velocities of elements and spins of aggregates.
//!
//! `u` is what [`crate::contact::connections::Active::relative_velocity`] gives, written out block by block: implicit steps
//! need it many times at one pose. The transpose sends a force at the contact to the elements and couples to aggregates.

use crate::linear::Vectors;
use crate::linear::eigen::outer;
use glamx::{DMat3, DVec3};

/// Blocks `B_i` of one contact with the slots they belong to.
pub type Row = Vec<(u32, DMat3)>;

/// Slots of aggregates' spins follow those of the elements: velocity and spin of each.
#[derive(Clone, Copy, Debug)]
pub struct SpinSlots {
    /// Number of elements.
    pub elements: usize,
}

impl SpinSlots {
    /// The slot of the spin of aggregate `a`.
    pub fn of(self, a: usize) -> u32 {
        (self.elements + 2 * a + 1) as u32
    }
}

/// The matrix of `a ×`.
pub fn cross_matrix(a: DVec3) -> DMat3 {
    DMat3::from_cols(a.cross(DVec3::X), a.cross(DVec3::Y), a.cross(DVec3::Z))
}

/// Joins what is normal of the sphere's blocks with what is tangential of the material's, times `sign`.
pub(super) fn split(normal: DVec3, centre: Row, material: Row, sign: f64, row: &mut Row) {
    let along = outer(normal, normal);
    let across = DMat3::IDENTITY - along;
    row.extend(centre.into_iter().map(|(i, b)| (i, along * b * sign)));
    row.extend(material.into_iter().map(|(i, b)| (i, across * b * sign)));
}

/// Adds up blocks of the same slot; ascending.
pub(super) fn merged(mut row: Row) -> Row {
    row.sort_by_key(|r| r.0);
    row.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    row
}

/// `u = Σ B_i v_i`.
pub fn relative_velocity(row: &[(u32, DMat3)], v: &Vectors) -> DVec3 {
    row.iter().fold(DVec3::ZERO, |u, (i, b)| u + *b * v.get(*i as usize))
}

/// `f_i += B_iᵀ f`.
pub fn spread(row: &[(u32, DMat3)], force: DVec3, f: &mut Vectors) {
    for (i, b) in row {
        f.add(*i as usize, b.transpose() * force);
    }
}
