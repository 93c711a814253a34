//! The cells of one level: in a table where matter fills its box, hashed where it does not.

use super::dense::{Dense, cells_in_box};
use super::levels::Level;
use super::sparse::Sparse;
use crate::linear::Vectors;
use glamx::DVec3;
use std::ops::Range;

/// Cells are wider than needed by this factor, so that rounding cannot part neighbours.
pub(super) const SLACK: f64 = 1.0 + 1.0 / 1024.0;

/// A table of the smallest cells may have this many per sphere.
const CELLS_PER_SPHERE: f64 = 8.0;

/// A table of larger cells has at most this many per sphere: it fits a nearer cache, and most cells are still empty.
const LARGE_CELLS_PER_SPHERE: f64 = 2.0;

/// Even one sphere may have this many cells.
const FEWEST_CELLS: f64 = 64.0;

/// Spheres that share a cell, on average over spheres, from which on hashing smaller cells is the faster way.
const CROWD: usize = 8;

/// The cost of looking up a row of a table or a hashed cell, in distance tests.
const LOOK_UP: f64 = 3.0;

/// How many spheres are looked at to find the box that holds most of them.
const SAMPLE: usize = 512;

/// The cells of one level.
#[derive(Clone, Debug)]
pub(super) enum Cells {
    /// A table of all cells in a box.
    Dense(Dense),
    /// The occupied cells.
    Sparse(Sparse),
}

impl Cells {
    /// Chooses the cells of a level and puts the cell of each member into `cell_of`.
    ///
    /// In this order: cells as small as possible over the whole box; a box without the few that flew off, with cells
    /// large enough that there are O(n); hashed cells when the second way crowds too many spheres into a cell.
    pub fn choose(level: &Level, members: &[u32], centres: &Vectors, cell_of: &mut [u32]) -> Self {
        let edge = 2.0 * level.reach * SLACK;
        if cells_in_box(level.low, level.high, edge) <= most_cells(CELLS_PER_SPHERE, members) {
            let dense = Dense::new(level.low, level.high, edge);
            assign(&dense, members, centres, cell_of);
            return Self::Dense(dense);
        }
        if let Some(dense) = roomy(level, members, centres) {
            assign(&dense, members, centres, cell_of);
            if !is_crowded(cell_of, dense.len()) {
                return Self::Dense(dense);
            }
        }
        let mut sparse = Sparse::new(edge, members.len());
        for (cell, &i) in cell_of.iter_mut().zip(members) {
            *cell = sparse.occupy(centres.get(i as usize)) as u32;
        }
        Self::Sparse(sparse)
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Dense(cells) => cells.len(),
            Self::Sparse(cells) => cells.len(),
        }
    }

    /// What it costs to look at everything in a cube of edge `width` [m], when there are so many spheres: a place in a
    /// table or hash to look up counts as some distance tests.
    pub fn cost_of_touching(&self, width: f64, spheres: usize) -> f64 {
        match self {
            Self::Dense(cells) => {
                let (rows, touched) = cells.touched_by_cube(width);
                LOOK_UP * rows + touched * spheres as f64 / cells.len() as f64
            }
            Self::Sparse(cells) => LOOK_UP * cells.touched_by_cube(width),
        }
    }

    /// Visits the later half of the neighbourhood of `p`, beginning with its own cell.
    #[inline]
    pub fn later_neighbours(&self, p: DVec3, visit: impl FnMut(Range<usize>)) {
        match self {
            Self::Dense(cells) => cells.later_neighbours(p, visit),
            Self::Sparse(cells) => cells.later_neighbours(p, visit),
        }
    }

    /// Visits the cells that a box touches.
    #[inline]
    pub fn touching(&self, low: DVec3, high: DVec3, visit: impl FnMut(Range<usize>)) {
        match self {
            Self::Dense(cells) => cells.touching(low, high, visit),
            Self::Sparse(cells) => cells.touching(low, high, visit),
        }
    }
}

fn assign(dense: &Dense, members: &[u32], centres: &Vectors, cell_of: &mut [u32]) {
    for (cell, &i) in cell_of.iter_mut().zip(members) {
        *cell = dense.cell(centres.get(i as usize)) as u32;
    }
}

