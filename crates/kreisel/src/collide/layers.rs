//! All spheres in the order of their cells, level upon level, with the cells to find them by.

use super::cells::{Cells, SLACK};
use super::levels::{Level, Levels};
use crate::linear::Vectors;
use glamx::DVec3;
use std::ops::Range;

/// One level: its spheres and the cells they are in.
#[derive(Debug)]
struct Layer {
    level: Level,
    cells: Cells,
    /// Where the cells of this layer begin in [`Layers::starts`].
    first_cell: usize,
}

/// Spheres in the order of their cells, as arrays, so that neighbours are read in sequence.
#[derive(Debug, Default)]
pub(super) struct Layers {
    /// Number of the sphere in the caller's arrays.
    pub id: Vec<u32>,
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    radius: Vec<f64>,
    margin: f64,
    layers: Vec<Layer>,
    /// First sphere of each cell, over all layers, and one past the end.
    starts: Vec<u32>,
    levels: Levels,
    cell_of: Vec<u32>,
}

impl Layers {
    /// Sorts the spheres into cells, in time and memory proportional to their number.
    pub fn build(&mut self, centres: &Vectors, radii: &[f64], margin: f64) {
        self.margin = margin;
        self.levels.sort(centres, radii, margin);
        self.choose_cells(centres);
        self.count();
        self.scatter(centres, radii);
    }

    /// Number of spheres.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    fn choose_cells(&mut self, centres: &Vectors) {
        self.layers.clear();
        self.cell_of.clear();
        self.cell_of.resize(self.levels.members.len(), 0);
        let mut first_cell = 0;
        for &level in &self.levels.levels {
            let (members, cell_of) =
                (&self.levels.members[level.first..level.end], &mut self.cell_of[level.first..level.end]);
            let cells = Cells::choose(&level, members, centres, cell_of);
            cell_of.iter_mut().for_each(|cell| *cell += first_cell as u32);
            let count = cells.len();
            self.layers.push(Layer { level, cells, first_cell });
            first_cell += count;
        }
        self.starts.clear();
        self.starts.resize(first_cell + 1, 0);
    }

    /// `starts[c]` becomes one past the last sphere of cell `c`; `scatter` counts down from there.
    fn count(&mut self) {
        for &cell in &self.cell_of {
            self.starts[cell as usize] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
    }

    fn scatter(&mut self, centres: &Vectors, radii: &[f64]) {
        let n = self.cell_of.len();
        self.id.resize(n, 0);
        for a in [&mut self.x, &mut self.y, &mut self.z, &mut self.radius] {
            a.resize(n, 0.0);
        }
        for (&cell, &i) in self.cell_of.iter().zip(&self.levels.members).rev() {
            let start = &mut self.starts[cell as usize];
            *start -= 1;
            let (p, i) = (*start as usize, i as usize);
            self.id[p] = i as u32;
            (self.x[p], self.y[p], self.z[p]) = (centres.x[i], centres.y[i], centres.z[i]);
            self.radius[p] = radii[i];
        }
    }

    /// Puts into `hits` the spheres that meet sphere `p` (both as places in cell order) and are not found from their own
    /// side: those later in its level, and those of coarser levels. Returns the number of distances computed.
    pub fn meet(&self, p: usize, layer: usize, hits: &mut Hits) -> usize {
        hits.count = 0;
        let centre = DVec3::new(self.x[p], self.y[p], self.z[p]);
        let own = &self.layers[layer];
        let (mut tests, mut first) = (0, true);
        own.cells.later_neighbours(centre, |cells| {
            let mut range = self.spheres(own, cells);
            if std::mem::take(&mut first) {
                range.start = p + 1;
            }
            tests += range.len();
            self.test(p, range, hits);
        });
        for coarse in &self.layers[..layer] {
            tests += self.meet_coarser(p, centre, coarse, hits);
        }
        tests
    }

    fn meet_coarser(&self, p: usize, centre: DVec3, coarse: &Layer, hits: &mut Hits) -> usize {
        let reach = (self.radius[p] + 0.5 * self.margin).max(0.0) + coarse.level.reach;
        let (low, high) = (centre - reach * SLACK, centre + reach * SLACK);
        if low.cmpgt(coarse.level.high).any() || high.cmplt(coarse.level.low).any() {
            return 0;
        }
        let mut tests = 0;
        coarse.cells.touching(low, high, |cells| {
            let range = self.spheres(coarse, cells);
            tests += range.len();
            self.test(p, range, hits);
        });
        tests
    }

    #[inline]
    fn spheres(&self, layer: &Layer, cells: Range<usize>) -> Range<usize> {
        let (first, end) = (self.starts[layer.first_cell + cells.start], self.starts[layer.first_cell + cells.end]);
        first as usize..end as usize
    }

    /// Which of the spheres in `range` satisfy |a − b|² < (rₐ + r_b + margin)². Without branches on the outcome: about
    /// half the tests succeed in dense matter, which no processor can predict.
    #[inline]
    fn test(&self, p: usize, range: Range<usize>, hits: &mut Hits) {
        let (a, radius) = ([self.x[p], self.y[p], self.z[p]], self.radius[p]);
        let (xs, ys, zs) = (&self.x[range.clone()], &self.y[range.clone()], &self.z[range.clone()]);
        let radii = &self.radius[range.clone()];
        let found = hits.room(range.len());
        let mut count = 0;
        for (k, (((x, y), z), r)) in xs.iter().zip(ys).zip(zs).zip(radii).enumerate() {
            let (dx, dy, dz) = (x - a[0], y - a[1], z - a[2]);
            let reach = (radius + r + self.margin).max(0.0);
            found[count] = (range.start + k) as u32;
            count += usize::from(dx * dx + dy * dy + dz * dz < reach * reach);
        }
        hits.count += count;
    }

    /// The layer of the sphere at place `p`.
    pub fn layer_of(&self, p: usize) -> usize {
        self.layers.partition_point(|layer| layer.level.end <= p)
    }

    /// One past the last place of a layer.
    pub fn layer_end(&self, layer: usize) -> usize {
        self.layers[layer].level.end
    }
}

/// Places of the spheres that one sphere meets; a buffer longer than what it holds.
#[derive(Debug, Default)]
pub(super) struct Hits {
    places: Vec<u32>,
    count: usize,
}

impl Hits {
    /// What was found.
    pub fn found(&self) -> &[u32] {
        &self.places[..self.count]
    }

    /// Room for `more` behind what was found.
    #[inline]
    fn room(&mut self, more: usize) -> &mut [u32] {
        if self.places.len() < self.count + more {
            self.places.resize(2 * (self.count + more), 0);
        }
        &mut self.places[self.count..]
    }
}
