//! Anything against a triangle mesh: every near triangle as a thin face with one side; inner edges make no contacts of their own.

mod corners;
mod edges;
mod pair;
mod ridges;
mod skewers;
mod thin;

pub(super) use pair::two_meshes;

use super::convex::{Axis, Core, Kind, LEEWAY, Solid, best_axis, best_face, manifold, separation, settled_by_face};
use super::nearest::{nearest, nearest_of_mesh};
use super::{Frame, Pose, Touch, bounds};
use crate::model::{Shape, TriangleMesh};
use glamx::DVec3;
use ridges::Silence;

/// An edge whose neighbour stays within this slope of the plane is flat.
const FLAT: f64 = 1e-6;

/// Faces are cut a little beyond the sides of a triangle; what is cut off there lies so near, relative to its size, to a corner
/// that the neighbour has.
const BESIDE: f64 = 4.0 * LEEWAY;

/// A direction that rises above a triangle by no more than this slope lies in it, and is a neighbour's to answer [1]: a box that lies on one
/// face of a mesh would else be lifted over the next.
const LEVEL: f64 = 1e-3;

/// Sine of the angle by which an edge may lie askew on a face that it touches [1]: beyond it the two cross in a point.
const SLANT: f64 = 0.05;

/// Cosine of the angle between the face and the direction of least overlap, then.
const ASKEW: f64 = 0.998;

/// A sheet that reaches this far into a solid, as a share of its size, has been run through [1].
const STUCK: f64 = 0.01;

/// Overlap below this share of the size of a solid is left by the way that its triangle says [1]; of what is deeper, shorter ways are looked for.
const DEEP: f64 = 1e-3;

/// A place that is left but for this share of its depth is left [1].
const REST: f64 = 0.1;

/// The name of the contact with a mesh that a solid is inside of.
const SWALLOWED: u64 = u64::MAX;

