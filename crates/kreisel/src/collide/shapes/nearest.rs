//! Signed distance of a point from a shape: exact for every solid. [Eri05 ch. 5]

mod ellipsoid;
mod mesh;
mod polyhedron;
mod round;

use crate::model::Shape;
use glamx::DVec3;

use super::sign;
pub(super) use mesh::nearest as nearest_of_mesh;
pub(super) use polyhedron::point_triangle;

/// The place of a surface that is nearest to a point, in the shape's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Distance of the point from the surface [m]; negative: inside.
    pub distance: f64,
    /// Outward unit normal at the nearest place: the gradient of the distance [1].
    pub normal: DVec3,
    /// The nearest place [m].
    pub point: DVec3,
    /// Which feature of the shape that is.
    pub feature: u32,
}

/// The nearest place to `x` on a shape, both in the shape's frame; meshes answer only within `reach` [m].
pub fn nearest(shape: &Shape, x: DVec3, reach: f64) -> Option<Nearest> {
    Some(match *shape {
        Shape::Sphere { radius } => ball(x, radius),
        Shape::Box { half_size } => in_box(x, half_size),
        Shape::Ellipsoid { semi_axes } => ellipsoid::nearest(x, semi_axes),
        Shape::Capsule { half_length, radius } => round::capsule(x, half_length, radius),
        Shape::Cylinder { half_length, radius } => round::cylinder(x, half_length, radius),
        Shape::Cone { half_length, radius } => round::cone(x, half_length, radius),
        Shape::Polyhedron(ref p) => polyhedron::nearest(x, p),
        Shape::Plane => Nearest { distance: x.z, normal: DVec3::Z, point: DVec3::new(x.x, x.y, 0.0), feature: 0 },
        Shape::Mesh(ref m) => match m.hull() {
            Some(hull) => polyhedron::nearest(x, hull),
            None => return mesh::nearest(x, m, reach),
        },
    })
}

fn ball(x: DVec3, radius: f64) -> Nearest {
    let distance = x.length();
    let normal = if distance > 1e-150 { (x / distance).normalize_or(DVec3::Z) } else { DVec3::Z };
    Nearest { distance: distance - radius, normal, point: normal * radius, feature: 0 }
}

/// Outside, the place is `x` clamped to the box; inside, it is on the nearest face. The feature counts which sides are left.
fn in_box(x: DVec3, h: DVec3) -> Nearest {
    let point = x.clamp(-h, h);
    let away = x - point;
    let code = |v: DVec3| v.to_array().iter().fold(0, |c, &a| 3 * c + if a > 0.0 { 2 } else { u32::from(a < 0.0) });
    if away != DVec3::ZERO {
        let distance = away.length();
        let normal = if distance > 1e-150 { (away / distance).normalize_or(DVec3::Z) } else { away.signum() };
        return Nearest { distance, normal: normal.normalize_or(DVec3::Z), point, feature: code(away) };
    }
    let q = x.abs() - h;
    let axis = if q.x >= q.y && q.x >= q.z {
        0
    } else if q.y >= q.z {
        1
    } else {
        2
    };
    let mut normal = DVec3::ZERO;
    normal[axis] = sign(x[axis]);
    let mut point = x;
    point[axis] = normal[axis] * h[axis];
    Nearest { distance: q[axis], normal, point, feature: code(normal) }
}
