//! The points of two convex solids that touch along a known direction.

use super::feature::{Corner, Outline};
use super::{Axis, Core, Kind, Solid};
use crate::collide::shapes::{Touch, mirror};
use glamx::DVec3;

/// How far the sides of a face are moved out, relative to its size: corners above each other stay corners.
pub(in super::super) const LEEWAY: f64 = 1e-5;

/// Points of a manifold at most.
const MOST_POINTS: usize = 8;

/// Start [m], unit direction and length [m] of an edge.
type Edge = (DVec3, DVec3, f64);

/// Edges whose angle has a cosine above this touch along a line.
const PARALLEL: f64 = 1.0 - 1e-6;

/// Appends the points of the pair that are nearer than the margin.
pub(in super::super) fn manifold(a: &Solid, b: &Solid, axis: &Axis, margin: f64, out: &mut Vec<Touch>) {
    let first = out.len();
    match axis.kind {
        Kind::FaceOfB(k) => on_face(b, k, a, axis, margin, out),
        Kind::FaceOfA(k) => {
            on_face(a, k, b, &Axis { n: -axis.n, ..*axis }, margin, out);
            for touch in &mut out[first..] {
                mirror(touch);
                touch.feature |= 1 << 62;
            }
        }
        Kind::Round => between(a, b, axis, out),
    }
    thin_out(out, first);
}

/// `other` lies on face `k` of `base`: what faces the face, within its sides, and the deepest point.
fn on_face(base: &Solid, k: u32, other: &Solid, axis: &Axis, margin: f64, out: &mut Vec<Touch>) {
    let n = axis.n;
    let (face, facing) = (base.face(k), other.facing(-n));
    let Some(o) = face.corners().first().map(|c| c.x) else { return };
    let (mut clipped, cut) = within(facing, &face, n);
    if matches!(clipped.corners(), [c] if is_beside_disc(base, c.x)) {
        clipped.clear();
    }
    let first = out.len();
    let name = 1 << 63 | u64::from(k & 0xfff) << 44 | u64::from(facing.name & 0xfff) << 32;
    let add = |x: DVec3, feature: u64, out: &mut Vec<Touch>| {
        let x = x - n * other.radius;
        let gap = (x - o).dot(n);
        if gap < margin {
            out.push(Touch { point_a: x, point_b: x - n * gap, normal: n, gap, feature });
        }
    };
    // All of a disc is on the face: four of its eight points do.
    let step = if facing.round && !cut { 2 } else { 1 };
    for c in clipped.corners().iter().step_by(step) {
        add(c.x, name | u64::from(c.enter) << 16 | u64::from(c.leave), out);
    }
    let least = out[first..].iter().map(|t| t.gap).fold(f64::MAX, f64::min);
    let deepest = other.support(-n);
    if least > axis.separation + 1e-9 * base.reach() && inside(deepest, &face, n) && !is_beside_disc(base, deepest) {
        add(deepest, name | 0xffff_ffff, out);
    }
}

/// True if a point is not above the flat face of a cylinder or cone, a disc. The outline of a disc is drawn around it, so that nothing that lies on
/// it is cut off; a single point is above the disc itself, or beside it.
fn is_beside_disc(base: &Solid, x: DVec3) -> bool {
    match base.core {
        Core::Cylinder(_, r) | Core::Cone(_, r) => base.frame.to_local(x).truncate().length() > r,
        _ => false,
    }
}

/// Cuts an outline by the sides of a face; true if that took something away.
fn within(outline: Outline, face: &Outline, n: DVec3) -> (Outline, bool) {
    let mut kept = outline;
    let mut cut = false;
    for (label, (o, side)) in sides(face, n).enumerate() {
        let over = |c: &Corner| (c.x - o).dot(side);
        if kept.corners().iter().any(|c| over(c) > 0.0) {
            kept = clip(&kept, over, 256 + label as u16);
            cut = true;
        }
    }
    (kept, cut)
}

/// A point and the outward direction of every side of a face.
fn sides(face: &Outline, n: DVec3) -> impl Iterator<Item = (DVec3, DVec3)> + '_ {
    let corners = face.corners();
    let size = corners.first().zip(corners.get(corners.len() / 2)).map_or(0.0, |(a, b)| a.x.distance(b.x));
    corners.iter().enumerate().map(move |(k, c)| {
        let next = corners[(k + 1) % corners.len()].x;
        let side = (next - c.x).cross(n).normalize_or_zero();
        (c.x + side * (LEEWAY * size), side)
    })
}

fn inside(x: DVec3, face: &Outline, n: DVec3) -> bool {
    sides(face, n).all(|(o, side)| (x - o).dot(side) <= 0.0)
}

