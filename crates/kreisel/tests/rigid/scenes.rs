//! Scenes of exact bodies in code.

use kreisel::model::setup::{BodySetup, BodyShape, Law};
use kreisel::model::shape::{PlacedShape, Shape};
use kreisel::model::{Material, Obstacle, ObstacleShape, Setup};
use kreisel::{DQuat, DVec3};

/// A material of water's density with this friction and restitution.
pub fn material(friction: f64, restitution: f64) -> Material {
    Material { static_friction: friction, dynamic_friction: friction, restitution, ..Material::default() }
}

/// A body of one shape.
pub fn body(name: &str, shape: Shape, at: DVec3, material: Material) -> BodySetup {
    let part = PlacedShape { shape, at: DVec3::ZERO, rotation: DQuat::IDENTITY };
    let shape = BodyShape::Exact { parts: vec![part], centre: None };
    BodySetup { name: name.into(), shape, at, material, ..BodySetup::default() }
}

/// A scene of exact bodies on level ground, with equal steps as long as frames.
pub fn on_ground(bodies: Vec<BodySetup>, step: f64, duration: f64) -> Setup {
    let plane = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
    let ground = Obstacle { name: "ground".into(), shape: plane, friction: None, restitution: None };
    Setup {
        law: Law::Constraint,
        obstacles: vec![ground],
        bodies,
        step: Some(step),
        frame: step,
        duration,
        ..Setup::default()
    }
}
