//! Skins in motion: where the surface of a body is, which way it faces, and what fracture has made of it.
//!
//! Normals are the sums of the area vectors of the triangles around a vertex, as they are at the moment. Under an affine
//! motion `x = F X + t` area vectors become `det F · F⁻ᵀ A`, hence so do their sums: `n ∝ F⁻ᵀ N` exactly, without an
//! estimate of `F`. At edges sharper than [`CREASE`] a vertex appears once for each smooth side, each with its own
//! normal; so boxes look like boxes. Which edges are sharp is decided in the reference configuration.

mod creases;
mod cut;
mod wounds;

use crate::linear::{Vectors, chunks};
use crate::model::{Bindings, Model, Skin};
use glamx::DVec3;
use std::borrow::Cow;

/// Cosine of the angle between the normals of two triangles beyond which their common edge is sharp: 40°.
pub const CREASE: f64 = 0.766;

/// The origin of triangles that fracture has laid bare.
pub const WOUND: u32 = u32::MAX;

/// The surface of a body at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinPose {
    /// Vertices [m]: those of the skin first, in its order, then their twins at sharp edges and what fracture added.
    pub vertices: Vec<DVec3>,
    /// Unit normals, outwards.
    pub normals: Vec<DVec3>,
    /// Triangles, anticlockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// For every vertex the vertex of the skin that it came from; for one on a break the nearest of them.
    pub vertex_origin: Vec<u32>,
    /// For every triangle the triangle of the skin that it is part of; [`WOUND`] for what fracture has laid bare.
    pub triangle_origin: Vec<u32>,
}

/// What a skin looks like but for the motion: it changes only when connections break, so keep it from frame to frame.
#[derive(Clone, Debug)]
pub struct SkinForm<'a> {
    mesh: Mesh<'a>,
    /// For every vertex of the pose its node.
    node: Vec<u32>,
    /// Triangles of the pose.
    triangles: Vec<[u32; 3]>,
}

/// Triangles between nodes that ride on elements; a node is a vertex without regard to its normals.
#[derive(Clone, Debug)]
struct Mesh<'a> {
    /// Nodes in the reference configuration [m].
    rest: Cow<'a, [DVec3]>,
    /// What they ride on.
    bindings: Cow<'a, Bindings>,
    /// Vertex of the skin that each came from, beyond those of the skin.
    added: Vec<u32>,
    /// Triangles of nodes.
    triangles: Cow<'a, [[u32; 3]]>,
    /// For every triangle that of the skin, or [`WOUND`]; empty: they are the same.
    origin: Vec<u32>,
}

impl Mesh<'_> {
    /// The vertex of the skin that a node came from.
    fn vertex_origin(&self, node: u32, skin_vertices: usize) -> u32 {
        (node as usize).checked_sub(skin_vertices).map_or(node, |k| self.added[k])
    }

    /// Adds a node that came from a vertex of the skin.
    fn add_node(&mut self, rest: DVec3, weights: impl IntoIterator<Item = (u32, f64)>, vertex: u32) -> u32 {
        self.rest.to_mut().push(rest);
        self.bindings.to_mut().push(weights);
        self.added.push(vertex);
        self.rest.len() as u32 - 1
    }

    /// Adds triangles that are parts of one of the skin.
    fn add_triangles(&mut self, triangles: impl IntoIterator<Item = [u32; 3]>, origin: u32) {
        let all = self.triangles.to_mut();
        all.extend(triangles);
        self.origin.resize(all.len(), origin);
    }
}

impl<'a> SkinForm<'a> {
    /// The form of a skin when these connections (ascending) are broken.
    pub fn new(model: &'a Model, skin: &'a Skin, broken: &[u32]) -> Self {
        let mesh = if broken.is_empty() { cut::whole(skin) } else { cut::fractured(model, skin, broken) };
        let is_wound = |t: usize| mesh.origin.get(t) == Some(&WOUND);
        let (node, triangles) = creases::split(&mesh.rest, &mesh.triangles, is_wound);
        Self { mesh, node, triangles }
    }

    /// What its nodes ride on.
    pub fn bindings(&self) -> &Bindings {
        &self.mesh.bindings
    }

    /// For every vertex of the pose its node.
    pub fn nodes(&self) -> &[u32] {
        &self.node
    }

    /// Triangles of the pose.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The triangle of the skin that a triangle is part of, or [`WOUND`].
    pub fn origin(&self, triangle: usize) -> u32 {
        if self.mesh.origin.is_empty() { triangle as u32 } else { self.mesh.origin[triangle] }
    }

    /// Where it is when the elements are at `x`: a pure function of their positions.
    pub fn pose(&self, x: &Vectors) -> SkinPose {
        let bindings = &self.mesh.bindings;
        let place = |range: std::ops::Range<usize>| range.map(|k| bindings.gather(k, x)).collect::<Vec<DVec3>>();
        let nodes = chunks::map_ranges(bindings.len(), place).concat();
        let vertices: Vec<DVec3> = self.node.iter().map(|&k| nodes[k as usize]).collect();
        let skin_vertices = bindings.len() - self.mesh.added.len();
        let origin = |&k: &u32| self.mesh.vertex_origin(k, skin_vertices);
        let same = || (0..self.triangles.len() as u32).collect();
        SkinPose {
            normals: normals(&vertices, &self.triangles),
            vertices,
            vertex_origin: self.node.iter().map(origin).collect(),
            triangle_origin: if self.mesh.origin.is_empty() { same() } else { self.mesh.origin.clone() },
            triangles: self.triangles.clone(),
        }
    }
}

/// The surface of a body when its elements are at `x` and these connections (ascending) are broken.
///
/// For many frames keep a [`SkinForm`].
pub fn pose(model: &Model, skin: &Skin, x: &Vectors, broken: &[u32]) -> SkinPose {
    SkinForm::new(model, skin, broken).pose(x)
}

/// Unit sums of the area vectors around each vertex; upwards where there is no area.
fn normals(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Vec<DVec3> {
    let mut sums = vec![DVec3::ZERO; vertices.len()];
    for &t in triangles {
        let [a, b, c] = t.map(|v| vertices[v as usize]);
        let area = (b - a).cross(c - a);
        t.iter().for_each(|&v| sums[v as usize] += area);
    }
    sums.into_iter().map(|n| n.try_normalize().unwrap_or(DVec3::Z)).collect()
}
