//! Groups: what hangs together by connections and aggregates. Momentum is kept group by group.

use crate::model::joint::Side;
use crate::model::{Model, State, Topology};

/// The group of every element.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// Of each element.
    pub of: Vec<u32>,
    /// How many there are.
    pub count: usize,
    /// True for those that a joint holds to the fixed world.
    pub anchored: Vec<bool>,
}

impl Groups {
    /// Connected components, joined where an aggregate carries several.
    pub fn new(model: &Model, state: &State, topology: &Topology) -> Self {
        let n = model.elements.len();
        let mut root: Vec<u32> = (0..topology.components.max(1)).collect();
        let component = |e: usize| topology.component(model, e);
        for a in &state.aggregates {
            let Some(&first) = a.elements.first() else { continue };
            for &e in &a.elements {
                join(&mut root, component(first as usize), component(e as usize));
            }
        }
        let components: Vec<u32> = (0..n).map(component).collect();
        Self::numbered(&components, root)
    }

    /// The same, with what whole joints join in one group.
    pub fn joined(&self, model: &Model, state: &State) -> Self {
        let mut root: Vec<u32> = (0..self.count as u32).collect();
        let whole = || model.joints.iter().zip(&state.joints).filter(|(_, s)| !s.broken);
        let sides = || whole().flat_map(|(joint, s)| joint.seats(s)).map(|seat| seat.sides);
        let group = |side: &Side| side.element.map(|e| self.of[e as usize]);
        for [a, b] in sides() {
            if let (Some(a), Some(b)) = (group(&a), group(&b)) {
                join(&mut root, a, b);
            }
        }
        let mut groups = Self::numbered(&self.of, root);
        for [a, b] in sides() {
            if let [Some(e), None] | [None, Some(e)] = [a.element, b.element] {
                groups.anchored[groups.of[e as usize] as usize] = true;
            }
        }
        groups
    }

    /// Numbers in the order in which they appear, for the parts of elements and the tree that joins parts.
    fn numbered(part: &[u32], mut root: Vec<u32>) -> Self {
        let mut number = vec![u32::MAX; root.len()];
        let mut groups = Self { of: vec![0; part.len()], ..Self::default() };
        for (e, &part) in part.iter().enumerate() {
            let r = find(&mut root, part) as usize;
            if number[r] == u32::MAX {
                number[r] = groups.count as u32;
                groups.count += 1;
            }
            groups.of[e] = number[r];
        }
        groups.anchored = vec![false; groups.count];
        groups
    }

    /// The group of aggregate `a`.
    pub fn of_body(&self, state: &State, a: usize) -> usize {
        state.aggregates[a].elements.first().map_or(0, |&e| self.of[e as usize] as usize)
    }
}

fn find(root: &mut [u32], i: u32) -> u32 {
    let mut r = i;
    while root[r as usize] != r {
        root[r as usize] = root[root[r as usize] as usize];
        r = root[r as usize];
    }
    r
}

/// The smaller number stays the root: the result does not depend on the order.
fn join(root: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(root, a), find(root, b));
    root[a.max(b) as usize] = a.min(b);
}
