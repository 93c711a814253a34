//! Elastic energy alone, and which connections are longer than they may be.

use super::kernel::{COINCIDENT, Components};
use super::lanes::{Lanes, WIDTH};
use super::runs::Run;
use super::{SpringRuns, components};
use crate::linear::Vectors;

/// The square of the smallest break length of each run [m²].
pub(super) fn limits(runs: &[Run], break_length: &[f64]) -> Vec<f64> {
    if break_length.is_empty() {
        return Vec::new();
    }
    let smallest = |run: &Run| break_length[slots(run)].iter().fold(f64::INFINITY, |a, b| a.min(*b));
    runs.iter().map(smallest).map(|b| b * b).collect()
}

fn slots(run: &Run) -> std::ops::Range<usize> {
    run.slot as usize..run.slot as usize + run.count as usize
}

/// The squared length of the connection `t` of a run [m²].
#[inline]
fn squared_length(run: &Run, t: usize, x: &Components<'_>) -> f64 {
    let (i, j) = (run.first as usize + t, run.first as usize + run.offset as usize + t);
    let r = x.map(|a| a[i] - a[j]);
    r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
}

impl SpringRuns {
    /// Elastic energy Σ ½ k (d − l)² [J], the same bits as from the force pass.
    pub fn energy(&self, x: &Vectors) -> f64 {
        let groups = self.layout.slabs.iter().chain(&self.layout.borders).chain(&self.layout.far);
        let runs = |group: &super::runs::Group| &self.layout.runs[group.runs.clone()];
        groups.map(|group| self.energy_of(runs(group), &components(x))).fold(0.0, |sum, e| sum + e)
    }

    fn energy_of(&self, runs: &[Run], x: &Components<'_>) -> f64 {
        let of = self.slots();
        let mut lanes = Lanes::<WIDTH>::splat(0.0);
        let mut rest = 0.0;
        for run in runs {
            for (t, slot) in slots(run).enumerate() {
                let d2 = squared_length(run, t, x);
                let stretch = if COINCIDENT > d2 { COINCIDENT } else { d2 }.sqrt() - of.l[slot];
                let in_block = t < run.count as usize / WIDTH * WIDTH;
                *if in_block { &mut lanes.0[t % WIDTH] } else { &mut rest } += of.k[slot] * stretch * stretch;
            }
        }
        0.5 * (lanes.sum() + rest)
    }

    /// The connections (as numbered in `build`, ascending) with stiffness that are longer than their break length.
    ///
    /// Decided by squares, d² > b². One pass over positions if some connection can break, none otherwise; the force pass
    /// already tells when this need not be asked.
    pub fn overstretched(&self, x: &Vectors) -> Vec<u32> {
        let mut found = Vec::new();
        let (x, stiffness) = (components(x), self.slots().k);
        for (run, &limit) in self.layout.runs.iter().zip(&self.limits) {
            let long = |t: &usize| squared_length(run, *t, &x) > limit;
            let breaks = |t: usize| {
                let slot = run.slot as usize + t;
                let b = self.break_length[slot];
                (stiffness[slot] > 0.0 && squared_length(run, t, &x) > b * b).then_some(slot as u32)
            };
            found.extend((0..run.count as usize).filter(long).filter_map(breaks));
        }
        self.indices(&found)
    }

    /// The connections in the given slots, which ascend. A pass over all connections: nothing else knows them by slot.
    fn indices(&self, found: &[u32]) -> Vec<u32> {
        let (Some(&first), Some(&last)) = (found.first(), found.last()) else { return Vec::new() };
        let here = |slot: &u32| (first..=last).contains(slot) && found.binary_search(slot).is_ok();
        (0u32..).zip(&self.layout.slots).filter(|(_, slot)| here(slot)).map(|(index, _)| index).collect()
    }
}
