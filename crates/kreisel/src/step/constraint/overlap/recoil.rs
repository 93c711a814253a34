//! Angular momentum that a shift takes from bodies that touch nobody else is given back.
//!
//! Bodies that are moved apart by `δ` while they move with `v` change the angular momentum of their group by `Σ m δ × v`, though nobody
//! outside has turned them. The group gets the spin `dω` about its centre of mass that makes up for it, `I dω = −Σ m δ × v` with the
//! inertia `I` of the whole: of all changes of velocity that do, the smallest in the mass metric, and one that moves no contact of the
//! group. The world takes what it does to groups that lean on it; joints and supports give back for themselves.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::groups::{Group, groups};
use crate::model::{Aggregate, FREE, Model, State};
use crate::step::constraint::space::ContactSpace;
use crate::step::constraint::whole::turn_as_one;
use glamx::DVec3;

/// A centre of mass that moves by no more than this share of the ways of its bodies stays where it is, but for rounding [1].
const ROUNDING: f64 = 1e-9;

/// Gives back what was `turned` by shifts, body by body [kg m²/s], and takes it off that list.
pub fn give_back(model: &Model, state: &mut State, space: &mut ContactSpace, moved: &Carriers, turned: &mut [DVec3]) {
    if turned.iter().all(|change| *change == DVec3::ZERO) {
        return;
    }
    let is_shifted = |c: u32| !moved[c as usize].is_still();
    let pairs = space.found.iter().map(|f| space.sides(f));
    let shifted: Vec<(u32, u32)> = pairs.filter(|&[a, b]| is_shifted(a) && is_shifted(b)).map(Into::into).collect();
    let held = held(model, state, space);
    for group in groups(&shifted, &space.carriers) {
        let is_free = |&c: &u32| held.get(c as usize) == Some(&false);
        if group.carriers.iter().all(is_free) && stays(&group, &state.aggregates, moved) {
            let missing = group.carriers.iter().map(|&c| std::mem::take(&mut turned[c as usize])).sum();
            turn_back(&group, missing, state, space);
        }
    }
}

/// Which rigid bodies lean on the world, or are held by supports or joints.
fn held(model: &Model, state: &State, space: &ContactSpace) -> Vec<bool> {
    let mut held = vec![false; state.aggregates.len()];
    let joints = model.joints.iter().zip(&state.joints).filter(|(_, known)| !known.broken);
    let seats = joints.flat_map(|(joint, known)| joint.seats(known));
    let joined = seats.flat_map(|seat| seat.sides).filter_map(|side| side.element);
    for e in model.holds.iter().map(|h| h.element).chain(joined) {
        let owner = state.owner[e as usize];
        if owner != FREE {
            held[owner as usize] = true;
        }
    }
    for f in space.found.iter().filter(|f| f.touch.gap <= 0.0) {
        let [a, b] = space.sides(f);
        for (c, other) in [(a, b), (b, a)] {
            if let Some(held) = held.get_mut(c as usize) {
                *held |= !space.carriers[other as usize].is_movable();
            }
        }
    }
    held
}

/// True if nobody else has pushed: the centre of mass of the group is where it was.
fn stays(group: &Group, bodies: &[Aggregate], moved: &Carriers) -> bool {
    let ways = group.carriers.iter().map(|&c| moved[c as usize].velocity * bodies[c as usize].mass);
    let (sum, length) = ways.fold((DVec3::ZERO, 0.0), |(sum, length), way| (sum + way, length + way.length()));
    sum.length() <= ROUNDING * length
}

/// Takes from a group what it has too much [kg m²/s].
fn turn_back(group: &Group, excess: DVec3, state: &mut State, space: &mut ContactSpace) {
    turn_as_one(&mut state.aggregates, group.carriers.iter().map(|&c| c as usize), -excess);
    for &c in &group.carriers {
        let (a, carrier) = (&state.aggregates[c as usize], &mut space.carriers[c as usize]);
        (carrier.velocity, carrier.spin) = (a.velocity, a.spin());
    }
}
