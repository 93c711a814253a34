//! Second order in smooth phases: drift by half a step, contact on the average velocity, drift by the other half, and what
//! is left of gap and speed taken out at the end; landings are found in time and met there.
//!
//! With `ū = ½(u⁻ + u*) + ½ W p`, `0 ≤ p_n ⊥ ū_n ≥ 0` and friction against `ū_t`, the contact work is exactly `p · ū`. The
//! average row would act as a perfectly elastic blow on a contact that begins, so these are left to [`super::landing`].
//! Two half steps and a whole one of rigid bodies extrapolate to third order, `(4 S_{h/2}² − S_h)/3`.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::row::{Meeting, Mode, Row};
use crate::linear::emptied;
use crate::model::setup::Integrator;
use crate::model::{Aggregate, Event, FREE, Model, State};
use crate::readout::momentum;
use crate::step::clock::Stage;
use crate::step::constraint::joints::{Linkage, stops};
use crate::step::constraint::landing::{self, Key, Landings};
use crate::step::constraint::rest::Rest;
use crate::step::constraint::rows::slides;
use crate::step::constraint::solve::solve;
use crate::step::constraint::space::{ContactSpace, Found};
use crate::step::constraint::timing::Timing;
use crate::step::constraint::{apply, detect, doze, jam, joints, meet, pace, passing, project, rest, rubbing, sleep};
use crate::step::encounters;
use crate::step::evaluate::evaluate_apart;
use crate::step::flow::{self, Flow};
use crate::step::kick::kick;
use crate::step::report::{StepError, StepReport};
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Differences below this share of the speeds in play are rounding [1].
const UNSEEN: f64 = 1e-12;
/// Energies that differ by less than this share of the turnover are equal [1].
const ENERGY: f64 = 1e-9;
/// Whole and half steps that differ in energy by a smaller share of that of the motion resolve it [1].
const ALIKE: f64 = 1e-4;
/// The share of the turnover that extrapolation may invent in a run [1].
const INVENTED: f64 = 1e-3;

/// What contacts did in a step.
pub type Modes = Vec<(Key, Mode)>;

/// One trial: where a step of some size leads, if nothing lands meanwhile.
pub struct Trial {
    /// The state at its end.
    pub state: State,
    /// What has flowed.
    pub flow: Flow,
    /// What the contacts did.
    pub modes: Modes,
    /// Impulses without a collision.
    pub jammed: Vec<Event>,
}

/// Landings and ways between them in a step at most; what is left of it then goes without looking for more.
const MOST_ROUNDS: u32 = 4000;

/// One step of size `h` with all landings in it.
pub fn substep(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    h: f64,
    flow: &mut Flow,
    report: &mut StepReport,
) -> Result<(), StepError> {
    substep_within(model, state, w, (h, MOST_ROUNDS), flow, report)
}

/// The same with no more than so many landings and ways between them.
pub fn substep_within(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    (h, most_rounds): (f64, u32),
    flow: &mut Flow,
    report: &mut StepReport,
) -> Result<(), StepError> {
    let end = state.time + h;
    let steps = state.steps;
    let mut landings = Landings::default();
    // Below what a time can tell apart, half a step would go nowhere.
    let nothing = (1e-9 * h).max(8.0 * f64::EPSILON * end.abs());
    let (mut struck, mut stuck, mut rounds, unsolved) = (false, false, 0, report.unconverged_contacts);
    while end - state.time > nothing {
        let left = end - state.time;
        pace::begin(model, state, w, left, flow);
        let begin = state.time;
        landings.felt = false;
        rounds += 1;
        let asleep = doze::wake(model, state, w, left);
        let closed = landing::closed(model, state, w, flow);
        struck = !struck && landing::begins(model, state, w, &closed, h);
        let mut landed = struck;
        if !struck {
            // Stops that bounce do nothing where they are open.
            w.contact_space.joints.landing = Some(stops::closed(model, &closed));
            // What cannot be solved would be so at every landing that follows.
            let gives_up = rounds > most_rounds || report.unconverged_contacts > unsolved;
            let tried = match stuck || gives_up {
                true => {
                    landing::at_any_depth(model, state, w, left, &closed, *flow, report).map(|trial| (trial, false))
                }
                false => {
                    let seen = passing::seen_for(model, state, w, left);
                    landing::until_landing(model, state, w, seen, &closed, *flow, report)
                }
            };
            w.contact_space.joints.landing = None;
            let (trial, lands) = tried?;
            (*state, *flow, landed) = (trial.state, trial.flow, lands);
            sleep::restore(state, asleep);
            report.events.extend(trial.jammed);
        }
        if landed {
            let asleep = doze::wake(model, state, w, end - state.time);
            meet::meet(model, state, w, h, &mut landings, flow, report);
            sleep::restore(state, asleep);
            encounters::note_blow(model, state, w, &mut report.events);
        }
        // Where a contact changes its name as soon as time goes on, the search would find it there again and again.
        stuck = landed && state.time - begin <= nothing && !landings.felt && !struck;
    }
    joints::break_overloaded(model, state, end, report);
    doze::note(model, state, w, h, flow);
    // Who parts does so after the blows of the step, which have times of their own.
    state.time = end;
    encounters::note(model, state, w, &mut report.events);
    state.time = end - h;
    state.steps = steps + 1;
    Ok(())
}

