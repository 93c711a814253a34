//! Points cut into clusters of neighbours by bisection across their longest extent, component by component.

use crate::linear::blocks::SlotMap;
use glamx::DVec3;
use std::ops::Range;

/// The cluster of a point that is in none.
pub(crate) const NONE: u32 = u32::MAX;

/// A cut may leave its place by this share of the points to find a wider gap: between layers of a lattice, not through one.
const LEEWAY: f64 = 0.12;

/// Sets of points, each point in one of them or in none.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Clusters {
    /// Points, cluster by cluster, ascending in each.
    pub members: Vec<u32>,
    /// Where each cluster's members begin, and where the last ends.
    pub bounds: Vec<usize>,
    /// The cluster of each point, or `NONE`.
    pub of: Vec<u32>,
}

impl Clusters {
    /// Cuts the used points of every component into clusters of about `size` points; components of fewer than `least` points
    /// get none.
    pub fn new(map: &SlotMap, size: usize, least: usize) -> Self {
        let used = |i: &u32| map.used.get(*i as usize).copied().unwrap_or(false);
        let component = |i: &u32| map.component.get(*i as usize).copied().unwrap_or(0);
        let mut order: Vec<u32> = (0..map.points as u32).filter(used).collect();
        order.sort_by_key(component);
        let mut clusters = Self { bounds: vec![0], of: vec![NONE; map.points], ..Self::default() };
        let place = |i: u32| map.place.get(i as usize);
        for part in order.chunk_by_mut(|a, b| component(a) == component(b)).filter(|part| part.len() >= least) {
            let parts = ((part.len() as f64 / size as f64).round() as usize).max(1);
            bisect(part, parts, &place, &mut |cluster| clusters.push(cluster));
        }
        clusters
    }

    /// Number of clusters.
    pub fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Where cluster `c` is in the members.
    pub fn range(&self, c: usize) -> Range<usize> {
        self.bounds[c]..self.bounds[c + 1]
    }

    fn push(&mut self, cluster: &mut [u32]) {
        cluster.sort_unstable();
        cluster.iter().for_each(|&i| self.of[i as usize] = self.len() as u32);
        self.members.extend_from_slice(cluster);
        self.bounds.push(self.members.len());
    }
}

/// Gives out `parts` parts of nearly equal size.
fn bisect(points: &mut [u32], parts: usize, place: &impl Fn(u32) -> DVec3, give: &mut impl FnMut(&mut [u32])) {
    if parts <= 1 || points.len() < 2 {
        return give(points);
    }
    sort_along_extent(points, place);
    let share = (parts / 2) as f64 / parts as f64;
    let cut = widest_gap(points, share, place);
    let (low, high) = points.split_at_mut(cut);
    bisect(low, parts / 2, place, give);
    bisect(high, parts - parts / 2, place, give);
}

/// Sorts by the coordinate in which the points reach farthest; the number of a point decides between equals.
pub(crate) fn sort_along_extent(points: &mut [u32], place: &impl Fn(u32) -> DVec3) {
    let axis = longest_axis(points, place);
    points.sort_by(|a, b| place(*a)[axis].total_cmp(&place(*b)[axis]).then(a.cmp(b)));
}

fn longest_axis(points: &[u32], place: &impl Fn(u32) -> DVec3) -> usize {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &p in points {
        (low, high) = (low.min(place(p)), high.max(place(p)));
    }
    let extent = high - low;
    if extent.x >= extent.y && extent.x >= extent.z {
        0
    } else if extent.y >= extent.z {
        1
    } else {
        2
    }
}

/// Where to cut sorted points so that about `share` of them come before: in the widest gap near there.
fn widest_gap(points: &[u32], share: f64, place: &impl Fn(u32) -> DVec3) -> usize {
    let wanted = (points.len() as f64 * share).round().clamp(1.0, (points.len() - 1) as f64) as usize;
    let leeway = (points.len() as f64 * LEEWAY) as usize;
    let axis = longest_axis(points, place);
    let at = |k: usize| points.get(k).map_or(0.0, |p| place(*p)[axis]);
    let gap = |k: usize| at(k) - at(k - 1);
    let extent = at(points.len() - 1) - at(0);
    let mut cut = wanted;
    // From the wanted place outwards: of equal gaps the nearest wins.
    for d in 1..=leeway {
        for k in [wanted.saturating_sub(d), wanted + d] {
            if (1..points.len()).contains(&k) && gap(k) > gap(cut) + 1e-9 * extent {
                cut = k;
            }
        }
    }
    cut
}
