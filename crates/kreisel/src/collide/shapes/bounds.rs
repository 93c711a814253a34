//! Tight axis-parallel boxes around shapes.

use super::{Frame, Pose};
use crate::model::Shape;
use glamx::DVec3;

/// The smallest axis-parallel box around a shape [m]; that of a plane has no end, that of a mesh is the box around its turned box.
pub fn bounds(shape: &Shape, pose: &Pose) -> (DVec3, DVec3) {
    let f = Frame::new(pose);
    // Rows of the matrix: the world axes in the local frame.
    let rows = f.r.transpose();
    let each = |reach: &dyn Fn(DVec3) -> f64| DVec3::new(reach(rows.x_axis), reach(rows.y_axis), reach(rows.z_axis));
    let around = |h: DVec3| (f.x - h, f.x + h);
    match *shape {
        Shape::Sphere { radius } => around(DVec3::splat(radius)),
        Shape::Box { half_size } => around(each(&|n| n.abs().dot(half_size))),
        Shape::Ellipsoid { semi_axes } => around(each(&|n| (n * semi_axes).length())),
        Shape::Capsule { half_length, radius } => around(each(&|n| n.z.abs() * half_length + radius)),
        Shape::Cylinder { half_length, radius } => around(each(&|n| n.z.abs() * half_length + across(n) * radius)),
        Shape::Cone { half_length, radius } => {
            let reach = |n: DVec3| (n.z * half_length).max(-n.z * half_length + across(n) * radius);
            (f.x - each(&|n| reach(-n)), f.x + each(&reach))
        }
        Shape::Polyhedron(ref p) => {
            let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            p.vertices().iter().map(|v| f.to_world(*v)).fold(start, |(l, h), v| (l.min(v), h.max(v)))
        }
        Shape::Plane => (DVec3::NEG_INFINITY, DVec3::INFINITY),
        Shape::Mesh(ref m) => {
            let (low, high) = m.bounds();
            let (centre, half) = (f.to_world((low + high) / 2.0), (high - low) / 2.0);
            let h = each(&|n| n.abs().dot(half));
            (centre - h, centre + h)
        }
    }
}

/// How far a direction points away from the axis.
fn across(n: DVec3) -> f64 {
    n.x.hypot(n.y)
}
