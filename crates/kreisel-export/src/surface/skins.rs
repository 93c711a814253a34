//! The surface of a body with a skin: split and closed where the body has broken.

use crate::surface::Mesh;
use kreisel::model::{Model, Skin};
use kreisel::readout::skin::SkinForm;
use kreisel_record::Frame;

/// A skin, and its form for the connections that were broken when it was last looked at.
#[derive(Clone, Debug)]
pub struct Worn<'a> {
    /// The skin.
    pub skin: &'a Skin,
    form: Option<(Vec<u32>, SkinForm<'a>)>,
}

impl<'a> Worn<'a> {
    /// A skin that has not been looked at.
    pub fn new(skin: &'a Skin) -> Self {
        Self { skin, form: None }
    }

    /// The skin at a frame. Its form is worked out anew only if connections of its body broke since the last one.
    pub fn mesh(&mut self, model: &'a Model, frame: &Frame) -> Mesh {
        let of_body = |&c: &u32| {
            let ends = model.connections.ends.get(c as usize);
            ends.is_some_and(|&[a, _]| model.elements.body[a as usize] == self.skin.body)
        };
        let broken: Vec<u32> = frame.broken.iter().copied().filter(of_body).collect();
        if self.form.as_ref().is_none_or(|(known, _)| *known != broken) {
            self.form = Some((broken.clone(), SkinForm::new(model, self.skin, &broken)));
        }
        let pose = self.form.as_ref().map(|(_, form)| form.pose(&frame.position)).unwrap_or_default();
        Mesh {
            vertices: pose.vertices,
            normals: pose.normals,
            triangles: pose.triangles,
            vertex_origin: pose.vertex_origin,
            triangle_origin: pose.triangle_origin,
        }
    }
}
