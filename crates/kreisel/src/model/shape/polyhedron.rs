//! Convex polyhedra: vertices, flat faces with any number of corners, edges.

use super::ShapeError;
use super::hull::hull_triangles;
use glamx::DVec3;
use serde::{Deserialize, Serialize};

/// Triangles belong to one face if their corners lie within this of its plane, relative to the extent: meshes of single precision are no better.
pub(super) const FLATNESS: f64 = 1e-6;

/// A convex polyhedron. Faces are anticlockwise seen from outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Faces", into = "Faces")]
pub struct Polyhedron {
    vertices: Vec<DVec3>,
    faces: Vec<Vec<u32>>,
    normals: Vec<DVec3>,
    offsets: Vec<f64>,
    edges: Vec<[u32; 2]>,
    edge_faces: Vec<[u32; 2]>,
    reach: f64,
}

/// What a polyhedron is stored as: the rest follows from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Faces {
    vertices: Vec<DVec3>,
    faces: Vec<Vec<u32>>,
}

impl Polyhedron {
    /// The convex hull of points [m]; triangles in one plane become one face.
    pub fn from_points(points: &[DVec3]) -> Result<Self, ShapeError> {
        let triangles = hull_triangles(points)?;
        let extent = extent(points);
        let faces = merge_coplanar(points, &triangles, FLATNESS * extent);
        let mut corners: Vec<u32> = faces.iter().flatten().copied().collect();
        corners.sort_unstable();
        corners.dedup();
        let renumber = |v: &u32| corners.binary_search(v).unwrap_or(0) as u32;
        let faces = faces.iter().map(|f| f.iter().map(renumber).collect()).collect();
        Self::try_from(Faces { vertices: corners.iter().map(|&v| points[v as usize]).collect(), faces })
    }

    /// The corners [m].
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The corners of every face, anticlockwise seen from outside.
    pub fn faces(&self) -> &[Vec<u32>] {
        &self.faces
    }

    /// Outward unit normal of every face [1].
    pub fn normals(&self) -> &[DVec3] {
        &self.normals
    }

    /// Distance of every face's plane from the origin along its normal [m].
    pub fn offsets(&self) -> &[f64] {
        &self.offsets
    }

    /// The two ends of every edge, the smaller number first.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The two faces that meet in every edge.
    pub fn edge_faces(&self) -> &[[u32; 2]] {
        &self.edge_faces
    }

    /// Distance of the farthest corner from the origin [m].
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// The mean of its corners, a point inside [m].
    pub fn middle(&self) -> DVec3 {
        self.vertices.iter().sum::<DVec3>() / self.vertices.len() as f64
    }

    /// Its surface as triangles: every face as a fan.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.faces.iter().flat_map(|f| f[1..].windows(2).map(move |w| [f[0], w[0], w[1]]))
    }
}

impl From<Polyhedron> for Faces {
    fn from(p: Polyhedron) -> Self {
        Self { vertices: p.vertices, faces: p.faces }
    }
}

impl TryFrom<Faces> for Polyhedron {
    type Error = ShapeError;

    fn try_from(from: Faces) -> Result<Self, ShapeError> {
        let Faces { vertices, faces } = from;
        check_faces(&vertices, &faces)?;
        let (mut normals, mut offsets) = (Vec::new(), Vec::new());
        for face in &faces {
            let normal = face_normal(&vertices, face).try_normalize().ok_or(ShapeError::NotConvex)?;
            normals.push(normal);
            offsets.push(face.iter().map(|&v| normal.dot(vertices[v as usize])).fold(f64::MIN, f64::max));
        }
        let tolerance = 10.0 * FLATNESS * extent(&vertices);
        let outside = |(n, d): (&DVec3, &f64)| vertices.iter().any(|v| n.dot(*v) > d + tolerance);
        if normals.iter().zip(&offsets).any(outside) {
            return Err(ShapeError::NotConvex);
        }
        let (edges, edge_faces) = edges_of(&faces).ok_or(ShapeError::NotConvex)?;
        let reach = vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
        Ok(Self { vertices, faces, normals, offsets, edges, edge_faces, reach })
    }
}

fn check_faces(vertices: &[DVec3], faces: &[Vec<u32>]) -> Result<(), ShapeError> {
    if vertices.len() < 4 || faces.len() < 4 {
        return Err(ShapeError::TooFewPoints(vertices.len()));
    }
    if let Some(index) = vertices.iter().position(|v| !v.is_finite()) {
        return Err(ShapeError::Vertex { index, value: vertices[index] });
    }
    for (face, corners) in faces.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
            return Err(ShapeError::Index { face, vertex, vertices: vertices.len() });
        }
        if corners.len() < 3 {
            return Err(ShapeError::NotConvex);
        }
    }
    Ok(())
}

