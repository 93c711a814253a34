//! Welding: vertices at the same place, or closer than a distance, become one.

use kreisel::DVec3;

/// A cell of the grid is this many distances wide: most points then have one cell to look into, and cells hold few.
const CELL: f64 = 8.0;
/// An empty slot, or the end of a chain.
const NONE: u32 = u32::MAX;

/// A table from hashes to chains of points.
struct Table {
    heads: Vec<u32>,
    next: Vec<u32>,
}

impl Table {
    fn new(points: usize) -> Self {
        Self { heads: vec![NONE; (2 * points).next_power_of_two().max(16)], next: vec![NONE; points] }
    }

    fn slot(&self, hash: u64) -> usize {
        hash as usize & (self.heads.len() - 1)
    }

    fn add(&mut self, hash: u64, point: usize) {
        let slot = self.slot(hash);
        self.next[point] = std::mem::replace(&mut self.heads[slot], point as u32);
    }

    /// The points under a hash.
    fn chain(&self, hash: u64) -> impl Iterator<Item = u32> {
        let some = |p: u32| (p != NONE).then_some(p);
        std::iter::successors(some(self.heads[self.slot(hash)]), move |&p| some(self.next[p as usize]))
    }
}

/// Mixes three words; the last steps are those of splitmix64 [SLF14].
fn hash(words: [u64; 3]) -> u64 {
    let mixed = words.iter().fold(0u64, |h, &w| (h ^ w).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29));
    let z = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 31)
}

/// For every point the first one at exactly the same place; −0 is 0.
pub fn weld_exactly(points: &[DVec3]) -> Vec<u32> {
    let mut table = Table::new(points.len());
    let mut first = Vec::with_capacity(points.len());
    for (k, x) in points.iter().enumerate() {
        let h = hash((*x + DVec3::ZERO).to_array().map(f64::to_bits));
        let found = table.chain(h).find(|&p| points[p as usize] == *x);
        first.push(found.unwrap_or(k as u32));
        if found.is_none() {
            table.add(h, k);
        }
    }
    first
}

/// For every point the first one closer than `distance` that stayed itself.
pub fn weld_near(points: &[DVec3], distance: f64) -> Vec<u32> {
    let cell = |x: f64| (x / (CELL * distance)).floor();
    let key = |c: [f64; 3]| hash(c.map(|c| (c + 0.0).to_bits()));
    let mut table = Table::new(points.len());
    let mut first = Vec::with_capacity(points.len());
    for (k, x) in points.iter().enumerate() {
        let (low, high) = ((*x - distance).to_array().map(cell), (*x + distance).to_array().map(cell));
        let near = |p: &u32| points[*p as usize].distance_squared(*x) <= distance * distance;
        let mut found = None;
        for corner in 0..8usize {
            let side = |axis: usize| corner >> axis & 1 == 1;
            if (0..3).any(|a| side(a) && high[a] == low[a]) {
                continue;
            }
            let place = std::array::from_fn(|a| if side(a) { high[a] } else { low[a] });
            let best = table.chain(key(place)).filter(near).min();
            found = [found, best].into_iter().flatten().min();
        }
        first.push(found.unwrap_or(k as u32));
        if found.is_none() {
            table.add(key(x.to_array().map(cell)), k);
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minus_zero_is_zero() {
        assert_eq!(weld_exactly(&[DVec3::ZERO, DVec3::X, DVec3::new(-0.0, 0.0, -0.0)]), vec![0, 1, 0]);
    }

    #[test]
    fn points_on_both_sides_of_a_cell_are_found() {
        let d = 0.01;
        let points: Vec<DVec3> = (-50..50)
            .flat_map(|k| [-0.4, 0.4].map(|s| DVec3::splat(f64::from(k) * CELL * d) + DVec3::X * s * d))
            .collect();
        let welded = weld_near(&points, d);
        (0..100).for_each(|k| assert_eq!(welded[2 * k + 1], 2 * k as u32));
        assert!(weld_near(&points, 0.7 * d).iter().enumerate().all(|(k, &w)| w == k as u32));
    }
}
