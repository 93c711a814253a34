//! Gaps and ways of slip bend where bodies turn: they are linearised anew about the end of the step.
//!
//! `φ(t + h) ≈ φ + h u_n` leaves out `½(ω h)² r`, and what it leaves out is taken out by position in the next step, over and
//! over: a fast top gains or loses height that nobody paid for. So the bodies are moved tentatively with the solution, the gap
//! is looked at there, and the row becomes `u_n + (φ_end/h − u_n of before) ≥ 0`. Pushes keep the arms of the beginning of the
//! step: angular momentum is kept to the last bit.
//!
//! Ways of points that stick bend, too: none is left if `∫ u_t dt ≈ h (v⁺ + ½(ω⁺ × r + ω_end × r_end))` vanishes, as `φ_end` is
//! the way across. With the arms of the beginning alone, a body that rolls would slide by `½ h ω × (r_end − r)` in every step and
//! brake itself: a slender rattleback lost 7 % of its motion in twelve seconds, and a top that hangs half way turned over. Spins
//! change in free rotation as much as arms do, `ω_end = I_end⁻¹ L`: with `ω⁺` at both ends friction fed the nutation of a
//! top that rolls, by half a percent a millisecond, until it slid and turned over, which it must not. The
//! row gets the difference as drift. Points that slide rub where the arms of the beginning are, and need none.
//!
//! Friction that sticks does the work `½ p_t · (u_t⁻ − drift)`. On a smooth way both slips agree but for `O(h²)`; what is left of
//! either sign adds up, and an egg that rolls at 60 Hz gained a quarter of its energy in 40 s. So the drift is
//! changed along `p_t` until friction gives nothing, by no more than its own size: slip that a blow turns round is none of its doing.

use crate::collide::shapes::{Pose, Touch, touch_soon};
use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::island;
use crate::contact::constraint::row::{Mode, Row};
use crate::contact::constraint::sweep::Outcome;
use crate::linear::rotation::rotate_freely;
use crate::model::shape::Shape;
use crate::model::{Aggregate, Model, State};
use crate::step::constraint::rest::Rest;
use crate::step::constraint::solve;
use crate::step::constraint::space::{ContactSpace, Found};
use glamx::{DQuat, DVec2, DVec3, Vec3Swizzles};

/// Solves the contact problem of the step, with gaps as they will be at its end.
pub fn solve(model: &Model, state: &State, space: &mut ContactSpace, before: &Carriers, h: f64) -> Vec<Outcome> {
    let free = space.carriers.velocities();
    // A blow that bounces has no gap to close: its bias is a share of the approach.
    let ContactSpace { rows, blows, .. } = &mut *space;
    blows.iter().filter(|blow| blow.is_open()).for_each(|blow| rows[blow.contact as usize].plastic = false);
    let close = model.constraint.tolerance * model.gravity.length() * h;
    let mut solved = solve::solve(model, space, before, h, Rest::AtEnd);
    let mut bent = solved.moving();
    for _ in 0..model.constraint.gap_iterations {
        let mut rows = std::mem::take(&mut space.rows);
        let ends = End { model, bodies: &state.aggregates, space, before, h };
        bent.retain(|&n| {
            let contacts = &solved.islands[n].contacts;
            // What a solver may leave need not be better known; a few contacts are solved exactly.
            let enough = if contacts.len() <= island::FEW { close } else { close.max(solved.tolerances[n]) };
            ends.bend_all(contacts, &mut rows[solved.range(n)], enough)
        });
        let jointed = ends.bend_all(&space.joints.contacts, &mut rows[solved.joined(&space.joints)], close);
        space.rows = rows;
        if bent.is_empty() && !jointed {
            break;
        }
        solved.again(model, space, (&bent, jointed), (&free, before), h);
    }
    solved.finish(space)
}

