//! The rigid motions of a set of points: what a free-floating body can do without being strained.

use crate::linear::{Operator, Vectors};
use glamx::{DMat3, DVec3};

/// A rotation that moves the points by less than this share of the largest (squared) is none: points on a line.
const NO_ROTATION: f64 = 1e-12;

/// The rigid motions `t + ω × (x − c)` of weighted points: six, five on a line, three of a single point.
#[derive(Clone, Debug)]
pub struct RigidModes {
    arms: Vectors,
    weights: Vec<f64>,
    inverse_weight: f64,
    inverse_inertia: DMat3,
}

impl RigidModes {
    /// Rigid motions of points of equal weight.
    pub fn new(points: &Vectors) -> Self {
        Self::weighted(points, vec![1.0; points.len()])
    }

    /// Rigid motions of points with weights (masses), one each.
    pub fn weighted(points: &Vectors, weights: Vec<f64>) -> Self {
        let total: f64 = weights.iter().sum();
        let inverse_weight = if total > 0.0 { 1.0 / total } else { 0.0 };
        let sum: DVec3 = weights.iter().enumerate().map(|(i, w)| *w * points.get(i)).sum();
        let centre = inverse_weight * sum;
        let mut arms = Vectors::default();
        let mut inertia = DMat3::ZERO;
        for (i, &w) in weights.iter().enumerate() {
            let r = points.get(i) - centre;
            inertia += w
                * (DMat3::from_diagonal(DVec3::splat(r.length_squared()))
                    - DMat3::from_cols(r * r.x, r * r.y, r * r.z));
            arms.push(r);
        }
        Self { arms, weights, inverse_weight, inverse_inertia: pseudo_inverse(inertia) }
    }

    /// The way from the centre to point `i` [m].
    pub fn arm(&self, i: usize) -> DVec3 {
        self.arms.get(i)
    }

    /// Sum of a field of forces and its moment about the centre.
    pub fn resultant(&self, field: &Vectors) -> (DVec3, DVec3) {
        let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
        for i in 0..field.len() {
            force += field.get(i);
            torque += self.arms.get(i).cross(field.get(i));
        }
        (force, torque)
    }

    /// Takes the resultant out of a field: `f_i ← f_i − w_i (a + α × r_i)`, `a = Σf/W`, `α = I⁺ Σ r × f`.
    ///
    /// With masses as weights this is inertia relief (d'Alembert's forces of the rigid motion the loads cause); with
    /// equal weights it is the orthogonal projection onto the fields without rigid part.
    pub fn remove(&self, field: &mut Vectors) {
        let (force, torque) = self.resultant(field);
        let a = self.inverse_weight * force;
        let alpha = self.inverse_inertia * torque;
        for (i, w) in self.weights.iter().enumerate() {
            field.add(i, -*w * (a + alpha.cross(self.arms.get(i))));
        }
    }
}

/// Pseudo-inverse `Σ ω_k ω_kᵀ` of a positive semidefinite matrix, `ω_kᵀ I ω_l = δ_kl`, by pivoted Gram–Schmidt.
fn pseudo_inverse(inertia: DMat3) -> DMat3 {
    let floor = NO_ROTATION * (inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z);
    let mut candidates = vec![DVec3::X, DVec3::Y, DVec3::Z];
    let mut inverse = DMat3::ZERO;
    let size = |v: &DVec3| v.dot(inertia * *v);
    while let Some(best) = (0..candidates.len()).max_by(|&a, &b| size(&candidates[a]).total_cmp(&size(&candidates[b])))
    {
        let v = candidates.swap_remove(best);
        let s = size(&v);
        if s.is_nan() || s <= floor {
            break;
        }
        let w = v / s.sqrt();
        inverse += DMat3::from_cols(w * w.x, w * w.y, w * w.z);
        candidates.iter_mut().for_each(|c| *c -= w * w.dot(inertia * *c));
    }
    inverse
}

/// `P A P` with `P` the projection that removes rigid motions: keeps a solver away from them.
pub struct Projected<'a> {
    /// The operator `A`.
    pub inner: &'a dyn Operator,
    /// The rigid motions, with equal weights.
    pub modes: &'a RigidModes,
}

impl Operator for Projected<'_> {
    fn apply(&self, x: &Vectors, y: &mut Vectors) {
        let mut projected = x.clone();
        self.modes.remove(&mut projected);
        self.inner.apply(&projected, y);
        self.modes.remove(y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rigid(points: &Vectors, t: DVec3, omega: DVec3) -> Vectors {
        let mut field = Vectors::default();
        (0..points.len()).for_each(|i| field.push(t + omega.cross(points.get(i))));
        field
    }

    fn points(of: &[[f64; 3]]) -> Vectors {
        let mut points = Vectors::default();
        of.iter().for_each(|p| points.push(DVec3::from(*p)));
        points
    }

    #[test]
    fn rigid_motions_vanish_even_of_points_on_a_line_or_a_single_one() {
        let cloud = points(&[[0.0, 0.0, 0.0], [1.0, 0.2, 0.0], [0.0, 3.0, 1.0], [-1.0, 0.5, 2.0], [5.0, 5.0, 5.0]]);
        let line = points(&[[1.0, 1.0, 1.0], [2.0, 3.0, 4.0], [4.0, 7.0, 10.0]]);
        for set in [cloud, line, points(&[[2.0, 0.0, 1.0]])] {
            let mut field = rigid(&set, DVec3::new(1.0, -2.0, 0.5), DVec3::new(0.3, 0.7, -1.1));
            let before = field.dot(&field).sqrt();
            RigidModes::new(&set).remove(&mut field);
            assert!(field.dot(&field).sqrt() < 1e-13 * before);
        }
    }

    #[test]
    fn the_projection_is_symmetric_and_stays_when_repeated() {
        let set = points(&[[0.0, 0.0, 0.0], [1.0, 0.2, 0.0], [0.0, 3.0, 1.0], [-1.0, 0.5, 2.0]]);
        let modes = RigidModes::new(&set);
        let (u, v) = (points(&[[1.0, 0.0, 2.0]; 4]), points(&[[0.3, 1.0, 0.0], [0.0, 1.0, -1.0], [2.0; 3], [0.1; 3]]));
        let projected = |f: &Vectors| {
            let mut f = f.clone();
            modes.remove(&mut f);
            f
        };
        assert!((projected(&u).dot(&v) - u.dot(&projected(&v))).abs() < 1e-13);
        let (once, mut twice) = (projected(&v), projected(&projected(&v)));
        twice.axpy(-1.0, &once);
        assert!(twice.dot(&twice).sqrt() < 1e-13);
    }

    #[test]
    fn inertia_relief_leaves_a_balanced_load() {
        let set = points(&[[0.0, 0.0, 0.0], [1.0, 0.2, 0.0], [0.0, 3.0, 1.0], [-1.0, 0.5, 2.0]]);
        let modes = RigidModes::weighted(&set, vec![1.0, 2.0, 0.5, 3.0]);
        let mut load = points(&[[1.0, 2.0, 3.0], [0.0; 3], [0.0; 3], [0.0, -1.0, 0.0]]);
        modes.remove(&mut load);
        let (force, torque) = modes.resultant(&load);
        assert!(force.length() < 1e-14 && torque.length() < 1e-14, "{force} {torque}");
    }
}
