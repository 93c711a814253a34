//! Joints between extremes: what weighs a thousand million times as much as the link that holds it, and motors far stronger than what they press.

use super::scenes::{body, joint, scene};
use kreisel::model::joint::{Command, JointKind, JointSetup};
use kreisel::model::setup::Integrator;
use kreisel::model::shape::Shape;
use kreisel::model::{Obstacle, ObstacleShape};
use kreisel::{DQuat, DVec3, Simulation};

/// A ball of a kilogram that a hinge holds at the origin, and one of a million tons that a ball joint hangs on it, off its line.
fn heavy_under_light(hinge: JointSetup) -> kreisel::model::Setup {
    let ball = |name: &str, at: DVec3, mass: f64| {
        let mut ball = body(name, Shape::Sphere { radius: 0.1 }, at, DQuat::IDENTITY);
        ball.mass = Some(mass);
        ball
    };
    let bodies = vec![ball("light", DVec3::Z * -0.1, 1.0), ball("heavy", DVec3::new(0.3, 0.0, -0.1), 1e9)];
    let between = joint("between", JointKind::Ball, "heavy", Some("light"), DVec3::new(0.15, 0.0, -0.1), DVec3::Z);
    scene(bodies, vec![hinge, between], 1.0 / 60.0, Integrator::BackwardEuler)
}

fn hinge() -> JointSetup {
    joint("top", JointKind::Hinge, "light", None, DVec3::ZERO, DVec3::Y)
}

#[test]
fn a_factor_of_a_thousand_million_across_joints_ends_in_an_answer_or_in_an_error_that_names_one() {
    let motor = JointSetup { motor: Command::Speed { speed: 6.0, most: f64::INFINITY }, ..hinge() };
    let rubbing = JointSetup { friction: 1.0, ..hinge() };
    for (what, top) in [("free", hinge()), ("motor", motor), ("friction", rubbing)] {
        let mut sim = Simulation::new(&heavy_under_light(top)).unwrap();
        // What falls from the level of the hinge has no more than this, but for what a motor gives.
        let most = 1e9 * 9.81 * 1.0;
        let mut tries = 0;
        while sim.time() < 0.5 {
            match sim.step() {
                Ok(report) => {
                    tries += report.substeps + report.retries;
                    let ledger = sim.ledger();
                    let given = ledger.residual - ledger.load_work.abs();
                    assert!(given < 1e3 * most, "{what}: {given} J out of nothing at {} s", sim.time());
                }
                Err(error) => {
                    let text = error.to_string();
                    assert!(text.contains("\"top\"") || text.contains("\"between\""), "{what}: {text}");
                    break;
                }
            }
        }
        assert!(tries < 200_000, "{what}: {tries} tries");
    }
}

#[test]
fn what_a_stiff_motor_presses_on_a_pyramid_in_second_order_steps_is_solved_and_tells_no_speed_that_nobody_has() {
    let cube = |name: &str, x: f64, z: f64| {
        body(name, Shape::Box { half_size: DVec3::splat(0.05) }, DVec3::new(x, 0.0, z), DQuat::IDENTITY)
    };
    let half_size = DVec3::new(0.5, 0.5, 0.05);
    let plate = body("plate", Shape::Box { half_size }, DVec3::new(0.05, 0.0, 0.26), DQuat::IDENTITY);
    let bodies = vec![cube("left", 0.0, 0.05), cube("right", 0.101, 0.05), cube("top", 0.05, 0.15), plate];
    let motor = Command::Position { target: -0.2, stiffness: 1e6, damping: 0.0, most: f64::INFINITY };
    let slide = joint("slide", JointKind::Slider, "plate", None, DVec3::new(0.05, 0.0, 0.2), DVec3::Z);
    let mut setup = scene(bodies, vec![JointSetup { motor, ..slide }], 1.0 / 60.0, Integrator::VelocityVerlet);
    let plane = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
    setup.obstacles = vec![Obstacle { name: "ground".into(), shape: plane, friction: None, restitution: None }];
    let mut sim = Simulation::new(&setup).unwrap();
    let (mut told, mut left) = (0, 0.0_f64);
    while sim.time() < 0.5 {
        let report = sim.step().unwrap();
        told += report.unconverged_contacts;
        left = left.max(report.contact_residual);
    }
    // The motor's spring holds 1e6 N/m · (0.2 m)² / 2, and the plate of 100 kg is no faster by it than this.
    let mass = sim.state().aggregates[3].mass;
    let fastest = (1e6 * 0.2 * 0.2 / mass).sqrt();
    assert!(left < fastest, "{left:e} m/s left of {fastest}, {told} unsolved");
}
