//! What weighs a thousand million times as much as the link that holds it, in implicit steps: an answer, or an error that names what fails.

use super::scenes::{body, joint, scene};
use kreisel::model::joint::{Command, JointKind, JointSetup};
use kreisel::model::setup::Integrator;
use kreisel::model::shape::Shape;
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
