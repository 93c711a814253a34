//! Contacts that begin within a step: found in time, to be met there ([`super::meet`]).

use crate::model::{Model, State};
use crate::readout::momentum;
use crate::step::constraint::joints::stops;
use crate::step::constraint::second_order::{Trial, smooth};
use crate::step::constraint::space::Found;
use crate::step::constraint::{detect, overlap, rest, sleep};
use crate::step::flow::Flow;
use crate::step::report::{StepError, StepReport};
use crate::step::workspace::Workspace;

/// Numbers of two colliders and of their features.
pub type Key = (u32, u32, u64);

/// Gaps below this share of the size of the bodies are closed [1].
pub const CLOSED: f64 = 1e-7;
/// A landing is found to this share of the size [1].
const FOUND: f64 = 1e-10;
/// Contacts that may close within this share of the time that is searched are looked at, however narrow the search has become [1].
const LEAST: f64 = 1e-3;
/// Trials of a search at most.
const TRIALS: u32 = 60;
/// Moments that are nearer to each other than this share of the time that is searched are one [1].
const MOMENT: f64 = 1e-13;
/// From so many landings of a contact in a step on, its blows are plastic: the rest of its bouncing is over within the step.
const MOST_LANDINGS: u32 = 12;
/// From so many landings of all contacts on, all are.
const MOST_OF_ALL: u32 = 2000;

/// How often contacts have landed in a step.
#[derive(Default)]
pub struct Landings {
    /// True if somebody has been struck since this was last set to false: not so where all that closes is rounding.
    pub felt: bool,
    all: u32,
    /// Of each contact, ascending.
    each: Vec<(Key, u32)>,
}

impl Landings {
    /// One more landing of a contact; true if there have been too many for it to bounce.
    pub fn add(&mut self, key: Key) -> bool {
        self.all += 1;
        let place = self.each.binary_search_by_key(&key, |each| each.0).unwrap_or_else(|place| {
            self.each.insert(place, (key, 0));
            place
        });
        self.each[place].1 += 1;
        self.each[place].1 > MOST_LANDINGS || self.all > MOST_OF_ALL
    }
}

/// The key of a contact.
pub fn key(f: &Found) -> Key {
    (f.first, f.second, f.touch.feature)
}

/// The length that gaps are compared with [m].
pub fn size(model: &Model) -> f64 {
    let radii = model.colliders.iter().map(|c| model.elements.radius[c.element as usize]);
    radii.fold(f64::INFINITY, f64::min).min(1.0)
}

/// Contacts that are closed at the state, and stops unless they are being left: those may be struck again within the step.
///
/// Bodies that are deep in each other, as they may be at the start, are moved apart first, by position only: no step brings
/// them there, and the rows of its end, which hold from both sides, contradict each other in such a place.
pub fn closed(model: &Model, state: &mut State, w: &mut Workspace, flow: &mut Flow) -> Vec<Key> {
    let mut all = gaps(model, state, w, model.frame);
    let mut space = std::mem::take(&mut w.contact_space);
    let deep = space.found.iter().any(|f| overlap::is_serious(&space, f));
    if deep {
        overlap::separate(model, state, w, &mut space, flow);
    }
    w.contact_space = space;
    if deep {
        all = gaps(model, state, w, model.frame);
    }
    let leaving = stops::leaving(model, state, rest::slow(model, model.frame));
    let is_closed = |g: &(Key, f64)| g.1 <= CLOSED * size(model) && !leaving.contains(&g.0);
    all.into_iter().filter(is_closed).map(|g| g.0).collect()
}

/// True if a contact is closed when a step of size `h` begins and goes on closing, though it did not press before: it lands at
/// this very moment. Rows on the average would turn it round, and the end of the step stop it: whatever its coefficient
/// of restitution, nothing would come back.
pub fn begins(model: &Model, state: &State, w: &Workspace, closed: &[Key], h: f64) -> bool {
    let space = &w.contact_space;
    let pressed = |key: Key| {
        let known = &state.shape_contacts;
        let place = known.binary_search_by_key(&key, |c| (c.first, c.second, c.feature));
        place.is_ok_and(|k| known[k].presses())
    };
    let closes = |f: &Found| space.opening(f) < -rest::slow(model, h);
    let lands = |f: &Found| closed.contains(&key(f)) && closes(f) && !pressed(key(f));
    space.found.iter().any(lands) || stops::begins(model, state, closed, rest::slow(model, h))
}

