//! Times, settings and obstacles that cannot be.

use super::number::{direction, finite, not_negative, positive, rotation, share, vector};
use crate::build::BuildError;
use crate::model::setup::{BodySetup, Demands, Integrator, Law, RestitutionLaw};
use crate::model::{Obstacle, ObstacleShape, Setup};

/// Obstacles and bodies are numbered with 16 bits.
const MOST: usize = u16::MAX as usize;

pub fn check_times(setup: &Setup) -> Result<(), BuildError> {
    positive("duration", setup.duration)?;
    positive("frame", setup.frame)?;
    setup.step.map_or(Ok(()), |step| positive("step", step))
}

pub fn check_law(setup: &Setup) -> Result<(), BuildError> {
    let resists = |b: &BodySetup| !b.material.resistance.is_zero();
    let demands = Demands {
        pyramid: setup.constraint.facets > 0,
        resistance: setup.bodies.iter().any(resists),
        poisson: setup.constraint.restitution_law == RestitutionLaw::Poisson,
    };
    goes_with(setup.law, setup.integrator, demands)?;
    check_constraint(setup)
}

/// Not every integrator goes with every law of contact: why this one does not.
pub fn goes_with(law: Law, integrator: Integrator, demands: Demands) -> Result<(), BuildError> {
    if let Some(message) = demands.newton().filter(|_| law == Law::Constraint) {
        return Err(BuildError::new("constraint.restitution_law", message, "take \"newton\", or leave the other out"));
    }
    let (message, help) = match (law, integrator) {
        (Law::Constraint, Integrator::BackwardEuler) => match demands.explicit() {
            Some(message) => (message, "take \"symplectic-euler\", \"verlet\" or \"extrapolated\""),
            None => return Ok(()),
        },
        (Law::Connections, Integrator::Extrapolated) => {
            ("extrapolated steps go with the law `constraint` only", "take \"verlet\" or \"midpoint\"")
        }
        (Law::Constraint, Integrator::ForwardEuler) => {
            ("forward Euler does not go with the law `constraint`", "take \"symplectic-euler\"")
        }
        (Law::Constraint, Integrator::LinearBackwardEuler | Integrator::ImplicitMidpoint) => (
            "of implicit steps, only backward Euler goes with the law `constraint`",
            "take \"backward-euler\", \"symplectic-euler\", \"verlet\" or \"extrapolated\"",
        ),
        _ => return Ok(()),
    };
    Err(BuildError::new("integrator", message, help))
}

fn check_constraint(setup: &Setup) -> Result<(), BuildError> {
    positive("constraint.tolerance", setup.constraint.tolerance)?;
    let patience = setup.constraint.sleep_after;
    if patience.is_nan() || patience <= 0.0 {
        let message = format!("{patience} s is no time to be at rest for");
        return Err(BuildError::new("constraint.sleep_after", message, "give a time above zero, or infinity: never"));
    }
    let facets = setup.constraint.facets;
    if facets % 2 == 1 || facets == 2 {
        let message = format!("a pyramid of {facets} facets");
        return Err(BuildError::new("constraint.facets", message, "an even number from 4 on, or 0 for the cone"));
    }
    Ok(())
}

pub fn check_settings(setup: &Setup) -> Result<(), BuildError> {
    vector("gravity", setup.gravity)?;
    not_negative("drag", setup.drag)?;
    not_negative("contact.adhesion", setup.contact.adhesion)?;
    let s = &setup.switching;
    not_negative("switching.rigid_below", s.rigid_below)?;
    not_negative("switching.patience", s.patience)?;
    if s.soft_above >= s.rigid_below {
        return Ok(());
    }
    let message = format!("{} 1/s is not above rigid_below = {} 1/s", s.soft_above, s.rigid_below);
    Err(BuildError::new("switching.soft_above", message, "leave a gap, or parts switch back and forth"))
}

pub fn check_obstacles(setup: &Setup) -> Result<(), BuildError> {
    for (name, count) in [("obstacle", setup.obstacles.len()), ("body", setup.bodies.len())] {
        if count > MOST {
            return Err(BuildError::new(name, format!("{count} of them"), format!("at most {MOST} are possible")));
        }
    }
    setup.obstacles.iter().enumerate().try_for_each(|(k, o)| check_obstacle(&format!("obstacle[{k}]"), o))
}

fn check_obstacle(path: &str, obstacle: &Obstacle) -> Result<(), BuildError> {
    let at = |field: &str| format!("{path}.{field}");
    if let Some((s, d)) = obstacle.friction {
        not_negative(&at("friction"), s)?;
        not_negative(&at("friction"), d)?;
    }
    obstacle.restitution.map_or(Ok(()), |e| share(&at("restitution"), e))?;
    match &obstacle.shape {
        ObstacleShape::Plane { normal, offset } => {
            direction(&at("normal"), *normal)?;
            finite(&at("offset"), *offset)
        }
        ObstacleShape::Sphere { centre, radius } => {
            vector(&at("centre"), *centre)?;
            positive(&at("radius"), *radius)
        }
        ObstacleShape::Box { centre, half_size, rotation: turn } => {
            vector(&at("centre"), *centre)?;
            half_size.to_array().iter().try_for_each(|&a| positive(&at("half_size"), a))?;
            rotation(&at("rotation"), *turn)
        }
    }
}
