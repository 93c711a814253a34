//! Explicit or implicit, chosen from stiffness and wanted step where the scene leaves it open.

use crate::model::setup::{Integrator, Law};
use crate::model::{Model, State};
use crate::step::SAFETY;
use crate::step::workspace::Workspace;

/// A frame that would take more explicit steps than this is taken implicitly.
const PATIENCE: f64 = 5000.0;

/// An implicit step costs about as much as so many explicit ones (`bench: crossover`): shorter ones are better divided.
const CHEAPER: f64 = 100.0;

/// Chooses an integrator, and says why.
pub fn choose(model: &Model, state: &State, w: &mut Workspace) -> (Integrator, String) {
    w.refresh(model, state);
    let bound = w.stable_step(model, state);
    if model.law == Law::Constraint && bound.step.is_infinite() {
        let reason = "the law `constraint` takes first-order steps where nothing else is asked for";
        return (Integrator::SymplecticEuler, reason.to_string());
    }
    let (stable, frame) = (SAFETY * bound.step, model.frame);
    let where_from = bound.element.map_or_else(String::new, |e| format!(", set by \"{}\"", model.body_name(e)));
    match model.step {
        Some(step) if step > CHEAPER * stable => (
            Integrator::BackwardEuler,
            format!(
                "the wanted step of {step:.3e} s is {:.0} times what explicit steps allow ({stable:.3e} s{where_from})",
                step / stable
            ),
        ),
        Some(step) => (Integrator::SymplecticEuler, explicitly(step, stable, &where_from)),
        None if frame > PATIENCE * stable => (
            Integrator::BackwardEuler,
            format!("a frame would take {:.0} explicit steps of {stable:.3e} s{where_from}", frame / stable),
        ),
        None => (
            Integrator::SymplecticEuler,
            format!(
                "a frame takes {:.0} explicit steps of at most {stable:.3e} s{where_from}",
                (frame / stable).ceil().max(1.0)
            ),
        ),
    }
}

/// Why a wanted step is taken explicitly, whole or in parts.
fn explicitly(step: f64, stable: f64, where_from: &str) -> String {
    if step <= stable {
        return format!(
            "the wanted step of {step:.3e} s is within the {stable:.3e} s that explicit steps allow{where_from}"
        );
    }
    let parts = (step / stable).ceil();
    format!(
        "{parts:.0} explicit steps of at most {stable:.3e} s{where_from}, in place of one of {step:.3e} s, cost less than an implicit one"
    )
}
