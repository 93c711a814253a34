//! Rigid motions of something with mass and inertia, restricted to what its supports allow.

use crate::linear::dense::symmetric_eigen;
use crate::linear::eigen::principal_frame;
use glamx::{DMat3, DVec3};

/// A small rigid motion: the velocity of the centre of mass, and the spin about it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Twist {
    pub velocity: DVec3,
    pub spin: DVec3,
}

impl Twist {
    /// What the point at arm `r` does.
    pub fn at(&self, r: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(r)
    }
}

/// A direction in which a point is held, and the arm of the point from the centre of mass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub axis: DVec3,
    pub arm: DVec3,
}

/// A moment of inertia below this share of the largest is none: points on a line.
const NO_INERTIA: f64 = 1e-12;

/// Supports whose part along a motion is below this share (squared) of the largest do not resist it.
const NO_SUPPORT: f64 = 1e-9;

/// A basis of the motions that supports allow, of unit mass: `M v·v′ + ω·I ω′ = 0 or 1`.
///
/// Without supports: along x, y, z, and about the principal axes that have a moment of inertia. A support takes out the
/// motions that move it: with `g_k` the movements of all held directions in motion `k`, those orthogonal to the range of
/// the matrix `Σ g gᵀ`.
pub(super) fn free_motions(mass: f64, inertia: DMat3, rows: &[Row]) -> Vec<Twist> {
    let all = unit_motions(mass, inertia);
    if rows.is_empty() {
        return all;
    }
    let mut matrix = vec![vec![0.0; all.len()]; all.len()];
    for row in rows {
        let g: Vec<f64> = all.iter().map(|t| t.at(row.arm).dot(row.axis)).collect();
        for (line, a) in matrix.iter_mut().zip(&g) {
            line.iter_mut().zip(&g).for_each(|(m, b)| *m += a * b);
        }
    }
    let Some(found) = symmetric_eigen(&matrix) else { return Vec::new() };
    let floor = NO_SUPPORT * found.values.last().copied().unwrap_or(0.0);
    let free = found.values.iter().zip(&found.vectors).filter(|(value, _)| **value <= floor);
    free.map(|(_, shares)| combination(&all, shares)).collect()
}

fn unit_motions(mass: f64, inertia: DMat3) -> Vec<Twist> {
    let along = |axis: DVec3| Twist { velocity: axis / mass.sqrt(), spin: DVec3::ZERO };
    let mut all: Vec<Twist> = DVec3::AXES.into_iter().map(along).collect();
    let (moments, frame) = principal_frame(inertia);
    for (moment, axis) in moments.to_array().into_iter().zip(DVec3::AXES) {
        if moment > NO_INERTIA * moments.max_element() {
            all.push(Twist { velocity: DVec3::ZERO, spin: frame * axis / moment.sqrt() });
        }
    }
    all
}

fn combination(all: &[Twist], shares: &[f64]) -> Twist {
    let mut sum = Twist::default();
    for (t, s) in all.iter().zip(shares) {
        sum.velocity += *s * t.velocity;
        sum.spin += *s * t.spin;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_joint_leaves_three_motions_a_hinge_one_and_a_slide_three() {
        let inertia = DMat3::from_diagonal(DVec3::new(1.0, 2.0, 3.0));
        let point = |arm: DVec3| DVec3::AXES.map(|axis| Row { axis, arm });
        let joint = point(DVec3::new(0.3, -0.1, 0.7));
        let hinge = [joint, point(DVec3::new(-0.3, 0.5, 0.7))].concat();
        let table: Vec<Row> =
            [DVec3::X, DVec3::Y, DVec3::NEG_ONE].map(|arm| Row { axis: DVec3::Z, arm }).into_iter().collect();
        for (rows, expected) in [(vec![], 6), (joint.to_vec(), 3), (hinge, 1), (table, 3)] {
            let free = free_motions(2.0, inertia, &rows);
            assert_eq!(free.len(), expected);
            for t in &free {
                let unit = 2.0 * t.velocity.length_squared() + t.spin.dot(inertia * t.spin);
                assert!((unit - 1.0).abs() < 1e-14, "{unit}");
                assert!(rows.iter().all(|r| t.at(r.arm).dot(r.axis).abs() < 1e-12));
            }
        }
        assert_eq!(free_motions(1.0, DMat3::ZERO, &[]).len(), 3);
    }
}
