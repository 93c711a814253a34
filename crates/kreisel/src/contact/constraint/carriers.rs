//! What contact points ride on, as the solver sees it: a velocity, a spin, and what a push does to them.

use glamx::{DMat3, DVec3};

/// A rigid body, a free element, or the fixed world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Carrier {
    /// Centre of mass [m].
    pub position: DVec3,
    /// Velocity of the centre of mass [m/s].
    pub velocity: DVec3,
    /// Angular velocity [rad/s].
    pub spin: DVec3,
    /// Inverse mass [1/kg]; zero for what no push can move.
    pub inverse_mass: f64,
    /// Inverse inertia, world axes [1/(kg m²)]; zero for elements and for what no push can turn.
    pub inverse_inertia: DMat3,
    /// False for elements: they have no spin, their points are all at their centre.
    pub turns: bool,
}

impl Carrier {
    /// The fixed world.
    pub const WORLD: Self = Self {
        position: DVec3::ZERO,
        velocity: DVec3::ZERO,
        spin: DVec3::ZERO,
        inverse_mass: 0.0,
        inverse_inertia: DMat3::ZERO,
        turns: true,
    };

    /// Velocity of the point at the arm `r` [m/s].
    pub fn velocity_at(&self, r: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(r)
    }

    /// True if pushes can move it.
    pub fn is_movable(&self) -> bool {
        self.inverse_mass > 0.0
    }
}
