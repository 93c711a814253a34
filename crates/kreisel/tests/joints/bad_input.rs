//! What cannot be is refused; what contradicts itself stays calm.

use super::scenes::{body, joint, rod, scene};
use kreisel::model::joint::{Command, JointKind, JointSetup};
use kreisel::model::setup::{Fix, Integrator, Law, Motion};
use kreisel::model::shape::Shape;
use kreisel::model::{Profile, Region};
use kreisel::{DQuat, DVec3, Simulation};

fn refused(change: impl Fn(&mut JointSetup)) -> String {
    let cube =
        |name: &str, x: f64| body(name, Shape::Box { half_size: DVec3::splat(0.1) }, DVec3::X * x, DQuat::IDENTITY);
    let mut one = joint("joint", JointKind::Hinge, "a", Some("b"), DVec3::ZERO, DVec3::Z);
    change(&mut one);
    let setup = scene(vec![cube("a", -0.2), cube("b", 0.2)], vec![one], 1e-3, Integrator::Automatic);
    Simulation::new(&setup).unwrap_err().to_string()
}

#[test]
fn impossible_joints_are_refused_with_the_reason() {
    assert!(refused(|j| j.a = "c".into()).contains("no body is called \"c\""));
    assert!(refused(|j| j.axis = DVec3::ZERO).contains("no direction"));
    assert!(refused(|j| j.limits = (1.0, -1.0)).contains("is not below"));
    assert!(refused(|j| j.limits = (0.5, 1.0)).contains("outside its limits"));
    assert!(refused(|j| j.b = Some("a".into())).contains("to itself"));
    assert!(refused(|j| j.at = DVec3::NAN).contains("not a place"));
    assert!(refused(|j| j.friction = f64::INFINITY).contains("not a force"));
    assert!(refused(|j| j.break_force = 0.0).contains("must bear something"));
    assert!(refused(|j| j.motor = Command::Speed { speed: f64::NAN, most: 1.0 }).contains("motor"));
    let ball = |j: &mut JointSetup| {
        j.kind = JointKind::Ball;
        j.friction = 1.0;
    };
    assert!(refused(ball).contains("take a hinge"));
    let mut setup = scene(vec![rod("a", DVec3::ZERO, DVec3::X, 0.1)], Vec::new(), 1e-3, Integrator::Automatic);
    setup.joints = vec![joint("one", JointKind::Ball, "a", None, DVec3::ZERO, DVec3::X)];
    setup.law = Law::Connections;
    setup.bodies[0].contact = false;
    assert!(Simulation::new(&setup).unwrap_err().to_string().contains("constraint"));
}

#[test]
fn joints_that_contradict_each_other_come_to_rest() {
    // Two hinges with different axes lock each other; two motors want different speeds; a stop forbids both.
    let bodies = vec![rod("rod", DVec3::ZERO, DVec3::X, 0.1)];
    let mut first = joint("first", JointKind::Hinge, "rod", None, DVec3::ZERO, DVec3::Y);
    first.motor = Command::Speed { speed: 10.0, most: 1e5 };
    let mut second = joint("second", JointKind::Hinge, "rod", None, DVec3::ZERO, DVec3::new(0.0, 1.0, 0.3));
    second.motor = Command::Speed { speed: -5.0, most: 1e5 };
    let pull = JointSetup {
        kind: JointKind::Distance,
        to: DVec3::new(0.0, 0.0, 2.0),
        motor: Command::Position { target: 0.5, stiffness: 1e6, damping: 1e3, most: 1e6 },
        ..joint("pull", JointKind::Distance, "rod", None, DVec3::X, DVec3::Y)
    };
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
        let joints = vec![first.clone(), second.clone(), pull.clone()];
        let mut sim = Simulation::new(&scene(bodies.clone(), joints, 1e-3, integrator)).unwrap();
        for _ in 0..500 {
            sim.step().unwrap();
        }
        let rod = &sim.state().aggregates[0];
        assert!(rod.velocity.length() < 1.0 && rod.position.length() < 2.0, "{} {}", rod.velocity, rod.position);
    }
}

