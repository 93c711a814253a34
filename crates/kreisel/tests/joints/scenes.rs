//! Mechanisms in code.

use kreisel::model::joint::{JointKind, JointSetup};
use kreisel::model::setup::{BodySetup, BodyShape, Integrator, Law};
use kreisel::model::shape::{PlacedShape, Shape};
use kreisel::model::{Material, Setup};
use kreisel::{DQuat, DVec3, Simulation};

/// A rigid body of one shape.
pub fn body(name: &str, shape: Shape, at: DVec3, rotation: DQuat) -> BodySetup {
    let part = PlacedShape { shape, at: DVec3::ZERO, rotation: DQuat::IDENTITY };
    let shape = BodyShape::Exact { parts: vec![part], centre: None };
    BodySetup { name: name.into(), shape, at, rotation, material: Material::default(), ..BodySetup::default() }
}

/// A rod of square section from one point to another.
pub fn rod(name: &str, from: DVec3, to: DVec3, thickness: f64) -> BodySetup {
    let along = to - from;
    let half_size = DVec3::new(0.5 * along.length(), 0.5 * thickness, 0.5 * thickness);
    let rotation = DQuat::from_rotation_arc(DVec3::X, along.normalize());
    body(name, Shape::Box { half_size }, 0.5 * (from + to), rotation)
}

/// A joint about or along an axis.
pub fn joint(name: &str, kind: JointKind, a: &str, b: Option<&str>, at: DVec3, axis: DVec3) -> JointSetup {
    JointSetup { name: name.into(), kind, a: a.into(), b: b.map(str::to_string), at, axis, ..JointSetup::default() }
}

/// A scene of mechanisms without ground.
pub fn scene(bodies: Vec<BodySetup>, joints: Vec<JointSetup>, step: f64, integrator: Integrator) -> Setup {
    Setup { law: Law::Constraint, bodies, joints, step: Some(step), frame: step, integrator, ..Setup::default() }
}

/// The largest error of all joints [m].
pub fn worst(sim: &Simulation) -> f64 {
    let errors = sim.model().joints.iter().map(|j| sim.joint(&j.name).unwrap().error);
    errors.fold(0.0, f64::max)
}

/// A chain of rods along x, hinged to the world at the origin and to each other, about y.
pub fn chain(links: usize, length: f64, step: f64, integrator: Integrator) -> Setup {
    let end = |k: usize| DVec3::new(length * k as f64, 0.0, 0.0);
    let bodies = (0..links).map(|k| rod(&format!("rod-{k}"), end(k), end(k + 1), 0.1 * length)).collect();
    let hinge = |k: usize| {
        let before = (k > 0).then(|| format!("rod-{}", k - 1));
        joint(&format!("hinge-{k}"), JointKind::Hinge, &format!("rod-{k}"), before.as_deref(), end(k), DVec3::Y)
    };
    scene(bodies, (0..links).map(hinge).collect(), step, integrator)
}
