//! Edges of one mesh across edges of another.
//!
//! Two sharp edges `e`, `f` hold each other apart along `n = ±(e × f)`, if the faces at both fall away from there: `n·t ≤ 0` for
//! the directions `t` from the edge into the faces of B, `n·t ≥ 0` for those of A.

use super::pair::Placed;
use crate::collide::shapes::Touch;
use crate::model::TriangleMesh;
use glamx::DVec3;

/// An edge whose faces differ by less than this angle [rad] is flat.
const FLAT: f64 = 1e-4;

/// Edges that differ by less than this angle [rad] are parallel; their ends touch as corners do.
const PARALLEL: f64 = 1e-3;

/// Faces may rise above the plane across `n` by this slope: those that lie in it do, by rounding.
const LEVEL: f64 = 1e-3;

/// A sharp edge in some frame.
pub(super) struct Edge {
    pub start: DVec3,
    /// From its start to its end [m].
    pub along: DVec3,
    /// From the edge into its faces, unit vectors; twice the same at an open edge.
    into: [DVec3; 2],
    /// Sum of the normals of its faces.
    outward: DVec3,
    pub name: u64,
}

/// Appends the places where edges of A and B cross nearer than the margin, or overlap by less than the depth.
pub(super) fn across(a: &Placed, b: &Placed, margin: f64, depth: f64, out: &mut Vec<Touch>) {
    let (low, high) = box_of_b_for_a(a, b);
    a.mesh.in_box(low - depth, high + depth, &mut |t| {
        for mine in (0..3).filter_map(|k| sharp(a.mesh, t, k)).map(|e| e.moved(a, b)) {
            let end = mine.start + mine.along;
            let (low, high) = (mine.start.min(end) - depth, mine.start.max(end) + depth);
            b.mesh.in_box(low, high, &mut |s| {
                for other in (0..3).filter_map(|k| sharp(b.mesh, s, k)) {
                    out.extend(
                        crossing(&mine, &other, margin, depth).map(|x| x.in_world(b)).filter(|x| is_real(x, a, b)),
                    );
                }
            });
        }
    });
}

/// The box around B in the frame of A.
pub(super) fn box_of_b_for_a(a: &Placed, b: &Placed) -> (DVec3, DVec3) {
    let (low, high) = b.mesh.bounds();
    let corner = |k: usize| {
        let pick = |i: usize| if k >> i & 1 == 1 { high[i] } else { low[i] };
        a.frame.to_local(b.frame.to_world(DVec3::new(pick(0), pick(1), pick(2))))
    };
    (0..8).map(corner).fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)))
}

/// The edge after a corner of a triangle, if it is sharp and this triangle is the first of its two.
pub(super) fn sharp(mesh: &TriangleMesh, t: usize, k: usize) -> Option<Edge> {
    let beyond = mesh.neighbour(t, k);
    if beyond.is_some_and(|s| s < t) || mesh.rise(t, k).is_some_and(|rise| rise > -FLAT) {
        return None;
    }
    let corners = mesh.corners(t);
    let along = corners[(k + 1) % 3] - corners[k];
    let (n, m) = (mesh.normals()[t], mesh.normals()[beyond.unwrap_or(t)]);
    let own = n.cross(along).normalize_or_zero();
    let others = beyond.map_or(own, |_| -m.cross(along).normalize_or_zero());
    Some(Edge { start: corners[k], along, into: [own, others], outward: n + m, name: 3 * t as u64 + k as u64 })
}

impl Edge {
    /// From the frame of A to that of B.
    fn moved(&self, a: &Placed, b: &Placed) -> Self {
        let turn = |d: DVec3| b.frame.turned_back(a.frame.r * d);
        Self {
            start: b.frame.to_local(a.frame.to_world(self.start)),
            along: turn(self.along),
            into: self.into.map(turn),
            outward: turn(self.outward),
            name: self.name,
        }
    }
}

/// Where two edges cross, in the frame of both.
struct Crossing {
    point_a: DVec3,
    normal: DVec3,
    gap: f64,
    feature: u64,
}

fn crossing(a: &Edge, b: &Edge, margin: f64, depth: f64) -> Option<Crossing> {
    let cross = a.along.cross(b.along);
    if cross.length() <= PARALLEL * a.along.length() * b.along.length() {
        return None;
    }
    let n = cross.normalize();
    let n = if n.dot(b.outward) < 0.0 { -n } else { n };
    if b.into.iter().any(|t| n.dot(*t) > LEVEL) || a.into.iter().any(|t| n.dot(*t) < -LEVEL) {
        return None;
    }
    let d = a.start - b.start;
    let gap = d.dot(n);
    if gap >= margin || gap < -depth {
        return None;
    }
    // Lines p + s e and q + u f are nearest where (p − q + s e − u f) is along e × f.
    let square = cross.length_squared();
    let (s, u) = (b.along.cross(d).dot(cross) / square, a.along.cross(d).dot(cross) / square);
    let within = |x: f64| (0.0..=1.0).contains(&x);
    let feature = 1 << 62 | (a.name & 0x3fff_ffff) << 30 | b.name & 0x3fff_ffff;
    (within(s) && within(u)).then(|| Crossing { point_a: a.start + a.along * s, normal: n, gap, feature })
}

impl Crossing {
    fn in_world(&self, b: &Placed) -> Touch {
        let (point_a, normal) = (b.frame.to_world(self.point_a), b.frame.r * self.normal);
        Touch { point_a, point_b: point_a - normal * self.gap, normal, gap: self.gap, feature: self.feature }
    }
}

/// Edges that have passed each other overlap only if what is between them is inside of both.
fn is_real(t: &Touch, a: &Placed, b: &Placed) -> bool {
    let middle = 0.5 * (t.point_a + t.point_b);
    let filled = |m: &Placed| {
        let closed = m.mesh.open_edges() == 0;
        !closed || m.distance(middle, f64::INFINITY) <= -0.1 * t.gap + 1e-9 * m.size()
    };
    t.gap >= 0.0 || (filled(a) && filled(b))
}
