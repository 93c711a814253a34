//! Cells of unbounded space, of which only the occupied ones are kept: for matter in clumps far apart.

use glamx::DVec3;
use std::ops::Range;

/// Cells further out than this from the origin, in cells, are one. Up to here the cell of a point is exact to 2⁻¹² edges.
const OUTERMOST: f64 = (1u64 << 40) as f64;

/// Mark of a slot without a cell.
const EMPTY: u32 = u32::MAX;

/// Cells are kept in runs of 2³ along x: neighbours in x then mostly follow each other and are found together.
const RUN_BITS: u32 = 3;

/// Runs with an occupied cell, numbered in the order they were met, in a hash table with open addressing.
#[derive(Clone, Debug)]
pub(super) struct Sparse {
    inverse_edge: f64,
    runs: Vec<[i64; 3]>,
    slots: Vec<u32>,
}

impl Sparse {
    /// No cells yet, of edge `edge` [m], with room for `capacity` points.
    pub fn new(edge: f64, capacity: usize) -> Self {
        let slots = vec![EMPTY; (2 * capacity + 2).next_power_of_two()];
        Self { inverse_edge: 1.0 / edge, runs: Vec::new(), slots }
    }

    /// How many cells are kept.
    pub fn len(&self) -> usize {
        self.runs.len() << RUN_BITS
    }

    #[inline]
    fn place(&self, p: DVec3) -> [i64; 3] {
        let c = (p * self.inverse_edge).floor().clamp(DVec3::splat(-OUTERMOST), DVec3::splat(OUTERMOST));
        [c.x as i64, c.y as i64, c.z as i64]
    }

    /// The cell of a point, made if it is new. At most `capacity` points may ask.
    pub fn occupy(&mut self, p: DVec3) -> usize {
        let [x, y, z] = self.place(p);
        let run = [x >> RUN_BITS, y, z];
        let slot = self.slot(run);
        if self.slots[slot] == EMPTY {
            self.slots[slot] = self.runs.len() as u32;
            self.runs.push(run);
        }
        cell(self.slots[slot], run[0], x)
    }

    /// The slot that holds a run, or the empty one where it would go. The table is at most half full.
    #[inline]
    fn slot(&self, run: [i64; 3]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(run) & mask;
        while self.slots[slot] != EMPTY && self.runs[self.slots[slot] as usize] != run {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Visits the cells from `x0` to `x1` of a row, as far as they are kept.
    #[inline]
    fn visit_row(&self, [x0, x1]: [i64; 2], y: i64, z: i64, visit: &mut impl FnMut(Range<usize>)) {
        for run in x0 >> RUN_BITS..=x1 >> RUN_BITS {
            let number = self.slots[self.slot([run, y, z])];
            if number != EMPTY {
                let (first, last) = (run << RUN_BITS, (run << RUN_BITS) + (1 << RUN_BITS) - 1);
                visit(cell(number, run, x0.max(first))..cell(number, run, x1.min(last)) + 1);
            }
        }
    }

    /// Visits the half of the neighbourhood of `p` that comes after its own cell, beginning with that cell.
    #[inline]
    pub fn later_neighbours(&self, p: DVec3, mut visit: impl FnMut(Range<usize>)) {
        let [x, y, z] = self.place(p);
        self.visit_row([x, x + 1], y, z, &mut visit);
        self.visit_row([x - 1, x + 1], y + 1, z, &mut visit);
        for y in y - 1..=y + 1 {
            self.visit_row([x - 1, x + 1], y, z + 1, &mut visit);
        }
    }

    /// About how many cells, occupied or not, a cube of edge `width` [m] touches.
    pub fn touched_by_cube(&self, width: f64) -> f64 {
        (1.0 + width * self.inverse_edge).powi(3)
    }

    /// Visits the occupied cells that a box touches: a box a few cells wide, or this takes long.
    #[inline]
    pub fn touching(&self, low: DVec3, high: DVec3, mut visit: impl FnMut(Range<usize>)) {
        let ([x0, y0, z0], [x1, y1, z1]) = (self.place(low), self.place(high));
        for z in z0..=z1 {
            for y in y0..=y1 {
                self.visit_row([x0, x1], y, z, &mut visit);
            }
        }
    }
}

/// The cell at `x` in the run with this number and place.
#[inline]
fn cell(number: u32, run: i64, x: i64) -> usize {
    ((number as usize) << RUN_BITS) + (x - (run << RUN_BITS)) as usize
}

/// Mixes a place into bits of which the low ones serve as a table index: multiply and fold the halves, per coordinate.
#[inline]
fn hash(place: [i64; 3]) -> usize {
    const ODD: u128 = 0x9E37_79B9_7F4A_7C15; // 2⁶⁴ over the golden ratio
    let mix = |h: u64, a: &i64| {
        let product = u128::from(h ^ *a as u64) * ODD;
        product as u64 ^ (product >> 64) as u64
    };
    place.iter().fold(0x243F_6A88_85A3_08D3, mix) as usize // begins with digits of π
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_made_once() {
        let mut cells = Sparse::new(1.0, 4);
        assert_eq!(cells.occupy(DVec3::splat(0.5)), 0);
        assert_eq!(cells.occupy(DVec3::splat(1e15)), 8);
        assert_eq!(cells.occupy(DVec3::splat(0.7)), 0);
        assert_eq!(cells.occupy(DVec3::splat(2e15)), 8, "beyond the outermost cell all is one");
        assert_eq!(cells.len(), 16);
    }

    #[test]
    fn each_pair_of_neighbouring_cells_is_visited_once() {
        let place = |i: usize| DVec3::new((i % 12) as f64, (i / 12 % 3) as f64, (i / 36) as f64) - 5.5;
        let mut cells = Sparse::new(1.0, 108);
        let cell_of: Vec<usize> = (0..108).map(|i| cells.occupy(place(i))).collect();
        let mut visits = vec![0; cells.len() * cells.len()];
        for (i, a) in cell_of.iter().enumerate() {
            cells.later_neighbours(place(i), |range| range.for_each(|b| visits[a * cells.len() + b] += 1));
        }
        for i in 0..108 {
            for j in 0..i {
                let (a, b) = (cell_of[i], cell_of[j]);
                let neighbours = (place(i) - place(j)).abs().max_element() < 1.5;
                assert_eq!(visits[a * cells.len() + b] + visits[b * cells.len() + a], i32::from(neighbours));
            }
        }
    }
}
