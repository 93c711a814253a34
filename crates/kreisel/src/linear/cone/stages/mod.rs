//! The methods of the chain for one friction problem, and the order in which they are tried.

mod firm;
mod folds;
mod inside;
mod newton;
mod proximal;
mod slips;
mod sweeps;

use super::feasible::approaching_forever;
use super::solve::Chain;
use crate::linear::lcp::Status;
use folds::FOLDS;
use inside::INSIDE;
use slips::FEW_ROUNDS;

pub(in crate::linear::cone) type Stage = fn(&mut Chain<'_>);

/// For problems that come cold: the cheap methods first. A few convex problems lead where others do not begin; many of them take ten times as
/// long as all others together.
pub(in crate::linear::cone) const LOOK_AHEAD: [Stage; 21] = [
    |chain| chain.sweep(chain.params.sweeps),
    |chain| chain.newton(&chain.best(), chain.newton_steps(), "newton"),
    |chain| chain.prove(),
    |chain| chain.full_steps(),
    |chain| chain.inside(&INSIDE[..3]),
    |chain| chain.firm(),
    |chain| chain.interior_if(chain.is_light()),
    |chain| chain.convex_problems(FEW_ROUNDS),
    |chain| chain.look_ahead(),
    |chain| chain.fold(&FOLDS[..1]),
    |chain| chain.inside(&INSIDE[3..]),
    |chain| chain.interior_if(!chain.is_light()),
    |chain| chain.walk(),
    |chain| chain.soften(),
    |chain| chain.convex_problems(chain.slip_rounds()),
    |chain| chain.fold(&FOLDS[1..]),
    |chain| chain.harden(),
    |chain| chain.proximal(),
    |chain| chain.sweep(10 * chain.params.sweeps),
    |chain| chain.proximal(),
    |chain| chain.sweep(20 * chain.params.sweeps),
];

/// So many of them are cheap.
pub(in crate::linear::cone) const CHEAP: usize = 9;

/// For problems that come warm, step after step.
pub(in crate::linear::cone) const STEADILY: [Stage; 8] = [
    |chain| chain.sweep(chain.params.sweeps),
    |chain| chain.newton(&chain.best(), chain.newton_steps(), "newton"),
    |chain| chain.prove(),
    |chain| chain.slips(),
    |chain| chain.sweep(10 * chain.params.sweeps),
    |chain| chain.interior(),
    |chain| chain.proximal(),
    |chain| chain.sweep(20 * chain.params.sweeps),
];

impl Chain<'_> {
    pub(super) fn prove(&mut self) {
        if self.answer.status == Status::Solved {
            return;
        }
        if let Some(y) = approaching_forever(&self.scaled) {
            self.answer.status = Status::NoSolution;
            self.answer.method = "farkas";
            self.answer.certificate = y.iter().zip(&self.scales).map(|(y, s)| y * s).collect();
        }
    }
}
