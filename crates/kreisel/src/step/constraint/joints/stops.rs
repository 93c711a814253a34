//! Stops that bounce, in steps that look for the moment when they are struck; in extrapolated steps, all stops: a step in which one is
//! struck is no smooth phase, and what is extrapolated of a whole one and two half ones flies back.
//!
//! There an open stop does nothing: whoever overruns it has struck it within the step, which ends at that moment, as it does where
//! shapes come together ([`landing`](crate::step::constraint::landing)). The blow then asks for `u⁺ ≥ −e u⁻`, joints and contacts
//! holding what they hold. A stop that is closed is one of the step's own rows.

use crate::model::setup::Integrator;
use crate::model::{Joint, JointState, Model, State};
use crate::step::constraint::calm::sleeps;
use crate::step::constraint::landing::Key;

/// Which stops of a joint do something, the lower one first.
pub type Closed = [bool; 2];

/// The lower and the upper stop.
pub const BOTH: [usize; 2] = [0, 1];

/// How far a coordinate is from a stop, and how fast it comes nearer [m, m/s or rad, rad/s].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ahead {
    /// What is open; infinite without a stop.
    pub gap: f64,
    /// The speed towards it.
    pub towards: f64,
}

impl Ahead {
    /// That of one of the stops of a joint.
    pub fn new(joint: &Joint, memory: &JointState, stop: usize) -> Self {
        let (low, high) = joint.limits;
        match stop {
            0 => Self { gap: memory.coordinate - low, towards: -memory.speed },
            _ => Self { gap: high - memory.coordinate, towards: memory.speed },
        }
    }

    /// Both, `unit` metres being one unit of the coordinate [m, m/s].
    pub fn times(&self, unit: f64) -> (f64, f64) {
        (self.gap * unit, self.towards * unit)
    }
}

/// True if a joint can strike its stops.
fn strikes(joint: &Joint, memory: &JointState, state: &State) -> bool {
    joint.is_driven() && !memory.broken && !sleeps((joint, memory), state)
}

/// All stops: the numbers of joint and stop, and how far and how fast each is.
pub fn all<'a>(model: &'a Model, state: &'a State) -> impl Iterator<Item = (u32, usize, Ahead)> + 'a {
    let joints = (0..).zip(model.joints.iter().zip(&state.joints));
    let some = joints.filter(|(_, (joint, memory))| strikes(joint, memory, state));
    some.flat_map(|(k, (joint, memory))| BOTH.map(|stop| (k, stop, Ahead::new(joint, memory, stop))))
}

/// Those of them that bounce.
pub fn elastic<'a>(model: &'a Model, state: &'a State) -> impl Iterator<Item = (u32, usize, Ahead)> + 'a {
    all(model, state).filter(|(k, ..)| model.joints[*k as usize].restitution > 0.0)
}

/// True if steps end at the moment when the stops of a joint are struck.
fn is_awaited(model: &Model, joint: u32) -> bool {
    model.integrator == Integrator::Extrapolated || model.joints[joint as usize].restitution > 0.0
}

/// Stops for which that is so.
pub fn awaited<'a>(model: &'a Model, state: &'a State) -> impl Iterator<Item = (u32, usize, Ahead)> + 'a {
    all(model, state).filter(|(k, ..)| is_awaited(model, *k))
}

/// The key of a stop among those of contacts, of which none has this number.
pub fn key(joint: u32, stop: usize) -> Key {
    (u32::MAX, joint, stop as u64)
}

/// Which stops of each joint do something, if those that are awaited do so only where they are among the `closed`.
pub fn closed(model: &Model, closed: &[Key]) -> Vec<Closed> {
    let acts = |k: u32, stop| !is_awaited(model, k) || closed.contains(&key(k, stop));
    (0..model.joints.len() as u32).map(|k| BOTH.map(|stop| acts(k, stop))).collect()
}

/// Stops that are left faster than `slow` [m/s or rad/s].
pub fn leaving(model: &Model, state: &State, slow: f64) -> Vec<Key> {
    awaited(model, state).filter(|(.., ahead)| ahead.towards < -slow).map(|(k, stop, _)| key(k, stop)).collect()
}

/// True if a stop is closed and goes on closing faster than `slow` [m/s or rad/s], though it did not press before.
pub fn begins(model: &Model, state: &State, closed: &[Key], slow: f64) -> bool {
    let presses = |k: u32, stop: usize| state.joints[k as usize].drive[2 + stop] != 0.0;
    awaited(model, state)
        .any(|(k, stop, ahead)| ahead.towards > slow && closed.contains(&key(k, stop)) && !presses(k, stop))
}
