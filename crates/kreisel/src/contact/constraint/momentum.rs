//! Sweeps with momentum, for crowds of unlike masses [Nes83].
//!
//! Where heavy bodies press on light ones of the share `m/M` of their mass, a sweep takes about that share of what is left: each
//! contact gives way to the next, and the heavy one hardly notices. So the next sweep begins beyond where the last one came to,
//! `y = p + β (p − p_before)` with `β = (t − 1)/t'`, `t' = ½(1 + √(1 + 4t²))`: ways in one direction grow longer, and the number of
//! sweeps goes by the root of what it was. Where a sweep turns back from where momentum led, `(y − p)·(p − p_before) > 0`, or
//! has to change more than half as much again as the one before, momentum is lost and begins anew [OC15]. Every sweep ends within the contact law's
//! bounds, wherever it began.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::row::Row;
use crate::contact::constraint::sweep::{Goal, Outcome, by_turns, judge};
use glamx::DVec3;

/// Sweeps between looks at what is left.
const LOOK: u32 = 8;
/// A sweep that changes so many times as much as the one before has been led astray [1].
const ASTRAY: f64 = 1.5;
/// The largest share of a way to go on by [1]: friction follows the push, so that a sweep is no step down an energy, and momentum
/// without end would never settle.
const MOST: f64 = 0.9;

/// What a sweep has done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Swept {
    /// The largest change.
    pub largest: f64,
    /// Sum of `Δp · W_ii Δp`.
    pub change: f64,
    /// Sum of `(y − p)·(p − p_before)`.
    pub back: f64,
}

/// How long sweeps have gone in one direction.
#[derive(Clone, Copy, Debug)]
pub struct Momentum {
    /// `t`.
    age: f64,
    /// Change of the sweep before.
    before: f64,
}

impl Default for Momentum {
    /// None yet.
    fn default() -> Self {
        Self { age: 1.0, before: f64::INFINITY }
    }
}

impl Momentum {
    /// `β`, the share of the way of the last sweep to go on by.
    pub fn share(&mut self, swept: Swept) -> f64 {
        if swept.back > 0.0 || swept.change > ASTRAY * self.before {
            self.age = 1.0;
        }
        self.before = swept.change;
        let next = 0.5 * (1.0 + (1.0 + 4.0 * self.age * self.age).sqrt());
        let share = ((self.age - 1.0) / next).min(MOST);
        self.age = next;
        share
    }
}

/// Solves until the goal is reached, at most `most` sweeps. The carriers' velocities are with the rows' impulses at the start
/// and at the end.
pub fn solve(rows: &mut [Row], carriers: &mut Carriers, goal: Goal, most: u32) -> Outcome {
    let mut came: Vec<DVec3> = rows.iter().map(|row| row.impulse).collect();
    let mut momentum = Momentum::default();
    let mut outcome = Outcome::default();
    loop {
        let swept = sweep(rows, carriers, &came);
        outcome.sweeps += 1;
        let last = outcome.sweeps >= most;
        if outcome.sweeps.is_multiple_of(LOOK) || last {
            (outcome.residual, outcome.converged) = judge(rows, carriers, goal);
            if outcome.converged || last {
                return outcome;
            }
        }
        go_on(rows, carriers, &mut came, momentum.share(swept));
    }
}

/// Each contact once; the last sweep `came` to these impulses.
fn sweep(rows: &mut [Row], carriers: &mut Carriers, came: &[DVec3]) -> Swept {
    let mut swept = Swept::default();
    for (row, came) in rows.iter_mut().zip(came) {
        let u = row.world_velocity(carriers);
        if row.stays_open(u) {
            continue;
        }
        row.weigh_once(carriers);
        let (next, change) = by_turns(row, row.in_contact(u));
        if change != DVec3::ZERO {
            row.push(change, carriers);
            row.impulse = next;
            let moved = row.block() * change;
            swept.largest = swept.largest.max(moved.abs().max_element());
            swept.change += change.dot(moved);
            swept.back -= change.dot(next - *came);
        }
    }
    swept
}

/// Goes on by a share of the way since the last sweep `came` to its impulses, and remembers those of now.
fn go_on(rows: &mut [Row], carriers: &mut Carriers, came: &mut [DVec3], share: f64) {
    for (row, came) in rows.iter_mut().zip(came) {
        let more = (row.impulse - *came) * share;
        *came = row.impulse;
        if more != DVec3::ZERO {
            row.push(more, carriers);
            row.impulse += more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::constraint::carriers::Carrier;
    use crate::contact::constraint::row::Meeting;
    use crate::contact::constraint::sweep::{self, Local};
    use glamx::DMat3;

    /// A column of balls on the ground, the uppermost a thousand times as heavy as the others, after falling for a moment.
    fn column() -> (Vec<Row>, Carriers) {
        let ball = |k: u32| {
            let mass = if k == 4 { 1e3 } else { 1.0 };
            let inverse_inertia = DMat3::IDENTITY * (2.5 / mass);
            let velocity = DVec3::Z * -1.0;
            let position = DVec3::Z * f64::from(2 * k + 1);
            Carrier { position, velocity, inverse_mass: 1.0 / mass, inverse_inertia, turns: true, ..Carrier::WORLD }
        };
        let mut list: Vec<Carrier> = (0..5).map(ball).collect();
        list.push(Carrier::WORLD);
        let carriers = Carriers::from(list);
        let below = |k: u32| if k == 0 { 5 } else { k - 1 };
        let meeting = |k: u32| Meeting {
            a: k,
            b: below(k),
            normal: DVec3::Z,
            point: DVec3::Z * f64::from(2 * k),
            friction: 0.5,
            ..Meeting::default()
        };
        let rows = (0..5).map(|k| Row::new(&meeting(k), &carriers, DVec3::ZERO)).collect();
        (rows, carriers)
    }

    #[test]
    fn a_heavy_ball_on_light_ones_takes_a_tenth_of_the_sweeps_with_momentum() {
        let goal = Goal::strict(1e-3);
        let (mut rows, mut carriers) = column();
        let slow = sweep::solve(&mut rows, &mut carriers, goal, 100_000, Local::ByTurns);
        let (mut rows, mut carriers) = column();
        let fast = solve(&mut rows, &mut carriers, goal, 100_000);
        assert!(slow.converged && fast.converged, "{slow:?} {fast:?}");
        assert!(10 * fast.sweeps < slow.sweeps, "{} against {}", fast.sweeps, slow.sweeps);
        let borne = rows.iter().all(|row| (row.impulse.x - 1e3).abs() < 10.0);
        assert!(borne, "all bear the heavy one: {rows:?}");
    }
}
