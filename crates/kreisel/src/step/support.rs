//! Aggregates held by their fixed elements: one is a ball joint, several on a line a hinge, three or more fix it.
//!
//! A ball joint that does not move turns the body about the pivot with `L_p = L + r × M v` and the inertia about the
//! pivot: gyroscopic motion is as right as that of a free body. A hinge that does not move has one freedom. Everything
//! else (moving supports, single directions) is a projection of the velocity onto `J u = v_held`, followed by a
//! correction of the pose.

use crate::linear::eigen::{inertia_of_point, principal_frame};
use crate::linear::rotation::{rotate_freely, rotation_between, spin_of};
use crate::model::mapping::Wrench;
use crate::model::motion;
use crate::model::world::Hold;
use crate::model::{Aggregate, Model};
use glamx::{DMat3, DQuat, DVec3};

/// How an aggregate is held.
#[derive(Clone, Debug, Default)]
pub enum Support {
    /// Not at all.
    #[default]
    None,
    /// By one element, in all directions, at rest.
    Ball(Box<Pivot>),
    /// By elements on a line, in all directions, at rest.
    Hinge {
        /// A point of the axis, fixed in the world [m].
        pivot: Box<Pivot>,
        /// Unit vector along the axis.
        axis: DVec3,
    },
    /// In any other way: the held members and their holds.
    Guided(Vec<(u32, Hold)>),
}

/// A point of a body that stays where it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pivot {
    place: DVec3,
    local: DVec3,
    /// Principal moments about the pivot, inverted, and their frame within the body's.
    inverse_moments: DVec3,
    frame: DQuat,
}

impl Support {
    /// Finds out how an aggregate is held.
    pub fn of(model: &Model, aggregate: &Aggregate) -> Self {
        let mut held = Vec::new();
        for (k, &e) in aggregate.elements.iter().enumerate() {
            if let Ok(h) = model.holds.binary_search_by_key(&e, |h| h.element) {
                held.push((k as u32, model.holds[h].clone()));
            }
        }
        let at_rest = held.iter().all(|(_, h)| h.axes == [true; 3] && h.motion.is_none());
        match (held.as_slice(), at_rest) {
            ([], _) => Self::None,
            ([(k, h)], true) => Self::Ball(Box::new(Pivot::new(model, aggregate, *k, h))),
            ([(k, h), .., (_, last)], true) if on_a_line(model, &held) => {
                let (a, b) = (rest_of(model, h), rest_of(model, last));
                Self::Hinge { pivot: Box::new(Pivot::new(model, aggregate, *k, h)), axis: (b - a).normalize() }
            }
            _ => Self::Guided(held),
        }
    }

    /// True if it carries the aggregate along a prescribed motion.
    pub fn moves(&self) -> bool {
        matches!(self, Self::Guided(held) if held.iter().any(|(_, h)| h.motion.is_some()))
    }

    /// Lets the motion meet a support at rest: what it does not allow is gone, as after a blow.
    pub fn meet(&self, a: &mut Aggregate) {
        match self {
            Self::Ball(pivot) => pivot.set_momentum(a, pivot.momentum(a)),
            Self::Hinge { pivot, axis } => {
                pivot.set_spin(a, *axis * pivot.rate_about(a, *axis, pivot.momentum(a)));
            }
            Self::Guided(held) => guide_velocity(a, held, |_| DVec3::ZERO),
            Self::None => {}
        }
    }

    /// True if the aggregate cannot move at all.
    pub fn is_immovable(&self, aggregate: &Aggregate) -> bool {
        match self {
            Self::Guided(held) => rows(aggregate, held, |_, _| 0.0).len() == 6,
            _ => false,
        }
    }