/// The part of an outline where `over ≤ 0`. A segment is a polygon of two corners that goes there and back.
fn clip(outline: &Outline, over: impl Fn(&Corner) -> f64, label: u16) -> Outline {
    let mut kept = *outline;
    kept.clear();
    let Some(mut p) = outline.corners().last() else { return kept };
    let segment = outline.corners().len() == 2;
    let mut from = over(p);
    for (k, q) in outline.corners().iter().enumerate() {
        let to = over(q);
        // The way back along a segment would name the same cut twice.
        if (from <= 0.0) != (to <= 0.0) && !(segment && k == 0) {
            let x = p.x.lerp(q.x, from / (from - to));
            let (enter, leave) = if to <= 0.0 { (label, p.leave) } else { (p.leave, label) };
            kept.push(Corner { x, enter, leave });
        }
        if to <= 0.0 {
            kept.push(*q);
        }
        (p, from) = (q, to);
    }
    kept
}

/// Edges, corners and round parts: two points where parallel edges lie along each other, else one.
fn between(a: &Solid, b: &Solid, axis: &Axis, out: &mut Vec<Touch>) {
    let n = axis.n;
    let (x, y) = (a.support(-n), b.support(n));
    let (edge_a, edge_b) = (edge(a, -n, y), edge(b, n, x));
    let mut add = |x: DVec3, y: DVec3, feature: u64| {
        let (point_a, point_b) = (x - n * a.radius, y + n * b.radius);
        // The points are as far apart as the solids, and along the normal.
        let middle = (point_a + point_b) / 2.0;
        let half = n * (axis.separation / 2.0);
        out.push(Touch { point_a: middle + half, point_b: middle - half, normal: n, gap: axis.separation, feature });
    };
    match (edge_a, edge_b) {
        (None, None) => add(x, y, 0),
        (Some((p, e, l)), None) => {
            let s = (y - p).dot(e).clamp(0.0, l);
            add(p + e * s, y, 1);
        }
        (None, Some((q, f, m))) => {
            let u = (x - q).dot(f).clamp(0.0, m);
            add(x, q + f * u, 2);
        }
        (Some((p, e, l)), Some((q, f, m))) if e.dot(f).abs() > PARALLEL => {
            let other = [(q - p).dot(e), (q - p).dot(e) + m * f.dot(e)];
            let (low, high) = (other[0].min(other[1]).max(0.0), other[0].max(other[1]).min(l));
            for (k, s) in [low, high].into_iter().enumerate().take(if high > low { 2 } else { 1 }) {
                let here = p + e * s;
                add(here, q + f * (here - q).dot(f), 3 + k as u64);
            }
        }
        (Some((p, e, l)), Some((q, f, m))) => {
            let (d, c) = (q - p, e.dot(f));
            let scale = 1.0 / (1.0 - c * c);
            let (s, u) = ((d.dot(e) - c * d.dot(f)) * scale, (c * d.dot(e) - d.dot(f)) * scale);
            add(p + e * s.clamp(0.0, l), q + f * u.clamp(0.0, m), 5);
        }
    }
}

/// Start, unit direction and length of the straight edge that a solid turns towards a direction, if it does; of several the one
/// that is nearest to a point. The edge of a polyhedron that is farthest need not be one of the face that looks there most.
fn edge(solid: &Solid, d: DVec3, point: DVec3) -> Option<Edge> {
    let (top, size) = (solid.support(d).dot(d), solid.reach());
    let high = |x: DVec3| top - x.dot(d) < 1e-4 * size;
    let along = |[p, q]: [DVec3; 2]| {
        let e = q - p;
        let length = e.length();
        let across = length > 0.0 && (e.dot(d) / length).abs() < 1e-4;
        (across && high(p) && high(q)).then(|| (p, e / length, length))
    };
    if let Core::Hull(hull) = solid.core {
        let place = |v: u32| solid.frame.to_world(hull.vertices()[v as usize]);
        return nearest_to(point, hull.edges().iter().map(|e| e.map(place)).filter_map(along));
    }
    let facing = solid.facing(d);
    let corners = facing.corners();
    let sides = (0..corners.len()).filter(|_| corners.len() > 1 && !facing.round);
    nearest_to(point, sides.map(|k| [corners[k].x, corners[(k + 1) % corners.len()].x]).filter_map(along))
}

fn nearest_to(point: DVec3, edges: impl Iterator<Item = Edge>) -> Option<Edge> {
    let far = |&(p, e, l): &Edge| point.distance_squared(p + e * (point - p).dot(e).clamp(0.0, l));
    edges.min_by(|a, b| far(a).total_cmp(&far(b)))
}

/// Leaves the deepest point and those farthest from the ones kept.
pub(in super::super) fn thin_out(out: &mut Vec<Touch>, first: usize) {
    if out.len() - first <= MOST_POINTS {
        return;
    }
    let points = &mut out[first..];
    for kept in 0..MOST_POINTS {
        let worth = |k: usize, points: &[Touch]| match kept {
            0 => -points[k].gap,
            _ => points[..kept].iter().map(|t| t.point_a.distance_squared(points[k].point_a)).fold(f64::MAX, f64::min),
        };
        let best = (kept..points.len()).fold(kept, |b, k| if worth(k, points) > worth(b, points) { k } else { b });
        points.swap(kept, best);
    }
    out.truncate(first + MOST_POINTS);
}
