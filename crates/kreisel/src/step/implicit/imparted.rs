//! What contacts and joints of the law `constraint` impart to groups, both sides at one point.
//!
//! In the equation of a step every slot receives its impulse where it is when the step begins: `x⁺ × m v⁺ − x × m v = x × m Δv`
//! for `x⁺ = x + h v⁺`. A rigid body alone is turned by `(x − C) × p` and needs no more. In a soft one forces pass the impulse on
//! where everything is at the end, so that it is turned by `(x + h v − C⁺) × p`, `v` the velocity of the place: about `C` that is a
//! point `x + h (v − V)`. Where two groups see different points the lighter one is right, or nearly, by the share of the other's
//! mass: an impulse that bears a body of a million times its mass would turn it by what `h v` of arm make of that.

use crate::model::State;
use crate::step::constraint::{Meetings, Owner, Tie};
use crate::step::implicit::impulses::Impulses;
use crate::step::implicit::newton::Task;
use crate::step::implicit::repair::masses_and_velocities;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Adds the impulses of `ties` in a solved step, whose pose the state has.
pub fn impart(
    task: &Task,
    (state, w): (&State, &Workspace),
    meetings: &Meetings,
    ties: impl Iterator<Item = Tie>,
    to: &mut Impulses,
) {
    let (carriers, groups) = (meetings.carriers(state), masses_and_velocities(task, state, w));
    let group = |carrier: u32| match meetings.owner(state, carrier)? {
        Owner::Element(e) => Some(task.groups.of[e] as usize),
        Owner::Body(a) => Some(task.groups.of_body(state, a)),
    };
    for tie in ties {
        let (impulse, couple) = meetings.wrench(tie);
        let (point, velocities) = meetings.place(state, tie, &carriers);
        let sides = meetings.ends(tie).map(group);
        let ([Some(a), Some(b)], h) = (sides, task.scheme.h) else {
            for (k, sign) in [(0, 1.0), (1, -1.0)] {
                let Some(group) = sides[k].map(|g| &mut to.world[g]) else { continue };
                group.add_at(point + velocities[k] * task.scheme.h, impulse * sign);
                group.angular += couple * sign;
            }
            continue;
        };
        let drift = shared(groups[a], groups[b], velocities) * h;
        for (group, sign) in [(a, 1.0), (b, -1.0)] {
            to.pairs[group].add_at(point + drift, impulse * sign);
            to.pairs[group].angular += couple * sign;
        }
    }
}

/// How a place drifts from two groups of given masses and velocities, as the lighter one sees it [m/s].
fn shared((m, v): (f64, DVec3), (other, w): (f64, DVec3), [of_first, of_second]: [DVec3; 2]) -> DVec3 {
    let share = if m.is_infinite() { 0.0 } else { 1.0 / (1.0 + m / other) };
    (of_first - v) * share + (of_second - w) * (1.0 - share)
}
