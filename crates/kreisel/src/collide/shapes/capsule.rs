//! Capsule against capsule: the nearest points of two segments. [Eri05 ch. 5.1.9]

use super::{Frame, Look, Touch};
use glamx::DVec3;

/// Axes whose angle has a sine below this lie along each other.
const PARALLEL: f64 = 1e-6;

/// Half length and radius with the frame; two points where the axes are parallel and lie beside each other, else one, and the ends that are near:
/// capsules that roll on each other soon touch there.
pub(super) fn touch(
    ((la, ra), a): ((f64, f64), &Frame),
    ((lb, rb), b): ((f64, f64), &Frame),
    look: Look,
    out: &mut Vec<Touch>,
) {
    let (e, f, d) = (a.r.z_axis, b.r.z_axis, b.x - a.x);
    let mut add = |s: f64, u: f64, feature: u64| {
        let (x, y) = (a.x + e * s, b.x + f * u);
        let away = x - y;
        let distance = away.length();
        let gap = distance - ra - rb;
        if gap < look.margin {
            let fallback = e.cross(f).try_normalize().unwrap_or_else(|| e.any_orthonormal_vector());
            let normal = if distance > 1e-150 { (away / distance).normalize_or(fallback) } else { fallback };
            out.push(Touch { point_a: x - normal * ra, point_b: y + normal * rb, normal, gap, feature });
        }
    };
    if e.cross(f).length() < PARALLEL {
        let (c, middle) = (e.dot(f), d.dot(e));
        let (low, high) = ((middle - lb).max(-la), (middle + lb).min(la));
        if high > low {
            for (s, feature) in [(low, 1), (high, 2)] {
                add(s, ((s - middle) * c).clamp(-lb, lb), feature);
            }
            return;
        }
    }
    let (s, u) = nearest_of_segments(d, (e, la), (f, lb));
    add(s, u, 0);
    if !look.soon {
        return;
    }
    for (end, feature) in [(-la, 3), (la, 4)].into_iter().filter(|(end, _)| *end != s) {
        add(end, (e * end - d).dot(f).clamp(-lb, lb), feature);
    }
    for (end, feature) in [(-lb, 5), (lb, 6)].into_iter().filter(|(end, _)| *end != u) {
        let s = (d + f * end).dot(e);
        // Beyond an end of A, that end has been asked.
        if s.abs() < la {
            add(s, end, feature);
        }
    }
}

/// Parameters of the nearest points `s e` and `d + u f`, `|s| ≤ la`, `|u| ≤ lb`.
fn nearest_of_segments(d: DVec3, (e, la): (DVec3, f64), (f, lb): (DVec3, f64)) -> (f64, f64) {
    let (c, p, q) = (e.dot(f), d.dot(e), d.dot(f));
    let sine = e.cross(f).length_squared();
    let s = if sine > 0.0 { ((p - c * q) / sine).clamp(-la, la) } else { 0.0 };
    let free = s * c - q;
    let u = free.clamp(-lb, lb);
    // Where the end of B holds, the nearest point of A follows from it.
    ((p + u * c).clamp(-la, la), u)
}
