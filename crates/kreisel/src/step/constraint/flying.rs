//! Rigid bodies that nothing but weight, loads and contacts moves: in implicit steps they fly as they do in explicit ones.
//!
//! Nothing on them is stiff, and backward Euler has nothing to give. It has something to take: `R⁺ = exp(h Δω) R̃`, with `R̃` from
//! free flight with the `L` of before, turns a body as if its new angular momentum had come without its nutation, by some
//! `½ h² ω × Δω` beside free flight in every step. A top that rolls turns over by that, and a rattleback is braked. So these
//! bodies get `L⁺ = L + I Δω` with the inertia of the beginning of the step and fly freely with `L⁺` from there: `Δω` is what the
//! impulses of rows at the beginning give, work `p · ½(u⁻ + u⁺)` is exact, and gaps and ways bend as in explicit steps (`curved`).

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::island;
use crate::contact::constraint::row::Row;
use crate::contact::constraint::twisted;
use crate::model::{Aggregate, Model, State};
use crate::step::constraint::curved::End;
use crate::step::constraint::joints::JointSpace;
use crate::step::constraint::meetings::{Meetings, Owner};
use crate::step::constraint::sprung::sprung;
use crate::step::flow::Flow;
use crate::step::support::Support;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Which rigid bodies fly, one after the other.
pub fn flying(model: &Model, state: &State, w: &Workspace, joints: &JointSpace) -> Vec<bool> {
    let mut flying: Vec<bool> = w.supports.iter().map(|s| matches!(s, Support::None)).collect();
    let jointed = joints.links.iter().flat_map(|link| link.carriers).filter(|_| !model.joints.is_empty());
    for k in sprung(model, state, w).into_iter().chain(jointed) {
        flying.get_mut(k as usize).into_iter().for_each(|one| *one = false);
    }
    flying
}

impl Meetings {
    /// Which rigid bodies fly.
    pub fn flying(&self) -> &[bool] {
        &self.flying
    }

    /// Linearises gaps and ways of pressed contacts of what flies about the end of the step, where the solution leads that the state
    /// has; `start` has the bodies at its beginning. True if an offset changes by more than a solution that leaves `left` [m/s] can
    /// tell: then all is to be solved again. Nothing has changed otherwise.
    pub fn bend(&mut self, model: &Model, start: &[Aggregate], state: &State, left: f64) -> bool {
        let mut rows = std::mem::take(&mut self.space.rows);
        self.space.carriers = self.carriers(state);
        twisted::finish(&mut rows, &self.space.twists, &self.space.carriers);
        let close = model.constraint.tolerance * model.gravity.length() * self.h;
        let pressed = rows.iter().filter(|row| row.impulse.x > 0.0).count();
        let enough = if pressed <= island::FEW { close } else { close.max(left) };
        let end = End { model, bodies: start, space: &self.space, before: &self.before, h: self.h };
        let flown = rows.iter_mut().enumerate().filter(|(_, row)| self.flies(state, row));
        let changes = end.bend(flown, enough);
        self.space.rows = rows;
        changes
    }

    /// Books what gravity lacks of the way of bodies that fly and are pushed: they move by `h v⁺`, and forces change the kinetic energy
    /// along `½ h (v + v⁺)`. It is the doing of contact, as in explicit steps (`flight`).
    pub(super) fn book_fall(&self, model: &Model, state: &State, after: &Carriers, flow: &mut Flow) {
        let mut pushed = vec![false; self.flying.len()];
        for c in self.rows().iter().filter(|row| row.impulse != DVec3::ZERO).flat_map(|row| [row.a, row.b]) {
            pushed.get_mut(c as usize).into_iter().for_each(|one| *one = true);
        }
        for (k, a) in state.aggregates.iter().enumerate().filter(|(k, _)| self.flying[*k] && pushed[*k]) {
            let lag = (self.before[k].velocity - after[k].velocity) * (0.5 * self.h);
            let work = a.mass * model.gravity.dot(lag);
            flow.contact_work += work;
            flow.turnover += work.abs();
        }
    }

    /// True for contacts of bodies that fly with each other, or with what no push can move.
    fn flies(&self, state: &State, row: &Row) -> bool {
        let side = |c: u32| match self.owner(state, c) {
            Some(Owner::Body(a)) => self.flying[a] || !self.before[c as usize].is_movable(),
            Some(Owner::Element(_)) => false,
            None => true,
        };
        !row.seated && side(row.a) && side(row.b)
    }
}
