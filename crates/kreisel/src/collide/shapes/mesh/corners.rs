//! Corners of one mesh on the triangles of another.

use super::pair::Placed;
use crate::collide::shapes::Touch;
use crate::collide::shapes::nearest::{Nearest, nearest_of_mesh, point_triangle};
use crate::model::TriangleMesh;
use glamx::DVec3;

/// A corner touches along a direction if no edge that begins there leads farther than this below it, per length: bodies that
/// lean a little on each other are about to touch with the next corner.
const LEAN: f64 = 0.2;

/// A place this near an edge, relative to the triangle, is on the triangle.
const ROUNDING: f64 = 1e-9;

/// A corner of A as mesh B sees it.
struct Corner<'a> {
    a: &'a Placed<'a>,
    b: &'a Placed<'a>,
    vertex: usize,
    /// Where it is in the frame of B.
    x: DVec3,
}

/// Appends the corners of A that are nearer to B than the margin, from outside or inside.
pub(super) fn on(a: &Placed, b: &Placed, margin: f64, depth: f64, out: &mut Vec<Touch>) {
    let (low, high) = b.mesh.bounds();
    let reach = if b.mesh.open_edges() == 0 { f64::INFINITY } else { depth };
    for (vertex, &local) in a.mesh.vertices().iter().enumerate() {
        let x = b.frame.to_local(a.frame.to_world(local));
        if x.cmplt(low - margin).any() || x.cmpgt(high + margin).any() {
            continue;
        }
        let Some(near) = nearest_of_mesh(x, b.mesh, reach) else { continue };
        let corner = Corner { a, b, vertex, x };
        match near.distance {
            d if d < 0.0 => corner.inside(&near, out),
            d if d < margin => corner.outside(&near, margin, out),
            _ => {}
        }
    }
}

impl Corner<'_> {
    /// How far the lowest edge from here leads along a direction of the frame of B, per length: not below zero where the corner is foremost.
    fn foremost(&self, n: DVec3) -> f64 {
        let (n, v) = (self.a.frame.turned_back(self.b.frame.r * n), self.a.mesh.vertices()[self.vertex]);
        self.a.mesh.ring(self.vertex).map(|w| (w - v).normalize_or_zero().dot(n)).fold(f64::INFINITY, f64::min)
    }

    fn push(&self, n: DVec3, gap: f64, count: usize, out: &mut Vec<Touch>) {
        let (normal, point_a) = (self.b.frame.r * n, self.b.frame.to_world(self.x));
        let feature = (self.vertex as u64) << 8 | count as u64 & 0xff;
        out.push(Touch { point_a, point_b: point_a - normal * gap, normal, gap, feature });
    }

    /// Outside: every triangle that the corner is above; if there is none, the nearest edge or corner.
    fn outside(&self, near: &Nearest, margin: f64, out: &mut Vec<Touch>) {
        let mesh = self.b.mesh;
        let mut found: Vec<DVec3> = Vec::new();
        mesh.in_box(self.x - margin, self.x + margin, &mut |t| {
            let n = mesh.normals()[t];
            let height = n.dot(self.x - mesh.corners(t)[0]);
            let new = !found.iter().any(|o| o.dot(n) > 1.0 - 1e-6);
            if (0.0..margin).contains(&height) && new && is_above(self.x, mesh, t, height) && self.foremost(n) > -LEAN {
                self.push(n, height, found.len(), out);
                found.push(n);
            }
        });
        if found.is_empty() {
            let n = self.direction(near);
            if self.foremost(n) > -LEAN {
                self.push(n, near.distance, 0, out);
            }
        }
    }

    /// Away from an edge or a corner of B; where this is too near to say, along the normal that suits the corner best.
    fn direction(&self, near: &Nearest) -> DVec3 {
        if near.distance > 1e-9 * self.b.size() {
            return near.normal;
        }
        let better = |best: (f64, DVec3), n: DVec3| {
            let worth = self.foremost(n);
            if worth > best.0 { (worth, n) } else { best }
        };
        let start = (self.foremost(near.normal), near.normal);
        self.faces_near(near).into_iter().map(|t| self.b.mesh.normals()[t]).fold(start, better).1
    }

    /// Inside: the nearest triangle; of several, those that the corner is foremost for and that form a hollow.
    fn inside(&self, near: &Nearest, out: &mut Vec<Touch>) {
        let mesh = self.b.mesh;
        let mut faces = self.faces_near(near);
        let suits = |t: &usize| self.foremost(mesh.normals()[*t]);
        faces.sort_by(|s, t| suits(t).total_cmp(&suits(s)).then(s.cmp(t)));
        let mut kept: Vec<usize> = Vec::new();
        for t in faces {
            if kept.is_empty() || (suits(&t) > -LEAN && kept.iter().all(|&s| is_hollow(mesh, s, t))) {
                self.push(mesh.normals()[t], mesh.normals()[t].dot(self.x - mesh.corners(t)[0]), kept.len(), out);
                kept.push(t);
            }
        }
    }

    /// All triangles that the nearest place is on and the corner is not in front of, or not behind of if it is outside.
    fn faces_near(&self, near: &Nearest) -> Vec<usize> {
        let (mesh, size) = (self.b.mesh, ROUNDING * self.b.size());
        let mut faces = Vec::new();
        mesh.in_box(near.point - size, near.point + size, &mut |t| {
            let height = mesh.normals()[t].dot(self.x - mesh.corners(t)[0]);
            let side = if near.distance < 0.0 { height <= 0.0 } else { height >= -size };
            if side && point_triangle(near.point, mesh.corners(t)).0.distance(near.point) <= size {
                faces.push(t);
            }
        });
        faces
    }
}

/// True if the foot of a point at this height is on the triangle.
fn is_above(x: DVec3, mesh: &TriangleMesh, t: usize, height: f64) -> bool {
    let corners = mesh.corners(t);
    let foot = x - mesh.normals()[t] * height;
    point_triangle(foot, corners).0.distance(foot) <= ROUNDING * corners[0].distance(corners[1])
}

/// True if triangle `t` lies in front of the plane of `s`, and is no part of it.
fn is_hollow(mesh: &TriangleMesh, s: usize, t: usize) -> bool {
    let [a, b, c] = mesh.corners(t);
    let middle = (a + b + c) / 3.0 - mesh.corners(s)[0];
    middle.dot(mesh.normals()[s]) > 1e-6 * a.distance(b)
}
