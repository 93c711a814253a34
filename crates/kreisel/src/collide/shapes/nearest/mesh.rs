//! Nearest point of a triangle mesh within a reach.

use super::{Nearest, point_triangle};
use crate::model::TriangleMesh;
use glamx::DVec3;

/// The nearest triangle; behind it, the distance counts as negative. Where several are equally near, the one that the point sees most steeply decides.
pub(in crate::collide::shapes) fn nearest(x: DVec3, mesh: &TriangleMesh, reach: f64) -> Option<Nearest> {
    let mut best: Option<(f64, f64, Nearest)> = None;
    let reach = reach.max(0.0);
    mesh.in_box(x - reach, x + reach, &mut |t| {
        let (point, part) = point_triangle(x, mesh.corners(t));
        let away = x - point;
        let (d, n) = (away.length(), mesh.normals()[t]);
        let steep = away.dot(n).abs();
        let nearer =
            |(least, most, _): &(f64, f64, Nearest)| d < least - 1e-12 * least || (d <= *least && steep > *most);
        if d <= reach && best.as_ref().is_none_or(nearer) {
            let inside = away.dot(n) < 0.0;
            let normal =
                if part == 6 || d < 1e-150 { n } else { away.normalize_or(n) * if inside { -1.0 } else { 1.0 } };
            let distance = if inside { -d } else { d };
            best = Some((d, steep, Nearest { distance, normal, point, feature: t as u32 }));
        }
    });
    best.map(|(_, _, near)| near)
}
