//! The velocity filter `C`: what fixes hold, and what has no inertia, does not change.
//!
//! `C` is an orthogonal projection, so that `C A C` stays symmetric. Held members of an aggregate take away directions of
//! its six velocities; so does an axis about which it has no inertia.

use crate::linear::Vectors;
use crate::linear::eigen::outer;
use crate::model::{Aggregate, FREE, Model, State};
use crate::step::implicit::pose::Start;
use crate::step::implicit::scheme::Scheme;
use crate::step::implicit::slots::Slots;
use crate::step::support::{rigid_mean, target};
use glamx::{DMat3, DVec3};
use std::borrow::Cow;

/// A direction of an aggregate's six velocities that is held, of unit length, and the speed along it.
#[derive(Clone, Copy, Debug)]
struct Direction {
    linear: DVec3,
    angular: DVec3,
    speed: f64,
}

impl Direction {
    fn dot(&self, v: DVec3, w: DVec3) -> f64 {
        self.linear.dot(v) + self.angular.dot(w)
    }
}

/// What is held.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Held free elements: 1 for each direction that is free, and the velocity of the others [m/s].
    elements: Vec<(u32, DVec3, DVec3)>,
    /// Held directions of aggregates.
    bodies: Vec<(u32, Vec<Direction>)>,
}

/// What is held in all directions is so many times as stiff as what is held in some [1]: `W` is then a million millionth, less than what
/// `linear/cone/feasible` takes for a way out.
const FIRMER: f64 = 1e6;
/// Freedoms of a rigid body.
const FREEDOMS: usize = 6;
/// What is left of a direction after those before it counts as none below this share, squared.
const DEPENDENT: f64 = 1e-10;

