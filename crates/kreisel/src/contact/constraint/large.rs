//! Sweeps over a large island, with the memory of conjugate gradients [SNE10].
//!
//! A sweep is a step down the energy of the island. Where its bodies press on each other in long chains, sweeps creep along
//! the same valleys: so the changes `r` of a sweep are taken as a gradient, and the impulses go on along
//! `d ← β d + r`, `β = |r|²/|r_before|²`, as in the method of conjugate gradients for functions that are not quadratic. Where
//! `β > 1` the valley has turned, and the memory is dropped.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::halves::{Bodies, Half, Noted, Tally, visit};
use crate::contact::constraint::row::Row;
use crate::contact::constraint::sweep::{Goal, Outcome, by_turns};
use glamx::DVec3;

/// What a contact remembers of earlier sweeps, in contact axes [N s].
#[derive(Clone, Copy, Debug, Default)]
struct Trail {
    /// Its change in the last sweep.
    step: DVec3,
    /// The direction in which it goes on.
    along: DVec3,
}

/// Sweeps between looks at what is left, at most.
const LOOK: u32 = 8;

/// Solves until the goal is reached, at most `most` sweeps, by turns forwards and backwards. The carriers' velocities are with
/// the rows' impulses at the start and at the end.
pub fn solve(rows: &mut [Row], carriers: &mut Carriers, half: &Half, goal: Goal, most: u32) -> Outcome {
    let mut outcome = Outcome::default();
    let mut trails = vec![Trail::default(); rows.len()];
    let mut before = 0.0;
    loop {
        let backwards = outcome.sweeps % 2 == 1;
        let change = visit(half, Noted { contacts: rows, notes: &mut trails }, carriers, backwards, &relax);
        outcome.sweeps += 1;
        let last = outcome.sweeps >= most;
        if change.largest <= 4.0 * goal.mean || outcome.sweeps.is_multiple_of(LOOK) || last {
            let left = visit(half, Noted { contacts: rows, notes: &mut trails }, carriers, false, &left);
            outcome.residual = left.largest;
            outcome.converged = is_good(left, rows.len(), goal);
            if outcome.converged || last {
                return outcome;
            }
        }
        let share = if change.squares < before { change.squares / before } else { 0.0 };
        before = change.squares;
        let go_on = |row: &mut Row, trail: &mut Trail, bodies: &mut Bodies| go_on(row, trail, bodies, share);
        visit(half, Noted { contacts: rows, notes: &mut trails }, carriers, false, &go_on);
    }
}

fn is_good(left: Tally, count: usize, goal: Goal) -> bool {
    left.largest <= goal.each && (left.squares / count.max(1) as f64).sqrt() <= goal.mean
}

/// One contact in its own block; the change of its velocity [m/s].
fn relax(row: &mut Row, trail: &mut Trail, bodies: &mut Bodies) -> f64 {
    let u = bodies.velocity(row);
    if row.stays_open(u) {
        trail.step = DVec3::ZERO;
        return 0.0;
    }
    row.weigh_between(bodies.get(row.a), bodies.get(row.b));
    let (next, change) = by_turns(row, row.in_contact(u));
    trail.step = change;
    if change == DVec3::ZERO {
        return 0.0;
    }
    bodies.push(row, change);
    row.impulse = next;
    (row.block() * change).abs().max_element()
}

/// What a contact leaves [m/s].
fn left(row: &mut Row, _: &mut Trail, bodies: &mut Bodies) -> f64 {
    let u = bodies.velocity(row);
    if row.stays_open(u) {
        return 0.0;
    }
    row.weigh_between(bodies.get(row.a), bodies.get(row.b));
    row.left_at(u)
}

/// Goes on along the direction of before; who has not pushed has none.
fn go_on(row: &mut Row, trail: &mut Trail, bodies: &mut Bodies, share: f64) -> f64 {
    let more = trail.along * share;
    trail.along = more + trail.step;
    if more != DVec3::ZERO {
        bodies.push(row, more);
        row.impulse += more;
    }
    0.0
}
