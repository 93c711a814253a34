//! Bodies of taut joints turn as was solved for, and what they have as a whole is what they were given.
//!
//! Their light moments of inertia are small against what was added for the tension: made of the sum of all moments, spins would
//! be made of its rounding. Made of the solved spins, the angular momentum of a group is what it was given only as far as the
//! rounds have converged. The sum of what was given is exact, because both sides of a joint feel it at one place. So the
//! small difference `D` goes to the group as a rigid rotation about its centre, `δω = Θ⁻¹ D`, which opens no joint, or to the world
//! that holds it, whose moment it is.

use crate::contact::constraint::carriers::Carriers;
use crate::model::State;
use crate::model::mapping::carry_velocities;
use crate::step::constraint::space::ContactSpace;
use crate::step::constraint::whole::turn_as_one;
use crate::step::flow::Flow;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Turns stiff bodies, once all impulses have reached them.
pub fn turn(state: &mut State, w: &Workspace, space: &ContactSpace, before: &Carriers, flow: &mut Flow) {
    let held = held(space);
    for group in space.joints.taut.groups() {
        let mut missing = DVec3::ZERO;
        for body in group {
            let k = body.carrier as usize;
            let (a, solved) = (&mut state.aggregates[k], &space.carriers[k]);
            let weight = body.moment_of_weight(solved, &before[k]);
            let given = a.angular_momentum + weight;
            a.angular_momentum = a.world_inertia() * solved.spin;
            missing += given - a.angular_momentum;
            flow.angular_impulse += weight;
        }
        if group.iter().any(|body| held[body.carrier as usize]) {
            flow.angular_impulse -= missing;
        } else {
            turn_as_one(&mut state.aggregates, group.iter().map(|body| body.carrier as usize), missing);
        }
        for k in group.iter().map(|body| body.carrier as usize) {
            carry_velocities(&state.aggregates[k], &w.ports[k], &mut state.velocity);
        }
    }
}

/// Which carriers are joined to something that does not move by itself, or lean on it.
fn held(space: &ContactSpace) -> Vec<bool> {
    let mut held = vec![false; space.carriers.len()];
    let leaning = space.rows.iter().filter(|row| row.impulse != DVec3::ZERO).map(|row| (row.a, row.b));
    for (a, b) in space.joints.pairs().chain(leaning) {
        let fixed = [a, b].iter().any(|&c| !space.carriers[c as usize].is_movable());
        held[a as usize] |= fixed;
        held[b as usize] |= fixed;
    }
    held
}
