//! The part of the JSON of glTF 2.0 that says something about shapes.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A document.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Document {
    pub asset: Asset,
    pub scene: Option<usize>,
    pub scenes: Vec<Scene>,
    pub nodes: Vec<Node>,
    pub meshes: Vec<Mesh>,
    pub accessors: Vec<Accessor>,
    pub buffer_views: Vec<BufferView>,
    pub buffers: Vec<Buffer>,
    pub extensions_required: Vec<String>,
}

/// Which version.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asset {
    pub version: String,
}

/// A scene: the nodes at its roots.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Scene {
    pub nodes: Vec<usize>,
}

/// A node: where its mesh and children are.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Node {
    pub name: String,
    pub mesh: Option<usize>,
    pub children: Vec<usize>,
    pub matrix: Option<[f64; 16]>,
    pub translation: Option<[f64; 3]>,
    pub rotation: Option<[f64; 4]>,
    pub scale: Option<[f64; 3]>,
}

/// A mesh of several primitives.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Mesh {
    pub name: String,
    pub primitives: Vec<Primitive>,
}

/// Triangles with one material.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Primitive {
    pub attributes: BTreeMap<String, usize>,
    pub indices: Option<usize>,
    pub mode: Option<u32>,
    pub extensions: BTreeMap<String, Value>,
}

/// Numbers in a buffer view.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Accessor {
    pub buffer_view: Option<usize>,
    pub byte_offset: u64,
    pub component_type: u32,
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type")]
    pub shape: String,
    pub sparse: Option<Value>,
}

/// A stretch of a buffer.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct BufferView {
    pub buffer: usize,
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<u64>,
    pub extensions: BTreeMap<String, Value>,
}

/// Bytes: of the file, of a data URI, or of a file beside it.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Buffer {
    pub uri: Option<String>,
    pub byte_length: u64,
}