    /// The wrench acts for the time `h` from time `t`.
    pub fn kick(&self, model: &Model, a: &mut Aggregate, w: Wrench, t: f64, h: f64) {
        match self {
            Self::None => {
                a.velocity += w.force * (h / a.mass);
                a.angular_momentum += w.torque * h;
            }
            Self::Ball(pivot) => pivot.set_momentum(a, pivot.momentum(a) + pivot.torque(a, w) * h),
            Self::Hinge { pivot, axis } => {
                let l = pivot.momentum(a) + pivot.torque(a, w) * h;
                pivot.set_spin(a, *axis * pivot.rate_about(a, *axis, l));
            }
            Self::Guided(held) => {
                a.velocity += w.force * (h / a.mass);
                a.angular_momentum += w.torque * h;
                guide_velocity(a, held, chord(model, t, h));
            }
        }
    }

    /// Lets the body move as its support does at the moment `t`.
    pub fn keep_pace(&self, model: &Model, a: &mut Aggregate, t: f64) {
        if let Self::Guided(held) = self {
            guide_velocity(a, held, |hold| {
                let velocity = |m: u32| motion::velocity(&model.motions[m as usize], rest_of(model, hold), t);
                hold.motion.map_or(DVec3::ZERO, velocity)
            });
        }
    }

    /// Puts right the pose and the motion at the end `t` of a step of size `h` that began at `old`.
    pub fn settle(&self, model: &Model, a: &mut Aggregate, old: &Aggregate, t: f64, h: f64) {
        match self {
            Self::None => {}
            Self::Ball(pivot) => {
                let l = pivot.momentum(a);
                a.position = pivot.place - a.orientation * pivot.local;
                pivot.set_momentum(a, l);
            }
            Self::Hinge { pivot, axis } => {
                let l = pivot.momentum(a);
                let turned = rotation_between(old.orientation, a.orientation);
                a.orientation = (DQuat::from_axis_angle(*axis, axis.dot(turned)) * old.orientation).normalize();
                a.position = pivot.place - a.orientation * pivot.local;
                pivot.set_spin(a, *axis * pivot.rate_about(a, *axis, l));
            }
            Self::Guided(held) => {
                guide_pose(model, a, held, t);
                guide_velocity(a, held, chord(model, t - h, h));
            }
        }
    }

    /// The aggregate moves on for the time `h`, to time `t`.
    pub fn drift(&self, model: &Model, a: &mut Aggregate, t: f64, h: f64) {
        match self {
            Self::None => drift_freely(a, h),
            Self::Ball(pivot) => {
                let l = pivot.momentum(a);
                let q = rotate_freely(a.orientation * pivot.frame, pivot.inverse_moments, l, h);
                a.orientation = (q * pivot.frame.inverse()).normalize();
                a.position = pivot.place - a.orientation * pivot.local;
                pivot.set_momentum(a, l);
            }
            Self::Hinge { pivot, axis } => {
                let rate = axis.dot(a.spin());
                a.orientation = (DQuat::from_axis_angle(*axis, rate * h) * a.orientation).normalize();
                a.position = pivot.place - a.orientation * pivot.local;
                pivot.set_spin(a, *axis * rate);
            }
            Self::Guided(held) => {
                drift_freely(a, h);
                guide_pose(model, a, held, t);
            }
        }
    }
}

fn drift_freely(a: &mut Aggregate, h: f64) {
    a.position += a.velocity * h;
    a.orientation = rotate_freely(a.orientation, a.inverse_moments(), a.angular_momentum, h);
}

impl Pivot {
    fn new(model: &Model, a: &Aggregate, member: u32, hold: &Hold) -> Self {
        let local = a.local[member as usize];
        let inertia = DMat3::from_diagonal(a.inertia) + inertia_of_point(local) * a.mass;
        let (moments, frame) = principal_frame(inertia);
        let floor = 1e-12 * moments.max_element();
        let inverse_moments = DVec3::select(moments.cmpgt(DVec3::splat(floor)), moments.recip(), DVec3::ZERO);
        Self { place: rest_of(model, hold), local, inverse_moments, frame }
    }

    /// From the pivot to the centre of mass.
    fn arm(&self, a: &Aggregate) -> DVec3 {
        -(a.orientation * self.local)
    }

    /// Angular momentum about the pivot.
    fn momentum(&self, a: &Aggregate) -> DVec3 {
        a.angular_momentum + self.arm(a).cross(a.velocity * a.mass)
    }

