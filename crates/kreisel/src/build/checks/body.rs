//! Bodies that cannot be. Sizes, positions and constants of matter are checked where the matter is made.

use super::number::{not_negative, positive, rotation, share, vector};
use crate::build::BuildError;
use crate::linear::eigen::principal_frame;
use crate::model::Setup;
use crate::model::setup::{BodySetup, BodyShape, RigidPart};
use glamx::DMat3;

pub fn check_bodies(setup: &Setup) -> Result<(), BuildError> {
    setup.bodies.iter().enumerate().try_for_each(|(b, body)| check_body(&format!("body[{b}]"), body))
}

fn check_body(path: &str, body: &BodySetup) -> Result<(), BuildError> {
    let at = |field: &str| format!("{path}.{field}");
    vector(&at("at"), body.at)?;
    vector(&at("velocity"), body.velocity)?;
    vector(&at("spin"), body.spin)?;
    rotation(&at("rotation"), body.rotation)?;
    body.mass.map_or(Ok(()), |m| positive(&at("mass"), m))?;
    let m = &body.material;
    not_negative(&at("material.friction"), m.static_friction)?;
    not_negative(&at("material.friction"), m.dynamic_friction)?;
    share(&at("material.restitution"), m.restitution)?;
    not_negative(&at("material.rolling_friction"), m.resistance.rolling)?;
    not_negative(&at("material.torsional_friction"), m.resistance.torsional)?;
    not_negative(&at("material.contact_radius"), m.resistance.patch)?;
    match &body.shape {
        BodyShape::Elements { elements, .. } => elements.iter().try_for_each(|e| vector(&at("shape"), e.velocity))?,
        BodyShape::Exact { centre: Some(centre), .. } => vector(&at("centre"), *centre)?,
        _ => {}
    }
    body.inertia.map_or(Ok(()), |i| check_inertia(&at("inertia"), i, body))
}

fn check_inertia(path: &str, inertia: DMat3, body: &BodySetup) -> Result<(), BuildError> {
    let whole = |part: &RigidPart| matches!(part, RigidPart::Whole | RigidPart::QuasiStatic);
    if !matches!(body.shape, BodyShape::Exact { .. }) && !body.rigid.iter().any(whole) {
        let message = "an inertia is given, but the body is not wholly rigid";
        return Err(BuildError::new(path, message, "make it rigid, or leave the inertia to its elements"));
    }
    let skew = (inertia - inertia.transpose()).to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
    let size = inertia.to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
    let sound = inertia.is_finite() && size > 0.0 && skew <= 1e-9 * size;
    if !sound || principal_frame(inertia).0.min_element() <= 1e-12 * size {
        let message = format!("{inertia} is not symmetric and positive definite");
        return Err(BuildError::new(path, message, "give three positive moments, or a symmetric matrix of such"));
    }
    Ok(())
}