/// The tentative end of the step: the carriers of the space move as its solution says.
pub struct End<'a> {
    /// What there is.
    pub model: &'a Model,
    /// The rigid bodies where the step begins.
    pub bodies: &'a [Aggregate],
    /// The contact problem.
    pub space: &'a ContactSpace,
    /// The carriers before the step.
    pub before: &'a Carriers,
    /// Size of the step [s].
    pub h: f64,
}

impl End<'_> {
    /// Linearises gaps and ways of pressed contacts, given by their numbers, about the end of the step; true if an offset changes by
    /// more than is `enough` [m/s]. Nothing has changed otherwise.
    pub fn bend<'r>(&self, rows: impl Iterator<Item = (usize, &'r mut Row)>, enough: f64) -> bool {
        let (mut changes, mut bent, mut touches) = (false, Vec::new(), Vec::new());
        for (k, row) in rows {
            let Some((bias, drift)) = self.offsets(k, row, enough, &mut touches) else { continue };
            changes |= (bias - row.bias).abs() > enough || (drift - row.drift()).length() > enough;
            bent.push((row, bias, drift));
        }
        if changes {
            bent.into_iter().for_each(|(row, bias, drift)| row.set_offset(bias, drift));
        }
        changes
    }

    /// The same of contacts that are solved together; after a change the next solution starts from the impulses of this one.
    fn bend_all(&self, contacts: &[u32], rows: &mut [Row], enough: f64) -> bool {
        let changes = self.bend(contacts.iter().map(|&k| k as usize).zip(rows.iter_mut()), enough);
        if changes {
            rows.iter_mut().for_each(Row::restart);
        }
        changes
    }

    /// Bias and drift about the end of the step of the contact `k` and its row [m/s]; none where turning does nothing to them, or
    /// less than is `enough`. The row remembers that it has stuck.
    fn offsets(&self, k: usize, row: &mut Row, enough: f64, touches: &mut Vec<Touch>) -> Option<(f64, DVec2)> {
        let Self { model, space, h, .. } = *self;
        let f = &space.found[k];
        let slack =
            if enough > model.constraint.tolerance * model.gravity.length() * h { enough * h } else { space.slack };
        if row.impulse.x <= 0.0 || !row.plastic || space.is_on_skin(f) || lever(model, space, f, h) <= slack {
            return None;
        }
        // What has just been moved apart may overlap somewhere else: that gives no speed, either.
        if [f.first, f.second].iter().any(|k| space.parted.binary_search(k).is_ok()) {
            return None;
        }
        let end = self.touch(f, touches)?;
        let bias = end.gap / h - row.velocity(&space.carriers).x;
        if !is_bend(model, space, f, bias * h - f.touch.gap, h) {
            return None;
        }
        row.stuck |= row.mode == Mode::Stick;
        let way = |drift: DVec3| row.in_contact(passive(row, self.before, drift)).yz();
        Some((bias, if row.stuck { way(self.drift(f, &end)) } else { DVec2::ZERO }))
    }

    /// A contact when the bodies have moved on for the step; none if its features no longer meet.
    fn touch(&self, f: &Found, touches: &mut Vec<Touch>) -> Option<Touch> {
        let Self { model, space, h, .. } = *self;
        let pose = |k: u32| {
            let c = space.carrier[k as usize] as usize;
            if !space.carriers[c].turns {
                let Pose { position, rotation } = space.poses[k as usize];
                return Pose {
                    position: position + h * space.carriers.point_velocity(c as u32, DVec3::ZERO),
                    rotation,
                };
            }
            moved(&space.poses[k as usize], &space.carriers[c], self.turn(c), h)
        };
        touches.clear();
        let (a, b) = (space.shape(model, f.first), space.shape(model, f.second));
        let margin = space.reach[f.first as usize] + space.reach[f.second as usize];
        touch_soon(a, &pose(f.first), b, &pose(f.second), margin, touches);
        touches.iter().find(|t| t.feature == f.touch.feature).copied()
    }

    /// The rotation of a body in the step.
    fn turn(&self, body: usize) -> DQuat {
        let Some(a) = self.bodies.get(body) else { return DQuat::IDENTITY };
        let spin = self.space.carriers[body].spin;
        if !self.before[body].is_movable() {
            return DQuat::from_scaled_axis(spin * self.h);
        }
        // Its own inertia: joints may have made the carrier harder to turn.
        let momentum = self.before[body].inverse_inertia.inverse() * spin;
        rotate_freely(a.orientation, a.inverse_moments(), momentum, self.h) * a.orientation.inverse()
    }

    /// What the slip over the step differs by from that with arms and spins of its beginning [m/s]:
    /// `½ (ω_end × r_end − ω × r)` of both sides.
    fn drift(&self, f: &Found, end: &Touch) -> DVec3 {
        let Self { space, h, .. } = *self;
        let (start, end) = (space.point(f), 0.5 * (end.point_a + end.point_b));
        let side = |k: u32| {
            let c = space.carrier[k as usize] as usize;
            let carrier = &space.carriers[c];
            if !carrier.turns {
                return DVec3::ZERO;
            }
            let arms = [start - carrier.position, end - h * carrier.velocity - carrier.position];
            0.5 * (self.last_spin(c).cross(arms[1]) - carrier.spin.cross(arms[0]))
        };
        (side(f.first) - side(f.second)).reject_from_normalized(f.touch.normal)
    }

    /// The spin of a body at the end of the step [rad/s]: its angular momentum is what it was, its axes have turned.
    fn last_spin(&self, body: usize) -> DVec3 {
        let (spin, before) = (self.space.carriers[body].spin, &self.before[body]);
        if !before.is_movable() {
            return spin;
        }
        let turn = self.turn(body);
        turn * (before.inverse_inertia * (turn.inverse() * (before.inverse_inertia.inverse() * spin)))
    }
}

