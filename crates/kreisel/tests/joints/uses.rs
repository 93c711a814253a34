//! What people build with joints: hooks, brakes, lifts, doors.

use super::scenes::{body, joint, rod, scene, worst};
use kreisel::model::joint::{Command, JointKind};
use kreisel::model::setup::{Fix, Integrator, Motion};
use kreisel::model::shape::Shape;
use kreisel::model::{Obstacle, ObstacleShape, Profile, Region};
use kreisel::{DQuat, DVec3, Simulation};

const STEPS: [f64; 2] = [1e-3, 1.0 / 60.0];

#[test]
fn a_hook_bears_a_thousandth_more_than_the_weight_and_not_a_thousandth_less() {
    for (step, share) in STEPS.into_iter().flat_map(|step| [(step, 0.999), (step, 1.001)]) {
        let mut weight = body("weight", Shape::Sphere { radius: 0.1 }, DVec3::ZERO, DQuat::IDENTITY);
        weight.mass = Some(2.0);
        let mut hook = joint("hook", JointKind::Ball, "weight", None, DVec3::Z * 0.5, DVec3::Z);
        hook.break_force = share * 2.0 * 9.81;
        let mut sim = Simulation::new(&scene(vec![weight], vec![hook], step, Integrator::SymplecticEuler)).unwrap();
        sim.run_until(1.0).unwrap();
        assert_eq!(sim.joint("hook").unwrap().broken, share < 1.0, "{share} in steps of {step} s");
    }
}

#[test]
fn a_brake_stops_a_wheel_linearly_in_time() {
    for step in STEPS {
        let disc = Shape::Cylinder { radius: 0.2, half_length: 0.05 };
        let mut wheel = body("wheel", disc, DVec3::ZERO, DQuat::IDENTITY);
        wheel.spin = DVec3::Z * 10.0;
        let mut axle = joint("axle", JointKind::Hinge, "wheel", None, DVec3::ZERO, DVec3::Z);
        axle.friction = 5.0;
        let mut sim = Simulation::new(&scene(vec![wheel], vec![axle], step, Integrator::SymplecticEuler)).unwrap();
        let start = sim.ledger().kinetic;
        // ½ I ω² is all that it has: the time to stop is I ω/τ.
        let inertia = 2.0 * start / 100.0;
        let stop = inertia * 10.0 / 5.0;
        while sim.time() < stop + 0.5 {
            sim.step().unwrap();
            let wanted = (10.0 - 5.0 / inertia * sim.time()).max(0.0);
            let speed = sim.joint("axle").unwrap().speed;
            assert!((speed - wanted).abs() < 1e-9, "{speed} rad/s, {wanted} at {} s", sim.time());
        }
        assert!((sim.ledger().friction_loss / start - 1.0).abs() < 1e-9, "{:?}", sim.ledger());
    }
}

#[test]
fn a_lift_holds_its_load_with_enough_force_and_sinks_by_what_it_lacks() {
    for (step, share) in STEPS.into_iter().flat_map(|step| [(step, 1.1), (step, 0.9)]) {
        let mut load =
            body("load", Shape::Box { half_size: DVec3::splat(0.1) }, DVec3::new(0.3, 0.0, 0.0), DQuat::IDENTITY);
        load.mass = Some(20.0);
        let mut rail = joint("rail", JointKind::Slider, "load", None, DVec3::ZERO, DVec3::Z);
        rail.motor = Command::Speed { speed: 0.0, most: share * 20.0 * 9.81 };
        let mut sim = Simulation::new(&scene(vec![load], vec![rail], step, Integrator::SymplecticEuler)).unwrap();
        sim.run_until(1.0).unwrap();
        let rail = sim.joint("rail").unwrap();
        let wanted = if share > 1.0 { 0.0 } else { -0.1 * 9.81 * sim.time() };
        assert!((rail.speed - wanted).abs() < 1e-9 && rail.error < 1e-9, "{share}: {rail:?}, {wanted} m/s");
        assert!((rail.effort / (share.min(1.0) * 20.0 * 9.81) - 1.0).abs() < 1e-9, "{share}: {rail:?}");
        // The load hangs beside the rail, which bears the moment of the motor.
        assert!((rail.torque.length() / (rail.effort * 0.3) - 1.0).abs() < 1e-9, "{rail:?}");
    }
}