/// A step without landings, extrapolated if the scene says so, nothing is soft, and the contacts do the same in half steps.
///
/// Elements that vibrate cannot be extrapolated: at `ω h` = 1.8, where Verlet is stable, each step would make them larger by 3 %. Bodies
/// that push them cannot either, nor who pushes these, for impulses between them would not cancel.
pub fn smooth(
    model: &Model,
    start: &State,
    w: &mut Workspace,
    h: f64,
    closed: &[Key],
    flow: Flow,
    report: &mut StepReport,
) -> Result<Trial, StepError> {
    if model.integrator != Integrator::Extrapolated {
        return single(model, start, w, h, closed, flow, report);
    }
    if start.owner.contains(&FREE) {
        return halves(model, start, w, h, closed, flow, report).map(|(_, second)| second);
    }
    let whole = single(model, start, w, h, closed, flow, report)?;
    let (first, second) = halves(model, start, w, h, closed, flow, report)?;
    if first != whole.modes || second.modes != whole.modes {
        return Ok(second);
    }
    Ok(extrapolated(model, w, start, &whole, second))
}

/// Two half steps: what contacts did in the first, and where both lead.
fn halves(
    model: &Model,
    start: &State,
    w: &mut Workspace,
    h: f64,
    closed: &[Key],
    flow: Flow,
    report: &mut StepReport,
) -> Result<(Modes, Trial), StepError> {
    let first = single(model, start, w, 0.5 * h, closed, flow, report)?;
    let mut second = single(model, &first.state, w, 0.5 * h, closed, first.flow, report)?;
    second.jammed.splice(0..0, first.jammed);
    Ok((first.modes, second))
}

/// `(4 b − a)/3` on positions, orientations, velocities and angular momenta, then the contacts put right again.
fn extrapolated(model: &Model, w: &mut Workspace, start: &State, a: &Trial, b: Trial) -> Trial {
    if !is_resolved(start, &a.state, &b.state, model.gravity.length() * (b.state.time - start.time)) {
        return b;
    }
    let mut best = Trial { state: b.state.clone(), flow: b.flow, modes: b.modes.clone(), jammed: b.jammed.clone() };
    let State { aggregates, sleep, epoch, .. } = &mut best.state;
    for (k, body) in aggregates.iter_mut().enumerate().filter(|(k, _)| !sleep.is_asleep(*epoch, *k)) {
        mix_bodies(&a.state.aggregates[k], &b.state.aggregates[k], body);
    }
    best.flow.impulse = mix(a.flow.impulse, b.flow.impulse);
    best.flow.angular_impulse = mix(a.flow.angular_impulse, b.flow.angular_impulse);
    project::close_gaps(model, &mut best.state, w, &best.modes, &mut best.flow);
    close_joints(model, &mut best.state, w, (&[], 0.0), &mut best.flow);
    let energy = |trial: &Trial| landing::energy(model, &trial.state);
    let alike = (energy(a) - energy(&b)).abs().max(energy(&best) - energy(&b));
    let resolved = alike <= ALIKE * momentum::kinetic_energy(model, start);
    let most = landing::energy(model, start).max(energy(&b)) + ENERGY * b.flow.turnover.abs();
    if energy(&best) <= most || (resolved && invents_little(model, &best, &b)) { best } else { b }
}

/// True if the numerics have invented less than their share of the turnover so far, or no more than half steps do.
///
/// Extrapolation invents energy in some steps and loses it in others, the same to third order. Who takes it only where energy falls chooses
/// by the phase of what rocks and rolls: a rattleback turned back by another way, five per cent too soon, at whatever step.
fn invents_little(model: &Model, best: &Trial, halves: &Trial) -> bool {
    let residual = |trial: &Trial| {
        let ledger = &trial.state.ledger;
        ledger.residual + landing::energy(model, &trial.state) - ledger.kinetic - ledger.gravity - trial.flow.received()
    };
    let turnover = best.state.ledger.turnover + best.flow.turnover.abs();
    residual(best) <= residual(halves).max(INVENTED * turnover)
}