fn most_cells(per_sphere: f64, members: &[u32]) -> f64 {
    per_sphere * members.len() as f64 + FEWEST_CELLS
}

/// A table over the box of most members, with larger cells if need be; none if the box is not finite.
fn roomy(level: &Level, members: &[u32], centres: &Vectors) -> Option<Dense> {
    let mut edge = 2.0 * level.reach * SLACK;
    let (low, high) = box_of_most(level, members, centres, edge);
    if !(high - low).is_finite() {
        return None;
    }
    if cells_in_box(low, high, edge) <= most_cells(CELLS_PER_SPHERE, members) {
        return Some(Dense::new(low, high, edge));
    }
    let most = most_cells(LARGE_CELLS_PER_SPHERE, members);
    // The cube root is right for a box with three long sides and too careful for a flat one: repeat.
    while cells_in_box(low, high, edge) > most {
        edge *= (cells_in_box(low, high, edge) / most).cbrt().max(1.05);
    }
    Some(Dense::new(low, high, edge))
}

/// The box between the 2nd and the 98th percentile of a sample, a tenth wider on each side, within the box of all.
fn box_of_most(level: &Level, members: &[u32], centres: &Vectors, edge: f64) -> (DVec3, DVec3) {
    let side = |c: &[f64], low: f64, high: f64| {
        let mut sample: Vec<f64> =
            members.iter().step_by(members.len().div_ceil(SAMPLE)).map(|&i| c[i as usize]).collect();
        sample.sort_unstable_by(f64::total_cmp);
        let cut = sample.len() / 50;
        let (a, b) = (sample[cut], sample[sample.len() - 1 - cut]);
        let room = 0.1 * (b - a) + edge;
        ((a - room).max(low), (b + room).min(high))
    };
    let (x0, x1) = side(&centres.x, level.low.x, level.high.x);
    let (y0, y1) = side(&centres.y, level.low.y, level.high.y);
    let (z0, z1) = side(&centres.z, level.low.z, level.high.z);
    (DVec3::new(x0, y0, z0), DVec3::new(x1, y1, z1))
}

/// True if a sphere shares its cell with too many others, on average: Σ count² > CROWD · n.
fn is_crowded(cell_of: &[u32], cells: usize) -> bool {
    let mut counts = vec![0usize; cells];
    for &cell in cell_of {
        counts[cell as usize] += 1;
    }
    counts.iter().map(|count| count * count).sum::<usize>() > CROWD * cell_of.len()
}

#[cfg(test)]
mod tests {
    use super::super::levels::Levels;
    use super::*;

    fn cells_of(centres: &Vectors, radius: f64) -> Cells {
        let mut levels = Levels::default();
        levels.sort(centres, &vec![radius; centres.len()], 0.0);
        let mut cell_of = vec![0; levels.members.len()];
        Cells::choose(&levels.levels[0], &levels.members, centres, &mut cell_of)
    }

    fn cube(side: usize, spacing: f64) -> Vectors {
        let mut centres = Vectors::default();
        for i in 0..side.pow(3) {
            centres.push(DVec3::new((i % side) as f64, (i / side % side) as f64, (i / side / side) as f64) * spacing);
        }
        centres
    }

    #[test]
    fn a_block_gets_a_table_even_if_one_sphere_flew_off() {
        let mut centres = cube(10, 1.0);
        centres.push(DVec3::splat(1e12));
        let Cells::Dense(cells) = cells_of(&centres, 0.5) else { unreachable!("a table is expected") };
        assert!(cells.len() <= 12 * 12 * 12, "{} cells", cells.len());
    }

    #[test]
    fn a_thin_gas_gets_cells_as_many_as_spheres_and_not_as_many_as_fit() {
        let Cells::Dense(cells) = cells_of(&cube(10, 1.0), 1e-6) else { unreachable!("a table is expected") };
        assert!(cells.len() <= 8064, "{} cells", cells.len());
    }

    #[test]
    fn clumps_far_apart_are_hashed() {
        let mut centres = cube(10, 1.0);
        centres.x[500..].iter_mut().for_each(|x| *x += 1e6);
        assert!(matches!(cells_of(&centres, 0.5), Cells::Sparse(_)));
    }
}
