//! A scene whose unsolved contacts or joints make energy without end fails, and says which.
//!
//! What is not solved is told, and the run goes on: most of it is solved again a step later. But where rounding or the tension of joints leaves
//! nothing of an answer, each step may give more energy than the one before, until numbers end. The ledger knows: its residual is what the
//! numerics gave. Everything else that moves comes from the energy of the beginning, from works, or from weights that fall through the scene.

use crate::model::{Model, State};
use crate::step::constraint;
use crate::step::report::{StepError, StepReport};
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// The numerics may have given so many times all the energy that a scene can explain [1]. Nothing that anybody would look at has more than
/// some hundredths; what runs away has any number of times as much within a few frames.
const MOST: f64 = 1e3;

/// Fails if a frame that was not solved ends with far more energy than there can be.
pub fn check(model: &Model, state: &State, w: &mut Workspace, report: &StepReport) -> Result<(), StepError> {
    let ledger = &state.ledger;
    if report.unconverged_contacts == 0 || ledger.residual <= 0.0 {
        return Ok(());
    }
    let begin = ledger.energy() - ledger.balance() - ledger.residual;
    let losses = ledger.damping_loss.abs() + ledger.friction_loss.abs() + ledger.contact_loss.abs();
    let works = ledger.load_work.abs() + ledger.support_work.abs() + losses;
    let explained = begin.abs() + works + falls(model);
    if ledger.residual <= MOST * explained {
        return Ok(());
    }
    let opened = constraint::farthest_open(model, state, w);
    let (element, whose) = match opened {
        Some((k, gap)) => (element_of(model, k), format!("joint \"{}\", open by {gap:.1e} m,", model.joints[k].name)),
        None => (fastest(state), "contacts".to_string()),
    };
    let given = ledger.residual / explained;
    let cause = format!(
        "{whose} could not be solved, and gave {given:.0e} times all the energy there was: ratios of masses, or speeds, are too large for the step"
    );
    let body = element.map_or("", |e| model.body_name(e)).to_string();
    Err(StepError { time: state.time, element, body, cause })
}

/// What weights have if they fall through the scene as it is at rest [J].
fn falls(model: &Model) -> f64 {
    let elements = &model.elements;
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let reach = |(low, high): (DVec3, DVec3), i: usize| {
        let (x, r) = (elements.rest.get(i), DVec3::splat(elements.radius[i]));
        (low.min(x - r), high.max(x + r))
    };
    let (low, high) = (0..elements.len()).fold(none, reach);
    let mass: f64 = elements.mass.iter().sum();
    if elements.is_empty() { 0.0 } else { mass * model.gravity.length() * (high - low).length() }
}

/// The first element that a joint joins.
fn element_of(model: &Model, joint: usize) -> Option<u32> {
    model.joints[joint].pairs.iter().flatten().find_map(|side| side.element)
}

/// The fastest element.
fn fastest(state: &State) -> Option<u32> {
    let speed = |i: &usize| state.velocity.get(*i).length();
    (0..state.velocity.len()).max_by(|a, b| speed(a).total_cmp(&speed(b))).map(|i| i as u32)
}
