//! Where shapes touch, or may do so within the step.

use crate::collide::shapes::{Pose, bounds, touch, touch_soon};
use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::touch::Touch as Sphere;
use crate::linear::{is_roomy, room};
use crate::model::apart::are_apart;
use crate::model::setup::Integrator;
use crate::model::shape::Shape;
use crate::model::{Model, State};
use crate::step::constraint::space::{ContactSpace, Found, Kind, Last};
use crate::step::constraint::{ahead, blows, joints, rubbing, skins, sleep};
use crate::step::search::may_touch;
use crate::step::workspace::Workspace;
use glamx::{DQuat, DVec3};
use rayon::prelude::*;
use std::collections::VecDeque;

/// More than a pair of shapes has places where it touches, as a rule.
const FEW: usize = 16;
/// Pairs that a thread looks at at a time.
const PIECE: usize = 512;
/// Fewer boxes than this are compared with all others where they have grown: to sort all anew takes longer.
const FEW_GROWN: usize = 32;
/// A body is pushed about by neighbours that may come so many times as far as itself.
const JOSTLED: f64 = 2.0;

/// Fills the carriers, the poses of all colliders, and the list of what touches within a step of size `h`.
pub fn detect(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace, h: f64) {
    space.refresh(model, state, w);
    blows::forget(space);
    fill_carriers(model, state, w, space);
    joints::add_riders(model, state, space);
    seat_spheres(model, state, w, space);
    place(model, state, w, space);
    surround(model, space, h);
    find_pairs(model, state, w, space);
    let grown = jostle(space);
    find_farther(model, state, w, space, &grown);
    touch_pairs(model, space, h);
    ahead::look(model, w, space, h);
    skins::touch(model, state, w, space, h);
}

/// True if a step looks again at those whom its solution drives together, as first-order steps do where nothing bounces.
fn looks_again(model: &Model) -> bool {
    matches!(model.integrator, Integrator::ForwardEuler | Integrator::SymplecticEuler) && !blows::bounces(model)
}

/// How near to each other two colliders are looked at [m]; `before` has the velocities when the step begins.
///
/// As far as both may come would always do. But two that fall side by side do not meet, and of two that are stopped or pushed one
/// comes to the other: the farther way of both, or that of their relative velocity, is enough as a rule. The rule is
/// broken where both are driven towards each other: steps that look again find that out. Elements they do not look at.
pub fn margin(model: &Model, space: &ContactSpace, before: &Carriers, (i, j): (u32, u32), h: f64) -> f64 {
    let (i, j) = (i as usize, j as usize);
    let [a, b] = [i, j].map(|k| &before[space.carrier[k] as usize]);
    let (one, other) = (space.reach[i], space.reach[j]);
    if !(looks_again(model) && a.turns && b.turns) {
        return one + other;
    }
    let drawn = h * (a.velocity - b.velocity).length() + space.turning[i] + space.turning[j];
    drawn.max(one).max(other)
}

/// The bodies as the solver sees them, elements that may touch, and the world.
pub fn fill_carriers(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace) {
    space.carriers.list.clear();
    space.carriers.seats.clear();
    for (k, a) in state.aggregates.iter().enumerate() {
        let mut carrier = Carrier { position: a.position, velocity: a.velocity, spin: a.spin(), ..Carrier::WORLD };
        if !w.immovable[k] && !state.sleep.is_asleep(state.epoch, k) {
            carrier.inverse_mass = 1.0 / a.mass;
            carrier.inverse_inertia = a.inverse_inertia();
        }
        space.carriers.list.push(carrier);
    }
    for &e in &space.balls {
        let held = model.holds.binary_search_by_key(&e, |h| h.element).is_ok_and(|h| model.holds[h].axes == [true; 3]);
        space.carriers.list.push(element(model, state, e, held));
    }
    space.carriers.list.push(Carrier::WORLD);
}

/// An element as the solver sees it.
pub fn element(model: &Model, state: &State, e: u32, held: bool) -> Carrier {
    let i = e as usize;
    let inverse_mass = if held { 0.0 } else { 1.0 / model.elements.mass[i] };
    let (position, velocity) = (state.position.get(i), state.velocity.get(i));
    Carrier { position, velocity, inverse_mass, turns: false, ..Carrier::WORLD }
}

