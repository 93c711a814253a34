//! Which connections and cells touch the probed elements: found once, so that no frame searches all connections.

use crate::model::{Cell, Model, State};
use crate::readout::crossing;

/// Connections and cells around chosen elements, in the order of the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surroundings {
    /// The chosen elements, ascending.
    pub elements: Vec<u32>,
    connections: Lists,
    cells: Lists,
    /// For each entry of `connections.items` the connection that crosses it, or [`NONE`]; empty if not looked for.
    crossings: Vec<u32>,
}

impl Surroundings {
    /// Finds what touches `elements` (any order, repetitions allowed) in one pass over the model.
    pub fn new(model: &Model, mut elements: Vec<u32>) -> Self {
        elements.sort_unstable();
        elements.dedup();
        if elements.is_empty() {
            return Self::default();
        }
        let mut slot = vec![NONE; model.elements.len()];
        for (s, &e) in elements.iter().enumerate() {
            slot[e as usize] = s as u32;
        }
        let connections = Lists::new(elements.len(), &slot, model.connections.ends.iter());
        let cells = Lists::new(elements.len(), &slot, model.cells.iter().map(|c| &c.corners));
        Self { elements, connections, cells, crossings: Vec::new() }
    }

    /// The same with the crossing connections that stresses need.
    pub fn with_crossings(model: &Model, elements: Vec<u32>) -> Self {
        let mut around = Self::new(model, elements);
        around.crossings = crossing::find(model, &around);
        around
    }

    /// The place of an element among the chosen ones.
    pub fn slot(&self, element: u32) -> Option<usize> {
        self.elements.binary_search(&element).ok()
    }

    /// Numbers of the connections at the element in `slot`.
    pub fn connections(&self, slot: usize) -> &[u32] {
        self.connections.of(slot)
    }

    /// Numbers of the connections at the element in `slot`, each with the one that crosses it, if there is one.
    pub fn crossed_connections(&self, slot: usize) -> impl Iterator<Item = (u32, Option<u32>)> {
        let crossings = self.crossings.get(self.connections.range(slot)).unwrap_or(&[]);
        let crossings = crossings.iter().map(|&c| (c != NONE).then_some(c)).chain(std::iter::repeat(None));
        self.connections(slot).iter().copied().zip(crossings)
    }

    /// Numbers of the cells at the element in `slot`.
    pub fn cells(&self, slot: usize) -> &[u32] {
        self.cells.of(slot)
    }
}

/// No such thing.
pub(super) const NONE: u32 = u32::MAX;

/// One list of numbers per slot, in two arrays.
#[derive(Clone, Debug, Default, PartialEq)]
struct Lists {
    start: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Item `i` touches the elements `touched[i]`; it is listed at each of them that has a slot.
    fn new<'a, const K: usize>(
        slots: usize,
        slot: &[u32],
        touched: impl Iterator<Item = &'a [u32; K]> + Clone,
    ) -> Self {
        let hits = |item: &'a [u32; K]| item.iter().map(|&e| slot[e as usize]).filter(|&s| s != NONE);
        let mut start = vec![0u32; slots + 1];
        for s in touched.clone().flat_map(hits) {
            start[s as usize + 1] += 1;
        }
        for s in 0..slots {
            start[s + 1] += start[s];
        }
        let mut next = start.clone();
        let mut items = vec![0; start[slots] as usize];
        for (i, item) in touched.enumerate() {
            for s in hits(item) {
                items[next[s as usize] as usize] = i as u32;
                next[s as usize] += 1;
            }
        }
        Self { start, items }
    }

    fn of(&self, slot: usize) -> &[u32] {
        &self.items[self.range(slot)]
    }

    fn range(&self, slot: usize) -> std::ops::Range<usize> {
        self.start[slot] as usize..self.start[slot + 1] as usize
    }
}

/// What a reading looks at: model, state and surroundings at one moment.
#[derive(Clone, Debug)]
pub struct Reading<'a> {
    /// What there is.
    pub model: &'a Model,
    /// How it is at the moment.
    pub state: &'a State,
    /// Connections and cells around the probed elements.
    pub around: &'a Surroundings,
    torn: Vec<[u32; 2]>,
}

impl<'a> Reading<'a> {
    /// Looks at `state` as it is.
    pub fn new(model: &'a Model, state: &'a State, around: &'a Surroundings) -> Self {
        let mut torn = Vec::new();
        if !model.cells.is_empty() {
            torn.extend(state.broken.iter().map(|&c| model.connections.ends[c as usize]));
            torn.sort_unstable();
        }
        Self { model, state, around, torn }
    }

    /// True unless the connection has broken.
    pub fn is_unbroken(&self, connection: u32) -> bool {
        self.state.broken.is_empty() || self.state.broken.binary_search(&connection).is_err()
    }

    /// The unbroken connections at the element in `slot`.
    pub fn connections(&self, slot: usize) -> impl Iterator<Item = usize> {
        self.around.connections(slot).iter().copied().filter(|&c| self.is_unbroken(c)).map(|c| c as usize)
    }

    /// The unbroken connections at the element in `slot`, each with the unbroken one that crosses it, if there is one.
    pub fn crossed_connections(&self, slot: usize) -> impl Iterator<Item = (usize, Option<usize>)> {
        let unbroken = self.around.crossed_connections(slot).filter(|(c, _)| self.is_unbroken(*c));
        unbroken.map(|(c, other)| (c as usize, other.filter(|&o| self.is_unbroken(o)).map(|o| o as usize)))
    }

    /// The cells at the element in `slot` that still carry: none of the connections between their corners is broken.
    pub fn cells(&self, slot: usize) -> impl Iterator<Item = &'a Cell> {
        let cells = &self.model.cells;
        self.around.cells(slot).iter().map(|&c| &cells[c as usize]).filter(|c| self.is_whole(c))
    }

    fn is_whole(&self, cell: &Cell) -> bool {
        let broken = |a: u32, b: u32| self.torn.binary_search(&[a.min(b), a.max(b)]).is_ok();
        self.torn.is_empty()
            || !cell.corners.iter().enumerate().any(|(i, &a)| cell.corners[i + 1..].iter().any(|&b| broken(a, b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readout::sample::{lattice, resting};

    #[test]
    fn an_inner_element_has_eighteen_connections_and_eight_cells_and_a_corner_six_and_one() {
        let model = lattice([2, 2, 2], 0.4);
        let around = Surroundings::new(&model, vec![13, 0, 13]);
        assert_eq!(around.elements, [0, 13]);
        let count = |s| (around.connections(s).len(), around.cells(s).len());
        assert_eq!((count(0), count(1)), ((6, 1), (18, 8)));
        let expected =
            (0..model.connections.len() as u32).filter(|&c| model.connections.ends[c as usize].contains(&13));
        assert_eq!(around.connections(1), expected.collect::<Vec<_>>());
    }

    #[test]
    fn a_broken_connection_is_left_out_and_takes_its_cells_with_it() {
        let model = lattice([2, 1, 1], 0.4);
        let around = Surroundings::new(&model, vec![1]);
        let mut state = resting(&model);
        let count = |state: &State| {
            let reading = Reading::new(&model, state, &around);
            (reading.connections(0).count(), reading.cells(0).count())
        };
        let before = count(&state);
        let edge = (0..).zip(&model.connections.ends).filter(|(_, ends)| **ends == [0, 1]);
        state.broken.extend(edge.map(|(c, _)| c));
        assert_eq!((before, count(&state)), ((9, 2), (8, 1)));
    }
}
