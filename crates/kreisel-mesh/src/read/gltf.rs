//! glTF 2.0 and GLB: all triangles of the scene, placed by their nodes and turned from y up to z up.

use super::gltf_access::{Access, load_buffers};
use super::gltf_json::{Document, Mesh, Node, Primitive};
use crate::error::Problem;
use crate::soup::{NO_UV, Soup, limit};
use kreisel::{DMat3, DQuat, DVec3};
use std::path::Path;

/// Reads a file in JSON.
pub fn read_json(bytes: &[u8], beside: Option<&Path>, most: usize) -> Result<Soup, Problem> {
    read_document(bytes, None, beside, most, "glTF")
}

/// Reads a binary file: a header, a chunk of JSON, a chunk of bytes.
pub fn read_binary(bytes: &[u8], beside: Option<&Path>, most: usize) -> Result<Soup, Problem> {
    let word = |at: usize| bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    let version = word(4).unwrap_or(0);
    if version != 2 {
        return Err(Problem::syntax("header", format!("version {version} of GLB is not read, only 2")));
    }
    let cut = || Problem::Truncated {
        what: format!("{} bytes in the header", word(8).unwrap_or(0)),
        found: format!("{} bytes", bytes.len()),
    };
    if word(8).is_none_or(|length| u64::from(length) > bytes.len() as u64) {
        return Err(cut());
    }
    let chunk = |at: usize| {
        let begin = at.checked_add(8)?;
        let end = begin.checked_add(word(at)? as usize)?;
        Some((word(at + 4)?, bytes.get(begin..end)?, end))
    };
    let (kind, json, end) = chunk(12).ok_or_else(cut)?;
    if kind != 0x4e4f_534a {
        return Err(Problem::syntax("header", "the first chunk of a GLB file must be JSON"));
    }
    let binary = match chunk(end) {
        Some((0x004e_4942, binary, _)) => Some(binary),
        None if bytes.len() > end + 8 => return Err(cut()),
        _ => None,
    };
    read_document(json, binary, beside, most, "GLB")
}

fn read_document(
    json: &[u8],
    binary: Option<&[u8]>,
    beside: Option<&Path>,
    most: usize,
    kind: &'static str,
) -> Result<Soup, Problem> {
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    let document: Document = serde_json::from_slice(json)
        .map_err(|e| Problem::syntax(format!("line {} of the JSON", e.line()), e.to_string()))?;
    if !document.asset.version.starts_with('2') {
        let reason = "it is no glTF 2.0 (`asset.version` must be \"2.0\")";
        return Err(Problem::syntax("asset", reason));
    }
    if let Some(extension) = document.extensions_required.iter().find(|e| is_compression(e)) {
        return Err(Problem::Compressed { extension: extension.chars().take(60).collect() });
    }
    let buffers = load_buffers(&document, binary, beside)?;
    let access = Access { document: &document, buffers: &buffers, most };
    let soup = Soup { kind, numbered: true, ..Soup::default() };
    let mut walk = Walk { seen: vec![false; document.nodes.len()], access, soup, left_aside: 0 };
    walk.scene()?;
    Ok(walk.finish())
}

fn is_compression(extension: &str) -> bool {
    extension.contains("draco") || extension.contains("meshopt")
}

/// A place and an affine turn: `x ↦ A x + b`.
#[derive(Clone, Copy)]
struct Placement {
    linear: DMat3,
    shift: DVec3,
}

struct Walk<'a> {
    access: Access<'a>,
    seen: Vec<bool>,
    soup: Soup,
    left_aside: usize,
}

