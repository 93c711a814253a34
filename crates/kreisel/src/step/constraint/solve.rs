//! The contact problem of a step, island by island, in parallel.

use crate::contact::constraint::carriers::{Carrier, Carriers, Member};
use crate::contact::constraint::expansion::expand;
use crate::contact::constraint::groups::{Group, groups};
use crate::contact::constraint::halves;
use crate::contact::constraint::island;
use crate::contact::constraint::row::{Meeting, Row};
use crate::contact::constraint::sweep::{Aim, Goal, Outcome};
use crate::contact::constraint::twist::Twist;
use crate::contact::constraint::twisted;
use crate::linear::room;
use crate::model::Model;
use crate::model::material::Resistance;
use crate::step::constraint::space::ContactSpace;
use crate::step::constraint::{joints, overlap, rest};
use glamx::DVec3;
use rayon::prelude::*;

/// Islands whose contacts move slower than this share of the speed that gravity gives in a step hardly move [1].
const SLOW: f64 = 0.1;
/// Islands of more contacts than this are judged by their mean, so many times the tolerance, and each contact by so many times
/// the mean.
const MANY: usize = 32;
const MEAN: f64 = 3.0;
const EACH: f64 = 10.0;
/// Islands of fewer contacts than this together are solved on one thread.
const WORTH_A_THREAD: usize = 256;

/// Bodies that are deep in each other are solved as any others where they have no more contacts than this.
const FEW_DEEP: usize = 16;

/// More than an island leans on that no push can move, as a rule.
const FEW_HELD: usize = 8;

/// A meeting, and the impulse that the solver starts from, in world axes.
pub type Start = (Meeting, DVec3);

/// The islands of a step and what became of them.
#[derive(Debug, Default)]
pub struct Solved {
    /// Islands without joints.
    pub islands: Vec<Group>,
    /// What each of them may leave [m/s].
    pub tolerances: Vec<f64>,
    /// Number of each movable carrier in its island.
    place: Vec<u32>,
    outcomes: Vec<Outcome>,
    at_rest: Vec<bool>,
    jointed: Option<Outcome>,
}

/// Solves all islands. Rows and velocities of the carriers are those of the solution.
pub fn solve(
    model: &Model,
    space: &mut ContactSpace,
    starts: &[Start],
    before: &Carriers,
    h: f64,
    rest: bool,
) -> Solved {
    let mut pairs: Vec<(u32, u32)> = starts.iter().map(|s| (s.0.a, s.0.b)).collect();
    pairs.extend(space.joints.pairs());
    let mut islands = groups(&pairs, &space.carriers);
    space.joints.take_islands(&mut islands, starts.len());
    let resistances = resistances(model, space);
    if resistances.is_empty() {
        // Who stands still goes on to do so, as a rule, and nothing is swept.
        for group in islands.iter_mut().filter(|group| !group.carriers.iter().all(|&c| before[c as usize].is_still())) {
            group.half = halves::cut(group, &|k| pairs[k as usize], &space.carriers);
        }
    }
    drop(pairs);
    // Those of the step before make room.
    space.rows = Vec::new();
    let place = places(&islands, space.carriers.len());
    let (deep, carriers) = (&overlap::deep(space), &space.carriers);
    let sight = Sight { model, starts, before, resistances: &resistances, deep, carriers, place: &place, h, rest };
    let mut found = solve_islands(&sight, &islands.iter().collect::<Vec<_>>());
    gather_rows(&islands, &mut found, starts.len(), &mut space.rows);
    let mut solved = Solved {
        tolerances: found.iter().map(|i| i.tolerance).collect(),
        outcomes: found.iter().map(|i| i.outcome).collect(),
        at_rest: found.iter().map(|i| i.at_rest).collect(),
        ..Solved::default()
    };
    islands.iter().zip(&found).for_each(|(group, island)| put(group, island, &mut space.carriers));
    space.twists.clear();
    found.iter().for_each(|island| space.twists.extend(&island.twists));
    solved.jointed = joints::solve(model, space, starts, &resistances, before, h);
    space.twists.sort_unstable_by_key(|t| t.row);
    (solved.islands, solved.place) = (islands, place);
    solved.note_rested(space);
    solved
}

