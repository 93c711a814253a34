//! Contacts that hang together with joints are solved with them, and again until the joints are closed at the end of the step.

use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::expansion::expand;
use crate::contact::constraint::joint::JointBlock;
use crate::contact::constraint::jointed::{self, Kept, SHARPER, directly};
use crate::contact::constraint::row::{Mode, Row};
use crate::contact::constraint::sweep::{Goal, Outcome};
use crate::contact::constraint::twist::Twist;
use crate::contact::constraint::twisted;
use crate::model::material::Resistance;
use crate::model::{Aggregate, Model, State};
use crate::step::constraint::curved;
use crate::step::constraint::joints::link::{Link, Pose, poses};
use crate::step::constraint::joints::taut::{is_tighter, tauten};
use crate::step::constraint::space::ContactSpace;
use crate::step::support::Support;
use crate::step::workspace::Workspace;
use glamx::{DMat3, DQuat};

/// Corrections of the end of the step at most.
const MOST_ROUNDS: u32 = 12;
/// The same, and those of them that do not come closer, where joints are taut.
const MOST_TAUT_ROUNDS: u32 = 40;
const MOST_IDLE: u32 = 3;
/// Solutions for joints that pull harder and harder at most.
const MOST_REPEATS: u32 = 3;
/// Errors below this are closed [m].
const CLOSED: f64 = 1e-12;
/// An end with errors below this [m], or this share of what the first solution left [1], has been found.
const NEAR: f64 = 1e-9;
const GAINED: f64 = 1e-2;
/// Share of a velocity that is rounding: what flies without weight may have nothing else to solve [1].
const ROUNDING: f64 = 1e-14;

/// Solves the islands with joints together, whose rows lie together from the place `at` on; rows and carriers are those of the
/// solution. Nothing without joints.
pub fn solve(
    model: &Model,
    space: &mut ContactSpace,
    at: usize,
    resistances: &[Resistance],
    before: &Carriers,
    h: f64,
) -> Option<Outcome> {
    if space.joints.blocks.is_empty() {
        return None;
    }
    let ContactSpace { rows: all, twists: couples, joints, carriers, .. } = space;
    let rows = &mut all[at..at + joints.contacts.len()];
    for row in rows.iter_mut() {
        row.mode = Mode::Separate;
        row.weigh(carriers);
    }
    let touching = rows.iter().map(|row| row.velocity(before).abs().max_element()).fold(0.0, f64::max);
    let joined = joints.blocks.iter().fold(0.0, |m: f64, b| m.max(b.scale(before)));
    // What turns falls towards its axis.
    let turning = joints.blocks.iter().fold(0.0, |m: f64, b| m.max(b.swirl(before)));
    let scale = touching.max(joined).max((model.gravity.length() + turning) * h).max(f64::MIN_POSITIVE);
    let fastest = joints.blocks.iter().map(|block| fastest(block, before)).fold(0.0, f64::max);
    joints.tolerance = (model.constraint.tolerance * scale).max(ROUNDING * fastest / SHARPER);
    joints.blocks.iter_mut().for_each(|block| block.excused = joints.tolerance);
    let resistance = |k: &u32| resistances.get(*k as usize).copied();
    let mut twists = twisted::make(rows, joints.contacts.iter().map_while(resistance), carriers);
    let outcome =
        jointed::solve((&mut *rows, &mut twists), &mut joints.blocks, carriers, joints.tolerance, &model.constraint);
    let limits = (Goal::strict(joints.tolerance), model.constraint.sweeps);
    let outcome = expand(rows, &mut joints.blocks, carriers, limits, outcome);
    couples.extend(twists.iter().map(|t| t.renumbered(joints.contacts[t.row as usize])));
    Some(outcome)
}

/// The faster of the sides of a joint [m/s].
fn fastest(block: &JointBlock, before: &Carriers) -> f64 {
    let speed = |k: u32| before.point_velocity(k, block.point - before[k as usize].position).length();
    speed(block.a).max(speed(block.b))
}

/// Solves contacts and joints; once more if joints pull far harder than they did in the step before.
pub fn solve_all(
    model: &Model,
    state: &State,
    w: &Workspace,
    space: &mut ContactSpace,
    before: &Carriers,
    h: f64,
) -> Vec<Outcome> {
    if space.joints.blocks.is_empty() {
        return curved::solve(model, state, space, before, h);
    }
    let (free, starts) = (space.carriers.clone(), space.rows.clone());
    tauten(model, state, space, before, h);
    let mut outcomes = curved::solve(model, state, space, before, h);
    for _ in 0..MOST_REPEATS {
        if !is_tighter(state, space, h) {
            break;
        }
        space.carriers.clone_from(&free);
        space.rows.clone_from(&starts);
        tauten(model, state, space, before, h);
        outcomes = curved::solve(model, state, space, before, h);
    }
    outcomes.extend(close_at_end(model, state, w, space, before, h));
    outcomes
}

