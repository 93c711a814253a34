//! Skins: the surface a body was made from, riding on its elements.

use crate::linear::Vectors;
use crate::model::{Bindings, BodyId, Surface};
use glamx::DVec3;
use serde::{Deserialize, Serialize};

/// The surface of a body, bound to its elements.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Skin {
    /// The body; split parts have no skin of their own.
    pub body: BodyId,
    /// The surface as it was given, in the reference configuration.
    pub surface: Surface,
    /// Vertices in the reference configuration [m]: those of the surface first, then those that refinement added where
    /// triangles were larger than cells.
    pub rest: Vec<DVec3>,
    /// Triangles, anticlockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// For every triangle, the triangle of the surface that it is part of.
    pub origin: Vec<u32>,
    /// What every vertex rides on.
    pub bindings: Bindings,
}

impl Skin {
    /// Where the vertices are [m], when the elements are at `x`.
    pub fn positions(&self, x: &Vectors) -> Vec<DVec3> {
        (0..self.bindings.len()).map(|vertex| self.bindings.gather(vertex, x)).collect()
    }
}
