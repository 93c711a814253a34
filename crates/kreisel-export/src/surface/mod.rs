//! Surfaces of bodies at a moment: skins where there are some, else the faces of boxes, else the elements as balls.

mod balls;
mod faces;
mod normals;
mod skins;
mod texture;

pub use skins::Worn;
pub use texture::corners as texture_of;

use crate::error::ExportError;
use kreisel::DVec3;
use kreisel::model::{Model, SurfacePart};
use kreisel_record::Frame;

/// The origin of triangles that fracture has laid bare.
pub const NEW: u32 = kreisel::readout::skin::WOUND;

/// Where a body's surface comes from.
// There is one per body: its size does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
pub enum Source<'a> {
    /// A skin.
    Skin(Box<Worn<'a>>),
    /// Quadrilaterals of elements.
    Faces(Vec<[u32; 4]>),
    /// Elements without a surface, each a ball.
    Balls(Vec<u32>),
}

/// What is shown of one body.
#[derive(Clone, Debug)]
pub struct Shape<'a> {
    /// Name of the body.
    pub name: String,
    /// Number of the body.
    pub body: usize,
    /// Where its surface comes from.
    pub source: Source<'a>,
}

/// A surface at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Vertices [m].
    pub vertices: Vec<DVec3>,
    /// Unit normals, outwards, one per vertex.
    pub normals: Vec<DVec3>,
    /// Triangles, anticlockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The vertex of the skin each vertex is a copy of, on a break the nearest; for other sources its own number.
    pub vertex_origin: Vec<u32>,
    /// The triangle of the skin each triangle is part of, or [`NEW`]; for other sources its own number.
    pub triangle_origin: Vec<u32>,
}

impl Mesh {
    /// True if only the places of the vertices differ.
    pub fn has_topology_of(&self, other: &Self) -> bool {
        self.vertices.len() == other.vertices.len() && self.triangles == other.triangles
    }
}

/// The shapes of a model that has been checked, body by body; of one body only if a name is given.
pub fn shapes<'a>(model: &'a Model, body: Option<&str>) -> Result<Vec<Shape<'a>>, ExportError> {
    let wanted = |name: &str| body.is_none_or(|b| b == name);
    if let Some(name) = body.filter(|name| !model.bodies.iter().any(|b| b.name == *name)) {
        let there: Vec<&str> = model.bodies.iter().map(|b| b.name.as_str()).collect();
        return Err(ExportError::NoBody { name: name.into(), there: there.join(", ") });
    }
    let mut faces = faces::by_body(model);
    let numbered = model.bodies.iter().enumerate().filter(|(_, b)| wanted(&b.name));
    Ok(numbered.flat_map(|(k, _)| shapes_of(model, k, std::mem::take(&mut faces[k]))).collect())
}

fn shapes_of<'a>(model: &'a Model, body: usize, faces: Vec<[u32; 4]>) -> Vec<Shape<'a>> {
    let name = &model.bodies[body].name;
    let shape = |source| Shape { name: name.clone(), body, source };
    let skins = model.skins.iter().filter(|s| s.body.0 as usize == body && !s.triangles.is_empty());
    let skins: Vec<Shape> = skins.map(|s| shape(Source::Skin(Box::new(Worn::new(s))))).collect();
    if !skins.is_empty() {
        return skins;
    }
    if !faces.is_empty() {
        return vec![shape(Source::Faces(faces))];
    }
    let elements = model.bodies[body].elements.clone();
    if elements.is_empty() { Vec::new() } else { vec![shape(Source::Balls(elements))] }
}

impl<'a> Shape<'a> {
    /// The surface at a frame.
    pub fn mesh(&mut self, model: &'a Model, frame: &Frame) -> Mesh {
        match &mut self.source {
            Source::Skin(worn) => worn.mesh(model, frame),
            Source::Faces(faces) => faces::mesh(model, faces, frame),
            Source::Balls(elements) => balls::mesh(model, elements, frame),
        }
    }

    /// Texture coordinates of every corner of every triangle of a mesh of this shape, if its surface has some.
    pub fn texture(&self, mesh: &Mesh) -> Option<Vec<[[f64; 2]; 3]>> {
        match &self.source {
            Source::Skin(worn) => texture::corners(worn.skin, mesh),
            _ => None,
        }
    }

    /// Name of the part of the surface that triangle `t` of a mesh of this shape belongs to, if it has one.
    pub fn part(&self, mesh: &Mesh, t: usize) -> Option<&str> {
        let Source::Skin(worn) = &self.source else { return None };
        let skin = worn.skin;
        let piece = mesh.triangle_origin.get(t).copied().filter(|&s| s != NEW)?;
        let origin = *skin.origin.get(piece as usize)?;
        let holds = |part: &&SurfacePart| origin.checked_sub(part.first).is_some_and(|k| k < part.count);
        skin.surface.parts.iter().find(holds).map(|part| part.name.as_str())
    }
}
