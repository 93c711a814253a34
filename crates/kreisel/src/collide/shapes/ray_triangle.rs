//! Where a ray meets the front of triangles, without a gap between those that share corners. [WBW13]

use super::ray::Hit;
use glamx::{DVec2, DVec3};

/// A ray as triangles see it: space is shifted so that it starts at the origin, and sheared so that it runs along one axis.
///
/// It meets a triangle if the origin of the plane across that axis is on no outer side of its edges there. A corner has the same place in that
/// plane for each of its triangles, and the two products whose difference tells the side of an edge are the same for both of
/// its triangles, with the opposite sign: who passes one of them by a rounding error meets the other. A point that is worked
/// out on the plane of each triangle has no such bond, and leaves gaps along every edge.
pub(super) struct Sight {
    origin: DVec3,
    direction: DVec3,
    /// The axis that the direction is nearest to, and the two after it.
    axes: [usize; 3],
    /// How far the ray moves along the two for each metre along the first [1].
    slope: DVec2,
    /// Plus one if the front of a triangle is anticlockwise in the plane, minus one if it is clockwise.
    turn: f64,
}

impl Sight {
    pub(super) fn new(origin: DVec3, direction: DVec3) -> Self {
        let along = direction.abs().max_position();
        let axes = [along, (along + 1) % 3, (along + 2) % 3];
        let slope = DVec2::new(direction[axes[1]], direction[axes[2]]) / direction[along];
        Self { origin, direction, axes, slope, turn: -direction[along].signum() }
    }

    /// Distance and normal where the ray meets the front of a triangle with the normal `n`.
    pub(super) fn meets(&self, corners: [DVec3; 3], n: DVec3) -> Hit {
        let [a, b, c] = corners.map(|x| self.flattened(x - self.origin));
        let sides = [self.side(b, c), self.side(c, a), self.side(a, b)];
        // Twice the area that is seen: zero on edge.
        let seen = sides.iter().sum::<f64>();
        let t = self.distance(corners, sides, n);
        (sides.iter().all(|s| *s >= 0.0) && seen > 0.0 && t >= 0.0).then_some((t, n))
    }

    /// The place of a point, seen from where the ray starts, in the plane across the ray [m].
    fn flattened(&self, x: DVec3) -> DVec2 {
        DVec2::new(x[self.axes[1]], x[self.axes[2]]) - self.slope * x[self.axes[0]]
    }

    /// Positive if the ray passes the edge from `p` to `q` on its inner side [m²]. Rounding keeps the order of the two products, so that
    /// the sign is right or the difference zero.
    fn side(&self, p: DVec2, q: DVec2) -> f64 {
        self.turn * (p.x * q.y - p.y * q.x)
    }

    /// How far it is to the plane of the triangle, by the corner that is nearest to the hit. For a triangle seen on edge that may be anything: it is
    /// no nearer than the nearest corner and no farther than the farthest.
    fn distance(&self, corners: [DVec3; 3], weights: [f64; 3], n: DVec3) -> f64 {
        let nearest = DVec3::from(weights).max_position();
        let t = n.dot(corners[nearest] - self.origin) / n.dot(self.direction);
        let depth = corners.map(|x| self.direction.dot(x - self.origin));
        let (low, high) = depth.iter().fold((f64::MAX, f64::MIN), |(l, h), d| (d.min(l), d.max(h)));
        t.max(low).min(high)
    }
}
