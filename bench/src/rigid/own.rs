//! The scenes in Kreisel.

use super::outcome::Pose;
use super::scenes::{DENSITY, FRICTION, Form, GRAVITY, Piece, Scene};
use super::{Cost, Engine};
use kreisel::model::setup::{BodySetup, BodyShape, ConstraintSettings, Law};
use kreisel::model::shape::{PlacedShape, Shape};
use kreisel::model::{Material, Obstacle, ObstacleShape, Setup};
use kreisel::{DQuat, DVec3, Simulation};
use kreisel_record::state_hash;

/// A running scene.
pub struct Own {
    sim: Simulation,
    /// From the orientation of an aggregate to that of its body.
    turn: Vec<DQuat>,
    cost: Cost,
}

/// Builds the scene; nobody sleeps.
pub fn start(scene: &Scene) -> Box<dyn Engine> {
    Box::new(Own::new(scene, f64::INFINITY))
}

impl Own {
    /// Builds the scene. Bodies sleep after so long at rest [s].
    pub fn new(scene: &Scene, sleep_after: f64) -> Self {
        let sim = Simulation::new(&setup(scene, sleep_after)).expect("the scene is sound");
        let turn = sim.state().aggregates.iter().zip(&scene.bodies).map(|(a, b)| a.orientation.inverse() * b.rotation);
        Self { turn: turn.collect(), sim, cost: Cost::default() }
    }

    /// A number that changes with any bit of the state.
    pub fn hash(&self) -> u64 {
        state_hash(self.sim.state())
    }
}

impl Engine for Own {
    fn step(&mut self) {
        let report = self.sim.step().expect("a step");
        self.cost.contacts = self.cost.contacts.max(report.contacts);
        self.cost.sweeps += report.contact_sweeps;
        self.cost.newton += report.newton_iterations;
        self.cost.unsolved += report.unconverged_contacts;
    }

    fn poses(&self) -> Vec<Pose> {
        self.sim.state().aggregates.iter().zip(&self.turn).map(|(a, t)| (a.position, a.orientation * *t)).collect()
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}

fn setup(scene: &Scene, sleep_after: f64) -> Setup {
    Setup {
        law: Law::Constraint,
        constraint: ConstraintSettings { sleep_after, ..ConstraintSettings::default() },
        gravity: DVec3::new(0.0, -GRAVITY, 0.0),
        bodies: scene.bodies.iter().enumerate().map(|(k, piece)| body(k, piece)).collect(),
        obstacles: scene.world.iter().enumerate().map(|(k, piece)| obstacle(k, piece)).collect(),
        step: Some(scene.step),
        frame: scene.step,
        duration: scene.step * scene.steps as f64,
        ..Setup::default()
    }
}

fn body(k: usize, piece: &Piece) -> BodySetup {
    let shape = match piece.form {
        Form::Box(half_size) => Shape::Box { half_size },
        Form::Ball(radius) => Shape::Sphere { radius },
    };
    let part = PlacedShape { shape, at: DVec3::ZERO, rotation: DQuat::IDENTITY };
    let material = Material {
        density: DENSITY,
        static_friction: FRICTION,
        dynamic_friction: FRICTION,
        restitution: 0.0,
        ..Material::default()
    };
    let shape = BodyShape::Exact { parts: vec![part], centre: None };
    BodySetup {
        name: format!("body-{k}"),
        shape,
        at: piece.at,
        rotation: piece.rotation,
        material,
        ..BodySetup::default()
    }
}

fn obstacle(k: usize, piece: &Piece) -> Obstacle {
    let shape = match piece.form {
        Form::Box(half_size) => ObstacleShape::Box { centre: piece.at, half_size, rotation: piece.rotation },
        Form::Ball(radius) => ObstacleShape::Sphere { centre: piece.at, radius },
    };
    Obstacle { name: format!("world-{k}"), shape, friction: None, restitution: None }
}
