//! Whether two triangles pass through each other.

use kreisel::DVec3;

/// Where two triangles pass through each other by more than `tolerance`; touching and lying upon each other do not
/// count. Each triangle cuts the line common to both planes in an interval; they cross where both overlap [Mol97].
pub fn crossing(a: &[DVec3; 3], b: &[DVec3; 3], tolerance: f64) -> Option<DVec3> {
    let (n_a, n_b) = ((a[1] - a[0]).cross(a[2] - a[0]), (b[1] - b[0]).cross(b[2] - b[0]));
    let heights_b = heights(b, a[0], n_a, tolerance)?;
    let heights_a = heights(a, b[0], n_b, tolerance)?;
    let line = n_a.cross(n_b).try_normalize()?;
    let (from_a, to_a) = interval(a, heights_a, line, a[0])?;
    let (from_b, to_b) = interval(b, heights_b, line, a[0])?;
    let (from, to) = if from_a.0 > from_b.0 { (from_a, to_a.min_by(to_b)) } else { (from_b, to_a.min_by(to_b)) };
    (to.0 - from.0 > tolerance).then(|| 0.5 * (from.1 + to.1))
}

/// Heights of three points above a plane, if there are some on both sides; within the tolerance they are zero.
fn heights(points: &[DVec3; 3], origin: DVec3, normal: DVec3, tolerance: f64) -> Option<[f64; 3]> {
    let length = normal.length();
    if length == 0.0 {
        return None;
    }
    let h = points.map(|x| {
        let h = (x - origin).dot(normal) / length;
        if h.abs() <= tolerance { 0.0 } else { h }
    });
    let (above, below) = (h.iter().any(|&h| h > 0.0), h.iter().any(|&h| h < 0.0));
    (above && below).then_some(h)
}

/// A point on the common line: how far along it, and where.
#[derive(Clone, Copy)]
struct On(f64, DVec3);

impl On {
    fn min_by(self, other: Self) -> Self {
        if other.0 < self.0 { other } else { self }
    }
}

/// The interval in which a triangle cuts the plane above which its corners have these heights.
fn interval(points: &[DVec3; 3], heights: [f64; 3], line: DVec3, origin: DVec3) -> Option<(On, On)> {
    let mut found: [Option<On>; 2] = [None; 2];
    let mut add = |x: DVec3| {
        let slot = usize::from(found[0].is_some());
        found[slot] = Some(On((x - origin).dot(line), x));
    };
    for k in 0..3 {
        let (h, g) = (heights[k], heights[(k + 1) % 3]);
        if h == 0.0 {
            add(points[k]);
        } else if h * g < 0.0 {
            add(points[k] + (points[(k + 1) % 3] - points[k]) * (h / (h - g)));
        }
    }
    let (one, other) = (found[0]?, found[1]?);
    Some(if one.0 <= other.0 { (one, other) } else { (other, one) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat() -> [DVec3; 3] {
        [DVec3::ZERO, DVec3::X * 2.0, DVec3::Y * 2.0]
    }

    #[test]
    fn a_blade_through_a_sheet_crosses_it_and_one_beside_it_does_not() {
        let blade = |x: f64| [DVec3::new(x, 0.5, -1.0), DVec3::new(x, 0.5, 1.0), DVec3::new(x + 0.3, 0.6, 1.0)];
        let at = crossing(&flat(), &blade(0.5), 1e-9).unwrap();
        assert!(at.z.abs() < 1e-12 && (at.x - 0.575).abs() < 0.1, "{at}");
        assert!(crossing(&flat(), &blade(3.0), 1e-9).is_none());
    }

    #[test]
    fn neighbours_that_share_an_edge_or_a_corner_do_not_cross() {
        let across_an_edge = [DVec3::X * 2.0, DVec3::ZERO, DVec3::new(1.0, 0.0, 1.0)];
        let at_a_corner = [DVec3::ZERO, DVec3::new(-1.0, -0.2, 1.0), DVec3::new(-1.0, 0.1, -1.0)];
        assert!(crossing(&flat(), &across_an_edge, 1e-9).is_none());
        assert!(crossing(&flat(), &at_a_corner, 1e-9).is_none());
    }

    #[test]
    fn a_neighbour_at_a_corner_that_folds_through_crosses() {
        let through = [DVec3::ZERO, DVec3::new(1.0, 0.8, 1.0), DVec3::new(0.8, 1.0, -1.0)];
        assert!(crossing(&flat(), &through, 1e-9).is_some());
    }

    #[test]
    fn a_block_that_rests_on_another_does_not_cross_it() {
        let upon = flat().map(|x| x + DVec3::new(0.3, 0.3, 0.0));
        let side = [DVec3::new(0.3, 0.3, 0.0), DVec3::new(1.0, 0.3, 0.0), DVec3::new(0.3, 0.3, 1.0)];
        assert!(crossing(&flat(), &upon, 1e-9).is_none());
        assert!(crossing(&flat(), &side, 1e-9).is_none());
    }
}