/// Greatest side of the box around points [m].
pub(super) fn extent(points: &[DVec3]) -> f64 {
    let low = points.iter().fold(DVec3::INFINITY, |a, b| a.min(*b));
    let high = points.iter().fold(DVec3::NEG_INFINITY, |a, b| a.max(*b));
    (high - low).max_element()
}

/// Twice the area times the normal, by Newell's sum about the first corner.
fn face_normal(vertices: &[DVec3], face: &[u32]) -> DVec3 {
    let o = vertices[face[0] as usize];
    face.windows(2).map(|w| (vertices[w[0] as usize] - o).cross(vertices[w[1] as usize] - o)).sum()
}

/// Pairs of numbers.
type Pairs = Vec<[u32; 2]>;

/// Edges with their two faces, sorted; `None` unless every edge has one face on each side.
fn edges_of(faces: &[Vec<u32>]) -> Option<(Pairs, Pairs)> {
    let mut sides: Vec<([u32; 2], bool, u32)> = Vec::new();
    for (f, face) in faces.iter().enumerate() {
        for (k, &a) in face.iter().enumerate() {
            let b = face[(k + 1) % face.len()];
            sides.push(([a.min(b), a.max(b)], a > b, f as u32));
        }
    }
    sides.sort_unstable();
    let paired = |w: &[([u32; 2], bool, u32)]| w.len() == 2 && w[0].0 == w[1].0 && !w[0].1 && w[1].1;
    if !sides.chunks(2).all(paired) || sides.windows(3).any(|w| w[0].0 == w[2].0) {
        return None;
    }
    Some((sides.chunks(2).map(|w| w[0].0).collect(), sides.chunks(2).map(|w| [w[0].2, w[1].2]).collect()))
}

/// Joins neighbouring triangles of one plane into faces without corners on straight edges.
fn merge_coplanar(points: &[DVec3], triangles: &[[u32; 3]], tolerance: f64) -> Vec<Vec<u32>> {
    let group = groups(points, triangles, tolerance);
    let count = group.iter().max().map_or(0, |g| g + 1);
    let loops: Vec<Vec<u32>> = (0..count).map(|g| outline(triangles, &group, g)).collect();
    // A corner of fewer than three faces lies on a straight edge or inside a face.
    let mut faces_at = vec![0; points.len()];
    loops.iter().flatten().for_each(|&v| faces_at[v as usize] += 1);
    let kept = |l: &Vec<u32>| l.iter().copied().filter(|&v| faces_at[v as usize] > 2).collect::<Vec<_>>();
    loops.iter().map(kept).filter(|l| l.len() > 2).collect()
}

/// The number of the face of every triangle: flood over shared edges, as long as the corners stay in the plane of the first.
fn groups(points: &[DVec3], triangles: &[[u32; 3]], tolerance: f64) -> Vec<usize> {
    let mut group = vec![usize::MAX; triangles.len()];
    let area = |t: usize| face_normal(points, &triangles[t]).length();
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    order.sort_by(|&a, &b| area(b).total_cmp(&area(a)).then(a.cmp(&b)));
    let mut count = 0;
    for first in order {
        if group[first] != usize::MAX {
            continue;
        }
        let n = face_normal(points, &triangles[first]).normalize_or_zero();
        let o = points[triangles[first][0] as usize];
        group[first] = count;
        let mut open = vec![first];
        while let Some(t) = open.pop() {
            for s in 0..triangles.len() {
                let flat = |v: &u32| (points[*v as usize] - o).dot(n).abs() <= tolerance;
                let shares = triangles[s].iter().filter(|v| triangles[t].contains(v)).count() == 2;
                let along = face_normal(points, &triangles[s]).dot(n) >= 0.0;
                if group[s] == usize::MAX && shares && along && triangles[s].iter().all(flat) {
                    group[s] = count;
                    open.push(s);
                }
            }
        }
        count += 1;
    }
    group
}

/// The outline of the triangles of one face.
fn outline(triangles: &[[u32; 3]], group: &[usize], g: usize) -> Vec<u32> {
    let sides = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    let all: Vec<[u32; 2]> = triangles.iter().zip(group).filter(|x| *x.1 == g).flat_map(|x| sides(x.0)).collect();
    let border: Vec<[u32; 2]> = all.iter().copied().filter(|s| !all.contains(&[s[1], s[0]])).collect();
    let Some(first) = border.first() else { return Vec::new() };
    let mut path = vec![first[0]];
    let mut at = first[1];
    while at != first[0] && path.len() <= border.len() {
        path.push(at);
        at = border.iter().find(|s| s[0] == at).map_or(first[0], |s| s[1]);
    }
    path
}
