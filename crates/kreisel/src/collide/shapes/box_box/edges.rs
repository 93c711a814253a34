//! Two boxes that touch with an edge each: one point.

use super::super::{Frame, Touch, sign};
use super::{Axis, Pair};
use glamx::DVec3;

/// How far beyond its ends an edge still counts, relative to its half length.
const BEYOND: f64 = 1e-6;

/// Appends the nearest points of the two supporting edges; false if those are not between the ends.
pub(super) fn touch(pair: &Pair, axis: Axis, a: &Frame, b: &Frame, margin: f64, out: &mut Vec<Touch>) -> bool {
    let Axis { i, j, .. } = axis;
    let (e, f) = (DVec3::AXES[i], pair.c.col(j));
    let cross = e.cross(f).normalize_or_zero();
    // Towards B, in the frame of A.
    let n = cross * sign(cross.dot(pair.t));
    let m = pair.c.transpose() * n;
    let mut p = pair.ha * DVec3::new(sign(n.x), sign(n.y), sign(n.z));
    p[i] = 0.0;
    let mut q_local = -pair.hb * DVec3::new(sign(m.x), sign(m.y), sign(m.z));
    q_local[j] = 0.0;
    let q = pair.t + pair.c * q_local;
    // Nearest points p + s e and q + u f: the difference is orthogonal to both.
    let (d, cosine) = (q - p, e.dot(f));
    let scale = 1.0 / (1.0 - cosine * cosine);
    let s = (d.dot(e) - cosine * d.dot(f)) * scale;
    let u = (cosine * d.dot(e) - d.dot(f)) * scale;
    if s.abs() > pair.ha[i] * (1.0 + BEYOND) || u.abs() > pair.hb[j] * (1.0 + BEYOND) {
        return false;
    }
    let (on_a, on_b) = (p + e * s, q + f * u);
    let gap = (on_b - on_a).dot(n);
    if gap < margin {
        let which =
            |v: DVec3| v.to_array().iter().fold(0u64, |c, &x| 3 * c + if x > 0.0 { 2 } else { u64::from(x < 0.0) });
        let feature = 1 << 32 | which(p) << 8 | which(q_local) << 16;
        let point_b = b.to_world(q_local + DVec3::AXES[j] * u);
        out.push(Touch { point_a: a.to_world(on_a), point_b, normal: a.r * -n, gap, feature });
    }
    true
}
