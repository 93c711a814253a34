//! From a [`Setup`] to a [`Model`] and its first [`State`].

mod apart;
mod bodies;
mod checks;
mod colliders;
mod error;
mod joints;
mod resample;
mod select;
mod supports;

pub use checks::goes_with;
pub use error::BuildError;
pub use resample::{Resampled, resample};

use crate::linear::Vectors;
use crate::model::setup::{BodySetup, BodyShape, RigidPart};
use crate::model::{FREE, Model, Origin, Setup, State, topology};
use crate::step::convert;
use select::Selector;

/// Builds elements, connections and the first state of a scene.
pub fn build(setup: &Setup) -> Result<(Model, State), BuildError> {
    checks::check_numbers(setup)?;
    let mut model = bodies::assemble(setup)?;
    let (component, _) = topology::components(model.elements.len(), &model.connections.ends, &[]);
    model.elements.component = component;
    let mut state = first_state(setup, &model);
    let selector = Selector::new(&model);
    model_parts(setup, &mut model, &selector)?;
    make_rigid_parts(setup, &model, &selector, &mut state)?;
    colliders::add(setup, &mut model, &mut state)?;
    convert::give_lone_elements_spin(&model, &mut state);
    bodies::spin_balls(setup, &model, &mut state);
    joints::add(setup, &mut model, &mut state)?;
    apart::add(setup, &mut model)?;
    checks::check_overlaps(setup, &model, &mut state)?;
    Ok((model, state))
}

/// Everything that refers to elements by region.
fn model_parts(setup: &Setup, model: &mut Model, selector: &Selector) -> Result<(), BuildError> {
    supports::add_holds(setup, model, selector)?;
    supports::add_loads(setup, model, selector)?;
    supports::add_grabs(setup, model, selector)?;
    supports::add_schedule(setup, model, selector)?;
    supports::add_probes(setup, model, selector)
}

fn first_state(setup: &Setup, model: &Model) -> State {
    let n = model.elements.len();
    let mut state = State {
        position: model.elements.rest.clone(),
        velocity: Vectors::zeros(n),
        owner: vec![FREE; n],
        ..State::default()
    };
    bodies::set_velocities(setup, model, &mut state);
    if model.bodies.iter().any(|b| b.automatic) {
        state.calm = vec![0.0; n];
    }
    state
}

fn make_rigid_parts(setup: &Setup, model: &Model, selector: &Selector, state: &mut State) -> Result<(), BuildError> {
    let of_elements = |b: &BodySetup| !matches!(b.shape, BodyShape::Exact { .. });
    for (b, body) in setup.bodies.iter().enumerate().filter(|(_, body)| of_elements(body)) {
        for part in &body.rigid {
            let path = format!("body[{b}].rigid");
            let mut elements = match part {
                RigidPart::Automatic => continue,
                RigidPart::Whole | RigidPart::QuasiStatic => bodies::elements_of(setup, model, b),
                RigidPart::Region(region) => {
                    let own = bodies::elements_of(setup, model, b);
                    let mut chosen = selector.select(region, &path)?;
                    chosen.retain(|e| own.contains(e));
                    if chosen.is_empty() {
                        return Err(BuildError::empty(&path, region));
                    }
                    chosen
                }
            };
            elements.retain(|&e| state.owner[e as usize] == FREE);
            if elements.is_empty() || (body.inertia.is_none() && is_ball(model, &elements)) {
                continue;
            }
            let aggregate = convert::gather_aggregate(model, state, &elements, Origin::Requested);
            let aggregate = match body.inertia {
                Some(inertia) => convert::with_given_inertia(aggregate, inertia, body.rotation, body.spin, state),
                None => aggregate,
            };
            convert::adopt(state, aggregate);
        }
    }
    Ok(())
}

/// True for a single element that nothing is joined to: it becomes a ball with a spin of its own.
fn is_ball(model: &Model, elements: &[u32]) -> bool {
    let [e] = elements else { return false };
    let component = model.elements.component[*e as usize];
    model.contact.enabled && model.elements.component.iter().filter(|&&c| c == component).count() == 1
}
