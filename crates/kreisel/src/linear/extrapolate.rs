//! Fixed points of a map, found sooner than by going from image to image: the combination of the last points whose images would
//! have moved least, were the map linear. [And65]

use crate::linear::lu::{add_scaled, dot};

/// Pairs of differences that are remembered, unless told otherwise.
const DEPTH: usize = 8;
/// A difference whose part across later ones is below this share tells nothing new.
const DEPENDENT: f64 = 1e-5;

/// What is known of the map.
pub(crate) struct Extrapolation {
    /// Pairs of differences that are remembered.
    depth: usize,
    /// So many numbers tell how far a point is from its image; the others go with them.
    telling: usize,
    /// The last image, and how far it was from its point.
    last: Option<(Vec<f64>, Vec<f64>)>,
    /// Differences of images that follow each other and of how far they were, oldest first.
    differences: Vec<(Vec<f64>, Vec<f64>)>,
}

impl Default for Extrapolation {
    fn default() -> Self {
        Self::new(DEPTH, usize::MAX)
    }
}

impl Extrapolation {
    /// One that remembers so many pairs of differences: where the map is linear, it needs no more than there are numbers. The first so many
    /// numbers are `telling`; the map need have a fixed point in these only.
    pub(crate) fn new(depth: usize, telling: usize) -> Self {
        Self { depth, telling, last: None, differences: Vec::new() }
    }

    /// Forgets all but the map.
    pub(crate) fn forget(&mut self) {
        *self = Self::new(self.depth, self.telling);
    }

    /// The next point to try.
    pub(crate) fn next(&mut self, point: &[f64], image: Vec<f64>) -> Vec<f64> {
        let minus = |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a - b).collect() };
        let mut rest = minus(&image, point);
        if let Some((last_image, last_rest)) = &self.last {
            if self.differences.len() == self.depth {
                self.differences.remove(0);
            }
            self.differences.push((minus(&image, last_image), minus(&rest, last_rest)));
        }
        self.last = Some((image.clone(), rest.clone()));
        let mut next = image;
        let telling = self.telling.min(rest.len());
        let dot = |a: &[f64], b: &[f64]| dot(&a[..telling], &b[..telling]);
        let mut basis: Vec<(Vec<f64>, Vec<f64>, f64)> = Vec::new();
        for (moved, change) in self.differences.iter().rev() {
            let (mut moved, mut across) = (moved.clone(), change.clone());
            for (other_moved, other, square) in &basis {
                let share = dot(&across, other) / square;
                add_scaled(&mut across, -share, other);
                add_scaled(&mut moved, -share, other_moved);
            }
            let square = dot(&across, &across);
            if square > DEPENDENT * DEPENDENT * dot(change, change) {
                let share = dot(&rest, &across) / square;
                add_scaled(&mut rest, -share, &across);
                add_scaled(&mut next, -share, &moved);
                basis.push((moved, across, square));
            }
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_map_of_three_numbers_is_left_after_four_points() {
        // Going from image to image would take hundreds of rounds, or run away.
        let map = |x: &[f64]| vec![0.99 * x[0] + 0.1 * x[1] + 1.0, -1.5 * x[1] + 0.2 * x[2], 0.3 * x[0] - 0.5 * x[2]];
        let (mut x, mut ahead) = (vec![1.0, 2.0, 3.0], Extrapolation::default());
        for _ in 0..6 {
            x = ahead.next(&x, map(&x));
        }
        let off = map(&x).iter().zip(&x).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(off < 1e-9, "{off:e}");
    }
}
