//! The contact problem of a step, island by island, in parallel.

use crate::contact::constraint::carriers::{Carrier, Carriers, Member, Velocities};
use crate::contact::constraint::expansion::expand;
use crate::contact::constraint::groups::{Group, groups};
use crate::contact::constraint::halves;
use crate::contact::constraint::island;
use crate::contact::constraint::row::{Mode, Row};
use crate::contact::constraint::sweep::Outcome;
use crate::contact::constraint::twist::Twist;
use crate::contact::constraint::twisted;
use crate::model::Model;
use crate::model::material::Resistance;
use crate::step::constraint::aim::aim;
use crate::step::constraint::joints::{self, JointSpace};
use crate::step::constraint::rest::Rest;
use crate::step::constraint::space::ContactSpace;
use crate::step::constraint::{overlap, rest};
use glamx::DVec3;
use rayon::prelude::*;
use std::ops::Range;

/// Islands of fewer contacts than this together are solved on one thread.
const WORTH_A_THREAD: usize = 256;

/// Bodies that are deep in each other are solved as any others where they have no more contacts than this.
const FEW_DEEP: usize = 16;

/// More than an island leans on that no push can move, as a rule.
const FEW_HELD: usize = 8;

/// The islands of a step and what became of them. Until it is finished, the rows of an island lie together, in its order.
#[derive(Debug, Default)]
pub struct Solved {
    /// Islands without joints.
    pub islands: Vec<Group>,
    /// What each of them may leave [m/s].
    pub tolerances: Vec<f64>,
    /// Which contact lies where: those of one island after the other, then those with joints, then those that nothing moves.
    order: Vec<u32>,
    /// Where the rows of each island begin, and then those with joints.
    begins: Vec<usize>,
    /// Number of each movable carrier in its island.
    place: Vec<u32>,
    outcomes: Vec<Outcome>,
    at_rest: Vec<bool>,
    jointed: Option<Outcome>,
}

/// Solves all islands, from the impulses that the rows have. Rows and velocities of the carriers are those of the solution.
pub fn solve(model: &Model, space: &mut ContactSpace, before: &Carriers, h: f64, rest: Rest) -> Solved {
    let resistances = resistances(model, space);
    let deep = overlap::deep(space);
    let islands = islands(space, before, resistances.is_empty());
    let mut solved = Solved::new(islands, space);
    let Solved { islands, place, begins, .. } = &solved;
    let mut rows = std::mem::take(&mut space.rows);
    let carriers = &space.carriers;
    let sight = Sight { model, before, resistances: &resistances, deep: &deep, space, carriers, place, h, rest };
    let found = solve_islands(&sight, slices(&mut rows, islands, |_| true));
    space.rows = rows;
    islands.iter().zip(&found).for_each(|(group, island)| put(group, island, &mut space.carriers));
    space.twists.clear();
    found.iter().for_each(|island| space.twists.extend(&island.twists));
    let jointed = joints::solve(model, space, begins[islands.len()], &resistances, before, h);
    solved.tolerances = found.iter().map(|i| i.tolerance).collect();
    solved.outcomes = found.iter().map(|i| i.outcome).collect();
    solved.at_rest = found.iter().map(|i| i.at_rest).collect();
    solved.jointed = jointed;
    space.twists.sort_unstable_by_key(|t| t.row);
    solved.note_rested(space);
    solved
}

/// The islands without joints. If contacts are `plain`, without couples, large ones are cut in halves.
fn islands(space: &mut ContactSpace, before: &Carriers, plain: bool) -> Vec<Group> {
    let mut pairs: Vec<(u32, u32)> = space.rows.iter().map(|row| (row.a, row.b)).collect();
    pairs.extend(space.joints.pairs());
    let mut islands = groups(&pairs, &space.carriers);
    space.joints.take_islands(&mut islands, space.rows.len());
    // Who stands still goes on to do so, as a rule, and nothing is swept.
    let still = |group: &Group| group.carriers.iter().all(|&c| before[c as usize].is_still());
    for group in islands.iter_mut().filter(|group| plain && !still(group)) {
        group.half = halves::cut(group, &|k| pairs[k as usize], &space.carriers);
    }
    islands
}

