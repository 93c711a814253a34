//! Sections of friction cones between a disc and a polygon: `P_τ = τ P + (1 − τ) D`, with `D` the unit disc.
//!
//! The nearest point of `R P_τ` to a point outside is that of the polygon `τ R P`, and from there `(1 − τ) R` towards the point. So a
//! section is as easily projected onto as its polygon, and one can go from the exact cone to a pyramid little by little.

use glamx::{DMat2, DVec2};

/// A section of radius one: its polygon, and how much of it there is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section<'a> {
    /// Corners of the polygon around the origin, in the order of their angles.
    pub(super) corners: &'a [DVec2],
    /// From 0, the disc, to 1, the polygon. [1]
    pub(super) sharpness: f64,
}

/// The nearest point of a section of some radius, and its derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Nearest {
    /// The point.
    pub(super) point: DVec2,
    /// Its derivative by the point that is outside.
    pub(super) by_point: DMat2,
    /// Its derivative by the radius.
    pub(super) by_radius: DVec2,
}

/// The nearest point of a polygon of radius one, scaled.
enum Foot {
    /// On an edge with this outward normal and this distance from the origin.
    Edge(DVec2, f64),
    /// On this corner.
    Corner(DVec2),
}

impl Section<'_> {
    /// The nearest point to `y` of the section with this radius; `None` if `y` is inside.
    pub(super) fn nearest(&self, y: DVec2, radius: f64) -> Option<Nearest> {
        let (size, round) = (self.sharpness * radius, (1.0 - self.sharpness) * radius);
        let (base, foot) = self.foot(y, size)?;
        let away = y - base;
        let distance = away.length();
        if distance <= round {
            return None;
        }
        Some(match foot {
            Foot::Edge(normal, offset) => {
                let along = normal.perp();
                let by_radius = normal * (self.sharpness * offset + 1.0 - self.sharpness);
                Nearest { point: base + normal * round, by_point: outer(along), by_radius }
            }
            Foot::Corner(corner) => {
                let normal = away / distance;
                let by_point = outer(normal.perp()) * (round / distance);
                let moved = corner * self.sharpness;
                let by_radius = moved + normal * (1.0 - self.sharpness) - by_point * moved;
                Nearest { point: base + normal * round, by_point, by_radius }
            }
        })
    }

    /// The nearest point of the polygon, `size` times as large, and what it lies on; `None` if `y` is inside.
    fn foot(&self, y: DVec2, size: f64) -> Option<(DVec2, Foot)> {
        if size <= 0.0 {
            return Some((DVec2::ZERO, Foot::Corner(DVec2::ZERO)));
        }
        let n = self.corners.len();
        let edges = (0..n).map(|k| (self.corners[k], self.corners[(k + 1) % n]));
        let mut nearest: Option<(f64, DVec2, Foot)> = None;
        let mut outside = false;
        for (a, b) in edges {
            let (along, length) = ((b - a).normalize_or_zero(), (b - a).length());
            let (normal, offset) = (-along.perp(), -along.perp().dot(a));
            outside |= y.dot(normal) > size * offset;
            let s = along.dot(y - a * size) / size;
            let (base, foot) = match s {
                s if s <= 0.0 => (a * size, Foot::Corner(a)),
                s if s >= length => (b * size, Foot::Corner(b)),
                s => ((a + along * s) * size, Foot::Edge(normal, offset)),
            };
            let distance = base.distance_squared(y);
            if nearest.as_ref().is_none_or(|n| distance < n.0) {
                nearest = Some((distance, base, foot));
            }
        }
        nearest.filter(|_| outside).map(|(_, base, foot)| (base, foot))
    }
}

/// `v vᵀ`.
fn outer(v: DVec2) -> DMat2 {
    DMat2::from_cols(v * v.x, v * v.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::noise::Noise;
    use std::f64::consts::TAU;

    fn corners(count: usize) -> Vec<DVec2> {
        (0..count).map(|k| DVec2::from_angle(TAU * k as f64 / count as f64)).collect()
    }

    fn all(mut check: impl FnMut(Section<'_>, DVec2, f64)) {
        let mut noise = Noise(1);
        for count in [3, 4, 8] {
            let corners = corners(count);
            for sharpness in [0.0, 0.3, 0.9, 1.0] {
                for _ in 0..200 {
                    let y = DVec2::new(noise.next() - 0.5, noise.next() - 0.5) * 6.0;
                    check(Section { corners: &corners, sharpness }, y, 0.2 + noise.next());
                }
            }
        }
    }

    #[test]
    fn no_point_of_the_section_goes_farther_towards_what_is_outside_than_the_nearest_one() {
        let mut outside = 0;
        all(|section, y, radius| {
            let farthest = |d: DVec2| {
                let corner = section.corners.iter().map(|c| c.dot(d)).fold(f64::NEG_INFINITY, f64::max);
                radius * (section.sharpness * corner + (1.0 - section.sharpness) * d.length())
            };
            match section.nearest(y, radius) {
                Some(nearest) => {
                    let d = y - nearest.point;
                    assert!((nearest.point.dot(d) - farthest(d)).abs() < 1e-12, "{y} {nearest:?}");
                    outside += 1;
                }
                None => (0..64).map(|k| DVec2::from_angle(TAU * f64::from(k) / 64.0)).for_each(|d| {
                    assert!(y.dot(d) <= farthest(d) + 1e-12, "{y} is not inside");
                }),
            }
        });
        assert!(outside > 1000, "{outside}");
    }

    #[test]
    fn derivatives_of_the_nearest_point_are_its_differences() {
        let h = 1e-6;
        let mut smooth = 0;
        all(|section, y, radius| {
            let at = |y: DVec2, radius: f64| section.nearest(y, radius);
            let Some(nearest) = at(y, radius) else { return };
            let both = |a: Option<Nearest>, b: Option<Nearest>| Some((a?, b?));
            for d in [DVec2::X, DVec2::Y] {
                let Some((ahead, behind)) = both(at(y + d * h, radius), at(y - d * h, radius)) else { return };
                // Where the point changes from an edge to a corner there is a kink.
                if ahead.by_point.abs_diff_eq(behind.by_point, 1e-4) {
                    let change = (ahead.point - behind.point) / (2.0 * h);
                    assert!((nearest.by_point * d - change).length() < 1e-6, "{y} {nearest:?} {change}");
                    smooth += 1;
                }
            }
            let Some((ahead, behind)) = both(at(y, radius + h), at(y, radius - h)) else { return };
            if ahead.by_radius.distance(behind.by_radius) < 1e-4 {
                let change = (ahead.point - behind.point) / (2.0 * h);
                assert!((nearest.by_radius - change).length() < 1e-6, "{y} {nearest:?} {change}");
            }
        });
        assert!(smooth > 2000, "{smooth}");
    }
}
