//! At the end of a second-order step: the gaps of pressed contacts are closed by position, and what is left of their speed
//! is taken out by impulses within the friction law.

mod closing;
mod still;
mod stopping;

use crate::contact::constraint::row::Mode;
use crate::model::{Model, State};
use crate::step::constraint::landing::{CLOSED, Key, key, size};
use crate::step::constraint::second_order::Modes;
use crate::step::constraint::space::{ContactSpace, Found};
use crate::step::constraint::timing::Timing;
use crate::step::constraint::{apply, detect, overlap, rubbing};
use crate::step::flow::Flow;
use crate::step::workspace::Workspace;
use std::sync::Arc;

/// Closes the gaps of contacts that pushed, then stops their points.
pub fn close_gaps(model: &Model, state: &mut State, w: &mut Workspace, modes: &Modes, flow: &mut Flow) {
    let pressed: Vec<(Key, Mode)> = modes.iter().filter(|m| m.1 != Mode::Separate).copied().collect();
    if pressed.is_empty() {
        return;
    }
    let mut space = std::mem::take(&mut w.contact_space);
    // Who has come to rest stays as it is, and what follows in the step knows of no rest.
    let rested = std::mem::take(&mut space.rested);
    let kept = std::mem::take(&mut state.shape_contacts);
    for _ in 0..2 {
        look(model, state, w, &mut space, (&pressed, &rested));
        let shift = closing::shifts(&space);
        overlap::shift(model, state, w, &mut space, &shift, flow);
    }
    look(model, state, w, &mut space, (&pressed, &rested));
    let before = space.carriers.clone();
    stopping::stop(model, w, &mut space, &pressed, &kept);
    apply::forget_other_forces(w);
    apply::apply(model, state, w, (&mut space, &Timing::default()), &before, model.frame, flow);
    state.shape_contacts = kept;
    note_slip(state, &space);
    w.contact_space = space;
}

/// Contacts slide as they do in the end: what has been stopped sticks.
fn note_slip(state: &mut State, space: &ContactSpace) {
    for c in Arc::make_mut(&mut state.shape_contacts) {
        if let Some(f) = space.found.iter().find(|f| key(f) == (c.first, c.second, c.feature)) {
            let [a, b] = space.sides(f);
            c.slip = space.carriers.relative_velocity((a, b), space.point(f)).reject_from_normalized(f.touch.normal);
        }
    }
}

/// The contacts that pushed, where they are now; without those of bodies that have come to rest with no gap to be closed.
fn look(
    model: &Model,
    state: &State,
    w: &Workspace,
    space: &mut ContactSpace,
    (pressed, rested): (&[(Key, Mode)], &[u32]),
) {
    detect::detect(model, state, w, space, 1e-2 * model.frame);
    let mut found = std::mem::take(&mut space.found);
    found.retain(|f| pressed.iter().any(|p| p.0 == key(f)) && !overlap::is_serious(space, f));
    let (rests, closed) = (|f: &Found| space.sides(f).iter().any(|c| rested.contains(c)), CLOSED * size(model));
    if found.iter().filter(|f| rests(f)).all(|f| f.touch.gap.abs() <= closed) {
        found.retain(|f| !rests(f));
    }
    space.found = found;
    rubbing::seat(model, state, w, space);
}
