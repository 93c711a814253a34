//! Anything against a half-space: the lowest points.

use super::{Frame, Touch};
use crate::model::Shape;
use glamx::DVec3;

/// A disc that leans less than this on a plane [rad] rests on four points fixed in it; its height is then wrong by a third of that.
const FLAT: f64 = 1e-4;

struct Ground<'a> {
    /// A point of the plane.
    o: DVec3,
    /// Its normal.
    n: DVec3,
    margin: f64,
    out: &'a mut Vec<Touch>,
}

impl Ground<'_> {
    fn add(&mut self, x: DVec3, feature: u64) {
        let gap = self.n.dot(x - self.o);
        if gap < self.margin {
            self.out.push(Touch { point_a: x, point_b: x - self.n * gap, normal: self.n, gap, feature });
        }
    }
}

pub(super) fn touch(shape: &Shape, a: &Frame, plane: &Frame, margin: f64, out: &mut Vec<Touch>) {
    let mut ground = Ground { o: plane.x, n: plane.r.z_axis, margin, out };
    match shape {
        Shape::Sphere { radius } => ground.add(a.x - ground.n * *radius, 0),
        Shape::Box { half_size } => corners(*half_size, a, &mut ground),
        Shape::Ellipsoid { semi_axes } => {
            // The support in direction −n: −A²m/|Am| with m = Rᵀn.
            let am = *semi_axes * a.turned_back(ground.n);
            ground.add(a.to_world(-*semi_axes * am / am.length()), 0);
        }
        Shape::Capsule { half_length, radius } => {
            for (end, feature) in [(1.0, 0), (-1.0, 1)] {
                ground.add(a.to_world(DVec3::Z * (end * half_length)) - ground.n * *radius, feature);
            }
        }
        Shape::Cylinder { half_length, radius } => {
            let down = if a.r.z_axis.dot(ground.n) > 0.0 { -1.0 } else { 1.0 };
            disc(down * half_length, *radius, a, &mut ground, true);
            disc(-down * half_length, *radius, a, &mut ground, false);
        }
        Shape::Cone { half_length, radius } => {
            let upright = a.r.z_axis.dot(ground.n) > 0.0;
            disc(-half_length, *radius, a, &mut ground, upright);
            ground.add(a.to_world(DVec3::Z * *half_length), 8);
        }
        Shape::Polyhedron(p) => vertices(p.vertices(), a, &mut ground),
        Shape::Mesh(m) => vertices(m.vertices(), a, &mut ground),
        Shape::Plane => {}
    }
}

fn corners(h: DVec3, a: &Frame, ground: &mut Ground) {
    let m = a.turned_back(ground.n);
    if ground.n.dot(a.x - ground.o) - m.abs().dot(h) >= ground.margin {
        return;
    }
    for k in 0..8u64 {
        let s = |bit: u64| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        ground.add(a.to_world(h * DVec3::new(s(0), s(1), s(2))), k);
    }
}

fn vertices(all: &[DVec3], a: &Frame, ground: &mut Ground) {
    for (k, &v) in all.iter().enumerate() {
        ground.add(a.to_world(v), k as u64);
    }
}

/// The circle at height `z`: its lowest point; where it is the lower of two, also the points 120° beside that; flat on the plane, four fixed points.
fn disc(z: f64, radius: f64, a: &Frame, ground: &mut Ground, lower: bool) {
    let m = a.turned_back(ground.n);
    let slope = DVec3::new(-m.x, -m.y, 0.0);
    let side = if z > 0.0 { 16 } else { 0 };
    if slope.length() > FLAT {
        let (sin, cos) = (0.75f64.sqrt(), -0.5);
        let u = slope.normalize() * radius;
        let v = DVec3::Z.cross(u);
        ground.add(a.to_world(u + DVec3::Z * z), side);
        if lower {
            ground.add(a.to_world(u * cos + v * sin + DVec3::Z * z), side + 1);
            ground.add(a.to_world(u * cos - v * sin + DVec3::Z * z), side + 2);
        }
    } else {
        for (k, u) in [DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y].into_iter().enumerate() {
            ground.add(a.to_world(u * radius + DVec3::Z * z), side + 4 + k as u64);
        }
    }
}
