//! Limits, motors, friction and breaking.

use super::scenes::{body, joint, rod, scene, worst};
use kreisel::model::joint::{Command, JointKind, JointSetup};
use kreisel::model::setup::Integrator;
use kreisel::model::shape::Shape;
use kreisel::model::{Event, EventKind, Setup};
use kreisel::{DQuat, DVec3, Simulation};

const BOTH: [Integrator; 2] = [Integrator::SymplecticEuler, Integrator::VelocityVerlet];

/// A wheel of 0.2 m about the z axis without gravity.
fn wheel(change: impl Fn(&mut JointSetup), integrator: Integrator) -> Setup {
    let disc = Shape::Cylinder { radius: 0.2, half_length: 0.05 };
    let mut axle = joint("axle", JointKind::Hinge, "wheel", None, DVec3::ZERO, DVec3::Z);
    change(&mut axle);
    let mut setup = scene(vec![body("wheel", disc, DVec3::ZERO, DQuat::IDENTITY)], vec![axle], 1e-3, integrator);
    setup.gravity = DVec3::ZERO;
    setup
}

/// Its moment of inertia about the axle [kg m²].
fn moment(sim: &Simulation) -> f64 {
    let a = &sim.state().aggregates[0];
    let r = kreisel::DMat3::from_quat(a.orientation);
    DVec3::Z.dot(r * (a.inertia * (r.transpose() * DVec3::Z)))
}

#[test]
fn a_door_stops_at_its_limits() {
    for integrator in BOTH {
        let mut hinge = joint("hinge", JointKind::Hinge, "door", None, DVec3::ZERO, DVec3::Z);
        hinge.limits = (-0.5, 1.2);
        let mut setup = scene(vec![rod("door", DVec3::ZERO, DVec3::X, 0.1)], vec![hinge], 1e-3, integrator);
        setup.gravity = DVec3::ZERO;
        setup.bodies[0].spin = DVec3::Z * 2.0;
        setup.bodies[0].velocity = DVec3::Y;
        let mut sim = Simulation::new(&setup).unwrap();
        let start = sim.ledger().energy();
        let mut largest: f64 = 0.0;
        for _ in 0..1000 {
            sim.step().unwrap();
            largest = largest.max(sim.joint("hinge").unwrap().coordinate);
        }
        let door = sim.joint("hinge").unwrap();
        assert!((door.coordinate - 1.2).abs() < 1e-6 && largest < 1.2 + 1e-9, "{integrator:?}: {largest}");
        assert!(door.speed.abs() < 1e-6);
        assert!((sim.ledger().contact_loss / start - 1.0).abs() < 1e-3, "the blow takes the energy");
        assert!(sim.command("hinge", Command::Speed { speed: -3.0, most: 500.0 }));
        sim.run_until(2.0).unwrap();
        assert!((sim.joint("hinge").unwrap().coordinate + 0.5).abs() < 1e-6);
        assert!(sim.joint("hinge").unwrap().effort < -499.0, "it goes on to push");
    }
}

#[test]
fn a_joint_that_moves_when_a_run_begins_reads_its_speed_at_once() {
    let beginning = |kind: JointKind, velocity: DVec3, spin: DVec3, b: Option<&str>| {
        let part = |name: &str, at: DVec3| body(name, Shape::Sphere { radius: 0.1 }, at, DQuat::IDENTITY);
        let mut bodies = vec![part("moves", DVec3::X), part("stands", DVec3::ZERO)];
        (bodies[0].velocity, bodies[0].spin) = (velocity, spin);
        let own = JointSetup { to: DVec3::ZERO, ..joint("joint", kind, "moves", b, DVec3::X, DVec3::Z) };
        let sim = Simulation::new(&scene(bodies, vec![own], 1e-3, Integrator::SymplecticEuler)).unwrap();
        sim.joint("joint").unwrap().speed
    };
    for b in [None, Some("stands")] {
        assert!((beginning(JointKind::Hinge, DVec3::ZERO, DVec3::Z * 5.0, b) - 5.0).abs() < 1e-12);
        assert!((beginning(JointKind::Slider, DVec3::Z * -3.0, DVec3::ZERO, b) + 3.0).abs() < 1e-12);
        assert!((beginning(JointKind::Distance, DVec3::new(2.0, 1.0, 0.0), DVec3::ZERO, b) - 2.0).abs() < 1e-12);
    }
}

