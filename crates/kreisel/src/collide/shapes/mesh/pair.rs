//! Two meshes of which neither is convex: corners of each on the triangles of the other, and edges across edges.
//!
//! The contacts of polyhedra are of these two kinds; all others (corner on corner, corner on edge, edge along edge) are limits of them. [Eri05 ch. 5]

use super::{REST, corners, edges, skewers, thin};
use crate::collide::shapes::{Frame, Touch, mirror, nearest::nearest_of_mesh};
use crate::model::TriangleMesh;
use glamx::DVec3;

/// How deep open meshes, which have no inside, and crossed edges are looked for, as a share of the smaller mesh [1].
const DEEPEST: f64 = 0.05;

/// A mesh somewhere in the world.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub mesh: &'a TriangleMesh,
    pub frame: &'a Frame,
}

impl Placed<'_> {
    /// Diagonal of the box around it [m].
    pub fn size(&self) -> f64 {
        let (low, high) = self.mesh.bounds();
        low.distance(high)
    }

    /// Distance of a point of the world from the surface [m], negative inside.
    pub fn distance(&self, x: DVec3, reach: f64) -> f64 {
        nearest_of_mesh(self.frame.to_local(x), self.mesh, reach).map_or(f64::INFINITY, |near| near.distance)
    }
}

/// Appends the points of two meshes that are nearer than the margin.
pub(in crate::collide::shapes) fn two_meshes(
    (a, fa): (&TriangleMesh, &Frame),
    (b, fb): (&TriangleMesh, &Frame),
    margin: f64,
    out: &mut Vec<Touch>,
) {
    let (a, b) = (Placed { mesh: a, frame: fa }, Placed { mesh: b, frame: fb });
    let size = a.size().min(b.size());
    let depth = margin.max(DEEPEST * size);
    let first = out.len();
    corners::on(&a, &b, margin, depth, out);
    let middle = out.len();
    corners::on(&b, &a, margin, depth, out);
    out[middle..].iter_mut().for_each(from_b);
    edges::across(&a, &b, margin, depth, out);
    skewers::through(&a, &b, out);
    let middle = out.len();
    skewers::through(&b, &a, out);
    out[middle..].iter_mut().for_each(from_b);
    thin::drop_doubles(out, first, fa.to_world(DVec3::ZERO), 1e-9 * size);
    if a.mesh.open_edges() + b.mesh.open_edges() > 0 {
        thin::keep_shortest_ways(out, first);
    } else {
        thin::keep_needed_ways(out, first, 0.0, |t, way| is_left(t, way, &a, &b));
    }
    thin::thin_out_by_normals(out, first);
}

/// True if a place is one of overlap no more when A has gone this way: what is of A is out of B, and the other way round.
fn is_left(t: &Touch, way: DVec3, a: &Placed, b: &Placed) -> bool {
    let out = |x: DVec3, of: &Placed| of.distance(x, f64::INFINITY) >= REST * t.gap;
    out(t.point_a + way, b) && out(t.point_b - way, a)
}

/// What B has found on A, as A sees it.
fn from_b(touch: &mut Touch) {
    mirror(touch);
    touch.feature |= 1 << 63;
}