impl Solved {
    /// Numbers of the islands that are not at rest.
    pub fn moving(&self) -> Vec<usize> {
        (0..self.islands.len()).filter(|&n| !self.at_rest[n]).collect()
    }

    /// Solves the `chosen` islands again, and joints if `joined`, from other starts; `free` are the velocities without contact.
    pub fn again(
        &mut self,
        model: &Model,
        space: &mut ContactSpace,
        (starts, chosen, joined): (&[Start], &[usize], bool),
        (free, before): (&Carriers, &Carriers),
        h: f64,
    ) {
        let resistances = resistances(model, space);
        let (place, deep) = (&self.place, &overlap::deep(space));
        let sight =
            Sight { model, starts, before, resistances: &resistances, deep, carriers: free, place, h, rest: true };
        let groups: Vec<&Group> = chosen.iter().map(|&n| &self.islands[n]).collect();
        let found = solve_islands(&sight, &groups);
        for ((&n, group), island) in chosen.iter().zip(groups).zip(&found) {
            group.contacts.iter().zip(&island.rows).for_each(|(&k, row)| space.rows[k as usize] = *row);
            put(group, island, &mut space.carriers);
            space.twists.retain(|t| group.contacts.binary_search(&t.row).is_err());
            space.twists.extend(&island.twists);
            self.outcomes[n] = self.outcomes[n].then(island.outcome);
            self.at_rest[n] = island.at_rest;
        }
        if let Some(first) = self.jointed.filter(|_| joined) {
            self.release_joined(free, &mut space.carriers);
            let ContactSpace { twists, joints, .. } = &mut *space;
            twists.retain(|t| joints.contacts.binary_search(&t.row).is_err());
            let next = joints::solve(model, space, starts, &resistances, before, h);
            self.jointed = next.map(|next| first.then(next));
        }
        space.twists.sort_unstable_by_key(|t| t.row);
        self.note_rested(space);
    }

    /// Velocities without contact for all carriers that are in no island without joints.
    fn release_joined(&self, free: &Carriers, carriers: &mut Carriers) {
        let mut apart = vec![false; carriers.len()];
        self.islands.iter().flat_map(|g| &g.carriers).for_each(|&c| apart[c as usize] = true);
        let joined = carriers.iter_mut().zip(free.iter()).zip(apart).filter(|c| !c.1);
        joined.for_each(|((carrier, free), _)| *carrier = *free);
    }

    fn note_rested(&self, space: &mut ContactSpace) {
        let rested = self.islands.iter().zip(&self.at_rest).filter(|i| *i.1);
        space.rested.clear();
        space.rested.extend(rested.flat_map(|(group, _)| &group.carriers));
    }

    /// What each island took and left.
    pub fn outcomes(self) -> Vec<Outcome> {
        self.outcomes.into_iter().chain(self.jointed).collect()
    }
}

/// Number of each movable carrier in its island.
fn places(islands: &[Group], carriers: usize) -> Vec<u32> {
    let mut place = vec![0; carriers];
    for group in islands {
        (0..).zip(&group.carriers).for_each(|(k, &c)| place[c as usize] = k);
    }
    place
}

/// Islands in parallel, if there is enough to do.
fn solve_islands(sight: &Sight, islands: &[&Group]) -> Vec<Island> {
    let contacts: usize = islands.iter().map(|g| g.contacts.len()).sum();
    if contacts < WORTH_A_THREAD || islands.len() == 1 {
        islands.iter().map(|group| solve_island(sight, group)).collect()
    } else {
        islands.par_iter().map(|group| solve_island(sight, group)).collect()
    }
}

/// Writes the velocities of an island's carriers.
fn put(group: &Group, island: &Island, carriers: &mut Carriers) {
    for (&c, solved) in group.carriers.iter().zip(island.carriers.iter()) {
        let carrier = &mut carriers[c as usize];
        *carrier = Carrier { seat: carrier.seat, ..*solved };
    }
}

