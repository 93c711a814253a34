//! glTF 2.0: rigid bodies as moving nodes, all others baked as morph targets.

mod animation;
mod buffer;
mod mesh;
mod runs;

use crate::error::ExportError;
use crate::place::{self, MARK};
use crate::story::Story;
use crate::surface::shapes;
use crate::takes::{Course, follow};
use crate::vtu::base64;
use buffer::Buffer;
use kreisel::{DQuat, DVec3};
use serde_json::{Value, json};
use std::path::Path;

/// How the numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Within the JSON, as base64.
    Text,
    /// After the JSON, in one binary file.
    Binary,
}

/// The file as it grows.
#[derive(Debug, Default)]
struct Document {
    buffer: Buffer,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    channels: Vec<Value>,
    samplers: Vec<Value>,
}

/// Writes the story as one file and returns what the user should know.
pub fn write(story: &mut Story, path: &Path, packing: Packing) -> Result<Vec<String>, ExportError> {
    let model = story.model.clone();
    let shapes = shapes(&model, story.body.as_deref())?;
    let courses = follow(story, &model, shapes)?;
    let mut document = Document::default();
    let mut notes = Vec::new();
    for course in &courses {
        notes.extend(add_course(&mut document, course)?);
    }
    let (root, bytes) = finish(document, &story.name);
    let bytes = match packing {
        Packing::Text => as_text(root, &bytes),
        Packing::Binary => as_binary(root, &bytes)?,
    };
    place::write_bytes(path, &bytes)?;
    Ok(notes)
}

fn add_course(document: &mut Document, course: &Course) -> Result<Option<String>, ExportError> {
    if let Some(poses) = course.rigid.poses().filter(|_| course.topologies.len() == 1) {
        add_rigid(document, course, poses)?;
        return Ok(None);
    }
    runs::add_baked(document, course)
}

/// A mesh in the coordinates of the first pose, and a node that moves as the poses do.
fn add_rigid(document: &mut Document, course: &Course, poses: &[(DVec3, DQuat)]) -> Result<(), ExportError> {
    let ((Some(first), Some(topology)), Some(&(p, q))) =
        ((course.takes.first(), course.topologies.first()), poses.first())
    else {
        return Ok(());
    };
    let back = q.inverse();
    let vector = |v: &[f32; 3]| DVec3::from_array(v.map(f64::from));
    let mut local = first.clone();
    local.vertices.iter_mut().for_each(|v| *v = (back * (vector(v) - p)).as_vec3().to_array());
    local.normals.iter_mut().for_each(|n| *n = (back * vector(n)).as_vec3().to_array());
    let Some(mesh) = mesh::add(document, course, topology, &[&local])? else { return Ok(()) };
    let node = document.nodes.len();
    let (translation, rotation) = (p.as_vec3().to_array(), q.normalize().as_quat().to_array());
    document
        .nodes
        .push(json!({ "name": course.shape.name, "mesh": mesh, "translation": translation, "rotation": rotation }));
    let times: Vec<f64> = course.takes.iter().map(|t| t.time).collect();
    animation::add_motion(document, node, &times, poses)
}

/// The JSON with everything but the place of the buffer, and the buffer.
fn finish(mut document: Document, name: &str) -> (Value, Vec<u8>) {
    let children: Vec<usize> = (0..document.nodes.len()).collect();
    let root = document.nodes.len();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    // Our z is up, glTF's is y.
    let mut up = json!({ "name": name, "rotation": [-half, 0.0, 0.0, half] });
    if !children.is_empty() {
        up["children"] = json!(children);
    }
    document.nodes.push(up);
    let mut json = json!({
        "asset": { "version": "2.0", "generator": MARK },
        "scene": 0,
        "scenes": [{ "name": name, "nodes": [root] }],
        "nodes": document.nodes,
    });
    let lists = [
        ("meshes", document.meshes),
        ("materials", document.materials),
        ("accessors", document.buffer.accessors),
        ("bufferViews", document.buffer.views),
    ];
    for (key, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        json[key] = Value::Array(list);
    }
    if !document.channels.is_empty() {
        json["animations"] = json!([{ "name": name, "channels": document.channels, "samplers": document.samplers }]);
    }
    (json, document.buffer.bytes)
}

fn as_text(mut root: Value, bytes: &[u8]) -> Vec<u8> {
    if !bytes.is_empty() {
        let uri = format!("data:application/octet-stream;base64,{}", base64(bytes));
        root["buffers"] = json!([{ "byteLength": bytes.len(), "uri": uri }]);
    }
    root.to_string().into_bytes()
}

/// Head, JSON padded by blanks, numbers padded by zeros.
fn as_binary(mut root: Value, bytes: &[u8]) -> Result<Vec<u8>, ExportError> {
    if !bytes.is_empty() {
        root["buffers"] = json!([{ "byteLength": bytes.len() }]);
    }
    let mut text = root.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut numbers = bytes.to_vec();
    numbers.resize(bytes.len().next_multiple_of(4), 0);
    let chunks = [(text, *b"JSON"), (numbers, *b"BIN\0")];
    let chunks = chunks.iter().filter(|(contents, _)| !contents.is_empty());
    let length = 12 + chunks.clone().map(|(contents, _)| 8 + contents.len()).sum::<usize>();
    let length = u32::try_from(length).map_err(|_| ExportError::TooLarge { what: "GLB", bytes: length as u64 })?;
    let mut file = [*b"glTF", 2_u32.to_le_bytes(), length.to_le_bytes()].concat();
    for (contents, kind) in chunks {
        file.extend((contents.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(contents);
    }
    Ok(file)
}