/// `(4 b − a)/3`.
fn mix(a: DVec3, b: DVec3) -> DVec3 {
    (b * 4.0 - a) / 3.0
}

/// A body after a whole step and after two half ones becomes the `best` of both. What is extrapolated of its momenta is their sum
/// about one point, which is linear in the impulses, so that angular momentum is kept to rounding. Without a moment on it, it
/// turned by a rule of fourth order, of which two half steps are the best.
fn mix_bodies(a: &Aggregate, b: &Aggregate, best: &mut Aggregate) {
    best.position = mix(a.position, b.position);
    best.velocity = mix(a.velocity, b.velocity);
    if a.angular_momentum == b.angular_momentum {
        return;
    }
    let about_b =
        |body: &Aggregate| body.angular_momentum + (body.position - b.position).cross(body.velocity) * body.mass;
    let moved = (best.position - b.position).cross(best.velocity) * b.mass;
    best.angular_momentum = mix(about_b(a), b.angular_momentum) - moved;
    let near = if a.orientation.dot(b.orientation) < 0.0 { -a.orientation } else { a.orientation };
    best.orientation = (b.orientation * 4.0 - near).normalize();
}

/// True if the whole step and the half ones agree as steps do that resolve the motion: they differ by less than they change it.
///
/// Friction on the average velocity turns round whatever it stops within a step: a whole step leads from `s` to `−s`, two half
/// ones to `s`, and `(4 b − a)/3` to `5/3 s`. A block on its slope began to spin so, slid 8 mm in two seconds where it had
/// to stay, and three times too far where it just had to slide. `gained`: what gravity gives in the step [m/s].
fn is_resolved(start: &State, a: &State, b: &State, gained: f64) -> bool {
    let bodies = start.aggregates.iter().zip(&a.aggregates).zip(&b.aggregates);
    bodies.into_iter().all(|((s, a), b)| {
        let agree = |s: DVec3, a: DVec3, b: DVec3, scale: f64| (b - a).length() <= (b - s).length() + UNSEEN * scale;
        // A spin as the speed of something as heavy as the body.
        let speed =
            |x: &Aggregate| x.angular_momentum * (x.inertia.max_element() * x.mass).sqrt().recip().min(f64::MAX);
        let (fast, spun) = (gained + s.velocity.length(), gained + speed(s).length());
        agree(s.velocity, a.velocity, b.velocity, fast) && agree(speed(s), speed(a), speed(b), spun)
    })
}

/// `S_h`: a step without landings.
fn single(
    model: &Model,
    start: &State,
    w: &mut Workspace,
    h: f64,
    closed: &[Key],
    mut flow: Flow,
    report: &mut StepReport,
) -> Result<Trial, StepError> {
    let mut state = start.clone();
    let t = start.time;
    flow::moved(model, &mut state, w, t + 0.5 * h, 0.5 * h, &mut flow);
    w.clock.lap(Stage::Advance);
    let mut space = std::mem::take(&mut w.contact_space);
    space.step = start.steps;
    detect::detect(model, &state, w, &mut space, h);
    sleep::leave_out(&mut space);
    space.found.retain(|f| closed.contains(&landing::key(f)));
    rubbing::seat(model, &state, w, &mut space);
    let mut before = space.carriers.clone();
    w.clock.lap(Stage::Detect);
    let found = evaluate_apart(model, &state, w, t + 0.5 * h);
    w.contacts.clear();
    w.couples.clear();
    w.couples.resize(state.aggregates.len(), DVec3::ZERO);
    let kicked = kick(model, &mut state, w, t, h);
    flow::book(model, &state, w, &found, &kicked, h, &mut flow);
    w.clock.lap(Stage::FreeMotion);
    space.take_velocities(&state);
    let began = before.clone();
    pace::steady(&mut before, &space.carriers);
    joints::take_velocities(&state, &mut space);
    let mut linkages = joints::find(model, &state, w, &mut space, &before, h);
    let velocity = |k: u32| start.aggregates[k as usize].velocity;
    linkages.iter_mut().for_each(|linkage| linkage.note(model, start, velocity, h));
    let (modes, jammed) = push_on_average(model, &mut state, w, &mut space, (&began, &before), h, &mut flow, report);
    w.contact_space = space;
    w.clock.lap(Stage::Contact);
    flow::check_finite(model, &state, &kicked, t)?;
    flow::moved(model, &mut state, w, t + h, 0.5 * h, &mut flow);
    pace::end(model, &mut state, w, (t + h, h), &mut flow);
    w.clock.lap(Stage::Advance);
    state.time = t + h;
    project::close_gaps(model, &mut state, w, &modes, &mut flow);
    let open = close_joints(model, &mut state, w, (&linkages, h), &mut flow);
    super::tell_open(&w.contact_space, open, report);
    flow.open = flow.open.max(open);
    w.clock.lap(Stage::Contact);
    Ok(Trial { state, flow, modes, jammed })
}

