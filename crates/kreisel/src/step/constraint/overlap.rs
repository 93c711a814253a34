//! Overlap is taken out by position only, before the step begins.
//!
//! The smallest shift in the mass metric with `φ + J δ ≥ 0` for every contact: a frictionless problem of the same form as
//! that of the velocities. Angular momenta of the bodies stay as they are; the centres of two bodies that are pushed apart
//! move on one line with their contact, so that `Σ m δ = 0`. What that does to the angular momentum of both together is given back
//! (`recoil`).

mod push;
mod recoil;
mod shift;
mod visits;

pub use shift::shift;

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::groups::{Group, stirred};
use crate::contact::constraint::halves::{self, Bodies, Half, Noted};
use crate::contact::constraint::momentum::{Momentum, Swept};
use crate::contact::constraint::row::Row;
use crate::linear::room;
use crate::model::{Model, State};
use crate::step::constraint::space::{ContactSpace, Found};
use crate::step::flow::Flow;
use crate::step::workspace::Workspace;
use glamx::{DMat3, DVec3};
use push::Push;
use visits::Visits;

/// Overlap below this share of the size of the smallest body is left [1].
const LEAST: f64 = 1e-6;
/// What may be left of the deepest overlap [1].
const LEFT: f64 = 0.05;
/// Contacts with gaps of so many times the deepest overlap are watched.
const NEAR: f64 = 4.0;
/// Passes over all overlaps at most; what they leave is taken out in the next step.
const MOST_SWEEPS: u32 = 12;
/// The same where a step would end with serious overlap, a larger share of the size of the smallest body than this [1].
const MORE_SWEEPS: u32 = 40;
/// Sweeps that leave more than this share of the deepest overlap get nowhere [1]: heavy bodies press on light ones, and momentum has to help, with
/// so many sweeps at most.
const HARDLY: f64 = 0.25;
const UNLIKE: f64 = 10.0;
const MOST_PRESSED: u32 = 200;
const SERIOUS: f64 = 1e-3;
/// Nobody is turned farther than this to come apart [rad], but shifted: one end of a rod rises only as long as the other does not
/// come down.
const MOST_TURN: f64 = 0.2;
/// Bodies are deep in each other if they overlap by this share of half the width of the thinner one [1].
const DEEP: f64 = 0.02;

/// Takes out the overlap of all contacts found; gaps and points are brought up to date.
pub fn separate(model: &Model, state: &mut State, w: &Workspace, space: &mut ContactSpace, flow: &mut Flow) {
    let gaps: Vec<f64> = space.found.iter().map(|f| f.touch.gap).collect();
    let deep = space.found.iter().filter(|f| is_serious(space, f)).flat_map(|f| [f.first, f.second]);
    space.parted = deep.collect();
    space.parted.sort_unstable();
    part(model, state, w, space, (&gaps, MOST_SWEEPS), flow);
}

/// True if two are so deep in each other that normals and gaps say little of how they come apart.
pub fn is_serious(space: &ContactSpace, f: &Found) -> bool {
    f.touch.gap < -SERIOUS * space.size()
}

/// Takes out serious overlap that a step of size `h` would end with, because its solver has left as much as `residual` [m/s]: not
/// after it, when everybody has seen it, but before. The rows have done their work then. What is not serious is taken out when
/// the next step begins.
pub fn forestall(
    model: &Model,
    state: &mut State,
    w: &Workspace,
    space: &mut ContactSpace,
    (residual, h): (f64, f64),
    flow: &mut Flow,
) {
    let gap = |(f, row): (&Found, &Row)| {
        let way = h * row.normal.dot(row.world_velocity(&space.carriers));
        (f.touch.gap + way).max(h * row.bias + way)
    };
    let serious = SERIOUS * space.size();
    let may_be = residual * h > serious;
    let gaps: Vec<f64> = space.found.iter().zip(&space.rows).filter(|_| may_be).map(gap).collect();
    space.rows.clear();
    if gaps.iter().any(|gap| *gap < -serious) {
        // They make room for the problem of the overlap, while the records of contacts of two steps are there.
        space.rows = Vec::new();
        part(model, state, w, space, (&gaps, MORE_SWEEPS), flow);
    }
}

/// Takes out the overlap of all contacts found, where bodies are at the end of a step.
pub fn separate_at_end(model: &Model, state: &mut State, w: &Workspace, space: &mut ContactSpace, flow: &mut Flow) {
    let gaps: Vec<f64> = space.found.iter().map(|f| f.touch.gap).collect();
    part(model, state, w, space, (&gaps, MORE_SWEEPS), flow);
}

