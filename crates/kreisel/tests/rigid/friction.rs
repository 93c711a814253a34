//! Static and dynamic friction, and how materials combine.

use super::scenes::{body, material, on_ground};
use kreisel::model::Material;
use kreisel::model::setup::Integrator;
use kreisel::model::shape::Shape;
use kreisel::{DVec3, Simulation};

const G: f64 = 9.81;
const STATIC: f64 = 0.6;
const DYNAMIC: f64 = 0.3;

/// How far a block has come in a second on a slope of this tangent, if it starts with this speed.
fn slid(slope: f64, speed: f64, step: f64, integrator: Integrator) -> f64 {
    let made_of = Material { static_friction: STATIC, dynamic_friction: DYNAMIC, ..material(0.0, 0.0) };
    let mut block = body("block", Shape::Box { half_size: DVec3::new(0.5, 0.4, 0.1) }, DVec3::Z * 0.1, made_of);
    block.velocity = DVec3::X * speed;
    let mut setup = on_ground(vec![block], step, 1.0);
    setup.integrator = integrator;
    let angle = slope.atan();
    setup.gravity = DVec3::new(angle.sin(), 0.0, -angle.cos()) * G;
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(1.0).unwrap();
    sim.state().aggregates[0].position.x
}

#[test]
fn a_block_stands_while_the_slope_is_below_static_friction_and_slides_on_with_dynamic_friction() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
        for step in [1.0 / 60.0, 1.0 / 240.0, 1e-3] {
            for slope in [0.35, 0.45, 0.55, 0.599] {
                let x = slid(slope, 0.0, step, integrator);
                assert!(x.abs() < 1e-5, "{integrator:?}, {step} s: a block at rest on a slope of {slope} came {x} m");
            }
            for (slope, speed) in [(0.65, 0.0), (0.55, 0.5), (0.4, 1.0)] {
                let angle = f64::atan(slope);
                let expected = speed + 0.5 * G * (angle.sin() - DYNAMIC * angle.cos());
                let x = slid(slope, speed, step, integrator);
                // First-order steps are off by half a step of acceleration, and static friction may hold for the first one.
                let bar = G * angle.cos() * STATIC * step + 1e-6;
                assert!((x - expected).abs() < bar, "{integrator:?}, {step} s, {slope}: {x} m of {expected} m");
            }
        }
    }
}

#[test]
fn a_block_on_four_corners_slides_straight_in_any_direction() {
    for (k, step) in [1.0 / 60.0, 1.0 / 240.0, 1e-3].into_iter().enumerate() {
        for heading in [0.3, 1.1, 2.9, 4.4].map(|angle: f64| angle + k as f64) {
            let shape = Shape::Box { half_size: DVec3::new(0.4, 0.3, 0.1) };
            let mut block = body("block", shape, DVec3::Z * 0.1, material(0.35, 0.0));
            let along = DVec3::new(heading.cos(), heading.sin(), 0.0);
            block.velocity = along * 3.0;
            let mut sim = Simulation::new(&on_ground(vec![block], step, 2.0)).unwrap();
            sim.run_until(2.0).unwrap();
            let way = sim.state().aggregates[0].position.with_z(0.0);
            // v²/(2 μ g), and half a step of it less.
            let expected = 9.0 / (0.7 * G) - 1.5 * step;
            assert!((way.length() - expected).abs() < 1e-2 * expected, "{} m of {expected} m", way.length());
            let aside = way.reject_from_normalized(along).length() / way.length();
            // 1e-8 was reached; what is left does not come from the tolerance of the solver.
            assert!(aside < 1e-7, "steps of {step} s, heading {heading}: {aside} of its way aside");
        }
    }
}
