//! What something driven squeezes gives way.

use super::scenes::{body, material, on_ground};
use kreisel::model::setup::{Fix, Integrator, Motion};
use kreisel::model::shape::Shape;
use kreisel::model::{Profile, Region};
use kreisel::{DVec3, Simulation};

/// A plate of 1 m by 1 m by 10 cm that comes down at 10 cm/s on three cubes of 10 cm, one on two that are 1 mm apart.
fn press(integrator: Integrator, duration: f64) -> Simulation {
    let cube = |name: &str, x: f64, z: f64| {
        body(name, Shape::Box { half_size: DVec3::splat(0.05) }, DVec3::new(x, 0.0, z), material(0.5, 0.0))
    };
    let plate = Shape::Box { half_size: DVec3::new(0.5, 0.5, 0.05) };
    let plate = body("plate", plate, DVec3::new(0.0505, 0.0, 0.26), material(0.5, 0.0));
    let cubes = [cube("left", 0.0, 0.05), cube("right", 0.101, 0.05), cube("top", 0.0505, 0.15)];
    let mut setup = on_ground(cubes.into_iter().chain([plate]).collect(), 1.0 / 60.0, duration);
    let motion = Motion {
        velocity: DVec3::Z * -0.1,
        displacement: DVec3::ZERO,
        rotation: DVec3::ZERO,
        centre: DVec3::ZERO,
        profile: Profile::default(),
    };
    let region = Region::Body("plate".into());
    setup.fixes.push(Fix { name: "press".into(), region, axes: [true; 3], motion: Some(motion) });
    setup.integrator = integrator;
    Simulation::new(&setup).unwrap()
}

#[test]
fn what_a_press_squeezes_gives_way_for_work_that_stopping_it_takes_and_is_told_in_steps_of_both_orders() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
        let (mut sim, mut unsolved) = (press(integrator, 0.3), 0);
        while sim.time() < 0.3 {
            unsolved += sim.step().unwrap().unconverged_contacts;
        }
        // Stopping four bodies of 1 and 100 kg at 10 cm/s takes some joules in each of 18 steps, and the plate's weight gives 30 J.
        let work = sim.ledger().support_work;
        assert!(work.abs() < 1e4, "{integrator:?}: the press works {work} J");
        assert!(unsolved > 0, "{integrator:?}: what has no solution is told as unsolved");
        let plate = &sim.state().aggregates[3];
        assert!((plate.position.z - 0.23).abs() < 1e-9, "{integrator:?}: the press goes where it is told");
    }
}
