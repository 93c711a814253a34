//! Quasi-static aggregates: what a rigid body would look like if it could deform, at one moment.
//!
//! The body moves as a rigid one. Its loads of the moment (contacts, connections at its border, loads, grabs, weight), less
//! the inertia of the motion they cause (inertia relief), balance; `K u = f − m (a + α × r + ω × (ω × r))` gives the
//! displacements `u` that go with them. Nothing is fed back to the motion, and nobody pays who does not ask.

use crate::linear::Vectors;
use crate::model::{Aggregate, Model, Origin, State};
use crate::step::evaluate::evaluate;
use crate::step::relief::displacements;
use crate::step::workspace::Workspace;

/// True if a rigid part of this body is solved for its deformation.
pub fn is_quasi_static(model: &Model, body: &Aggregate) -> bool {
    let of = |e: &u32| model.bodies[model.elements.body[*e as usize].0 as usize].quasi_static;
    body.origin != Origin::Lone && !body.given_inertia && body.elements.first().is_some_and(of)
}

/// A state in which quasi-static aggregates are deformed.
#[derive(Clone, Debug)]
pub struct Deformed {
    /// The state as it would look; velocities are those of the motion.
    pub state: State,
    /// Displacement of every element from where the motion has it [m], zero outside quasi-static aggregates.
    pub displacement: Vectors,
    /// Why some are not deformed, although they should be.
    pub trouble: Vec<String>,
}

/// The state with its quasi-static aggregates deformed; `None` if there are none.
pub fn deformed(model: &Model, state: &mut State, w: &mut Workspace) -> Option<Deformed> {
    let (displacement, trouble) = deformation(model, state, w);
    if displacement.is_empty() {
        return None;
    }
    let mut state = state.clone();
    state.position.axpy(1.0, &displacement);
    Some(Deformed { state, displacement, trouble })
}

/// Displacement of every element from where the motion has it [m], zero outside quasi-static aggregates; empty if there are
/// none. Returns why not, where it could not be solved.
fn deformation(model: &Model, state: &mut State, w: &mut Workspace) -> (Vectors, Vec<String>) {
    let wanted = |a: &usize| is_quasi_static(model, &state.aggregates[*a]);
    let wanted: Vec<usize> = (0..state.aggregates.len()).filter(wanted).collect();
    let (mut moved, mut trouble) = (Vectors::default(), Vec::new());
    if wanted.is_empty() {
        return (moved, trouble);
    }
    w.refresh(model, state);
    crate::model::mapping::carry_all(state);
    evaluate(model, state, w, state.time, 0.0, 0.0);
    moved.reset(model.elements.len());
    for a in wanted {
        let members = &state.aggregates[a].elements;
        match displacements(model, state, w, a) {
            Ok(u) => members.iter().enumerate().for_each(|(k, &e)| moved.set(e as usize, u.get(k))),
            Err(why) => {
                let body = members.first().map_or("", |&e| model.body_name(e));
                trouble.push(format!("{body} is shown undeformed: {why}"));
            }
        }
    }
    (moved, trouble)
}
