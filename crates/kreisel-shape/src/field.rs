//! The distance of a solid as a smooth field with creases: its gradient, and the way to its zero set.

use crate::{Solid, eigen::Planes};
use kreisel::DVec3;
use std::cell::RefCell;
use std::collections::HashMap;

/// Edge of the cubes within which a solid is looked at, in edge lengths.
const CUBE: f64 = 3.0;
/// Step of the difference quotients, in edge lengths: far below every feature, far above rounding.
const DIFFERENCE: f64 = 1e-7;
/// How near to the surface a vertex must come, in edge lengths.
const CLOSE: f64 = 1e-9;
/// Share of the normals across which a crease shows; two faces at 30° have sin²15° = 0.067.
pub const SHARP: f64 = 0.02;

/// A solid, looked at with a length in mind.
pub struct Field<'a> {
    solid: &'a Solid,
    /// The solid as seen from within cubes of `CUBE` edge lengths, made when first asked for.
    seen: RefCell<HashMap<[i64; 3], Solid>>,
    /// Wanted edge length [m].
    pub size: f64,
}

/// A point on a crease or corner.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// Where [m].
    pub at: DVec3,
    /// 2 on a crease, 3 at a corner.
    pub rank: u8,
}

impl<'a> Field<'a> {
    /// Signed distance anywhere, also far from the surface [m].
    pub fn far_distance(&self, p: DVec3) -> f64 {
        self.solid.distance(p)
    }

    /// The field of a solid, for edges of length `size`.
    pub fn new(solid: &'a Solid, size: f64) -> Self {
        Field { solid, seen: RefCell::default(), size }
    }

    /// Signed distance [m].
    pub fn distance(&self, p: DVec3) -> f64 {
        if !self.solid.is_composed() {
            return self.solid.distance(p);
        }
        let edge = CUBE * self.size;
        let key = (p / edge).floor();
        let centre = (key + 0.5) * edge;
        let mut seen = self.seen.borrow_mut();
        let key = key.to_array().map(|k| k as i64);
        seen.entry(key).or_insert_with(|| self.solid.within(centre, 0.5 * 3f64.sqrt() * edge)).distance(p)
    }

    /// Gradient by differences to the corners eᵢ = (±1, ±1, ±1) of a tetrahedron: `g = Σ eᵢ d(p + s eᵢ)/(4 s)`, since
    /// `Σ eᵢ = 0` and `Σ eᵢ eᵢᵀ = 4`.
    pub fn gradient(&self, p: DVec3) -> DVec3 {
        let s = DIFFERENCE * self.size;
        let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
        let term = |e: [f64; 3]| {
            let e = DVec3::from_array(e);
            e * self.distance(p + e * s)
        };
        corners.into_iter().map(term).sum::<DVec3>() / (4.0 * s)
    }

    /// Outward unit normal; zero where the gradient vanishes.
    pub fn normal(&self, p: DVec3) -> DVec3 {
        self.gradient(p).normalize_or_zero()
    }

    /// The surface point near `p`: Newton along the gradient, bisection where creases make it swing.
    pub fn project(&self, p: DVec3) -> DVec3 {
        let (mut x, mut best) = (p, (f64::INFINITY, p));
        for _ in 0..8 {
            let d = self.distance(x);
            if d.abs() < best.0 {
                best = (d.abs(), x);
            }
            if d.abs() <= CLOSE * self.size {
                return x;
            }
            let g = self.gradient(x);
            let step = -d * g / g.length_squared().max(0.05);
            x += step.clamp_length_max(0.5 * self.size);
        }
        self.bisect(best.1).unwrap_or(best.1)
    }

    /// A place nearer to the surface, two steps along a direction that is about the normal; none if that leads away.
    pub fn approach(&self, p: DVec3, normal: DVec3) -> Option<DVec3> {
        let first = self.distance(p);
        let x = p - normal * first;
        let second = self.distance(x);
        let nearer = second.abs() <= 0.7 * first.abs() + 1e-6 * self.size;
        (first.abs() < self.size && nearer).then(|| x - normal * second)
    }

