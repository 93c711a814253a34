//! The rows of a step: each place where colliders touch, or may do so, becomes one of the contact problem.

use crate::contact::coefficients::Coefficients;
use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::row::{Meeting, Row};
use crate::linear::emptied;
use crate::model::{Model, ShapeContact, State};
use crate::step::constraint::blows;
use crate::step::constraint::rest;
use crate::step::constraint::rubbing::{self, Rub};
use crate::step::constraint::space::{ContactSpace, Found};
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// The share of a small gap that closes in a step [1].
const CLOSING: f64 = 0.2;

impl ContactSpace {
    /// Makes the rows of all meetings, with the impulses of the step before to start from; `before` has the velocities before
    /// the step. Nobody has weighed them yet.
    pub fn make_rows(&mut self, model: &Model, state: &State, w: &Workspace, before: &Carriers, h: f64) {
        let mut rows = emptied(std::mem::take(&mut self.rows), self.found.len());
        let mut known = state.shape_contacts.iter().peekable();
        let mut rubs = self.rubs.iter().peekable();
        let mut of_pair = ((u32::MAX, u32::MAX), Coefficients::default());
        let start = |(k, f): (u32, &Found)| {
            let key = (f.first, f.second, f.touch.feature);
            while known.next_if(|c| (c.first, c.second, c.feature) < key).is_some() {}
            let last = known.peek().filter(|c| (c.first, c.second, c.feature) == key);
            let rub = rubs.next_if(|rub| rub.found == k);
            if of_pair.0 != (f.first, f.second) {
                of_pair = ((f.first, f.second), self.coefficients(model, w, f.first, f.second));
            }
            let meeting = self.meeting(model, &of_pair.1, (k, f, rub), last.copied(), before, h);
            Row::unweighed(&meeting, &self.carriers, last.map_or(DVec3::ZERO, |c| c.impulse * (h / c.step)))
        };
        rows.extend((0..).zip(&self.found).map(start));
        self.rows = rows;
    }

    fn meeting(
        &self,
        model: &Model,
        c: &Coefficients,
        (k, f, rub): (u32, &Found, Option<&Rub>),
        last: Option<&ShapeContact>,
        before: &Carriers,
        h: f64,
    ) -> Meeting {
        let (([a, b], point, armless), normal) = (rubbing::place(self, f, rub), f.touch.normal);
        let gap = self.counted(f.touch.gap);
        let law = model.constraint.restitution_law;
        let blow = blows::of(&self.blows, k);
        let terms = match blow {
            Some(blow) => blow.terms(law),
            // Elements, skins, and implicit steps.
            None if c.restitution > 0.0 && !(self.looks_for_blows() && self.may_blow(f, [a, b])) => {
                let approach = |carriers: &Carriers| normal.dot(carriers.relative_velocity((a, b), point));
                blows::at_once((gap, approach(before), approach(&self.carriers), h), c.restitution, law)
            }
            None => None,
        };
        let (bias, restitution) = terms.unwrap_or((gap / h, 0.0));
        let unlike = c.static_friction != c.dynamic_friction;
        let slip = || before.relative_velocity((a, b), point).reject_from_normalized(normal);
        let slides = unlike && slides(last, slip, rest::creep(model, h));
        let friction = match (armless, slides) {
            (true, _) => 0.0,
            (_, true) => c.dynamic_friction,
            _ => c.static_friction,
        };
        let normal = match self.centres(f) {
            [Some(a), Some(b)] => (a - b).try_normalize().unwrap_or(normal),
            _ => normal,
        };
        let stuck = last.is_some_and(|c| !c.slipping && c.impulse != DVec3::ZERO);
        let leads = blow.map_or_else(Default::default, |blow| blow.leads);
        Meeting { a, b, point, normal, bias, friction, restitution, leads, stuck }
    }

    /// True for contacts of rigid shapes with each other.
    fn may_blow(&self, f: &Found, carriers: [u32; 2]) -> bool {
        !self.is_on_skin(f) && carriers.iter().all(|&c| self.is_rigid(c))
    }

    /// True if rigid bodies that bounce are met when they strike.
    fn looks_for_blows(&self) -> bool {
        !self.loose.is_empty()
    }

    /// The gap that counts [m]: small ones close by and by, so that rounding in positions does not come back as speed.
    fn counted(&self, gap: f64) -> f64 {
        let small = gap.clamp(0.0, self.slack);
        CLOSING * small + (gap - self.slack).max(0.0)
    }
}

/// True if what slid goes on to slide, or what begins to touch comes with a `slip`, faster than `creep` [m/s].
pub fn slides(last: Option<&ShapeContact>, slip: impl Fn() -> DVec3, creep: f64) -> bool {
    last.map_or_else(|| slip().length() > creep, |last| last.slides(creep))
}
