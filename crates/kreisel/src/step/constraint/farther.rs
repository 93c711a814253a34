//! Blows that go on: who is driven farther than it has looked looks again, as far as it is driven, and all is solved anew.
//!
//! Contacts are looked for before anybody knows where the solution will lead. A solution in which nobody moves farther than it
//! has looked holds; so does one in which those that do meet nobody new on their way, because contacts that do not push change
//! nothing. Otherwise those contacts join, and the blow goes on from one body to the next, round by round, within the step.

use crate::collide::shapes::{bounds, touch_soon};
use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::row::{Mode, Row};
use crate::contact::constraint::sweep::Outcome;
use crate::linear::room;
use crate::model::{Model, State};
use crate::step::constraint::detect::{far, margin, may_meet};
use crate::step::constraint::space::{ContactSpace, Found};
use crate::step::constraint::{blows, in_time, joints, late, sleep};
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Bodies that a blow goes through in a step, at most.
const MOST_ROUNDS: u32 = 32;
/// The same where some island is not solved.
const FEW_ROUNDS: u32 = 3;
/// Who comes farther than it has looked by no more than this share does not [1]: rounding.
const SAME: f64 = 1e-9;

/// Why a step has to begin anew.
pub enum Again {
    /// Somebody is driven into sleepers, the carriers of which these are: they have to wake first.
    Woken(Vec<u32>),
    /// Blows follow on each other, and can be met one after the other.
    InTime,
}

/// Solves contacts and joints, with all whom the solution drives into each other among them. Blows that follow on each other `may` be
/// left to a step that meets them one after the other.
pub fn solve(
    model: &Model,
    state: &State,
    w: &Workspace,
    space: &mut ContactSpace,
    (before, may): (&Carriers, bool),
    h: f64,
) -> Result<Vec<Outcome>, Again> {
    let mut outcomes = joints::solve_all(model, state, w, space, before, h);
    for round in 0.. {
        let unsolved = late::unsolved(space, &outcomes);
        let unsolved = if unsolved.is_empty() { late::gaining(model, space, before, h) } else { unsolved };
        let solved = unsolved.is_empty();
        // Nobody knows where it leads what has no solution.
        let met = if solved { look(model, state, w, space, before, h) } else { Vec::new() };
        let struck = sleep::struck(state, space, &met);
        if !struck.is_empty() {
            return Err(Again::Woken(struck));
        }
        let driven = if solved { late::astray(space, before, h) } else { unsolved };
        let follow = || in_time::is_chained(space, h) || in_time::is_turned(space, before, h);
        let chained = || !driven.is_empty() || (met.is_empty() && follow());
        if may && in_time::is_fast(model, space, h) && chained() {
            return Err(Again::InTime);
        }
        if met.is_empty() && driven.is_empty() {
            break;
        }
        if round >= most_rounds(&outcomes) {
            outcomes.push(Outcome { converged: false, ..Outcome::default() });
            break;
        }
        release(state, space, before);
        late::meet_at_once(model, w, space, (&driven, solved), before, h);
        let known = join(model, w, space, met, before, h);
        joints::make(model, state, space, h);
        space.make_rows(model, state, w, before, h);
        start_again(&mut space.rows, known, solved);
        let work = outcomes.iter().fold(Outcome::default(), |sum, o| sum.then(*o));
        outcomes = joints::solve_all(model, state, w, space, before, h);
        outcomes.push(Outcome { residual: 0.0, converged: true, ..work });
    }
    Ok(outcomes)
}

/// What is not solved is not solved over and over.
fn most_rounds(outcomes: &[Outcome]) -> u32 {
    if outcomes.iter().all(|o| o.converged) { MOST_ROUNDS } else { FEW_ROUNDS }
}

