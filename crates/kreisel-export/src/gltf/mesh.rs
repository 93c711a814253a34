//! A mesh of glTF: the first frame as it is, the others as differences from it.

use super::Document;
use super::buffer::Purpose;
use crate::error::ExportError;
use crate::palette::colour;
use crate::surface::Source;
use crate::takes::{Course, Take, Topology};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Vertices of a mesh, one per place and texture coordinate, and the triangles between them.
struct Split {
    /// For every vertex, the vertex of the take.
    source: Vec<u32>,
    texture: Vec<[f32; 2]>,
    triangles: Vec<[u32; 3]>,
}

/// Adds a mesh whose morph targets are the takes after the first; `None` if it has no triangles.
pub fn add(
    document: &mut Document,
    course: &Course,
    topology: &Topology,
    takes: &[&Take],
) -> Result<Option<usize>, ExportError> {
    let (Some(base), false) = (takes.first(), topology.triangles.is_empty()) else { return Ok(None) };
    let split = split(topology);
    let attributes = add_base(document, course, &split, base)?;
    let targets = takes[1..]
        .iter()
        .map(|take| add_target(document, course, &split, base, take))
        .collect::<Result<Vec<Value>, _>>()?;
    let mut primitives = Vec::new();
    for (name, triangles) in &topology.parts {
        let indices: Vec<u32> = triangles.iter().flat_map(|&t| split.triangles[t as usize]).collect();
        let indices = document.buffer.add_indices(&indices)?;
        let material = add_material(document, name.as_deref().unwrap_or(&course.shape.name), course.shape.body);
        let mut primitive = json!({ "attributes": attributes, "indices": indices, "material": material, "mode": 4 });
        if !targets.is_empty() {
            primitive["targets"] = json!(targets);
        }
        primitives.push(primitive);
    }
    let mut mesh = json!({ "name": course.shape.name, "primitives": primitives });
    if !targets.is_empty() {
        mesh["weights"] = json!(vec![0.0; targets.len()]);
    }
    document.meshes.push(mesh);
    Ok(Some(document.meshes.len() - 1))
}

/// Vertices with several texture coordinates become several vertices; vertices of no triangle are left out.
fn split(topology: &Topology) -> Split {
    let mut known: BTreeMap<(u32, [u32; 2]), u32> = BTreeMap::new();
    let mut split = Split { source: Vec::new(), texture: Vec::new(), triangles: Vec::new() };
    for (t, triangle) in topology.triangles.iter().enumerate() {
        let corners = [0, 1, 2].map(|k| {
            // glTF's textures begin at the top.
            let uv = topology.texture.as_ref().map(|uvs| uvs[t][k]).map(|[u, v]| [u as f32, (1.0 - v) as f32]);
            let key = (triangle[k], uv.unwrap_or_default().map(f32::to_bits));
            *known.entry(key).or_insert_with(|| {
                split.source.push(triangle[k]);
                split.texture.extend(uv);
                split.source.len() as u32 - 1
            })
        });
        split.triangles.push(corners);
    }
    split
}

fn gather(split: &Split, values: &[[f32; 3]]) -> Vec<[f32; 3]> {
    split.source.iter().map(|&v| values[v as usize]).collect()
}

/// The faces of a lattice are shaded flat, which is what a mesh without normals means.
fn has_normals(course: &Course) -> bool {
    !matches!(course.shape.source, Source::Faces(_))
}

fn add_base(document: &mut Document, course: &Course, split: &Split, base: &Take) -> Result<Value, ExportError> {
    let buffer = &mut document.buffer;
    let mut attributes = json!({ "POSITION": buffer.add_floats(Purpose::Vertices, &gather(split, &base.vertices))? });
    if has_normals(course) {
        attributes["NORMAL"] = json!(buffer.add_floats(Purpose::Vertices, &gather(split, &base.normals))?);
    }
    if !split.texture.is_empty() {
        attributes["TEXCOORD_0"] = json!(buffer.add_floats(Purpose::Vertices, &split.texture)?);
    }
    Ok(attributes)
}

fn add_target(
    document: &mut Document,
    course: &Course,
    split: &Split,
    base: &Take,
    take: &Take,
) -> Result<Value, ExportError> {
    let difference = |to: &[[f32; 3]], from: &[[f32; 3]]| -> Vec<[f32; 3]> {
        let pairs = gather(split, to).into_iter().zip(gather(split, from));
        pairs.map(|(a, b)| [a[0] - b[0], a[1] - b[1], a[2] - b[2]]).collect()
    };
    let buffer = &mut document.buffer;
    let places = difference(&take.vertices, &base.vertices);
    let mut target = json!({ "POSITION": buffer.add_floats(Purpose::Vertices, &places)? });
    if has_normals(course) {
        let normals = difference(&take.normals, &base.normals);
        target["NORMAL"] = json!(buffer.add_floats(Purpose::Vertices, &normals)?);
    }
    Ok(target)
}

/// The material of a name, made if there is none yet.
fn add_material(document: &mut Document, name: &str, body: usize) -> usize {
    if let Some(known) = document.materials.iter().position(|m| m["name"] == name) {
        return known;
    }
    let [r, g, b] = colour(body);
    document.materials.push(json!({
        "name": name,
        "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.8 },
    }));
    document.materials.len() - 1
}
