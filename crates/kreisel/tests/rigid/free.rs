//! Bodies that meet where nobody else is.

use super::scenes::{body, material, on_ground};
use kreisel::model::Setup;
use kreisel::model::setup::Integrator;
use kreisel::model::shape::Shape;
use kreisel::{DVec3, Simulation};

/// Two bodies in free space that meet aside, spin, and turn about each other for a while.
fn meeting(first: Shape, second: Shape, friction: f64) -> Setup {
    let mut a = body("a", first, DVec3::new(-1.0, 0.0, 0.0), material(friction, 0.0));
    let mut b = body("b", second, DVec3::new(0.3, 0.1, 0.05), material(friction, 0.0));
    (a.velocity, a.spin) = (DVec3::new(2.0, 0.1, 0.0), DVec3::new(1.0, 2.0, 3.0));
    b.spin = DVec3::new(0.0, -2.0, 1.0);
    let mut setup = on_ground(vec![a, b], 1.0 / 60.0, 2.0);
    setup.obstacles.clear();
    setup.gravity = DVec3::ZERO;
    setup
}

/// Largest change of momentum and angular momentum over two seconds, as shares of what the moving body brings.
fn lost(setup: &Setup) -> (f64, f64) {
    let mut sim = Simulation::new(setup).unwrap();
    let momenta = |sim: &Simulation| {
        let all = sim.state().aggregates.iter().map(|a| a.momenta());
        all.fold((DVec3::ZERO, DVec3::ZERO), |sum, (p, l)| (sum.0 + p, sum.1 + l))
    };
    let (p, l) = momenta(&sim);
    let (mut linear, mut angular): (f64, f64) = (0.0, 0.0);
    for _ in 0..120 {
        sim.step().unwrap();
        let (p1, l1) = momenta(&sim);
        linear = linear.max((p1 - p).length() / p.length());
        angular = angular.max((l1 - l).length() / p.length());
    }
    assert!(!sim.ledger().contact_loss.is_nan() && sim.ledger().contact_loss > 0.0, "they have not met");
    (linear, angular)
}

#[test]
fn two_bodies_that_meet_without_bounce_and_turn_about_each_other_keep_both_momenta_to_rounding() {
    let ball = || Shape::Sphere { radius: 0.2 };
    let block = || Shape::Box { half_size: DVec3::new(0.15, 0.175, 0.2) };
    let roller = || Shape::Cylinder { half_length: 0.2, radius: 0.18 };
    for friction in [0.0, 0.5] {
        for (a, b) in [(ball(), block()), (block(), block()), (block(), roller())] {
            for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
                let names = format!("{a:?} {b:?}");
                let setup = Setup { integrator, ..meeting(a.clone(), b.clone(), friction) };
                let (linear, angular) = lost(&setup);
                assert!(linear < 1e-13 && angular < 1e-13, "{names} {integrator:?}: {linear:e} {angular:e}");
            }
        }
    }
}
