//! Rest: islands that lean on the world and do not move stand still, and cost next to nothing while nothing changes.

use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::creeping::{ADD_UP, LEFTOVERS};
use crate::contact::constraint::groups::Group;
use crate::contact::constraint::island;
use crate::contact::constraint::row::{Mode, Row};
use crate::contact::constraint::sweep::{Aim, Goal, Outcome};
use crate::model::Model;
use crate::model::setup::ConstraintSettings;
use crate::step::constraint::solve::{Island, Sight};
use crate::step::constraint::space::ContactSpace;
use glamx::{DVec3, Vec3Swizzles};

/// An island that moves slower than this share of the speed that gravity gives in a step, all its contacts being solved,
/// is at rest [1].
const AT_REST: f64 = 1e-5;

/// Rest is told from creeping by a solution so much sharper than its speed [1].
const SHARP: f64 = 0.1;

/// Solutions of which each is as much sharper as the last one still moves: what contacts leave adds up, most in tall columns.
const ROUNDS: u32 = 3;

/// Large islands that creep are asked so seldom whether they rest, in steps: a heap may creep for long, and to ask takes many times what a step does.
const SELDOM: u64 = 8;
/// Contacts of a large island.
const LARGE: usize = 100;

/// Islands that have come to rest in the step no longer move at all.
pub fn still(space: &mut ContactSpace) {
    for &k in &space.rested {
        let carrier = &mut space.carriers[k as usize];
        (carrier.velocity, carrier.spin) = (DVec3::ZERO, DVec3::ZERO);
    }
}

/// By which velocities islands are told to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// None is: blows take no time.
    Never,
    /// Those at the end of the step, which are solved for.
    AtEnd,
    /// The mean over the step, which is solved for, and those at its beginning: the mean of who is turned round is nothing, too.
    OnAverage,
}

/// True if an island may come to rest in the step.
pub fn may_come(sight: &Sight, group: &Group, rows: &[Row]) -> bool {
    match sight.rest {
        Rest::Never => false,
        Rest::AtEnd => true,
        Rest::OnAverage => {
            let (slow, before) = (slow(sight.model, sight.h), sight.before);
            let holds = |c: u32| before[c as usize].is_movable() || before[c as usize].is_still();
            group.carriers.iter().all(|&c| is_calm(&before[c as usize], slow))
                && rows.iter().all(|row| holds(row.a) && holds(row.b))
        }
    }
}

/// What counts as slow in a step of size `h` [m/s].
pub fn slow(model: &Model, h: f64) -> f64 {
    AT_REST * model.gravity.length() * h
}

/// Slip below this is what a solver may leave of sticking in a step of size `h`, not sliding [m/s].
pub fn creep(model: &Model, h: f64) -> f64 {
    model.constraint.tolerance * model.gravity.length() * h
}

/// An island that stood still and goes on to do so: its impulses of the last step, which the contact law allows, still balance
/// what acts on every body. None if it moves, if a contact is new, or if something else has changed.
pub fn stays(sight: &Sight, group: &Group, rows: &mut [Row]) -> Option<Island> {
    let still = |c: &u32| sight.before[*c as usize].is_still();
    let slow = slow(sight.model, sight.h);
    if !stood(sight, group) || !rows.iter().all(|row| is_closed(row, slow)) {
        return None;
    }
    let mut carriers: Vec<Carrier> = group.carriers.iter().map(|&c| sight.carriers[c as usize]).collect();
    let mut leans = false;
    for row in rows.iter() {
        let p = row.world_impulse();
        for (c, arm, p) in row.pushes(p) {
            if sight.carriers[c as usize].is_movable() {
                carriers[sight.place[c as usize] as usize].push_at(arm, p);
            } else if !still(&c) {
                return None;
            } else {
                leans |= p != DVec3::ZERO;
            }
        }
    }
    if !leans || !carriers.iter().all(|c| c.turns && is_calm(c, slow)) {
        return None;
    }
    let mode = |row: &Row| if row.impulse.x > 0.0 { Mode::Stick } else { Mode::Separate };
    rows.iter_mut().for_each(|row| row.mode = mode(row));
    let outcome = Outcome { residual: slow, converged: true, ..Outcome::default() };
    Some(Island { twists: Vec::new(), carriers: carriers.into(), outcome, tolerance: slow, at_rest: true })
}

