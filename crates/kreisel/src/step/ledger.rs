//! The accounts are opened with the first state and closed after each frame.

use crate::force::gravity;
use crate::model::{Ledger, Model, State};
use crate::readout::momentum;
use crate::step::evaluate::evaluate;
use crate::step::flow::Flow;
use crate::step::workspace::Workspace;

/// Energies and momenta of the first state; nothing has flowed yet.
pub fn open(model: &Model, state: &mut State, w: &mut Workspace) {
    w.refresh(model, state);
    let ledger = measure(model, state, w);
    state.ledger = ledger;
}

/// Closes a frame: what has changed, what accounts for it, and what does not.
pub fn close(model: &Model, before: &State, state: &mut State, w: &mut Workspace, flow: &Flow) {
    let old = before.ledger;
    let mut new = measure(model, state, w);
    let gripped = state.gripped - before.gripped;
    new.load_work = old.load_work + flow.load_work;
    new.support_work = old.support_work + flow.support_work;
    new.damping_loss = old.damping_loss - flow.damping_work;
    new.friction_loss = old.friction_loss - flow.friction_work - gripped;
    new.contact_loss = old.contact_loss - flow.contact_work;
    new.fracture_loss = old.fracture_loss + flow.fracture;
    new.conversion_loss = old.conversion_loss + flow.conversion;
    new.residual = old.residual + (new.energy() - old.energy()) - (new.balance() - old.balance());
    let gravity_change = (new.gravity - old.gravity).abs();
    new.turnover = old.turnover + flow.turnover + gravity_change + flow.conversion.abs();
    new.external_impulse = old.external_impulse + flow.impulse;
    new.external_angular_impulse = old.external_angular_impulse + flow.angular_impulse;
    new.momentum_residual = old.momentum_residual + (new.momentum - old.momentum) - flow.impulse;
    new.angular_momentum_residual =
        old.angular_momentum_residual + (new.angular_momentum - old.angular_momentum) - flow.angular_impulse;
    state.ledger = new;
}

/// The energies and momenta of a state, all flows zero.
pub fn measure(model: &Model, state: &mut State, w: &mut Workspace) -> Ledger {
    let found = evaluate(model, state, w, state.time, 0.0, 0.0);
    state.gripped = found.tangential;
    Ledger {
        kinetic: momentum::kinetic_energy(model, state),
        gravity: gravity::energy(model.gravity, &model.elements.mass, &state.position),
        elastic: found.elastic,
        frozen: w.frozen,
        momentum: momentum::linear_momentum(model, state),
        angular_momentum: momentum::angular_momentum(model, state),
        ..Ledger::default()
    }
}
