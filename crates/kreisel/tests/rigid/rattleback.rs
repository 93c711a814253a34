//! A stone that turns back.

use super::scenes::{material, on_ground};
use kreisel::model::setup::{BodySetup, BodyShape, Integrator};
use kreisel::model::shape::{PlacedShape, Shape};
use kreisel::{DMat3, DQuat, DVec3, Simulation};

fn stone() -> BodySetup {
    let semi_axes = DVec3::new(1.618033988749895, 1.0, 1.0);
    let shape = Shape::Ellipsoid { semi_axes };
    let parts = vec![PlacedShape { shape, at: DVec3::Z * 0.1875, rotation: DQuat::IDENTITY }];
    let inertia = DMat3::from_cols(
        DVec3::new(0.05796875, -0.025, 0.0),
        DVec3::new(-0.025, 0.0903294297749979, 0.0),
        DVec3::new(0.0, 0.0, 0.12236067977499791),
    );
    BodySetup {
        name: "stone".into(),
        shape: BodyShape::Exact { parts, centre: Some(DVec3::ZERO) },
        at: DVec3::Z * 0.8125,
        material: material(0.6, 0.0),
        mass: Some(0.2),
        inertia: Some(inertia),
        spin: DVec3::new(0.01, -0.02, -2.0),
        // It rolls from the start: its lowest point rests.
        velocity: DVec3::new(0.01, -0.02, -2.0).cross(DVec3::Z * 0.8125),
        ..BodySetup::default()
    }
}

#[test]
fn a_rattleback_turns_back_in_time_and_keeps_its_energy() {
    let mut setup = on_ground(vec![stone()], 1e-3, 36.0);
    (setup.frame, setup.integrator) = (1e-2, Integrator::VelocityVerlet);
    let mut sim = Simulation::new(&setup).unwrap();
    let axis = sim.state().aggregates[0].orientation.inverse() * DVec3::Z;
    let before = sim.ledger().energy();
    let (mut turned, mut last) = (f64::NAN, -2.0);
    while sim.time() < 35.0 {
        sim.step().unwrap();
        let stone = &sim.state().aggregates[0];
        let spin = stone.spin().dot(stone.orientation * axis);
        if turned.is_nan() && last < 0.0 && spin >= 0.0 {
            turned = sim.time() - setup.frame * spin / (spin - last);
        }
        last = spin;
    }
    let loss = 1.0 - sim.ledger().energy() / before;
    assert!((turned / 34.35 - 1.0).abs() < 0.01, "its spin vanishes at {turned} s");
    assert!(loss.abs() < 0.01, "it lost {loss} of its energy");
}
