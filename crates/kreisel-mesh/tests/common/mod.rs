//! Meshes to test with, and writers of every format that is read.
#![allow(dead_code, clippy::unwrap_used)]

use kreisel::DVec3;
use std::fmt::Write as _;

/// Vertices and triangles.
#[derive(Clone, Default)]
pub struct Shape {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Shape {
    pub fn map(mut self, f: impl Fn(DVec3) -> DVec3) -> Self {
        self.vertices.iter_mut().for_each(|x| *x = f(*x));
        self
    }

    pub fn turned(mut self) -> Self {
        self.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        self
    }

    pub fn and(mut self, other: Shape) -> Self {
        let n = self.vertices.len() as u32;
        self.vertices.extend(other.vertices);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + n)));
        self
    }

    pub fn without(mut self, triangle: usize) -> Self {
        self.triangles.remove(triangle);
        self
    }
}

/// A cube of side 1 around the origin.
pub fn cube() -> Shape {
    let corner = |k: usize| DVec3::from_array([k & 1, k >> 1 & 1, k >> 2 & 1].map(|b| b as f64 - 0.5));
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Shape { vertices: (0..8).map(corner).collect(), triangles }
}

/// A bumpy torus of `2 · n · m` triangles.
pub fn torus(n: u32, m: u32) -> Shape {
    let turn = std::f64::consts::TAU;
    let place = |i: u32, j: u32| {
        let (a, b) = (turn * f64::from(i) / f64::from(n), turn * f64::from(j) / f64::from(m));
        let r = 0.3 + 0.02 * (7.0 * a).sin() * (5.0 * b).cos();
        DVec3::new((1.0 + r * b.cos()) * a.cos(), (1.0 + r * b.cos()) * a.sin(), r * b.sin())
    };
    let vertices = (0..n).flat_map(|i| (0..m).map(move |j| place(i, j))).collect();
    let at = |i: u32, j: u32| i % n * m + j % m;
    let quad = |i: u32, j: u32| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    Shape { vertices, triangles: (0..n).flat_map(|i| (0..m).flat_map(move |j| quad(i, j))).collect() }
}

pub fn obj(shape: &Shape) -> Vec<u8> {
    let mut text = String::from("# made\no thing\n");
    shape.vertices.iter().for_each(|x| writeln!(text, "v {} {} {}", x.x, x.y, x.z).unwrap());
    shape.triangles.iter().for_each(|t| writeln!(text, "f {} {} {}", t[0] + 1, t[1] + 1, t[2] + 1).unwrap());
    text.into_bytes()
}

pub fn stl_text(shape: &Shape) -> Vec<u8> {
    let mut text = String::from("solid thing\n");
    for t in &shape.triangles {
        text.push_str(" facet normal 0 0 0\n  outer loop\n");
        for x in t.map(|v| shape.vertices[v as usize]) {
            writeln!(text, "   vertex {} {} {}", x.x as f32, x.y as f32, x.z as f32).unwrap();
        }
        text.push_str("  endloop\n endfacet\n");
    }
    text.push_str("endsolid thing\n");
    text.into_bytes()
}

pub fn stl_binary(shape: &Shape) -> Vec<u8> {
    let mut bytes = Vec::new();
    kreisel_mesh::write_triangles(&mut bytes, &shape.vertices, &shape.triangles).unwrap();
    bytes
}

