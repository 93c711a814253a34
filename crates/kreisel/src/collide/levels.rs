//! Spheres sorted by size, so that a grid of small cells never holds a large sphere and a large cell never many small ones.

use crate::linear::Vectors;
use glamx::DVec3;

/// Sizes below 2⁻⁶² of the largest are not told apart.
const OCTAVES: usize = 62;

/// Sizes are counted in this many classes per factor of two.
const CLASSES_PER_OCTAVE: usize = 8;

const CLASSES: usize = OCTAVES * CLASSES_PER_OCTAVE + 1;

/// The least reach of a level, as a part of the largest: points without size still need cells with one.
const LEAST_REACH: f64 = 1.0 / (1u64 << OCTAVES) as f64;

/// Mark of a sphere that takes no part.
const NOWHERE: u16 = u16::MAX;

/// Spheres whose reach lies within a factor of two of each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// First of its spheres in [`Levels::members`].
    pub first: usize,
    /// One past the last of its spheres.
    pub end: usize,
    /// The largest reach `r + margin/2` in the level [m].
    pub reach: f64,
    /// Lower corner of the box around the centres [m].
    pub low: DVec3,
    /// Upper corner of the box around the centres [m].
    pub high: DVec3,
}

impl Level {
    /// Number of its spheres.
    pub fn len(&self) -> usize {
        self.end - self.first
    }
}

/// All spheres that take part, coarsest level first, in the order of their numbers within a level.
#[derive(Debug, Default)]
pub(super) struct Levels {
    /// Numbers of the spheres, level after level.
    pub members: Vec<u32>,
    /// The levels that hold spheres, coarsest first.
    pub levels: Vec<Level>,
    class_of: Vec<u16>,
}

impl Levels {
    /// Sorts the spheres with finite centre and radius into levels; none if no two of them can meet.
    ///
    /// The first level begins with the largest sphere and takes all of more than half its reach, the next level begins
    /// with the largest of the rest, and so on: spheres of like size share a level.
    pub fn sort(&mut self, centres: &Vectors, radii: &[f64], margin: f64) {
        self.members.clear();
        self.levels.clear();
        let n = centres.len().min(radii.len()).min(u32::MAX as usize);
        let largest = largest_reach(centres, &radii[..n], margin);
        if largest <= 0.0 || (2.0 * largest).powi(2) == 0.0 {
            return; // |a − b|² < (2R)² has no solution in floating point
        }
        let counts = self.classify(centres, &radii[..n], margin, largest);
        let level_of_class = self.divide(&counts, LEAST_REACH * largest);
        self.scatter(&level_of_class);
        for level in &mut self.levels {
            measure(level, &self.members[level.first..level.end], centres, radii, margin);
        }
    }

    /// Finds the class of each sphere, and how many there are in each class.
    fn classify(&mut self, centres: &Vectors, radii: &[f64], margin: f64, largest: f64) -> Vec<usize> {
        let mut counts = vec![0; CLASSES];
        self.class_of.clear();
        self.class_of.extend(radii.iter().enumerate().map(|(i, &r)| {
            if !takes_part(centres, r, i) {
                return NOWHERE;
            }
            let class = size_class(largest, r + 0.5 * margin);
            counts[class] += 1;
            class as u16
        }));
        counts
    }

    /// Makes levels of one octave, each beginning at the first class that is not empty; returns the level of each class.
    fn divide(&mut self, counts: &[usize], reach: f64) -> Vec<usize> {
        let (mut level_of_class, mut first, mut next) = (vec![0; CLASSES], 0, 0);
        for (class, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            if class >= next {
                let (low, high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
                self.levels.push(Level { first, end: first, reach, low, high });
                next = class + CLASSES_PER_OCTAVE;
            }
            first += count;
            level_of_class[class] = self.levels.len() - 1;
            self.levels[level_of_class[class]].end = first;
        }
        level_of_class
    }

    fn scatter(&mut self, level_of_class: &[usize]) {
        let mut next: Vec<usize> = self.levels.iter().map(|level| level.first).collect();
        self.members.resize(self.levels.last().map_or(0, |level| level.end), 0);
        for (i, &class) in self.class_of.iter().enumerate().filter(|(_, class)| **class != NOWHERE) {
            let slot = &mut next[level_of_class[class as usize]];
            self.members[*slot] = i as u32;
            *slot += 1;
        }
    }
}

fn takes_part(centres: &Vectors, radius: f64, i: usize) -> bool {
    // The sum is finite only if each term is, or if terms overflow together, which is as far away as infinity.
    (centres.x[i] * 0.0 + centres.y[i] * 0.0 + centres.z[i] * 0.0 + radius * 0.0) == 0.0
}

fn largest_reach(centres: &Vectors, radii: &[f64], margin: f64) -> f64 {
    let mut largest = 0.0f64;
    for (i, &r) in radii.iter().enumerate() {
        let reach = r + 0.5 * margin;
        if reach > largest && takes_part(centres, r, i) {
            largest = reach;
        }
    }
    largest
}

/// The exponent of `largest / reach` and the first bits of its mantissa, read together as one number.
fn size_class(largest: f64, reach: f64) -> usize {
    const BITS: u32 = f64::MANTISSA_DIGITS - 1 - CLASSES_PER_OCTAVE.ilog2();
    let ratio = largest / reach.max(0.0);
    ((ratio.to_bits() - 1f64.to_bits()) >> BITS).min(CLASSES as u64 - 1) as usize
}

fn measure(level: &mut Level, members: &[u32], centres: &Vectors, radii: &[f64], margin: f64) {
    for &i in members {
        let (i, c) = (i as usize, centres.get(i as usize));
        level.low = level.low.min(c);
        level.high = level.high.max(c);
        level.reach = level.reach.max(radii[i] + 0.5 * margin);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels_of(radii: &[f64]) -> Levels {
        let mut levels = Levels::default();
        levels.sort(&Vectors::zeros(radii.len()), radii, 0.0);
        levels
    }

    #[test]
    fn spheres_of_like_size_share_a_level() {
        let levels = levels_of(&[1.0, 0.6, 0.8, 0.51]);
        assert_eq!(levels.levels.len(), 1);
        assert_eq!(levels.members, [0, 1, 2, 3]);
    }

    #[test]
    fn levels_run_from_coarse_to_fine_and_are_no_larger_than_their_largest_sphere() {
        let levels = levels_of(&[1e-3, 1e3, 1.0, 0.9]);
        assert_eq!(levels.members, [1, 2, 3, 0]);
        let reaches: Vec<f64> = levels.levels.iter().map(|level| level.reach).collect();
        assert_eq!(reaches, [1e3, 1.0, 1e-3]);
    }

    #[test]
    fn what_is_not_finite_takes_no_part() {
        let mut centres = Vectors::zeros(4);
        centres.y[1] = f64::NAN;
        centres.z[2] = f64::NEG_INFINITY;
        let mut levels = Levels::default();
        levels.sort(&centres, &[1.0, 1.0, 1.0, f64::NAN], 0.1);
        assert_eq!(levels.members, [0]);
    }
}
