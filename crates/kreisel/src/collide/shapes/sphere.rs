//! Ball against anything that knows its nearest point.

use super::{Frame, Touch, nearest};
use crate::model::Shape;
use glamx::DVec3;

/// One point, on the line from the centre of the ball to the nearest point of the other.
pub(super) fn touch(radius: f64, a: &Frame, b_shape: &Shape, b: &Frame, margin: f64, out: &mut Vec<Touch>) {
    if let Shape::Sphere { radius: other } = b_shape {
        two_balls((radius, a.x), (*other, b.x), margin, out);
        return;
    }
    let Some(near) = nearest(b_shape, b.to_local(a.x), radius + margin) else { return };
    let gap = near.distance - radius;
    if gap < margin {
        let normal = b.r * near.normal;
        let (point_a, point_b) = (a.x - normal * radius, b.to_world(near.point));
        out.push(Touch { point_a, point_b, normal, gap, feature: near.feature.into() });
    }
}

/// Concentric balls are pushed apart along z.
fn two_balls((ra, xa): (f64, DVec3), (rb, xb): (f64, DVec3), margin: f64, out: &mut Vec<Touch>) {
    let d = xa - xb;
    let reach = ra + rb + margin;
    let squared = d.length_squared();
    if squared >= reach * reach || reach <= 0.0 {
        return;
    }
    let distance = squared.sqrt();
    let normal = if distance > 1e-150 { (d / distance).normalize_or(DVec3::Z) } else { DVec3::Z };
    let gap = distance - ra - rb;
    out.push(Touch { point_a: xa - normal * ra, point_b: xb + normal * rb, normal, gap, feature: 0 });
}
