//! Which part of a compound body bears it, and since when: a tippe top turns over when its stem takes over.

use crate::console::short;
use kreisel::model::setup::Law;
use kreisel::model::{Model, State};
use std::collections::BTreeMap;

/// One part took over from another.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Change {
    /// Numbers of the parts, from one on.
    parts: [usize; 2],
    /// The frame at which that was seen [s].
    time: f64,
}

/// What compound bodies stand on, frame by frame.
#[derive(Debug, Default)]
pub struct Footing {
    /// The part that last bore each body alone.
    bearing: BTreeMap<u32, usize>,
    last: BTreeMap<u32, Change>,
}

impl Footing {
    /// Looks at the contacts of a frame.
    pub fn note(&mut self, model: &Model, state: &State) {
        if model.law != Law::Constraint {
            return;
        }
        for (body, part) in borne_by_one(model, state) {
            if let Some(before) = self.bearing.insert(body, part).filter(|before| *before != part) {
                self.last.insert(body, Change { parts: [before, part], time: state.time });
            }
        }
    }

    /// One line about the body that changed last; `None` if none did.
    pub fn line(&self, model: &Model) -> Option<String> {
        let (&body, change) = self.last.iter().max_by(|a, b| a.1.time.total_cmp(&b.1.time))?;
        let (name, [before, part]) = (&model.bodies[body as usize].name, change.parts);
        Some(format!("{name} stands on its part {part} since {} s, on part {before} before", short(change.time)))
    }
}

/// Bodies of several parts, one of which alone presses on anything, and that part's number from one on.
fn borne_by_one(model: &Model, state: &State) -> BTreeMap<u32, usize> {
    let mut pressing: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for k in state.shape_contacts.iter().filter(|c| c.presses()).flat_map(|c| [c.first, c.second]) {
        if let Some(collider) = model.colliders.get(k as usize) {
            pressing.entry(collider.body.0).or_default().push(k as usize);
        }
    }
    let alone = |(body, mut parts): (u32, Vec<usize>)| {
        parts.dedup();
        let first = model.colliders.iter().position(|c| c.body.0 == body)?;
        (parts.len() == 1).then(|| (body, parts[0] - first + 1))
    };
    pressing.into_iter().filter_map(alone).collect()
}
