//! Connections that cross: the two diagonals of a face of the lattice.
//!
//! A corner of a face touches one of its diagonals only, so at the surface half of every connection for each end would
//! read a shear where there is none. The two diagonals of a face together are held by its four corners.

use crate::model::Model;
use crate::readout::index::{NONE, Surroundings};
use glamx::DVec3;

/// How far the middles of two diagonals may be apart, as a share of their length.
const TOLERANCE: f64 = 1e-6;

/// Crossed by more than one: counts as crossed by none.
const SEVERAL: u32 = NONE - 1;

/// For each connection at each chosen element the one that crosses it in the middle, with all four ends joined around;
/// [`NONE`] if there is none, or more than one.
pub fn find(model: &Model, around: &Surroundings) -> Vec<u32> {
    let joined = Joined::new(model, around);
    let mut crossing = vec![NONE; if around.elements.is_empty() { 0 } else { model.connections.len() }];
    let mut star = Vec::new();
    for (slot, &a) in around.elements.iter().enumerate() {
        star.clear();
        star.extend(around.connections(slot).iter().map(|&c| Spoke::new(model, c, a)));
        for (i, b) in star.iter().enumerate() {
            for d in &star[i + 1..] {
                add_crossing(&joined, &star, b, d, &mut crossing);
            }
        }
    }
    let chosen = (0..around.elements.len()).flat_map(|slot| around.connections(slot));
    chosen.map(|&c| crossing[c as usize]).map(|c| if c == SEVERAL { NONE } else { c }).collect()
}

/// A connection as seen from one of its ends: the other end, and the way there at rest [m].
struct Spoke {
    connection: u32,
    end: u32,
    arm: DVec3,
}

impl Spoke {
    fn new(model: &Model, connection: u32, from: u32) -> Self {
        let [a, b] = model.connections.ends[connection as usize];
        let end = if a == from { b } else { a };
        let rest = &model.elements.rest;
        Self { connection, end, arm: rest.get(end as usize) - rest.get(from as usize) }
    }
}

/// If the spokes `b` and `d` span a parallelogram with a third one as its diagonal, and all its sides and its other
/// diagonal are connections, its diagonals cross.
fn add_crossing(joined: &Joined, star: &[Spoke], b: &Spoke, d: &Spoke, crossing: &mut [u32]) {
    let opposite = b.arm + d.arm;
    let limit = TOLERANCE * opposite.abs().max_element();
    let Some(c) = star.iter().find(|c| (c.arm - opposite).abs().max_element() <= limit) else { return };
    let Some(other) = joined.between(b.end, d.end) else { return };
    if joined.between(b.end, c.end).is_none() || joined.between(d.end, c.end).is_none() {
        return;
    }
    for (one, two) in [(c.connection, other), (other, c.connection)] {
        let known = &mut crossing[one as usize];
        *known = if *known == NONE || *known == two { two } else { SEVERAL };
    }
}

/// The connections among the chosen elements and their neighbours, listed at their smaller end.
struct Joined {
    start: Vec<u32>,
    /// Larger end and number.
    items: Vec<[u32; 2]>,
}

impl Joined {
    fn new(model: &Model, around: &Surroundings) -> Self {
        let ends = &model.connections.ends;
        let mut near = vec![false; model.elements.len()];
        for &c in (0..around.elements.len()).flat_map(|slot| around.connections(slot)) {
            ends[c as usize].iter().for_each(|&e| near[e as usize] = true);
        }
        let among = || (0..).zip(ends).filter(|(_, [a, b])| near[*a as usize] && near[*b as usize]);
        let mut start = vec![0u32; near.len() + 1];
        among().for_each(|(_, [a, _])| start[*a as usize + 1] += 1);
        for e in 0..near.len() {
            start[e + 1] += start[e];
        }
        let mut items = vec![[NONE; 2]; start[near.len()] as usize];
        let mut next = start.clone();
        for (number, [a, b]) in among() {
            items[next[*a as usize] as usize] = [*b, number];
            next[*a as usize] += 1;
        }
        Self { start, items }
    }

    fn between(&self, a: u32, b: u32) -> Option<u32> {
        let (low, high) = (a.min(b) as usize, a.max(b));
        let items = &self.items[self.start[low] as usize..self.start[low + 1] as usize];
        items.iter().find(|item| item[0] == high).map(|item| item[1])
    }
}

#[cfg(test)]
mod tests {
    use crate::readout::index::Surroundings;
    use crate::readout::sample::lattice;

    #[test]
    fn diagonals_of_faces_cross_each_other_and_edges_cross_nothing() {
        let model = lattice([2, 2, 2], 0.25);
        let around = Surroundings::with_crossings(&model, (0..27).collect());
        let length = |c: u32| model.connections.constants(c as usize).rest_length;
        let edge = length(0).min(length(1));
        for (c, other) in (0..27).flat_map(|slot| around.crossed_connections(slot)) {
            let Some(other) = other else {
                assert!(length(c) < 1.1 * edge, "a diagonal has a partner");
                continue;
            };
            let back = around.crossed_connections(model.connections.ends[other as usize][0] as usize);
            assert!(back.into_iter().any(|pair| pair == (other, Some(c))), "crossing is mutual");
            assert!(length(c) > 1.1 * edge);
        }
    }
}
