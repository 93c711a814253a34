//! Where a ray enters a shape. [Eri05 ch. 5.3]

use super::ray_triangle::Sight;
use super::{Frame, Pose};
use crate::model::{Polyhedron, Shape, TriangleMesh};
use glamx::DVec3;

/// Distance along the ray [m] and outward unit normal [1] of the first place where a ray from outside meets the shape; one that
/// starts on its surface and leads inside meets it there. A ray that starts inside a convex shape meets nothing; of a mesh it
/// meets the triangles that face it.
pub fn ray(shape: &Shape, pose: &Pose, origin: DVec3, direction: DVec3) -> Option<(f64, DVec3)> {
    let frame = Frame::new(pose);
    let world = unit(direction)?;
    let (o, d) = (frame.to_local(origin), frame.turned_back(world));
    // A root far away has lost the digits of what is near it: the way to the shape is taken first, to well before its surface.
    let ahead = reach(shape).map_or(0.0, |reach| (-o.dot(d) - 2.0 * reach).max(0.0));
    let o = o + d * ahead;
    let (t, n) = match *shape {
        Shape::Sphere { radius } => ball(o, d, DVec3::ZERO, radius)?,
        Shape::Ellipsoid { semi_axes } => ellipsoid(o, d, semi_axes)?,
        Shape::Box { half_size } => cut(o, d, box_planes(half_size))?,
        Shape::Capsule { half_length, radius } => {
            let axis = DVec3::Z * o.z.clamp(-half_length, half_length);
            if o.distance_squared(axis) < radius * radius {
                return None;
            }
            let ends = [half_length, -half_length].map(|z| ball(o, d, DVec3::Z * z, radius));
            let side = cone_side(o, d, radius, 0.0).filter(|(t, _)| (o + d * *t).z.abs() <= half_length);
            first([ends[0], ends[1], side])?
        }
        Shape::Cylinder { half_length: l, radius: r } => {
            let lids = [l, -l].map(|z| lid(o, d, z, z.signum(), r));
            first([lids[0], lids[1], cone_side(o, d, r, 0.0).filter(|(t, _)| (o + d * *t).z.abs() <= l)])?
        }
        Shape::Cone { half_length: l, radius: r } => {
            let below = o - DVec3::Z * l;
            let side = || cone_side(below, d, 0.0, -r / (2.0 * l)).filter(|(t, _)| (o + d * *t).z.abs() <= l);
            tip(below, d, l, r).or_else(|| first([lid(o, d, -l, -1.0, r), side()]))?
        }
        Shape::Polyhedron(ref p) => cut(o, d, hull_planes(p))?,
        Shape::Plane => cut(o, d, [(DVec3::Z, 0.0)].into_iter())?,
        Shape::Mesh(ref m) => mesh(o, d, m)?,
    };
    // Minus zero is no distance.
    Some((ahead + t + 0.0, frame.r * n))
}

/// Radius of a ball around the origin of a round shape that holds all of it [m]; flat ones are cut to rounding from anywhere.
fn reach(shape: &Shape) -> Option<f64> {
    match *shape {
        Shape::Sphere { radius } => Some(radius),
        Shape::Ellipsoid { semi_axes } => Some(semi_axes.max_element()),
        Shape::Capsule { half_length, radius } => Some(half_length + radius),
        Shape::Cylinder { half_length, radius } | Shape::Cone { half_length, radius } => {
            Some(half_length.hypot(radius))
        }
        Shape::Box { .. } | Shape::Polyhedron(_) | Shape::Plane | Shape::Mesh(_) => None,
    }
}

/// The direction of a vector of any length that is one, however long its square would be.
pub fn unit(direction: DVec3) -> Option<DVec3> {
    (direction / direction.abs().max_element()).try_normalize()
}

