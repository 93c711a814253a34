//! Where two rigid shapes touch: points, normal and gap of every place nearer than a margin.

mod bounds;
mod box_box;
mod capsule;
mod convex;
mod mesh;
mod nearest;
mod plane;
mod ray;
mod ray_triangle;
mod sphere;

pub use bounds::bounds;
pub use nearest::{Nearest, nearest};
pub use ray::{ray, ray_on_triangles, unit};

use crate::model::shape::{Shape, matrix};
use glamx::{DMat3, DQuat, DVec3};

/// Where a shape is in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Its origin [m].
    pub position: DVec3,
    /// How it is turned.
    pub rotation: DQuat,
}

impl Pose {
    /// At the origin, not turned.
    pub const IDENTITY: Self = Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY };

    /// The pose of a part of a body in the world: `at` and `rotation` are given in the body's frame.
    pub fn of_part(&self, at: DVec3, rotation: DQuat) -> Self {
        Self { position: self.position + self.rotation * at, rotation: self.rotation * rotation }
    }
}

/// A place where two shapes touch or nearly do. `gap = (point_a − point_b) · normal`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// On the surface of A, in the world [m].
    pub point_a: DVec3,
    /// On the surface of B, in the world [m].
    pub point_b: DVec3,
    /// Unit normal from B to A [1].
    pub normal: DVec3,
    /// Distance [m]; negative: overlap.
    pub gap: f64,
    /// Name of the pair of features, the same as long as the same features touch.
    pub feature: u64,
}

/// A pose with its matrix.
#[derive(Clone, Copy)]
struct Frame {
    x: DVec3,
    r: DMat3,
}

impl Frame {
    fn new(pose: &Pose) -> Self {
        Self { x: pose.position, r: matrix(pose.rotation) }
    }

    fn to_world(self, local: DVec3) -> DVec3 {
        self.x + self.r * local
    }

    fn to_local(self, world: DVec3) -> DVec3 {
        self.turned_back(world - self.x)
    }

    /// A direction of the world in local axes.
    fn turned_back(self, direction: DVec3) -> DVec3 {
        self.r.transpose() * direction
    }
}

/// Appends all places where the two shapes are nearer than `margin` [m]. No state, no memory of earlier calls; swapping A and B mirrors the answer.
pub fn touch(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, margin: f64, out: &mut Vec<Touch>) {
    touch_until((a, pose_a), (b, pose_b), Look { margin, soon: false }, out);
}

/// As [`touch`]; who touches with an edge has the points of its faces and ends, too, that come next as it turns. For steps that look at gaps when
/// they begin: whoever finds out later when a place closes does without.
pub fn touch_soon(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, margin: f64, out: &mut Vec<Touch>) {
    touch_until((a, pose_a), (b, pose_b), Look { margin, soon: true }, out);
}

/// How far to look.
#[derive(Clone, Copy)]
struct Look {
    /// Places that are nearer than this count [m].
    margin: f64,
    /// True if those count that come next.
    soon: bool,
}

fn touch_until((a, pose_a): (&Shape, &Pose), (b, pose_b): (&Shape, &Pose), look: Look, out: &mut Vec<Touch>) {
    let (first, margin) = (out.len(), look.margin);
    if let Some(solid) = as_polyhedron(a) {
        return touch_until((&solid, pose_a), (b, pose_b), look, out);
    }
    if let Some(solid) = as_polyhedron(b) {
        return touch_until((a, pose_a), (&solid, pose_b), look, out);
    }
    if rank(a) > rank(b) {
        touch_until((b, pose_b), (a, pose_a), look, out);
        out[first..].iter_mut().for_each(mirror);
        return;
    }
    let (fa, fb) = (Frame::new(pose_a), Frame::new(pose_b));
    match (a, b) {
        (Shape::Plane, Shape::Plane) => {}
        (_, Shape::Plane) => plane::touch(a, &fa, &fb, margin, out),
        (Shape::Mesh(a), Shape::Mesh(b)) => mesh::two_meshes((a, &fa), (b, &fb), margin, out),
        (_, Shape::Mesh(m)) => {
            if let Some(solid) = convex::Solid::new(a, &fa) {
                mesh::touch((&solid, a), mesh::local_bounds(a, pose_a, pose_b), m, &fb, margin, out);
            }
        }
        (Shape::Sphere { radius }, _) => sphere::touch(*radius, &fa, b, &fb, margin, out),
        (Shape::Box { half_size: ha }, Shape::Box { half_size: hb }) => {
            if !box_box::touch((*ha, &fa), (*hb, &fb), look, out) {
                any_convex((a, &fa), (b, &fb), look, out);
            }
        }
        (Shape::Capsule { half_length: la, radius: ra }, Shape::Capsule { half_length: lb, radius: rb }) => {
            capsule::touch(((*la, *ra), &fa), ((*lb, *rb), &fb), look, out);
        }
        _ => any_convex((a, &fa), (b, &fb), look, out),
    }
}

/// A convex mesh is a polyhedron.
fn as_polyhedron(shape: &Shape) -> Option<Shape> {
    match shape {
        Shape::Mesh(m) => m.hull().map(|hull| Shape::Polyhedron(hull.clone())),
        _ => None,
    }
}

fn any_convex((a, fa): (&Shape, &Frame), (b, fb): (&Shape, &Frame), look: Look, out: &mut Vec<Touch>) {
    if let (Some(a), Some(b)) = (convex::Solid::new(a, fa), convex::Solid::new(b, fb)) {
        convex::touch(&a, &b, look, out);
    }
}

/// The order in which a pair of shapes is looked at, so that each pair has one piece of code.
fn rank(shape: &Shape) -> u8 {
    match shape {
        Shape::Sphere { .. } => 0,
        Shape::Capsule { .. } => 1,
        Shape::Ellipsoid { .. } => 2,
        Shape::Box { .. } => 3,
        Shape::Polyhedron(_) => 4,
        Shape::Cylinder { .. } => 5,
        Shape::Cone { .. } => 6,
        Shape::Mesh(_) => 7,
        Shape::Plane => 8,
    }
}

fn mirror(touch: &mut Touch) {
    std::mem::swap(&mut touch.point_a, &mut touch.point_b);
    touch.normal = -touch.normal;
}

/// Of the points from `from` on, which a face has above it, leaves those that may come next: apart, and farther apart than what edges have from
/// `first` on. Bodies that touch with an edge and turn soon touch with more.
fn keep_next(out: &mut Vec<Touch>, first: usize, from: usize) {
    let near = out[first..from].iter().map(|t| t.gap).fold(0.0, f64::max);
    let mut k = 0;
    out.retain(|t| {
        k += 1;
        k <= from || t.gap > near
    });
}

/// Plus or minus one; plus for zero.
fn sign(x: f64) -> f64 {
    if x < 0.0 { -1.0 } else { 1.0 }
}