impl Walk<'_> {
    /// All nodes of the scene, parents before children; without a scene all meshes as they are.
    fn scene(&mut self) -> Result<(), Problem> {
        let document = self.access.document;
        // y up becomes z up: x stays, y ↦ z, z ↦ −y.
        let upright = Placement { linear: DMat3::from_cols(DVec3::X, DVec3::Z, -DVec3::Y), shift: DVec3::ZERO };
        let Some(scene) = document.scenes.get(document.scene.unwrap_or(0)) else {
            return document.meshes.iter().try_for_each(|m| self.mesh(m, &m.name, upright));
        };
        let mut stack: Vec<(usize, Placement)> = scene.nodes.iter().rev().map(|&n| (n, upright)).collect();
        while let Some((index, parent)) = stack.pop() {
            let fail = |reason: &str| Problem::syntax(format!("node {index}"), reason);
            let node = document.nodes.get(index).ok_or_else(|| fail("there is no such node"))?;
            if std::mem::replace(&mut self.seen[index], true) {
                return Err(fail("it has two parents or is its own ancestor"));
            }
            let placement = parent.then(node);
            if let Some(mesh) = node.mesh {
                let mesh = document.meshes.get(mesh).ok_or_else(|| fail("there is no such mesh"))?;
                let name = if node.name.is_empty() { &mesh.name } else { &node.name };
                self.mesh(mesh, name, placement)?;
            }
            stack.extend(node.children.iter().rev().map(|&c| (c, placement)));
        }
        Ok(())
    }

    fn mesh(&mut self, mesh: &Mesh, name: &str, placement: Placement) -> Result<(), Problem> {
        for primitive in &mesh.primitives {
            self.soup.begin_part(name);
            self.primitive(primitive, placement)?;
        }
        Ok(())
    }

    fn primitive(&mut self, primitive: &Primitive, placement: Placement) -> Result<(), Problem> {
        let mode = primitive.mode.unwrap_or(4);
        let Some(&positions) = primitive.attributes.get("POSITION").filter(|_| (4..=6).contains(&mode)) else {
            self.left_aside += 1;
            return Ok(());
        };
        let bare = self.access.document.accessors.get(positions).is_some_and(|a| a.buffer_view.is_none());
        if let Some(extension) = primitive.extensions.keys().find(|e| bare && is_compression(e)) {
            return Err(Problem::Compressed { extension: extension.clone() });
        }
        let rows = self.access.rows::<3>(positions)?;
        limit("vertices", (self.soup.vertices.len() + rows.len()) as u64, self.access.most)?;
        let first = self.soup.vertices.len() as u32;
        let place = |x: &[f64; 3]| placement.linear * DVec3::from_array(*x) + placement.shift;
        self.soup.vertices.extend(rows.iter().map(place));
        let first_uv = self.texture_coordinates(primitive, rows.len())?;
        let corners = self.corners(primitive, rows.len())?;
        let mirrored = placement.linear.determinant() < 0.0;
        limit("triangles", (self.soup.triangles.len() + corners.len()) as u64, self.access.most)?;
        for mut triangle in strips(&corners, mode) {
            if mirrored {
                triangle.swap(1, 2);
            }
            let uvs = first_uv.map_or([NO_UV; 3], |f| triangle.map(|c| f + c));
            self.soup.push(triangle.map(|c| first + c), uvs);
        }
        Ok(())
    }

    /// Where the texture coordinates of this primitive begin, if it has as many as vertices.
    fn texture_coordinates(&mut self, primitive: &Primitive, count: usize) -> Result<Option<u32>, Problem> {
        let Some(&index) = primitive.attributes.get("TEXCOORD_0") else { return Ok(None) };
        let rows = self.access.rows::<2>(index)?;
        let first = self.soup.uvs.len() as u32;
        if rows.len() != count {
            return Err(Problem::syntax(format!("accessor {index}"), "it has not as many rows as there are vertices"));
        }
        self.soup.uvs.extend(rows);
        Ok(Some(first))
    }

    fn corners(&self, primitive: &Primitive, count: usize) -> Result<Vec<u32>, Problem> {
        let Some(index) = primitive.indices else { return Ok((0..count as u32).collect()) };
        let rows = self.access.rows::<1>(index)?;
        let check = |(k, [c]): (usize, &[f64; 1])| {
            if *c >= 0.0 && *c < count as f64 && c.fract() == 0.0 {
                return Ok(*c as u32);
            }
            let reason = format!("entry {k} names vertex {c}, but there are {count} only");
            Err(Problem::syntax(format!("accessor {index}"), reason))
        };
        rows.iter().enumerate().map(check).collect()
    }

    fn finish(mut self) -> Soup {
        if self.left_aside > 0 {
            let text = format!("{} sets of lines or points were left aside", self.left_aside);
            self.soup.warnings.push(text);
        }
        self.soup
    }
}

impl Placement {
    /// A child's placement: its matrix, or translation · rotation · scale.
    fn then(self, node: &Node) -> Self {
        let (linear, shift) = match &node.matrix {
            Some(m) => {
                let column = |k: usize| DVec3::new(m[4 * k], m[4 * k + 1], m[4 * k + 2]);
                (DMat3::from_cols(column(0), column(1), column(2)), column(3))
            }
            None => {
                let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
                let turn = DQuat::from_xyzw(x, y, z, w);
                let turn = if turn.length() > 1e-12 { turn.normalize() } else { DQuat::IDENTITY };
                let scale = DVec3::from_array(node.scale.unwrap_or([1.0; 3]));
                (
                    DMat3::from_quat(turn) * DMat3::from_diagonal(scale),
                    DVec3::from_array(node.translation.unwrap_or_default()),
                )
            }
        };
        Self { linear: self.linear * linear, shift: self.linear * shift + self.shift }
    }
}

/// Triangles of a list (mode 4), a strip (5, every other one turned) or a fan (6).
fn strips(corners: &[u32], mode: u32) -> Vec<[u32; 3]> {
    match mode {
        5 => corners
            .windows(3)
            .enumerate()
            .map(|(k, w)| if k % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] })
            .collect(),
        6 => corners.windows(2).skip(1).map(|w| [corners[0], w[0], w[1]]).collect(),
        _ => corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect(),
    }
}