/// Moves bodies apart until no gap is negative, or sweeps are used up.
fn part(
    model: &Model,
    state: &mut State,
    w: &Workspace,
    space: &mut ContactSpace,
    (gaps, most): (&[f64], u32),
    flow: &mut Flow,
) {
    let least = LEAST * space.size();
    let deepest = -gaps.iter().copied().fold(f64::INFINITY, f64::min) - least;
    if deepest <= 0.0 || gaps.is_empty() {
        return;
    }
    let spare = std::mem::take(&mut space.spare);
    let mut moved = apart(space, (gaps, deepest), most, (spare, &[]));
    let far: Vec<bool> = moved.iter().map(|c| c.spin.length() > MOST_TURN).collect();
    if far.contains(&true) {
        moved = apart(space, (gaps, deepest), most, (moved, &far));
    }
    moderate(space, &mut moved);
    shift(model, state, w, space, &moved, flow);
    space.spare = moved;
}

/// Shifts and turns, as velocities and spins, that move bodies apart; those that are `straight` do not turn. They are made where
/// `moved` has its room.
fn apart(
    space: &ContactSpace,
    (gaps, deepest): (&[f64], f64),
    most: u32,
    (mut moved, straight): (Carriers, &[bool]),
) -> Carriers {
    moved.copy_from(&space.carriers);
    moved.stop();
    let unturned = moved.iter_mut().zip(straight).filter(|(_, straight)| **straight);
    unturned.for_each(|(c, _)| c.inverse_inertia = DMat3::ZERO);
    let mut rows = pushes(space, &moved, gaps, deepest);
    let halves = InHalves::new(&mut rows, &mut moved);
    let (mut change, mut visits) = (f64::INFINITY, Visits::new(&moved));
    for _ in 0..most {
        change = match &halves {
            Some(halves) => halves.relax(&mut rows, &mut moved),
            None => visits.relax(&mut rows, &mut moved),
        };
        if change <= LEFT * deepest {
            break;
        }
    }
    if change > HARDLY * deepest && are_unlike(&rows) && !press(&mut rows, &mut moved, LEFT * deepest) {
        even_out(&mut rows, &mut moved);
        press(&mut rows, &mut moved, LEFT * deepest);
    }
    if let Some(halves) = halves {
        halves::bring(&mut moved, halves.order);
    }
    moved
}

/// True if some contacts give way far more easily than others: heavy bodies press on light ones.
fn are_unlike(rows: &[Push]) -> bool {
    let (least, most) =
        rows.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), row| (low.min(row.mobility), high.max(row.mobility)));
    most > UNLIKE * least
}

/// Begins anew with masses that are less unlike, where sweeps do not get there with those that bodies have: nobody counts as lighter than
/// a tenth of the heaviest. Who is moved how far is no question of mechanics then, and centres of mass do not stay where they are to
/// the last bit; heavy bodies that sink through light ones would be worse.
fn even_out(rows: &mut [Push], moved: &mut Carriers) {
    if rows.iter().any(|row| row.seated.is_some()) {
        return;
    }
    let heaviest = moved.iter().map(|c| c.inverse_mass).filter(|w| *w > 0.0).fold(f64::INFINITY, f64::min);
    for c in moved.iter_mut().filter(|c| c.inverse_mass > 0.0) {
        let share = (UNLIKE * heaviest / c.inverse_mass).min(1.0);
        (c.inverse_mass, c.inverse_inertia) = (c.inverse_mass * share, c.inverse_inertia * share);
        (c.velocity, c.spin) = (DVec3::ZERO, DVec3::ZERO);
    }
    for row in rows {
        let side =
            |k: u32, turn: DVec3| moved[k as usize].inverse_mass + turn.dot(moved[k as usize].inverse_inertia * turn);
        (row.mobility, row.push) = (side(row.a, row.turn_a) + side(row.b, row.turn_b), 0.0);
    }
}

/// Goes on with momentum until nobody moves farther than `enough` in a sweep [m], or sweeps are used up; true if it got there.
fn press(rows: &mut [Push], moved: &mut Carriers, enough: f64) -> bool {
    let mut momentum = Momentum::default();
    let mut came: Vec<f64> = rows.iter().map(|row| row.push).collect();
    for _ in 0..MOST_PRESSED {
        let mut swept = Swept::default();
        for (row, came) in rows.iter_mut().zip(&came) {
            let from = row.push;
            let way = row.relax(moved);
            swept.largest = swept.largest.max(way);
            swept.change += (row.push - from).abs() * way;
            swept.back += (from - row.push) * (row.push - came);
        }
        if swept.largest <= enough {
            return true;
        }
        let share = momentum.share(swept);
        for (row, came) in rows.iter_mut().zip(&mut came) {
            let more = (row.push - *came) * share;
            *came = row.push;
            row.give(more, moved);
        }
    }
    for row in rows {
        row.relax(moved);
    }
    false
}