    /// Looks for a change of sign along the gradient and halves it.
    fn bisect(&self, p: DVec3) -> Option<DVec3> {
        let (d, g) = (self.distance(p), self.normal(p));
        let mut reach = 2.0 * d.abs() + CLOSE * self.size;
        while reach < 2.0 * self.size {
            let q = p - g * (d.signum() * reach);
            if (self.distance(q) < 0.0) != (d < 0.0) {
                return Some(self.crossing((p, d), (q, self.distance(q)), CLOSE));
            }
            reach *= 2.0;
        }
        None
    }

    /// Where the segment between two places with distances of different sign meets the surface, to `close` edge lengths:
    /// halving, sped up by secants.
    pub fn crossing(&self, (a, at_a): (DVec3, f64), (b, at_b): (DVec3, f64), close: f64) -> DVec3 {
        let (mut low, mut high) = ((0.0, at_a), (1.0, at_b));
        let inside = low.1 < 0.0;
        let span = (b - a).length();
        for k in 0..60 {
            if (high.0 - low.0) * span <= close * self.size {
                break;
            }
            let secant = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
            let t = if k % 3 == 2 || !secant.is_finite() { 0.5 * (low.0 + high.0) } else { secant };
            let d = self.distance(a + (b - a) * t);
            if d.abs() <= close * self.size {
                return a + (b - a) * t;
            }
            if (d < 0.0) == inside { low = (t, d) } else { high = (t, d) }
        }
        a + (b - a) * (0.5 * (low.0 + high.0))
    }

    /// Whether there may be a crease near a place.
    pub fn may_crease(&self, p: DVec3) -> bool {
        self.solid.may_crease(p, 2.0 * self.size)
    }

    /// The crease or corner near `p`, if there is one within reach: planes are laid at points around `p`, which moves to
    /// where they meet, with less and less distance between them. On a smooth surface the planes become one.
    pub fn feature(&self, p: DVec3) -> Option<Feature> {
        if !self.may_crease(p) {
            return None;
        }
        // From near first: from afar a crease beside a corner is taken for the corner.
        self.feature_from(p, &[0.03, 6e-3, 1e-3]).or_else(|| self.feature_from(p, &[0.15, 0.03, 6e-3, 1e-3]))
    }

    fn feature_from(&self, p: DVec3, radii: &[f64]) -> Option<Feature> {
        let mut x = p;
        let mut rank = 0;
        for radius in radii {
            let meeting = self.planes_around(x, radius * self.size).meet(SHARP);
            if meeting.rank < 2 {
                return None;
            }
            x += meeting.shift.clamp_length_max(4.0 * radius * self.size);
            rank = meeting.rank;
        }
        let near = (x - p).length() < self.size && self.distance(x).abs() < 1e-3 * self.size;
        near.then(|| Feature { at: self.project(x), rank })
    }

    fn planes_around(&self, centre: DVec3, radius: f64) -> Planes {
        let mut planes = Planes::default();
        for k in 0..14 {
            let x = centre + direction(k) * radius;
            let (foot, normal) = self.plane_near(x);
            planes.add(foot - centre, normal);
        }
        planes
    }

    /// The tangent plane below a place. Its normal is that of the place: at the foot, which often lies on the crease
    /// itself, differences would mix both sides.
    fn plane_near(&self, x: DVec3) -> (DVec3, DVec3) {
        let g = self.gradient(x);
        let along = g / g.length_squared().max(0.05);
        let foot = x - along * self.distance(x);
        (foot - along * self.distance(foot), g.normalize_or_zero())
    }
}

/// Directions to the faces and corners of a cube that is parallel to nothing.
fn direction(k: usize) -> DVec3 {
    let sign = |bit: usize| if k >> bit & 1 == 0 { 1.0 } else { -1.0 };
    let plain = if k < 8 {
        DVec3::new(sign(0), sign(1), sign(2)) / 3f64.sqrt()
    } else {
        [DVec3::X, DVec3::Y, DVec3::Z][(k - 8) / 2] * sign(0)
    };
    kreisel::DQuat::from_xyzw(0.11, 0.23, -0.17, 0.95).normalize() * plain
}
