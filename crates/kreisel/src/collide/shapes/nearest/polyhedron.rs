//! Nearest points of convex polyhedra and of triangles.

use super::Nearest;
use crate::model::Polyhedron;
use glamx::DVec3;

/// Inside: the nearest plane. Outside: the nearest of the faces that see the point.
pub(super) fn nearest(x: DVec3, p: &Polyhedron) -> Nearest {
    let height = |f: usize| p.normals()[f].dot(x) - p.offsets()[f];
    let faces = p.faces().len();
    let top = (1..faces).fold(0, |best, f| if height(f) > height(best) { f } else { best });
    let (h, n) = (height(top), p.normals()[top]);
    if h <= 0.0 {
        return Nearest { distance: h, normal: n, point: x - n * h, feature: top as u32 };
    }
    let mut best = Nearest { distance: f64::MAX, normal: n, point: x, feature: top as u32 };
    for f in (0..faces).filter(|&f| height(f) > 0.0) {
        let (point, feature) = in_face(x, p, f);
        let away = x - point;
        let distance = away.length();
        if distance < best.distance {
            let normal = if feature == f as u32 { p.normals()[f] } else { away.normalize_or(p.normals()[f]) };
            best = Nearest { distance, normal, point, feature };
        }
    }
    best
}

/// The nearest point of one face, and what it is on: the face, or after those an edge of it.
fn in_face(x: DVec3, p: &Polyhedron, f: usize) -> (DVec3, u32) {
    let (face, n) = (&p.faces()[f], p.normals()[f]);
    let mut best: Option<(f64, DVec3, u32)> = None;
    for (k, &v) in face.iter().enumerate() {
        let (a, b) = (p.vertices()[v as usize], p.vertices()[face[(k + 1) % face.len()] as usize]);
        if (b - a).cross(x - a).dot(n) < 0.0 {
            let q = on_segment(x, a, b);
            let d = q.distance_squared(x);
            if best.is_none_or(|(least, _, _)| d < least) {
                best = Some((d, q, edge_name(p, v, face[(k + 1) % face.len()])));
            }
        }
    }
    match best {
        Some((_, q, name)) => (q, name),
        None => (x - n * (n.dot(x) - p.offsets()[f]), f as u32),
    }
}

/// The number of an edge, after the numbers of the faces.
fn edge_name(p: &Polyhedron, a: u32, b: u32) -> u32 {
    let edge = p.edges().binary_search(&[a.min(b), a.max(b)]).unwrap_or(0);
    (p.faces().len() + edge) as u32
}

/// Nearest point of a segment.
fn on_segment(x: DVec3, a: DVec3, b: DVec3) -> DVec3 {
    let d = b - a;
    a + d * ((x - a).dot(d) / d.length_squared()).clamp(0.0, 1.0)
}

/// Nearest point of a triangle, and which part that is: 0–2 a corner, 3–5 the edge after that corner, 6 the inside.
pub(in crate::collide::shapes) fn point_triangle(x: DVec3, [a, b, c]: [DVec3; 3]) -> (DVec3, u32) {
    let n = (b - a).cross(c - a);
    let corners = [a, b, c];
    let mut best: Option<(f64, DVec3, u32)> = None;
    for k in 0..3 {
        let (p, q) = (corners[k], corners[(k + 1) % 3]);
        if n.cross(q - p).dot(x - p) < 0.0 {
            let d = q - p;
            let t = (x - p).dot(d) / d.length_squared();
            let part = if t <= 0.0 {
                k
            } else if t >= 1.0 {
                (k + 1) % 3
            } else {
                3 + k
            };
            let y = p + d * t.clamp(0.0, 1.0);
            if best.is_none_or(|(least, _, _)| y.distance_squared(x) < least) {
                best = Some((y.distance_squared(x), y, part as u32));
            }
        }
    }
    match best {
        Some((_, y, part)) => (y, part),
        None => (x - n * (n.dot(x - a) / n.length_squared()), 6),
    }
}
