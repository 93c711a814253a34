//! Links under tension swing fast: how long a step may be for them.
//!
//! A rigid body that joints pull at with forces `f_j` at arms `r_j` has the stiffness `K = Σ |f_j| (|r_j|² 1 − r_j r_jᵀ)/|r_j|`
//! against turning out of their line. The links of a taut chain turn by turns to either side, their centres at rest, with
//! `ω² = K_i/I_i`: `12 T/(m l)` for rods of mass `m` and length `l` under the tension `T`. Impulses act along the joints of the
//! beginning of a step, which is stable for `ω h < 2`: a chain of light links would otherwise fly apart.

use crate::model::joint::Side;
use crate::model::{Model, State};
use glamx::DVec3;

/// `ω h` at most, half of what is stable [rad].
const LARGEST_PHASE: f64 = 1.0;
/// Steps that are cut into more parts than this are left at that: a thread under a weight hangs, or has no chance.
const MOST_PARTS: f64 = 32.0;

/// The longest step for bodies that hang on joints [s], no shorter than a part of the `wanted` one.
pub fn longest_step(model: &Model, state: &State, wanted: f64) -> f64 {
    if model.joints.is_empty() {
        return wanted;
    }
    let mut stiffness = vec![DVec3::ZERO; state.aggregates.len()];
    for (joint, memory) in model.joints.iter().zip(&state.joints).filter(|j| !j.1.broken) {
        let force = memory.force.length() / joint.pairs.len().max(1) as f64;
        joint.pairs.iter().flatten().for_each(|side| add(side, force, state, &mut stiffness));
    }
    let fastest = |(k, a): (&DVec3, &crate::model::Aggregate)| (*k / a.inertia).max_element();
    let squared = stiffness.iter().zip(&state.aggregates).map(fastest).filter(|w| w.is_finite()).fold(0.0, f64::max);
    wanted.min((LARGEST_PHASE / squared.sqrt()).max(wanted / MOST_PARTS))
}

/// What a side of a joint that bears a force [N] adds to the stiffness of its body about its principal axes [N m].
fn add(side: &Side, force: f64, state: &State, stiffness: &mut [DVec3]) {
    let owner = side.element.filter(|_| side.rigid).map(|e| state.owner[e as usize] as usize);
    let Some(k) = owner.and_then(|owner| stiffness.get_mut(owner)) else { return };
    let arm = side.at.length();
    if arm > 0.0 {
        *k += (DVec3::splat(arm * arm) - side.at * side.at) * (force / arm);
    }
}
