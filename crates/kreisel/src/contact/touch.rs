//! The contact sphere of an element: where it is, how it moves, and how a force on it reaches the elements.
//!
//! The elements of a lattice lie on the true surface, so a sphere around an element would stand out by its radius.
//! The sphere of a surface element therefore sits inside, a distance `o` from the element towards its anchor:
//! `c = x_i + o d`, `d = (x_a − x_i)/|x_a − x_i|`. Its velocity is `ċ = v_i + (o/ℓ)(1 − d dᵀ)(v_a − v_i)`, and the
//! transpose of that sends a force `f` on the sphere to the two elements: total `f`, total moment `c × f`, so linear
//! and angular momentum are kept, and the force remains the gradient of the contact's energy.

use crate::linear::Vectors;
use crate::model::Elements;
use crate::model::element::NO_ANCHOR;
use glamx::DVec3;

/// A contact sphere at a moment.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Its element.
    pub element: u32,
    /// The element it leans on; equal to `element` if it sits on the element itself.
    pub anchor: u32,
    /// Its centre [m].
    pub centre: DVec3,
    /// Direction from the element to the anchor [1].
    direction: DVec3,
    /// `o/ℓ` [1].
    lever: f64,
}

impl Touch {
    /// The sphere of element `e` at the given positions. `leans` tells whether its anchor still belongs to it.
    pub fn new(elements: &Elements, e: u32, leans: bool, x: &Vectors) -> Self {
        let i = e as usize;
        let (xi, a, o) = (x.get(i), elements.anchor[i], elements.inset[i]);
        let on_itself = Self { element: e, anchor: e, centre: xi, direction: DVec3::ZERO, lever: 0.0 };
        if a == NO_ANCHOR || !leans {
            return on_itself;
        }
        let to_anchor = x.get(a as usize) - xi;
        let l = to_anchor.length();
        if l <= 0.0 {
            return on_itself;
        }
        let d = to_anchor / l;
        Self { element: e, anchor: a, centre: xi + d * o, direction: d, lever: o / l }
    }

    /// Velocity of the centre [m/s].
    pub fn velocity(&self, v: &Vectors) -> DVec3 {
        let vi = v.get(self.element as usize);
        if self.lever == 0.0 {
            return vi;
        }
        vi + self.across(v.get(self.anchor as usize) - vi)
    }

    /// Adds a force on the centre [N] to the forces on the elements.
    pub fn spread(&self, force: DVec3, f: &mut Vectors) {
        if self.lever == 0.0 {
            f.add(self.element as usize, force);
            return;
        }
        let on_anchor = self.across(force);
        f.add(self.element as usize, force - on_anchor);
        f.add(self.anchor as usize, on_anchor);
    }

    /// `(o/ℓ)(1 − d dᵀ) a`.
    fn across(&self, a: DVec3) -> DVec3 {
        (a - self.direction * self.direction.dot(a)) * self.lever
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (Elements, Vectors, Vectors) {
        let mut elements = Elements { anchor: vec![1, NO_ANCHOR], inset: vec![0.4, 0.0], ..Default::default() };
        elements.mass = vec![1.0, 1.0];
        let (mut x, mut v) = (Vectors::default(), Vectors::default());
        x.push(DVec3::new(0.1, 0.2, 0.3));
        x.push(DVec3::new(0.9, -0.1, 0.4));
        v.push(DVec3::new(1.0, -2.0, 0.3));
        v.push(DVec3::new(0.2, 0.5, -0.7));
        (elements, x, v)
    }

    #[test]
    fn the_velocity_is_the_rate_of_the_centre() {
        let (elements, x, v) = pair();
        let h = 1e-6;
        let (mut before, mut after) = (x.clone(), x.clone());
        before.axpy(-h, &v);
        after.axpy(h, &v);
        let rate = (Touch::new(&elements, 0, true, &after).centre - Touch::new(&elements, 0, true, &before).centre)
            / (2.0 * h);
        assert!((rate - Touch::new(&elements, 0, true, &x).velocity(&v)).length() < 1e-8);
    }

    #[test]
    fn a_force_on_the_sphere_keeps_power_momentum_and_angular_momentum() {
        let (elements, x, v) = pair();
        let touch = Touch::new(&elements, 0, true, &x);
        let force = DVec3::new(3.0, 1.0, -2.0);
        let mut f = Vectors::zeros(2);
        touch.spread(force, &mut f);
        assert!((f.dot(&v) - force.dot(touch.velocity(&v))).abs() < 1e-14);
        assert!((f.get(0) + f.get(1) - force).length() < 1e-15);
        let moment = x.get(0).cross(f.get(0)) + x.get(1).cross(f.get(1));
        assert!((moment - touch.centre.cross(force)).length() < 1e-15);
    }
}
