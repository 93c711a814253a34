//! Fewer points that say the same: several triangles answer for one place.

use crate::collide::shapes::Touch;
use crate::collide::shapes::convex::thin_out;
use glamx::DVec3;

/// Normals with a greater cosine are the same.
const SAME: f64 = 1.0 - 1e-6;

/// Points of several triangles in one place with one normal are one: the farthest from `middle`, which is a corner where others
/// were cut off beside it.
pub(super) fn drop_doubles(out: &mut Vec<Touch>, first: usize, middle: DVec3, tolerance: f64) {
    let mut kept = first;
    for k in first..out.len() {
        let t = out[k];
        let same = |o: &Touch| o.point_a.distance(t.point_a) < tolerance && o.normal.dot(t.normal) > SAME;
        match out[first..kept].iter().position(same) {
            Some(at) => {
                let far = |t: &Touch| t.point_a.distance(middle);
                if far(&t) > far(&out[first + at]) + 1e-3 * tolerance {
                    out[first + at] = t;
                }
            }
            None => {
                out[kept] = t;
                kept += 1;
            }
        }
    }
    out.truncate(kept);
}

/// Of the points of one normal, those that a flat face would keep.
pub(super) fn thin_out_by_normals(out: &mut Vec<Touch>, first: usize) {
    let mut left: Vec<Touch> = out.drain(first..).collect();
    while let Some(normal) = left.first().map(|t| t.normal) {
        let start = out.len();
        left.retain(|t| {
            let same = t.normal.dot(normal) > SAME;
            if same {
                out.push(*t);
            }
            !same
        });
        thin_out(out, start);
    }
}

/// Overlap is left by the shortest way: a deeper one is none if a point within twice its depth says another way that is less
/// than half as far.
pub(super) fn keep_shortest_ways(out: &mut Vec<Touch>, first: usize) {
    out[first..].sort_by(|a, b| b.gap.total_cmp(&a.gap).then(a.feature.cmp(&b.feature)));
    let mut kept = first;
    for k in first..out.len() {
        let t = out[k];
        let overrules = |o: &Touch| {
            let near = o.point_a.distance(t.point_a) < -2.0 * t.gap;
            near && o.gap > 0.5 * t.gap && o.gap < -0.5 * t.gap && o.normal.dot(t.normal) < 0.9
        };
        if t.gap >= 0.0 || !out[first..kept].iter().any(overrules) {
            out[kept] = t;
            kept += 1;
        }
    }
    out.truncate(kept);
}

/// Overlap with a closed mesh that is deeper than `deep` [m] is left by the shortest ways: one is none if its place is left already when A has gone a
/// shorter one. In a hollow it is not, and both stay.
pub(super) fn keep_needed_ways(out: &mut Vec<Touch>, first: usize, deep: f64, is_left: impl Fn(&Touch, DVec3) -> bool) {
    if !out[first..].iter().any(|t| t.gap < -deep) {
        return;
    }
    let some = out[first..].to_vec();
    let is_spare = |t: &Touch| {
        let shorter = some.iter().filter(|o| o.gap < 0.0 && o.gap > 0.9 * t.gap && o.normal.dot(t.normal) < SAME);
        t.gap < -deep && shorter.into_iter().any(|o| is_left(t, o.normal * -o.gap))
    };
    let mut k = 0;
    out.retain(|t| {
        k += 1;
        k <= first || !is_spare(t)
    });
}