impl Filter {
    /// The fixes of a model over a step from time `t`.
    pub fn new(model: &Model, state: &State, start: &Start, t: f64, scheme: &Scheme) -> Self {
        let mut filter = Self::default();
        let mean = |e: usize, hold: &crate::model::world::Hold| {
            (target(model, hold, t + scheme.h) - start.position.get(e)) / scheme.h
        };
        for hold in model.holds.iter().filter(|h| state.owner[h.element as usize] == FREE) {
            let free = DVec3::from_array(hold.axes.map(|held| if held { 0.0 } else { 1.0 }));
            filter.elements.push((hold.element, free, mean(hold.element as usize, hold)));
        }
        for (a, body) in start.bodies.iter().enumerate() {
            let (mut held, mut chords) = (idle_directions(body), Vec::new());
            for (k, &e) in body.elements.iter().enumerate() {
                let Ok(h) = model.holds.binary_search_by_key(&e, |h| h.element) else { continue };
                let hold = &model.holds[h];
                let (arm, v) = (body.orientation * body.local[k], mean(e as usize, hold));
                if hold.axes == [true; 3] {
                    chords.push((arm, v));
                }
                for (axis, unit) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
                    if hold.axes[axis] {
                        let row = Direction { linear: unit, angular: arm.cross(unit), speed: v[axis] };
                        add_direction(&mut held, row);
                    }
                }
            }
            if let Some((v, spin)) = rigid_mean(&chords).filter(|_| held.len() == FREEDOMS) {
                held.iter_mut().for_each(|d| d.speed = d.dot(v, spin));
            }
            if !held.is_empty() {
                filter.bodies.push((a as u32, held));
            }
        }
        filter
    }

    /// Sets the held components of a change of velocities to what the fixes prescribe.
    pub fn prescribe(&self, slots: &Slots, start: &Start, scheme: &Scheme, du: &mut Vectors) {
        for &(e, free, v) in &self.elements {
            let (e, old) = (e as usize, start.velocity.get(e as usize));
            du.set(e, du.get(e) * free + (v - old) * ((1.0 - free) / scheme.share));
        }
        for (a, held) in &self.bodies {
            let (v, w) = (slots.velocity(*a as usize), slots.spin(*a as usize));
            let (old_v, old_w) = (start.bodies[*a as usize].velocity, start.spin[*a as usize]);
            for d in held {
                let missing = (d.speed - d.dot(old_v, old_w)) / scheme.share - d.dot(du.get(v), du.get(w));
                du.add(v, d.linear * missing);
                du.add(w, d.angular * missing);
            }
        }
    }

    /// `C u`.
    pub fn apply(&self, slots: &Slots, u: &mut Vectors) {
        for &(e, free, _) in &self.elements {
            u.set(e as usize, u.get(e as usize) * free);
        }
        for (a, held) in &self.bodies {
            let (v, w) = (slots.velocity(*a as usize), slots.spin(*a as usize));
            // What rounding leaves of a body that cannot move is all there is to solve for where nothing else moves.
            if held.len() == FREEDOMS {
                u.set(v, DVec3::ZERO);
                u.set(w, DVec3::ZERO);
                continue;
            }
            for d in held {
                let share = d.dot(u.get(v), u.get(w));
                u.add(v, d.linear * -share);
                u.add(w, d.angular * -share);
            }
        }
    }

    /// `C u`, the same field if there is nothing to be taken from it.
    pub fn applied<'a>(&self, slots: &Slots, u: &'a Vectors) -> Cow<'a, Vectors> {
        let still = |&(e, free, _): &(u32, DVec3, DVec3)| u.get(e as usize) * (1.0 - free) == DVec3::ZERO;
        if self.bodies.is_empty() && self.elements.iter().all(still) {
            return Cow::Borrowed(u);
        }
        let mut filtered = u.clone();
        self.apply(slots, &mut filtered);
        Cow::Owned(filtered)
    }

    /// Blocks that make what is held as stiff as `stiff` [kg]: a matrix with them moves as `C A C` does, to first order in `1/stiff`. Bodies that
    /// are held in some directions are no stiffer, or nothing would be left of the others but rounding; where that is not to be feared, what
    /// is held is so firm that nobody takes it for something that gives way.
    pub fn each_held_block(&self, slots: &Slots, stiff: f64, take: &mut dyn FnMut(u32, u32, DMat3)) {
        for &(e, free, _) in &self.elements {
            take(e, e, DMat3::from_diagonal((1.0 - free) * (FIRMER * stiff)));
        }
        for (a, held) in &self.bodies {
            let (v, w) = (slots.velocity(*a as usize) as u32, slots.spin(*a as usize) as u32);
            let stiff = if held.len() == FREEDOMS { FIRMER * stiff } else { stiff };
            for d in held {
                take(v, v, outer(d.linear, d.linear) * stiff);
                take(v, w, outer(d.linear, d.angular) * stiff);
                take(w, w, outer(d.angular, d.angular) * stiff);
            }
        }
    }

    /// Held free elements, and the directions in which each is free (1) or held (0).
    pub fn held_elements(&self) -> impl Iterator<Item = (usize, DVec3)> + '_ {
        self.elements.iter().map(|&(e, free, _)| (e as usize, free))
    }
}

/// Axes about which an aggregate has no inertia cannot be turned about.
fn idle_directions(body: &Aggregate) -> Vec<Direction> {
    let inverse = body.inverse_moments();
    let axes = [(DVec3::X, inverse.x), (DVec3::Y, inverse.y), (DVec3::Z, inverse.z)];
    let idle = axes.into_iter().filter(|axis| axis.1 == 0.0);
    idle.map(|axis| Direction { linear: DVec3::ZERO, angular: body.orientation * axis.0, speed: 0.0 }).collect()
}

/// Gram and Schmidt; a direction that follows from those before it adds nothing.
fn add_direction(held: &mut Vec<Direction>, mut row: Direction) {
    let size = row.linear.length_squared() + row.angular.length_squared();
    for d in held.iter() {
        let share = d.dot(row.linear, row.angular);
        row.linear -= d.linear * share;
        row.angular -= d.angular * share;
        row.speed -= d.speed * share;
    }
    let left = row.linear.length_squared() + row.angular.length_squared();
    if held.len() < FREEDOMS && left > DEPENDENT * size {
        let s = 1.0 / left.sqrt();
        held.push(Direction { linear: row.linear * s, angular: row.angular * s, speed: row.speed * s });
    }
}