/// What resists rolling and spinning at each contact found; empty where no material does.
pub fn resistances(model: &Model, space: &ContactSpace) -> Vec<Resistance> {
    if model.materials.iter().all(|m| m.resistance.is_zero()) {
        return Vec::new();
    }
    space.found.iter().map(|f| space.resistance(model, f.first, f.second)).collect()
}

/// The rows of all islands in the order of the contacts; those of a single island need not be copied.
fn gather_rows(islands: &[Group], solved: &mut [Island], count: usize, rows: &mut Vec<Row>) {
    match solved {
        [only] if only.rows.len() == count => {
            std::mem::swap(rows, &mut only.rows);
            halves::bring(rows, islands[0].contacts.clone());
        }
        _ => {
            rows.clear();
            rows.resize(count, Row::default());
            for (group, island) in islands.iter().zip(solved) {
                group.contacts.iter().zip(&island.rows).for_each(|(&k, row)| rows[k as usize] = *row);
            }
        }
    }
}

/// A solved island.
pub struct Island {
    /// Its contacts, numbered as all of them are.
    pub rows: Vec<Row>,
    /// Its couples of rolling and torsional friction, by their rows.
    pub twists: Vec<Twist>,
    /// Its carriers, those that move first.
    pub carriers: Carriers,
    /// What the solver left.
    pub outcome: Outcome,
    /// What it might have left [m/s].
    pub tolerance: f64,
    /// True if it has come to rest.
    pub at_rest: bool,
}

/// What the islands look at.
pub struct Sight<'a> {
    /// The scene.
    pub model: &'a Model,
    /// All meetings.
    pub starts: &'a [Start],
    /// The bodies before the step.
    pub before: &'a Carriers,
    /// What resists rolling and spinning, contact by contact; empty: nothing does.
    pub resistances: &'a [Resistance],
    /// Contacts of bodies that are deep in each other, ascending.
    pub deep: &'a [u32],
    /// The bodies without contact.
    pub carriers: &'a Carriers,
    /// Number of each movable carrier in its island.
    pub place: &'a [u32],
    /// Size of the step [s].
    pub h: f64,
    /// True if islands may come to rest.
    pub rest: bool,
}

/// One island in a numbering of its own: its movable carriers, then those that hold it up.
fn solve_island(sight: &Sight, group: &Group) -> Island {
    let Sight { model, starts, h, rest, .. } = *sight;
    if rest
        && sight.resistances.is_empty()
        && let Some(island) = rest::stays(sight, group)
    {
        return island;
    }
    let (mut carriers, ends) = local_carriers(sight, group);
    let local = |(&k, &(a, b)): (&u32, &(u32, u32))| {
        let (meeting, start) = starts[k as usize];
        Row::new(&Meeting { a, b, ..meeting }, &carriers, start)
    };
    let mut rows: Vec<Row> = Vec::with_capacity(room(ends.len()));
    rows.extend(group.contacts.iter().zip(&ends).map(local));
    drop(ends);
    let aim = aim(sight, group);
    let resistance = |k: &u32| sight.resistances.get(*k as usize).copied();
    let mut twists = twisted::make(&rows, group.contacts.iter().map_while(resistance), &carriers);
    let deep = rows.len() > FEW_DEEP && release_deep(sight, group, &mut rows);
    let mut outcome = match twists.is_empty() {
        true if deep => island::relax(&mut rows, &mut carriers, aim.enough),
        true => island::solve(&mut rows, group.half.as_ref(), &mut carriers, aim, &model.constraint),
        false => twisted::solve(&mut rows, &mut twists, &mut carriers, aim.sharp.mean, &model.constraint),
    };
    outcome = expand(&mut rows, &mut [], &mut carriers, (aim.enough, model.constraint.sweeps), outcome);
    let slow = rest::slow(model, h);
    let stops = rest && outcome.converged && rows.iter().all(|row| row.restitution == 0.0);
    let mut at_rest = stops && rest::is_at_rest(&carriers, group.carriers.len(), &rows, slow);
    if stops && !at_rest && !deep && twists.is_empty() && outcome.residual <= aim.sharp.each {
        let work = rest::calm_down(sight, group, &mut rows, &mut carriers, aim.sharp.each);
        at_rest = work.converged;
        outcome = work.then(Outcome { residual: outcome.residual, ..outcome });
    }
    for (row, &k) in rows.iter_mut().zip(&group.contacts) {
        (row.a, row.b) = (starts[k as usize].0.a, starts[k as usize].0.b);
    }
    for twist in &mut twists {
        let k = twist.row as usize;
        (twist.row, twist.a, twist.b) = (group.contacts[k], rows[k].a, rows[k].b);
    }
    Island { rows, twists, carriers, outcome, tolerance: aim.sharp.mean, at_rest }
}

