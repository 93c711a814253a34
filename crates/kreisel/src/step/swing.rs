//! Links under tension swing fast: how long a step may be for them.
//!
//! Joints of rigid bodies act at averages over a step, and are stable at any tension (`step/constraint/joints/taut.rs`): steps
//! have to resolve only how far their links do turn.
//! Distances, joints of free elements with all that hangs together with them, second-order steps and implicit ones are not:
//! impulses act along the joints of one pose, which is stable for `ω h < 2`.
//! A rigid body that joints pull at with forces `f_j` at arms `r_j` has the stiffness `K = Σ |f_j| (|r_j|² 1 − r_j r_jᵀ)/|r_j|`
//! against turning out of their line, `ω² = K_i/I_i`: `12 T/(m l)` for rods of mass `m` and length `l` under the tension `T`.
//! Distances `l_j` keep what they hold in their line with `f_j/l_j`; neighbours that swing by turns feel it twice,
//! `ω² = 2 Σ f_j/(m l_j)`.

use crate::model::joint::Side;
use crate::model::seat::Seat;
use crate::model::{Aggregate, Joint, JointKind, JointState, Model, State};
use glamx::DVec3;

/// `ω h` at most, half of what is stable [rad].
const LARGEST_PHASE: f64 = 1.0;
/// Arms of joints under tension turn by no more than this in a step [rad].
const LARGEST_TURN: f64 = 0.05;
/// Steps that are cut into more parts than this are left at that: a thread under a weight hangs, or has no chance.
const MOST_PARTS: f64 = 32.0;
/// The same for joints that are stable only where their swinging is resolved. Balls that bear ten thousand times their mass on
/// distances of 0.1 m, and swing from the level, need 57 parts of a sixtieth of a second, `ω² = 4 · 3 m g/(10⁻⁴ m · 0.1 m)`,
/// and took 94 at most. With 32 they are at `ω h = 1.8`, close to the border, and flew apart.
const MOST_EXPLICIT_PARTS: f64 = 128.0;

/// The longest step for bodies that hang on joints [s], no shorter than a part of the `wanted` one.
pub fn longest_step(model: &Model, state: &State, wanted: f64) -> f64 {
    if model.joints.is_empty() {
        return wanted;
    }
    let explicit = explicit(model, state);
    let whole = |own: bool| {
        let all = model.joints.iter().zip(&state.joints).zip(&explicit);
        all.filter(move |((_, memory), explicit)| **explicit == own && !memory.broken).map(|(joint, _)| joint)
    };
    let by_turns = LARGEST_PHASE / swinging(whole(true), state);
    // What swings faster than it turns need not be followed.
    let stiffened = (LARGEST_PHASE / swinging(whole(false), state)).max(LARGEST_TURN / turning(whole(false), state));
    by_turns.max(wanted / MOST_EXPLICIT_PARTS).min(stiffened.max(wanted / MOST_PARTS)).min(wanted)
}

/// How fast the bodies of some joints swing at most [rad/s].
fn swinging<'a>(joints: impl Iterator<Item = (&'a Joint, &'a JointState)>, state: &State) -> f64 {
    let mut pulls = vec![Pull::default(); state.aggregates.len()];
    for (joint, memory) in joints {
        let force = memory.force.length() / joint.seats(memory).count().max(1) as f64;
        for seat in joint.seats(memory) {
            seat.sides.iter().for_each(|side| add(&seat, side, force, state, &mut pulls));
        }
    }
    let fastest = |(pull, a): (&Pull, &Aggregate)| (pull.turning / a.inertia).max_element().max(pull.line / a.mass);
    pulls.iter().zip(&state.aggregates).map(fastest).filter(|w| w.is_finite()).fold(0.0, f64::max).sqrt()
}

/// How fast the arms of some joints turn at most [rad/s].
fn turning<'a>(joints: impl Iterator<Item = (&'a Joint, &'a JointState)>, state: &State) -> f64 {
    let of = |side: Side| {
        let a = owner(&side, state).map(|k| &state.aggregates[k])?;
        let arm = (a.orientation * side.at).try_normalize()?;
        Some(a.spin().cross(arm).length())
    };
    joints
        .flat_map(|(joint, memory)| joint.seats(memory))
        .flat_map(|seat| seat.sides)
        .filter_map(of)
        .fold(0.0, f64::max)
}

/// What keeps a body in its place.
#[derive(Clone, Copy, Debug, Default)]
struct Pull {
    /// Stiffness against turning about its principal axes [N m].
    turning: DVec3,
    /// Stiffness of distances against leaving their line, felt twice [N/m].
    line: f64,
}

/// What a side of a seat that bears a force [N] adds to the stiffness of its body.
fn add(seat: &Seat, side: &Side, force: f64, state: &State, pulls: &mut [Pull]) {
    let Some(pull) = owner(side, state).map(|owner| &mut pulls[owner]) else { return };
    let arm = side.at.length();
    if arm > 0.0 {
        pull.turning += (DVec3::splat(arm * arm) - side.at * side.at) * (force / arm);
    }
    if seat.kind == JointKind::Distance {
        pull.line += 2.0 * force / seat.length;
    }
}

/// The rigid body of a side.
fn owner(side: &Side, state: &State) -> Option<usize> {
    let owner = side.element.filter(|_| side.rigid).map(|e| state.owner[e as usize] as usize);
    owner.filter(|&k| k < state.aggregates.len())
}

/// Which joints act at one pose: those that hang together with a distance or a free element, and all in second-order and implicit
/// steps.
fn explicit(model: &Model, state: &State) -> Vec<bool> {
    let all_are = model.integrator.finds_landings() || model.integrator.is_implicit();
    let loose = |side: &Side| side.element.is_some() && !side.rigid;
    let own = |seat: Seat| all_are || seat.kind == JointKind::Distance || seat.sides.iter().any(loose);
    let all = model.joints.iter().zip(&state.joints);
    let mut explicit: Vec<bool> = all.map(|(joint, memory)| joint.seats(memory).any(own)).collect();
    let mut bodies = vec![false; state.aggregates.len()];
    // Passes there and back cross a chain, however it is numbered; a tangle takes a few more.
    while !all_are && explicit.contains(&true) {
        let found = explicit.iter().filter(|e| **e).count();
        for k in (0..explicit.len()).chain((0..explicit.len()).rev()) {
            let seats = || model.joints[k].seats(&state.joints[k]);
            let owners = || seats().flat_map(|seat| seat.sides).filter_map(|side| owner(&side, state));
            explicit[k] |= owners().any(|a| bodies[a]);
            if explicit[k] {
                owners().for_each(|a| bodies[a] = true);
            }
        }
        if explicit.iter().filter(|e| **e).count() == found {
            break;
        }
    }
    explicit
}