/// Contacts that were not known, of pairs that the solution would drive into each other; in order.
fn look(
    model: &Model,
    state: &State,
    w: &Workspace,
    space: &mut ContactSpace,
    before: &Carriers,
    h: f64,
) -> Vec<Found> {
    // Where nothing touches anything, nobody has to look.
    if !model.contact.enabled {
        return Vec::new();
    }
    let turned = turned(model, space, h);
    let mut pairs = drawn_together(model, space, (before, &turned), h);
    let outran = outran(model, space, &turned, h);
    if outran.contains(&true) {
        let mut farther = Vec::new();
        space.broad.update(&space.boxes, &outran, &mut farther);
        pairs.extend(farther.into_iter().filter(|&(i, j)| may_meet(model, state, w, space, i, j)));
        pairs.sort_unstable();
        pairs.dedup();
    }
    let mut met = Vec::new();
    for (i, j) in pairs {
        let known = space.found.partition_point(|f| (f.first, f.second) < (i, j));
        let new = met.len();
        add_new(model, space, (i, j), known, &mut met);
        let strikes = |f: &Found| f.touch.gap + h * space.opening(f) < -space.slack;
        if !met[new..].iter().any(strikes) {
            met.truncate(new);
        }
    }
    met
}

/// How far each collider of a rigid body comes by turning, by the solution [m].
fn turned(model: &Model, space: &ContactSpace, h: f64) -> Vec<f64> {
    let turned = |k: usize| {
        let carrier = &space.carriers[space.carrier[k] as usize];
        if !carrier.turns || carrier.spin == DVec3::ZERO {
            return 0.0;
        }
        let (reach, (low, high)) = (space.reach[k], space.boxes[k]);
        h * carrier.spin.length() * far(model, space, k, (low + reach, high - reach))
    };
    (0..space.poses.len()).map(turned).collect()
}

/// Pairs of rigid bodies that come nearer to each other than they have been looked at.
fn drawn_together(
    model: &Model,
    space: &ContactSpace,
    (before, turned): (&Carriers, &[f64]),
    h: f64,
) -> Vec<(u32, u32)> {
    let drawn = |pair: &(u32, u32)| {
        let (i, j) = (pair.0 as usize, pair.1 as usize);
        let [a, b] = [i, j].map(|k| &space.carriers[space.carrier[k] as usize]);
        let way = h * (a.velocity - b.velocity).length() + turned[i] + turned[j];
        a.turns && b.turns && way > margin(model, space, before, *pair, h) * (1.0 + SAME)
    };
    space.last.pairs.iter().copied().filter(drawn).collect()
}

/// The colliders of rigid bodies that come farther than they have looked; reach and boxes are then as far as they come.
fn outran(model: &Model, space: &mut ContactSpace, turned: &[f64], h: f64) -> Vec<bool> {
    let mut outran = vec![false; space.poses.len()];
    for (k, outran) in outran.iter_mut().enumerate() {
        let carrier = &space.carriers[space.carrier[k] as usize];
        let way = h * carrier.velocity.length() + turned[k];
        if carrier.turns && carrier.is_movable() && way > space.reach[k] * (1.0 + SAME) {
            (*outran, space.reach[k]) = (true, way);
        }
    }
    if outran.contains(&true) {
        // Some have been moved apart since boxes were made.
        for k in 0..space.poses.len() {
            let (low, high) = bounds(space.shape(model, k as u32), &space.poses[k]);
            space.boxes[k] = (low - space.reach[k], high + space.reach[k]);
        }
    }
    outran
}

/// Adds the places where a pair may touch that are not among those found, which begin at `known`.
fn add_new(model: &Model, space: &ContactSpace, (first, second): (u32, u32), known: usize, met: &mut Vec<Found>) {
    let (i, j) = (first as usize, second as usize);
    let mut touches = Vec::new();
    let (a, b) = (space.shape(model, first), space.shape(model, second));
    touch_soon(a, &space.poses[i], b, &space.poses[j], space.reach[i] + space.reach[j], &mut touches);
    touches.sort_by_key(|t| t.feature);
    let known = space.found[known..].iter().take_while(|f| (f.first, f.second) == (first, second));
    let known: Vec<u64> = known.map(|f| f.touch.feature).collect();
    let new = touches.into_iter().filter(|t| known.binary_search(&t.feature).is_err());
    met.extend(new.map(|touch| Found { first, second, touch }));
}

