//! Who is joined to whom at the moment: derived from model and state, a pure function of both.

use crate::model::{Cell, Model, State};

/// Connected components, neighbours of elements that can touch something, and what fracture has laid bare.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    /// True for each broken connection.
    pub broken: Vec<bool>,
    /// Connected component of each element, counting unbroken connections; empty while nothing is broken.
    component: Vec<u32>,
    /// Number of connected components.
    pub components: u32,
    /// True for elements that have lost a connection; empty while nothing is broken.
    exposed: Vec<bool>,
    /// Ends of the broken connections, sorted.
    torn: Vec<[u32; 2]>,
    /// Elements that can touch something, ascending.
    pub touching: Vec<u32>,
    /// Place of each element in `touching`, or `u32::MAX`.
    place: Vec<u32>,
    /// Whether the sphere of each touching element still has the seat it was given.
    seated: Vec<bool>,
    /// Start of the neighbours of each touching element in `neighbours`.
    starts: Vec<u32>,
    /// Elements joined to touching elements by unbroken connections, ascending for each.
    neighbours: Vec<u32>,
}

impl Topology {
    /// Works out the topology of a state.
    pub fn new(model: &Model, state: &State) -> Self {
        let mut t = Self::default();
        if state.broken.is_empty() {
            t.components = model.elements.component.iter().max().map_or(0, |c| c + 1);
        } else {
            t.broken = vec![false; model.connections.len()];
            t.exposed = vec![false; model.elements.len()];
            t.torn = state.broken.iter().map(|&c| model.connections.ends[c as usize]).collect();
            t.torn.sort_unstable();
            for &c in &state.broken {
                t.broken[c as usize] = true;
                for e in model.connections.ends[c as usize] {
                    t.exposed[e as usize] = true;
                }
            }
            (t.component, t.components) = components(model.elements.len(), &model.connections.ends, &t.broken);
        }
        if model.contact.enabled {
            t.find_touching(model);
            t.find_neighbours(model);
        }
        t
    }

    fn find_touching(&mut self, model: &Model) {
        let e = &model.elements;
        let can_touch = |i: usize| model.bodies[e.body[i].0 as usize].contact && (e.surface[i] || self.is_exposed(i));
        self.touching = (0..e.len()).filter(|&i| can_touch(i)).map(|i| i as u32).collect();
        self.place = vec![u32::MAX; e.len()];
        for (k, &i) in self.touching.iter().enumerate() {
            self.place[i as usize] = k as u32;
        }
        self.seated = self.touching.iter().map(|&i| self.is_seated(model, i)).collect();
    }

    fn find_neighbours(&mut self, model: &Model) {
        let mut counts = vec![0u32; self.touching.len() + 1];
        self.each_neighbour(model, |k, _| counts[k + 1] += 1);
        for k in 0..self.touching.len() {
            counts[k + 1] += counts[k];
        }
        let mut next = counts.clone();
        let mut neighbours = vec![0; counts.last().map_or(0, |&n| n as usize)];
        self.each_neighbour(model, |k, j| {
            neighbours[next[k] as usize] = j;
            next[k] += 1;
        });
        for k in 0..self.touching.len() {
            neighbours[counts[k] as usize..counts[k + 1] as usize].sort_unstable();
        }
        (self.starts, self.neighbours) = (counts, neighbours);
    }

    /// Calls `visit(place, neighbour)` for both directions of each unbroken connection of touching elements.
    fn each_neighbour(&self, model: &Model, mut visit: impl FnMut(usize, u32)) {
        for (c, &[a, b]) in model.connections.ends.iter().enumerate() {
            if self.is_broken(c) {
                continue;
            }
            for (i, j) in [(a, b), (b, a)] {
                let k = self.place[i as usize];
                if k != u32::MAX {
                    visit(k as usize, j);
                }
            }
        }
    }

    /// True if connection `c` is broken.
    pub fn is_broken(&self, c: usize) -> bool {
        !self.broken.is_empty() && self.broken[c]
    }

    /// True if element `i` has lost a connection.
    pub fn is_exposed(&self, i: usize) -> bool {
        !self.exposed.is_empty() && self.exposed[i]
    }

    /// True if no connection between two corners of the cell is broken: its volume term is alive.
    pub fn is_whole(&self, cell: &Cell) -> bool {
        let k = &cell.corners;
        let torn = |a: u32, b: u32| self.torn.binary_search(&[a.min(b), a.max(b)]).is_ok();
        let bare = k.iter().filter(|&&e| self.is_exposed(e as usize)).count();
        bare < 2 || !(0..8).any(|i| (i + 1..8).any(|j| torn(k[i], k[j])))
    }

    /// The connected component of element `i` at the moment.
    pub fn component(&self, model: &Model, i: usize) -> u32 {
        if self.component.is_empty() { model.elements.component[i] } else { self.component[i] }
    }

    /// Elements joined to the touching element `i`, ascending; empty for elements that do not touch.
    pub fn neighbours(&self, i: u32) -> &[u32] {
        match self.place.get(i as usize) {
            Some(&k) if k != u32::MAX => {
                &self.neighbours[self.starts[k as usize] as usize..self.starts[k as usize + 1] as usize]
            }
            _ => &[],
        }
    }

    /// True if the contact sphere of the touching element `i` still leans on its anchor or perch: all are in one piece.
    pub fn leans(&self, i: u32) -> bool {
        self.place.get(i as usize).is_some_and(|&k| k != u32::MAX && self.seated[k as usize])
    }

    fn is_seated(&self, model: &Model, i: u32) -> bool {
        let own = self.component(model, i as usize);
        let joined = |e: u32| self.component(model, e as usize) == own;
        match (model.elements.perch_of(i as usize), model.elements.anchor_of(i as usize)) {
            (Some(perch), _) => model.perches.of(perch as usize).all(|(e, _)| joined(e)),
            (None, Some(anchor)) => joined(anchor),
            (None, None) => false,
        }
    }
}

/// Connected components of a graph by union–find, numbered in the order of their first element.
pub fn components(elements: usize, ends: &[[u32; 2]], broken: &[bool]) -> (Vec<u32>, u32) {
    let mut parent: Vec<u32> = (0..elements as u32).collect();
    for (c, &[a, b]) in ends.iter().enumerate() {
        if !broken.is_empty() && broken[c] {
            continue;
        }
        let (a, b) = (root(&mut parent, a), root(&mut parent, b));
        // The smaller number becomes the root, so that the numbering does not depend on the order of connections.
        parent[a.max(b) as usize] = a.min(b);
    }
    let mut number = vec![u32::MAX; elements];
    let mut count = 0;
    let number_of = |i: u32| {
        let r = root(&mut parent, i) as usize;
        if number[r] == u32::MAX {
            number[r] = count;
            count += 1;
        }
        number[r]
    };
    let component = (0..elements as u32).map(number_of).collect();
    (component, count)
}

fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        parent[i as usize] = parent[parent[i as usize] as usize];
        i = parent[i as usize];
    }
    i
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_numbered_by_their_first_element_whatever_the_order_of_connections() {
        let ends = [[3, 4], [0, 2], [4, 5]];
        let (component, count) = components(6, &ends, &[]);
        assert_eq!((component, count), (vec![0, 1, 0, 2, 2, 2], 3));
        let (component, _) = components(6, &ends, &[false, false, true]);
        assert_eq!(component, vec![0, 1, 0, 2, 2, 3]);
    }
}
