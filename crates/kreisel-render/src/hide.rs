//! What a body looks like at a moment: the triangles of skins, and of the faces of box bodies.

use kreisel::DVec3;
use kreisel::model::Model;
use kreisel_record::Frame;

/// Faces that meet at a sharper angle than this keep their edge [cosine].
const CREASE: f64 = 0.72;

/// The surface of bodies at a moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hide {
    /// Where its vertices are [m].
    pub(crate) vertices: Vec<DVec3>,
    /// Elements that each vertex rides on, with their weights; vertex `i` has `riders[starts[i]..starts[i + 1]]`.
    pub(crate) riders: Vec<(u32, f64)>,
    pub(crate) starts: Vec<u32>,
    /// Its triangles.
    pub(crate) triangles: Vec<HideTriangle>,
}

/// A triangle of a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HideTriangle {
    /// Its vertices.
    pub(crate) corners: [u32; 3],
    /// Unit normals at its corners.
    pub(crate) normals: [DVec3; 3],
    /// Number of its body.
    pub(crate) body: u32,
    /// Number of the skin and of the surface's triangle that it shows.
    pub(crate) origin: Option<(u32, u32)>,
    /// Edges, opposite to each corner, along which a fine line is drawn.
    pub(crate) lines: [bool; 3],
}

impl Hide {
    /// A mean over the elements that a vertex rides on.
    pub(crate) fn gather(&self, vertex: u32, values: &[f64]) -> f64 {
        let v = vertex as usize;
        let riders = &self.riders[self.starts[v] as usize..self.starts[v + 1] as usize];
        riders.iter().map(|&(e, weight)| weight * values[e as usize]).sum()
    }

    /// The element that counts most at a vertex.
    pub(crate) fn nearest(&self, vertex: u32) -> u32 {
        let v = vertex as usize;
        let riders = &self.riders[self.starts[v] as usize..self.starts[v + 1] as usize];
        riders.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |r| r.0)
    }

    /// The skins of a model, and the faces of those of its bodies that have none.
    pub(crate) fn of(model: &Model, frame: &Frame) -> Vec<Self> {
        let mut hides: Vec<Self> = (0..model.skins.len()).map(|k| of_skin(model, frame, k)).collect();
        hides.push(of_faces(model, frame));
        hides
    }
}

fn of_skin(model: &Model, frame: &Frame, number: usize) -> Hide {
    let skin = &model.skins[number];
    let vertices = skin.positions(&frame.position);
    let corners: Vec<[u32; 3]> = skin.triangles.clone();
    let normals = corner_normals(&vertices, &corners);
    let triangle = |t: usize| HideTriangle {
        corners: corners[t],
        normals: normals[t],
        body: skin.body.0,
        origin: Some((number as u32, skin.origin[t])),
        lines: [false; 3],
    };
    let riders = skin.bindings.elements.iter().copied().zip(skin.bindings.weights.iter().copied()).collect();
    let triangles = (0..corners.len()).map(triangle).collect();
    Hide { vertices, riders, starts: skin.bindings.starts.clone(), triangles }
}

/// Every element is a vertex. A face with a broken connection between its corners is open.
fn of_faces(model: &Model, frame: &Frame) -> Hide {
    let n = model.elements.len();
    let vertices: Vec<DVec3> = (0..n).map(|e| frame.position.get(e)).collect();
    let mut torn: Vec<[u32; 2]> = frame.broken.iter().map(|&c| model.connections.ends[c as usize]).collect();
    torn.sort_unstable();
    let is_torn = |a: u32, b: u32| torn.binary_search(&[a.min(b), a.max(b)]).is_ok();
    let is_whole = |f: &&[u32; 4]| torn.is_empty() || !(0..4).any(|i| (i + 1..4).any(|j| is_torn(f[i], f[j])));
    let bare = |f: &&[u32; 4]| !model.skins.iter().any(|s| s.body == model.elements.body[f[0] as usize]);
    let faces: Vec<[u32; 4]> = model.faces.iter().filter(bare).filter(is_whole).copied().collect();
    let corners: Vec<[u32; 3]> = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let normals = corner_normals(&vertices, &corners);
    let triangle = |t: usize| HideTriangle {
        corners: corners[t],
        normals: normals[t],
        body: model.elements.body[corners[t][0] as usize].0,
        origin: None,
        lines: if t % 2 == 0 { [true, false, true] } else { [true, true, false] },
    };
    let riders = (0..n as u32).map(|e| (e, 1.0)).collect();
    let triangles = (0..corners.len()).map(triangle).collect();
    Hide { vertices, riders, starts: (0..=n as u32).collect(), triangles }
}

/// Normals at the corners of every triangle: the mean over the triangles around the vertex, weighted by area, that do
/// not meet this one at a sharp edge.
fn corner_normals(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Vec<[DVec3; 3]> {
    let area = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| vertices[v as usize]);
        (b - a).cross(c - a)
    };
    let areas: Vec<DVec3> = triangles.iter().map(area).collect();
    let flat: Vec<DVec3> = areas.iter().map(|a| a.normalize_or_zero()).collect();
    let around = Around::new(vertices.len(), triangles);
    let normal = |t: usize, v: u32| {
        let near = around.of(v).iter().filter(|&&o| flat[o as usize].dot(flat[t]) > CREASE);
        let sum = near.fold(DVec3::ZERO, |sum, &o| sum + areas[o as usize]);
        sum.try_normalize().unwrap_or(flat[t])
    };
    triangles.iter().enumerate().map(|(t, corners)| corners.map(|v| normal(t, v))).collect()
}

/// The triangles around every vertex.
struct Around {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Around {
    fn new(vertices: usize, triangles: &[[u32; 3]]) -> Self {
        let mut starts = vec![0; vertices + 1];
        triangles.iter().flatten().for_each(|&v| starts[v as usize + 1] += 1);
        (0..vertices).for_each(|v| starts[v + 1] += starts[v]);
        let (mut next, mut items) = (starts.clone(), vec![0; 3 * triangles.len()]);
        for (t, corners) in triangles.iter().enumerate() {
            for &v in corners {
                items[next[v as usize] as usize] = t as u32;
                next[v as usize] += 1;
            }
        }
        Self { starts, items }
    }

    fn of(&self, vertex: u32) -> &[u32] {
        &self.items[self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gentle_edge_is_smoothed_and_a_sharp_one_kept() {
        let roof = |h: f64| {
            let vertices = [DVec3::ZERO, DVec3::Y, DVec3::new(-1.0, 0.5, -h), DVec3::new(1.0, 0.5, -h)];
            corner_normals(&vertices, &[[0, 1, 2], [1, 0, 3]])
        };
        let (gentle, sharp) = (roof(0.1), roof(2.0));
        assert!(gentle[0][0].distance(DVec3::Z) < 1e-12 && gentle[0][2].x < -0.05);
        assert!(sharp[0][0].distance(sharp[0][2]) < 1e-12 && sharp[0][0].x < -0.5);
    }
}
