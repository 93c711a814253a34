//! The contact problem of a step, island by island, in parallel.

use crate::contact::constraint::carriers::Carrier;
use crate::contact::constraint::groups::{Group, groups};
use crate::contact::constraint::island;
use crate::contact::constraint::row::{Meeting, Row};
use crate::contact::constraint::sweep::Outcome;
use crate::contact::constraint::twist::Twist;
use crate::contact::constraint::twisted;
use crate::model::Model;
use crate::model::material::Resistance;
use crate::step::constraint::joints;
use crate::step::constraint::space::ContactSpace;
use glamx::DVec3;
use rayon::prelude::*;

/// An island that moves slower than this share of the speed that gravity gives in a step, all its contacts being solved,
/// is at rest [1].
const AT_REST: f64 = 1e-5;
/// Islands of fewer contacts than this together are solved on one thread.
const WORTH_A_THREAD: usize = 256;

/// A meeting, and the impulse that the solver starts from, in world axes.
pub type Start = (Meeting, DVec3);

/// Solves all islands. Rows and velocities of the carriers are those of the solution.
pub fn solve(
    model: &Model,
    space: &mut ContactSpace,
    starts: &[Start],
    before: &[Carrier],
    h: f64,
    rest: bool,
) -> Vec<Outcome> {
    let mut pairs: Vec<(u32, u32)> = starts.iter().map(|s| (s.0.a, s.0.b)).collect();
    pairs.extend(space.joints.pairs());
    let mut islands = groups(&pairs, &space.carriers);
    space.joints.take_islands(&mut islands, starts.len());
    let resistances = resistances(model, space);
    let sight = Sight { model, starts, before, resistances: &resistances, carriers: &space.carriers, h, rest };
    let one = |group: &Group| solve_island(&sight, group);
    let mut solved: Vec<Island> = if starts.len() < WORTH_A_THREAD || islands.len() == 1 {
        islands.iter().map(one).collect()
    } else {
        islands.par_iter().map(one).collect()
    };
    space.rested.clear();
    space.twists.clear();
    gather_rows(&islands, &mut solved, starts.len(), &mut space.rows);
    for (group, island) in islands.iter().zip(&solved) {
        group.carriers.iter().zip(&island.carriers).for_each(|(&c, carrier)| space.carriers[c as usize] = *carrier);
        space.twists.extend(&island.twists);
        if island.at_rest {
            space.rested.extend(&group.carriers);
        }
    }
    let jointed = joints::solve(model, space, starts, &resistances, before, h);
    space.twists.sort_unstable_by_key(|t| t.row);
    solved.into_iter().map(|i| i.outcome).chain(jointed).collect()
}

/// What resists rolling and spinning at each contact found; empty where no material does.
fn resistances(model: &Model, space: &ContactSpace) -> Vec<Resistance> {
    if model.materials.iter().all(|m| m.resistance.is_zero()) {
        return Vec::new();
    }
    space.found.iter().map(|f| space.resistance(model, f.first, f.second)).collect()
}

/// The rows of all islands in the order of the contacts; those of a single island need not be copied.
fn gather_rows(islands: &[Group], solved: &mut [Island], count: usize, rows: &mut Vec<Row>) {
    match solved {
        [only] if only.rows.len() == count => std::mem::swap(rows, &mut only.rows),
        _ => {
            rows.clear();
            rows.resize(count, Row::default());
            for (group, island) in islands.iter().zip(solved) {
                group.contacts.iter().zip(&island.rows).for_each(|(&k, row)| rows[k as usize] = *row);
            }
        }
    }
}

struct Island {
    rows: Vec<Row>,
    twists: Vec<Twist>,
    carriers: Vec<Carrier>,
    outcome: Outcome,
    at_rest: bool,
}

/// What the islands look at.
struct Sight<'a> {
    model: &'a Model,
    starts: &'a [Start],
    /// The bodies before the step.
    before: &'a [Carrier],
    /// What resists rolling and spinning, contact by contact; empty: nothing does.
    resistances: &'a [Resistance],
    /// The bodies without contact.
    carriers: &'a [Carrier],
    h: f64,
    rest: bool,
}

