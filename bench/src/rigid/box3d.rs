//! The scenes in Box3D.

use super::Engine;
use super::outcome::Pose;
use super::scenes::{DENSITY, FRICTION, Form, GRAVITY, Piece, Scene};
use boxddd::{BodyId, BodyType, BoxHull, Foundation, Quat, Sphere, Vec3, World};
use kreisel::{DQuat, DVec3};

/// Substeps of a step, as it comes.
const SUBSTEPS: i32 = 4;

/// A running scene.
pub struct Peer {
    world: World,
    bodies: Vec<BodyId>,
    step: f32,
    substeps: i32,
}

/// Builds the scene; as it comes, or with so many times its substeps.
pub fn start(scene: &Scene, finer: usize) -> Box<dyn Engine> {
    Box::new(build(scene, finer).expect("the scene is sound"))
}

fn build(scene: &Scene, finer: usize) -> boxddd::Result<Peer> {
    let foundation = Foundation::get().or_else(|_| Foundation::initialize_default())?;
    let definition = foundation.world_def_builder().gravity(Vec3::new(0.0, -GRAVITY as f32, 0.0)).enable_sleep(false);
    let world = foundation.create_world(definition.worker_count(1).build()?)?;
    let mut peer = Peer { world, bodies: Vec::new(), step: scene.step as f32, substeps: SUBSTEPS * finer as i32 };
    for piece in &scene.world {
        peer.add(foundation, piece, BodyType::Static)?;
    }
    for piece in &scene.bodies {
        let id = peer.add(foundation, piece, BodyType::Dynamic)?;
        peer.bodies.push(id);
    }
    Ok(peer)
}

impl Peer {
    fn add(&mut self, foundation: &'static Foundation, piece: &Piece, kind: BodyType) -> boxddd::Result<BodyId> {
        let (at, q) = (vector(piece.at), piece.rotation.as_quat());
        let rotation = Quat { v: Vec3::new(q.x, q.y, q.z), s: q.w };
        let body = foundation.body_def_builder().body_type(kind).position(at).rotation(rotation).enable_sleep(false);
        let id = self.world.create_body(body.build()?)?;
        let material =
            foundation.shape_def_builder().density(DENSITY as f32).friction(FRICTION as f32).restitution(0.0);
        let material = material.build()?;
        match piece.form {
            Form::Box(half) => {
                let half = half.as_vec3();
                self.world.create_hull_shape(id, &material, &BoxHull::new(half.x, half.y, half.z)?)?;
            }
            Form::Ball(radius) => {
                self.world.create_sphere_shape(id, &material, &Sphere::new(Vec3::new(0.0, 0.0, 0.0), radius as f32))?;
            }
        }
        Ok(id)
    }

    fn pose(&self, id: BodyId) -> boxddd::Result<Pose> {
        let (p, q) = (self.world.body_position(id)?, self.world.body_rotation(id)?);
        let at = DVec3::new(f64::from(p.x), f64::from(p.y), f64::from(p.z));
        Ok((at, DQuat::from_xyzw(f64::from(q.v.x), f64::from(q.v.y), f64::from(q.v.z), f64::from(q.s))))
    }
}

impl Engine for Peer {
    fn step(&mut self) {
        self.world.step(self.step, self.substeps).expect("a step");
    }

    fn poses(&self) -> Vec<Pose> {
        self.bodies.iter().map(|id| self.pose(*id).expect("the body is there")).collect()
    }
}

fn vector(v: DVec3) -> Vec3 {
    let v = v.as_vec3();
    Vec3::new(v.x, v.y, v.z)
}
