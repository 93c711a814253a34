//! Candidate pairs that stay valid while the spheres move a little: the grid is searched only when one has left its skin.
//!
//! Pairs closer than the margin are remembered with the places of their spheres. Two spheres approach by at most the sum
//! of their displacements, so as long as none has moved by more than half the margin, every pair that touches is among
//! those remembered [Ver67].

use super::grid::Grid;
use crate::linear::Vectors;
use rayon::prelude::*;

/// Spheres per piece of work when displacements are measured.
const CHUNK: usize = 1 << 14;

/// Candidate pairs, and where the spheres were when they were found.
#[derive(Debug, Default)]
pub struct Skin {
    grid: Grid,
    pairs: Vec<(u32, u32)>,
    centres: Vectors,
    radii: Vec<f64>,
    margin: f64,
    valid: bool,
}

impl Skin {
    /// Makes sure that [`Skin::pairs`] has every pair that `accept`s and touches; true if that took a new search.
    ///
    /// A search is needed if a sphere has moved by more than `margin / 2` [m], or is not finite, or if radii, margin or
    /// the number of spheres are not what they were. When `accept` would decide otherwise, call [`Skin::invalidate`].
    pub fn update(
        &mut self,
        centres: &Vectors,
        radii: &[f64],
        margin: f64,
        accept: impl Fn(u32, u32) -> bool + Sync,
    ) -> bool {
        if self.valid && self.holds(centres, radii, margin) {
            return false;
        }
        self.grid.detect(centres, radii, margin, accept, &mut self.pairs);
        self.centres.copy_from(centres);
        self.radii.clear();
        self.radii.extend_from_slice(radii);
        self.margin = margin;
        self.valid = true;
        true
    }

    /// The candidates `i < j`, sorted.
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// Demands a new search at the next update.
    pub fn invalidate(&mut self) {
        self.valid = false;
    }

    /// The grid, which knows what the last search cost.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    fn holds(&self, centres: &Vectors, radii: &[f64], margin: f64) -> bool {
        let same = self.margin == margin && self.centres.len() == centres.len() && self.radii == radii;
        same && (0..centres.len().div_ceil(CHUNK)).into_par_iter().all(|chunk| self.chunk_holds(centres, chunk))
    }

    /// True if no sphere of the chunk has moved by more than half the margin; a displacement that is NaN is too far.
    fn chunk_holds(&self, centres: &Vectors, chunk: usize) -> bool {
        let range = chunk * CHUNK..((chunk + 1) * CHUNK).min(centres.len());
        let (x, y, z) = (&centres.x[range.clone()], &centres.y[range.clone()], &centres.z[range.clone()]);
        let old = &self.centres;
        let (x0, y0, z0) = (&old.x[range.clone()], &old.y[range.clone()], &old.z[range.clone()]);
        let limit = (0.5 * self.margin).powi(2);
        let near = |i: &usize| (x[*i] - x0[*i]).powi(2) + (y[*i] - y0[*i]).powi(2) + (z[*i] - z0[*i]).powi(2) <= limit;
        (0..range.len()).filter(near).count() == range.len()
    }
}