#[test]
fn a_motor_reaches_its_speed_with_its_torque() {
    for integrator in BOTH {
        let setup = wheel(|j| j.motor = Command::Speed { speed: 10.0, most: 5.0 }, integrator);
        let mut sim = Simulation::new(&setup).unwrap();
        let inertia = moment(&sim);
        let time = 10.0 * inertia / 5.0;
        sim.run_until(0.5 * time).unwrap();
        let half = sim.joint("axle").unwrap();
        assert!((half.speed - 5.0 / inertia * sim.time()).abs() < 1e-6, "{half:?}");
        assert!((half.effort - 5.0).abs() < 1e-9);
        sim.run_until(2.0 * time).unwrap();
        let full = sim.joint("axle").unwrap();
        assert!((full.speed - 10.0).abs() < 1e-9 && full.effort.abs() < 1e-6, "{full:?}");
        assert!((sim.ledger().load_work - 0.5 * inertia * 100.0).abs() < 1e-6 * sim.ledger().load_work);
        assert!(sim.ledger().residual.abs() < 1e-9 * sim.ledger().turnover, "{:?}", sim.ledger());
    }
}

#[test]
fn a_torque_against_friction_speeds_up_by_their_difference() {
    for integrator in BOTH {
        let friction = |j: &mut JointSetup| {
            j.motor = Command::Force { force: 3.0 };
            j.friction = 1.0;
        };
        let mut sim = Simulation::new(&wheel(friction, integrator)).unwrap();
        let inertia = moment(&sim);
        sim.run_until(0.5).unwrap();
        let speed = sim.joint("axle").unwrap().speed;
        assert!((speed - 2.0 / inertia * 0.5).abs() < 1e-6 * speed, "{speed}");
        assert!(sim.ledger().friction_loss > 0.0);
        assert!(sim.command("axle", Command::Force { force: 0.9 }));
        sim.run_until(20.0).unwrap();
        let speed = sim.joint("axle").unwrap().speed;
        assert!(speed.abs() < 1e-9, "less than friction: it stops, {speed}");
        assert!(sim.ledger().residual.abs() < 1e-9 * sim.ledger().turnover, "{:?}", sim.ledger());
    }
}

#[test]
fn a_position_motor_holds_a_weight_where_its_spring_balances_it() {
    for integrator in BOTH {
        let size = DVec3::splat(0.05);
        let mut rail = joint("rail", JointKind::Slider, "box", None, DVec3::ZERO, DVec3::Z);
        rail.motor = Command::Position { target: 0.3, stiffness: 1e3, damping: 60.0, most: f64::INFINITY };
        let mut sim = Simulation::new(&scene(
            vec![body("box", Shape::Box { half_size: size }, DVec3::ZERO, DQuat::IDENTITY)],
            vec![rail],
            1e-3,
            integrator,
        ))
        .unwrap();
        let mass = sim.state().aggregates[0].mass;
        sim.run_until(5.0).unwrap();
        let rail = sim.joint("rail").unwrap();
        assert!((rail.coordinate - (0.3 - mass * 9.81 / 1e3)).abs() < 1e-6, "{rail:?}");
        assert!((rail.effort - mass * 9.81).abs() < 1e-4 && rail.error < 1e-9, "{rail:?}");
    }
}

#[test]
fn a_joint_breaks_above_its_load_and_says_so() {
    for integrator in BOTH {
        let weight = body("weight", Shape::Sphere { radius: 0.1 }, DVec3::ZERO, DQuat::IDENTITY);
        let at = DVec3::new(0.02, -0.03, 0.05);
        let mut hook = joint("hook", JointKind::Fixed, "weight", None, at, DVec3::Z);
        let mut sim = Simulation::new(&scene(vec![weight.clone()], vec![hook.clone()], 1e-3, integrator)).unwrap();
        sim.run_until(0.1).unwrap();
        let bears = sim.state().aggregates[0].mass * 9.81;
        assert!((sim.joint("hook").unwrap().force - DVec3::Z * bears).length() < 1e-6 * bears);
        hook.break_force = 0.99 * bears;
        let mut sim = Simulation::new(&scene(vec![weight], vec![hook], 1e-3, integrator)).unwrap();
        let events = sim.run_until(0.1).unwrap();
        let broke = |e: &&Event| matches!(&e.kind, EventKind::JointBroke { joint, .. } if joint == "hook");
        let told = events.iter().find(broke).unwrap();
        assert!((told.place - at).length() < 1e-3, "{told:?} at {at}");
        assert!(sim.joint("hook").unwrap().broken);
        assert!(sim.state().aggregates[0].position.z < -0.04, "it falls");
    }
}

