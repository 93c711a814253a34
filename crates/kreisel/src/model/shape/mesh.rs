//! Triangle meshes with a tree of boxes over the triangles, built once.

use super::connectivity::{hull_if_convex, neighbours_of, rings_of, welded};
use super::{Polyhedron, ShapeError};
use glamx::DVec3;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Triangles in a leaf of the tree.
const LEAF: usize = 4;

/// A surface of triangles, anticlockwise seen from outside. Triangles without area are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Triangles", into = "Triangles")]
pub struct TriangleMesh {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    normals: Vec<DVec3>,
    /// For the edge after every corner: the triangle beyond it, `u32::MAX` if there is none.
    neighbours: Vec<[u32; 3]>,
    open_edges: usize,
    /// For every vertex those that share an edge with it, one list after the other, and where each begins.
    rings: (Vec<u32>, Vec<u32>),
    /// The same solid as a polyhedron, if it is convex.
    hull: Option<Arc<Polyhedron>>,
    nodes: Vec<Bound>,
    order: Vec<u32>,
}

/// What a mesh is stored as: the rest follows from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Triangles {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

/// A node of the tree of boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// Lower corner of the box [m].
    pub low: DVec3,
    /// Upper corner of the box [m].
    pub high: DVec3,
    /// A leaf: its first entry in the order of triangles. Else: its second child; the first follows directly.
    first: u32,
    /// How many triangles a leaf has; zero: not a leaf.
    count: u32,
}

impl TriangleMesh {
    /// A mesh of vertices [m] and triangles by numbers of vertices.
    pub fn new(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        if let Some(index) = vertices.iter().position(|v| !v.is_finite()) {
            return Err(ShapeError::Vertex { index, value: vertices[index] });
        }
        for (face, t) in triangles.iter().enumerate() {
            if let Some(&vertex) = t.iter().find(|&&v| v as usize >= vertices.len()) {
                return Err(ShapeError::Index { face, vertex, vertices: vertices.len() });
            }
        }
        let normal = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| vertices[v as usize]);
            (b - a).cross(c - a).try_normalize()
        };
        let triangles: Vec<[u32; 3]> = triangles.into_iter().filter(|t| normal(t).is_some()).collect();
        let normals: Vec<DVec3> = triangles.iter().filter_map(normal).collect();
        if triangles.is_empty() {
            return Err(ShapeError::NoTriangles);
        }
        let joined = welded(&vertices, &triangles);
        let (neighbours, open_edges) = neighbours_of(&joined);
        let rings = rings_of(vertices.len(), &triangles, &joined);
        let (nodes, order) = tree(&vertices, &triangles);
        let mut mesh = Self { vertices, triangles, normals, neighbours, open_edges, rings, hull: None, nodes, order };
        mesh.hull = hull_if_convex(&mesh).map(Arc::new);
        Ok(mesh)
    }

    /// The same solid as a polyhedron, if the mesh is closed and convex.
    pub fn hull(&self) -> Option<&Arc<Polyhedron>> {
        self.hull.as_ref()
    }

    /// Those that share an edge with a vertex.
    pub fn ring(&self, vertex: usize) -> impl Iterator<Item = DVec3> + '_ {
        let (all, starts) = &self.rings;
        let range = starts[vertex] as usize..starts[vertex + 1] as usize;
        all[range].iter().map(|&v| self.vertices[v as usize])
    }

    /// How steeply the triangle beyond an edge rises above the plane of this one: the sine of the angle between them, positive
    /// where the edge is hollow, zero where it is flat; `None` at an open edge.
    pub fn rise(&self, triangle: usize, edge: usize) -> Option<f64> {
        let beyond = self.neighbour(triangle, edge)?;
        let corners = self.corners(triangle);
        let along = corners[(edge + 1) % 3] - corners[edge % 3];
        Some(self.normals[beyond].cross(self.normals[triangle]).dot(along) / along.length())
    }

    /// The vertices [m].
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The triangles by numbers of vertices.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Outward unit normals of the triangles [1].
    pub fn normals(&self) -> &[DVec3] {
        &self.normals
    }

    /// For the edge after every corner of every triangle the triangle beyond it.
    pub fn neighbour(&self, triangle: usize, edge: usize) -> Option<usize> {
        self.neighbours[triangle].get(edge).copied().filter(|&t| t != u32::MAX).map(|t| t as usize)
    }

    /// How many edges do not have exactly one triangle on each side; zero for a closed mesh.
    pub fn open_edges(&self) -> usize {
        self.open_edges
    }

    /// The corners of a triangle [m].
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// The box around everything [m].
    pub fn bounds(&self) -> (DVec3, DVec3) {
        self.nodes.first().map_or((DVec3::ZERO, DVec3::ZERO), |n| (n.low, n.high))
    }

    /// Calls `found` with every triangle in a leaf of the tree whose boxes all satisfy `near`, in the order of the tree.
    pub fn visit(&self, near: &dyn Fn(&Bound) -> bool, found: &mut dyn FnMut(usize)) {
        let mut stack = [0u32; 64];
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let at = stack[depth];
            let Some(node) = self.nodes.get(at as usize) else { continue };
            if !near(node) {
                continue;
            }
            if node.count > 0 {
                let leaf = node.first as usize..(node.first + node.count) as usize;
                self.order[leaf].iter().for_each(|&t| found(t as usize));
            } else {
                stack[depth] = node.first;
                stack[depth + 1] = at + 1;
                depth += 2;
            }
        }
    }

    /// Calls `found` with every triangle whose leaf of the tree overlaps a box.
    pub fn in_box(&self, low: DVec3, high: DVec3, found: &mut dyn FnMut(usize)) {
        self.visit(&|n| n.low.cmple(high).all() && n.high.cmpge(low).all(), found);
    }
}

