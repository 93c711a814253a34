//! Gaps bend where bodies turn: they are linearised anew about the end of the step.
//!
//! `φ(t + h) ≈ φ + h u_n` leaves out `½(ω h)² r`, and what it leaves out is taken out by position in the next step, over and
//! over: a fast top gains or loses height that nobody paid for. So the bodies are moved tentatively with the solution, the gap
//! is looked at there, and the row becomes `u_n + (φ_end/h − u_n of before) ≥ 0`. Pushes keep the arms of the beginning of the
//! step: angular momentum is kept to the last bit.

use crate::collide::shapes::{Pose, Touch, touch};
use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::island;
use crate::contact::constraint::sweep::Outcome;
use crate::linear::rotation::rotate_freely;
use crate::model::shape::Shape;
use crate::model::{Model, State};
use crate::step::constraint::solve::{self, Start};
use crate::step::constraint::space::{ContactSpace, Found};
use glamx::{DQuat, DVec3};

/// Solves the contact problem of the step, with gaps as they will be at its end.
pub fn solve(
    model: &Model,
    state: &State,
    space: &mut ContactSpace,
    mut starts: Vec<Start>,
    before: &Carriers,
    h: f64,
) -> Vec<Outcome> {
    let free: Vec<[DVec3; 2]> = space.carriers.iter().map(|c| [c.velocity, c.spin]).collect();
    // A blow that bounces has no gap to close: its bias is a share of the approach.
    let plastic: Vec<bool> = starts.iter().map(|s| s.0.bias >= 0.0).collect();
    let close = model.constraint.tolerance * model.gravity.length() * h;
    let mut solved = solve::solve(model, space, &starts, before, h, true);
    let mut bent = solved.moving();
    for _ in 0..model.constraint.gap_iterations {
        let ends = End { model, state, space, plastic: &plastic, h };
        bent.retain(|&n| {
            let contacts = &solved.islands[n].contacts;
            // What a solver may leave need not be better known; a few contacts are solved exactly.
            let enough = if contacts.len() <= island::FEW { close } else { close.max(solved.tolerances[n]) };
            ends.bend(contacts, &mut starts, enough)
        });
        let jointed = ends.bend(&space.joints.contacts, &mut starts, close);
        if bent.is_empty() && !jointed {
            break;
        }
        let mut released = space.carriers.clone();
        released.iter_mut().zip(&free).for_each(|(c, [v, w])| (c.velocity, c.spin) = (*v, *w));
        solved.again(model, space, (&starts, &bent, jointed), (&released, before), h);
    }
    solved.outcomes()
}

/// The tentative end of the step.
struct End<'a> {
    model: &'a Model,
    state: &'a State,
    space: &'a ContactSpace,
    plastic: &'a [bool],
    h: f64,
}

impl End<'_> {
    /// Linearises the gaps of pressed contacts about the end of the step; true if a bias changes by more than is `enough`
    /// [m/s], and then the next solution starts from the impulses of this one.
    fn bend(&self, contacts: &[u32], starts: &mut [Start], enough: f64) -> bool {
        let Self { model, state, space, h, .. } = *self;
        let mut changes = false;
        let mut touches = Vec::new();
        let slack =
            if enough > model.constraint.tolerance * model.gravity.length() * h { enough * h } else { space.slack };
        for &k in contacts {
            let (f, row) = (&space.found[k as usize], &space.rows[k as usize]);
            if row.impulse.x <= 0.0 || !self.plastic[k as usize] || lever(model, space, f, h) <= slack {
                continue;
            }
            // What has just been moved apart may overlap somewhere else: that gives no speed, either.
            if [f.first, f.second].iter().any(|k| space.parted.binary_search(k).is_ok()) {
                continue;
            }
            let Some(gap) = gap_at_end(model, state, space, f, h, &mut touches) else { continue };
            let bias = gap / h - row.velocity(&space.carriers).x;
            if !is_bend(model, space, f, bias * h - f.touch.gap, h) {
                continue;
            }
            changes |= (bias - starts[k as usize].0.bias).abs() > enough;
            starts[k as usize].0.bias = bias;
        }
        if changes {
            contacts.iter().for_each(|&k| starts[k as usize].1 = space.rows[k as usize].world_impulse());
        }
        changes
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

/// The gap of a contact when the bodies have moved on for the step [m]; none if its features no longer meet.
fn gap_at_end(
    model: &Model,
    state: &State,
    space: &ContactSpace,
    f: &Found,
    h: f64,
    touches: &mut Vec<Touch>,
) -> Option<f64> {
    let pose = |k: u32| {
        let c = space.carrier[k as usize] as usize;
        if !space.carriers[c].turns {
            let Pose { position, rotation } = space.poses[k as usize];
            return Pose { position: position + h * space.carriers.point_velocity(c as u32, DVec3::ZERO), rotation };
        }
        moved(&space.poses[k as usize], &space.carriers[c], turn(state, &space.carriers[c], c, h), h)
    };
    touches.clear();
    let (a, b) = (space.shape(model, f.first), space.shape(model, f.second));
    let margin = space.reach[f.first as usize] + space.reach[f.second as usize];
    touch(a, &pose(f.first), b, &pose(f.second), margin, touches);
    touches.iter().find(|t| t.feature == f.touch.feature).map(|t| t.gap)
}

/// The rotation of a body in the step.
fn turn(state: &State, carrier: &Carrier, body: usize, h: f64) -> DQuat {
    let Some(a) = state.aggregates.get(body) else { return DQuat::IDENTITY };
    if !carrier.is_movable() {
        return DQuat::from_scaled_axis(carrier.spin * h);
    }
    let momentum = carrier.inverse_inertia.inverse() * carrier.spin;
    rotate_freely(a.orientation, a.inverse_moments(), momentum, h) * a.orientation.inverse()
}

/// Where a shape will be.
fn moved(pose: &Pose, carrier: &Carrier, turn: DQuat, h: f64) -> Pose {
    let position = carrier.position + h * carrier.velocity + turn * (pose.position - carrier.position);
    Pose { position, rotation: (turn * pose.rotation).normalize() }
}
