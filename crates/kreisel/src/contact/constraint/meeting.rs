//! Where two bodies meet: what a contact is made of.

use glamx::DVec3;

/// Geometry and coefficients from which a row is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meeting {
    /// Index of carrier A.
    pub a: u32,
    /// Index of carrier B.
    pub b: u32,
    /// Where they touch [m].
    pub point: DVec3,
    /// Unit normal, from B to A.
    pub normal: DVec3,
    /// What is added to the normal velocity in the law [m/s]: gap over step, or restitution times approach.
    pub bias: f64,
    /// True if it stuck, in the step before or in this one so far.
    pub stuck: bool,
    /// Coefficient of friction [1].
    pub friction: f64,
    /// The share of its impulse that comes back in a phase of its own [1].
    pub restitution: f64,
    /// How far the centres of A and B have come when they meet [m]: arms reach from there.
    pub leads: [DVec3; 2],
}
