//! Elements sorted into a grid of places, to find the nearest one.

use crate::linear::Vectors;
use glamx::{DVec3, IVec3};

/// Elements sorted by the cells of a grid.
pub(super) struct Places<'a> {
    x: &'a Vectors,
    low: DVec3,
    side: f64,
    counts: IVec3,
    starts: Vec<u32>,
    elements: Vec<u32>,
}

impl<'a> Places<'a> {
    /// Sorts elements into cells about as wide as `side` [m], wider if there would be many more cells than elements.
    pub fn new(x: &'a Vectors, side: f64) -> Self {
        let all = || (0..x.len()).map(|e| x.get(e));
        let low = all().fold(DVec3::splat(f64::INFINITY), DVec3::min);
        let high = all().fold(DVec3::splat(f64::NEG_INFINITY), DVec3::max);
        let most = 8.0 * x.len() as f64 + 64.0;
        let mut side = side;
        let count = |side: f64| ((high - low) / side).floor() + 1.0;
        while count(side).element_product() > most {
            side *= 1.5;
        }
        let counts = count(side).as_ivec3().max(IVec3::ONE);
        let cells = (counts.x as usize) * (counts.y as usize) * (counts.z as usize);
        let mut places = Self { x, low, side, counts, starts: vec![0; cells + 1], elements: vec![0; x.len()] };
        let cell: Vec<usize> = all().map(|p| places.number(places.cell(p))).collect();
        cell.iter().for_each(|&c| places.starts[c + 1] += 1);
        for c in 0..cells {
            places.starts[c + 1] += places.starts[c];
        }
        let mut next = places.starts.clone();
        for (e, &c) in cell.iter().enumerate() {
            places.elements[next[c] as usize] = e as u32;
            next[c] += 1;
        }
        places
    }

    /// The cell of a point, or that at the rim nearest to it.
    fn cell(&self, p: DVec3) -> IVec3 {
        ((p - self.low) / self.side).floor().as_ivec3().clamp(IVec3::ZERO, self.counts - 1)
    }

    fn number(&self, c: IVec3) -> usize {
        ((c.z as usize * self.counts.y as usize) + c.y as usize) * self.counts.x as usize + c.x as usize
    }

    /// The element nearest to a point; of several the one with the smallest number. There must be elements.
    pub fn nearest(&self, p: DVec3) -> u32 {
        let home = self.cell(p);
        let mut best = (f64::INFINITY, 0);
        for ring in 0..self.counts.max_element() {
            // Whatever lies in farther rings is at least this far away.
            if best.0.sqrt() <= f64::from(ring - 1) * self.side {
                break;
            }
            self.each_of_ring(home, ring, |e| {
                let candidate = (self.x.get(e as usize).distance_squared(p), e);
                if candidate < best {
                    best = candidate;
                }
            });
        }
        best.1
    }

    /// Visits the elements in the cells that are `ring` cells from `home`.
    fn each_of_ring(&self, home: IVec3, ring: i32, mut visit: impl FnMut(u32)) {
        let (low, high) = ((home - ring).max(IVec3::ZERO), (home + ring).min(self.counts - 1));
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                let whole_row = (z - home.z).abs() == ring || (y - home.y).abs() == ring;
                let step = if whole_row { 1 } else { (2 * ring).max(1) };
                let start = if whole_row { low.x } else { home.x - ring };
                for x in (start..=high.x).step_by(step as usize).filter(|&x| x >= low.x) {
                    let c = self.number(IVec3::new(x, y, z));
                    self.elements[self.starts[c] as usize..self.starts[c + 1] as usize].iter().for_each(|&e| visit(e));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_the_one_that_a_search_through_all_finds() {
        let mut x = Vectors::default();
        let mut seed = 7u64;
        let mut number = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 40) as f64 / f64::from(1 << 24)
        };
        for _ in 0..300 {
            x.push(DVec3::new(3.0 * number(), number(), 0.2 * number()));
        }
        for side in [0.01, 0.1, 0.7, 5.0] {
            let places = Places::new(&x, side);
            for _ in 0..200 {
                let p = DVec3::new(5.0 * number() - 1.0, 3.0 * number() - 1.0, number() - 0.5);
                let distance = |e: u32| x.get(e as usize).distance_squared(p);
                let expected = (0..300).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
                assert_eq!(Some(places.nearest(p)), expected);
            }
        }
    }
}