/// One island in a numbering of its own: its movable carriers, then those that hold it up.
fn solve_island(sight: &Sight, group: &Group) -> Island {
    let Sight { model, starts, carriers: all, h, rest, .. } = *sight;
    let mut carriers: Vec<Carrier> = group.carriers.iter().map(|&c| all[c as usize]).collect();
    let mut held: Vec<u32> = Vec::new();
    let mut local = |c: u32| match group.carriers.binary_search(&c) {
        Ok(k) => k as u32,
        Err(_) => {
            let known = held.iter().position(|&h| h == c);
            let k = known.unwrap_or_else(|| {
                held.push(c);
                carriers.push(all[c as usize]);
                held.len() - 1
            });
            (group.carriers.len() + k) as u32
        }
    };
    let numbered: Vec<(Meeting, DVec3)> = group
        .contacts
        .iter()
        .map(|&k| {
            let (meeting, start) = starts[k as usize];
            (Meeting { a: local(meeting.a), b: local(meeting.b), ..meeting }, start)
        })
        .collect();
    let mut rows: Vec<Row> = numbered.iter().map(|(m, start)| Row::new(m, &carriers, *start)).collect();
    let tolerance = model.constraint.tolerance * velocity_scale(sight, group);
    let resistance = |k: &u32| sight.resistances.get(*k as usize).copied();
    let mut twists = twisted::make(&rows, group.contacts.iter().map_while(resistance), &carriers);
    let outcome = match twists.is_empty() {
        true => island::solve(&mut rows, &mut carriers, tolerance, &model.constraint),
        false => twisted::solve(&mut rows, &mut twists, &mut carriers, tolerance, &model.constraint),
    };
    let slow = AT_REST * model.gravity.length() * h;
    let at_rest = rest && outcome.converged && is_at_rest(&carriers, group.carriers.len(), &rows, slow);
    for (row, &k) in rows.iter_mut().zip(&group.contacts) {
        (row.a, row.b) = (starts[k as usize].0.a, starts[k as usize].0.b);
    }
    for twist in &mut twists {
        let k = twist.row as usize;
        (twist.row, twist.a, twist.b) = (group.contacts[k], rows[k].a, rows[k].b);
    }
    Island { rows, twists, carriers, outcome, at_rest }
}

/// The velocities that a problem is about [m/s]: of points that touch against each other before the step, a tenth of what
/// gravity gives in the step at least. The yardstick of what a solver may leave.
fn velocity_scale(sight: &Sight, group: &Group) -> f64 {
    let speed = |&k: &u32| {
        let m = &sight.starts[k as usize].0;
        let at = |c: u32| sight.before[c as usize].velocity_at(m.point - sight.before[c as usize].position);
        (at(m.a) - at(m.b)).abs().max_element()
    };
    let fastest = group.contacts.iter().map(speed).fold(0.0, f64::max);
    fastest.max(0.1 * sight.model.gravity.length() * sight.h).max(f64::MIN_POSITIVE)
}

/// True if an island that leans on the world moves so slowly that no solver can tell it from rest: what is left of one step
/// must not be carried into the next.
fn is_at_rest(carriers: &[Carrier], movers: usize, rows: &[Row], slow: f64) -> bool {
    let leans = |row: &Row| row.impulse.x > 0.0 && (row.a as usize >= movers || row.b as usize >= movers);
    carriers[..movers].iter().all(|c| c.turns && is_calm(c, slow)) && rows.iter().any(leans)
}

/// True if the body has less kinetic energy than it would have at a slow speed.
fn is_calm(c: &Carrier, slow: f64) -> bool {
    if c.velocity.abs().max_element() > slow {
        return false;
    }
    let turning = if c.spin == DVec3::ZERO { 0.0 } else { c.spin.dot(c.inverse_inertia.inverse() * c.spin) };
    turning * c.inverse_mass <= slow * slow
}
