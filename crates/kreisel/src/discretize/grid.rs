//! A box cut into equal cells, and the numbering of their corners.

use glamx::DVec3;

/// Corners of the cells of a box, numbered so that the longest side runs fastest: neighbours form long runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    /// Number of cells along x, y, z.
    pub cells: [u32; 3],
    /// Sides of a cell [m].
    pub sides: [f64; 3],
    /// Axes from the one that runs fastest to the slowest.
    pub order: [usize; 3],
    /// What one cell along each axis adds to the number of a corner.
    pub strides: [u32; 3],
}

impl Grid {
    /// Cuts a box of the given sides [m] into the given numbers of cells.
    pub fn new(size: [f64; 3], cells: [u32; 3]) -> Self {
        let mut order = [0, 1, 2];
        order.sort_by(|&a, &b| size[b].total_cmp(&size[a]));
        let mut strides = [0; 3];
        let mut stride = 1;
        for axis in order {
            strides[axis] = stride;
            stride *= cells[axis] + 1;
        }
        let sides = std::array::from_fn(|axis| size[axis] / f64::from(cells[axis]));
        Self { cells, sides, order, strides }
    }

    /// Number of a corner.
    pub fn index(&self, p: [u32; 3]) -> u32 {
        (0..3).map(|axis| p[axis] * self.strides[axis]).sum()
    }

    /// Number of the corner at `p + offset`, if there is one.
    pub fn neighbour(&self, p: [u32; 3], offset: [i32; 3]) -> Option<u32> {
        let mut q = [0; 3];
        for axis in 0..3 {
            q[axis] = p[axis].checked_add_signed(offset[axis]).filter(|&c| c <= self.cells[axis])?;
        }
        Some(self.index(q))
    }

    /// Where a corner is, the box centred on the origin [m].
    pub fn position(&self, p: [u32; 3]) -> DVec3 {
        // From the middle outwards: mirror images are exact mirror images.
        let along = |axis: usize| (2.0 * f64::from(p[axis]) - f64::from(self.cells[axis])) * 0.5 * self.sides[axis];
        DVec3::new(along(0), along(1), along(2))
    }

    /// How many cells lie beside corner `p` along an axis: 1 at the surface, 2 inside.
    pub fn cells_beside(&self, p: [u32; 3], axis: usize) -> u32 {
        u32::from(p[axis] > 0) + u32::from(p[axis] < self.cells[axis])
    }

    /// All corners, in the order of their numbers.
    pub fn corners(self) -> impl Iterator<Item = [u32; 3]> {
        self.points([1; 3])
    }

    /// The lower corners of all cells, in the order of their numbers.
    pub fn lower_corners(self) -> impl Iterator<Item = [u32; 3]> {
        self.points([0; 3])
    }

    fn points(self, extra: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
        let [fast, middle, slow] = self.order;
        let count = move |axis: usize| self.cells[axis] + extra[axis];
        (0..count(slow)).flat_map(move |c| {
            (0..count(middle)).flat_map(move |b| {
                (0..count(fast)).map(move |a| {
                    let mut p = [0; 3];
                    (p[fast], p[middle], p[slow]) = (a, b, c);
                    p
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_come_in_the_order_of_their_numbers() {
        let grid = Grid::new([2.0, 5.0, 3.0], [2, 5, 3]);
        let numbers: Vec<u32> = grid.corners().map(|p| grid.index(p)).collect();
        assert_eq!(numbers, (0..3 * 6 * 4).collect::<Vec<u32>>());
        assert_eq!(grid.strides, [24, 1, 6]);
    }

    #[test]
    fn a_corner_outside_has_no_number() {
        let grid = Grid::new([1.0; 3], [1; 3]);
        assert_eq!(grid.neighbour([0, 0, 0], [1, 1, 1]), Some(7));
        assert_eq!(grid.neighbour([0, 0, 0], [-1, 0, 0]), None);
        assert_eq!(grid.neighbour([1, 0, 0], [1, 0, 0]), None);
    }
}
