//! Joints follow when elements become rigid or soft: they hold the same points of the same bodies, which others carry now.
//!
//! Points and axes on a rigid body are known in its principal frame, which a rigid body of other elements does not share: they
//! are taken to the world before the switch, and to the frames of those who carry them after it. Points of a joint that
//! one rigid body now carries are one seat of it: two balls are a hinge along their line, three hold everything; as balls, their
//! rows would depend on each other. A seat whose rigid body is no more moves to the free elements around it, as joints of
//! soft bodies begin. What it bore, and what it knew of its energy, was of other rows and other bodies: both are forgotten.

use crate::model::joint::{JointKind, Side};
use crate::model::seat::{SAME, Seat, carrying};
use crate::model::{Joint, JointState, Model, State};
use glamx::{DQuat, DVec3};

/// A seat, and where its sides were in the world.
type Left = (Seat, [(DVec3, DQuat); 2]);

/// The joints whose carriers change, by their numbers, with their seats as they were.
pub struct Leaving(Vec<(usize, Vec<Left>)>);

/// Notes where joints are on elements that are about to change their carriers.
pub fn leave(model: &Model, state: &State, changes: impl Fn(u32) -> bool) -> Leaving {
    let mut leaving = Vec::new();
    for (k, (joint, memory)) in model.joints.iter().zip(&state.joints).enumerate().filter(|(_, j)| !j.1.broken) {
        let elements = joint.seats(memory).flat_map(|seat| seat.sides).filter_map(|side| side.element);
        if elements.into_iter().any(&changes) {
            let left = joint.seats(memory).map(|seat| (seat, seat.sides.map(|side| side.place(state))));
            leaving.push((k, left.collect()));
        }
    }
    Leaving(leaving)
}

impl Leaving {
    /// Sets the joints on those who carry their points now.
    pub fn settle(self, model: &Model, state: &mut State) {
        for (k, left) in self.0 {
            let (joint, memory) = (&model.joints[k], &state.joints[k]);
            let mut seats = Vec::new();
            for (n, seat) in left.iter().enumerate() {
                let taken = left.iter().enumerate().filter(|(m, _)| *m != n).flat_map(|(_, l)| l.0.sides);
                let taken: Vec<u32> = taken.filter_map(|side| side.element).collect();
                seats.extend(anew((joint, memory), seat, &taken, model, state));
            }
            let seats = merged(joint.kind, memory.coordinate, seats, state);
            let memory = &mut state.joints[k];
            *memory = JointState {
                command: memory.command,
                coordinate: memory.coordinate,
                speed: memory.speed,
                force: memory.force,
                torque: memory.torque,
                seats,
                ..JointState::default()
            };
        }
    }
}

/// A seat on those who carry its elements now; others of its joint have `taken` some elements.
fn anew(joint: (&Joint, &JointState), left: &Left, taken: &[u32], model: &Model, state: &State) -> Vec<Seat> {
    let (seat, [(a, axes_a), (b, axes_b)]) = *left;
    // Free elements have no axes of their own.
    let had_axes = seat.sides.map(|side| side.rigid || side.element.is_none());
    let axes = [if had_axes[0] { axes_a } else { axes_b }, if had_axes[1] { axes_b } else { axes_a }];
    let left = (seat, [(a, axes[0]), (b, axes[1])]);
    if !seat.sides.iter().any(|side| side.is_torn_off(state)) {
        let [a, b] = [0, 1].map(|k| Side::on(seat.sides[k].element, left.1[k].0, axes[k], state));
        return vec![Seat { sides: [a, b], ..seat }];
    }
    spread(joint, &left, taken, model, state).unwrap_or_else(|| vec![torn_off(&left, state)])
}

/// A seat that nobody can carry. It remembers where it was from its elements: they may become rigid again before they move.
fn torn_off((seat, left): &Left, state: &State) -> Seat {
    let sides = [0, 1].map(|k| {
        let (side, (point, axes)) = (seat.sides[k], left[k]);
        let on = Side::on(side.element, point, axes, state);
        let from = side.element.map_or(point, |e| point - state.position.get(e as usize));
        if side.is_torn_off(state) { Side { at: from, rigid: true, ..on } } else { on }
    });
    Seat { sides, ..*seat }
}

