//! Bodies that touch nothing fly along parabolas, and so do those that bounce, before the blow and after it; what the fall of
//! the others lacks is the work of contact.
//!
//! Forces change the kinetic energy along the mean velocity `½ (v + v⁺)`, positions move by `h v⁺`: the two differ by
//! `h v⁺ − ½ h (v + v⁺) = ½ h (v⁺ − v)`. A body that nothing holds moves by its mean velocity: its parabola is exact, its
//! energy kept. A body in contact moves to where the law wants it at the end of the step; that gravity has less or more way
//! to act along is the contact's doing. With it an inelastic impact at speed `v` costs `½ m v²`, at any step.
//!
//! A body that is struck at the time `t` moves by `½ h (v + v*) + (h − t) p/m` and turns likewise: its impulse acts from then
//! on. That is `(½ h − t) p/m` from its mean velocity, and gravity's work on that way is what the ledger lacks of the blow:
//! with it an impact at speed `s` costs `½ (1 − e²) m s²`, at any step.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::row::Row;
use crate::model::{Model, State};
use crate::step::constraint::blows::{self, Blow};
use crate::step::constraint::space::ContactSpace;
use crate::step::flow::Flow;
use glamx::{DQuat, DVec3};

/// What holds a body in the step.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Held {
    /// Nothing is near.
    Not,
    /// Something is as near as the parabola is from where velocities lead, or a joint holds it.
    Near,
    /// A contact has pushed it.
    Pushed,
}

/// How far a body is at the end of a step from where its velocity leads.
#[derive(Clone, Copy)]
pub struct Stray {
    /// Where its centre is [m].
    pub shift: DVec3,
    /// How it is turned [rad].
    pub turn: DVec3,
}

/// Puts free bodies onto their parabolas, for velocities to move them by `h v⁺` from there; books the others' fall.
pub fn fly(model: &Model, state: &mut State, space: &ContactSpace, before: &Carriers, h: f64, flow: &mut Flow) {
    let lags = lags(space, before, h);
    let strays = strays(space, before, h);
    for (k, a) in state.aggregates.iter_mut().enumerate() {
        let Some(Stray { shift, turn }) = strays[k] else { continue };
        let mut work = a.mass * model.gravity.dot(lags[k] - shift);
        if turn != DVec3::ZERO {
            // The blow has been solved with the inertia of the beginning of the step; what that changes is the blow's.
            let kinetic = a.kinetic_energy();
            a.orientation = (DQuat::from_scaled_axis(turn) * a.orientation).normalize();
            work += a.kinetic_energy() - kinetic;
        }
        a.position += shift;
        // The moment of the weight is that on the way, not that at its beginning.
        flow.angular_impulse += shift.cross(a.velocity * a.mass);
        flow.contact_work += work;
        flow.turnover += work.abs();
    }
}

/// What the way along the mean velocity has more than that along the velocity at the end [m].
fn lags(space: &ContactSpace, before: &Carriers, h: f64) -> Vec<DVec3> {
    before.iter().zip(space.carriers.iter()).map(|(old, new)| (old.velocity - new.velocity) * (0.5 * h)).collect()
}

/// How far all carriers stray; none for those that something is near, and for what no push can move.
pub fn strays(space: &ContactSpace, before: &Carriers, h: f64) -> Vec<Option<Stray>> {
    let (lags, struck) = (lags(space, before, h), struck(space));
    let held = held(space, &lags, h);
    let stray = |k: usize| {
        let (shift, turn) = match (struck.get(k).copied().flatten(), held[k]) {
            _ if !before[k].is_movable() => return None,
            (None, Held::Not) => (lags[k], DVec3::ZERO),
            (None, Held::Near) => return None,
            (None, Held::Pushed) => (DVec3::ZERO, DVec3::ZERO),
            (Some(s), Held::Not) => (lags[k] + s.gained * (0.5 * h) + s.way, s.turn),
            (Some(s), _) => (s.way, s.turn),
        };
        Some(Stray { shift, turn })
    };
    (0..before.len()).map(stray).collect()
}

