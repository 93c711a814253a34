//! Painlevé's paradox: a closed contact slides with so much friction that no finite force holds it, and the bodies jump without
//! a collision. The impulse formulation has the answer; here it is told that it happened. [Pai95]
//!
//! With the slip direction `d` before the step, `nᵀ W (n − μ d) ≤ 0` means that friction would pull the bodies together more
//! than the push takes them apart.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::row::Row;
use crate::model::{Event, EventKind, Model};
use crate::readout::contact::Party;
use crate::step::constraint::space::{ContactSpace, Found};
use glamx::DVec3;

/// Slower than this share of what gravity gives in a step nothing slides [1].
const SLIDES: f64 = 1e-3;

/// Every impulse without a collision in the solved rows of a step from `t` to `t + h`; `before` has the velocities before it.
pub fn jammed(model: &Model, space: &ContactSpace, before: &Carriers, (t, h): (f64, f64)) -> Vec<Event> {
    let mut events = Vec::new();
    let slow = model.gravity.length() * h;
    for (row, f) in space.rows.iter().zip(&space.found) {
        if row.impulse.x <= 0.0 || f.touch.gap > space.slack || row.stood(before) {
            continue;
        }
        let u = row.velocity(before);
        let slip = u.y.hypot(u.z);
        if u.x < -2.0 * slow || slip <= SLIDES * slow {
            continue;
        }
        if jams(row, u, slip) {
            events.push(event(model, space, row, f, t + h, u));
        }
    }
    events
}

/// `nᵀ W (n − μ d) ≤ 0`: friction against the slip `u` would press harder than the push relieves.
fn jams(row: &Row, u: DVec3, slip: f64) -> bool {
    let push = DVec3::new(1.0, -row.friction * u.y / slip, -row.friction * u.z / slip);
    (row.block() * push).x <= 0.0
}

fn event(model: &Model, space: &ContactSpace, row: &Row, f: &Found, time: f64, before: DVec3) -> Event {
    let name = |k: u32| Party::from_number(space.whose(model, k)).name(model).to_string();
    let (first, second) = (name(f.first), name(f.second));
    // `p · ½(u⁻ + u⁺)` of this contact alone.
    let after = before + row.block() * row.impulse;
    let energy = -row.impulse.dot(before + after) * 0.5;
    let kind = EventKind::Jammed { first, second, impulse: row.impulse.x };
    Event { time, place: space.point(f), energy, kind }
}
