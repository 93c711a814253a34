//! At the end of a second-order step: the gaps of pressed contacts are closed by position, and what is left of their speed
//! is taken out by impulses within the friction law.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::row::{Mode, Row};
use crate::contact::constraint::twist::{Held, Twist};
use crate::contact::constraint::twisted;
use crate::model::{Model, State};
use crate::step::constraint::landing::{Key, key};
use crate::step::constraint::second_order::{Modes, meeting};
use crate::step::constraint::space::{ContactSpace, Found};
use crate::step::constraint::timing::Timing;
use crate::step::constraint::{apply, detect, overlap};
use crate::step::flow::Flow;
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Passes over the contacts.
const PASSES: u32 = 60;
/// What may be left of gaps and speeds, as a share of what was there [1].
const LEFT: f64 = 1e-10;

/// Closes the gaps of contacts that pushed, then stops their points.
pub fn close_gaps(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    modes: &Modes,
    flow: &mut Flow,
    report: &mut StepReport,
) {
    let pressed: Vec<(Key, Mode)> = modes.iter().filter(|m| m.1 != Mode::Separate).copied().collect();
    if pressed.is_empty() {
        return;
    }
    let mut space = std::mem::take(&mut w.contact_space);
    let kept = std::mem::take(&mut state.shape_contacts);
    for _ in 0..2 {
        look(model, state, w, &mut space, &pressed);
        let shift = shifts(&space);
        overlap::shift(model, state, &mut space, &shift, flow);
    }
    look(model, state, w, &mut space, &pressed);
    stop(model, state, w, &mut space, &pressed, &kept, flow);
    state.shape_contacts = kept;
    w.contact_space = space;
    let _ = report;
}

/// The contacts that pushed, where they are now.
fn look(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace, pressed: &[(Key, Mode)]) {
    detect::detect(model, state, w, space, 1e-2 * model.frame);
    let mut found = std::mem::take(&mut space.found);
    found.retain(|f| pressed.iter().any(|p| p.0 == key(f)) && !overlap::is_serious(space, f));
    space.found = found;
}

/// Smallest shifts in the mass metric that close all gaps, from either side.
fn shifts(space: &ContactSpace) -> Carriers {
    let mut moved = space.carriers.at_rest();
    let rows: Vec<Row> = space.found.iter().map(|f| Row::new(&meeting(space, f, 0.0), &moved, DVec3::ZERO)).collect();
    let largest = space.found.iter().map(|f| f.touch.gap.abs()).fold(0.0, f64::max);
    for _ in 0..PASSES {
        let mut change: f64 = 0.0;
        for (row, f) in rows.iter().zip(&space.found) {
            let left = row.velocity(&moved).x + f.touch.gap;
            row.push(DVec3::new(-left / row.mobility(), 0.0, 0.0), &mut moved);
            change = change.max(left.abs());
        }
        if change <= LEFT * largest {
            break;
        }
    }
    moved
}

/// Sticking points stop, sliding ones stop along the normal with friction in its proportion.
fn stop(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    space: &mut ContactSpace,
    pressed: &[(Key, Mode)],
    kept: &[crate::model::ShapeContact],
    flow: &mut Flow,
) {
    let mut rows: Vec<Row> = Vec::new();
    for f in &space.found {
        let c = space.coefficients(model, w, f.first, f.second);
        let mut row = Row::new(&meeting(space, f, c.dynamic_friction), &space.carriers, DVec3::ZERO);
        row.mode = pressed.iter().find(|p| p.0 == key(f)).map_or(Mode::Separate, |p| p.1);
        rows.push(row);
    }
    let resistances = space.found.iter().map(|f| space.resistance(model, f.first, f.second));
    let mut twists = twisted::make(&rows, resistances, &space.carriers);
    let held: Vec<Held> = twists.iter().map(|t| held_before(t, &space.found[t.row as usize], kept)).collect();
    let pushed: Vec<f64> = space.found.iter().map(|f| pushed_before(f, kept)).collect();
    let before = space.carriers.clone();
    let scale = rows.iter().map(|r| r.velocity(&space.carriers).abs().max_element()).fold(0.0, f64::max);
    for _ in 0..PASSES {
        let mut change: f64 = 0.0;
        for (k, (row, &before)) in rows.iter_mut().zip(&pushed).enumerate() {
            let number = twists.binary_search_by_key(&(k as u32), |t| t.row).ok();
            let twist = number.map(|t| (&mut twists[t], held[t]));
            let (p, m) = match &twist {
                None => (remedy(row, row.velocity(&space.carriers)), DVec3::ZERO),
                Some((twist, held)) => twisted_remedy(row, twist, *held, &space.carriers),
            };
            if row.impulse.x + p.x < -before {
                continue;
            }
            row.push(p, &mut space.carriers);
            if let Some((twist, _)) = twist {
                twist.push(m, &mut space.carriers);
                twist.impulse += m;
                change = change.max(twist.speed(m));
            }
            row.impulse += p;
            change = change.max((row.block() * p).abs().max_element());
        }
        if change <= LEFT * scale {
            break;
        }
    }
    (space.rows, space.twists) = (rows, twists);
    apply::apply(model, state, w, (space, &Timing::default()), &before, model.frame, flow);
}

/// Normal impulse of a contact in the step [N s].
fn pushed_before(f: &Found, kept: &[crate::model::ShapeContact]) -> f64 {
    kept.iter().find(|c| (c.first, c.second, c.feature) == key(f)).map_or(0.0, |c| c.impulse.dot(c.normal))
}

/// As [`remedy`], with the couples that go with the push.
fn twisted_remedy(row: &Row, twist: &Twist, held: Held, carriers: &Carriers) -> (DVec3, DVec3) {
    let (push, couple) = twist.shares(row, held, carriers);
    let stop = twist.stop(held, carriers);
    if row.mode == Mode::Stick {
        let p = remedy(row, row.velocity(carriers));
        return (p, couple * p.x + stop);
    }
    let response = (row.block() * push).x + twist.lifts(row, couple, carriers);
    let size = if response > 0.0 { -row.velocity(carriers).x / response } else { 0.0 };
    (push * size, couple * size + stop)
}

/// What a contact's couples held in the step.
fn held_before(twist: &Twist, f: &Found, kept: &[crate::model::ShapeContact]) -> Held {
    let contact = kept.iter().find(|c| (c.first, c.second, c.feature) == key(f));
    contact.map_or(Held::default(), |c| twist.held(c.torque, c.impulse.dot(c.normal), c.slipping))
}

/// The impulse that stops a contact in its own block.
fn remedy(row: &Row, u: DVec3) -> DVec3 {
    if row.mode == Mode::Stick {
        return -(row.inverse() * u);
    }
    let slip = u.y.hypot(u.z);
    let direction = if slip > 0.0 { DVec3::new(0.0, u.y, u.z) / slip } else { DVec3::ZERO };
    let push = DVec3::X - direction * row.friction;
    let response = (row.block() * push).x;
    if response > 0.0 { push * (-u.x / response) } else { DVec3::ZERO }
}
