//! Anything against a triangle mesh: every near triangle as a thin face with one side; inner edges make no contacts of their own.

use super::convex::{Axis, Core, Kind, Solid, best_axis, best_face, manifold, separation, settled_by_face};
use super::nearest::nearest_of_mesh;
use super::{Frame, Pose, Touch, bounds};
use crate::model::{Shape, TriangleMesh};
use glamx::DVec3;

/// An edge whose neighbour stays within this slope of the plane is flat.
const FLAT: f64 = 1e-6;

/// A convex shape A on mesh B.
pub(super) fn touch(
    a: &Solid,
    local: (DVec3, DVec3),
    mesh: &TriangleMesh,
    b: &Frame,
    margin: f64,
    out: &mut Vec<Touch>,
) {
    let first = out.len();
    mesh.in_box(local.0 - margin, local.1 + margin, &mut |t| {
        let from = out.len();
        on_triangle(a, mesh, t, b, margin, out);
        for touch in &mut out[from..] {
            touch.feature = touch.feature.rotate_left(20) ^ (t as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    });
    let size = a.reach();
    drop_doubles(out, first, 1e-6 * size);
}

/// The box around a shape in the frame of the mesh.
pub(super) fn local_bounds(shape: &Shape, pose: &Pose, mesh: &Pose) -> (DVec3, DVec3) {
    let back = mesh.rotation.inverse();
    bounds(shape, &Pose { position: back * (pose.position - mesh.position), rotation: back * pose.rotation })
}

fn on_triangle(a: &Solid, mesh: &TriangleMesh, t: usize, b: &Frame, margin: f64, out: &mut Vec<Touch>) {
    let normal = mesh.normals()[t];
    let triangle = Solid { core: Core::Triangle(mesh.corners(t), normal), radius: 0.0, frame: b };
    let Ok(face) = best_face(a, &triangle, margin) else { return };
    let up = b.r * normal;
    if let Some(face) = face.filter(|f| matches!(f.kind, Kind::FaceOfB(_)))
        && settled_by_face(a, &triangle, &face, margin, out)
    {
        return;
    }
    let Some((axis, _)) = best_axis(a, &triangle, face, margin) else { return };
    if axis.n.dot(up) <= 0.0 || (a.frame.x - b.to_world(mesh.corners(t)[0])).dot(up) <= 0.0 {
        return;
    }
    match allowed(mesh, t, b, axis) {
        Some(Kind::Round) => manifold(a, &triangle, &axis, margin, out),
        Some(kind) => {
            let n = up;
            let axis = Axis { n, separation: separation(a, &triangle, n), kind };
            if axis.separation < margin {
                manifold(a, &triangle, &axis, margin, out);
            }
        }
        None => {}
    }
}

/// What a triangle may answer along a direction: its own normal, or at a sharp edge all directions up to the neighbour's normal; what is beyond is the neighbour's.
fn allowed(mesh: &TriangleMesh, t: usize, b: &Frame, axis: Axis) -> Option<Kind> {
    let n = b.turned_back(axis.n);
    let up = mesh.normals()[t];
    if n.dot(up) > 1.0 - 1e-12 {
        return Some(Kind::FaceOfB(0));
    }
    let corners = mesh.corners(t);
    // The corner or the edge of the triangle that is farthest along the direction.
    let heights = corners.map(|c| c.dot(n));
    let top = heights[0].max(heights[1]).max(heights[2]);
    let high = |k: usize| top - heights[k % 3] < 1e-4 * corners[0].distance(corners[1]);
    let on_edge = (0..3).any(|k| high(k) && high(k + 1));
    let touched = |k: usize| if on_edge { high(k) && high(k + 1) } else { high(k) || high(k + 1) };
    for k in (0..3).filter(|&k| touched(k)) {
        let Some(s) = mesh.neighbour(t, k) else { continue };
        let along = corners[(k + 1) % 3] - corners[k];
        let rise = mesh.normals()[s].cross(up).dot(along) / along.length();
        // The neighbour rises above the plane or lies in it: the edge is hollow or flat.
        if rise > -FLAT {
            return Some(Kind::FaceOfB(0));
        }
        // Out of the neighbour across the edge; a direction that leans out of it belongs to the neighbour's face.
        let out_of_neighbour = mesh.normals()[s].cross(along);
        if n.dot(out_of_neighbour) < 0.0 {
            return None;
        }
    }
    Some(axis_kind(axis))
}

fn axis_kind(axis: Axis) -> Kind {
    match axis.kind {
        Kind::FaceOfB(_) => Kind::FaceOfB(0),
        _ => Kind::Round,
    }
}

/// Points of several triangles in one place with one normal are one.
fn drop_doubles(out: &mut Vec<Touch>, first: usize, tolerance: f64) {
    let mut kept = first;
    for k in first..out.len() {
        let t = out[k];
        let same = |o: &Touch| o.point_a.distance(t.point_a) < tolerance && o.normal.dot(t.normal) > 1.0 - 1e-6;
        if !out[first..kept].iter().any(same) {
            out[kept] = t;
            kept += 1;
        }
    }
    out.truncate(kept);
}

/// Corners of each mesh against the triangles of the other, from outside to a depth of the margin; edges against edges are left out.
pub(super) fn two_meshes(
    (a, fa): (&TriangleMesh, &Frame),
    (b, fb): (&TriangleMesh, &Frame),
    margin: f64,
    out: &mut Vec<Touch>,
) {
    let first = out.len();
    corners_on((a, fa), (b, fb), margin, out);
    let middle = out.len();
    corners_on((b, fb), (a, fa), margin, out);
    for touch in &mut out[middle..] {
        super::mirror(touch);
        touch.feature |= 1 << 63;
    }
    let (low, high) = a.bounds();
    drop_doubles(out, first, 1e-9 * low.distance(high));
}

fn corners_on((a, fa): (&TriangleMesh, &Frame), (b, fb): (&TriangleMesh, &Frame), margin: f64, out: &mut Vec<Touch>) {
    let (low, high) = b.bounds();
    let depth = margin.max(0.05 * low.distance(high));
    for (v, &x) in a.vertices().iter().enumerate() {
        let x = fa.to_world(x);
        let Some(near) = nearest_of_mesh(fb.to_local(x), b, depth) else { continue };
        if near.distance < margin {
            let normal = fb.r * near.normal;
            let point_b = fb.to_world(near.point);
            let feature = (v as u64) << 24 ^ u64::from(near.feature);
            out.push(Touch { point_a: x, point_b, normal, gap: near.distance, feature });
        }
    }
}
