//! Connections that cross: the two diagonals of a face of the lattice.
//!
//! A corner of a face touches one of its diagonals only, so at the surface half of every connection for each end would
//! read a shear where there is none. The two diagonals of a face together are held by its four corners.

use crate::linear::Vectors;
use crate::model::Model;
use crate::readout::index::{NONE, Surroundings};
use glamx::DVec3;

/// How far the middles of two diagonals may be apart, as a share of their length.
const TOLERANCE: f64 = 1e-6;

/// For each connection at each chosen element the one that crosses it in the middle, with all four ends joined around;
/// none if there are several.
pub fn find(model: &Model, around: &Surroundings) -> Vec<u32> {
    let joined = Joined::new(model, around);
    let mut crossings = Vec::new();
    let mut neighbours = Vec::new();
    for (slot, &a) in around.elements.iter().enumerate() {
        neighbours.clear();
        neighbours.extend(around.connections(slot).iter().map(|&c| other_end(model, c, a)));
        let crossing = |&c: &u32| joined.crossing(&model.elements.rest, [a, other_end(model, c, a)], &neighbours);
        crossings.extend(around.connections(slot).iter().map(crossing));
    }
    crossings
}

fn other_end(model: &Model, connection: u32, element: u32) -> u32 {
    let [a, b] = model.connections.ends[connection as usize];
    if a == element { b } else { a }
}

/// The connections among the chosen elements and their neighbours, by their ends.
struct Joined(Vec<([u32; 2], u32)>);

impl Joined {
    fn new(model: &Model, around: &Surroundings) -> Self {
        let ends = &model.connections.ends;
        let mut near = vec![false; model.elements.len()];
        for slot in 0..around.elements.len() {
            for &c in around.connections(slot) {
                ends[c as usize].iter().for_each(|&e| near[e as usize] = true);
            }
        }
        let among = |ends: &[u32; 2]| near[ends[0] as usize] && near[ends[1] as usize];
        let mut pairs: Vec<_> = ends.iter().zip(0..).filter(|(e, _)| among(e)).map(|(e, c)| (*e, c)).collect();
        pairs.sort_unstable();
        Self(pairs)
    }

    fn between(&self, a: u32, b: u32) -> Option<u32> {
        let ends = [a.min(b), a.max(b)];
        let at = self.0.partition_point(|pair| pair.0 < ends);
        self.0.get(at).filter(|pair| pair.0 == ends).map(|pair| pair.1)
    }

    /// The only connection `b–d` between neighbours of `a` with `X_b + X_d = X_a + X_c` and `b`, `d` joined to `c`.
    fn crossing(&self, rest: &Vectors, [a, c]: [u32; 2], neighbours: &[u32]) -> u32 {
        let at = |e: u32| rest.get(e as usize);
        let (sum, limit) = (at(a) + at(c), TOLERANCE * at(a).distance(at(c)));
        let mut found = NONE;
        for (i, &b) in neighbours.iter().enumerate() {
            let wanted: DVec3 = sum - at(b);
            for &d in neighbours[i + 1..].iter().filter(|&&d| (at(d) - wanted).abs().max_element() <= limit) {
                let around = self.between(b, c).is_some() && self.between(c, d).is_some();
                match self.between(b, d).filter(|_| around) {
                    Some(_) if found != NONE => return NONE,
                    Some(other) => found = other,
                    None => {}
                }
            }
        }
        found
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