/// What blows within a step do to where a body is at its end, because they do not act from its beginning on.
#[derive(Clone, Copy, Default)]
struct Struck {
    /// The velocity that blows have given [m/s].
    gained: DVec3,
    /// The way that it lacks [m].
    way: DVec3,
    /// The turn that it lacks [rad].
    turn: DVec3,
    /// Impulses times when they act, and impulses [N s², N s].
    late: f64,
    impulse: f64,
}

impl Struck {
    fn add(&mut self, (velocity, spin): (DVec3, DVec3), delay: f64) {
        self.way -= velocity * delay;
        self.turn -= spin * delay;
    }

    /// When the blows act, on average [s].
    fn mean(&self) -> f64 {
        if self.impulse > 0.0 { self.late / self.impulse } else { 0.0 }
    }
}

/// The bodies that blows have struck within the step. What rests on them bears more or less in answer, and at the same time.
fn struck(space: &ContactSpace) -> Vec<Option<Struck>> {
    let mut struck: Vec<Option<Struck>> = vec![None; space.loose.len()];
    for blow in &space.blows {
        let row = &space.rows[blow.contact as usize];
        for (c, change) in changes(space, row, row.world_impulse()) {
            let one = struck[c as usize].get_or_insert_default();
            one.add(change, blow.delay());
            one.gained += change.0;
            one.late += row.impulse.length() * blow.delay();
            one.impulse += row.impulse.length();
        }
    }
    for &(k, bears) in &space.borne {
        let row = &space.rows[k as usize];
        let of = |c: u32| struck.get(c as usize).copied().flatten();
        let delay = match (of(row.a), of(row.b)) {
            (None, None) => continue,
            (a, b) => a.map_or(0.0, |s| s.mean()).max(b.map_or(0.0, |s| s.mean())),
        };
        for (c, change) in changes(space, row, row.world_impulse() - bears) {
            struck[c as usize].get_or_insert_default().add(change, delay);
        }
    }
    struck
}

/// What an impulse of a row has done to the velocity and the spin of those of its bodies that are loose; nothing without one.
fn changes(space: &ContactSpace, row: &Row, p: DVec3) -> impl Iterator<Item = (u32, (DVec3, DVec3))> {
    let (mut a, mut b) = (space.carriers.at_rest_one(row.a), space.carriers.at_rest_one(row.b));
    row.push_first(p, &mut a);
    row.push_second(p, &mut b);
    let both = [(row.a, (a.velocity, a.spin)), (row.b, (b.velocity, b.spin))];
    both.into_iter().filter(move |(c, _)| p != DVec3::ZERO && space.loose[*c as usize])
}

fn held(space: &ContactSpace, lags: &[DVec3], h: f64) -> Vec<Held> {
    let mut held = vec![Held::Not; space.carriers.len()];
    let mut hold = |k: u32, by: Held| {
        if let Some(held) = held.get_mut(k as usize).filter(|held| **held < by) {
            *held = by;
        }
    };
    // Who is struck in flight flies on, and a blow that misses does so on a parabola.
    let holds = |k: u32| !blows::of(&space.blows, k).is_some_and(Blow::is_in_flight);
    for (_, row) in (0..).zip(&space.rows).filter(|(k, _)| holds(*k)) {
        let gap_at_end = h * (row.bias + row.velocity(&space.carriers).x);
        let by = match row.impulse == DVec3::ZERO {
            true if gap_at_end > lags[row.a as usize].length() + lags[row.b as usize].length() => Held::Not,
            true => Held::Near,
            false => Held::Pushed,
        };
        for k in [row.a, row.b] {
            hold(k, by);
            space.carriers.members(k).iter().for_each(|m| hold(m.carrier, by));
        }
    }
    space.joints.pairs().for_each(|(a, b)| [a, b].into_iter().for_each(|k| hold(k, Held::Near)));
    held
}
