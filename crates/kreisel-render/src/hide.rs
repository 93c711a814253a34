//! What a body looks like at a moment: its skin in the pose of its elements.

use kreisel::DVec3;
use kreisel::model::{Model, Skin};
use kreisel::readout::skin::{SkinPose, WOUND, pose};
use kreisel_record::Frame;

/// The surface of a body at a moment.
#[derive(Clone, Debug)]
pub(crate) struct Hide<'a> {
    skin: &'a Skin,
    pub(crate) pose: SkinPose,
    /// Whether fine lines are drawn where its cells meet.
    is_ruled: bool,
}

impl<'a> Hide<'a> {
    /// The skins of a model at a frame. Boxes are ruled: their deformation would be hard to see otherwise.
    pub(crate) fn of(model: &'a Model, frame: &Frame) -> Vec<Self> {
        let mut has_faces = vec![false; model.bodies.len()];
        model.faces.iter().for_each(|f| has_faces[model.elements.body[f[0] as usize].0 as usize] = true);
        let hide = |skin: &'a Skin| Self {
            skin,
            pose: pose(model, skin, &frame.position, &frame.broken),
            is_ruled: has_faces[skin.body.0 as usize],
        };
        model.skins.iter().map(hide).collect()
    }

    /// Number of its body.
    pub(crate) fn body(&self) -> usize {
        self.skin.body.0 as usize
    }

    /// A mean over the elements that a vertex rides on.
    pub(crate) fn gather(&self, vertex: u32, values: &[f64]) -> f64 {
        self.riders(vertex).map(|(e, weight)| weight * values[e as usize]).sum()
    }

    /// The element that counts most at a vertex.
    pub(crate) fn nearest(&self, vertex: u32) -> usize {
        self.riders(vertex).max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |r| r.0 as usize)
    }

    fn riders(&self, vertex: u32) -> impl Iterator<Item = (u32, f64)> {
        self.skin.bindings.of(self.pose.vertex_origin[vertex as usize] as usize)
    }

    /// True if fracture has laid a triangle bare.
    pub(crate) fn is_wound(&self, triangle: usize) -> bool {
        self.pose.triangle_origin[triangle] == WOUND
    }

    /// The name of the part of the surface that a triangle belongs to.
    pub(crate) fn part(&self, triangle: usize) -> Option<&str> {
        let origin = *self.skin.origin.get(self.pose.triangle_origin[triangle] as usize)?;
        let holds = |first: u32, count: u32| origin >= first && origin - first < count;
        self.skin.surface.parts.iter().find(|p| holds(p.first, p.count)).map(|p| p.name.as_str())
    }

    /// The edges of a triangle, opposite to each corner, along which a fine line is drawn: the sides of cells, not their
    /// diagonals.
    pub(crate) fn lines(&self, triangle: usize) -> [bool; 3] {
        if !self.is_ruled || self.is_wound(triangle) {
            return [false; 3];
        }
        let rest = |v: u32| self.skin.rest[self.pose.vertex_origin[v as usize] as usize];
        let [a, b, c] = self.pose.triangles[triangle].map(rest);
        let squares = [b.distance_squared(c), c.distance_squared(a), a.distance_squared(b)];
        let longest = squares.into_iter().fold(0.0, f64::max);
        squares.map(|s| s < longest * (1.0 - 1e-6))
    }

    /// Corners [m] and normals of a triangle.
    pub(crate) fn corners(&self, triangle: usize) -> ([DVec3; 3], [DVec3; 3]) {
        let t = self.pose.triangles[triangle];
        (t.map(|v| self.pose.vertices[v as usize]), t.map(|v| self.pose.normals[v as usize]))
    }
}