/// True if a contact that does not move obeys its law: open without impulse, or closed with an impulse in its cone.
fn is_closed(row: &Row, slow: f64) -> bool {
    let (push, rub) = (row.impulse.x, row.impulse.yz().length());
    if row.impulse == DVec3::ZERO {
        return row.bias >= 0.0;
    }
    row.bias.abs() <= slow && push > 0.0 && rub <= row.friction * push * (1.0 + 1e-9)
}

/// True if an island that leans on the world moves so slowly that no solver can tell it from rest: what is left of one step
/// must not be carried into the next.
pub fn is_at_rest(carriers: &Carriers, movers: usize, rows: &[Row], slow: f64) -> bool {
    let leans = |row: &Row| row.impulse.x > 0.0 && (row.a as usize >= movers || row.b as usize >= movers);
    carriers[..movers].iter().all(|c| c.turns && is_calm(c, slow)) && rows.iter().any(leans)
}

/// An island that moved no faster than what its solver may leave, before the step and after it, is solved so sharply that rest
/// can be told from creeping: if it rests, it costs next to nothing from now on. What that took; converged if it does rest.
pub fn calm_down(sight: &Sight, group: &Group, rows: &mut [Row], carriers: &mut Carriers, aim: Aim) -> Outcome {
    let (slow, movers) = (slow(sight.model, sight.h), group.carriers.len());
    let stood = stood(sight, group);
    if !is_time(sight, group, rows.len()) {
        return Outcome::default();
    }
    let creeping = LEFTOVERS * aim.sharp.each * if stood { movers.min(ADD_UP) as f64 } else { 1.0 };
    let crept = group.carriers.iter().all(|&c| is_calm(&sight.before[c as usize], creeping));
    if !crept || !carriers[..movers].iter().all(|c| is_calm(c, creeping)) {
        return Outcome::default();
    }
    let impulses: Vec<DVec3> = rows.iter().map(|row| row.impulse).collect();
    let velocities = carriers.velocities();
    let all = sharply(rows, carriers, movers, (slow, aim.rests_below), &sight.model.constraint);
    if all.converged {
        return all;
    }
    rows.iter_mut().zip(impulses).for_each(|(row, impulse)| row.impulse = impulse);
    carriers.move_as(&velocities);
    all
}

/// True if no body of the island moved before the step.
fn stood(sight: &Sight, group: &Group) -> bool {
    group.carriers.iter().all(|&c| sight.before[c as usize].is_still())
}

/// True if an island of so many contacts is asked in this step whether it rests: what stood, and what is small, always is.
pub fn is_time(sight: &Sight, group: &Group, contacts: usize) -> bool {
    contacts <= LARGE || sight.space.step.is_multiple_of(SELDOM) || stood(sight, group)
}

/// Solves ever more sharply what does not rest yet; converged if it does.
fn sharply(
    rows: &mut [Row],
    carriers: &mut Carriers,
    movers: usize,
    (slow, rests_below): (f64, Option<f64>),
    settings: &ConstraintSettings,
) -> Outcome {
    let (mut goal, mut all) = (SHARP * slow, Outcome::default());
    for round in 0..ROUNDS {
        let (strict, firmly) = (Goal::strict(goal), round > 0);
        let Some(solved) = island::sharpen(rows, carriers, (strict, firmly), rests_below, settings) else { break };
        all = all.then(solved);
        all.converged = solved.residual <= SHARP * slow && is_at_rest(carriers, movers, rows, slow);
        if all.converged || !solved.converged {
            break;
        }
        goal *= SHARP * slow / fastest(&carriers[..movers]);
    }
    all
}

/// True if the body has less kinetic energy than it would have at a slow speed.
fn is_calm(c: &Carrier, slow: f64) -> bool {
    c.velocity.abs().max_element() <= slow && turning(c) <= slow * slow
}

/// The square of the speed at which a body would have the energy that it turns with [m²/s²].
fn turning(c: &Carrier) -> f64 {
    let twice = if c.spin == DVec3::ZERO { 0.0 } else { c.spin.dot(c.inverse_inertia.inverse() * c.spin) };
    twice * c.inverse_mass
}

/// The speed below which no body moves or turns [m/s].
fn fastest(carriers: &[Carrier]) -> f64 {
    let speed = |c: &Carrier| c.velocity.abs().max_element().max(turning(c).sqrt());
    carriers.iter().map(speed).fold(0.0, f64::max)
}
