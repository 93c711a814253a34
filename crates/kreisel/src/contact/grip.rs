//! Friction at a point beside an element: how the neighbourhood turns, and how a couple reaches it.
//!
//! Equal and opposite tangential forces on two element *centres* make a couple: angular momentum would not be kept.
//! Friction therefore acts at the contact point `p`: the element takes the force, and its neighbourhood (itself and the
//! elements connected to it, `y_j = x_j − x̄` from their centre of mass) takes the couple `τ = (p − x_i) × f` as the
//! forces `m_j (G⁺τ) × y_j`, `G = Σ m (|y|²1 − y yᵀ)`. The transpose is the neighbourhood's mean spin
//! `ω = G⁺ Σ m_j y_j × v_j`, so the point moves with `v_i + ω × (p − x_i)`: power is kept as well. With masses as weights
//! a light neighbour takes little, and the contact point is never much lighter than `1/m_i + r²/λ`, `λ` the moment of `G`.
//! An element of an aggregate hands its couple to the aggregate.
//!
//! Neighbours on a line (a chain) cannot take a couple about that line, and a chain that is hardly bent only with forces
//! far larger than friction itself: friction across the chain is left out there, as if its elements rolled freely about
//! the chain. A lone element is an aggregate of its own, a ball with a spin.

use crate::contact::rows::{Row, cross_matrix};
use crate::linear::Vectors;
use crate::linear::eigen::{inertia_of_point, principal_frame};
use crate::model::Elements;
use glamx::{DMat3, DVec3};

/// A neighbourhood of a soft element at a moment.
#[derive(Clone, Debug)]
pub struct Grip {
    /// The element itself.
    element: u32,
    /// It and its neighbours, the first `count` places.
    members: [u32; LARGEST],
    /// How many there are.
    count: usize,
    /// Their masses [kg].
    masses: [f64; LARGEST],
    /// Their centre of mass `x̄` [m].
    middle: DVec3,
    /// `G⁺` [1/(kg m²)].
    compliance: DMat3,
    /// Unit vector about which no couple can be taken; zero if there is none.
    idle_axis: DVec3,
    /// True if no couple at all can be taken.
    lone: bool,
}

/// Moments below this share of the largest count as zero.
const RANK: f64 = 1e-6;

/// So do those below this share of the element's own `m r²`: the step is not made for contact points that light.
const LIGHTEST: f64 = 0.5;

/// More neighbours than a lattice has; further ones are left out, any subset keeps momentum.
const LARGEST: usize = 24;

impl Grip {
    /// The neighbourhood of `element` with the given connected `neighbours`.
    pub fn new(element: u32, neighbours: impl Iterator<Item = u32>, elements: &Elements, x: &Vectors) -> Self {
        let mass = |j: u32| elements.mass[j as usize];
        let (mut members, mut masses) = ([element; LARGEST], [mass(element); LARGEST]);
        let mut count = 1;
        for j in neighbours.take(LARGEST - 1) {
            (members[count], masses[count]) = (j, mass(j));
            count += 1;
        }
        let all = || members[..count].iter().zip(&masses).map(|(&j, &m)| (x.get(j as usize), m));
        let total: f64 = masses[..count].iter().sum();
        let middle = all().fold(DVec3::ZERO, |s, (y, m)| s + y * m) / total;
        let g = all().fold(DMat3::ZERO, |g, (y, m)| g + inertia_of_point(y - middle) * m);
        let radius = elements.radius[element as usize];
        let (compliance, idle_axis, lone) = invert(g, LIGHTEST * mass(element) * radius * radius);
        Self { element, members, count, masses, middle, compliance, idle_axis, lone }
    }

    /// Velocity of the point at `arm = p − x_i` from the element [m/s].
    pub fn velocity(&self, arm: DVec3, x: &Vectors, v: &Vectors) -> DVec3 {
        let turning = self.members[..self.count].iter().zip(&self.masses).fold(DVec3::ZERO, |s, (&j, &m)| {
            let j = j as usize;
            s + (x.get(j) - self.middle).cross(v.get(j)) * m
        });
        v.get(self.element as usize) + (self.compliance * turning).cross(arm)
    }

    /// The blocks of the velocity at `arm`: `v_i − [arm]× G⁺ Σ m_j [y_j]× v_j`.
    pub(super) fn row(&self, arm: DVec3, x: &Vectors) -> Row {
        let lever = cross_matrix(arm) * self.compliance;
        let turning = self.members[..self.count].iter().zip(&self.masses).map(|(&j, &m)| {
            let y = x.get(j as usize) - self.middle;
            (j, lever * cross_matrix(y) * -m)
        });
        turning.chain([(self.element, DMat3::IDENTITY)]).collect()
    }

    /// The part of a friction force at `arm` that the neighbourhood can take without losing angular momentum.
    pub fn admissible(&self, arm: DVec3, force: DVec3) -> DVec3 {
        if self.lone {
            return DVec3::ZERO;
        }
        let blocked = self.blocked(arm);
        force - blocked * blocked.dot(force)
    }

    /// Unit vector along which a force at `arm` would need a couple that the neighbourhood cannot take; zero if none.
    pub fn blocked(&self, arm: DVec3) -> DVec3 {
        self.idle_axis.cross(arm).normalize_or_zero()
    }

    /// True if no couple at all can be taken.
    pub fn is_lone(&self) -> bool {
        self.lone
    }

