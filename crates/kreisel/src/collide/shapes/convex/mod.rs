//! Any two convex solids: the direction in which they are farthest apart, then the points of the features that face each other.

mod axis;
mod feature;
mod manifold;
mod polish;
mod search;

use super::{Frame, Look, Touch, keep_next, sign};
use crate::model::{Polyhedron, Shape};
use glamx::DVec3;

pub(super) use axis::{Apart, Axis, Kind, best_axis, best_face, separation};
pub(super) use manifold::{LEEWAY, manifold, thin_out};

/// An overlap below this, relative to the size, is shallow.
const SHALLOW: f64 = 0.02;

/// The solid inside a convex shape; the shape is all points within a radius of it.
#[derive(Clone, Copy)]
pub(super) enum Core<'a> {
    Segment(f64),
    Box(DVec3),
    Ellipsoid(DVec3),
    Cylinder(f64, f64),
    Cone(f64, f64),
    Hull(&'a Polyhedron),
    /// Corners and normal.
    Triangle([DVec3; 3], DVec3),
}

/// A convex solid somewhere in the world.
#[derive(Clone, Copy)]
pub(super) struct Solid<'a> {
    pub core: Core<'a>,
    pub radius: f64,
    pub frame: &'a Frame,
}

impl<'a> Solid<'a> {
    /// The shape as a convex solid; planes and meshes are none.
    pub fn new(shape: &'a Shape, frame: &'a Frame) -> Option<Self> {
        let (core, radius) = match *shape {
            Shape::Sphere { radius } => (Core::Segment(0.0), radius),
            Shape::Capsule { half_length, radius } => (Core::Segment(half_length), radius),
            Shape::Box { half_size } => (Core::Box(half_size), 0.0),
            Shape::Ellipsoid { semi_axes } => (Core::Ellipsoid(semi_axes), 0.0),
            Shape::Cylinder { half_length, radius } => (Core::Cylinder(half_length, radius), 0.0),
            Shape::Cone { half_length, radius } => (Core::Cone(half_length, radius), 0.0),
            Shape::Polyhedron(ref p) => (Core::Hull(p), 0.0),
            Shape::Plane | Shape::Mesh(_) => return None,
        };
        Some(Self { core, radius, frame })
    }

    /// The farthest point of the core in a direction of the world.
    pub fn support(&self, d: DVec3) -> DVec3 {
        self.frame.to_world(self.core.support(self.frame.turned_back(d)))
    }

    /// A point inside of it, in the world: corners may lie far from the origin of their frame.
    pub fn middle(&self) -> DVec3 {
        match self.core {
            Core::Hull(p) => self.frame.to_world(p.middle()),
            Core::Triangle(t, _) => self.frame.to_world((t[0] + t[1] + t[2]) / 3.0),
            _ => self.frame.x,
        }
    }

    /// Radius of a ball around the origin of the frame that holds all of it.
    pub fn reach(&self) -> f64 {
        self.radius
            + match self.core {
                Core::Segment(l) => l,
                Core::Box(h) => h.length(),
                Core::Ellipsoid(a) => a.max_element(),
                Core::Cylinder(l, r) | Core::Cone(l, r) => l.hypot(r),
                Core::Hull(p) => p.reach(),
                Core::Triangle(t, _) => t.iter().map(|v| v.length()).fold(0.0, f64::max),
            }
    }
}

impl Core<'_> {
    /// The farthest point in a direction, both in the local frame.
    pub fn support(&self, d: DVec3) -> DVec3 {
        match *self {
            Self::Segment(l) => DVec3::Z * (l * sign(d.z)),
            Self::Box(h) => h * DVec3::new(sign(d.x), sign(d.y), sign(d.z)),
            Self::Ellipsoid(a) => {
                let ad = a * d;
                a * ad.try_normalize().unwrap_or(DVec3::Z)
            }
            Self::Cylinder(l, r) => outward(d) * r + DVec3::Z * (l * sign(d.z)),
            Self::Cone(l, r) => {
                let rim = outward(d) * r - DVec3::Z * l;
                if d.z * l >= d.dot(rim) { DVec3::Z * l } else { rim }
            }
            Self::Hull(p) => farthest(p.vertices(), d),
            Self::Triangle(t, _) => farthest(&t, d),
        }
    }

    /// How many faces there are, and how many points a support looks at.
    pub fn weight(&self) -> (usize, usize) {
        match *self {
            Self::Hull(p) => (p.faces().len(), p.vertices().len()),
            _ => (6, 4),
        }
    }

    /// Calls `visit` with number, outward normal and offset of every flat face.
    pub fn faces(&self, mut visit: impl FnMut(u32, DVec3, f64)) {
        match *self {
            Self::Box(h) => {
                for k in 0..6 {
                    let axis = DVec3::AXES[k / 2] * if k % 2 == 0 { 1.0 } else { -1.0 };
                    visit(k as u32, axis, h[k / 2]);
                }
            }
            Self::Cylinder(l, _) => {
                visit(0, DVec3::Z, l);
                visit(1, -DVec3::Z, l);
            }
            Self::Cone(l, _) => visit(1, -DVec3::Z, l),
            Self::Hull(p) => {
                for (k, (n, d)) in p.normals().iter().zip(p.offsets()).enumerate() {
                    visit(k as u32, *n, *d);
                }
            }
            Self::Triangle(t, n) => visit(0, n, n.dot(t[0])),
            Self::Segment(_) | Self::Ellipsoid(_) => {}
        }
    }
}

fn farthest(points: &[DVec3], d: DVec3) -> DVec3 {
    let mut best = (f64::MIN, DVec3::ZERO);
    for &p in points {
        let h = p.dot(d);
        if h > best.0 {
            best = (h, p);
        }
    }
    best.1
}

/// Unit vector away from the z axis; x on it.
fn outward(d: DVec3) -> DVec3 {
    DVec3::new(d.x, d.y, 0.0).try_normalize().unwrap_or(DVec3::X)
}

/// Two convex solids.
pub(super) fn touch(a: &Solid, b: &Solid, look: Look, out: &mut Vec<Touch>) {
    let (first, margin) = (out.len(), look.margin);
    let face = match best_face(a, b, margin) {
        Ok(face) => face,
        Err(Apart) => return,
    };
    if face.is_some_and(|face| settled_by_face(a, b, &face, margin, out)) {
        return;
    }
    if let Some((axis, spare)) = best_axis(a, b, face, margin) {
        manifold(a, b, &axis, margin, out);
        if out.len() == first {
            manifold(a, b, &spare, margin, out);
        }
        if let Some(face) = face.filter(|_| look.soon && axis.kind == Kind::Round) {
            let from = out.len();
            manifold(a, b, &face, margin, out);
            keep_next(out, first, from);
        }
    }
}

/// Appends the points of a face and is true if the nearest of them is as near as the solids are: then no other direction holds them
/// farther apart. Of deep overlaps that is only true nearby, so those are searched.
pub(super) fn settled_by_face(a: &Solid, b: &Solid, face: &Axis, margin: f64, out: &mut Vec<Touch>) -> bool {
    let size = a.reach().min(b.reach());
    if face.separation < -SHALLOW * size {
        return false;
    }
    let first = out.len();
    manifold(a, b, face, margin, out);
    let least = out[first..].iter().map(|t| t.gap).fold(f64::MAX, f64::min);
    let settled = least <= face.separation + 1e-9 * size;
    if !settled {
        out.truncate(first);
    }
    settled
}