/// Half the extent of the box around a collider, along the axis that `of` picks [m]: infinite for planes.
fn half_extent(space: &ContactSpace, k: usize, of: fn(DVec3) -> f64) -> f64 {
    let (low, high) = space.boxes[k];
    0.5 * of(high - low) - space.reach[k]
}

/// Half the width of the thinner of two bodies that may touch [m].
pub fn thinner(space: &ContactSpace, f: &Found) -> f64 {
    let half = |k: u32| half_extent(space, k as usize, DVec3::min_element);
    if space.is_on_skin(f) { half(f.first) } else { half(f.first).min(half(f.second)) }
}

/// Contacts that are still deeper than a share of the thinner of both.
pub fn deep(space: &ContactSpace) -> Vec<u32> {
    let is_deep = |f: &Found| f.touch.gap < 0.0 && f.touch.gap < -DEEP * thinner(space, f);
    (0..).zip(&space.found).filter(|(_, f)| is_deep(f)).map(|(k, _)| k).collect()
}

/// Nobody is moved farther than its own size in a step: many that are in one place push each other out along normals that hold
/// for small ways only. All by the same share, so that centres of mass stay where they are.
fn moderate(space: &ContactSpace, moved: &mut Carriers) {
    let mut share: f64 = 1.0;
    for (k, &c) in space.carrier.iter().enumerate().take(space.boxes.len()) {
        let (size, way) = (half_extent(space, k, DVec3::max_element), &moved[c as usize]);
        let way = moved.point_velocity(c, DVec3::ZERO).length() + way.spin.length() * size;
        if way > size {
            share = share.min(size / way);
        }
    }
    if share < 1.0 {
        moved.iter_mut().for_each(|c| (c.velocity, c.spin) = (c.velocity * share, c.spin * share));
    }
}

/// The contacts that may have to be moved apart: those that are near enough, and lean on some that overlap.
fn pushes(space: &ContactSpace, carriers: &Carriers, gaps: &[f64], deepest: f64) -> Vec<Push> {
    let least = LEAST * space.size();
    let near: Vec<(&Found, f64)> =
        space.found.iter().zip(gaps).filter(|f| *f.1 < NEAR * deepest).map(|(f, gap)| (f, gap + least)).collect();
    let pairs: Vec<(u32, u32)> = near.iter().map(|(f, _)| space.sides(f).into()).collect();
    let moves = stirred(&pairs, &space.carriers, &|k| near[k].1 < 0.0);
    let mut pushes = Vec::with_capacity(room(moves.iter().filter(|moves| **moves).count()));
    let some = near.iter().zip(moves).filter(|(_, moves)| *moves);
    pushes.extend(some.map(|((f, gap), _)| Push::new(space, carriers, f, *gap)));
    pushes
}

/// A large problem cut in halves: its carriers are in an order of its own, those that move first.
struct InHalves {
    half: Half,
    /// Which carrier lies where.
    order: Vec<u32>,
}

impl InHalves {
    /// Brings rows and carriers into order. None if they are few, or if spheres on seats are among them.
    fn new(rows: &mut [Push], moved: &mut Carriers) -> Option<Self> {
        let (movers, held): (Vec<u32>, Vec<u32>) =
            (0..moved.len() as u32).partition(|&c| moved[c as usize].is_movable());
        let mut group = Group { contacts: (0..rows.len() as u32).collect(), carriers: movers, half: None };
        let half = halves::cut(&mut group, &|k| (rows[k as usize].a, rows[k as usize].b), moved)?;
        let order: Vec<u32> = group.carriers.into_iter().chain(held).collect();
        let mut number = vec![0; moved.len()];
        (0..).zip(&order).for_each(|(k, &c)| number[c as usize] = k);
        let mut place = vec![0; rows.len()];
        (0..).zip(&group.contacts).for_each(|(k, &c)| place[c as usize] = k);
        halves::bring(rows, place);
        rows.iter_mut().for_each(|row| (row.a, row.b) = (number[row.a as usize], number[row.b as usize]));
        halves::bring(moved, number);
        Some(Self { half, order })
    }

    /// Each contact once; how far the one that moved most did [m].
    fn relax(&self, rows: &mut [Push], moved: &mut Carriers) -> f64 {
        let relax = |row: &mut Push, (): &mut (), bodies: &mut Bodies| row.relax_in(bodies);
        let notes = &mut vec![(); rows.len()];
        halves::visit(&self.half, Noted { contacts: rows, notes }, moved, false, &relax).largest
    }
}