    /// Adds a force [N] at `arm` from the element to the forces on the elements.
    pub fn spread(&self, arm: DVec3, force: DVec3, x: &Vectors, f: &mut Vectors) {
        f.add(self.element as usize, force);
        let turn = self.compliance * arm.cross(force);
        for (&j, &m) in self.members[..self.count].iter().zip(&self.masses) {
            f.add(j as usize, turn.cross(x.get(j as usize) - self.middle) * m);
        }
    }
}

/// `G⁺`, the axis about which it is zero (if just one), and whether two or more are; moments below `least` are zero.
fn invert(g: DMat3, least: f64) -> (DMat3, DVec3, bool) {
    let mean = (g.x_axis.x + g.y_axis.y + g.z_axis.z) / 3.0;
    // All moments exceed the floor if what is left of `G` without it is positive definite [Sylvester].
    let left = g - DMat3::from_diagonal(DVec3::splat(least.max(3.0 * RANK * mean)));
    let minor = left.x_axis.x * left.y_axis.y - left.x_axis.y * left.y_axis.x;
    if left.x_axis.x > 0.0 && minor > 0.0 && left.determinant() > 0.0 {
        return (g.inverse(), DVec3::ZERO, false);
    }
    let (values, frame) = principal_frame(g);
    let floor = least.max(RANK * values.max_element());
    let axes = DMat3::from_quat(frame);
    let (mut inverse, mut idle_axis, mut rank) = (DVec3::ZERO, DVec3::ZERO, 0);
    for k in 0..3 {
        if values[k] > floor {
            inverse[k] = 1.0 / values[k];
            rank += 1;
        } else {
            idle_axis = axes.col(k);
        }
    }
    (axes * DMat3::from_diagonal(inverse) * axes.transpose(), idle_axis, rank < 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cloud(points: &[[f64; 3]]) -> (Vectors, Vectors) {
        let (mut x, mut v) = (Vectors::default(), Vectors::default());
        for (k, p) in points.iter().enumerate() {
            x.push(DVec3::from(*p));
            v.push(DVec3::new((k as f64).sin(), (2.0 * k as f64).cos(), 0.3 * k as f64));
        }
        (x, v)
    }

    /// Elements of unequal masses.
    fn balls(n: usize) -> Elements {
        let mass = (0..n).map(|k| 1.0 + 0.3 * k as f64).collect();
        Elements { mass, radius: vec![0.5; n], ..Elements::default() }
    }

    fn moment(x: &Vectors, f: &Vectors) -> DVec3 {
        (0..x.len()).fold(DVec3::ZERO, |s, i| s + x.get(i).cross(f.get(i)))
    }

    #[test]
    fn a_force_beside_an_element_keeps_power_momentum_and_angular_momentum() {
        let (x, v) = cloud(&[[0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.2, 1.0, 0.3], [-0.1, 0.2, 0.9]]);
        let grip = Grip::new(0, 1..4, &balls(4), &x);
        let (arm, force) = (DVec3::new(0.1, -0.5, 0.2), DVec3::new(2.0, 0.3, -1.0));
        assert_eq!(grip.admissible(arm, force), force);
        let mut f = Vectors::zeros(4);
        grip.spread(arm, force, &x, &mut f);
        let total = (0..4).fold(DVec3::ZERO, |s, i| s + f.get(i));
        assert!((total - force).length() < 1e-14);
        assert!((moment(&x, &f) - (x.get(0) + arm).cross(force)).length() < 1e-14);
        assert!((f.dot(&v) - force.dot(grip.velocity(arm, &x, &v))).abs() < 1e-14);
    }

    #[test]
    fn a_chain_takes_friction_along_itself_only() {
        let (x, _) = cloud(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]);
        let grip = Grip::new(0, 1..3, &balls(3), &x);
        let arm = DVec3::new(0.0, 0.0, -0.5);
        let force = grip.admissible(arm, DVec3::new(1.0, 1.0, 0.0));
        assert!((force - DVec3::X).length() < 1e-14);
        let mut f = Vectors::zeros(3);
        grip.spread(arm, force, &x, &mut f);
        assert!((moment(&x, &f) - arm.cross(force)).length() < 1e-14);
    }

    #[test]
    fn a_chain_that_is_hardly_bent_takes_no_more_than_a_straight_one() {
        let (x, _) = cloud(&[[0.0, 0.0, 0.01], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]);
        let grip = Grip::new(0, 1..3, &balls(3), &x);
        let arm = DVec3::new(0.0, 0.0, -0.5);
        let force = grip.admissible(arm, DVec3::new(1.0, 1.0, 0.0));
        assert!((force - DVec3::X).length() < 0.02, "{force}");
        let mut f = Vectors::zeros(3);
        grip.spread(arm, force, &x, &mut f);
        assert!((moment(&x, &f) - (x.get(0) + arm).cross(force)).length() < 1e-14);
        assert!((0..3).all(|i| f.get(i).length() < 2.0), "{f:?}");
    }

    #[test]
    fn an_element_without_neighbours_takes_no_friction() {
        let (x, _) = cloud(&[[0.0, 0.0, 0.0]]);
        assert_eq!(Grip::new(0, 0..0, &balls(1), &x).admissible(DVec3::Z, DVec3::X), DVec3::ZERO);
    }
}
