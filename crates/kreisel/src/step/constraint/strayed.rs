//! Bodies that move or turn far in a step come to lie elsewhere than the law has seen, and are moved out of what they have come into.
//!
//! The law keeps points apart that move on straight lines, `φ + h J v ≥ 0`. A point at the distance `r` from the centre of a body that
//! turns by `θ` ends `½ r θ²` off that line, and other points come to lie below it: a rod that falls on its end at 60 Hz turns by more
//! than a radian in the next step, and ends half in the ground. Who tumbles over another's rim touches with one place when a step begins, and
//! with a second, which had no gap before, when it ends. The next step would take that out when it begins, after everybody has seen it. So
//! those that go so far are looked at where they end, and shifted, without turning them back.

use crate::collide::shapes::{bounds, touch};
use crate::contact::constraint::carriers::Carrier;
use crate::model::{Model, State};
use crate::step::constraint::detect::may_meet;
use crate::step::constraint::space::{ContactSpace, Found};
use crate::step::constraint::{detect, overlap};
use crate::step::flow::Flow;
use crate::step::workspace::Workspace;
use glamx::{DMat3, DVec3};

/// Who leaves its straight lines by more than this share of half its width is looked at [1].
const ASTRAY: f64 = 0.04;
/// So is who has moved, been shifted or turned by more than this share of its width: it may touch with another place then than the law has seen [1].
const ELSEWHERE: f64 = 0.1;
/// Shifts at most: normals of deep overlap hold for small ways only, and who is shifted may be shifted into somebody else.
const MOST_ROUNDS: u32 = 8;

/// How bodies that have gone far end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parted {
    /// None had come into another.
    Apart,
    /// Those that had are out again.
    Shifted,
    /// Some are still deep in each other.
    No,
}

/// Moves those that have gone far in the step that ends out of others, by position only.
pub fn part(model: &Model, state: &mut State, w: &mut Workspace, h: f64, flow: &mut Flow) -> Parted {
    if !model.contact.enabled {
        return Parted::Apart;
    }
    let mut space = std::mem::take(&mut w.contact_space);
    let far = gone_far(model, state, &space, h);
    let mut parted = Parted::Apart;
    if far.contains(&true) {
        let found = std::mem::take(&mut space.found);
        parted = shift_out(model, state, w, &mut space, far, flow);
        space.found = found;
    }
    w.contact_space = space;
    parted
}

/// Shifts colliders that are marked, and whom they come to lie in, until none is deep in another, or rounds are used up.
fn shift_out(
    model: &Model,
    state: &mut State,
    w: &Workspace,
    space: &mut ContactSpace,
    mut marked: Vec<bool>,
    flow: &mut Flow,
) -> Parted {
    for round in 0..=MOST_ROUNDS {
        take_places(model, state, w, space);
        space.found = look(model, state, w, space, &marked);
        if overlap::deep(space).is_empty() {
            return if round == 0 { Parted::Apart } else { Parted::Shifted };
        }
        if round == MOST_ROUNDS {
            break;
        }
        let places: Vec<DVec3> = state.aggregates.iter().map(|a| a.position).collect();
        overlap::separate_at_end(model, state, w, space, flow);
        let is_shifted = |c: u32| state.aggregates.get(c as usize).is_some_and(|a| a.position != places[c as usize]);
        marked.iter_mut().zip(&space.carrier).for_each(|(marked, &c)| *marked |= is_shifted(c));
    }
    Parted::No
}

/// Which colliders have moved or turned far.
fn gone_far(model: &Model, state: &State, space: &ContactSpace, h: f64) -> Vec<bool> {
    let has_gone = |k: usize| {
        let carrier = space.carrier[k] as usize;
        let Some(a) = state.aggregates.get(carrier).filter(|_| space.carriers[carrier].is_movable()) else {
            return false;
        };
        let angle = (h * a.spin().length()).min(2.0);
        let (reach, (low, high)) = (space.reach[k], space.boxes[k]);
        let (low, high) = (low + reach, high - reach);
        let width = (high - low).min_element();
        let turned = detect::far(model, space, k, (low, high)) * angle;
        h * a.velocity.length() + turned + space.shifted[k] > ELSEWHERE * width || turned * angle > ASTRAY * width
    };
    (0..model.colliders.len().min(space.boxes.len())).map(has_gone).collect()
}

/// Bodies and shapes are where the step has led them; none turns.
fn take_places(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace) {
    for (carrier, a) in space.carriers.iter_mut().zip(&state.aggregates) {
        *carrier = Carrier { position: a.position, inverse_inertia: DMat3::ZERO, ..*carrier };
    }
    detect::place(model, state, w, space);
}

/// Where those that are marked are in others now.
fn look(model: &Model, state: &State, w: &Workspace, space: &ContactSpace, marked: &[bool]) -> Vec<Found> {
    let (mut touches, mut now) = (Vec::new(), Vec::new());
    for (first, second) in near(model, space, marked) {
        if may_meet(model, state, w, space, first, second) {
            touches.clear();
            let pose = |k: u32| &space.poses[k as usize];
            touch(space.shape(model, first), pose(first), space.shape(model, second), pose(second), 0.0, &mut touches);
            now.extend(touches.iter().map(|&touch| Found { first, second, touch }));
        }
    }
    now
}

/// Pairs of exact shapes whose boxes meet and of which one is marked, in order. Boxes are swept along x: who is pushed far may be with others than
/// the law has looked for.
fn near(model: &Model, space: &ContactSpace, marked: &[bool]) -> Vec<(u32, u32)> {
    let exact = model.colliders.len() + space.world.len();
    let boxes: Vec<_> = (0..exact).map(|k| bounds(space.shape(model, k as u32), &space.poses[k])).collect();
    let (low, high) = (|k: u32| boxes[k as usize].0, |k: u32| boxes[k as usize].1);
    let is_marked = |k: u32| marked.get(k as usize).is_some_and(|marked| *marked);
    let mut order: Vec<u32> = (0..exact as u32).collect();
    order.sort_unstable_by(|&i, &j| low(i).x.total_cmp(&low(j).x).then(i.cmp(&j)));
    let (mut open, mut pairs): (Vec<u32>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
    for i in order {
        open.retain(|&j| high(j).x >= low(i).x);
        let meets =
            |j: u32| (is_marked(i) || is_marked(j)) && low(i).cmple(high(j)).all() && low(j).cmple(high(i)).all();
        pairs.extend(open.iter().filter(|&&j| meets(j)).map(|&j| (i.min(j), i.max(j))));
        open.push(i);
    }
    pairs.sort_unstable();
    pairs
}
