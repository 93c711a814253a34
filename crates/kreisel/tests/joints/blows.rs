//! Bodies with joints that are struck.

use super::scenes::{body, joint, rod, scene};
use kreisel::model::joint::{JointKind, JointSetup};
use kreisel::model::setup::Integrator;
use kreisel::model::shape::Shape;
use kreisel::model::{Material, Obstacle, ObstacleShape, Setup};
use kreisel::{DQuat, DVec3, Simulation};

const EXPLICIT: [Integrator; 3] = [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::Extrapolated];

fn bouncing(restitution: f64) -> Material {
    Material { restitution, static_friction: 0.0, dynamic_friction: 0.0, ..Material::default() }
}

/// Energy of motion and position [J].
fn energy(sim: &Simulation) -> f64 {
    sim.ledger().kinetic + sim.ledger().gravity
}

#[test]
fn a_weight_on_a_slider_bounces_on_the_ground_with_its_coefficient_at_any_step() {
    for (integrator, step) in EXPLICIT.into_iter().flat_map(|i| [1.0 / 60.0, 1.0 / 240.0].map(|h| (i, h))) {
        for e in [0.5_f64, 1.0] {
            let ball = body("ball", Shape::Sphere { radius: 0.1 }, DVec3::Z * 1.1, DQuat::IDENTITY);
            let mut setup = scene(vec![ball], Vec::new(), step, integrator);
            (setup.bodies[0].mass, setup.bodies[0].material) = (Some(1.0), bouncing(e));
            setup.joints.push(joint("guide", JointKind::Slider, "ball", None, DVec3::Z * 1.1, DVec3::Z));
            let shape = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
            setup.obstacles.push(Obstacle { name: "ground".into(), shape, friction: None, restitution: None });
            let mut sim = Simulation::new(&setup).unwrap();
            let (top, fall) = (energy(&sim), -sim.model().gravity.z);
            // It strikes after t₁ = 0.4515 s and again 2 e t₁ later.
            for (until, due) in [(0.6, e * e), (0.4515 * (1.0 + 2.0 * e) + 0.1, e.powi(4))] {
                sim.run_until(until).unwrap();
                let back = 1.0 + (energy(&sim) - top) / fall;
                assert!((back - due).abs() < 1e-6, "{integrator:?}, h = {step}, e = {e}: {back} back at {until} s");
            }
        }
    }
}

/// A rod of 1 kg and 1 m that hangs from a hinge, and a ball of 1 kg that strikes its lower end at 2 m/s.
fn struck_rod(e: f64, integrator: Integrator) -> Setup {
    let mut arm = rod("arm", DVec3::ZERO, DVec3::NEG_Z, 0.02);
    let mut ball = body("ball", Shape::Sphere { radius: 0.05 }, DVec3::new(-0.26, 0.0, -1.0), DQuat::IDENTITY);
    (arm.mass, ball.mass, ball.velocity) = (Some(1.0), Some(1.0), DVec3::X * 2.0);
    (arm.material, ball.material) = (bouncing(e), bouncing(e));
    let hinge = joint("hinge", JointKind::Hinge, "arm", None, DVec3::ZERO, DVec3::Y);
    Setup { gravity: DVec3::ZERO, ..scene(vec![arm, ball], vec![hinge], 1.0 / 60.0, integrator) }
}

#[test]
fn a_ball_that_strikes_a_hinged_rod_leaves_it_as_the_moment_of_momentum_about_the_hinge_says() {
    // With J = m (L² + b²)/12 + m L²/4 of the rod: m v = m v' + J ω/L and ω L − v' = e v.
    let (inertia, v): (f64, f64) = ((1.0 + 0.02 * 0.02) / 12.0 + 0.25, 2.0);
    for (integrator, e) in EXPLICIT.into_iter().flat_map(|i| [0.3, 1.0].map(|e| (i, e))) {
        let mut sim = Simulation::new(&struck_rod(e, integrator)).unwrap();
        sim.run_until(0.15).unwrap();
        let speed = sim.joint("hinge").unwrap().speed;
        let due = (1.0 + e) * v / (1.0 + inertia);
        assert!((speed.abs() - due).abs() < 1e-3 * due, "{integrator:?}, e = {e}: {speed} rad/s, due {due}");
        let ball = sim.state().aggregates[1].velocity.x;
        assert!((ball - (v - inertia * due)).abs() < 2e-3, "{integrator:?}, e = {e}: {ball} m/s");
    }
}

