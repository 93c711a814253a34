//! Tops that turn over and turn back.

use super::scenes::{material, on_ground};
use kreisel::model::setup::{BodySetup, BodyShape, Integrator};
use kreisel::model::shape::{PlacedShape, Shape};
use kreisel::{DMat3, DQuat, DVec3, Simulation};

fn tippe_top() -> BodySetup {
    let ball = |radius: f64, z: f64| PlacedShape {
        shape: Shape::Sphere { radius },
        at: DVec3::new(0.0, 0.0, z),
        rotation: DQuat::IDENTITY,
    };
    let parts = vec![ball(6.375e-3, 1.275e-3), ball(2.125e-3, 6.8e-3)];
    BodySetup {
        name: "top".into(),
        shape: BodyShape::Exact { parts, centre: Some(DVec3::ZERO) },
        at: DVec3::new(0.0, 0.0, 6.375e-3 - 1.275e-3 * 0.1f64.cos()),
        rotation: DQuat::from_rotation_y(0.1),
        material: material(0.5, 0.0),
        mass: Some(4.6059375e-4),
        inertia: Some(DMat3::from_diagonal(DVec3::new(1.10926328125e-8, 1.10926328125e-8, 9.7060537109375e-9))),
        spin: DVec3::new(0.0, 0.0, 383.48249442368524),
        ..BodySetup::default()
    }
}

#[test]
fn the_tippe_top_switches_to_its_stem_in_time() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::Extrapolated] {
        for h in [1e-3, 5e-4, 2.5e-4] {
            let mut setup = on_ground(vec![tippe_top()], h, 1.0);
            setup.integrator = integrator;
            let mut sim = Simulation::new(&setup).unwrap();
            let start = sim.state().aggregates[0].orientation;
            let axis = start.inverse() * (DQuat::from_rotation_y(0.1) * DVec3::Z);
            let mut switch = f64::NAN;
            while sim.time() < 0.8 {
                let r = sim.step().unwrap();
                let s = sim.state();
                let cosine = (s.aggregates[0].orientation * axis).z;
                if (sim.time() / 0.1).fract() < h / 0.1 {
                    println!(
                        "{integrator:?} {h}: t = {:.4} cos = {cosine:.6} height {:.6e} contacts {:?} res {:e}",
                        sim.time(),
                        s.aggregates[0].position.z,
                        s.shape_contacts.iter().map(|c| (c.first, c.gap)).collect::<Vec<_>>(),
                        r.contact_residual
                    );
                }
                if switch.is_nan() && s.shape_contacts.iter().any(|c| c.first == 1 && c.impulse.z > 0.0) {
                    switch = sim.time();
                }
            }
            println!("{integrator:?} {h}: switch at {switch}");
        }
    }
}