impl From<TriangleMesh> for Triangles {
    fn from(m: TriangleMesh) -> Self {
        Self { vertices: m.vertices, triangles: m.triangles }
    }
}

impl TryFrom<Triangles> for TriangleMesh {
    type Error = ShapeError;

    fn try_from(from: Triangles) -> Result<Self, ShapeError> {
        Self::new(from.vertices, from.triangles)
    }
}

/// The tree, cut at the median of the longest side of the boxes of centres, and the order of the triangles in its leaves.
fn tree(vertices: &[DVec3], triangles: &[[u32; 3]]) -> (Vec<Bound>, Vec<u32>) {
    let boxes: Vec<(DVec3, DVec3)> = triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|v| vertices[v as usize]);
            (a.min(b).min(c), a.max(b).max(c))
        })
        .collect();
    let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
    let mut nodes = Vec::new();
    cut(&boxes, &mut order, 0, &mut nodes);
    (nodes, order)
}

fn cut(boxes: &[(DVec3, DVec3)], order: &mut [u32], first: u32, nodes: &mut Vec<Bound>) {
    let span = |t: &u32| boxes[*t as usize];
    let low = order.iter().fold(DVec3::INFINITY, |a, t| a.min(span(t).0));
    let high = order.iter().fold(DVec3::NEG_INFINITY, |a, t| a.max(span(t).1));
    let at = nodes.len();
    let leaf = if order.len() <= LEAF { order.len() as u32 } else { 0 };
    nodes.push(Bound { low, high, first, count: leaf });
    if leaf > 0 {
        return;
    }
    let centre = |t: &u32| span(t).0 + span(t).1;
    let least = order.iter().fold(DVec3::INFINITY, |a, t| a.min(centre(t)));
    let most = order.iter().fold(DVec3::NEG_INFINITY, |a, t| a.max(centre(t)));
    let axis = (most - least).max_position();
    order.sort_unstable_by(|a, b| centre(a)[axis].total_cmp(&centre(b)[axis]).then(a.cmp(b)));
    let middle = order.len() / 2;
    let (left, right) = order.split_at_mut(middle);
    cut(boxes, left, first, nodes);
    nodes[at].first = nodes.len() as u32;
    cut(boxes, right, first + middle as u32, nodes);
}
