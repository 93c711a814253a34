//! A shape through the frames: where its vertices are in each, and the few topologies it has.

use crate::error::ExportError;
use crate::rigid::RigidMotion;
use crate::story::Story;
use crate::surface::{Mesh, Shape, Source};
use kreisel::DVec3;
use kreisel::model::Model;
use kreisel_record::Frame;

/// One frame of a shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// Time [s].
    pub time: f64,
    /// Vertices [m].
    pub vertices: Vec<[f32; 3]>,
    /// Their normals.
    pub normals: Vec<[f32; 3]>,
    /// Centres of the balls [m], if it is made of balls.
    pub centres: Vec<[f32; 3]>,
    /// Number of the topology.
    pub topology: usize,
}

/// What is the same for a run of frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    /// Triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates of their corners, if there are some.
    pub texture: Option<Vec<[[f64; 2]; 3]>>,
    /// The named parts, each with its triangles; one without a name if the surface has none.
    pub parts: Vec<(Option<String>, Vec<u32>)>,
}

/// A shape through all frames of an export.
#[derive(Debug)]
pub struct Course<'a> {
    /// The shape.
    pub shape: Shape<'a>,
    /// One per frame.
    pub takes: Vec<Take>,
    /// In the order in which they appear; a topology never returns.
    pub topologies: Vec<Topology>,
    /// How it moves if it is rigid all the time.
    pub rigid: RigidMotion,
    last: Mesh,
}

/// Follows all shapes through all frames.
pub fn follow<'a>(story: &mut Story, model: &'a Model, shapes: Vec<Shape<'a>>) -> Result<Vec<Course<'a>>, ExportError> {
    let mut courses: Vec<Course> = shapes.into_iter().map(Course::new).collect();
    for k in 0..story.frames.len() {
        let frame = story.frame(k)?;
        for course in &mut courses {
            course.rigid.add(&model.bodies[course.shape.body].elements, &frame);
            let mesh = course.shape.mesh(model, &frame);
            course.add(&frame, mesh);
        }
    }
    Ok(courses)
}

impl<'a> Course<'a> {
    fn new(shape: Shape<'a>) -> Self {
        let last = Mesh::default();
        Self { shape, takes: Vec::new(), topologies: Vec::new(), rigid: RigidMotion::default(), last }
    }

    fn add(&mut self, frame: &Frame, mesh: Mesh) {
        if self.topologies.is_empty() || !mesh.has_topology_of(&self.last) {
            self.topologies.push(Topology::new(&self.shape, &mesh));
        }
        let single = |vectors: &[DVec3]| vectors.iter().map(|v| v.as_vec3().to_array()).collect();
        let (vertices, normals) = (single(&mesh.vertices), single(&mesh.normals));
        let centres: Vec<DVec3> = match &self.shape.source {
            Source::Balls(elements) => elements.iter().map(|&e| frame.position.get(e as usize)).collect(),
            _ => Vec::new(),
        };
        let topology = self.topologies.len() - 1;
        self.takes.push(Take { time: frame.time, vertices, normals, centres: single(&centres), topology });
        self.last = mesh;
    }
}

impl Topology {
    fn new(shape: &Shape, mesh: &Mesh) -> Self {
        let mut parts: Vec<(Option<String>, Vec<u32>)> = Vec::new();
        for t in 0..mesh.triangles.len() {
            let name = shape.part(mesh, t);
            match parts.iter_mut().rev().find(|(other, _)| other.as_deref() == name) {
                Some((_, list)) => list.push(t as u32),
                None => parts.push((name.map(String::from), vec![t as u32])),
            }
        }
        Self { triangles: mesh.triangles.clone(), texture: shape.texture(mesh), parts }
    }
}