#[test]
fn a_door_that_scrapes_on_the_floor_slows_down_and_gains_nothing() {
    for step in STEPS {
        let mut door = rod("door", DVec3::Z * 0.05, DVec3::new(1.0, 0.0, 0.05), 0.1);
        (door.spin, door.velocity) = (DVec3::Z * 2.0, DVec3::Y);
        (door.material.static_friction, door.material.dynamic_friction) = (0.5, 0.5);
        // An axle that lets the door down onto the floor: a hinge on a slide that weighs next to nothing.
        let mut slide = body("slide", Shape::Sphere { radius: 0.02 }, DVec3::new(0.0, 0.0, 0.5), DQuat::IDENTITY);
        slide.mass = Some(1e-3);
        let rail = joint("rail", JointKind::Slider, "slide", None, DVec3::Z * 0.5, DVec3::Z);
        let hinge = joint("hinge", JointKind::Hinge, "door", Some("slide"), DVec3::Z * 0.05, DVec3::Z);
        let mut setup = scene(vec![door, slide], vec![rail, hinge], step, Integrator::SymplecticEuler);
        let shape = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
        setup.obstacles.push(Obstacle { name: "floor".into(), shape, friction: Some((0.5, 0.5)), restitution: None });
        let mut sim = Simulation::new(&setup).unwrap();
        let (start, mut last) = (sim.ledger().kinetic, f64::INFINITY);
        while sim.time() < 2.0 {
            let unsolved = sim.step().unwrap().unconverged_contacts;
            assert_eq!(unsolved, 0, "at {} s", sim.time());
            let kinetic = sim.ledger().kinetic;
            assert!(kinetic <= last + 1e-9 * start && worst(&sim) < 1e-7, "{kinetic} J at {} s", sim.time());
            last = kinetic;
        }
        assert!(last < 1e-9 * start, "it stops, {last} J of {start} J");
        let books = sim.ledger();
        assert!((books.friction_loss / start - 1.0).abs() < 1e-2, "{step}: {books:?}");
    }
}

/// A bob of 2 kg, welded a metre beside a pivot of 1 kg that is driven along x.
fn towed(velocity: f64, swing: f64, integrator: Integrator, step: f64) -> Simulation {
    let cube = Shape::Box { half_size: DVec3::splat(0.05) };
    let mut bodies = vec![
        body("pivot", cube.clone(), DVec3::ZERO, DQuat::IDENTITY),
        body("bob", cube, DVec3::NEG_X, DQuat::IDENTITY),
    ];
    (bodies[0].mass, bodies[1].mass) = (Some(1.0), Some(2.0));
    let weld = joint("weld", JointKind::Fixed, "bob", Some("pivot"), DVec3::ZERO, DVec3::Z);
    let mut setup = scene(bodies, vec![weld], step, integrator);
    setup.gravity = DVec3::ZERO;
    let [rotation, centre] = [DVec3::ZERO; 2];
    let (velocity, displacement) = (DVec3::X * velocity, DVec3::X * swing);
    let profile = Profile::Sine { frequency: 1.0, phase: 0.0 };
    let motion = Some(Motion { velocity, displacement, rotation, centre, profile });
    setup.fixes.push(Fix { name: "drive".into(), region: Region::Body("pivot".into()), axes: [true; 3], motion });
    Simulation::new(&setup).unwrap()
}

#[test]
fn a_joint_on_what_is_driven_bears_mass_times_acceleration_in_all_explicit_steps() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::Extrapolated] {
        let mut sim = towed(0.0, 0.1, integrator, 1e-3);
        sim.run_until(0.2).unwrap();
        let rate = std::f64::consts::TAU;
        let due = 2.0 * 0.1 * rate * rate * (rate * 0.2).sin();
        let force = sim.joint("weld").unwrap().force.length();
        assert!((force - due).abs() < 5e-3 * due, "{integrator:?}: {force} N of {due} N");
    }
}

#[test]
fn who_is_towed_off_with_a_jerk_has_all_energy_in_the_ledger_and_no_step_unsolved() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::Extrapolated] {
        let mut sim = towed(1.0, 0.0, integrator, 0.01);
        let unsolved: u64 = (0..50).map(|_| sim.step().unwrap().unconverged_contacts).sum();
        let l = sim.ledger();
        assert!(
            (l.kinetic - 1.5).abs() < 1e-9 && l.residual.abs() < 1e-9 && unsolved == 0,
            "{integrator:?}: {unsolved} {l:?}"
        );
    }
}
