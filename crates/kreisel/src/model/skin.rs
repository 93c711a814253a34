//! Skins: the surface a body was made from, riding on its elements.

use crate::linear::Vectors;
use crate::model::shape::{self, Shape};
use crate::model::{Bindings, BodyId, Surface};
use glamx::{DMat3, DQuat, DVec3};
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

impl Surface {
    /// Triangles around shapes with their places and orientations; round ones get so many sides.
    pub fn of_shapes<'a>(shapes: impl Iterator<Item = (&'a Shape, DVec3, DQuat)>, sides: usize) -> Self {
        let mut all = Self::default();
        for (shape, at, rotation) in shapes {
            let (vertices, triangles) = shape::surface(shape, sides);
            let before = all.vertices.len() as u32;
            all.vertices.extend(vertices.iter().map(|&x| at + rotation * x));
            all.triangles.extend(triangles.iter().map(|t| t.map(|v| v + before)));
        }
        all
    }
}

/// How a point rides on four elements that are not in one plane: `x = Σ λ_k x_k`, `Σ λ_k = 1`.
pub fn weights_on_four(ridden: [(u32, DVec3); 4], x: DVec3) -> [(u32, f64); 4] {
    let [first, others @ ..] = ridden;
    let inverse = DMat3::from_cols_array_2d(&others.map(|o| (o.1 - first.1).to_array())).inverse();
    let shares = inverse * (x - first.1);
    let first = (first.0, 1.0 - shares.element_sum());
    [first, (others[0].0, shares.x), (others[1].0, shares.y), (others[2].0, shares.z)]
}

impl Skin {
    /// A skin whose vertices ride on four elements that are not in one plane.
    pub fn on_four(surface: Surface, body: BodyId, ridden: [(u32, DVec3); 4]) -> Self {
        let mut bindings = Bindings::default();
        surface.vertices.iter().for_each(|&x| bindings.push(weights_on_four(ridden, x)));
        let (rest, triangles) = (surface.vertices.clone(), surface.triangles.clone());
        Self { body, origin: (0..triangles.len() as u32).collect(), surface, rest, triangles, bindings }
    }

    /// Where the vertices are [m], when the elements are at `x`.
    pub fn positions(&self, x: &Vectors) -> Vec<DVec3> {
        (0..self.bindings.len()).map(|vertex| self.bindings.gather(vertex, x)).collect()
    }
}