#[test]
fn two_that_slide_on_each_other_in_space_strike_their_stops_and_keep_momentum_and_energy() {
    for integrator in EXPLICIT {
        let cube =
            |name: &str, x: f64| body(name, Shape::Box { half_size: DVec3::splat(0.1) }, DVec3::X * x, DQuat::IDENTITY);
        let (mut light, mut heavy) = (cube("light", 0.0), cube("heavy", 1.0));
        (light.mass, heavy.mass, light.velocity) = (Some(1.0), Some(3.0), DVec3::X);
        (light.spin, heavy.spin) = (DVec3::X, DVec3::X);
        let guide = joint("guide", JointKind::Slider, "light", Some("heavy"), DVec3::ZERO, DVec3::X);
        let guide = JointSetup { limits: (-0.5, 0.5), restitution: 1.0, ..guide };
        let setup = scene(vec![light, heavy], vec![guide], 1.0 / 60.0, integrator);
        let mut sim = Simulation::new(&Setup { gravity: DVec3::ZERO, ..setup }).unwrap();
        let (kinetic, momentum) = (sim.ledger().kinetic, sim.ledger().momentum);
        let (mut last, mut blows) = (1.0, 0);
        while sim.time() < 5.0 {
            sim.step().unwrap();
            let speed = sim.joint("guide").unwrap().speed;
            blows += u32::from(speed * last < 0.0);
            last = speed;
        }
        // A speed of 1 m/s over a way of 1 m, from its middle on.
        assert_eq!(blows, 5, "{integrator:?}");
        assert!((sim.ledger().kinetic / kinetic - 1.0).abs() < 1e-9, "{integrator:?}: {:?}", sim.ledger());
        assert!((sim.ledger().momentum - momentum).length() < 1e-12, "{integrator:?}: {:?}", sim.ledger());
    }
}

#[test]
fn velocities_that_a_joint_does_not_allow_are_lost_to_a_plastic_blow_and_booked_as_such() {
    // Two rods end to end: across the joint `W = Σ (1/m)(1 + r²/(I/m))`, and `½ |Δu|²/W` goes.
    let arms = 1.0 + 0.25 * 12.0 / 1.04;
    let w = arms * (1.0 / 1.0 + 1.0 / 2.0);
    let lost = 0.5 * DVec3::new(0.0, 4.0, -1.0).length_squared() / w;
    for integrator in EXPLICIT.into_iter().chain([Integrator::BackwardEuler]) {
        let half_size = DVec3::new(0.5, 0.1, 0.1);
        let rod = |name: &str, x: f64| body(name, Shape::Box { half_size }, DVec3::X * x, DQuat::IDENTITY);
        let (mut left, mut right) = (rod("left", 0.5), rod("right", 1.5));
        (left.mass, left.velocity) = (Some(1.0), DVec3::Y);
        (right.mass, right.velocity) = (Some(2.0), DVec3::new(0.0, -3.0, 1.0));
        let ball = joint("ball", JointKind::Ball, "left", Some("right"), DVec3::X, DVec3::Z);
        let setup = Setup { gravity: DVec3::ZERO, ..scene(vec![left, right], vec![ball], 1e-4, integrator) };
        let mut sim = Simulation::new(&setup).unwrap();
        sim.step().unwrap();
        let l = sim.ledger();
        assert!((l.contact_loss - lost).abs() < 1e-9, "{integrator:?}: {} J, not {lost}", l.contact_loss);
        assert!(l.residual.abs() < 1e-5 * lost, "{integrator:?}: {} J of {lost}", l.residual);
    }
}