/// Seats of the spheres that do not sit on their own element, nor on one rigid body.
fn seat_spheres(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace) {
    let bodies = state.aggregates.len();
    for (k, &e) in space.balls.iter().enumerate() {
        if space.is_borne(model, e) || !w.topology.leans(e) {
            continue;
        }
        let row = Sphere::new(model, e, true, &state.position).row(model);
        let Some(seat) = rubbing::members(state, space, row) else { continue };
        let held = seat.iter().all(|m| !space.carriers[m.carrier as usize].is_movable());
        let Carriers { list, seats } = &mut space.carriers;
        if held {
            list[bodies + k].inverse_mass = 0.0;
        }
        list[bodies + k].seat = seats.len() as u32;
        seats.push(seat);
    }
}

/// Seats and centres of spheres that sit on others, where elements have been shifted since they were found.
pub fn seat_again(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace) {
    if !space.carriers.seats.is_empty() {
        seat_spheres_again(model, state, w, space);
    }
    rubbing::seat(model, state, w, space);
}

fn seat_spheres_again(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace) {
    space.carriers.seats.clear();
    seat_spheres(model, state, w, space);
    let mut found = std::mem::take(&mut space.found);
    for f in &mut found {
        let centres = space.centres(f);
        for (k, old, point) in
            [(f.first, centres[0], &mut f.touch.point_a), (f.second, centres[1], &mut f.touch.point_b)]
        {
            if let (Kind::Ball(k), Some(old)) = (space.kind(model, k), old) {
                let e = space.balls[k];
                *point += Sphere::new(model, e, w.topology.leans(e), &state.position).centre - old;
            }
        }
        f.touch.gap = f.touch.normal.dot(f.touch.point_a - f.touch.point_b);
    }
    space.found = found;
}

/// Fills the poses of all colliders.
pub fn place(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace) {
    space.poses.clear();
    for (c, &carrier) in model.colliders.iter().zip(&space.carrier) {
        let a = &state.aggregates[carrier as usize];
        let position = a.position + a.orientation * c.at;
        space.poses.push(Pose { position, rotation: (a.orientation * c.rotation).normalize() });
    }
    space.poses.extend(space.world.iter().map(|(_, pose)| *pose));
    let centre = |e: &u32| Sphere::new(model, *e, w.topology.leans(*e), &state.position).centre;
    let ball = |e: &u32| Pose { position: centre(e), rotation: DQuat::IDENTITY };
    space.poses.extend(space.balls.iter().map(ball));
}

/// Boxes around the shapes, with room for the way that they make in the step.
fn surround(model: &Model, space: &mut ContactSpace, h: f64) {
    space.boxes.clear();
    space.reach.clear();
    space.turning.clear();
    space.shifted.clear();
    space.shifted.resize(space.poses.len(), 0.0);
    let fall = model.gravity.length() * h;
    for k in 0..space.poses.len() {
        let (low, high) = bounds(space.shape(model, k as u32), &space.poses[k]);
        let carrier = &space.carriers[space.carrier[k] as usize];
        let turning =
            if carrier.spin == DVec3::ZERO { 0.0 } else { carrier.spin.length() * far(model, space, k, (low, high)) };
        let own = if carrier.is_movable() { fall } else { 0.0 };
        let reach = h * (carrier.velocity.length() + turning + own);
        space.turning.push(h * (turning + own));
        space.reach.push(reach);
        space.boxes.push((low - reach, high + reach));
    }
}

/// How far from the centre of its body a shape within these bounds reaches when that turns [m].
pub fn far(model: &Model, space: &ContactSpace, k: usize, (low, high): (DVec3, DVec3)) -> f64 {
    let centre = space.carriers[space.carrier[k] as usize].position;
    // A sphere turns about its middle without anything happening.
    match space.shape(model, k as u32) {
        Shape::Sphere { .. } => (space.poses[k].position - centre).length(),
        _ => (low - centre).abs().max((high - centre).abs()).length(),
    }
}