#[test]
fn a_crank_drives_its_slider_as_geometry_says() {
    let (r, l) = (0.2, 0.6);
    let bodies = vec![
        rod("crank", DVec3::ZERO, DVec3::X * r, 0.04),
        rod("rod", DVec3::X * r, DVec3::X * (r + l), 0.03),
        body("slider", Shape::Box { half_size: DVec3::splat(0.05) }, DVec3::X * (r + l), DQuat::IDENTITY),
    ];
    let mut motor = joint("motor", JointKind::Hinge, "crank", None, DVec3::ZERO, DVec3::Y);
    motor.motor = Command::Speed { speed: 5.0, most: 1e4 };
    let joints = vec![
        motor,
        joint("pin", JointKind::Hinge, "rod", Some("crank"), DVec3::X * r, DVec3::Y),
        joint("wrist", JointKind::Hinge, "slider", Some("rod"), DVec3::X * (r + l), DVec3::Y),
        joint("rail", JointKind::Slider, "slider", None, DVec3::X * (r + l), DVec3::X),
    ];
    for integrator in BOTH {
        let mut sim = Simulation::new(&scene(bodies.clone(), joints.clone(), 1e-3, integrator)).unwrap();
        let mut off: f64 = 0.0;
        for _ in 0..3000 {
            sim.step().unwrap();
            let angle = sim.joint("motor").unwrap().coordinate;
            let x = r * angle.cos() + (l * l - (r * angle.sin()).powi(2)).sqrt() - r - l;
            off = off.max((sim.joint("rail").unwrap().coordinate - x).abs());
        }
        assert!(off < 1e-8 && worst(&sim) < 1e-9);
        assert!((sim.joint("motor").unwrap().speed - 5.0).abs() < 1e-2);
    }
}

#[test]
fn a_parallelogram_of_four_hinges_passes_its_dead_centre() {
    // When all four pins are in line, the hinges leave it open which way the follower goes.
    let (high, far) = (DVec3::Z * 0.3, DVec3::X);
    let bodies = vec![
        rod("crank", DVec3::ZERO, high, 0.03),
        rod("coupler", high, far + high, 0.03),
        rod("follower", far, far + high, 0.03),
    ];
    let mut motor = joint("motor", JointKind::Hinge, "crank", None, DVec3::ZERO, DVec3::Y);
    motor.motor = Command::Speed { speed: 2.0, most: 1e4 };
    let joints = vec![
        motor,
        joint("left", JointKind::Hinge, "coupler", Some("crank"), high, DVec3::Y),
        joint("right", JointKind::Hinge, "follower", Some("coupler"), far + high, DVec3::Y),
        joint("pin", JointKind::Hinge, "follower", None, far, DVec3::Y),
    ];
    for step in [1.0 / 60.0, 1e-3] {
        let mut setup = scene(bodies.clone(), joints.clone(), step, Integrator::SymplecticEuler);
        setup.contact.enabled = false;
        let mut sim = Simulation::new(&setup).unwrap();
        while sim.time() < 1.2 {
            sim.step().unwrap();
            let fastest = sim.state().aggregates.iter().map(|a| a.velocity.length()).fold(0.0, f64::max);
            assert!(worst(&sim) < 1e-6 && fastest < 3.0, "{step} s at {} s: {fastest} m/s", sim.time());
        }
        assert!(sim.joint("motor").unwrap().coordinate > 2.0, "it turns on");
    }
}

#[test]
fn a_hinge_counts_its_turns_however_many_it_makes_in_a_step() {
    for integrator in [BOTH[0], BOTH[1], Integrator::Extrapolated] {
        for speed in [-1000.0, 300.0] {
            let mut setup = wheel(|_| (), integrator);
            (setup.step, setup.frame) = (Some(1.0 / 60.0), 1.0 / 60.0);
            setup.bodies[0].spin = DVec3::Z * speed;
            let mut sim = Simulation::new(&setup).unwrap();
            sim.run_until(1.0).unwrap();
            let axle = sim.joint("axle").unwrap();
            let due = speed * sim.time();
            assert!((axle.coordinate - due).abs() < 1e-6, "{integrator:?}: {} rad of {due}", axle.coordinate);
        }
    }
}
