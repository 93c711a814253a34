//! The scenes in Rapier; compiled twice, for single and for double precision, as `super::rapier` and `super::Number` say.

use super::super::Engine;
use super::super::outcome::Pose;
use super::super::scenes::{DENSITY, FRICTION, Form, GRAVITY, Piece, Scene};
use super::Number;
use super::rapier::prelude::*;
use kreisel::{DQuat, DVec3};

/// A running scene.
pub struct Peer {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    handles: Vec<RigidBodyHandle>,
    parameters: IntegrationParameters,
    pipeline: PhysicsPipeline,
    islands: IslandManager,
    broad: BroadPhaseBvh,
    narrow: NarrowPhase,
    impulse: ImpulseJointSet,
    multibody: MultibodyJointSet,
    soft: SoftBodySet,
    ccd: CCDSolver,
}

/// Builds the scene; as Rapier comes, or stiffer with so many times its substeps.
pub fn start(scene: &Scene, finer: usize) -> Box<dyn Engine> {
    let mut parameters = IntegrationParameters { dt: scene.step as Number, ..Default::default() };
    if finer > 1 {
        parameters.num_solver_iterations *= finer;
        parameters.contact_softness.natural_frequency *= finer as Number;
        parameters.static_contact_softness.natural_frequency *= finer as Number;
        parameters.normalized_allowed_linear_error = 1e-4;
    }
    let mut peer = Peer {
        bodies: RigidBodySet::new(),
        colliders: ColliderSet::new(),
        handles: Vec::new(),
        parameters,
        pipeline: PhysicsPipeline::new(),
        islands: IslandManager::new(),
        broad: BroadPhaseBvh::new(),
        narrow: NarrowPhase::new(),
        impulse: ImpulseJointSet::new(),
        multibody: MultibodyJointSet::new(),
        soft: SoftBodySet::new(),
        ccd: CCDSolver::new(),
    };
    for piece in &scene.bodies {
        let turn = piece.rotation.to_scaled_axis();
        let body = RigidBodyBuilder::dynamic().translation(vector(piece.at)).rotation(vector(turn)).can_sleep(false);
        let handle = peer.bodies.insert(body);
        peer.colliders.insert_with_parent(collider(piece), handle, &mut peer.bodies);
        peer.handles.push(handle);
    }
    for piece in &scene.world {
        peer.colliders.insert(collider(piece).translation(vector(piece.at)));
    }
    Box::new(peer)
}

impl Engine for Peer {
    fn step(&mut self) {
        self.pipeline.step(
            Vector::new(0.0, -GRAVITY as Number, 0.0),
            &self.parameters,
            &mut self.islands,
            &mut self.broad,
            &mut self.narrow,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.impulse,
            &mut self.multibody,
            &mut self.soft,
            &mut self.ccd,
            &(),
            &(),
        );
    }

    fn poses(&self) -> Vec<Pose> {
        self.handles.iter().map(|h| pose(&self.bodies[*h])).collect()
    }
}

#[allow(clippy::unnecessary_cast)]
fn pose(body: &RigidBody) -> Pose {
    let (p, q) = (body.translation(), body.rotation());
    let at = DVec3::new(p.x as f64, p.y as f64, p.z as f64);
    (at, DQuat::from_xyzw(q.x as f64, q.y as f64, q.z as f64, q.w as f64))
}

#[allow(clippy::unnecessary_cast)]
fn vector(v: DVec3) -> Vector {
    Vector::new(v.x as Number, v.y as Number, v.z as Number)
}

#[allow(clippy::unnecessary_cast)]
fn collider(piece: &Piece) -> ColliderBuilder {
    let shape = match piece.form {
        Form::Box(half) => ColliderBuilder::cuboid(half.x as Number, half.y as Number, half.z as Number),
        Form::Ball(radius) => ColliderBuilder::ball(radius as Number),
    };
    shape.density(DENSITY as Number).friction(FRICTION as Number).restitution(0.0)
}