/// Who is slow may be pushed by a neighbour that is not, and then come as far as that one: boxes grow accordingly, by their own
/// size at most, so that a bullet does not make everybody look at everybody. Those that did.
fn jostle(space: &mut ContactSpace) -> Vec<u32> {
    let mut pushed = space.reach.clone();
    for &(i, j) in &space.pairs {
        for (k, by) in [(i as usize, j as usize), (j as usize, i as usize)] {
            pushed[k] = pushed[k].max(share(space, k, by) * space.reach[by]);
        }
    }
    let mut grown = Vec::new();
    for (k, pushed) in pushed.into_iter().enumerate() {
        let (low, high) = space.boxes[k];
        let own = space.reach[k];
        let most = own.max(0.5 * (high - low).max_element() - own);
        if pushed > JOSTLED * own && most > own {
            let more = pushed.min(most) - own;
            space.reach[k] = own + more;
            space.boxes[k] = (low - more, high + more);
            grown.push(k as u32);
        }
    }
    grown
}

/// The share of the speed of the collider `by` that a blow can give to another, the whole at most: `2 m_b/(m_a + m_b)` if the
/// blow is elastic.
fn share(space: &ContactSpace, k: usize, by: usize) -> f64 {
    let [a, b] = [k, by].map(|k| space.carriers[space.carrier[k] as usize].inverse_mass);
    if a > 0.0 { (2.0 * a / (a + b)).min(1.0) } else { 0.0 }
}

fn find_pairs(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace) {
    // Whoever sleeps is to be woken by a support that moves.
    let sleepers = state.sleep.count(state.epoch) > 0;
    let comes = |c: &Carrier| c.is_movable() || (sleepers && sleep::moves(c));
    let movable: Vec<bool> =
        space.carrier[..space.boxes.len()].iter().map(|&c| comes(&space.carriers[c as usize])).collect();
    space.pairs.clear();
    if model.contact.enabled {
        space.broad.update(&space.boxes, &movable, &mut space.pairs);
    }
    let mut pairs = std::mem::take(&mut space.pairs);
    pairs.retain(|&(i, j)| may_meet(model, state, w, space, i, j));
    space.pairs = pairs;
}

/// Adds the pairs of those whose boxes have grown, who can all be moved: a few are compared with everybody.
fn find_farther(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace, grown: &[u32]) {
    if grown.len() > FEW_GROWN {
        return find_pairs(model, state, w, space);
    }
    let mut pairs = std::mem::take(&mut space.pairs);
    for &k in grown {
        let (low, high) = space.boxes[k as usize];
        let meets = |other: &(DVec3, DVec3)| low.cmple(other.1).all() && other.0.cmple(high).all();
        let others = (0..).zip(&space.boxes).filter(|(i, other)| *i != k && meets(other));
        let others = others.map(|(i, _)| (k.min(i), k.max(i)));
        pairs.extend(others.filter(|&(i, j)| may_meet(model, state, w, space, i, j)));
    }
    if !grown.is_empty() {
        pairs.sort_unstable();
        pairs.dedup();
    }
    space.pairs = pairs;
}

/// Shapes of one rigid body do not meet, nor do neighbours among the elements of one body.
pub fn may_meet(model: &Model, state: &State, w: &Workspace, space: &ContactSpace, i: u32, j: u32) -> bool {
    let same = space.carrier[i as usize] == space.carrier[j as usize];
    if same || space.joints.keep_apart(space.body(model, i), space.body(model, j)) {
        return false;
    }
    if !(model.apart.pairs.is_empty() && state.apart.is_empty()) {
        let (a, b) = (space.whose(model, i), space.whose(model, j));
        if are_apart(model, state, a, b) {
            return false;
        }
    }
    match (space.kind(model, i), space.kind(model, j)) {
        (Kind::Ball(a), Kind::Ball(b)) => {
            let (a, b) = (space.balls[a], space.balls[b]);
            let clad = space.skins.cladding.is_clad(a) && space.skins.cladding.is_clad(b);
            may_touch(model, state, &w.topology, clad, a, b)
        }
        _ => true,
    }
}

