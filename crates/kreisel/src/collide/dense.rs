//! A box of cells, every cell with its place in a table: for matter that fills its box.

use glamx::DVec3;
use std::ops::Range;

/// Cells of one size in a box, x fastest, so that neighbours in x follow each other.
///
/// A point outside the box belongs to the nearest cell of the border. Clamping brings no two points further apart, so
/// points closer than one edge are still in neighbouring cells.
#[derive(Clone, Debug)]
pub(super) struct Dense {
    origin: DVec3,
    inverse_edge: f64,
    last: DVec3,
    size: [usize; 3],
}

impl Dense {
    /// Cells of edge `edge` [m] over the box from `low` to `high`.
    pub fn new(low: DVec3, high: DVec3, edge: f64) -> Self {
        let last = last_cell(low, high, edge);
        let size = [last.x as usize + 1, last.y as usize + 1, last.z as usize + 1];
        Self { origin: low, inverse_edge: 1.0 / edge, last, size }
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.size[0] * self.size[1] * self.size[2]
    }

    /// The cell of a point, as coordinates.
    #[inline]
    fn coordinates(&self, p: DVec3) -> [usize; 3] {
        let c = ((p - self.origin) * self.inverse_edge).max(DVec3::ZERO).min(self.last);
        [c.x as u32 as usize, c.y as u32 as usize, c.z as u32 as usize]
    }

    /// The first cell of a row.
    #[inline]
    fn row(&self, y: usize, z: usize) -> usize {
        (z * self.size[1] + y) * self.size[0]
    }

    /// The cell of a point.
    #[inline]
    pub fn cell(&self, p: DVec3) -> usize {
        let [x, y, z] = self.coordinates(p);
        self.row(y, z) + x
    }

    /// Visits the half of the neighbourhood of `p` that comes after its own cell, as ranges of cells.
    /// The first range begins with the cell of `p` itself.
    #[inline]
    pub fn later_neighbours(&self, p: DVec3, mut visit: impl FnMut(Range<usize>)) {
        let [x, y, z] = self.coordinates(p);
        let (x0, x1) = (x.saturating_sub(1), (x + 2).min(self.size[0]));
        let (y0, y1) = (y.saturating_sub(1), (y + 2).min(self.size[1]));
        let own = self.row(y, z);
        visit(own + x..own + x1);
        if y + 1 < self.size[1] {
            visit(own + self.size[0] + x0..own + self.size[0] + x1);
        }
        if z + 1 < self.size[2] {
            for y in y0..y1 {
                let row = self.row(y, z + 1);
                visit(row + x0..row + x1);
            }
        }
    }

    /// About how many rows, and how many cells, a cube of edge `width` [m] touches.
    pub fn touched_by_cube(&self, width: f64) -> (f64, f64) {
        let [x, y, z] = self.size.map(|size| (1.0 + width * self.inverse_edge).min(size as f64));
        (y * z, x * y * z)
    }

    /// Visits the cells that a box touches, as ranges of cells.
    #[inline]
    pub fn touching(&self, low: DVec3, high: DVec3, mut visit: impl FnMut(Range<usize>)) {
        let ([x0, y0, z0], [x1, y1, z1]) = (self.coordinates(low), self.coordinates(high));
        for z in z0..=z1 {
            for y in y0..=y1 {
                let row = self.row(y, z);
                visit(row + x0..row + x1 + 1);
            }
        }
    }
}

/// How many cells of edge `edge` cover the box; a float because it may be astronomical.
pub(super) fn cells_in_box(low: DVec3, high: DVec3, edge: f64) -> f64 {
    let last = last_cell(low, high, edge);
    (last.x + 1.0) * (last.y + 1.0) * (last.z + 1.0)
}

fn last_cell(low: DVec3, high: DVec3, edge: f64) -> DVec3 {
    ((high - low) / edge).floor()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_outside_the_box_is_in_a_cell_of_the_border() {
        let cells = Dense::new(DVec3::ZERO, DVec3::new(3.5, 2.5, 1.5), 1.0);
        assert_eq!(cells.len(), 4 * 3 * 2);
        assert_eq!(cells.cell(DVec3::new(-1e300, 1.5, 0.5)), 4);
        assert_eq!(cells.cell(DVec3::new(1e12, 1e12, 1e12)), 23);
    }

    #[test]
    fn each_pair_of_neighbouring_cells_is_visited_once() {
        let (size, half) = (4, DVec3::splat(0.5));
        let cells = Dense::new(DVec3::ZERO, DVec3::splat(3.5), 1.0);
        let place =
            |cell: usize| DVec3::new((cell % size) as f64, (cell / size % size) as f64, (cell / size / size) as f64);
        let mut visits = vec![0; cells.len() * cells.len()];
        for a in 0..cells.len() {
            cells.later_neighbours(place(a) + half, |range| range.for_each(|b| visits[a * cells.len() + b] += 1));
        }
        for a in 0..cells.len() {
            assert_eq!(visits[a * cells.len() + a], 1);
            for b in 0..a {
                let neighbours = (place(a) - place(b)).abs().max_element() < 1.5;
                assert_eq!(visits[a * cells.len() + b] + visits[b * cells.len() + a], i32::from(neighbours));
            }
        }
    }
}