impl Solved {
    /// Brings the rows into the order of the islands.
    fn new(islands: Vec<Group>, space: &mut ContactSpace) -> Self {
        let count = space.rows.len();
        let mut begins = vec![0];
        for group in &islands {
            begins.push(begins.last().map_or(0, |at| at + group.contacts.len()));
        }
        let mut order = Vec::with_capacity(count);
        order.extend(islands.iter().flat_map(|group| &group.contacts).chain(&space.joints.contacts));
        let mut at = vec![u32::MAX; count];
        (0..).zip(&order).for_each(|(n, &k)| at[k as usize] = n);
        for k in (0..count).filter(|_| begins.last() < Some(&count)) {
            if at[k] == u32::MAX {
                at[k] = order.len() as u32;
                order.push(k as u32);
                space.rows[k].impulse = DVec3::ZERO;
            }
        }
        halves::bring(&mut space.rows, at);
        let place = places(&islands, space.carriers.len());
        Self { islands, order, begins, place, ..Self::default() }
    }

    /// Numbers of the islands that are not at rest.
    pub fn moving(&self) -> Vec<usize> {
        (0..self.islands.len()).filter(|&n| !self.at_rest[n]).collect()
    }

    /// Where the rows of an island lie.
    pub fn range(&self, n: usize) -> Range<usize> {
        self.begins[n]..self.begins[n + 1]
    }

    /// Where the rows with joints lie.
    pub fn joined(&self, joints: &JointSpace) -> Range<usize> {
        let first = self.begins[self.islands.len()];
        first..first + joints.contacts.len()
    }

    /// Solves the `chosen` islands again, and joints if `joined`; `free` are the velocities without contact.
    pub fn again(
        &mut self,
        model: &Model,
        space: &mut ContactSpace,
        (chosen, joined): (&[usize], bool),
        (free, before): (&[Velocities], &Carriers),
        h: f64,
    ) {
        let resistances = resistances(model, space);
        let (place, deep) = (&self.place, &overlap::deep(space));
        let mut rows = std::mem::take(&mut space.rows);
        self.release(chosen, free, &mut space.carriers);
        let carriers = &space.carriers;
        let sight =
            Sight { model, before, resistances: &resistances, deep, space, carriers, place, h, rest: Rest::AtEnd };
        let some = |n: usize| chosen.binary_search(&n).is_ok();
        let found = solve_islands(&sight, slices(&mut rows, &self.islands, some));
        space.rows = rows;
        for (&n, island) in chosen.iter().zip(&found) {
            let group = &self.islands[n];
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
            let next = joints::solve(model, space, self.begins[self.islands.len()], &resistances, before, h);
            self.jointed = next.map(|next| first.then(next));
        }
        space.twists.sort_unstable_by_key(|t| t.row);
        self.note_rested(space);
    }

    /// Velocities without contact for the carriers of the `chosen` islands.
    fn release(&self, chosen: &[usize], free: &[Velocities], carriers: &mut Carriers) {
        for &c in chosen.iter().flat_map(|&n| &self.islands[n].carriers) {
            carriers[c as usize].move_as(free[c as usize]);
        }
    }

    /// The same for all carriers that are in no island without joints.
    fn release_joined(&self, free: &[Velocities], carriers: &mut Carriers) {
        let mut apart = vec![false; carriers.len()];
        self.islands.iter().flat_map(|g| &g.carriers).for_each(|&c| apart[c as usize] = true);
        let joined = carriers.iter_mut().zip(free).zip(apart).filter(|c| !c.1);
        joined.for_each(|((carrier, free), _)| carrier.move_as(*free));
    }

    fn note_rested(&self, space: &mut ContactSpace) {
        let rested = self.islands.iter().zip(&self.at_rest).filter(|i| *i.1);
        space.rested.clear();
        space.rested.extend(rested.flat_map(|(group, _)| &group.carriers));
    }

    /// Brings the rows back into the order of the contacts. What each island took and left.
    pub fn finish(self, space: &mut ContactSpace) -> Vec<Outcome> {
        halves::bring(&mut space.rows, self.order);
        self.outcomes.into_iter().chain(self.jointed).collect()
    }
}

