//! The surfaces of shapes as triangles, for drawing and for export.

use super::Shape;
use glamx::{DVec2, DVec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Half of the side of the square that stands for a plane [m].
const PLANE: f64 = 50.0;

/// Vertices and triangles.
type Triangles = (Vec<DVec3>, Vec<[u32; 3]>);

/// The surface of a shape in its own frame, closed and anticlockwise seen from outside. Round shapes get `detail` sides around their axis, at least 3.
/// A plane is a square, not closed.
pub fn surface(shape: &Shape, detail: usize) -> Triangles {
    let n = detail.clamp(3, 4096);
    match *shape {
        Shape::Sphere { radius } => stretched(arc(n, 0.0), n, DVec3::splat(radius)),
        Shape::Ellipsoid { semi_axes } => stretched(arc(n, 0.0), n, semi_axes),
        Shape::Capsule { half_length, radius } => {
            let profile: Vec<DVec2> = arc(n, half_length / radius);
            stretched(profile, n, DVec3::splat(radius))
        }
        Shape::Cylinder { half_length: l, radius: r } => turned(&[DVec2::new(r, -l), DVec2::new(r, l)], -l, l, n),
        Shape::Cone { half_length: l, radius: r } => turned(&[DVec2::new(r, -l)], -l, l, n),
        Shape::Box { half_size } => cuboid(half_size),
        Shape::Polyhedron(ref p) => (p.vertices().to_vec(), p.triangles().collect()),
        Shape::Mesh(ref m) => (m.vertices().to_vec(), m.triangles().to_vec()),
        Shape::Plane => {
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            (corners.map(|[x, y]| DVec3::new(x, y, 0.0) * PLANE).to_vec(), vec![[0, 1, 2], [0, 2, 3]])
        }
    }
}

/// Distance from the axis and height of a unit half circle from the south to the north, without the poles, its halves pulled apart by `half` each way.
fn arc(n: usize, half: f64) -> Vec<DVec2> {
    let rows = n.div_ceil(2).max(2);
    let at = |k: usize| {
        let latitude = PI * k as f64 / rows as f64 - FRAC_PI_2;
        DVec2::new(latitude.cos(), latitude.sin())
    };
    let mut profile: Vec<DVec2> = (1..rows).map(at).collect();
    if half > 0.0 {
        let south = profile.iter().filter(|p| p.y < -1e-9).map(|p| *p - DVec2::Y * half);
        let north = profile.iter().filter(|p| p.y > 1e-9).map(|p| *p + DVec2::Y * half);
        let equator = [DVec2::new(1.0, -half), DVec2::new(1.0, half)];
        profile = south.chain(equator).chain(north).collect();
    }
    profile
}

fn stretched(profile: Vec<DVec2>, n: usize, factors: DVec3) -> Triangles {
    let end = profile.iter().map(|p| p.y).fold(0.0, f64::max).max(1.0);
    // The pole of a capsule is one radius above the end of its segment.
    let pole = profile.iter().find(|p| p.x == 1.0 && p.y > 0.0).map_or(end, |p| p.y + 1.0);
    let (mut vertices, triangles) = turned(&profile, -pole, pole, n);
    vertices.iter_mut().for_each(|v| *v *= factors);
    (vertices, triangles)
}

/// A profile from below to above, turned about the axis, closed by a point on the axis at each end.
fn turned(profile: &[DVec2], low: f64, high: f64, n: usize) -> Triangles {
    let mut vertices = vec![DVec3::Z * low, DVec3::Z * high];
    for p in profile {
        vertices.extend((0..n).map(|k| {
            let (sin, cos) = (TAU * k as f64 / n as f64).sin_cos();
            DVec3::new(p.x * cos, p.x * sin, p.y)
        }));
    }
    let at = |row: usize, k: usize| (2 + row * n + k % n) as u32;
    let mut triangles = Vec::new();
    let last = profile.len().saturating_sub(1);
    for k in 0..n {
        triangles.push([0, at(0, k + 1), at(0, k)]);
        triangles.push([1, at(last, k), at(last, k + 1)]);
        for row in 0..last {
            triangles.push([at(row, k), at(row, k + 1), at(row + 1, k + 1)]);
            triangles.push([at(row, k), at(row + 1, k + 1), at(row + 1, k)]);
        }
    }
    (vertices, triangles)
}

fn cuboid(h: DVec3) -> Triangles {
    let sign = |bit: u32| if bit & 1 == 1 { 1.0 } else { -1.0 };
    let vertices = (0..8).map(|k| h * DVec3::new(sign(k), sign(k >> 1), sign(k >> 2))).collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    (vertices, faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}