/// How far turning can bend the gap of a contact in the step, `½(ω h)² r` of both sides [m].
fn lever(model: &Model, space: &ContactSpace, f: &Found, h: f64) -> f64 {
    let side = |k: u32| {
        let (angle, arm) = turning(model, space, f, k, h);
        0.5 * angle * angle * arm
    };
    side(f.first) + side(f.second)
}

/// The angle that a side of a contact turns by in the step [rad], and the arm that it does so with [m].
fn turning(model: &Model, space: &ContactSpace, f: &Found, k: u32, h: f64) -> (f64, f64) {
    let carrier = &space.carriers[space.carrier[k as usize] as usize];
    // A sphere turns about its middle without anything happening.
    let reach = match space.shape(model, k) {
        Shape::Sphere { .. } => space.poses[k as usize].position,
        _ => space.point(f),
    };
    (carrier.spin.length() * h, (reach - carrier.position).length())
}

/// True if turning can have changed a gap by so much [m]. It is of second order, half of the way `ω h r` that turning leads at
/// most; more is another place of the shapes that has taken over the name. Half a radian is no small angle any more.
fn is_bend(model: &Model, space: &ContactSpace, f: &Found, change: f64, h: f64) -> bool {
    let sides = [f.first, f.second].map(|k| turning(model, space, f, k, h));
    sides.iter().all(|s| s.0 <= 0.5) && change.abs() <= sides.iter().map(|s| 0.5 * s.0 * s.1).sum::<f64>()
}

/// The drift with which friction that sticks does not work for the bodies [m/s].
fn passive(row: &Row, before: &Carriers, drift: DVec3) -> DVec3 {
    let [_, t1, t2] = row.axes();
    let across = |v: DVec3| t1 * v.y + t2 * v.z;
    let Some(along) = across(row.impulse).try_normalize() else { return drift };
    let given = along.dot(across(row.velocity(before)) - drift);
    drift + along * given.clamp(0.0, drift.length())
}

/// Where a shape will be.
fn moved(pose: &Pose, carrier: &Carrier, turn: DQuat, h: f64) -> Pose {
    let position = carrier.position + h * carrier.velocity + turn * (pose.position - carrier.position);
    Pose { position, rotation: (turn * pose.rotation).normalize() }
}
