//! Blows that follow on each other within a first-order step.
//!
//! The law asks for one velocity at the end of the step. A ball that is struck, and strikes the next one before the step ends, has two
//! blows to meet with it: what its coefficients ask for together need not have a solution, nor keep energy. A step of
//! second order meets one blow after the other. Bodies in the air and linkages have velocities and positions of one time in both, so
//! that a step can be the one or the other. Where few bodies move, those steps are taken so.

use crate::model::collider::Collider;
use crate::model::shape::Shape;
use crate::model::{FREE, Model, State};
use crate::step::constraint::space::ContactSpace;
use crate::step::constraint::{detect, overlap, second_order, sleep};
use crate::step::encounters;
use crate::step::flow::Flow;
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;

/// Scenes with more bodies do without: others may land in the step, too, and each landing takes a contact problem.
const MOST_BODIES: usize = 128;
/// So do steps with more blows when they begin,
const MOST_BLOWS: usize = 16;
/// and with more landings and ways between them.
const MOST_ROUNDS: u32 = 64;

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
    bounces().count() <= MOST_BLOWS && bounces().any(|speed| speed > least)
}

/// True if a body that bounces is struck by two others, or strikes somebody whom it would not have met.
pub fn is_chained(space: &ContactSpace) -> bool {
    let mut by: Vec<Option<(u32, u32)>> = vec![None; space.carriers.len()];
    let pushes = |contact: u32| space.rows[contact as usize].impulse.x > 0.0;
    for blow in space.blows.iter().filter(|blow| blow.is_open() && pushes(blow.contact)) {
        let (row, f) = (&space.rows[blow.contact as usize], &space.found[blow.contact as usize]);
        for c in [row.a as usize, row.b as usize].into_iter().filter(|&c| space.carriers[c].is_movable()) {
            let pair = (f.first, f.second);
            if by[c].replace(pair).is_some_and(|known| known != pair) {
                return true;
            }
        }
    }
    false
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
    if done && report.unconverged_contacts == start.2.unconverged_contacts && is_apart(model, state, w, h) {
        report.steps_in_time += 1;
        return true;
    }
    (*state, *flow, *report) = start;
    w.moment = None;
    w.meeting = Some(encounters::pairs(model, state));
    *space = std::mem::take(&mut w.contact_space);
    sleep::detect_awake(model, state, w, space, h);
    false
}

/// True if nobody is deep in another.
fn is_apart(model: &Model, state: &State, w: &mut Workspace, h: f64) -> bool {
    let mut space = std::mem::take(&mut w.contact_space);
    detect::detect(model, state, w, &mut space, h);
    let apart = !space.found.iter().any(|f| overlap::is_serious(&space, f));
    w.contact_space = space;
    apart
}
