//! Which connections are longer than they may be.

use super::SpringRuns;
use super::runs::Run;
use crate::linear::Vectors;

/// The square of the smallest break length of each run [m²]; empty if nothing breaks.
pub(super) fn limits(runs: &[Run], break_length: &[f64]) -> Vec<f64> {
    if break_length.is_empty() {
        return Vec::new();
    }
    let slots = |run: &Run| run.slot as usize..run.slot as usize + run.count as usize;
    let smallest = |run: &Run| break_length[slots(run)].iter().fold(f64::INFINITY, |a, b| a.min(*b));
    runs.iter().map(smallest).map(|b| b * b).collect()
}

impl SpringRuns {
    /// The connections (as numbered in `build`, ascending) with stiffness that are longer than their break length.
    ///
    /// Decided by squares, d² > b². If nothing can break this costs nothing; the force passes tell by the way when it need not
    /// be asked at all.
    pub fn overstretched(&self, x: &Vectors) -> Vec<u32> {
        if self.limits.is_empty() || !self.sums(x).overstretched {
            return Vec::new();
        }
        let slots = self.layout.runs.iter().zip(&self.limits).flat_map(|(run, limit)| self.too_long(run, *limit, x));
        self.indices(&slots.collect::<Vec<_>>())
    }

    /// The slots of a run's connections that are too long; the square of no break length in it is below `limit`.
    fn too_long<'a>(&'a self, run: &'a Run, limit: f64, x: &'a Vectors) -> impl Iterator<Item = u32> + 'a {
        let stiffness = self.slots().k;
        let breaks = move |t: u32| {
            let (i, slot) = ((run.first + t) as usize, (run.slot + t) as usize);
            let d2 = (x.get(i) - x.get(i + run.offset as usize)).length_squared();
            let b = self.break_length[slot];
            d2 > limit && d2 > b * b && stiffness[slot] > 0.0
        };
        (0..run.count).filter(move |t| breaks(*t)).map(|t| run.slot + t)
    }

    /// The connections in the given slots, which ascend. A pass over all connections: nothing else knows them by slot.
    fn indices(&self, found: &[u32]) -> Vec<u32> {
        let (Some(&first), Some(&last)) = (found.first(), found.last()) else { return Vec::new() };
        let here = |slot: &u32| (first..=last).contains(slot) && found.binary_search(slot).is_ok();
        (0u32..).zip(&self.layout.slots).filter(|(_, slot)| here(slot)).map(|(index, _)| index).collect()
    }
}