pub fn ply(shape: &Shape, encoding: &str) -> Vec<u8> {
    let (n, m) = (shape.vertices.len(), shape.triangles.len());
    let mut bytes = format!(
        "ply\nformat {encoding} 1.0\nelement vertex {n}\nproperty double x\nproperty double y\nproperty double z\n\
         element face {m}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    .into_bytes();
    let little = encoding == "binary_little_endian";
    for x in &shape.vertices {
        match encoding {
            "ascii" => bytes.extend(format!("{} {} {}\n", x.x, x.y, x.z).bytes()),
            _ => x.to_array().iter().for_each(|c| bytes.extend(if little { c.to_le_bytes() } else { c.to_be_bytes() })),
        }
    }
    for t in &shape.triangles {
        match encoding {
            "ascii" => bytes.extend(format!("3 {} {} {}\n", t[0], t[1], t[2]).bytes()),
            _ => {
                bytes.push(3);
                t.iter().for_each(|v| bytes.extend(if little { v.to_le_bytes() } else { v.to_be_bytes() }));
            }
        }
    }
    bytes
}

/// The buffer of a glTF file: positions in single precision, then corners; y up.
fn gltf_buffer(shape: &Shape) -> Vec<u8> {
    let upright = |x: &DVec3| [x.x as f32, x.z as f32, -x.y as f32];
    let positions = shape.vertices.iter().flat_map(upright).flat_map(f32::to_le_bytes);
    positions.chain(shape.triangles.iter().flatten().flat_map(|v| v.to_le_bytes())).collect()
}

/// The JSON of a glTF file; `node` is what its only node says besides its mesh, `uri` where the buffer is.
pub fn gltf_json(shape: &Shape, node: &str, uri: Option<&str>) -> String {
    let (n, m) = (shape.vertices.len(), 3 * shape.triangles.len());
    let uri = uri.map(|u| format!("\"uri\":\"{u}\",")).unwrap_or_default();
    format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\
         \"nodes\":[{{\"name\":\"thing\",{node}\"mesh\":0}}],\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}},\"indices\":1}}]}}],\
         \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":{n},\"type\":\"VEC3\"}},\
         {{\"bufferView\":1,\"componentType\":5125,\"count\":{m},\"type\":\"SCALAR\"}}],\
         \"bufferViews\":[{{\"buffer\":0,\"byteLength\":{}}},{{\"buffer\":0,\"byteOffset\":{0},\"byteLength\":{}}}],\
         \"buffers\":[{{{uri}\"byteLength\":{}}}]}}",
        12 * n,
        4 * m,
        12 * n + 4 * m
    )
}

pub fn gltf(shape: &Shape, node: &str) -> Vec<u8> {
    let uri = format!("data:application/octet-stream;base64,{}", base64(&gltf_buffer(shape)));
    gltf_json(shape, node, Some(&uri)).into_bytes()
}

/// A glTF file and the buffer that it wants beside it.
pub fn gltf_apart(shape: &Shape, uri: &str) -> (Vec<u8>, Vec<u8>) {
    (gltf_json(shape, "", Some(uri)).into_bytes(), gltf_buffer(shape))
}

pub fn glb(shape: &Shape, node: &str) -> Vec<u8> {
    let mut json = gltf_json(shape, node, None).into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let buffer = gltf_buffer(shape);
    let mut bytes = b"glTF".to_vec();
    let word = |bytes: &mut Vec<u8>, w: usize| bytes.extend((w as u32).to_le_bytes());
    word(&mut bytes, 2);
    word(&mut bytes, 12 + 8 + json.len() + 8 + buffer.len());
    word(&mut bytes, json.len());
    bytes.extend(b"JSON");
    bytes.extend(&json);
    word(&mut bytes, buffer.len());
    bytes.extend(b"BIN\0");
    bytes.extend(&buffer);
    bytes
}

fn base64(bytes: &[u8]) -> String {
    const SYMBOLS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0u32, |b, &x| b << 8 | u32::from(x)) << (8 * (3 - three.len()));
        (0..=three.len()).for_each(|k| text.push(SYMBOLS[(bits >> (18 - 6 * k) & 63) as usize] as char));
        (three.len()..3).for_each(|_| text.push('='));
    }
    text
}

/// A file of every kind with this shape.
pub fn all_formats(shape: &Shape) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("thing.obj", obj(shape)),
        ("text.stl", stl_text(shape)),
        ("binary.stl", stl_binary(shape)),
        ("text.ply", ply(shape, "ascii")),
        ("little.ply", ply(shape, "binary_little_endian")),
        ("big.ply", ply(shape, "binary_big_endian")),
        ("thing.gltf", gltf(shape, "")),
        ("thing.glb", glb(shape, "")),
    ]
}
