//! Nearest point of a triangle mesh within a reach.

use super::{Nearest, point_triangle};
use crate::model::TriangleMesh;
use crate::model::shape::Bound;
use glamx::DVec3;
use std::cell::Cell;

/// Distances that differ by less than this share are equal.
const EQUAL: f64 = 1e-12;

/// The nearest triangle; behind it, the distance counts as negative. Where several are equally near, the one that the point sees most steeply
/// decides: its side is the side of the surface. Beside an open edge there is no behind.
pub(in crate::collide::shapes) fn nearest(x: DVec3, mesh: &TriangleMesh, reach: f64) -> Option<Nearest> {
    let mut best: Option<(f64, f64, Nearest)> = None;
    let radius = Cell::new(reach.max(0.0));
    mesh.visit(&|bound| distance(x, bound) <= radius.get() * (1.0 + EQUAL), &mut |t| {
        let (point, part) = point_triangle(x, mesh.corners(t));
        let away = x - point;
        let (d, n) = (away.length(), mesh.normals()[t]);
        let steep = away.dot(n).abs();
        let nearer = |(least, most, _): &(f64, f64, Nearest)| {
            d < least * (1.0 - EQUAL) || (d <= least * (1.0 + EQUAL) && steep > *most)
        };
        if d <= radius.get() * (1.0 + EQUAL) && best.as_ref().is_none_or(nearer) {
            let inside = away.dot(n) < 0.0 && !is_open(mesh, t, part);
            let normal =
                if part == 6 || d < 1e-150 { n } else { away.normalize_or(n) * if inside { -1.0 } else { 1.0 } };
            let distance = if inside { -d } else { d };
            best = Some((d, steep, Nearest { distance, normal, point, feature: t as u32 }));
            radius.set(d);
        }
    });
    best.map(|(_, _, near)| near)
}

/// Distance of a point from a box.
fn distance(x: DVec3, bound: &Bound) -> f64 {
    x.distance(x.clamp(bound.low, bound.high))
}

/// True if a part of a triangle lies at an open edge.
fn is_open(mesh: &TriangleMesh, triangle: usize, part: u32) -> bool {
    let open = |k: usize| mesh.neighbour(triangle, k % 3).is_none();
    match part as usize {
        corner @ 0..3 => open(corner) || open(corner + 2),
        edge @ 3..6 => open(edge - 3),
        _ => false,
    }
}
