//! Wavefront OBJ of one frame: the file's vertices in the file's order, its texture coordinates, its names.

use crate::error::ExportError;
use crate::numbering::Numbering;
use crate::place::{self, MARK};
use crate::story::Story;
use crate::surface::{Mesh, Shape, Source, shapes};
use kreisel::DVec3;
use std::fmt::Write as _;
use std::path::Path;

/// Writes the surfaces of the story's only frame, an object each.
pub fn write(story: &mut Story, path: &Path) -> Result<(), ExportError> {
    let frame = story.frame(0)?;
    let model = story.model.clone();
    let mut text = format!("# {MARK}: {} at {} s, metres\n", line(&story.name), frame.time);
    let mut first = First::default();
    for mut shape in shapes(&model, story.body.as_deref())? {
        let _ = writeln!(text, "o {}", line(&shape.name));
        let mesh = shape.mesh(&model, &frame);
        add_shape(&mut text, &mut first, &shape, &mesh);
    }
    place::write_bytes(path, text.as_bytes())
}

/// How many vertices, texture coordinates and normals came before; OBJ counts through the file, from 1.
#[derive(Clone, Copy, Default)]
struct First {
    vertex: usize,
    texture: usize,
    normal: usize,
}

fn add_shape(text: &mut String, first: &mut First, shape: &Shape, mesh: &Mesh) {
    let numbering = match &shape.source {
        Source::Skin(worn) => Numbering::of_skin(worn.skin, mesh),
        _ => Numbering::plain(mesh),
    };
    numbering.vertices.iter().for_each(|&v| add_vector(text, "v", mesh.vertices[v as usize]));
    for [u, v] in &numbering.uvs {
        let _ = writeln!(text, "vt {u} {v}");
    }
    mesh.normals.iter().for_each(|&n| add_vector(text, "vn", n));
    let mut part = None;
    for (t, triangle) in mesh.triangles.iter().enumerate() {
        let here = shape.part(mesh, t);
        if here != part {
            let _ = writeln!(text, "g {}", here.map_or("default".into(), word));
            part = here;
        }
        text.push('f');
        (0..3).for_each(|k| add_corner(text, first, &numbering, (t, k), triangle[k]));
        text.push('\n');
    }
    first.vertex += numbering.vertices.len();
    first.texture += numbering.uvs.len();
    first.normal += mesh.normals.len();
}

fn add_corner(text: &mut String, first: &First, numbering: &Numbering, (t, k): (usize, usize), vertex: u32) {
    let place = numbering.corners[t][k] as usize + first.vertex + 1;
    let normal = vertex as usize + first.normal + 1;
    let _ = match numbering.uv_corners.get(t).and_then(|uvs| uvs[k]) {
        Some(uv) => write!(text, " {place}/{}/{normal}", uv as usize + first.texture + 1),
        None => write!(text, " {place}//{normal}"),
    };
}

fn add_vector(text: &mut String, key: &str, a: DVec3) {
    let _ = writeln!(text, "{key} {} {} {}", a.x, a.y, a.z);
}

/// A name without line breaks.
fn line(name: &str) -> String {
    name.replace(['\n', '\r'], " ")
}

/// A name without blanks: several words are several groups.
fn word(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join("_")
}
