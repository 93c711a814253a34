//! Blows that follow on each other within a first-order step.
//!
//! The law asks for one velocity at the end of the step. A ball that is struck, and strikes the next one before the step ends, has two
//! blows to meet with it: what its coefficients ask for together need not have a solution, nor keep energy. A step of
//! second order meets one blow after the other. Bodies in the air and linkages have velocities and positions of one time in both, so
//! that a step can be the one or the other. Where few bodies move, those steps are taken so.

use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::row::Row;
use crate::model::collider::Collider;
use crate::model::shape::Shape;
use crate::model::{Aggregate, FREE, Model, State};
use crate::readout::momentum;
use crate::step::constraint::blows::{self, Blow};
use crate::step::constraint::space::ContactSpace;
use crate::step::constraint::{detect, landing, overlap, second_order, sleep};
use crate::step::encounters;
use crate::step::flow::Flow;
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;
use glamx::{DMat3, DVec3};

/// Scenes with more bodies do without: others may land in the step, too, and each landing takes a contact problem.
const MOST_BODIES: usize = 128;
/// So do steps with more blows when they begin,
const MOST_BLOWS: usize = 16;
/// with more contacts that are closed already: all of them are solved anew wherever somebody lands,
const MOST_CLOSED: usize = 128;
/// and with more landings and ways between them.
const MOST_ROUNDS: u32 = 64;
/// Steps that gain more than this share of what moves in them are not solved, whatever they tell [1].
const GAINED: f64 = 1e-3;
/// Blows whose times differ by no more than this share of the step strike at once [1].
const SAME_TIME: f64 = 1e-6;
/// Turning by more than this within a step changes a body's inertia [rad],
const TURNED: f64 = 0.01;
/// if it differs by more than this share about different axes [1],
const UNEVEN: f64 = 1e-6;
/// and by more than this the place where it strikes [rad].
const SPINS: f64 = 0.05;

/// True if blows can be met one after the other: there are few bodies, no soft ones, whose velocities are those of half a step
/// before, and no meshes, whose places of contact change their names on the way through each other, and are found anew each time.
pub fn can_be(model: &Model, state: &State) -> bool {
    let mesh = |c: &Collider| matches!(c.shape, Shape::Mesh(_));
    state.aggregates.len() <= MOST_BODIES && !state.owner.contains(&FREE) && !model.colliders.iter().any(mesh)
}

/// True if there is a blow faster than what gravity gives in a step of size `h`, and there are not too many: slower ones are those of
/// heaps that come to rest.
pub fn is_fast(model: &Model, space: &ContactSpace, h: f64) -> bool {
    let least = model.gravity.length() * h;
    let bounces = || space.blows.iter().filter_map(|blow| blow.speed());
    bounces().count() <= MOST_BLOWS && bounces().any(|speed| speed > least) && !is_heap(model, space)
}

/// True if so many contacts were closed when the step began that a landing takes as long as many steps.
pub fn is_heap(model: &Model, space: &ContactSpace) -> bool {
    let reach = landing::CLOSED * landing::size(model);
    space.found.iter().filter(|f| f.touch.gap <= reach).count() > MOST_CLOSED
}

/// True if a body that bounces is struck by two others, by one at several times, or strikes somebody whom it would not have met.
pub fn is_chained(space: &ContactSpace, h: f64) -> bool {
    let mut by: Vec<Option<(u32, u32, f64)>> = vec![None; space.carriers.len()];
    for (blow, row) in striking(space) {
        let (f, time) = (&space.found[blow.contact as usize], blow.open_from().unwrap_or(0.0));
        let another = |(first, second, t): (u32, u32, f64)| {
            (first, second) != (f.first, f.second) || (t - time).abs() > SAME_TIME * h
        };
        for c in [row.a as usize, row.b as usize].into_iter().filter(|&c| space.carriers[c].is_movable()) {
            if by[c].replace((f.first, f.second, time)).is_some_and(another) {
                return true;
            }
        }
    }
    false
}

/// True if a body that bounces turns so far within the step, before the blow or after it, that the law, which knows its inertia when the
/// step begins, knows it badly when it is struck.
pub fn is_turned(space: &ContactSpace, before: &Carriers, h: f64) -> bool {
    let turns = |c: u32| {
        let spin = before[c as usize].spin.length().max(space.carriers[c as usize].spin.length());
        spin * h > TURNED && is_uneven(&space.carriers[c as usize])
    };
    striking(space).any(|(_, row)| turns(row.a) || turns(row.b))
}

/// True if a body that may bounce turns so far in a step of size `h` that it may strike with a place that the law does not see.
pub fn spins(model: &Model, state: &State, h: f64) -> bool {
    let spins = |a: &Aggregate| a.spin().length() * h > SPINS;
    let owner = |c: &Collider| state.aggregates.get(state.owner[c.element as usize] as usize);
    let mut edged = model.colliders.iter().filter(|c| !matches!(c.shape, Shape::Sphere { .. }));
    blows::bounces(model) && edged.any(|c| owner(c).is_some_and(spins))
}

/// True if a body turns more easily about some axes than about others.
fn is_uneven(c: &Carrier) -> bool {
    let i = c.inverse_inertia;
    let off = (i - DMat3::from_diagonal(DVec3::splat(i.x_axis.x))).to_cols_array();
    off.iter().any(|o| o.abs() > UNEVEN * i.x_axis.x.abs())
}

/// Blows that are open and push, and their rows.
fn striking(space: &ContactSpace) -> impl Iterator<Item = (&Blow, &Row)> {
    let open = space.blows.iter().filter(|blow| blow.is_open());
    open.map(|blow| (blow, &space.rows[blow.contact as usize])).filter(|(_, row)| row.impulse.x > 0.0)
}

/// A step of second order with all that has to be given back. False if it was not solved, or took too long: then nothing has happened, and
/// contacts are found where they were.
pub fn step(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    space: &mut ContactSpace,
    h: f64,
    flow: &mut Flow,
    report: &mut StepReport,
) -> bool {
    let start = (state.clone(), *flow, report.clone());
    w.contact_space = std::mem::take(space);
    let done = second_order::substep_within(model, state, w, (h, MOST_ROUNDS), flow, report).is_ok();
    let solved =
        done && report.unconverged_contacts == start.2.unconverged_contacts && !gains(model, state, flow, &start);
    if solved && is_apart(model, state, w, h) {
        report.steps_in_time += 1;
        return true;
    }
    (*state, *flow, *report) = start;
    w.moment = None;
    w.meeting = Some(encounters::encounters(model, state));
    *space = std::mem::take(&mut w.contact_space);
    sleep::detect_awake(model, state, w, space, h);
    false
}

/// True if there is more energy than at the start, beyond what supports, loads and motors gave.
fn gains(model: &Model, state: &State, flow: &Flow, (start, then, _): &(State, Flow, StepReport)) -> bool {
    let given = flow.support_work + flow.load_work - then.support_work - then.load_work;
    let gained = landing::energy(model, state) - landing::energy(model, start) - given;
    gained > GAINED * (flow.turnover - then.turnover + momentum::kinetic_energy(model, start))
}

/// True if nobody is deep in another.
fn is_apart(model: &Model, state: &State, w: &mut Workspace, h: f64) -> bool {
    let mut space = std::mem::take(&mut w.contact_space);
    detect::detect(model, state, w, &mut space, h);
    let apart = !space.found.iter().any(|f| overlap::is_serious(&space, f));
    w.contact_space = space;
    apart
}
