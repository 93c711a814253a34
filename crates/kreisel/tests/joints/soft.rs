//! Joints on elements of soft and part-rigid bodies.

use super::scenes::{body, joint, scene, worst};
use kreisel::model::joint::JointKind;
use kreisel::model::setup::{BodySetup, BodyShape, Fix, Integrator};
use kreisel::model::shape::Shape;
use kreisel::model::{Material, Region, Setup};
use kreisel::{DQuat, DVec3, Simulation};

/// A soft bar of 1 m along x from the origin.
fn bar() -> BodySetup {
    let material = Material { density: 500.0, young: 2e6, ..Material::default() };
    let shape = BodyShape::Box { size: DVec3::new(1.0, 0.1, 0.1), cells: 2 };
    BodySetup { name: "handle".into(), shape, at: DVec3::X * 0.5, material, contact: false, ..BodySetup::default() }
}

fn hammer(kind: JointKind) -> Setup {
    let head = body("head", Shape::Box { half_size: DVec3::new(0.05, 0.08, 0.05) }, DVec3::X * 1.05, DQuat::IDENTITY);
    let hinge = joint("hinge", kind, "head", Some("handle"), DVec3::X, DVec3::Y);
    let mut setup = scene(vec![bar(), head], vec![hinge], 1e-3, Integrator::SymplecticEuler);
    let region = Region::All(vec![Region::Body("handle".into()), Region::HalfSpace { normal: -DVec3::X, offset: 0.0 }]);
    setup.fixes = vec![Fix { name: "hand".into(), region, axes: [true; 3], motion: None }];
    setup
}

#[test]
fn a_rigid_head_hangs_on_a_soft_handle() {
    for kind in [JointKind::Ball, JointKind::Hinge, JointKind::Fixed] {
        let mut sim = Simulation::new(&hammer(kind)).unwrap();
        let mut drift: f64 = 0.0;
        for _ in 0..300 {
            sim.step().unwrap();
            drift = drift.max(worst(&sim));
        }
        assert!(drift < 1e-6, "{kind:?}: {drift}");
        assert!(sim.ledger().relative_residual() < 1e-2, "{:?}", sim.ledger());
    }
}

#[test]
fn a_free_hammer_keeps_its_momenta() {
    let mut setup = hammer(JointKind::Hinge);
    setup.fixes.clear();
    setup.gravity = DVec3::ZERO;
    for b in &mut setup.bodies {
        b.velocity = DVec3::new(0.3, 0.0, 0.2);
    }
    setup.bodies[1].spin = DVec3::Y * 5.0;
    let mut sim = Simulation::new(&setup).unwrap();
    let (p, l) = (sim.ledger().momentum, sim.ledger().angular_momentum);
    for _ in 0..300 {
        sim.step().unwrap();
    }
    let now = sim.ledger();
    assert!((now.momentum - p).length() < 1e-10 * p.length());
    assert!((now.angular_momentum - l).length() < 1e-6 * l.length());
}
