//! Who is joined to whom: the unbroken connections of every element.

use crate::linear::Vectors;
use glamx::DVec3;

/// For every element the elements it is joined to, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    starts: Vec<u32>,
    elements: Vec<u32>,
}

impl Neighbours {
    /// From the ends of connections, those numbered in `broken` (ascending) left out.
    pub fn new(elements: usize, ends: &[[u32; 2]], broken: &[u32]) -> Self {
        let mut gone = broken.iter().copied().peekable();
        let mut alive = Vec::with_capacity(ends.len());
        for (c, &pair) in ends.iter().enumerate() {
            if gone.next_if_eq(&(c as u32)).is_none() {
                alive.push(pair);
            }
        }
        let mut starts = vec![0u32; elements + 1];
        alive.iter().flatten().for_each(|&e| starts[e as usize + 1] += 1);
        for e in 0..elements {
            starts[e + 1] += starts[e];
        }
        let mut next = starts.clone();
        let mut joined = vec![0; 2 * alive.len()];
        for &[a, b] in &alive {
            for (from, to) in [(a, b), (b, a)] {
                joined[next[from as usize] as usize] = to;
                next[from as usize] += 1;
            }
        }
        for e in 0..elements {
            joined[starts[e] as usize..starts[e + 1] as usize].sort_unstable();
        }
        Self { starts, elements: joined }
    }

    /// The elements joined to an element, ascending.
    pub fn of(&self, e: u32) -> &[u32] {
        &self.elements[self.starts[e as usize] as usize..self.starts[e as usize + 1] as usize]
    }

    /// True if two elements are the same, joined, or joined to a common neighbour.
    pub fn are_close(&self, a: u32, b: u32) -> bool {
        let of_b = self.of(b);
        let joins = |e: &u32| of_b.binary_search(e).is_ok();
        a == b || joins(&a) || self.of(a).iter().any(joins)
    }

    /// Elements that can be reached from `seed` over connections without leaving the ball of `radius` [m] about `centre`,
    /// the seed first.
    pub fn reach(&self, seed: u32, centre: DVec3, radius: f64, x: &Vectors) -> Vec<u32> {
        let mut found = vec![seed];
        let mut next = 0;
        while let Some(&e) = found.get(next) {
            next += 1;
            for &other in self.of(e) {
                if x.get(other as usize).distance_squared(centre) < radius * radius && !found.contains(&other) {
                    found.push(other);
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_but_not_joined_is_out_of_reach() {
        let ends = [[0, 1], [1, 2], [2, 3], [3, 4], [0, 4]];
        let mut x = Vectors::default();
        for (i, j) in [(0, 0), (1, 0), (2, 0), (2, 1), (0, 1)] {
            x.push(DVec3::new(f64::from(i), f64::from(j), 0.0));
        }
        let whole = Neighbours::new(5, &ends, &[]);
        assert_eq!(whole.of(0), [1, 4]);
        assert!(whole.are_close(0, 1) && whole.are_close(0, 2) && whole.are_close(0, 3));
        assert_eq!(whole.reach(0, DVec3::ZERO, 1.5, &x), [0, 1, 4]);
        let cut = Neighbours::new(5, &ends, &[4]);
        assert!(cut.are_close(0, 2) && !cut.are_close(0, 3) && !cut.are_close(0, 4));
        assert_eq!(cut.reach(0, DVec3::ZERO, 1.5, &x), [0, 1], "element 4 is beside element 0, but not joined to it");
    }
}
