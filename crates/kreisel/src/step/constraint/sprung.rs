//! Rigid bodies that springs pull.

use crate::force::grab;
use crate::model::world::ElementGrab;
use crate::model::{FREE, Model, State};
use crate::step::workspace::Workspace;

/// The bodies that connections tie to others or that grabs hold by springs now, once or more.
pub fn sprung(model: &Model, state: &State, w: &Workspace) -> Vec<u32> {
    let holds = |g: &&ElementGrab| g.stiffness > 0.0 && grab::is_active(g, state.time);
    let elements = model.grabs.iter().filter(holds).flat_map(|g| &g.carried_by);
    let grabbed = elements.map(|&(e, _)| state.owner[e as usize]).filter(|&c| c != FREE);
    grabbed.chain(w.bonded.iter().copied()).collect()
}