/// Some islands with their rows, which lie together.
fn slices<'a>(
    mut rows: &'a mut [Row],
    islands: &'a [Group],
    some: impl Fn(usize) -> bool,
) -> Vec<(&'a Group, &'a mut [Row])> {
    let mut slices = Vec::new();
    for (n, group) in islands.iter().enumerate() {
        let (own, others) = rows.split_at_mut(group.contacts.len());
        rows = others;
        if some(n) {
            slices.push((group, own));
        }
    }
    slices
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
fn solve_islands(sight: &Sight, islands: Vec<(&Group, &mut [Row])>) -> Vec<Island> {
    let contacts: usize = islands.iter().map(|(group, _)| group.contacts.len()).sum();
    if contacts < WORTH_A_THREAD || islands.len() == 1 || rayon::current_num_threads() == 1 {
        islands.into_iter().map(|(group, rows)| solve_island(sight, group, rows)).collect()
    } else {
        islands.into_par_iter().map(|(group, rows)| solve_island(sight, group, rows)).collect()
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

/// A solved island.
pub struct Island {
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
    /// The bodies before the step.
    pub before: &'a Carriers,
    /// What resists rolling and spinning, contact by contact; empty: nothing does.
    pub resistances: &'a [Resistance],
    /// Contacts of bodies that are deep in each other, ascending.
    pub deep: &'a [u32],
    /// What touches where.
    pub space: &'a ContactSpace,
    /// The bodies without contact.
    pub carriers: &'a Carriers,
    /// Number of each movable carrier in its island.
    pub place: &'a [u32],
    /// Size of the step [s].
    pub h: f64,
    /// How islands may come to rest.
    pub rest: Rest,
}

/// One island in a numbering of its own: its movable carriers, then those that hold it up.
fn solve_island(sight: &Sight, group: &Group, rows: &mut [Row]) -> Island {
    let Sight { model, h, .. } = *sight;
    let rest = rest::may_come(sight, group, rows);
    if rest
        && sight.resistances.is_empty()
        && let Some(island) = rest::stays(sight, group, rows)
    {
        return island;
    }
    let aim = aim(sight, group, rows);
    let (mut carriers, held) = local_carriers(sight, group, rows);
    if !sight.resistances.is_empty() {
        rows.iter_mut().for_each(|row| row.weigh_once(&carriers));
    }
    let resistance = |k: &u32| sight.resistances.get(*k as usize).copied();
    let mut twists = twisted::make(rows, group.contacts.iter().map_while(resistance), &carriers);
    let deep = rows.len() > FEW_DEEP && release_deep(sight, group, rows);
    let mut outcome = match twists.is_empty() {
        true if deep => island::relax(rows, &mut carriers, aim.enough),
        true => island::solve(rows, group.half.as_ref(), &mut carriers, aim, &model.constraint),
        false => twisted::solve(rows, &mut twists, &mut carriers, aim.sharp.mean, &model.constraint),
    };
    outcome = expand(rows, &mut [], &mut carriers, (aim.enough, model.constraint.sweeps), outcome);
    let slow = rest::slow(model, h);
    let stops = rest && outcome.converged && rows.iter().all(|row| row.restitution() == 0.0);
    let mut at_rest = stops && rest::is_at_rest(&carriers, group.carriers.len(), rows, slow);
    if stops && !at_rest && !deep && twists.is_empty() && outcome.residual <= aim.sharp.each {
        let work = rest::calm_down(sight, group, rows, &mut carriers, aim);
        at_rest = work.converged;
        outcome = work.then(Outcome { residual: outcome.residual, ..outcome });
    }
    let all: Vec<u32> = group.carriers.iter().chain(&held).copied().collect();
    rows.iter_mut().for_each(|row| (row.a, row.b) = (all[row.a as usize], all[row.b as usize]));
    for twist in &mut twists {
        let k = twist.row as usize;
        (twist.row, twist.a, twist.b) = (group.contacts[k], rows[k].a, rows[k].b);
    }
    Island { twists, carriers, outcome, tolerance: aim.sharp.mean, at_rest }
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

/// The carriers of an island in a numbering of its own, which its rows get; and those of them that no push can move.
fn local_carriers(sight: &Sight, group: &Group, rows: &mut [Row]) -> (Carriers, Vec<u32>) {
    let Sight { carriers: all, place, .. } = *sight;
    let mut list: Vec<Carrier> = Vec::with_capacity(group.carriers.len() + FEW_HELD);
    list.extend(group.carriers.iter().map(|&c| all[c as usize]));
    let mut held: Vec<u32> = Vec::new();
    let mut local = |c: u32, list: &mut Vec<Carrier>| match all[c as usize].is_movable() {
        true => place[c as usize],
        false => local_of_held(c, &mut held, list, all),
    };
    rows.iter_mut().for_each(|row| (row.a, row.b) = (local(row.a, &mut list), local(row.b, &mut list)));
    let mut seats = Vec::new();
    let mut next = 0;
    while let Some(old) = list.get(next).map(|c| c.seat) {
        if let Some(seat) = all.seats.get(old as usize) {
            list[next].seat = seats.len() as u32;
            seats.push(seat.iter().map(|m| Member { carrier: local(m.carrier, &mut list), ..*m }).collect());
        }
        next += 1;
    }
    rows.iter_mut().for_each(|row| row.mode = Mode::Separate);
    (Carriers { list, seats }, held)
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
