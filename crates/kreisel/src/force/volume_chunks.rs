//! The volume term on several threads: chunks of cells in two colours, the same bits for any number of threads.

use crate::force::volume::push_corners;
use crate::linear::Vectors;
use crate::model::Cell;
use glamx::DVec3;
use rayon::prelude::*;
use std::ops::Range;

/// Chunks are not made smaller than this: a thread should have something to do.
const SMALLEST_CHUNK: usize = 512;

/// Cells in a row whose corners lie in a range of element numbers.
#[derive(Clone, Debug, PartialEq)]
struct Chunk {
    cells: Range<usize>,
    elements: Range<usize>,
}

/// Cells cut into chunks such that those of one colour (even, odd) share no element.
///
/// Cells come in the order of their elements, so that a chunk of at least one layer reaches into its neighbours only.
/// The cut depends on the cells alone, and the even chunks are always done before the odd ones: every element receives
/// its forces in the same order whatever the number of threads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumeChunks {
    chunks: Vec<Chunk>,
}

impl VolumeChunks {
    /// Cuts the cells; the smallest chunks that fit are taken, one for all if none do.
    pub fn new(cells: &[Cell]) -> Self {
        let mut size = SMALLEST_CHUNK;
        loop {
            let chunks = cut(cells, size);
            if chunks.len() <= 1 || colours_are_disjoint(&chunks) {
                return Self { chunks };
            }
            size *= 2;
        }
    }

    /// Adds the forces of the cells [N]; `cells` are those the chunks were made of.
    pub fn add_force(&self, cells: &[Cell], positions: &Vectors, forces: &mut Vectors) {
        for colour in 0..2 {
            let chunks = self.chunks.iter().skip(colour).step_by(2);
            let work: Vec<(&Chunk, Window)> = windows(chunks, forces);
            let push = |(chunk, mut window): (&Chunk, Window)| {
                for cell in &cells[chunk.cells.clone()] {
                    push_corners(cell, positions, |e, f| window.add(e, f));
                }
            };
            if work.len() > 1 { work.into_par_iter().for_each(push) } else { work.into_iter().for_each(push) }
        }
    }
}

/// Chunks of `size` cells and the elements each reaches.
fn cut(cells: &[Cell], size: usize) -> Vec<Chunk> {
    let chunk = |(c, part): (usize, &[Cell])| {
        let corners = || part.iter().flat_map(|cell| cell.corners).map(|e| e as usize);
        let elements = corners().min().unwrap_or(0)..corners().max().map_or(0, |last| last + 1);
        Chunk { cells: c * size..c * size + part.len(), elements }
    };
    cells.chunks(size).enumerate().map(chunk).collect()
}

/// True if no chunk shares an element with the next but one, nor with any later one of its colour.
fn colours_are_disjoint(chunks: &[Chunk]) -> bool {
    (2..chunks.len()).all(|c| chunks[c - 2].elements.end <= chunks[c].elements.start)
}

/// A range of a field that one thread may write.
struct Window<'a> {
    first: usize,
    x: &'a mut [f64],
    y: &'a mut [f64],
    z: &'a mut [f64],
}

impl Window<'_> {
    fn add(&mut self, e: usize, f: DVec3) {
        let i = e - self.first;
        self.x[i] += f.x;
        self.y[i] += f.y;
        self.z[i] += f.z;
    }
}

/// One window of the field for each chunk; their elements ascend and do not overlap.
fn windows<'a>(chunks: impl Iterator<Item = &'a Chunk>, field: &'a mut Vectors) -> Vec<(&'a Chunk, Window<'a>)> {
    let (mut x, mut y, mut z) = (&mut field.x[..], &mut field.y[..], &mut field.z[..]);
    let mut done = 0;
    chunks
        .map(|chunk| {
            let skipped = chunk.elements.start - done;
            let length = chunk.elements.len();
            let take = |rest: &mut &'a mut [f64]| {
                let (_, after) = std::mem::take(rest).split_at_mut(skipped);
                let (window, after) = after.split_at_mut(length);
                *rest = after;
                window
            };
            done = chunk.elements.end;
            (chunk, Window { first: chunk.elements.start, x: take(&mut x), y: take(&mut y), z: take(&mut z) })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discretize::box_lattice;
    use crate::force::volume;
    use crate::model::Material;

    /// Cells of a long box and of a flat one after it, and strained positions of both.
    fn two_boxes() -> (Vec<Cell>, Vectors) {
        let material = Material { poisson: 0.4, ..Material::default() };
        let (mut cells, mut positions) = (Vec::new(), Vectors::default());
        for (size, across) in [(DVec3::new(3.0, 1.0, 1.0), 12), (DVec3::new(1.0, 2.0, 0.1), 2)] {
            let matter = box_lattice(size, across, &material).unwrap();
            let first = positions.len() as u32;
            cells.extend(matter.cells.iter().map(|c| Cell { corners: c.corners.map(|e| e + first), ..*c }));
            for e in 0..matter.len() {
                let t = e as f64;
                positions.push(matter.positions.get(e) + 0.01 * DVec3::new(t.sin(), (3.0 * t).cos(), (7.0 * t).sin()));
            }
        }
        (cells, positions)
    }

    fn forces(threads: usize, chunks: &VolumeChunks, cells: &[Cell], positions: &Vectors) -> Vectors {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut forces = Vectors::zeros(positions.len());
        pool.install(|| chunks.add_force(cells, positions, &mut forces));
        forces
    }

    #[test]
    fn chunks_give_the_forces_of_the_plain_loop_and_the_same_bits_for_any_number_of_threads() {
        let (cells, positions) = two_boxes();
        let chunks = VolumeChunks::new(&cells);
        assert!(chunks.chunks.len() > 4, "{} chunks of {} cells", chunks.chunks.len(), cells.len());
        let one = forces(1, &chunks, &cells, &positions);
        assert_eq!(one, forces(2, &chunks, &cells, &positions));
        assert_eq!(one, forces(5, &chunks, &cells, &positions));
        let mut plain = Vectors::zeros(positions.len());
        volume::add_force(&cells, &positions, &mut plain);
        let size = plain.dot(&plain).sqrt();
        plain.axpy(-1.0, &one);
        assert!(plain.dot(&plain).sqrt() < 1e-14 * size);
    }

    #[test]
    fn cells_in_any_order_are_still_correct() {
        let (mut cells, positions) = two_boxes();
        cells.reverse();
        let chunks = VolumeChunks::new(&cells);
        let mut plain = Vectors::zeros(positions.len());
        volume::add_force(&cells, &positions, &mut plain);
        let size = plain.dot(&plain).sqrt();
        plain.axpy(-1.0, &forces(2, &chunks, &cells, &positions));
        assert!(plain.dot(&plain).sqrt() < 1e-14 * size);
        assert!(VolumeChunks::new(&[]).chunks.is_empty());
    }
}
