//! When the impulses of a first-order step act, and where the bodies are then.
//!
//! A body of mass `m` whose impulses `p_i` act at the times `τ_i` of a step is at its end at
//! `x⁺ = x + h v + Σ (h − τ_i) p_i/m` with `m v⁺ = m v + Σ p_i`, so that
//!
//! `x⁺ × m v⁺ − x × m v = Σ (x + s_i) × p_i`,  `s_i = τ_i v + Σ_j max(τ_i − τ_j, 0) p_j/m`:
//!
//! each impulse acts where the body is at its time, the *lead* `s_i` from where it began. Two bodies keep their angular
//! momentum if both feel an impulse at one point of the world, at these leads and no others. They are known only when all
//! impulses are; those that rows are solved with are a forecast, and the point is moved by what it lacks.
//!
//! Weight acts through the whole step on what flies, and at its beginning on what something holds: that goes by `h v⁺`. So does what a
//! spring pulls: with `x⁺ = x + ½ h (v + v⁺)` it would gain a share `½ (ω h)²` of its energy in every step.

use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::row::Row;
use crate::step::constraint::blows::{self, Blow};
use crate::step::constraint::space::ContactSpace;
use glamx::DVec3;

/// What holds a body in the step.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Held {
    /// Nothing is near.
    Not,
    /// Something is as near as the parabola is from where velocities lead, or a joint holds it, or a spring.
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

/// An impulse, or a part of it, with where it acts.
#[derive(Clone, Copy, Debug)]
pub struct Stroke {
    /// On the first body, world axes [N s].
    pub impulse: DVec3,
    /// The point of the world [m].
    pub point: DVec3,
    /// How far the centres of both have come then [m]; zero for what does not fly freely.
    pub leads: [DVec3; 2],
}

impl Stroke {
    /// One that acts where the step begins.
    pub fn at_once(impulse: DVec3, point: DVec3) -> Self {
        Self { impulse, point, leads: [DVec3::ZERO; 2] }
    }
}

/// What late impulses do to a body.
#[derive(Clone, Debug, Default)]
pub struct Struck {
    /// The velocity that blows have given [m/s].
    gained: DVec3,
    /// The way that it lacks, because they do not act from the beginning on [m].
    way: DVec3,
    /// The turn that it lacks [rad].
    turn: DVec3,
    /// The velocity when the step begins, after what acts at once [m/s].
    start: DVec3,
    /// What weight gives in the step, if it acts through the whole of it [m/s].
    pub fall: DVec3,
    /// Times of the impulses and the velocities that they give [s, m/s].
    changes: Vec<(f64, DVec3)>,
    /// Impulses times when blows act, and impulses [N s², N s].
    late: f64,
    impulse: f64,
}

impl Struck {
    fn add(&mut self, (velocity, spin): (DVec3, DVec3), delay: f64) {
        self.way -= velocity * delay;
        self.turn -= spin * delay;
        self.changes.push((delay, velocity));
    }

    /// When the blows act, on average [s].
    fn mean(&self) -> f64 {
        if self.impulse > 0.0 { self.late / self.impulse } else { 0.0 }
    }

    /// How far it has come at a time of a step of size `h` [m].
    fn lead(&self, t: f64, h: f64) -> DVec3 {
        let flown = self.start * t + self.fall * (0.5 * t * t / h);
        self.changes.iter().fold(flown, |s, (at, v)| s + *v * (t - at).max(0.0))
    }

    /// How far it is from where it began, on average over a step of size `h` [m]: where a force that acts all the time does.
    pub fn mean_lead(&self, h: f64) -> DVec3 {
        let flown = self.start * (0.5 * h) + self.fall * (h / 6.0);
        self.changes.iter().fold(flown, |s, (at, v)| s + *v * (0.5 * (h - at) * (h - at) / h))
    }
}

/// When everything acts in a step; by default at once.
#[derive(Default)]
pub struct Timing {
    h: f64,
    /// How far each carrier lies behind where mean velocities lead, if it moves by `h v⁺` [m].
    pub lags: Vec<DVec3>,
    /// What holds each carrier.
    held: Vec<Held>,
    /// What blows do to those that they strike; empty where nothing bounces.
    struck: Vec<Option<Struck>>,
    /// When contacts that rest, in their order, answer the blows on their bodies [s], if there are any.
    answers: Vec<Option<f64>>,
}

impl Timing {
    /// That of a step of size `h` that is solved; `before` has the velocities before it.
    pub fn new(space: &ContactSpace, before: &Carriers, h: f64) -> Self {
        let lag = |(old, new): (&Carrier, &Carrier)| (old.velocity - new.velocity) * (0.5 * h);
        let lags: Vec<DVec3> = before.iter().zip(space.carriers.iter()).map(lag).collect();
        let held = held(space, &lags, h);
        let (mut struck, answers) = struck(space);
        for (c, s) in struck.iter_mut().enumerate().filter_map(|(c, s)| s.as_mut().map(|s| (c, s))) {
            let end = space.carriers[c].velocity;
            if held[c] == Held::Not {
                s.fall = end - before[c].velocity - s.gained;
            }
            s.start = end - s.fall - s.changes.iter().fold(DVec3::ZERO, |sum, (_, v)| sum + *v);
        }
        Self { h, lags, held, struck, answers }
    }

