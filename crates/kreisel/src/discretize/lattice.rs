//! A lattice of equal cells around a solid, and lists of its cells or corners row by row.

use glamx::DVec3;

/// Equal cells around a point; rows run along the axis with the most of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lattice {
    /// Its centre [m].
    pub centre: DVec3,
    /// Number of cells along x, y, z.
    pub cells: [u32; 3],
    /// Sides of a cell [m].
    pub sides: [f64; 3],
    /// Axes from the one that runs fastest to the slowest.
    pub order: [usize; 3],
}

impl Lattice {
    /// A lattice whose longest axis runs fastest.
    pub fn new(centre: DVec3, cells: [u32; 3], sides: [f64; 3]) -> Self {
        let length = |axis: usize| f64::from(cells[axis]) * sides[axis];
        let mut order = [0, 1, 2];
        order.sort_by(|&a, &b| length(b).total_cmp(&length(a)));
        Self { centre, cells, sides, order }
    }

    /// Volume of a cell [m³].
    pub fn volume(&self) -> f64 {
        self.sides[0] * self.sides[1] * self.sides[2]
    }

    /// Where a corner is [m].
    pub fn corner(&self, p: [u32; 3]) -> DVec3 {
        self.point(p, 0.0)
    }

    /// Where the centre of a cell is [m].
    pub fn middle(&self, p: [u32; 3]) -> DVec3 {
        self.point(p, 1.0)
    }

    /// From the middle outwards: mirror images are exact mirror images.
    fn point(&self, p: [u32; 3], shift: f64) -> DVec3 {
        let along =
            |axis: usize| (2.0 * f64::from(p[axis]) + shift - f64::from(self.cells[axis])) * 0.5 * self.sides[axis];
        self.centre + DVec3::new(along(0), along(1), along(2))
    }

    /// Coordinates in cells from the lowest corner.
    pub fn local(&self, x: DVec3) -> DVec3 {
        let along = |axis: usize| (x - self.centre)[axis] / self.sides[axis] + 0.5 * f64::from(self.cells[axis]);
        DVec3::new(along(0), along(1), along(2))
    }

    /// The cell that holds a point, the nearest one for points outside.
    pub fn cell_of(&self, x: DVec3) -> [u32; 3] {
        let u = self.local(x);
        std::array::from_fn(|axis| (u[axis].max(0.0) as u32).min(self.cells[axis] - 1))
    }

    /// Number of the row of a cell.
    pub fn cell_row(&self, p: [u32; 3]) -> u32 {
        p[self.order[2]] * self.cells[self.order[1]] + p[self.order[1]]
    }

    /// Number of the row of a corner.
    pub fn corner_row(&self, p: [u32; 3]) -> u32 {
        p[self.order[2]] * (self.cells[self.order[1]] + 1) + p[self.order[1]]
    }

    /// The cell at a place of a row.
    pub fn cell_at(&self, row: u32, along: u32) -> [u32; 3] {
        self.place(row, along, self.cells[self.order[1]])
    }

    /// The corner at a place of a row.
    pub fn corner_at(&self, row: u32, along: u32) -> [u32; 3] {
        self.place(row, along, self.cells[self.order[1]] + 1)
    }

    fn place(&self, row: u32, along: u32, rows: u32) -> [u32; 3] {
        let mut p = [0; 3];
        (p[self.order[0]], p[self.order[1]], p[self.order[2]]) = (along, row % rows, row / rows);
        p
    }

    /// The cell beside a cell, if the lattice has it.
    pub fn beside(&self, p: [u32; 3], offset: [i32; 3]) -> Option<[u32; 3]> {
        let mut q = [0; 3];
        for axis in 0..3 {
            q[axis] = p[axis].checked_add_signed(offset[axis]).filter(|&c| c < self.cells[axis])?;
        }
        Some(q)
    }
}

/// The six ways from a cell to those that share a face with it.
pub(super) const FACES: [[i32; 3]; 6] = [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]];

/// Places of a lattice that are taken, row by row, ascending along each row; memory is linear in places and rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rows {
    /// Where each row starts in `along`; one more at the end.
    starts: Vec<u32>,
    /// Places along the rows.
    along: Vec<u32>,
}

