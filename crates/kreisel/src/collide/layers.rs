//! All spheres in the order of their cells, level upon level, with the cells to find them by.

use super::cells::{Cells, SLACK};
use super::levels::{Level, Levels};
use crate::linear::Vectors;
use glamx::DVec3;
use std::ops::Range;

/// A sphere as the inner loop reads it: half a cache line.
#[derive(Clone, Copy, Debug, Default)]
struct Sphere {
    x: f64,
    y: f64,
    z: f64,
    /// Radius and half the margin [m].
    reach: f64,
}

impl Sphere {
    fn centre(self) -> DVec3 {
        DVec3::new(self.x, self.y, self.z)
    }
}

/// One level: its spheres and the cells they are in.
#[derive(Debug)]
struct Layer {
    level: Level,
    cells: Cells,
    /// Where the cells of this layer begin in [`Layers::starts`].
    first_cell: usize,
    /// The other layers in which its spheres look for partners: of each two layers one looks into the other.
    looks_into: Vec<usize>,
}

impl Layer {
    /// What it costs if each sphere of this layer looks into another, in distance tests.
    fn cost_of_looking_into(&self, other: &Self) -> f64 {
        let width = 2.0 * SLACK * (self.level.reach + other.level.reach);
        self.level.len() as f64 * other.cells.cost_of_touching(width, other.level.len())
    }
}

/// Spheres in the order of their cells, as arrays, so that neighbours are read in sequence.
#[derive(Debug, Default)]
pub(super) struct Layers {
    /// Number of the sphere in the caller's arrays.
    pub id: Vec<u32>,
    spheres: Vec<Sphere>,
    layers: Vec<Layer>,
    /// First sphere of each cell, over all layers, and one past the end.
    starts: Vec<u32>,
    levels: Levels,
    cell_of: Vec<u32>,
}

impl Layers {
    /// Sorts the spheres into cells, in time and memory proportional to their number.
    pub fn build(&mut self, centres: &Vectors, radii: &[f64], margin: f64) {
        self.levels.sort(centres, radii, margin);
        self.choose_cells(centres);
        self.choose_who_looks();
        self.count();
        self.scatter(centres, radii, margin);
    }

    /// Number of spheres.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    fn choose_cells(&mut self, centres: &Vectors) {
        self.layers.clear();
        self.cell_of.resize(self.levels.members.len(), 0);
        let mut first_cell = 0;
        for &level in &self.levels.levels {
            let (members, cell_of) =
                (&self.levels.members[level.first..level.end], &mut self.cell_of[level.first..level.end]);
            let cells = Cells::choose(&level, members, centres, cell_of);
            cell_of.iter_mut().for_each(|cell| *cell += first_cell as u32);
            let count = cells.len();
            self.layers.push(Layer { level, cells, first_cell, looks_into: Vec::new() });
            first_cell += count;
        }
        self.starts.clear();
        self.starts.resize(first_cell + 1, 0);
    }

    /// Usually the layer of the few large spheres looks into that of the many small ones; not so if the small ones are
    /// few, or so thin that a large one would look into more empty cells than there are small ones.
    fn choose_who_looks(&mut self) {
        for fine in 1..self.layers.len() {
            for coarse in 0..fine {
                let down = self.layers[coarse].cost_of_looking_into(&self.layers[fine]);
                let up = self.layers[fine].cost_of_looking_into(&self.layers[coarse]);
                let (who, whom) = if down < up { (coarse, fine) } else { (fine, coarse) };
                self.layers[who].looks_into.push(whom);
            }
        }
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

    fn scatter(&mut self, centres: &Vectors, radii: &[f64], margin: f64) {
        let n = self.cell_of.len();
        self.id.resize(n, 0);
        self.spheres.resize(n, Sphere::default());
        for (&cell, &i) in self.cell_of.iter().zip(&self.levels.members).rev() {
            let start = &mut self.starts[cell as usize];
            *start -= 1;
            let (p, i) = (*start as usize, i as usize);
            self.id[p] = i as u32;
            let reach = radii[i] + 0.5 * margin;
            self.spheres[p] = Sphere { x: centres.x[i], y: centres.y[i], z: centres.z[i], reach };
        }
    }

    /// Puts into `hits` the spheres that meet sphere `p` (both as places in cell order) and are not found from their own
    /// side: those later in its level, and those of levels it looks into. Returns the number of distances computed.
    ///
    /// To be called for consecutive places: spheres of one cell share the search for its neighbours.
    #[inline]
    pub fn meet(&self, p: usize, around: &mut Neighbourhood, hits: &mut Hits) -> usize {
        if p >= around.end {
            self.find_neighbours(p, around);
        }
        around.ranges[0].start = p as u32 + 1;
        let sphere = self.spheres[p];
        hits.count = 0;
        let mut tests = 0;
        for range in &around.ranges {
            tests += self.test(sphere, range.start as usize..range.end as usize, hits);
        }
        for &other in &self.layers[around.layer].looks_into {
            tests += self.meet_others(sphere, &self.layers[other], hits);
        }
        tests
    }

    /// The ranges of places that the cell of `p` has to look at; the first begins in that cell.
    fn find_neighbours(&self, p: usize, around: &mut Neighbourhood) {
        while p >= self.layers[around.layer].level.end {
            around.layer += 1;
        }
        let layer = &self.layers[around.layer];
        around.ranges.clear();
        layer.cells.later_neighbours(self.spheres[p].centre(), |cells| {
            let starts = &self.starts[layer.first_cell + cells.start..=layer.first_cell + cells.end];
            if around.ranges.is_empty() {
                around.end = starts[1] as usize;
            }
            let range = starts[0]..starts[starts.len() - 1];
            if !range.is_empty() {
                around.ranges.push(range);
            }
        });
    }

    fn meet_others(&self, sphere: Sphere, others: &Layer, hits: &mut Hits) -> usize {
        let reach = sphere.reach.max(0.0) + others.level.reach;
        let (low, high) = (sphere.centre() - reach * SLACK, sphere.centre() + reach * SLACK);
        if low.cmpgt(others.level.high).any() || high.cmplt(others.level.low).any() {
            return 0;
        }
        let mut tests = 0;
        others.cells.touching(low, high, |cells| {
            let first = self.starts[others.first_cell + cells.start];
            let end = self.starts[others.first_cell + cells.end];
            tests += self.test(sphere, first as usize..end as usize, hits);
        });
        tests
    }

    /// Which of the spheres in `range` satisfy |a − b|² < R |R|, R = rₐ + r_b + margin, which none does if R < 0. Without branches on the outcome: about
    /// a third of the tests succeed in dense matter, which no processor can predict.
    #[inline]
    fn test(&self, a: Sphere, range: Range<usize>, hits: &mut Hits) -> usize {
        let (first, others) = (range.start as u32, &self.spheres[range]);
        let found = hits.room(others.len());
        let mut count = 0;
        for (place, b) in (first..).zip(others) {
            let (dx, dy, dz) = (b.x - a.x, b.y - a.y, b.z - a.z);
            let reach = a.reach + b.reach;
            found[count] = place;
            count += usize::from(dx * dx + dy * dy + dz * dz < reach * reach.abs());
        }
        hits.count += count;
        others.len()
    }
}

/// Where the spheres of one cell look for those they meet in their own level.
#[derive(Debug, Default)]
pub(super) struct Neighbourhood {
    layer: usize,
    /// One past the last sphere of the cell.
    end: usize,
    ranges: Vec<Range<u32>>,
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
