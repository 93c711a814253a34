//! Rigid aggregates: any set of elements moved as one rigid body of six freedoms.

use glamx::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Why an aggregate exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// The scene, the schedule or a call made it.
    Requested,
    /// The strain-rate criterion made it and may dissolve it.
    Automatic,
    /// A single element with a spin of its own, as a ball; never released to three freedoms.
    Lone,
}

/// A rigid aggregate. World angular momentum is the state, not the angular velocity.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Aggregate {
    /// Its elements, ascending.
    pub elements: Vec<u32>,
    /// Their coordinates `s_e` in the principal frame [m].
    pub local: Vec<DVec3>,
    /// Mass `M` [kg].
    pub mass: f64,
    /// Principal moments of inertia [kg m²]; zero about an axis without extent.
    pub inertia: DVec3,
    /// Centre of mass `p` [m].
    pub position: DVec3,
    /// Orientation of the principal frame.
    pub orientation: DQuat,
    /// Velocity of the centre of mass [m/s].
    pub velocity: DVec3,
    /// Angular momentum `L` about the centre of mass, world axes [kg m²/s].
    pub angular_momentum: DVec3,
    /// Why it exists.
    pub origin: Origin,
    /// True if its inertia was given and not taken from its elements: it stays rigid.
    pub given_inertia: bool,
}

impl Clone for Aggregate {
    fn clone(&self) -> Self {
        Self { elements: self.elements.clone(), local: self.local.clone(), ..*self }
    }

    /// Keeps the memory of the lists: states are copied at every frame.
    fn clone_from(&mut self, other: &Self) {
        let (mut elements, mut local) = (std::mem::take(&mut self.elements), std::mem::take(&mut self.local));
        elements.clone_from(&other.elements);
        local.clone_from(&other.local);
        *self = Self { elements, local, ..*other };
    }
}

impl Aggregate {
    /// Inverse principal moments, zero where the moment is zero (pseudo-inverse).
    pub fn inverse_moments(&self) -> DVec3 {
        let floor = 1e-12 * self.inertia.max_element();
        let inverse = |i: f64| if i > floor { 1.0 / i } else { 0.0 };
        DVec3::new(inverse(self.inertia.x), inverse(self.inertia.y), inverse(self.inertia.z))
    }

    /// Unit vector about which points on a line have no moment of inertia; zero if the elements are not on one line.
    pub fn idle_axis(&self) -> DVec3 {
        let inverse = self.inverse_moments().to_array();
        let idle = |k: usize| inverse[k] == 0.0;
        match (idle(0), idle(1), idle(2)) {
            (true, false, false) => self.orientation * DVec3::X,
            (false, true, false) => self.orientation * DVec3::Y,
            (false, false, true) => self.orientation * DVec3::Z,
            _ => DVec3::ZERO,
        }
    }

    /// True if it has no moments of inertia at all: one element, or several at one place.
    pub fn is_point(&self) -> bool {
        self.inverse_moments() == DVec3::ZERO
    }

    /// World inertia `R I_b Rᵀ` [kg m²].
    pub fn world_inertia(&self) -> DMat3 {
        let r = DMat3::from_quat(self.orientation);
        r * DMat3::from_diagonal(self.inertia) * r.transpose()
    }

    /// World inverse inertia `R I_b⁻¹ Rᵀ` [1/(kg m²)].
    pub fn inverse_inertia(&self) -> DMat3 {
        let r = DMat3::from_quat(self.orientation);
        r * DMat3::from_diagonal(self.inverse_moments()) * r.transpose()
    }

    /// Angular velocity `ω = R I_b⁻¹ Rᵀ L` [rad/s].
    pub fn spin(&self) -> DVec3 {
        if self.angular_momentum == DVec3::ZERO {
            return DVec3::ZERO;
        }
        let local = self.orientation.inverse() * self.angular_momentum;
        self.orientation * (self.inverse_moments() * local)
    }

    /// Kinetic energy `½ M v² + ½ L·ω` [J].
    pub fn kinetic_energy(&self) -> f64 {
        0.5 * (self.mass * self.velocity.length_squared() + self.angular_momentum.dot(self.spin()))
    }

    /// Linear momentum [kg m/s], and angular momentum about the origin [kg m²/s].
    pub fn momenta(&self) -> (DVec3, DVec3) {
        let p = self.velocity * self.mass;
        (p, self.position.cross(p) + self.angular_momentum)
    }
}