    /// What blows do to a carrier, if they strike it.
    pub fn struck(&self, c: usize) -> Option<&Struck> {
        self.struck.get(c).and_then(Option::as_ref)
    }

    /// How far a carrier strays; none if something is near, or no push can move it.
    pub fn stray(&self, c: usize, before: &Carriers) -> Option<Stray> {
        let lag = self.lags[c];
        let (shift, turn) = match (self.struck(c), self.held[c]) {
            _ if !before[c].is_movable() => return None,
            (None, Held::Not) => (lag, DVec3::ZERO),
            (None, Held::Near) => return None,
            (None, Held::Pushed) => (DVec3::ZERO, DVec3::ZERO),
            (Some(s), Held::Not) => (lag + s.gained * (0.5 * self.h) + s.way, s.turn),
            (Some(s), _) => (s.way, s.turn),
        };
        Some(Stray { shift, turn })
    }

    /// True if all impulses act where the step begins.
    pub fn is_at_once(space: &ContactSpace) -> bool {
        space.blows.is_empty() && space.borne.is_empty()
    }

    /// Where and when the impulse of a contact acts: what it bore before acts from the beginning on, the rest when blows do.
    pub fn strokes(&self, space: &ContactSpace, k: u32) -> [Stroke; 2] {
        let (row, point) = (&space.rows[k as usize], space.point(&space.found[k as usize]));
        let p = row.world_impulse();
        let at_once = |impulse: DVec3| Stroke::at_once(impulse, point);
        if let Some(blow) = blows::of(&space.blows, k).filter(|b| b.delay() > 0.0) {
            return [self.late(row, at_once(p), blow.leads, blow.delay()), at_once(DVec3::ZERO)];
        }
        let rests = space.borne.binary_search_by_key(&k, |b| b.0).ok();
        match rests.and_then(|n| Some((space.borne[n].1, *self.answers.get(n)?.as_ref()?))) {
            Some((bears, delay)) => [at_once(bears), self.late(row, at_once(p - bears), [DVec3::ZERO; 2], delay)],
            None => [at_once(p), at_once(DVec3::ZERO)],
        }
    }

    /// A stroke that acts later, and has been solved with the leads of a `forecast`: arms change as little as they can.
    fn late(&self, row: &Row, stroke: Stroke, forecast: [DVec3; 2], delay: f64) -> Stroke {
        let lead = |c: u32| self.struck(c as usize).map(|s| s.lead(delay, self.h));
        let leads = [lead(row.a), lead(row.b)];
        let lacks = leads.iter().zip(forecast).filter_map(|(lead, f)| lead.map(|lead| lead - f));
        let (sum, count) = lacks.fold((DVec3::ZERO, 0.0), |(sum, n), lack| (sum + lack, n + 1.0));
        let point = stroke.point + sum / f64::max(count, 1.0);
        Stroke { point, leads: leads.map(Option::unwrap_or_default), ..stroke }
    }
}

/// The bodies that blows have struck within the step. What rests on them bears more or less in answer, and at the same time,
/// which is told of each contact that rests.
fn struck(space: &ContactSpace) -> (Vec<Option<Struck>>, Vec<Option<f64>>) {
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
    let answers: Vec<_> = space.borne.iter().map(|&(k, _)| answer(space, &struck, &space.rows[k as usize])).collect();
    for (&(k, bears), delay) in space.borne.iter().zip(&answers) {
        let row = &space.rows[k as usize];
        for (c, change) in changes(space, row, row.world_impulse() - bears).filter(|_| delay.is_some()) {
            struck[c as usize].get_or_insert_default().add(change, delay.unwrap_or(0.0));
        }
    }
    (struck, answers)
}

/// When a contact that rests answers the blows on its bodies [s], if there are any. Elements answer at once.
fn answer(space: &ContactSpace, struck: &[Option<Struck>], row: &Row) -> Option<f64> {
    let mean = |c: u32| struck.get(c as usize).and_then(Option::as_ref).map(Struck::mean);
    let rigid = space.is_rigid(row.a) && space.is_rigid(row.b);
    [mean(row.a), mean(row.b)].into_iter().flatten().reduce(f64::max).filter(|t| rigid && *t > 0.0)
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
        let gap_at_end = || h * (row.bias + row.normal.dot(row.world_velocity(&space.carriers)));
        let by = match row.impulse == DVec3::ZERO {
            true if gap_at_end() > lags[row.a as usize].length() + lags[row.b as usize].length() => Held::Not,
            true => Held::Near,
            false => Held::Pushed,
        };
        for k in [row.a, row.b] {
            hold(k, by);
            space.carriers.members(k).iter().for_each(|m| hold(m.carrier, by));
        }
    }
    space.joints.pairs().for_each(|(a, b)| [a, b].into_iter().for_each(|k| hold(k, Held::Near)));
    space.sprung.iter().for_each(|&k| hold(k, Held::Near));
    held
}