/// Looks at every pair, many of them in parallel: in pieces of equal size put together in order, so that nobody sees how many
/// threads there were.
fn touch_pairs(model: &Model, space: &mut ContactSpace, h: f64) {
    let mut before = std::mem::take(&mut space.found);
    let mut last = std::mem::take(&mut space.last);
    if last.count != before.len() {
        before.clear();
        last.pairs.clear();
    }
    let found = if space.pairs.len() < 2 * PIECE || rayon::current_num_threads() == 1 {
        touch_some(model, space, &space.pairs, (&last, before), h)
    } else {
        let from = |pair: Option<&(u32, u32)>| match pair {
            Some(pair) => before.partition_point(|f| (f.first, f.second) < *pair),
            None => before.len(),
        };
        let look = |(n, pairs): (usize, &[(u32, u32)])| {
            let own = from(pairs.first())..from(space.pairs.get((n + 1) * PIECE));
            touch_some(model, space, pairs, (&last, before[own].to_vec()), h)
        };
        let pieces: Vec<Vec<Found>> = space.pairs.par_chunks(PIECE).enumerate().map(look).collect();
        let mut found = Vec::with_capacity(room(pieces.iter().map(Vec::len).sum()));
        pieces.into_iter().for_each(|piece| found.extend(piece));
        found
    };
    last.count = found.len();
    last.pairs = std::mem::take(&mut space.pairs);
    last.poses.clone_from(&space.poses);
    last.reach.clone_from(&space.reach);
    if looks_again(model) {
        // How near somebody who moves, or may be pushed, was looked at depends on others, too.
        (0..space.reach.len()).filter(|&k| !is_left_alone(space, k)).for_each(|k| last.reach[k] = f64::NAN);
    }
    (space.found, space.last) = (found, last);
}

/// Looks at some pairs. Two that are where they were, with the same margin, touch as they did the `last` time, `before`: what
/// was found then makes room for what is found now.
fn touch_some(
    model: &Model,
    space: &ContactSpace,
    pairs: &[(u32, u32)],
    (last, before): (&Last, Vec<Found>),
    h: f64,
) -> Vec<Found> {
    let (mut left, mut found) = (before.len(), VecDeque::from(before));
    let mut touches = Vec::new();
    let start = pairs.first().copied().unwrap_or_default();
    let mut known = last.pairs[last.pairs.partition_point(|p| *p < start)..].iter().peekable();
    // Second-order steps find out when a place closes.
    let look = if model.integrator.finds_landings() { touch } else { touch_soon };
    let still = |k: usize| !looks_again(model) || is_left_alone(space, k);
    let same =
        |k: usize| last.poses.get(k) == Some(&space.poses[k]) && last.reach.get(k) == Some(&space.reach[k]) && still(k);
    for &(first, second) in pairs {
        make_room(&mut found);
        let (i, j) = (first as usize, second as usize);
        while known.next_if(|p| **p < (first, second)).is_some() {}
        let stays = known.peek() == Some(&&(first, second)) && same(i) && same(j);
        while left > 0 && (found[0].first, found[0].second) <= (first, second) {
            left -= 1;
            let kept = found.pop_front().filter(|f| stays && (f.first, f.second) == (first, second));
            found.extend(kept);
        }
        if !stays {
            touches.clear();
            let (a, b) = (space.shape(model, first), space.shape(model, second));
            let margin = margin(model, space, &space.carriers, (first, second), h);
            look(a, &space.poses[i], b, &space.poses[j], margin, &mut touches);
            touches.sort_by_key(|t| t.feature);
            found.extend(touches.iter().map(|&touch| Found { first, second, touch }));
        }
    }
    found.drain(..left);
    if is_roomy(found.capacity(), found.len()) {
        found.shrink_to(room(found.len()));
    }
    found.into()
}

/// True if a collider does not move, and nobody that does is near.
fn is_left_alone(space: &ContactSpace, k: usize) -> bool {
    space.carriers[space.carrier[k] as usize].is_still() && space.reach[k] == space.turning[k]
}

/// Room for a few more.
fn make_room(found: &mut VecDeque<Found>) {
    if found.capacity() - found.len() < FEW {
        found.reserve_exact(room(found.len() + FEW) - found.len());
    }
}
