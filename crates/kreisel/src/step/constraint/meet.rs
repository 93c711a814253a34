//! The blow where bodies have come together within a second-order step.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::row::{Meeting, Row};
use crate::contact::constraint::sweep::Outcome;
use crate::model::setup::RestitutionLaw;
use crate::model::{Model, State};
use crate::step::constraint::joints::stops;
use crate::step::constraint::landing::{CLOSED, Landings, key, size};
use crate::step::constraint::rest::Rest;
use crate::step::constraint::rows::slides;
use crate::step::constraint::solve::solve;
use crate::step::constraint::space::{ContactSpace, Found};
use crate::step::constraint::timing::Timing;
use crate::step::constraint::{apply, detect, joints, rest, rubbing, sleep};
use crate::step::flow::Flow;
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Work of blows above this share of what they turn round is given, not rounding [1].
const GIVEN: f64 = 1e-9;
/// Speeds below this share of those in play are rounding [1]: who meets another so slowly has not been struck.
const ROUNDING: f64 = 1e-12;

/// The blow where shapes have come together or stops are struck, with friction, for all closed contacts and stops at once:
/// `u_n⁺ + e u_n⁻ ≥ 0`, or in two phases by Poisson, also where the former would give energy; stops by Newton's law always.
pub fn meet(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    h: f64,
    landings: &mut Landings,
    flow: &mut Flow,
    report: &mut StepReport,
) {
    let mut space = std::mem::take(&mut w.contact_space);
    detect::detect(model, state, w, &mut space, h);
    sleep::leave_out(&mut space);
    let reach = CLOSED * size(model);
    space.found.retain(|f| f.touch.gap <= reach);
    rubbing::seat(model, state, w, &mut space);
    let before = space.carriers.clone();
    let closes = |f: &Found| space.opening(f) < 0.0;
    let plastic: Vec<bool> = space.found.iter().map(|f| closes(f) && landings.add(key(f))).collect();
    let gained = model.gravity.length() * h;
    landings.felt |= space.found.iter().any(|f| space.opening(f) < -ROUNDING * (gained + speed(&space, f)));
    strike_stops(model, state, &mut space, landings);
    let (blocks, law) = (space.joints.blocks.clone(), model.constraint.restitution_law);
    let mut outcomes = strike(model, w, &mut space, (&plastic, law), &before, h);
    if law == RestitutionLaw::Newton && gives(&space, &before) {
        (space.joints.blocks, space.carriers) = (blocks, before.clone());
        outcomes = strike(model, w, &mut space, (&plastic, RestitutionLaw::Poisson), &before, h);
    }
    outcomes.iter().for_each(|o| super::note(o, report));
    apply::forget_other_forces(w);
    joints::apply(model, state, w, &space, &before, h, flow);
    apply::apply(model, state, w, (&mut space, &Timing::default()), &before, h, flow);
    joints::note(model, state, w, &mut space, 0.0);
    w.contact_space = space;
}

/// How fast the points of two that touch move against each other [m/s].
fn speed(space: &ContactSpace, f: &Found) -> f64 {
    let [a, b] = space.sides(f);
    space.carriers.relative_velocity((a, b), space.point(f)).length()
}

/// Makes the blocks of the joints in a blow, with all stops that are closed.
fn strike_stops(model: &Model, state: &State, space: &mut ContactSpace, landings: &mut Landings) {
    let mut closed = vec![[false; 2]; model.joints.len()];
    for (k, stop, ahead) in stops::all(model, state) {
        closed[k as usize][stop] = ahead.gap <= CLOSED * size(model);
    }
    let restitution = |k: u32| model.joints[k as usize].restitution;
    let answer = |k: u32, stop: usize, speed: f64| {
        if restitution(k) == 0.0 {
            return 0.0;
        }
        landings.felt = true;
        if landings.add(stops::key(k, stop)) { 0.0 } else { restitution(k) * speed }
    };
    joints::make_blow(model, state, space, &closed, answer);
}

/// Solves the blow by a law of restitution, for joints that are made; some contacts are plastic.
fn strike(
    model: &Model,
    w: &Workspace,
    space: &mut ContactSpace,
    (plastic, law): (&[bool], RestitutionLaw),
    before: &Carriers,
    h: f64,
) -> Vec<Outcome> {
    let law = |plastic: bool| if plastic { None } else { Some(law) };
    let row = |(k, &plastic)| Row::unweighed(&blow(model, w, space, k, law(plastic), h), &space.carriers, DVec3::ZERO);
    let rows: Vec<Row> = plastic.iter().enumerate().map(row).collect();
    space.rows = rows;
    solve(model, space, before, h, Rest::Never).finish(space)
}

/// True if contacts give energy in a blow. Newton's law asks each for a share of its approach, whatever friction does meanwhile: a rod that
/// is struck at its end may leave with more energy than it had. Poisson's law does not give.
fn gives(space: &ContactSpace, before: &Carriers) -> bool {
    let pushed = space.rows.iter().filter(|row| row.impulse != DVec3::ZERO);
    let (work, turned) = pushed.fold((0.0, 0.0), |(work, turned), row| {
        let old = row.velocity(before);
        (work + row.impulse.dot(old + row.velocity(&space.carriers)) * 0.5, turned + (row.impulse.x * old.x).abs())
    });
    work > GIVEN * turned
}

/// The meeting of two bodies at the moment of a blow, plastic without a law.
fn blow(model: &Model, w: &Workspace, space: &ContactSpace, k: usize, law: Option<RestitutionLaw>, h: f64) -> Meeting {
    let f = &space.found[k];
    let c = space.coefficients(model, w, f.first, f.second);
    let mut m = rubbing::meeting(space, k, c.static_friction);
    let u = space.carriers.relative_velocity((m.a, m.b), m.point);
    let opens = m.normal.dot(u);
    if slides(None, || u - m.normal * opens, rest::creep(model, h)) {
        m = rubbing::meeting(space, k, c.dynamic_friction);
    }
    match law {
        None => {}
        Some(RestitutionLaw::Newton) => m.bias = c.restitution * opens.min(0.0),
        Some(RestitutionLaw::Poisson) => m.restitution = c.restitution,
    }
    m
}
