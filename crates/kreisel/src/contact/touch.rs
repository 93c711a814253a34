//! The contact sphere of an element: where it is, how it moves, and how a force on it reaches the elements.
//!
//! The elements of a lattice lie on the true surface, so a sphere around an element would stand out by its radius.
//! The sphere of a surface element therefore sits inside, a distance `o` from the element towards its anchor:
//! `c = x_i + o d`, `d = (x_a − x_i)/|x_a − x_i|`. Its velocity is `ċ = v_i + (o/ℓ)(1 − d dᵀ)(v_a − v_i)`, and the
//! transpose of that sends a force `f` on the sphere to the two elements: total `f`, total moment `c × f`, so linear
//! and angular momentum are kept, and the force remains the gradient of the contact's energy.
//!
//! In bodies of any shape it rides on several elements instead, its perch: `c = Σ φ_j x_j`, `ċ = Σ φ_j v_j`,
//! `f_j = φ_j f`.

use crate::contact::rows::Row;
use crate::linear::Vectors;
use crate::linear::eigen::outer;
use crate::model::Model;
use glamx::{DMat3, DVec3};

/// A contact sphere at a moment.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Its element.
    pub element: u32,
    /// Its centre [m].
    pub centre: DVec3,
    seat: Seat,
}

/// What a sphere sits on.
#[derive(Clone, Copy, Debug)]
enum Seat {
    /// Its element.
    Element,
    /// A place between its element and the anchor: the direction `d` from the one to the other, and `o/ℓ`.
    Anchor { anchor: u32, direction: DVec3, lever: f64 },
    /// A point of [`Model::perches`].
    Perch(u32),
}

impl Touch {
    /// The sphere of element `e` at the given positions. `leans` tells whether its anchor or perch still belongs to it.
    pub fn new(model: &Model, e: u32, leans: bool, x: &Vectors) -> Self {
        let i = e as usize;
        let xi = x.get(i);
        let on_itself = Self { element: e, centre: xi, seat: Seat::Element };
        if !leans {
            return on_itself;
        }
        if let Some(perch) = model.elements.perch_of(i) {
            return Self { element: e, centre: model.perches.gather(perch as usize, x), seat: Seat::Perch(perch) };
        }
        let Some(anchor) = model.elements.anchor_of(i) else { return on_itself };
        let to_anchor = x.get(anchor as usize) - xi;
        let l = to_anchor.length();
        if l <= 0.0 {
            return on_itself;
        }
        let (direction, o) = (to_anchor / l, model.elements.inset[i]);
        Self { element: e, centre: xi + direction * o, seat: Seat::Anchor { anchor, direction, lever: o / l } }
    }

    /// Velocity of the centre [m/s].
    pub fn velocity(&self, model: &Model, v: &Vectors) -> DVec3 {
        let vi = v.get(self.element as usize);
        match self.seat {
            Seat::Element => vi,
            Seat::Anchor { anchor, direction, lever } => vi + across(v.get(anchor as usize) - vi, direction) * lever,
            Seat::Perch(perch) => model.perches.gather(perch as usize, v),
        }
    }

    /// The blocks of its velocity.
    pub fn row(&self, model: &Model) -> Row {
        match self.seat {
            Seat::Element => vec![(self.element, DMat3::IDENTITY)],
            Seat::Anchor { anchor, direction, lever } => {
                let turning = (DMat3::IDENTITY - outer(direction, direction)) * lever;
                vec![(self.element, DMat3::IDENTITY - turning), (anchor, turning)]
            }
            Seat::Perch(perch) => model.perches.of(perch as usize).map(|(e, w)| (e, DMat3::IDENTITY * w)).collect(),
        }
    }

    /// Unit vector across the body's own surface at the sphere, inwards or outwards; zero for a lone sphere, which is all the
    /// surface there is.
    pub fn facing(&self, x: &Vectors) -> DVec3 {
        match self.seat {
            Seat::Element => DVec3::ZERO,
            Seat::Anchor { direction, .. } => direction,
            Seat::Perch(_) => (x.get(self.element as usize) - self.centre).normalize_or_zero(),
        }
    }

