//! The broad phase: all pairs of spheres that are close, found in a sorted grid of several levels in linear time.
//!
//! Spheres are sorted by size into levels and within a level into cells as wide as its largest sphere reaches (a sphere
//! reaches its radius and half the margin). Two spheres of one level that meet are then in neighbouring cells, and each
//! looks only at the half of its neighbours that comes later. Of two levels, the spheres of that one look into the cells
//! of the other for which it is cheaper: a few giants look at the small spheres around them, and a few small spheres look
//! up the giants, so that neither makes the search quadratic.

use super::layers::{Hits, Layers, Neighbourhood};
use super::order::{Buckets, gather};
use crate::linear::Vectors;
use rayon::prelude::*;
use std::ops::Range;

/// A worker is not called for fewer spheres than this.
const FEWEST_PER_TASK: usize = 2048;

/// Tasks per thread, so that one that ends early finds more to do.
const TASKS_PER_THREAD: usize = 4;

/// Finds candidate pairs of spheres; keeps its memory from one search to the next.
///
/// ```
/// use kreisel::{DVec3, collide::Grid, linear::Vectors};
/// let mut centres = Vectors::default();
/// (0..4).for_each(|i| centres.push(DVec3::new(i as f64, 0.0, 0.0)));
/// let mut pairs = Vec::new();
/// Grid::default().detect(&centres, &[0.5; 4], 0.01, |_, _| true, &mut pairs);
/// assert_eq!(pairs, [(0, 1), (1, 2), (2, 3)]);
/// ```
#[derive(Debug, Default)]
pub struct Grid {
    layers: Layers,
    found: Vec<Buckets>,
    tests: usize,
}

impl Grid {
    /// Fills `pairs` with the pairs `i < j`, sorted, that satisfy `|cᵢ − cⱼ| < rᵢ + rⱼ + margin` [m] and `accept(i, j)`.
    ///
    /// The result does not depend on the number of threads. A sphere whose centre or radius is not finite meets nothing.
    pub fn detect(
        &mut self,
        centres: &Vectors,
        radii: &[f64],
        margin: f64,
        accept: impl Fn(u32, u32) -> bool + Sync,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        self.layers.build(centres, radii, margin);
        let (n, spheres) = (radii.len(), self.layers.len());
        let tasks = task_count(spheres);
        self.found.resize_with(tasks, Buckets::default);
        let search = |(task, found): (usize, &mut Buckets)| {
            found.clear(n);
            search(&self.layers, share(task, tasks, spheres), &accept, found)
        };
        let tests: Vec<usize> = self.found.par_iter_mut().enumerate().map(search).collect();
        self.tests = tests.iter().sum();
        gather(&self.found, n, pairs);
    }

    /// How many distances the last search computed: its cost, independent of the machine.
    pub fn tests(&self) -> usize {
        self.tests
    }
}

fn task_count(spheres: usize) -> usize {
    let threads = rayon::current_num_threads();
    let wanted = if threads == 1 { 1 } else { threads * TASKS_PER_THREAD };
    wanted.min(spheres.div_ceil(FEWEST_PER_TASK)).max(1)
}

fn share(task: usize, tasks: usize, spheres: usize) -> Range<usize> {
    task * spheres / tasks..(task + 1) * spheres / tasks
}

/// Searches around the spheres at these places in cell order; returns the number of distances computed.
fn search(layers: &Layers, places: Range<usize>, accept: impl Fn(u32, u32) -> bool, found: &mut Buckets) -> usize {
    let (mut around, mut hits, mut tests) = (Neighbourhood::default(), Hits::default(), 0);
    for p in places {
        tests += layers.meet(p, &mut around, &mut hits);
        let a = layers.id[p];
        for &q in hits.found() {
            let b = layers.id[q as usize];
            let (i, j) = (a.min(b), a.max(b));
            if accept(i, j) {
                found.push(i, j);
            }
        }
    }
    tests
}