    fn torque(&self, a: &Aggregate, w: Wrench) -> DVec3 {
        w.torque + self.arm(a).cross(w.force)
    }

    fn set_momentum(&self, a: &mut Aggregate, l: DVec3) {
        self.set_spin(a, spin_of(a.orientation * self.frame, self.inverse_moments, l));
    }

    fn set_spin(&self, a: &mut Aggregate, spin: DVec3) {
        a.velocity = spin.cross(self.arm(a));
        a.angular_momentum = a.orientation * (a.inertia * (a.orientation.inverse() * spin));
    }

    /// How fast a body with angular momentum `l` about the pivot turns about a hinge; points on the hinge do not.
    fn rate_about(&self, a: &Aggregate, axis: DVec3, l: DVec3) -> f64 {
        let local = (a.orientation * self.frame).inverse() * axis;
        let moments = DVec3::select(self.inverse_moments.cmpgt(DVec3::ZERO), self.inverse_moments.recip(), DVec3::ZERO);
        let moment = local.dot(moments * local);
        if moment > 1e-12 * moments.max_element() { axis.dot(l) / moment } else { 0.0 }
    }
}

fn rest_of(model: &Model, hold: &Hold) -> DVec3 {
    model.elements.rest.get(hold.element as usize)
}

fn on_a_line(model: &Model, held: &[(u32, Hold)]) -> bool {
    let Some((first, last)) = held.first().zip(held.last()) else { return false };
    let origin = rest_of(model, &first.1);
    let along = rest_of(model, &last.1) - origin;
    let size = along.length();
    size > 0.0 && held.iter().all(|(_, h)| (rest_of(model, h) - origin).cross(along).length() <= 1e-9 * size * size)
}

/// What must be new in a row for it to hold well, and for it to hold at all, as shares of its square [1].
const STRONG: f64 = 1e-2;
const WEAK: f64 = 1e-10;
/// Chords that differ by less than this share of themselves are those of a shift [1].
const TURNS: f64 = 1e-9;

/// A direction of the six velocities that is held, orthonormal in the mass metric, and the speed along it.
struct Row {
    linear: DVec3,
    angular: DVec3,
    speed: f64,
}

/// Orthonormal rows of `J u = b` in the metric of the inverse mass; `target(hold, axis)` is `b`.
fn rows(a: &Aggregate, held: &[(u32, Hold)], target: impl Fn(&Hold, usize) -> f64) -> Vec<Row> {
    let inverse = a.inverse_inertia();
    let product = |r: &Row, s: &Row| r.linear.dot(s.linear) / a.mass + r.angular.dot(inverse * s.angular);
    let mut basis: Vec<Row> = Vec::new();
    // Strong rows first: where a body turns, one axis of an element after the other becomes a weak hold, and weak holds
    // magnify what the others leave.
    for floor in [STRONG, WEAK] {
        for (k, hold) in held {
            if basis.len() == 6 {
                break;
            }
            let arm = a.orientation * a.local[*k as usize];
            for (axis, e) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate().filter(|(i, _)| hold.axes[*i]) {
                let mut row = Row { linear: e, angular: arm.cross(e), speed: target(hold, axis) };
                let size = product(&row, &row);
                for other in &basis {
                    let share = product(&row, other);
                    row.linear -= other.linear * share;
                    row.angular -= other.angular * share;
                    row.speed -= other.speed * share;
                }
                let left = product(&row, &row);
                if left > floor * size && basis.len() < 6 {
                    let s = 1.0 / left.sqrt();
                    basis.push(Row { linear: row.linear * s, angular: row.angular * s, speed: row.speed * s });
                }
            }
        }
    }
    basis
}

