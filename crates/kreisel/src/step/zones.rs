//! Where the surroundings of two things overlap.

use glamx::DVec3;

/// A box parallel to the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    low: DVec3,
    high: DVec3,
}

impl Extent {
    const NOTHING: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    /// Around a ball.
    pub fn around(centre: DVec3, radius: f64) -> Self {
        Self { low: centre - radius, high: centre + radius }
    }

    /// Around points.
    pub fn of(points: &[DVec3]) -> Self {
        points.iter().fold(Self::NOTHING, |b, &p| Self { low: b.low.min(p), high: b.high.max(p) })
    }

    /// Larger by `margin` [m] on all sides.
    pub fn grown(self, margin: f64) -> Self {
        Self { low: self.low - margin, high: self.high + margin }
    }

    /// True if the two have a point in common.
    pub fn meets(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    fn join(&mut self, other: &Self) {
        (self.low, self.high) = (self.low.min(other.low), self.high.max(other.high));
    }

    fn common(&self, other: &Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }
}

/// For each number the box around all that it has in common with other numbers' boxes; things are `(number, box)`.
///
/// Boxes of the numbers are swept along x: each is compared with those that begin before it ends.
pub(super) fn zones(things: impl Iterator<Item = (u32, Extent)>) -> Vec<Extent> {
    let mut whole: Vec<Extent> = Vec::new();
    for (number, extent) in things {
        let number = number as usize;
        if whole.len() <= number {
            whole.resize(number + 1, Extent::NOTHING);
        }
        whole[number].join(&extent);
    }
    let mut order: Vec<usize> = (0..whole.len()).filter(|&k| whole[k] != Extent::NOTHING).collect();
    order.sort_by(|&a, &b| whole[a].low.x.total_cmp(&whole[b].low.x).then(a.cmp(&b)));
    let mut zones = vec![Extent::NOTHING; whole.len()];
    for (k, &a) in order.iter().enumerate() {
        for &b in order[k + 1..].iter().take_while(|&&b| whole[b].low.x <= whole[a].high.x) {
            if whole[a].meets(&whole[b]) {
                let common = whole[a].common(&whole[b]);
                zones[a].join(&common);
                zones[b].join(&common);
            }
        }
    }
    zones
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_what_two_things_have_in_common_and_nothing_for_those_apart() {
        let cube = |x: f64| Extent::around(DVec3::new(x, 0.0, 0.0), 1.0);
        let zones = zones([(0, cube(0.0)), (2, cube(1.5)), (3, cube(9.0))].into_iter());
        assert_eq!(zones[0], Extent { low: DVec3::new(0.5, -1.0, -1.0), high: DVec3::ONE });
        assert_eq!((zones[2], zones[1], zones[3]), (zones[0], Extent::NOTHING, Extent::NOTHING));
        assert!(!cube(9.0).meets(&zones[3]));
    }
}
