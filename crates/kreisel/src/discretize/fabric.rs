//! What a body is made of, place by place.

use crate::model::Material;
use glamx::DVec3;

/// The materials of a body and where each of them is.
#[derive(Clone, Copy)]
pub struct Fabric<'a> {
    /// The body's own material, then those of its inlays.
    pub materials: &'a [Material],
    /// Number of the material at a place in the body's own axes [m].
    pub at: &'a (dyn Fn(DVec3) -> u16 + Sync),
}