/// Velocity of the centre and spin of the motion that takes members with these arms [m] along these chords [m/s], by least
/// squares; none unless they turn and determine it.
///
/// Chords of a turn by the angle `φ` are no velocities of a rigid body: they also shrink it, by `φ²/2`. Six of them say
/// something else than the next six, and the body would seem to shift by that. `ω = sin φ/h` is left of the turn.
pub fn rigid_mean(chords: &[(DVec3, DVec3)]) -> Option<(DVec3, DVec3)> {
    let n = chords.len() as f64;
    let (arm, speed) = chords.iter().fold((DVec3::ZERO, DVec3::ZERO), |(r, v), c| (r + c.0 / n, v + c.1 / n));
    let largest = |of: fn(&(DVec3, DVec3)) -> DVec3| chords.iter().map(|c| of(c).length()).fold(0.0, f64::max);
    let apart = chords.iter().map(|c| c.1.distance(speed)).fold(0.0, f64::max);
    if chords.len() < 3 || apart <= TURNS * largest(|c| c.1) {
        return None;
    }
    let (mut moment, mut inertia) = (DVec3::ZERO, DMat3::ZERO);
    for (r, v) in chords {
        moment += (*r - arm).cross(*v - speed);
        inertia += inertia_of_point(*r - arm);
    }
    let size = chords.iter().map(|c| c.0.distance_squared(arm)).sum::<f64>();
    if inertia.determinant() <= WEAK * size.powi(3) {
        return None;
    }
    let spin = inertia.inverse() * moment;
    Some((speed - spin.cross(arm), spin))
}

/// How fast held elements move on the way of the time `h` from time `t` on.
fn chord(model: &Model, t: f64, h: f64) -> impl Fn(&Hold) -> DVec3 {
    move |hold| (target(model, hold, t + h) - target(model, hold, t)) / h
}

/// Projects the velocity so that held members move as they are told.
fn guide_velocity(a: &mut Aggregate, held: &[(u32, Hold)], told: impl Fn(&Hold) -> DVec3) {
    let arm = |k: u32| a.orientation * a.local[k as usize];
    let whole = held.iter().all(|(_, hold)| hold.axes == [true; 3]);
    let chords: Vec<_> = held.iter().filter(|_| whole).map(|(k, hold)| (arm(*k), told(hold))).collect();
    let rigid = rigid_mean(&chords);
    let mean = |hold: &Hold, axis: usize| match rigid {
        None => told(hold)[axis],
        Some((v, spin)) => {
            let k = held.iter().find(|(_, h)| h.element == hold.element).map_or(0, |(k, _)| *k);
            (v + spin.cross(arm(k)))[axis]
        }
    };
    for row in rows(a, held, mean) {
        // The rows are orthonormal, so meeting one does not disturb the others.
        let speed = row.linear.dot(a.velocity) + row.angular.dot(a.spin());
        let impulse = row.speed - speed;
        a.velocity += row.linear * (impulse / a.mass);
        a.angular_momentum += row.angular * impulse;
    }
}

/// Moves the body so that held members are where they should be at time `t`.
fn guide_pose(model: &Model, a: &mut Aggregate, held: &[(u32, Hold)], t: f64) {
    for _ in 0..2 {
        let missing = |hold: &Hold, axis: usize| {
            let k = held.iter().find(|(_, h)| h.element == hold.element).map_or(0, |(k, _)| *k);
            let x = a.position + a.orientation * a.local[k as usize];
            (target(model, hold, t) - x)[axis]
        };
        let (mut shift, mut turn) = (DVec3::ZERO, DVec3::ZERO);
        let inverse = a.inverse_inertia();
        for row in rows(a, held, missing) {
            shift += row.linear * (row.speed / a.mass);
            turn += inverse * row.angular * row.speed;
        }
        a.position += shift;
        a.orientation = (DQuat::from_scaled_axis(turn) * a.orientation).normalize();
    }
    // Points on a line have no angular momentum about it: what the turn has left there goes to the support.
    let idle = a.idle_axis();
    a.angular_momentum -= idle * idle.dot(a.angular_momentum);
}

/// Where a held element should be at time `t`.
pub fn target(model: &Model, hold: &Hold, t: f64) -> DVec3 {
    let rest = rest_of(model, hold);
    hold.motion.map_or(rest, |m| motion::position(&model.motions[m as usize], rest, t))
}
