//! Exact bodies: one rigid aggregate each, with the shapes in its principal frame.

use crate::build::BuildError;
use crate::model::setup::{BodySetup, BodyShape, Law};
use crate::model::shape::{PlacedShape, mass_properties_with};
use crate::model::{Collider, Model, Origin, Setup, State};
use crate::step::convert;
use glamx::DMat3;

/// Makes exact bodies rigid and hangs their shapes on them.
pub fn add(setup: &Setup, model: &mut Model, state: &mut State) -> Result<(), BuildError> {
    for (b, body) in setup.bodies.iter().enumerate() {
        let BodyShape::Exact { parts, .. } = &body.shape else { continue };
        let path = format!("body[{b}].shape");
        if setup.law != Law::Constraint && body.contact {
            let message = "exact shapes touch under the law `constraint` only";
            return Err(BuildError::new(&path, message, "write `law = \"constraint\"`"));
        }
        let elements = super::bodies::elements_of(setup, model, b);
        let inertia = inertia(setup, body, parts, &path)?;
        let aggregate = convert::gather_aggregate(model, state, &elements, Origin::Requested);
        let aggregate = convert::with_given_inertia(aggregate, inertia, body.rotation, body.spin, state);
        if body.contact {
            let turn = aggregate.orientation.inverse();
            let first = elements[0] as usize;
            let rest = |part: &PlacedShape| (body.at + body.rotation * part.at, body.rotation * part.rotation);
            let collider = |part: &PlacedShape| Collider {
                shape: part.shape.clone(),
                at: turn * (rest(part).0 - aggregate.position),
                rotation: (turn * body.rotation * part.rotation).normalize(),
                rest: rest(part),
                element: elements[0],
                body: model.elements.body[first],
                material: model.elements.material[first],
            };
            let all: Vec<Collider> = parts.iter().map(collider).collect();
            model.colliders.extend(all);
        }
        convert::adopt(state, aggregate);
    }
    Ok(())
}

/// Inertia about the centre of mass in body axes: as given, or that of the shapes with the mass of the body [kg m²].
fn inertia(setup: &Setup, body: &BodySetup, parts: &[PlacedShape], path: &str) -> Result<DMat3, BuildError> {
    if let Some(inertia) = body.inertia {
        return Ok(inertia);
    }
    let wrong = |e: crate::model::shape::ShapeError| BuildError::new(path, e.to_string(), "see the scene reference");
    let sheets = super::bodies::sheets(setup, body);
    let whole = mass_properties_with(parts, body.material.density, sheets).map_err(wrong)?;
    Ok(whole.inertia * body.mass.map_or(1.0, |m| m / whole.mass))
}
