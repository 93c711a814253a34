//! What a ray has met.

use crate::readout::contact::Party;
use glamx::DVec3;

/// Where a ray meets something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// How far from its origin [m].
    pub distance: f64,
    /// Where [m].
    pub point: DVec3,
    /// Outward unit normal there [1].
    pub normal: DVec3,
    /// What.
    pub what: Party,
    /// The element whose sphere it is, or that is nearest to where a skin is met; `None` for exact shapes and obstacles.
    pub element: Option<u32>,
}