/// Solves again until the joints are closed at the end of a step of size `h`: with the error `e` that a tentative move leaves,
/// the rows ask for `e/h` less. The impulses stay where they are, at the beginning of the step, so that angular momentum is
/// kept.
pub fn close_at_end(
    model: &Model,
    state: &State,
    w: &Workspace,
    space: &mut ContactSpace,
    before: &Carriers,
    h: f64,
) -> Option<Outcome> {
    if space.joints.blocks.is_empty() {
        return None;
    }
    let ContactSpace { rows: all, twists: couples, joints, carriers, .. } = space;
    // What has come back of a blow in a phase of its own stays as it is.
    let goes_on = |k: &&u32| all[**k as usize].restitution() == 0.0;
    let contacts: Vec<u32> = joints.contacts.iter().filter(goes_on).copied().collect();
    let mut rows: Vec<Row> = contacts.iter().map(|&k| all[k as usize].clone()).collect();
    let place = |k: u32| contacts.binary_search(&k).map(|k| k as u32);
    let (own, mut others): (Vec<Twist>, Vec<Twist>) = couples.iter().copied().partition(|t| place(t.row).is_ok());
    let mut twists: Vec<Twist> = own.iter().filter_map(|t| Some(t.renumbered(place(t.row).ok()?))).collect();
    let start = errors(&joints.links, &poses(state, carriers));
    let mut best = Kept::of((&rows, &twists), &joints.blocks, carriers);
    let (mut last, mut outcome, mut far, mut idle, mut least) = (f64::INFINITY, None, 0.0, 0, f64::INFINITY);
    let (most, patience) = if joints.taut.is_empty() { (MOST_ROUNDS, 0) } else { (MOST_TAUT_ROUNDS, MOST_IDLE) };
    let factor = jointed::factor(&rows, &joints.blocks, carriers);
    for round in 0..=most {
        let end = errors(&joints.links, &moved(model, state, w, &joints.links, carriers, h));
        let open = end.iter().zip(&start).fold(0.0, |m: f64, (e, s)| m.max((e - s).abs()));
        // Where joints are taut two things come closer by turns.
        let off = open.max(joints.taut.look(&joints.blocks, carriers, before, h));
        far = if round == 0 { open } else { far };
        idle += u32::from(off >= 0.9 * last);
        if off <= CLOSED || idle > patience || round == most {
            // Where bodies turn by a radian in the step there may be no such end: then the joints hold in velocity, or
            // taut ones are as near as they came.
            if open > NEAR.max(GAINED * far) {
                best.give((&mut rows, &mut twists), &mut joints.blocks, carriers);
            }
            break;
        }
        if open < least && round > 0 && !joints.taut.is_empty() {
            best = Kept::of((&rows, &twists), &joints.blocks, carriers);
        }
        (last, least) = (off.min(last), open.min(least));
        let held = joints.blocks.iter_mut().flat_map(|b| b.rows.iter_mut().take(b.holding));
        held.zip(end.iter().zip(&start)).for_each(|(row, (e, s))| row.law.bias += (e - s) / h);
        joints.taut.give(carriers);
        let direct = factor.as_ref().and_then(|f| directly(&mut joints.blocks, carriers, joints.tolerance, f));
        let next = direct.unwrap_or_else(|| {
            let contacts = (&mut rows[..], &mut twists[..]);
            jointed::by_turns(contacts, &mut joints.blocks, carriers, joints.tolerance, &model.constraint)
        });
        outcome = Some(together(outcome, next));
    }
    joints.taut.place(&mut joints.blocks, carriers, before);
    contacts.iter().zip(rows).for_each(|(&k, row)| all[k as usize] = row);
    others.extend(twists.iter().map(|t| t.renumbered(contacts[t.row as usize])));
    others.sort_unstable_by_key(|t| t.row);
    *couples = others;
    outcome
}

/// The last outcome, with the work of those before.
fn together(before: Option<Outcome>, last: Outcome) -> Outcome {
    let before = before.unwrap_or_default();
    Outcome { sweeps: before.sweeps + last.sweeps, newton_steps: before.newton_steps + last.newton_steps, ..last }
}

/// Errors of all rows that hold [m].
pub fn errors(links: &[Link], poses: &[Pose]) -> Vec<f64> {
    links.iter().flat_map(|link| link.holds(&link.place(poses)).into_iter().map(|h| h.1)).collect()
}

/// Where the carriers of links would be after a step with their velocities of the moment.
fn moved(model: &Model, state: &State, w: &Workspace, links: &[Link], carriers: &Carriers, h: f64) -> Vec<Pose> {
    let mut poses: Vec<Option<Pose>> = vec![None; carriers.len()];
    for k in links.iter().flat_map(|link| link.carriers).map(|k| k as usize) {
        if poses[k].is_none() {
            poses[k] = Some(match state.aggregates.get(k) {
                Some(a) => drifted(model, state, &w.supports[k], a, &carriers[k], h),
                None => (carriers[k].position + carriers[k].velocity * h, DQuat::IDENTITY),
            });
        }
    }
    poses.into_iter().map(Option::unwrap_or_default).collect()
}

/// Where a body would be after a step with the velocities of its carrier.
fn drifted(model: &Model, state: &State, support: &Support, a: &Aggregate, c: &Carrier, h: f64) -> Pose {
    // Only supports ask for members.
    let members = !matches!(support, Support::None);
    let (elements, local) = if members { (a.elements.clone(), a.local.clone()) } else { (Vec::new(), Vec::new()) };
    let r = DMat3::from_quat(a.orientation);
    let inertia = r * DMat3::from_diagonal(a.inertia) * r.transpose();
    let angular_momentum = a.angular_momentum + inertia * (c.spin - a.spin());
    let mut trial = Aggregate { elements, local, velocity: c.velocity, angular_momentum, ..*a };
    support.drift(model, &mut trial, state.time + h, h);
    (trial.position, trial.orientation)
}
