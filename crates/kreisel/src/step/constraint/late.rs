//! Blows that are met when they strike, and would end in overlap or strike elsewhere, are met where the step begins.
//!
//! A body that is struck within the step, and then strikes or is struck again, moves on several legs; the law knows of its velocity at
//! the end only. Where the legs that late impulses leave do not end in overlap, nor begin far from where they were forecast to, that is enough. Where they do, all blows on
//! bodies that drive each other act from the beginning of the step: `x⁺ = x + h v⁺`, which the law keeps apart. Where even then no
//! velocities are what all their coefficients ask for, or those that are would give energy, they do not bounce in this step.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::row::Row;
use crate::contact::constraint::sweep::Outcome;
use crate::model::Model;
use crate::step::constraint::blows::{self, Blow};
use crate::step::constraint::space::{ContactSpace, Found};
use crate::step::constraint::timing::Timing;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Overlap of this share of the size of the smallest body, beyond what there was, is too much [1].
const SERIOUS: f64 = 1e-3;
/// Contacts that lack this share of what the worst one does are unsolved [1].
const MUCH: f64 = 0.1;

/// Work of blows above this share of what they turn round is given, not rounding nor what a step does not resolve [1].
const GIVEN: f64 = 0.01;

/// Carriers that late blows would drive into each other, or strike elsewhere than they were solved for, and all that push them;
/// true for each of them, empty if there are none.
pub fn astray(space: &ContactSpace, before: &Carriers, h: f64) -> Vec<bool> {
    if !space.blows.iter().any(|blow| blow.delay() > 0.0) {
        return Vec::new();
    }
    let timing = Timing::new(space, before, h);
    let strays = strays(space, &timing, before);
    let serious = SERIOUS * space.size();
    let overlaps = |k: u32, row: &Row, f: &Found| {
        let gap = blows::of(&space.blows, k).map_or(f.touch.gap, |blow| blow.gap());
        let late = row.velocity(&strays).x;
        late < -serious && gap + h * row.velocity(&space.carriers).x + late < gap.min(0.0) - serious
    };
    let rows = (0..).zip(&space.rows).zip(&space.found);
    let ends = rows.filter(|((k, row), f)| overlaps(*k, row, f)).flat_map(|((_, row), _)| [row.a, row.b]);
    let late = space.blows.iter().filter(|blow| blow.delay() > 0.0 && misled(space, &timing, blow) > serious);
    let misled = late.map(|blow| &space.rows[blow.contact as usize]).flat_map(|row| [row.a, row.b]);
    all_driven(space, ends.chain(misled))
}

/// How far the arms of a late blow are from those that it was solved with [m], because other blows have moved its bodies.
fn misled(space: &ContactSpace, timing: &Timing, blow: &Blow) -> f64 {
    let (row, f) = (&space.rows[blow.contact as usize], &space.found[blow.contact as usize]);
    let [stroke, _] = timing.strokes(space, blow.contact);
    let moved = stroke.point - space.point(f);
    let off = |side: usize| (moved - (stroke.leads[side] - blow.leads[side])).length();
    let movable = |(_, c): &(usize, u32)| space.carriers[*c as usize].is_movable();
    [(0, row.a), (1, row.b)].into_iter().filter(movable).map(|(side, _)| off(side)).fold(0.0, f64::max)
}

/// How far all carriers are at the end of the step from where their velocities lead, as velocities and spins [m, rad].
fn strays(space: &ContactSpace, timing: &Timing, before: &Carriers) -> Carriers {
    let mut strays = space.carriers.clone();
    for (c, carrier) in strays.iter_mut().enumerate() {
        (carrier.velocity, carrier.spin) =
            timing.stray(c, before).map_or((DVec3::ZERO, DVec3::ZERO), |s| (s.shift, s.turn));
    }
    strays
}

/// Carriers of contacts that ask for more than the solution gives, and all that push them; true for each of them. A body that
/// is struck from all sides cannot leave everybody as fast as their coefficients want it: nothing is a solution then.
pub fn unsolved(space: &ContactSpace, outcomes: &[Outcome]) -> Vec<bool> {
    let left = outcomes.iter().filter(|o| !o.converged).map(|o| o.residual).fold(0.0, f64::max);
    if space.blows.is_empty() || left == 0.0 {
        return Vec::new();
    }
    let lacks = |row: &&Row| row.velocity(&space.carriers).x + row.bias < -MUCH * left;
    all_driven(space, space.rows.iter().filter(lacks).flat_map(|row| [row.a, row.b]))
}