/// A convex shape A on mesh B.
pub(super) fn touch(
    (a, shape): (&Solid, &Shape),
    local: (DVec3, DVec3),
    mesh: &TriangleMesh,
    b: &Frame,
    margin: f64,
    out: &mut Vec<Touch>,
) {
    let (first, mut extent) = (out.len(), 0.0_f64);
    let mut silence = Silence { solid: a, shape, mesh, frame: b, silent: Vec::new(), answered: Vec::new() };
    mesh.in_box(local.0 - margin, local.1 + margin, &mut |t| {
        let from = out.len();
        let near = on_triangle(a, mesh, t, b, margin, out);
        let corners = mesh.corners(t);
        extent = (0..3).fold(extent, |e, k| e.max(corners[k].distance(corners[(k + 1) % 3])));
        for touch in &mut out[from..] {
            touch.feature = touch.feature.rotate_left(20) ^ (t as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        match near {
            _ if out.len() > from => silence.answered.push(t),
            true => silence.silent.push(t),
            false => {}
        }
    });
    silence.break_at_ridges(margin, out);
    if out.len() == first {
        silence.break_at_a_face(out);
    }
    let beside = (BESIDE * extent).min(0.01 * a.reach());
    thin::drop_doubles(out, first, a.middle(), beside.max(1e-6 * a.reach()));
    if let Some(deep) = swallowed(a, mesh, b).or_else(|| pierced(a, shape, mesh, b)) {
        out.truncate(first);
        out.push(deep);
    }
    if mesh.open_edges() == 0 {
        let of_mesh = |x: DVec3| nearest_of_mesh(b.to_local(x), mesh, f64::INFINITY);
        let of_solid = |x: DVec3| nearest(shape, a.frame.to_local(x), f64::INFINITY);
        let is_left = |t: &Touch, way: DVec3| {
            let near = [of_mesh(t.point_a + way), of_solid(t.point_b - way)];
            near.iter().flatten().all(|near| near.distance >= REST * t.gap)
        };
        thin::keep_needed_ways(out, first, DEEP * a.reach(), is_left);
    }
    thin::thin_out_by_normals(out, first);
}

/// How a solid leaves a closed mesh that its middle is inside of: the shortest way for the middle.
fn swallowed(a: &Solid, mesh: &TriangleMesh, b: &Frame) -> Option<Touch> {
    let middle = a.middle();
    let x = b.to_local(middle);
    let (low, high) = mesh.bounds();
    if mesh.open_edges() > 0 || x.cmplt(low).any() || x.cmpgt(high).any() {
        return None;
    }
    let near = nearest_of_mesh(x, mesh, f64::INFINITY).filter(|near| near.distance < 0.0)?;
    Some(out_along(a, b.to_world(near.point), b.r * near.normal))
}

/// How a solid leaves an open sheet that it is stuck in, its middle still before it: by the shortest way for the middle. Its
/// triangles tell no more of how the solid came there, and a sheet has no inside to be pushed out of.
fn pierced(a: &Solid, shape: &Shape, mesh: &TriangleMesh, b: &Frame) -> Option<Touch> {
    if mesh.open_edges() == 0 {
        return None;
    }
    let near = nearest_of_mesh(b.to_local(a.middle()), mesh, a.reach()).filter(|near| near.distance > 0.0)?;
    let place = b.to_world(near.point);
    let deep = nearest(shape, a.frame.to_local(place), a.reach()).is_some_and(|n| n.distance < -STUCK * a.reach());
    deep.then(|| out_along(a, place, b.r * near.normal))
}

/// The contact that moves a solid along a normal until it is before a place.
fn out_along(a: &Solid, place: DVec3, normal: DVec3) -> Touch {
    let point_a = a.support(-normal) - normal * a.radius;
    let gap = (point_a - place).dot(normal);
    Touch { point_a, point_b: point_a - normal * gap, normal, gap, feature: SWALLOWED }
}

/// The box around a shape in the frame of the mesh.
pub(super) fn local_bounds(shape: &Shape, pose: &Pose, mesh: &Pose) -> (DVec3, DVec3) {
    let back = mesh.rotation.inverse();
    bounds(shape, &Pose { position: back * (pose.position - mesh.position), rotation: back * pose.rotation })
}

/// Appends where a triangle touches a solid; false if it is farther away than the margin.
fn on_triangle(a: &Solid, mesh: &TriangleMesh, t: usize, b: &Frame, margin: f64, out: &mut Vec<Touch>) -> bool {
    let normal = mesh.normals()[t];
    let triangle = Solid { core: Core::Triangle(mesh.corners(t), normal), radius: 0.0, frame: b };
    let Ok(face) = best_face(a, &triangle, margin) else { return false };
    let up = b.r * normal;
    if let Some(face) = face.filter(|f| matches!(f.kind, Kind::FaceOfB(_)))
        && settled_by_face(a, &triangle, &face, margin, out)
    {
        return true;
    }
    let Some((axis, _)) = best_axis(a, &triangle, face, margin) else { return false };
    if axis.n.dot(up) <= LEVEL || (a.middle() - b.to_world(mesh.corners(t)[0])).dot(up) <= 0.0 {
        return true;
    }
    match (allowed(mesh, t, b, axis), across(mesh, t, b, &axis, face)) {
        (Some(Kind::Round), _) => manifold(a, &triangle, &axis, margin, out),
        (_, Some(face)) => manifold(a, &triangle, &face, margin, out),
        (Some(kind), None) => {
            let n = up;
            let axis = Axis { n, separation: separation(a, &triangle, n), kind };
            if axis.separation < margin {
                manifold(a, &triangle, &axis, margin, out);
            }
        }
        (None, None) => {}
    }
    true
}

/// The face of A that a sharp edge of the triangle lies across, a little askew. The corner at the end of the edge that is farthest along the
/// direction may be far beside the face, and what else meets there has no say.
fn across(mesh: &TriangleMesh, t: usize, b: &Frame, axis: &Axis, face: Option<Axis>) -> Option<Axis> {
    let face = face.filter(|f| matches!(f.kind, Kind::FaceOfA(_)) && f.n.dot(axis.n) > ASKEW)?;
    let n = b.turned_back(face.n);
    (0..3).any(|k| is_answered_by_edge(mesh, t, k, n)).then_some(face)
}

/// True if a direction is, but for a little along the edge after a corner, between the normals of both faces at this edge, which is sharp.
fn is_answered_by_edge(mesh: &TriangleMesh, t: usize, k: usize, n: DVec3) -> bool {
    let (Some(s), Some(rise)) = (mesh.neighbour(t, k), mesh.rise(t, k)) else { return false };
    let corners = mesh.corners(t);
    let along = (corners[(k + 1) % 3] - corners[k]).normalize_or_zero();
    let slope = n.dot(along);
    let level = n - along * slope;
    let (out_of_own, out_of_neighbour) = (along.cross(mesh.normals()[t]), mesh.normals()[s].cross(along));
    rise <= -FLAT && slope.abs() < SLANT && level.dot(out_of_own) > LEVEL && level.dot(out_of_neighbour) > LEVEL
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
        // The neighbour rises above the plane or lies in it: the edge is hollow or flat.
        if mesh.rise(t, k).is_some_and(|rise| rise > -FLAT) {
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