/// Joints are put right in position and velocity, linkages in energy, and read, the time `h` after the last time; by how much
/// they stay open [m].
fn close_joints(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    (linkages, h): (&[Linkage], f64),
    flow: &mut Flow,
) -> f64 {
    if model.joints.is_empty() {
        return 0.0;
    }
    let mut space = std::mem::take(&mut w.contact_space);
    let open = joints::correct(model, state, w, &mut space, flow);
    joints::settle(model, state, w, &mut space, flow);
    joints::keep_energy(model, state, w, (&space, linkages), flow);
    joints::note(model, state, w, &mut space, h);
    w.contact_space = space;
    open
}

/// Solves for the impulses on the average velocity and applies them, with the velocities when the step began, and those that the average is
/// taken of.
#[allow(clippy::too_many_arguments)]
fn push_on_average(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    space: &mut ContactSpace,
    (began, before): (&Carriers, &Carriers),
    h: f64,
    flow: &mut Flow,
    report: &mut StepReport,
) -> (Modes, Vec<Event>) {
    let free = space.carriers.clone();
    // `½ W` and the mean of old and free velocities: bodies of twice the mass, halfway.
    for (c, old) in space.carriers.iter_mut().zip(before.iter()) {
        c.velocity = 0.5 * (c.velocity + old.velocity);
        c.spin = 0.5 * (c.spin + old.spin);
        c.inverse_mass *= 0.5;
        c.inverse_inertia *= 0.5;
    }
    let mut rows = emptied(std::mem::take(&mut space.rows), space.found.len());
    rows.extend((0..space.found.len()).map(|k| start(model, state, w, (space, began), k, h)));
    space.rows = rows;
    joints::make_average(model, state, space, before, h);
    let solved = solve(model, space, before, h, Rest::OnAverage);
    solved.finish(space).iter().for_each(|o| super::note(o, report));
    let modes = space.found.iter().zip(&space.rows).map(|(f, row)| (landing::key(f), row.mode)).collect();
    space.carriers = free;
    let mut rows = std::mem::take(&mut space.rows);
    rows.iter_mut().enumerate().for_each(|(k, row)| *row = whole_row(space, k, row));
    space.rows = rows;
    for row in &space.rows {
        row.push(row.impulse, &mut space.carriers);
    }
    for twist in &space.twists {
        twist.push(twist.impulse, &mut space.carriers);
    }
    joints::make_whole(model, state, space, h);
    joints::apply(model, state, w, space, before, h, flow);
    rest::still(space);
    apply::apply(model, state, w, (space, &Timing::default()), before, h, flow);
    (modes, jam::jammed(model, space, before, (state.time, h)))
}

/// A closed contact, with the impulse of the step before. It slides if it did so when the step began.
fn start(
    model: &Model,
    state: &State,
    w: &Workspace,
    (space, began): (&ContactSpace, &Carriers),
    k: usize,
    h: f64,
) -> Row {
    let f = &space.found[k];
    let c = space.coefficients(model, w, f.first, f.second);
    let last = state.shape_contacts.iter().find(|l| (l.first, l.second, l.feature) == landing::key(f));
    let mut m = rubbing::meeting(space, k, c.static_friction);
    let u = began.relative_velocity((m.a, m.b), m.point);
    if slides(last, || u.reject_from_normalized(m.normal), rest::creep(model, h)) {
        m = rubbing::meeting(space, k, c.dynamic_friction);
    }
    Row::unweighed(&m, &space.carriers, last.map_or(DVec3::ZERO, |l| l.impulse * (h / l.step)))
}

/// The same row for bodies of their own mass.
fn whole_row(space: &ContactSpace, k: usize, solved: &Row) -> Row {
    let mut row = Row::new(&rubbing::meeting(space, k, solved.friction), &space.carriers, solved.world_impulse());
    row.mode = solved.mode;
    row
}

/// Where two shapes push each other, without bias and couples.
pub fn meeting(space: &ContactSpace, f: &Found, friction: f64) -> Meeting {
    let ([a, b], point) = (space.sides(f), space.point(f));
    Meeting { a, b, point, normal: f.touch.normal, friction, ..Meeting::default() }
}