impl Rows {
    /// From rows and places, ascending.
    pub fn new(rows: usize, places: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut list = Self { starts: vec![0; rows + 1], along: Vec::new() };
        for (row, along) in places {
            list.starts[row as usize + 1] += 1;
            list.along.push(along);
        }
        for row in 0..rows {
            list.starts[row + 1] += list.starts[row];
        }
        list
    }

    /// Number of places.
    pub fn len(&self) -> usize {
        self.along.len()
    }

    /// The places of a row, ascending, and the number of the first of them.
    pub fn row(&self, row: u32) -> (u32, &[u32]) {
        let (from, to) = (self.starts[row as usize], self.starts[row as usize + 1]);
        (from, &self.along[from as usize..to as usize])
    }

    /// The number of a place, if it is taken.
    pub fn find(&self, row: u32, along: u32) -> Option<u32> {
        let (from, places) = self.row(row);
        places.binary_search(&along).ok().map(|k| from + k as u32)
    }

    /// Row and place of a number.
    pub fn get(&self, number: u32) -> (u32, u32) {
        let row = self.starts.partition_point(|&start| start <= number) - 1;
        (row as u32, self.along[number as usize])
    }

    /// All places in the order of their numbers, as rows and places.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let rows = self.starts.len().saturating_sub(1) as u32;
        (0..rows).flat_map(move |row| self.row(row).1.iter().map(move |&along| (row, along)))
    }
}

/// Cells of a lattice that hold matter.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cells {
    /// The lattice.
    pub lattice: Lattice,
    /// Which of its cells.
    pub rows: Rows,
    /// How far each is filled [1]; more than 1 if it holds the matter of neighbours.
    pub weight: Vec<f64>,
}

impl Cells {
    /// From rows, places and weights, ascending.
    pub fn new(lattice: Lattice, list: &[(u32, u32, f64)]) -> Self {
        let rows = lattice.cells[lattice.order[1]] as usize * lattice.cells[lattice.order[2]] as usize;
        let rows = Rows::new(rows, list.iter().map(|&(row, along, _)| (row, along)));
        Self { lattice, rows, weight: list.iter().map(|c| c.2).collect() }
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.weight.len()
    }

    /// Number of the cell at a place, if it holds matter.
    pub fn find(&self, p: [u32; 3]) -> Option<u32> {
        self.rows.find(self.lattice.cell_row(p), p[self.lattice.order[0]])
    }

    /// Number of the cell beside a place, if it holds matter.
    pub fn neighbour(&self, p: [u32; 3], offset: [i32; 3]) -> Option<u32> {
        self.find(self.lattice.beside(p, offset)?)
    }

    /// The places of all cells, in the order of their numbers.
    pub fn places(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.rows.iter().map(|(row, along)| self.lattice.cell_at(row, along))
    }

    /// The place of a cell.
    pub fn place(&self, cell: u32) -> [u32; 3] {
        let (row, along) = self.rows.get(cell);
        self.lattice.cell_at(row, along)
    }

    /// The cells that a rule keeps, with new weights.
    pub fn keep(&self, weight: impl Fn(usize) -> Option<f64>) -> Self {
        let kept = |(c, (row, along)): (usize, (u32, u32))| weight(c).map(|w| (row, along, w));
        let list: Vec<_> = self.rows.iter().enumerate().filter_map(kept).collect();
        Self::new(self.lattice, &list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_by_their_place_and_points_by_their_cell() {
        let lattice = Lattice::new(DVec3::new(1.0, 2.0, 3.0), [2, 5, 3], [0.5; 3]);
        assert_eq!(lattice.order, [1, 2, 0]);
        let places: Vec<[u32; 3]> = (0..30).map(|k| lattice.cell_at(k / 5, k % 5)).collect();
        let list: Vec<_> = (0..30).map(|k| (k / 5, k % 5, 1.0)).filter(|c| c.1 != 2).collect();
        let cells = Cells::new(lattice, &list);
        for p in places {
            let expected = list.iter().position(|&(row, along, _)| lattice.cell_at(row, along) == p);
            assert_eq!(cells.find(p).map(|c| c as usize), expected);
            assert_eq!(lattice.cell_of(lattice.middle(p)), p);
        }
        assert_eq!(cells.neighbour([0, 0, 0], [-1, 0, 0]), None);
        assert_eq!(cells.places().count(), cells.len());
        assert!(cells.places().enumerate().all(|(c, p)| cells.place(c as u32) == p));
    }
}