/// Bodies that are deep in each other push, but do not rub; true if there are any in the island.
fn release_deep(sight: &Sight, group: &Group, rows: &mut [Row]) -> bool {
    let mut some = false;
    for (row, k) in rows.iter_mut().zip(&group.contacts).filter(|_| !sight.deep.is_empty()) {
        if sight.deep.binary_search(k).is_ok() {
            (row.friction, some) = (0.0, true);
        }
    }
    some
}

/// The carriers of an island in a numbering of its own, and the two ends of each contact.
fn local_carriers(sight: &Sight, group: &Group) -> (Carriers, Vec<(u32, u32)>) {
    let Sight { starts, carriers: all, place, .. } = *sight;
    let mut list: Vec<Carrier> = Vec::with_capacity(group.carriers.len() + FEW_HELD);
    list.extend(group.carriers.iter().map(|&c| all[c as usize]));
    let mut held: Vec<u32> = Vec::new();
    let mut local = |c: u32, list: &mut Vec<Carrier>| match all[c as usize].is_movable() {
        true => place[c as usize],
        false => local_of_held(c, &mut held, list, all),
    };
    let mut end = |k: &u32| {
        let m = &starts[*k as usize].0;
        (local(m.a, &mut list), local(m.b, &mut list))
    };
    let ends = group.contacts.iter().map(&mut end).collect();
    let mut seats = Vec::new();
    let mut next = 0;
    while let Some(old) = list.get(next).map(|c| c.seat) {
        if let Some(seat) = all.seats.get(old as usize) {
            list[next].seat = seats.len() as u32;
            seats.push(seat.iter().map(|m| Member { carrier: local(m.carrier, &mut list), ..*m }).collect());
        }
        next += 1;
    }
    (Carriers { list, seats }, ends)
}

/// The number in its island of a carrier that no push can move.
fn local_of_held(c: u32, held: &mut Vec<u32>, carriers: &mut Vec<Carrier>, all: &[Carrier]) -> u32 {
    let movers = carriers.len() - held.len();
    let known = held.iter().position(|&h| h == c).unwrap_or_else(|| {
        held.push(c);
        carriers.push(all[c as usize]);
        held.len() - 1
    });
    (movers + known) as u32
}

/// What the solver of an island may leave, as a share of the velocities that its problem is about [m/s]: those of points that
/// touch against each other before the step. What hardly moves is solved so sharply that it comes to rest, contact by contact.
/// Among many contacts that move, at least the speed that gravity gives in the step is in play, and the root of the mean square
/// counts, as long as no contact leaves more than a few times that: the error of the momentum that an island gets is then the
/// same share of what is in play, however many contacts it has. That is also enough for crowds that hardly move, and that no
/// method brings to rest.
fn aim(sight: &Sight, group: &Group) -> Aim {
    let speed = |&k: &u32| {
        let m = &sight.starts[k as usize].0;
        let at = |c: u32| sight.before.point_velocity(c, m.point - sight.before[c as usize].position);
        (at(m.a) - at(m.b)).abs().max_element()
    };
    let fastest = group.contacts.iter().map(speed).fold(0.0, f64::max);
    let (tolerance, fall) = (sight.model.constraint.tolerance, sight.model.gravity.length() * sight.h);
    let strict = Aim::strict(tolerance * fastest.max(SLOW * fall).max(f64::MIN_POSITIVE));
    if group.contacts.len() <= MANY {
        return strict;
    }
    let mean = MEAN * tolerance * fastest.max(fall).max(f64::MIN_POSITIVE);
    let enough = Goal { mean, each: EACH * mean };
    Aim { sharp: if fastest <= SLOW * fall { strict.sharp } else { enough }, enough }
}