/// What a contact has come to.
struct Known {
    /// World axes [N s].
    impulse: DVec3,
    /// Coefficient [1].
    friction: f64,
    stuck: bool,
}

impl Known {
    fn of(row: &Row) -> Self {
        Self { impulse: row.world_impulse(), friction: row.friction, stuck: row.mode == Mode::Stick }
    }
}

/// Puts new contacts among those found. All that count contacts count anew; what is known of the old ones, with their numbers.
/// Rows have done their work, and make room.
fn join(
    model: &Model,
    w: &Workspace,
    space: &mut ContactSpace,
    met: Vec<Found>,
    before: &Carriers,
    h: f64,
) -> Vec<(u32, Known)> {
    let known: Vec<Known> = space.rows.iter().map(Known::of).collect();
    space.rows.clear();
    let (number, new) = merge(&mut space.found, &met);
    // What was found the last time is not what anybody would find.
    space.last.count = usize::MAX;
    space.rubs.iter_mut().for_each(|rub| rub.found = number[rub.found as usize]);
    blows::go_on(model, w, space, (&number, &new), before, h);
    number.into_iter().zip(known).collect()
}

/// Puts some more in order among those found, from the last on, so that all find their place; numbers that the old ones and the
/// new ones have then.
fn merge(found: &mut Vec<Found>, more: &[Found]) -> (Vec<u32>, Vec<u32>) {
    let key = |f: &Found| (f.first, f.second, f.touch.feature);
    let mut old = found.len();
    let mut at = old + more.len();
    found.reserve_exact(room(at) - old);
    found.extend_from_slice(more);
    let (mut number, mut added): (Vec<u32>, Vec<u32>) = ((0..old as u32).collect(), vec![0; more.len()]);
    for (f, added) in more.iter().zip(&mut added).rev() {
        while old > 0 && key(&found[old - 1]) > key(f) {
            (old, at) = (old - 1, at - 1);
            found[at] = found[old];
            number[old] = at as u32;
        }
        at -= 1;
        (found[at], *added) = (*f, at as u32);
    }
    (number, added)
}

/// The bodies move again as they would without contact.
fn release(state: &State, space: &mut ContactSpace, before: &Carriers) {
    space.carriers.copy_from(before);
    space.take_velocities(state);
    joints::take_velocities(state, space);
}

/// Rows that have been made once more start from the impulses that the known ones have come to, if those are any `good`.
fn start_again(rows: &mut [Row], known: Vec<(u32, Known)>, good: bool) {
    for (k, known) in known {
        let row = &mut rows[k as usize];
        (row.friction, row.stuck) = (known.friction, known.stuck);
        row.impulse = if good { row.in_contact(known.impulse) } else { DVec3::ZERO };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::shapes::Touch;

    fn found(first: u32, feature: u64) -> Found {
        let touch = Touch { point_a: DVec3::ZERO, point_b: DVec3::ZERO, normal: DVec3::Z, gap: 0.0, feature };
        Found { first, second: 9, touch }
    }

    #[test]
    fn what_joins_finds_its_place_and_everybody_knows_his_new_number() {
        let old = [(1, 0), (1, 4), (3, 0), (7, 2)];
        for new in [vec![], vec![(0, 0)], vec![(8, 0), (8, 1)], vec![(0, 5), (1, 2), (1, 3), (3, 1), (9, 0)]] {
            let mut all: Vec<Found> = old.iter().map(|&(k, f)| found(k, f)).collect();
            let more: Vec<Found> = new.iter().map(|&(k, f)| found(k, f)).collect();
            let (number, added) = merge(&mut all, &more);
            let key = |f: &Found| (f.first, f.touch.feature);
            assert!(all.is_sorted_by_key(key) && all.len() == old.len() + new.len());
            assert!(number.iter().zip(&old).all(|(&n, old)| key(&all[n as usize]) == *old), "{number:?}");
            assert!(added.iter().zip(&new).all(|(&n, new)| key(&all[n as usize]) == *new), "{added:?}");
        }
    }
}
