//! Convex polygons cut by planes across the axes, without gaps: both halves share the corners of the cut.

use glamx::DVec3;

/// A triangle cut by six planes has nine corners.
const MOST_CORNERS: usize = 10;

/// A convex polygon in space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polygon {
    corners: [DVec3; MOST_CORNERS],
    count: usize,
}

impl Polygon {
    /// A triangle.
    pub fn triangle(corners: [DVec3; 3]) -> Self {
        let mut polygon = Self::empty();
        corners.into_iter().for_each(|x| polygon.push(x));
        polygon
    }

    fn empty() -> Self {
        Self { corners: [DVec3::ZERO; MOST_CORNERS], count: 0 }
    }

    fn push(&mut self, x: DVec3) {
        if self.count < MOST_CORNERS {
            self.corners[self.count] = x;
            self.count += 1;
        }
    }

    /// The corners in order.
    pub fn corners(&self) -> &[DVec3] {
        &self.corners[..self.count]
    }

    /// The parts below and above `value` on an axis.
    pub fn split(&self, axis: usize, value: f64) -> (Self, Self) {
        let (mut below, mut above) = (Self::empty(), Self::empty());
        for (k, &a) in self.corners().iter().enumerate() {
            let b = self.corners[(k + 1) % self.count];
            let (s, t) = (a[axis] - value, b[axis] - value);
            if s <= 0.0 {
                below.push(a);
            }
            if s >= 0.0 {
                above.push(a);
            }
            if s * t < 0.0 {
                let mut x = a + (b - a) * (s / (s - t));
                x[axis] = value;
                below.push(x);
                above.push(x);
            }
        }
        (below, above)
    }

    /// Cuts into slices of unit thickness along an axis and hands them out with their numbers, `0..count`.
    pub fn slices(self, axis: usize, count: u32, mut each: impl FnMut(Self, u32)) {
        let range = |(low, high): (f64, f64), x: &DVec3| (low.min(x[axis]), high.max(x[axis]));
        let (low, high) = self.corners().iter().fold((f64::INFINITY, f64::NEG_INFINITY), range);
        let first = (low.max(0.0) as u32).min(count - 1);
        let last = (high.ceil().max(1.0) as u32 - 1).clamp(first, count - 1);
        let mut rest = self;
        for k in first..last {
            let (below, above) = rest.split(axis, f64::from(k + 1));
            each(below, k);
            rest = above;
        }
        each(rest, last);
    }

    /// `∫ dA` and `∫ z dA` over the projection along z, positive if anticlockwise seen from above.
    pub fn shadow(&self) -> (f64, f64) {
        let (mut area, mut moment) = (0.0, 0.0);
        let Some((&o, others)) = self.corners().split_first() else { return (0.0, 0.0) };
        for pair in others.windows(2) {
            let (a, b) = (pair[0] - o, pair[1] - o);
            let part = 0.5 * (a.x * b.y - a.y * b.x);
            area += part;
            moment += part * (o.z + pair[0].z + pair[1].z) / 3.0;
        }
        (area, moment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_of_a_triangle_add_up_to_it() {
        let corners = [DVec3::new(0.2, 0.3, 0.1), DVec3::new(4.7, 1.0, 2.0), DVec3::new(2.0, 5.0, 3.9)];
        let whole = Polygon::triangle(corners);
        let (mut area, mut moment, mut parts) = (0.0, 0.0, 0);
        whole.slices(0, 5, |part, i| {
            part.slices(1, 5, |part, j| {
                part.slices(2, 4, |part, k| {
                    let cell = DVec3::new(f64::from(i), f64::from(j), f64::from(k));
                    let inside = |x: &DVec3| (*x - cell).min_element() >= 0.0 && (*x - cell).max_element() <= 1.0;
                    assert!(part.corners().iter().all(inside));
                    (area, moment, parts) = (area + part.shadow().0, moment + part.shadow().1, parts + 1);
                });
            });
        });
        let (expected, first) = whole.shadow();
        assert!((area / expected - 1.0).abs() < 1e-14 && (moment / first - 1.0).abs() < 1e-14);
        assert!(parts > 15);
    }
}
