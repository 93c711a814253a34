//! All forces at a pose: springs, cells, gravity, drag, loads, grabs and contacts.

use crate::contact::connections::{self, Active, Candidates, Sight};
use crate::force::{drag, grab, gravity, load, pressure, volume};
use crate::model::{Model, State};
use crate::step::clock::Stage;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// What an evaluation finds out by the way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluated {
    /// Elastic energy of connections, cells and contacts [J].
    pub elastic: f64,
    /// Energy of the tangential contact springs among that [J].
    pub tangential: f64,
    /// Energy of adhesive contacts that tear at this pose [J].
    pub torn: f64,
    /// True if a connection may be longer than its fracture distance.
    pub overstretched: bool,
}

/// Fills the workspace's force fields at the state's pose and velocities, at time `t`. `drifted` is how long the bodies
/// have moved since the contacts' stretch was written; `step` is the size of the steps to come.
pub fn evaluate(model: &Model, state: &mut State, w: &mut Workspace, t: f64, drifted: f64, step: f64) -> Evaluated {
    let mut found = evaluate_apart(model, state, w, t);
    contact_forces(model, state, w, drifted, step, &mut found);
    w.clock.lap(Stage::Contact);
    found
}

/// As [`evaluate`], without contacts.
pub fn evaluate_apart(model: &Model, state: &State, w: &mut Workspace, t: f64) -> Evaluated {
    let n = model.elements.len();
    w.force.reset(n);
    w.damping.reset(if is_damped(model, w) { n } else { 0 });
    w.load.reset(if is_loaded(model) { n } else { 0 });
    let found = internal_forces(state, w);
    gravity::add_force(model.gravity, &w.free_mass, &mut w.force);
    if model.drag > 0.0 {
        drag::add_force(model.drag, &w.free_mass, &state.velocity, &mut w.damping);
    }
    if is_loaded(model) {
        load::add_force(&model.loads, t, &mut w.load);
        pressure::add_force(&model.pressures, t, &state.position, &mut w.load);
        grab::add_force(&model.grabs, t, &state.position, &state.velocity, &mut w.load);
    }
    found
}

/// True if any force is booked as damping.
fn is_damped(model: &Model, w: &Workspace) -> bool {
    model.drag > 0.0 || w.springs.as_ref().is_some_and(|s| s.is_damped())
}

/// True if any force is booked as a load.
pub fn is_loaded(model: &Model) -> bool {
    !(model.loads.is_empty() && model.pressures.is_empty() && model.grabs.is_empty())
}

fn internal_forces(state: &State, w: &mut Workspace) -> Evaluated {
    let mut found = Evaluated::default();
    if let Some(springs) = &w.springs {
        let sums = springs.add_forces(&state.position, &state.velocity, &mut w.force, &mut w.damping);
        found.elastic = sums.energy;
        found.overstretched = sums.overstretched;
    }
    if !w.cells.is_empty() {
        w.cell_chunks.add_force(&w.cells, &state.position, &mut w.force);
        found.elastic += volume::energy(&w.cells, &state.position);
    }
    found
}

fn contact_forces(model: &Model, state: &mut State, w: &mut Workspace, drifted: f64, step: f64, found: &mut Evaluated) {
    w.couples.clear();
    w.couples.resize(state.aggregates.len(), DVec3::ZERO);
    found.torn = find_contacts(model, state, w, drifted, step);
    for contact in &w.contacts {
        contact.apply(model, &state.position, &mut w.force, &mut w.couples);
        found.elastic += contact.energy();
        found.tangential += contact.tangential_energy();
    }
}

/// Fills the workspace's contacts, and returns the energy [J] of adhesive ones that tear at this pose.
pub fn find_contacts(model: &Model, state: &mut State, w: &mut Workspace, drifted: f64, step: f64) -> f64 {
    find_contacts_by(connections::evaluate, model, state, w, drifted, step)
}

/// How a law finds contacts and their forces.
pub type Law = fn(&Sight, Candidates, &mut Vec<Active>) -> f64;

/// As [`find_contacts`], with forces by a given law.
pub fn find_contacts_by(law: Law, model: &Model, state: &mut State, w: &mut Workspace, drifted: f64, step: f64) -> f64 {
    w.contacts.clear();
    if !model.contact.enabled || model.law == crate::model::setup::Law::Constraint {
        return 0.0;
    }
    w.clock.lap(Stage::FreeMotion);
    if w.search.update(model, state, &w.topology, step) {
        w.find_ports(model, state);
    }
    w.clock.lap(Stage::Detect);
    let mut contacts = std::mem::take(&mut w.contacts);
    let torn = law(&sight(model, state, w, drifted, step), w.search.close_candidates(), &mut contacts);
    w.contacts = contacts;
    w.clock.lap(Stage::Contact);
    torn
}

/// What laws of contact look at.
pub fn sight<'a>(model: &'a Model, state: &'a State, w: &'a Workspace, drifted: f64, step: f64) -> Sight<'a> {
    let Workspace { topology, coefficients, immovable, .. } = w;
    Sight { model, state, topology, coefficients, immovable, drifted, step }
}
