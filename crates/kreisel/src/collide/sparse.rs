//! Cells of unbounded space, of which only the occupied ones are kept: for matter in clumps far apart.

use glamx::DVec3;
use std::ops::Range;

/// Cells further out than this from the origin, in cells, are one. Up to here the cell of a point is exact to 2⁻¹² edges.
const OUTERMOST: f64 = (1u64 << 40) as f64;

/// Mark of a slot without a cell.
const EMPTY: u32 = u32::MAX;

/// The thirteen of the 26 neighbours that come after a cell in the order of (z, y, x).
const LATER: [[i64; 3]; 13] = [
    [1, 0, 0],
    [-1, 1, 0],
    [0, 1, 0],
    [1, 1, 0],
    [-1, -1, 1],
    [0, -1, 1],
    [1, -1, 1],
    [-1, 0, 1],
    [0, 0, 1],
    [1, 0, 1],
    [-1, 1, 1],
    [0, 1, 1],
    [1, 1, 1],
];

/// Occupied cells, numbered in the order they were met, in a hash table with open addressing.
#[derive(Clone, Debug)]
pub(super) struct Sparse {
    inverse_edge: f64,
    places: Vec<[i64; 3]>,
    slots: Vec<u32>,
}

impl Sparse {
    /// No cells yet, of edge `edge` [m], with room for `capacity` of them.
    pub fn new(edge: f64, capacity: usize) -> Self {
        let slots = vec![EMPTY; (2 * capacity + 2).next_power_of_two()];
        Self { inverse_edge: 1.0 / edge, places: Vec::new(), slots }
    }

    /// How many cells are occupied.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    #[inline]
    fn place(&self, p: DVec3) -> [i64; 3] {
        let c = (p * self.inverse_edge).floor().clamp(DVec3::splat(-OUTERMOST), DVec3::splat(OUTERMOST));
        [c.x as i64, c.y as i64, c.z as i64]
    }

    /// The cell of a point, made if it is new. At most `capacity` different ones may be asked for.
    pub fn occupy(&mut self, p: DVec3) -> usize {
        let place = self.place(p);
        let slot = self.slot(place);
        if self.slots[slot] == EMPTY {
            self.slots[slot] = self.places.len() as u32;
            self.places.push(place);
        }
        self.slots[slot] as usize
    }

    /// The slot that holds the cell at `place`, or the empty one where it would go. The table is at most half full.
    #[inline]
    fn slot(&self, place: [i64; 3]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(place) & mask;
        while self.slots[slot] != EMPTY && self.places[self.slots[slot] as usize] != place {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[inline]
    fn visit(&self, place: [i64; 3], visit: &mut impl FnMut(Range<usize>)) {
        let cell = self.slots[self.slot(place)];
        if cell != EMPTY {
            visit(cell as usize..cell as usize + 1);
        }
    }

    /// Visits the half of the neighbourhood of `p` that comes after its own cell, beginning with that cell.
    #[inline]
    pub fn later_neighbours(&self, p: DVec3, mut visit: impl FnMut(Range<usize>)) {
        let [x, y, z] = self.place(p);
        self.visit([x, y, z], &mut visit);
        for [dx, dy, dz] in LATER {
            self.visit([x + dx, y + dy, z + dz], &mut visit);
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
                for x in x0..=x1 {
                    self.visit([x, y, z], &mut visit);
                }
            }
        }
    }
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
        let mut cells = Sparse::new(1.0, 3);
        assert_eq!(cells.occupy(DVec3::splat(0.5)), 0);
        assert_eq!(cells.occupy(DVec3::splat(1e15)), 1);
        assert_eq!(cells.occupy(DVec3::splat(0.7)), 0);
        assert_eq!(cells.occupy(DVec3::splat(2e15)), 1, "beyond the outermost cell all is one");
        assert_eq!(cells.len(), 2);
    }

    #[test]
    fn later_neighbours_and_earlier_neighbours_are_opposite() {
        for [x, y, z] in LATER {
            assert!((z, y, x) > (0, 0, 0));
            assert!(!LATER.contains(&[-x, -y, -z]));
        }
    }
}