#[test]
fn a_thread_a_billion_times_lighter_than_its_weight_bears_it() {
    let (light, heavy) = (DVec3::new(0.0, 0.0, -0.5), DVec3::new(0.0, 0.0, -1.0));
    let mut bodies = vec![rod("thread", DVec3::ZERO, light, 0.01), rod("weight", light, heavy, 0.1)];
    bodies[0].mass = Some(1e-6);
    bodies[1].mass = Some(1e3);
    let joints = vec![
        joint("top", JointKind::Ball, "thread", None, DVec3::ZERO, DVec3::X),
        joint("hook", JointKind::Ball, "weight", Some("thread"), light, DVec3::X),
    ];
    let mut sim = Simulation::new(&scene(bodies, joints, 1e-3, Integrator::SymplecticEuler)).unwrap();
    sim.run_until(1.0).unwrap();
    let force = sim.joint("top").unwrap().force;
    assert!((force - DVec3::Z * 9810.0).length() < 0.1 * 9810.0, "{force}");
}

#[test]
fn a_motor_without_bound_that_drives_against_two_fixed_joints_is_told_as_unsolved() {
    let bodies = vec![rod("a", DVec3::ZERO, DVec3::X, 0.1), rod("b", DVec3::Y, DVec3::new(1.0, 1.0, 0.0), 0.1)];
    let mut motor = joint("motor", JointKind::Slider, "a", Some("b"), DVec3::ZERO, DVec3::X);
    motor.motor = Command::Speed { speed: 1.0, most: f64::INFINITY };
    let fixed = |name: &str| joint(name, JointKind::Fixed, name, None, DVec3::ZERO, DVec3::X);
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
        let joints = vec![fixed("a"), fixed("b"), motor.clone()];
        let mut sim = Simulation::new(&scene(bodies.clone(), joints, 1e-2, integrator)).unwrap();
        for _ in 0..50 {
            let report = sim.step().unwrap();
            assert!(report.unconverged_contacts > 0, "told as solved at {} s", report.time);
        }
        for a in &sim.state().aggregates {
            assert!(a.velocity.length() < 2.0, "{}", a.velocity);
        }
    }
}

/// Two rods that are held, one of which is driven away from the other for a tenth of a second, though a ball joins them.
fn torn(integrator: Integrator) -> Simulation {
    let bodies = vec![rod("a", DVec3::ZERO, DVec3::X, 0.1), rod("b", DVec3::X, DVec3::X * 2.0, 0.1)];
    let joints = vec![joint("j", JointKind::Ball, "a", Some("b"), DVec3::X, DVec3::X)];
    let mut setup = scene(bodies, joints, 1e-2, integrator);
    let motion = Motion {
        velocity: DVec3::ZERO,
        displacement: DVec3::Y * 0.3,
        rotation: DVec3::ZERO,
        centre: DVec3::ZERO,
        profile: Profile::Table(vec![(0.0, 0.0), (0.1, 1.0)]),
    };
    for (name, motion) in [("a", None), ("b", Some(motion))] {
        setup.fixes.push(Fix { name: name.into(), region: Region::Body(name.into()), axes: [true; 3], motion });
    }
    Simulation::new(&setup).unwrap()
}

#[test]
fn a_joint_of_two_that_are_driven_apart_is_told_with_its_speed_and_its_gap() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::BackwardEuler] {
        let mut sim = torn(integrator);
        for k in 1..=20 {
            let report = sim.step().unwrap();
            let (speed, gap) = (if k < 10 { 3.0 } else { 0.0 }, 0.03 * f64::from(k.min(10)));
            assert!(report.unconverged_contacts > 0, "{integrator:?} in frame {k}");
            assert!((report.joint_gap - gap).abs() < 1e-9, "{integrator:?} in frame {k}: {} m", report.joint_gap);
            let told = report.contact_residual;
            assert!(k == 10 || (told - speed).abs() < 1e-9, "{integrator:?} in frame {k}: {told} m/s");
        }
    }
}