    /// Adds a force on the centre [N] to the forces on the elements.
    pub fn spread(&self, model: &Model, force: DVec3, f: &mut Vectors) {
        match self.seat {
            Seat::Element => f.add(self.element as usize, force),
            Seat::Anchor { anchor, direction, lever } => {
                let on_anchor = across(force, direction) * lever;
                f.add(self.element as usize, force - on_anchor);
                f.add(anchor as usize, on_anchor);
            }
            Seat::Perch(perch) => model.perches.spread(perch as usize, force, f),
        }
    }

    /// Inverse mass `Σ φ_j²/m_j` [1/kg] that the centre shows if its elements are free.
    pub fn inverse_mass(&self, model: &Model) -> f64 {
        let mass = |e: u32| model.elements.mass[e as usize];
        match self.seat {
            Seat::Perch(perch) => model.perches.of(perch as usize).map(|(e, w)| w * w / mass(e)).sum(),
            Seat::Element | Seat::Anchor { .. } => 1.0 / mass(self.element),
        }
    }
}

/// `(1 − d dᵀ) a`.
fn across(a: DVec3, d: DVec3) -> DVec3 {
    a - d * d.dot(a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::element::{NO_ANCHOR, NO_PERCH};
    use crate::model::{Bindings, Elements};

    /// A sphere that leans on an anchor, and one that rides on four elements.
    fn models() -> (Vec<Model>, Vectors, Vectors) {
        let mut elements = Elements { anchor: vec![1, NO_ANCHOR, NO_ANCHOR, NO_ANCHOR], ..Elements::default() };
        (elements.inset, elements.mass) = (vec![0.4, 0.0, 0.0, 0.0], vec![1.0; 4]);
        let anchored = Model { elements: elements.clone(), ..Model::default() };
        elements.perch = vec![0, NO_PERCH, NO_PERCH, NO_PERCH];
        let mut perches = Bindings::default();
        perches.push([(0, 0.6), (1, 0.3), (2, -0.2), (3, 0.3)]);
        let perched = Model { elements, perches, ..Model::default() };
        let (mut x, mut v) = (Vectors::default(), Vectors::default());
        for (place, speed) in [
            (DVec3::new(0.1, 0.2, 0.3), DVec3::new(1.0, -2.0, 0.3)),
            (DVec3::new(0.9, -0.1, 0.4), DVec3::new(0.2, 0.5, -0.7)),
            (DVec3::new(0.2, 0.8, 0.1), DVec3::new(-0.4, 0.1, 0.9)),
            (DVec3::new(-0.3, 0.1, 1.1), DVec3::new(0.6, 0.2, -0.1)),
        ] {
            x.push(place);
            v.push(speed);
        }
        (vec![anchored, perched], x, v)
    }

    #[test]
    fn the_velocity_is_the_rate_of_the_centre() {
        let (models, x, v) = models();
        for model in &models {
            let h = 1e-6;
            let (mut before, mut after) = (x.clone(), x.clone());
            before.axpy(-h, &v);
            after.axpy(h, &v);
            let centre = |x: &Vectors| Touch::new(model, 0, true, x).centre;
            let rate = (centre(&after) - centre(&before)) / (2.0 * h);
            assert!((rate - Touch::new(model, 0, true, &x).velocity(model, &v)).length() < 1e-8);
        }
    }

    #[test]
    fn a_force_on_the_sphere_keeps_power_momentum_and_angular_momentum() {
        let (models, x, v) = models();
        for model in &models {
            let touch = Touch::new(model, 0, true, &x);
            let force = DVec3::new(3.0, 1.0, -2.0);
            let mut f = Vectors::zeros(4);
            touch.spread(model, force, &mut f);
            assert!((f.dot(&v) - force.dot(touch.velocity(model, &v))).abs() < 1e-14);
            let total = (0..4).fold(DVec3::ZERO, |s, k| s + f.get(k));
            assert!((total - force).length() < 1e-14);
            let moment = (0..4).fold(DVec3::ZERO, |s, k| s + x.get(k).cross(f.get(k)));
            assert!((moment - touch.centre.cross(force)).length() < 1e-14);
        }
    }

    #[test]
    fn a_sphere_that_has_lost_its_seat_sits_on_its_element() {
        let (models, x, v) = models();
        for model in &models {
            let touch = Touch::new(model, 0, false, &x);
            assert_eq!((touch.centre, touch.velocity(model, &v)), (x.get(0), v.get(0)));
        }
    }
}
