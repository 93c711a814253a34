//! The points of two convex solids that touch along a known direction.

use super::feature::{Corner, Outline};
use super::{Axis, Kind, Solid};
use crate::collide::shapes::{Touch, mirror};
use glamx::DVec3;

/// How far the sides of a face are moved out, relative to its size: corners above each other stay corners.
pub(in super::super) const LEEWAY: f64 = 1e-5;

/// Points of a manifold at most.
const MOST_POINTS: usize = 8;

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
    let (clipped, cut) = within(facing, &face, n);
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
    if least > axis.separation + 1e-9 * base.reach() && inside(deepest, &face, n) {
        add(deepest, name | 0xffff_ffff, out);
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
    let (edge_a, edge_b) = (edge(a, -n), edge(b, n));
    let mut add = |x: DVec3, y: DVec3, feature: u64| {
        let (point_a, point_b) = (x - n * a.radius, y + n * b.radius);
        // The points are as far apart as the solids, and along the normal.
        let middle = (point_a + point_b) / 2.0;
        let half = n * (axis.separation / 2.0);
        out.push(Touch { point_a: middle + half, point_b: middle - half, normal: n, gap: axis.separation, feature });
    };
    let (x, y) = (a.support(-n), b.support(n));
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

/// Start, unit direction and length of the straight edge that a solid turns towards a direction, if it does.
fn edge(solid: &Solid, d: DVec3) -> Option<(DVec3, DVec3, f64)> {
    let facing = solid.facing(d);
    let corners = facing.corners();
    let along = |p: DVec3, q: DVec3| {
        let e = q - p;
        let length = e.length();
        (length > 0.0 && (e.dot(d) / length).abs() < 1e-4).then(|| (p, e / length, length))
    };
    let top = corners.iter().map(|c| c.x.dot(d)).fold(f64::MIN, f64::max);
    let size = solid.reach();
    let high = |p: DVec3| top - p.dot(d) < 1e-4 * size;
    (0..corners.len()).filter(|_| corners.len() > 1 && !facing.round).find_map(|k| {
        let (p, q) = (corners[k].x, corners[(k + 1) % corners.len()].x);
        if high(p) && high(q) { along(p, q) } else { None }
    })
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