/// Seats on free elements in place of one whose rigid body is no more; `None` if they cannot hold what it held.
fn spread(
    (joint, memory): (&Joint, &JointState),
    (seat, left): &Left,
    taken: &[u32],
    model: &Model,
    state: &State,
) -> Option<Vec<Seat>> {
    let (soft, other) = if seat.sides[0].is_free(state) { (0, 1) } else { (1, 0) };
    let first = seat.sides[soft].element?;
    let free_too = seat.sides[other].is_free(state);
    if seat.kind == JointKind::Slider || (joint.has_drive(memory) && (free_too || seat.kind == JointKind::Hinge)) {
        return None;
    }
    let body = &model.bodies[model.elements.body[first as usize].0 as usize];
    let own: Vec<u32> = body.elements.iter().copied().filter(|e| !taken.contains(e)).collect();
    let elements = carrying(seat.kind, first, left[soft].1 * DVec3::X, &own, state)?;
    if elements.iter().any(|&e| model.is_half_held(e)) || (free_too && is_half_held(&seat.sides[other], model)) {
        return None;
    }
    elements.into_iter().map(|e| moved_to(e, (seat, left), (soft, other), model, state)).collect()
}

fn is_half_held(side: &Side, model: &Model) -> bool {
    side.element.is_some_and(|e| model.is_half_held(e))
}

/// The seat with one side on a free element, and the other moved by the same way, if it can be.
fn moved_to(
    e: u32,
    (seat, left): (&Seat, &[(DVec3, DQuat); 2]),
    (soft, other): (usize, usize),
    model: &Model,
    state: &State,
) -> Option<Seat> {
    let place = state.position.get(e as usize);
    let kind = if seat.kind == JointKind::Distance { seat.kind } else { JointKind::Ball };
    let across = if kind == JointKind::Distance { left[other].0 - left[soft].0 } else { DVec3::ZERO };
    let (side, (_, axes)) = (seat.sides[other], left[other]);
    let mut sides = [Side::on(Some(e), place, left[soft].1, state); 2];
    sides[other] = Side::on(side.element, place + across, axes, state);
    let gap = sides[other].place(state).0.distance(place + across);
    let apart = gap > SAME * model.elements.radius[e as usize];
    match kind {
        JointKind::Distance if apart => Some(Seat { kind, sides, length: sides[other].place(state).0.distance(place) }),
        JointKind::Distance => Some(Seat { kind, sides, ..*seat }),
        _ if apart || (seat.kind != kind && side.is_free(state)) => None,
        _ => Some(Seat { kind, sides, ..*seat }),
    }
}

/// The seats of a joint, those as one that the same two rigid bodies carry.
fn merged(kind: JointKind, coordinate: f64, mut seats: Vec<Seat>, state: &State) -> Vec<Seat> {
    let all = seats.len();
    let mut found = Vec::new();
    while let Some(first) = seats.first().copied() {
        let bodies = first.bodies(state);
        let like = |seat: &Seat| bodies.is_some() && seat.bodies(state) == bodies;
        let (same, others): (Vec<Seat>, Vec<Seat>) = seats[1..].iter().partition(|seat| like(seat));
        found.push(match same.last() {
            None => first,
            // Two of three points hold a line.
            Some(last) if same.len() + 1 < all => one(JointKind::Hinge, 0.0, (&first, last), state),
            Some(_) => one(kind, coordinate, (&first, &same[0]), state),
        });
        seats = others;
    }
    found
}

/// One seat in place of several, of which two are given: at the first, with its axis through both, and the coordinate that the
/// joint had when its coordinate was last known.
fn one(kind: JointKind, coordinate: f64, (first, second): (&Seat, &Seat), state: &State) -> Seat {
    let [(a, _), (b, axes)] = first.sides.map(|side| side.place(state));
    let old = axes * DVec3::X;
    let line = (second.sides[1].place(state).0 - b).try_normalize().unwrap_or(old);
    let axis = if line.dot(old) < 0.0 { -line } else { line };
    let axes_b = (DQuat::from_rotation_arc(old, axis) * axes).normalize();
    let axes_a = (DQuat::from_axis_angle(axis, coordinate) * axes_b).normalize();
    let [on_a, on_b] = first.sides.map(|side| side.element);
    Seat { kind, sides: [Side::on(on_a, a, axes_a, state), Side::on(on_b, b, axes_b, state)], ..*first }
}