/// Distance along a ray [m] and unit normal of the nearest of some triangles that face it.
pub fn ray_on_triangles(triangles: impl Iterator<Item = [DVec3; 3]>, origin: DVec3, direction: DVec3) -> Hit {
    let sight = Sight::new(origin, direction);
    let facing = |[a, b, c]: [DVec3; 3]| {
        let n = (b - a).cross(c - a).try_normalize()?;
        sight.meets([a, b, c], n)
    };
    triangles.filter_map(facing).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// Distance [m] and normal.
pub(super) type Hit = Option<(f64, DVec3)>;

fn first<const N: usize>(hits: [Hit; N]) -> Hit {
    hits.into_iter().flatten().min_by(|a, b| a.0.total_cmp(&b.0))
}

/// The smaller root of `a t² + 2 b t + c = 0`, if the ray comes from outside (`c ≥ 0`).
fn entry(a: f64, b: f64, c: f64) -> Option<f64> {
    let disc = b * b - a * c;
    (c >= 0.0 && b < 0.0 && disc >= 0.0).then(|| c / (disc.sqrt() - b))
}

fn ball(o: DVec3, d: DVec3, centre: DVec3, r: f64) -> Hit {
    let p = o - centre;
    let t = entry(1.0, p.dot(d), p.length_squared() - r * r)?;
    Some((t, (p + d * t) / r))
}

fn ellipsoid(o: DVec3, d: DVec3, a: DVec3) -> Hit {
    let (p, e) = (o / a, d / a);
    let t = entry(e.length_squared(), p.dot(e), p.length_squared() - 1.0)?;
    Some((t, ((p + e * t) / a).normalize_or_zero()))
}

/// The side `√(x² + y²) = r + slope·z` from outside: a cylinder, or the nappe of a cone below its apex at the origin.
fn cone_side(o: DVec3, d: DVec3, r: f64, slope: f64) -> Hit {
    let (w, dw) = (r + slope * o.z, slope * d.z);
    let (ox, dx) = (o.truncate(), d.truncate());
    let (a, b, c) = (dx.length_squared() - dw * dw, ox.dot(dx) - w * dw, ox.length_squared() - w * w);
    let disc = (b * b - a * c).max(0.0).sqrt();
    let roots = if a.abs() > 1e-300 { [(-b - disc) / a, (-b + disc) / a] } else { [-c / (2.0 * b), f64::NAN] };
    let hit = |t: f64| {
        let p = o + d * t;
        let n = p.truncate().extend(-slope * (r + slope * p.z)).normalize_or_zero();
        (b * b >= a * c && t >= 0.0 && r + slope * p.z >= 0.0 && n.dot(d) < 0.0).then_some((t, n))
    };
    first(roots.map(hit))
}

/// The apex of a cone, at the origin, met by a ray that leads into the cone. Both roots of the side are there, each with half of
/// the digits, and the side has no normal: the axis is taken for it.
fn tip(o: DVec3, d: DVec3, l: f64, r: f64) -> Hit {
    let t = -o.dot(d);
    let leads_in = -d.z * r.hypot(2.0 * l) >= 2.0 * l;
    (leads_in && t >= 0.0 && (o + d * t).length() <= 1e-12 * l).then_some((t, DVec3::Z))
}

fn lid(o: DVec3, d: DVec3, z: f64, up: f64, r: f64) -> Hit {
    let t = (z - o.z) / d.z;
    let p = o + d * t;
    (up * d.z < 0.0 && t >= 0.0 && p.truncate().length_squared() <= r * r).then_some((t, DVec3::Z * up))
}

/// A convex body as the inside of planes `n·x ≤ h`: the last plane entered, if that is before the first one left.
fn cut(o: DVec3, d: DVec3, planes: impl Iterator<Item = (DVec3, f64)>) -> Hit {
    let (mut enter, mut leave, mut normal) = (f64::MIN, f64::MAX, DVec3::ZERO);
    for (n, h) in planes {
        let (height, speed) = (n.dot(o) - h, n.dot(d));
        let t = -height / speed;
        if speed == 0.0 && height > 0.0 {
            return None;
        } else if speed < 0.0 && t > enter {
            (enter, normal) = (t, n);
        } else if speed > 0.0 {
            leave = leave.min(t);
        }
    }
    (enter >= 0.0 && enter <= leave).then_some((enter, normal))
}

fn box_planes(h: DVec3) -> impl Iterator<Item = (DVec3, f64)> {
    (0..6).map(move |k| (DVec3::AXES[k / 2] * if k % 2 == 0 { 1.0 } else { -1.0 }, h[k / 2]))
}

fn hull_planes(p: &Polyhedron) -> impl Iterator<Item = (DVec3, f64)> + '_ {
    p.normals().iter().copied().zip(p.offsets().iter().copied())
}

fn mesh(o: DVec3, d: DVec3, m: &TriangleMesh) -> Hit {
    let (mut best, sight, inverse): (Hit, _, _) = (None, Sight::new(o, d), d.recip());
    m.visit(&|bound| crosses(o, inverse, bound.low, bound.high), &mut |t| {
        best = first([best, sight.meets(m.corners(t), m.normals()[t])]);
    });
    best
}

/// True if a ray may meet what is in a box; `inverse` is one over its direction, by component.
fn crosses(o: DVec3, inverse: DVec3, low: DVec3, high: DVec3) -> bool {
    let (low, high) = (low - o, high - o);
    // A corner of a triangle may be a corner of its box: rounding of the ray's way to either must not make it pass the box.
    let room = 8.0 * f64::EPSILON * low.abs().max(high.abs()).max_element();
    let (a, b) = ((low - room) * inverse, (high + room) * inverse);
    // Along an axis without motion 0·∞ may be no number: that axis then does not decide.
    let span = |x: f64, y: f64| if x.is_nan() || y.is_nan() { (f64::MIN, f64::MAX) } else { (x.min(y), x.max(y)) };
    let (x, y, z) = (span(a.x, b.x), span(a.y, b.y), span(a.z, b.z));
    x.0.max(y.0).max(z.0).max(0.0) <= x.1.min(y.1).min(z.1)
}
