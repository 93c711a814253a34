//! Two boxes that touch with a face: the other's face, clipped by the sides of this one.

use super::super::{Frame, Touch, mirror, sign};
use super::Pair;
use glamx::{DMat3, DVec3};

/// How far the sides are moved out, relative to the half side: corners above each other stay corners.
const LEEWAY: f64 = 1e-5;

/// A corner of the clipped face: place in the plane of the reference face, height above it, and the two lines that meet there.
#[derive(Clone, Copy, Default)]
struct Corner {
    u: f64,
    v: f64,
    w: f64,
    enter: u8,
    leave: u8,
}

/// Corners of the polygon: each of the four sides adds at most one to the four there are.
#[derive(Clone, Copy, Default)]
struct Polygon {
    corners: [Corner; 8],
    count: usize,
}

impl Polygon {
    fn push(&mut self, corner: Corner) {
        if let Some(place) = self.corners.get_mut(self.count) {
            *place = corner;
            self.count += 1;
        }
    }

    fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }
}

/// Reference face: number `k` of A.
pub(super) fn touch(pair: &Pair, k: usize, a: &Frame, margin: f64, out: &mut Vec<Touch>) {
    manifold((pair.ha, a), (pair.hb, &pair.c, pair.t), k, margin, out);
}

/// Reference face: number `k` of B.
pub(super) fn touch_swapped(pair: &Pair, k: usize, b: &Frame, margin: f64, out: &mut Vec<Touch>) {
    let first = out.len();
    manifold((pair.hb, b), (pair.ha, &pair.c.transpose(), -pair.tb), k, margin, out);
    for touch in &mut out[first..] {
        mirror(touch);
        touch.feature |= 1 << 33;
    }
}

/// The points of the box (half size, axes, centre, all in the reference frame) above face `k` of the reference box.
fn manifold((h, frame): (DVec3, &Frame), other: (DVec3, &DMat3, DVec3), k: usize, margin: f64, out: &mut Vec<Touch>) {
    let side = sign(other.2[k]);
    let (face, mut polygon) = incident(other, h[k], k, side);
    let (k1, k2) = ((k + 1) % 3, (k + 2) % 3);
    let (limit_u, limit_v) = (h[k1] * (1.0 + LEEWAY), h[k2] * (1.0 + LEEWAY));
    keep_within(&mut polygon, |c| c.u, limit_u, 4);
    keep_within(&mut polygon, |c| c.v, limit_v, 6);
    let axes = [frame.r.x_axis, frame.r.y_axis, frame.r.z_axis];
    let (out_of_reference, origin) = (axes[k] * side, frame.x + axes[k] * (side * h[k]));
    let name = (k as u64) << 8 | u64::from(side > 0.0) << 10 | (face as u64) << 11;
    for c in polygon.corners().iter().filter(|c| c.w < margin) {
        let point_a = origin + axes[k1] * c.u + axes[k2] * c.v;
        let feature = name | u64::from(c.enter) << 4 | u64::from(c.leave);
        let point_b = point_a + out_of_reference * c.w;
        out.push(Touch { point_a, point_b, normal: -out_of_reference, gap: c.w, feature });
    }
}

/// Keeps the part of a polygon where a coordinate is at most `limit` either way.
fn keep_within(polygon: &mut Polygon, value: impl Fn(&Corner) -> f64, limit: f64, label: u8) {
    if polygon.corners().iter().any(|c| value(c) > limit) {
        *polygon = clip(polygon, |c| value(c) - limit, label);
    }
    if polygon.corners().iter().any(|c| -value(c) > limit) {
        *polygon = clip(polygon, |c| -value(c) - limit, label + 1);
    }
}

/// The face of the other box that looks most against the reference face, with its number.
fn incident((h, c, t): (DVec3, &DMat3, DVec3), height: f64, k: usize, side: f64) -> (usize, Polygon) {
    let axes = [c.x_axis, c.y_axis, c.z_axis];
    let slope = DVec3::new(axes[0][k], axes[1][k], axes[2][k]);
    let j = slope.abs().max_position();
    let outward = -sign(side * slope[j]);
    let centre = t + axes[j] * (outward * h[j]);
    let (e, f) = (axes[(j + 1) % 3] * h[(j + 1) % 3], axes[(j + 2) % 3] * h[(j + 2) % 3]);
    let mut polygon = Polygon::default();
    for (n, x) in [centre + e + f, centre - e + f, centre - e - f, centre + e - f].into_iter().enumerate() {
        let (u, v, w) = (x[(k + 1) % 3], x[(k + 2) % 3], side * x[k] - height);
        polygon.push(Corner { u, v, w, enter: (n as u8 + 3) % 4, leave: n as u8 });
    }
    (2 * j + usize::from(outward > 0.0), polygon)
}

/// The part of a polygon where `over ≤ 0`; the cut gets its own label.
fn clip(polygon: &Polygon, over: impl Fn(&Corner) -> f64, label: u8) -> Polygon {
    let mut kept = Polygon::default();
    let Some(mut p) = polygon.corners().last() else { return kept };
    let mut from = over(p);
    for q in polygon.corners() {
        let to = over(q);
        if (from <= 0.0) != (to <= 0.0) {
            let s = from / (from - to);
            let cut = Corner { u: p.u + s * (q.u - p.u), v: p.v + s * (q.v - p.v), w: p.w + s * (q.w - p.w), ..*p };
            let inwards = to <= 0.0;
            let (enter, leave) = if inwards { (label, p.leave) } else { (p.leave, label) };
            kept.push(Corner { enter, leave, ..cut });
        }
        if to <= 0.0 {
            kept.push(*q);
        }
        (p, from) = (q, to);
    }
    kept
}