/// All contacts in reach and all stops that are awaited, and their gaps [m; of hinges rad].
fn gaps(model: &Model, state: &State, w: &mut Workspace, h: f64) -> Vec<(Key, f64)> {
    let mut space = std::mem::take(&mut w.contact_space);
    detect::detect(model, state, w, &mut space, h);
    sleep::leave_out(&mut space);
    let stops = stops::awaited(model, state).map(|(k, stop, ahead)| (stops::key(k, stop), ahead.gap));
    let all = space.found.iter().map(|f| (key(f), f.touch.gap)).chain(stops).collect();
    w.contact_space = space;
    all
}

/// Energy of motion and position [J].
pub fn energy(model: &Model, state: &State) -> f64 {
    let height = state.aggregates.iter().map(|a| -a.mass * model.gravity.dot(a.position)).sum::<f64>();
    momentum::kinetic_energy(model, state) + height
}

/// A step of size `h`, or up to the first contact that begins in it; true in the latter case.
pub fn until_landing(
    model: &Model,
    start: &State,
    w: &mut Workspace,
    h: f64,
    closed: &[Key],
    flow: Flow,
    report: &mut StepReport,
) -> Result<(Trial, bool), StepError> {
    let whole = smooth(model, start, w, h, closed, flow, report)?;
    let mut depth = deepest(model, &whole.state, w, closed, 0.0);
    let tolerance = FOUND * size(model);
    if depth >= -tolerance {
        return Ok((whole, false));
    }
    // Where nothing open is in reach, the gap is infinite, and would tell no share of the step.
    let bounded = |gap: f64| gap.min(h * 1e3).max(tolerance);
    let (mut low, mut high, mut low_gap) = (0.0, h, bounded(deepest(model, start, w, closed, h)));
    let mut best = whole;
    for _ in 0..TRIALS {
        let share = (low_gap / (low_gap - depth)).clamp(0.05, 0.95);
        let middle = low + share * (high - low);
        let trial = smooth(model, start, w, middle, closed, flow, report)?;
        let gap = deepest(model, &trial.state, w, closed, (high - low).max(LEAST * h));
        if gap < -tolerance {
            (high, depth) = (middle, gap);
            best = trial;
            if high - low <= MOMENT * h {
                break;
            }
        } else {
            (low, low_gap) = (middle, bounded(gap));
            if gap <= tolerance || high - low <= MOMENT * h {
                return Ok((trial, true));
            }
        }
    }
    Ok((best, true))
}

/// A step of size `h` that looks for no landing. One that is left out is told as not solved.
pub fn at_any_depth(
    model: &Model,
    start: &State,
    w: &mut Workspace,
    h: f64,
    closed: &[Key],
    flow: Flow,
    report: &mut StepReport,
) -> Result<Trial, StepError> {
    let whole = smooth(model, start, w, h, closed, flow, report)?;
    let left_out = deepest(model, &whole.state, w, closed, 0.0) < -CLOSED * size(model);
    report.unconverged_contacts += u64::from(left_out);
    Ok(whole)
}

/// The smallest gap of contacts that are not closed and may close within the time `soon` [m]. Who is in another is found at any time; but
/// gaps of lone elements are those of the place to which their motion leads ([`super::ahead`]), and go by one time.
fn deepest(model: &Model, state: &State, w: &mut Workspace, closed: &[Key], soon: f64) -> f64 {
    let soon = if w.contact_space.balls.is_empty() { soon } else { model.frame };
    let open = gaps(model, state, w, soon).into_iter().filter(|g| !closed.contains(&g.0));
    open.map(|g| g.1).fold(f64::INFINITY, f64::min)
}
