//! Exact bodies driven by keyframes.

use super::scenes::{body, material, on_ground};
use kreisel::model::setup::{Fix, Integrator, Motion};
use kreisel::model::shape::Shape;
use kreisel::model::{Keyframe, Profile, Region};
use kreisel::{DVec3, Simulation};

fn driven(integrator: Integrator) -> Simulation {
    let tray = Shape::Box { half_size: DVec3::new(1.0, 1.0, 0.1) };
    let cube = Shape::Box { half_size: DVec3::splat(0.2) };
    let bodies = vec![
        body("tray", tray, DVec3::Z * 0.5, material(0.9, 0.0)),
        body("cup", cube, DVec3::new(0.5, 0.0, 0.8), material(0.9, 0.0)),
    ];
    let mut setup = on_ground(bodies, 2e-3, 6.0);
    (setup.frame, setup.integrator) = (0.02, integrator);
    let key = |time: f64, shift: DVec3, turn: DVec3| Keyframe { time, shift, turn };
    let keys = vec![
        key(0.2, DVec3::ZERO, DVec3::ZERO),
        key(2.0, DVec3::new(1.0, 0.0, 0.5), DVec3::ZERO),
        key(4.0, DVec3::new(1.0, 1.0, 0.5), DVec3::Z * 1.5),
    ];
    let motion = Motion {
        velocity: DVec3::ZERO,
        displacement: DVec3::ZERO,
        rotation: DVec3::ZERO,
        centre: DVec3::Z * 0.5,
        profile: Profile::Keyframes(keys),
    };
    let region = Region::Body("tray".into());
    setup.fixes.push(Fix { name: "drive".into(), region, axes: [true; 3], motion: Some(motion) });
    Simulation::new(&setup).unwrap()
}

#[test]
fn a_tray_driven_by_keyframes_is_where_they_say_and_carries_its_cup() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
        let mut sim = driven(integrator);
        for (time, place) in [(2.0, DVec3::new(1.0, 0.0, 1.0)), (5.0, DVec3::new(1.0, 1.0, 1.0))] {
            sim.run_until(time).unwrap();
            let tray = &sim.state().aggregates[0];
            assert!((tray.position - place).length() < 1e-6, "{integrator:?} at {time} s: {}", tray.position);
            assert!(tray.velocity.length() < 1e-2, "it rests at its keys: {}", tray.velocity);
        }
        // A turn of 1.5 rad about the tray's middle, half a metre from it.
        let cup = sim.state().aggregates[1].position;
        let expected = DVec3::new(1.0 + 0.5 * 1.5f64.cos(), 1.0 + 0.5 * 1.5f64.sin(), 1.3);
        assert!((cup - expected).length() < 5e-3, "{integrator:?}: {cup} of {expected}");
        let l = sim.ledger();
        let lifted = sim.state().aggregates.iter().map(|a| a.mass).sum::<f64>() * 9.81 * 0.5;
        assert!(
            (l.support_work - l.friction_loss - l.contact_loss - lifted).abs() < 0.02 * lifted,
            "{integrator:?} {l:?}"
        );
    }
}
