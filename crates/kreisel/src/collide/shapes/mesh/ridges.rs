//! Sharp edges of a mesh near a convex solid that no triangle has answered for.
//!
//! The shortest way of a solid out of a triangle may lie in the plane of the triangle, or lean over to its neighbour: then the neighbour has to
//! answer. Where a corner of the mesh is in the solid, every triangle there may pass it on to the next. What is left is the edge in the solid, and
//! the solid knows how deep it is: its signed distance is convex along a straight line.

use crate::collide::shapes::convex::Solid;
use crate::collide::shapes::nearest::{nearest, point_triangle};
use crate::collide::shapes::{Frame, Touch};
use crate::model::{Shape, TriangleMesh};
use glamx::DVec3;

/// Halvings of an edge in search of its nearest place: golden sections down to rounding.
const SECTIONS: u32 = 60;

/// Edges may lead up from a ridge by this slope [1]: those of flat faces do, by rounding.
const LEVEL: f64 = 1e-3;

/// A place this near to a triangle, relative to an edge, is on it [1].
const ROUNDING: f64 = 1e-9;

/// A solid that came near a mesh, and what its triangles said.
pub(super) struct Silence<'a> {
    pub solid: &'a Solid<'a>,
    pub shape: &'a Shape,
    pub mesh: &'a TriangleMesh,
    pub frame: &'a Frame,
    /// Triangles that are near and have not answered.
    pub silent: Vec<usize>,
    /// Triangles that have.
    pub answered: Vec<usize>,
}

impl Silence<'_> {
    /// Appends the places of sharp edges nearer than the margin.
    pub fn break_at_ridges(&self, margin: f64, out: &mut Vec<Touch>) {
        for &t in &self.silent {
            for k in (0..3).filter(|&k| self.is_ridge(t, k)) {
                out.extend(self.on_edge(t, k).filter(|touch| touch.gap < margin));
            }
        }
    }

    /// If nobody has said how deep the solid is: the face that it is least deep behind.
    pub fn break_at_a_face(&self, out: &mut Vec<Touch>) {
        let (middle, mesh) = (self.solid.middle(), self.mesh);
        let behind = |&t: &usize| {
            let (normal, place) = (self.frame.r * mesh.normals()[t], self.frame.to_world(mesh.corners(t)[0]));
            let touch = super::out_along(self.solid, place, normal);
            let on = self.frame.to_local(touch.point_b);
            let corners = mesh.corners(t);
            let beside = point_triangle(on, corners).0.distance(on) > ROUNDING * corners[0].distance(corners[1]);
            (!beside && touch.gap < 0.0 && (middle - place).dot(normal) > 0.0).then_some(touch)
        };
        out.extend(self.silent.iter().filter_map(behind).max_by(|a, b| a.gap.total_cmp(&b.gap)));
    }

    /// True for the sharp edge after a corner of a triangle; the first of two silent triangles has it.
    fn is_ridge(&self, t: usize, k: usize) -> bool {
        let mine = |s: usize| s > t || !self.silent.contains(&s);
        self.mesh.neighbour(t, k).is_some_and(mine) && self.mesh.rise(t, k).is_some_and(|rise| rise < -super::FLAT)
    }

    /// The place of an edge that is nearest to the solid or deepest in it, if no triangle there has answered.
    fn on_edge(&self, t: usize, k: usize) -> Option<Touch> {
        let (mesh, corners) = (self.mesh, self.mesh.corners(t));
        let (start, along) = (corners[k], corners[(k + 1) % 3] - corners[k]);
        let near = |s: f64| {
            let x = self.solid.frame.to_local(self.frame.to_world(start + along * s));
            nearest(self.shape, x, f64::INFINITY)
        };
        let s = lowest(|s| near(s).map_or(f64::INFINITY, |near| near.distance));
        let (place, near) = (start + along * s, near(s)?);
        let normal = -(self.solid.frame.r * near.normal);
        let on = |&t: &usize| point_triangle(place, mesh.corners(t)).0.distance(place) <= ROUNDING * along.length();
        if self.answered.iter().any(on) || !self.faces_out(t, k, s, self.frame.turned_back(normal), near.distance) {
            return None;
        }
        let point_b = self.frame.to_world(place);
        let feature = 1 << 61 | (3 * t + k) as u64;
        Some(Touch { point_a: point_b + normal * near.distance, point_b, normal, gap: near.distance, feature })
    }

    /// True if a direction leads out of the mesh at a place of an edge: what lies deep may leave by any such way, what is near touches there
    /// only if the mesh falls away on all sides.
    fn faces_out(&self, t: usize, k: usize, s: f64, n: DVec3, gap: f64) -> bool {
        let (mesh, corners) = (self.mesh, self.mesh.corners(t));
        let beyond = mesh.neighbour(t, k).unwrap_or(t);
        let outward = mesh.normals()[t] + mesh.normals()[beyond];
        if gap < 0.0 {
            return n.dot(outward) > 0.0;
        }
        let falls = |way: DVec3| n.dot(way.normalize_or_zero()) <= LEVEL;
        let end = if s < ROUNDING { Some(k) } else { (s > 1.0 - ROUNDING).then_some((k + 1) % 3) };
        match end {
            Some(end) => mesh.ring(mesh.triangles()[t][end] as usize).all(|w| falls(w - corners[end])),
            None => {
                let along = corners[(k + 1) % 3] - corners[k];
                falls(mesh.normals()[t].cross(along)) && falls(-mesh.normals()[beyond].cross(along))
            }
        }
    }
}

/// Where a convex function is lowest between 0 and 1: by golden sections. [Kie53]
fn lowest(f: impl Fn(f64) -> f64) -> f64 {
    let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut low, mut high) = (0.0, 1.0);
    let (mut x, mut y) = (1.0 - ratio, ratio);
    let (mut fx, mut fy) = (f(x), f(y));
    for _ in 0..SECTIONS {
        if fx <= fy {
            (high, y, fy) = (y, x, fx);
            x = high - ratio * (high - low);
            fx = f(x);
        } else {
            (low, x, fx) = (x, y, fy);
            y = low + ratio * (high - low);
            fy = f(y);
        }
    }
    [0.0, 1.0]
        .into_iter()
        .fold((0.5 * (low + high), fx.min(fy)), |best, s| if f(s) <= best.1 { (s, f(s)) } else { best })
        .0
}