/// Carriers whose contacts would give them energy, all that push each other together; true for each of them, empty if there are
/// none.
///
/// Newton's law of restitution asks each contact for a share of its own approach. Where several strike at once nothing keeps what
/// they ask for together from being more than there was: ten balls of a centimetre that fell on a heap at 60 Hz left it with
/// twenty times their energy. Blows must not give; those that would are contacts like any other in this step.
pub fn gaining(model: &Model, space: &ContactSpace, before: &Carriers, h: f64) -> Vec<bool> {
    if space.blows.is_empty() {
        return Vec::new();
    }
    let groups = groups(space);
    let mut given = vec![Given::default(); space.carriers.len()];
    for (k, row) in (0..).zip(&space.rows).filter(|(_, row)| row.impulse != DVec3::ZERO) {
        let from = blows::of(&space.blows, k).and_then(Blow::open_from);
        let more = from.map(|t| falls(space, row, model.gravity) * (t - 0.5 * h));
        let given = &mut given[groups[of_group(space, row)] as usize];
        given.add(row, more, (before, &space.carriers), model.gravity.length() * h);
    }
    let gains = |c: usize| space.carriers[c].is_movable() && given[groups[c] as usize].is_gain();
    let gaining: Vec<bool> = (0..space.carriers.len()).map(gains).collect();
    if gaining.contains(&true) { gaining } else { Vec::new() }
}

/// What gravity changes the normal velocity of a contact by [m/s²]: nothing between two that fall.
fn falls(space: &ContactSpace, row: &Row, gravity: DVec3) -> f64 {
    let side = |c: u32| f64::from(u8::from(space.carriers[c as usize].is_movable()));
    row.axes()[0].dot(gravity) * (side(row.a) - side(row.b))
}

/// What contacts that push each other's bodies give them in a step.
#[derive(Clone, Copy, Default)]
struct Given {
    /// Work of all impulses [J].
    work: f64,
    /// Impulses times the speeds that they meet [J].
    turned: f64,
    /// True if one of them is a blow.
    strikes: bool,
}

impl Given {
    /// One more contact, with what gravity `gained` in the step [m/s]. Of a blow: with what the mean of its velocities about
    /// that moment has `more` than their mean over the step [m/s].
    fn add(&mut self, row: &Row, more: Option<f64>, (before, after): (&Carriers, &Carriers), gained: f64) {
        let old = row.velocity(before);
        self.work += row.impulse.dot(old + row.velocity(after)) * 0.5 + row.impulse.x * more.unwrap_or(0.0);
        self.turned += row.impulse.x * (old.x.abs() + gained);
        self.strikes |= more.is_some();
    }

    fn is_gain(&self) -> bool {
        self.strikes && self.work > GIVEN * self.turned
    }
}

/// That of the bodies of a contact that moves.
fn of_group(space: &ContactSpace, row: &Row) -> usize {
    if space.carriers[row.a as usize].is_movable() { row.a as usize } else { row.b as usize }
}

/// For each carrier the first of all that push each other together.
fn groups(space: &ContactSpace) -> Vec<u32> {
    let mut groups: Vec<u32> = (0..space.carriers.len() as u32).collect();
    let first = |groups: &mut Vec<u32>, mut c: u32| {
        while groups[c as usize] != c {
            groups[c as usize] = groups[groups[c as usize] as usize];
            c = groups[c as usize];
        }
        c
    };
    let moves = |c: u32| space.carriers[c as usize].is_movable();
    for row in space.rows.iter().filter(|row| row.impulse != DVec3::ZERO && moves(row.a) && moves(row.b)) {
        let (a, b) = (first(&mut groups, row.a), first(&mut groups, row.b));
        groups[a.max(b) as usize] = a.min(b);
    }
    for c in 0..groups.len() as u32 {
        groups[c as usize] = first(&mut groups, c);
    }
    groups
}

/// These carriers, and all that push them; empty without any.
fn all_driven(space: &ContactSpace, some: impl Iterator<Item = u32>) -> Vec<bool> {
    let mut driven = vec![false; space.carriers.len()];
    some.for_each(|c| driven[c as usize] = true);
    if driven.contains(&true) { spread(space, driven) } else { Vec::new() }
}

/// Whoever pushes somebody that is driven is so, too.
fn spread(space: &ContactSpace, mut driven: Vec<bool>) -> Vec<bool> {
    let moves = |c: u32| space.carriers[c as usize].is_movable();
    loop {
        let mut grown = false;
        for row in space.rows.iter().filter(|row| row.impulse != DVec3::ZERO && moves(row.a) && moves(row.b)) {
            let (a, b) = (row.a as usize, row.b as usize);
            if driven[a] != driven[b] {
                (driven[a], driven[b], grown) = (true, true, true);
            }
        }
        if !grown {
            return driven;
        }
    }
}

/// All blows on the `driven` act where the step begins; if they are not to bounce, they are contacts like any other.
pub fn meet_at_once(
    model: &Model,
    w: &Workspace,
    space: &mut ContactSpace,
    (driven, bounce): (&[bool], bool),
    before: &Carriers,
    h: f64,
) {
    if driven.is_empty() {
        return;
    }
    let is_driven = |c: &u32| driven[*c as usize] && space.carriers[*c as usize].is_movable();
    let chosen: Vec<bool> = space.carrier.iter().map(is_driven).collect();
    let chosen = |f: &Found| chosen[f.first as usize] || chosen[f.second as usize];
    blows::meet_at_once(model, w, space, (&chosen, bounce), before, h);
}
