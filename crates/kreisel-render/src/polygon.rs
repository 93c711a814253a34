//! Convex polygons in a picture.

/// A convex polygon, its corners in one sense of rotation [pixels].
#[derive(Clone, Debug)]
pub(crate) struct Polygon {
    corners: Vec<(f64, f64)>,
    /// 1 if the corners go from x towards y, else −1.
    sense: f64,
}

impl Polygon {
    /// A polygon with these corners, in order.
    pub(crate) fn new(corners: Vec<(f64, f64)>) -> Self {
        let area: f64 = edges(&corners).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum();
        Self { corners, sense: if area < 0.0 { -1.0 } else { 1.0 } }
    }

    /// How far a place is outside of the edge that is farthest inside of it [pixels]: negative inside.
    pub(crate) fn distance(&self, at: (f64, f64)) -> f64 {
        let beyond = |(a, b): ((f64, f64), (f64, f64))| {
            let (x, y) = (b.0 - a.0, b.1 - a.1);
            let length = x.hypot(y);
            (length > 1e-9).then(|| self.sense * ((at.0 - a.0) * y - (at.1 - a.1) * x) / length)
        };
        edges(&self.corners).filter_map(beyond).reduce(f64::max).unwrap_or(f64::INFINITY)
    }

    /// Left, top, right and bottom [pixels].
    pub(crate) fn bounds(&self) -> (f64, f64, f64, f64) {
        let none = (f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY);
        self.corners.iter().fold(none, |b, c| (b.0.min(c.0), b.1.min(c.1), b.2.max(c.0), b.3.max(c.1)))
    }
}

fn edges(corners: &[(f64, f64)]) -> impl Iterator<Item = ((f64, f64), (f64, f64))> + '_ {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

/// The convex hull of points: lower and upper chain from left to right. (Andrew, "Another efficient algorithm for convex
/// hulls in two dimensions", 1979.)
pub(crate) fn hull(mut points: Vec<(f64, f64)>) -> Polygon {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut corners = chain(points.iter().copied());
    corners.extend(chain(points.iter().rev().copied()));
    Polygon::new(corners)
}

/// The corners on one side, without the last.
fn chain(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for p in points {
        while let [.., a, b] = kept[..] {
            if (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0) > 0.0 {
                break;
            }
            kept.pop();
        }
        kept.push(p);
    }
    kept.pop();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_leaves_out_what_is_inside_and_knows_in_from_out() {
        let square = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)];
        let polygon = hull([(2.0, 1.0), (3.0, 3.0)].into_iter().chain(square).collect());
        assert_eq!(polygon.corners.len(), 4);
        let backwards = Polygon::new(square.into_iter().rev().collect());
        for polygon in [polygon, backwards] {
            assert_eq!(polygon.distance((1.0, 2.0)), -1.0);
            assert_eq!(polygon.distance((7.0, 2.0)), 3.0);
            assert_eq!(polygon.bounds(), (0.0, 0.0, 4.0, 4.0));
        }
        assert_eq!(hull(vec![(1.0, 1.0); 5]).distance((1.0, 1.0)), f64::INFINITY);
    }
}
