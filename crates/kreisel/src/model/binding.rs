//! Points that ride on elements by constant weights: `x = Σ φ_j x_j`, `v = Σ φ_j v_j`, `f_j = φ_j f`.
//!
//! The weights add up to one and reproduce the point, `Σ φ_j X_j = X`; then rigid and affine motions are followed
//! exactly, and as position, velocity and force use the same linear map, power, `P` and `L` are kept in any deformed
//! state: `Σ x_j × φ_j f = x × f`.

use crate::linear::Vectors;
use glamx::DVec3;
use serde::{Deserialize, Serialize};

/// Many points, each with the elements it rides on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bindings {
    /// Where the elements of point `i` start in `elements` and `weights`; one more at the end.
    pub starts: Vec<u32>,
    /// Elements, point after point.
    pub elements: Vec<u32>,
    /// Their weights `φ` [1].
    pub weights: Vec<f64>,
}

impl Default for Bindings {
    fn default() -> Self {
        Self { starts: vec![0], elements: Vec::new(), weights: Vec::new() }
    }
}

impl Bindings {
    /// Number of points.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a point that rides on these elements with these weights.
    pub fn push(&mut self, elements: impl IntoIterator<Item = (u32, f64)>) {
        for (element, weight) in elements {
            self.elements.push(element);
            self.weights.push(weight);
        }
        self.starts.push(self.elements.len() as u32);
    }

    /// Elements and weights of a point.
    pub fn of(&self, point: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.starts[point] as usize..self.starts[point + 1] as usize;
        self.elements[range.clone()].iter().copied().zip(self.weights[range].iter().copied())
    }

    /// `Σ φ_j a_j`: the point's position from the elements' positions, its velocity from their velocities.
    pub fn gather(&self, point: usize, a: &Vectors) -> DVec3 {
        self.of(point).fold(DVec3::ZERO, |sum, (e, weight)| sum + a.get(e as usize) * weight)
    }

    /// `f_j += φ_j f`: the force on the point [N] reaches its elements.
    pub fn spread(&self, point: usize, force: DVec3, f: &mut Vectors) {
        self.of(point).for_each(|(e, weight)| f.add(e as usize, force * weight));
    }

    /// Adds the points of other bindings whose elements are numbered from `shift` on.
    pub fn append(&mut self, other: &Self, shift: u32) {
        for point in 0..other.len() {
            self.push(other.of(point).map(|(e, weight)| (e + shift, weight)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocity_and_force_are_dual_and_appending_renumbers() {
        let mut bindings = Bindings::default();
        bindings.push([(0, 0.25), (2, 1.25), (1, -0.5)]);
        let mut all = Bindings::default();
        all.append(&bindings, 0);
        all.append(&bindings, 3);
        let v = Vectors { x: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], y: vec![0.5; 6], z: vec![-1.0; 6] };
        let force = DVec3::new(3.0, -1.0, 2.0);
        for point in 0..2 {
            let mut f = Vectors::zeros(6);
            all.spread(point, force, &mut f);
            assert!((f.dot(&v) - force.dot(all.gather(point, &v))).abs() < 1e-14);
        }
        assert_eq!(all.gather(1, &v).x, 0.25 * 4.0 + 1.25 * 6.0 - 0.5 * 5.0);
    }
}
