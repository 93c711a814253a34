//! What random scenes have brought to light, each as its smallest case.

use kreisel::model::setup::{
    BodySetup, BodyShape, ConnectionSetup, ContactSettings, ElementSetup, Fix, Grab, Integrator, RigidPart, Switch,
};
use kreisel::model::{Material, Obstacle, ObstacleShape, Region, Setup};
use kreisel::{DVec3, Simulation};

fn ball(at: DVec3, radius: f64) -> ElementSetup {
    ElementSetup { at, velocity: DVec3::ZERO, mass: Some(1.0), radius }
}

fn list(name: &str, elements: Vec<ElementSetup>, links: &[(u32, u32)]) -> BodySetup {
    let connections = links.iter().map(|&ends| ConnectionSetup { ends, section: None, rest_length: None }).collect();
    BodySetup { name: name.into(), shape: BodyShape::Elements { elements, connections }, ..BodySetup::default() }
}

fn weightless(bodies: Vec<BodySetup>) -> Setup {
    Setup { bodies, gravity: DVec3::ZERO, frame: 0.01, ..Setup::default() }
}

#[test]
fn a_rigid_part_of_one_element_does_not_spin_by_rounding_errors() {
    let elements = (0..3).map(|k| ball(DVec3::new(0.3 * f64::from(k), 0.1, 0.7), 0.05)).collect();
    let rigid = vec![RigidPart::Region(Region::Element { body: "chain".into(), index: 0 })];
    let chain = BodySetup {
        at: DVec3::splat(1.0 / 3.0),
        rigid,
        velocity: DVec3::ONE,
        ..list("chain", elements, &[(0, 1), (1, 2)])
    };
    let mut sim = Simulation::new(&weightless(vec![chain])).unwrap();
    sim.step().unwrap();
    assert_eq!(sim.state().aggregates[0].spin(), DVec3::ZERO);
}

#[test]
fn a_lone_ball_that_is_said_to_be_rigid_rolls() {
    let floor = ObstacleShape::Plane { normal: DVec3::Z, offset: -0.1 };
    let obstacle = Obstacle { name: "floor".into(), shape: floor, friction: None, restitution: None };
    let mut body = list("ball", vec![ball(DVec3::ZERO, 0.1)], &[]);
    (body.rigid, body.velocity) = (vec![RigidPart::Whole], DVec3::X);
    let mut sim =
        Simulation::new(&Setup { bodies: vec![body], obstacles: vec![obstacle], ..Setup::default() }).unwrap();
    sim.run_until(1.0).unwrap();
    let (spin, v) = (sim.state().aggregates[0].spin().y, sim.state().velocity.get(0).x);
    assert!((v - 5.0 / 7.0).abs() < 0.02 && (spin * 0.1 - v).abs() < 0.02, "speed {v}, spin {spin}");
}

#[test]
fn adhesive_bodies_do_not_pull_before_they_have_touched() {
    let bodies = vec![list("a", vec![ball(DVec3::ZERO, 0.1)], &[]), list("b", vec![ball(DVec3::X * 0.21, 0.1)], &[])];
    let contact = ContactSettings { adhesion: 0.2, ..ContactSettings::default() };
    let mut sim = Simulation::new(&Setup { contact, ..weightless(bodies) }).unwrap();
    sim.run_until(0.1).unwrap();
    assert_eq!(sim.ledger().kinetic, 0.0);
}

#[test]
fn adhesive_bodies_that_are_torn_apart_book_what_that_cost() {
    let material = Material { young: 1e4, ..Material::default() };
    let mut bodies =
        vec![list("a", vec![ball(DVec3::ZERO, 0.1)], &[]), list("b", vec![ball(DVec3::X * 0.1999, 0.1)], &[])];
    bodies.iter_mut().for_each(|b| b.material = material.clone());
    bodies[1].velocity = DVec3::X * 10.0;
    let contact = ContactSettings { adhesion: 0.05, ..ContactSettings::default() };
    let mut sim = Simulation::new(&Setup { contact, step: Some(1e-5), ..weightless(bodies) }).unwrap();
    let before = sim.ledger().energy();
    sim.run_until(0.05).unwrap();
    let ledger = sim.ledger();
    assert!(sim.state().contacts.is_empty() && before - ledger.energy() > 0.0, "{ledger:?}");
    assert!(ledger.relative_residual() < 0.01, "{ledger:?}");
}

#[test]
fn crossed_chains_that_rub_keep_their_angular_momentum() {
    let along = |d: DVec3| (0..5).map(|k| ball(d * (0.2 * (f64::from(k) - 2.0)), 0.08)).collect();
    let links = [(0, 1), (1, 2), (2, 3), (3, 4)];
    let mut bodies =
        vec![list("x", along(DVec3::X), &links), list("y", along(DVec3::new(0.3, 1.0, 0.2).normalize()), &links)];
    (bodies[1].at, bodies[1].velocity) = (DVec3::Z * 0.165, DVec3::new(1.0, 0.4, -2.0));
    let mut sim = Simulation::new(&weightless(bodies)).unwrap();
    sim.run_until(0.2).unwrap();
    let ledger = sim.ledger();
    assert!(ledger.friction_loss > 0.0, "they rub: {ledger:?}");
    assert!(ledger.angular_momentum_residual.length() < 1e-12 * ledger.momentum.length(), "{ledger:?}");
}

#[test]
fn a_held_body_that_starts_against_its_support_books_the_blow() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
        let region = Region::Element { body: "body".into(), index: 0 };
        let fix = Fix { name: "pin".into(), region, axes: [true; 3], motion: None };
        let body = BodySetup { rigid: vec![RigidPart::Whole], velocity: DVec3::X, ..BodySetup::default() };
        let mut sim = Simulation::new(&Setup { fixes: vec![fix], integrator, ..weightless(vec![body]) }).unwrap();
        sim.step().unwrap();
        let ledger = sim.ledger();
        assert!(ledger.support_work < -1.0 && ledger.residual.abs() < 1e-9 * -ledger.support_work, "{ledger:?}");
    }
}

#[test]
fn a_body_with_a_small_poisson_ratio_survives_being_stretched_by_half() {
    let material = Material { poisson: 0.0, damping: 0.1, ..Material::default() };
    let body = BodySetup { shape: BodyShape::Box { size: DVec3::ONE, cells: 2 }, material, ..BodySetup::default() };
    let mut setup = weightless(vec![body]);
    setup.contact.enabled = false;
    let mut state = Simulation::new(&setup).unwrap().state().clone();
    state.position.x.iter_mut().chain(&mut state.position.y).chain(&mut state.position.z).for_each(|a| *a *= 1.5);
    let mut sim = Simulation::resume(&setup, state).unwrap();
    sim.run_until(0.5).unwrap();
    let farthest = sim.state().position.x.iter().fold(0.0f64, |a, x| a.max(x.abs()));
    assert!(farthest < 0.8, "the corner has come back to {farthest} m");
}

#[test]
fn a_switch_an_instant_after_a_frame_does_not_divide_by_that_instant() {
    let fix = Fix {
        name: "wall".into(),
        region: Region::HalfSpace { normal: DVec3::X, offset: 0.3 },
        axes: [true; 3],
        motion: None,
    };
    let part = Region::HalfSpace { normal: -DVec3::X, offset: 0.3 };
    let time = 0.02 * (1.0 + f64::EPSILON);
    let body = BodySetup { at: DVec3::splat(0.1), ..BodySetup::default() };
    let switch = Switch { time, region: part, make_rigid: true };
    let mut sim =
        Simulation::new(&Setup { fixes: vec![fix], schedule: vec![switch], ..weightless(vec![body]) }).unwrap();
    sim.run_until(0.05).unwrap();
    assert!(sim.ledger().turnover < 1e-18, "nothing moves: {:?}", sim.ledger());
    assert_eq!(sim.state().scheduled, 1);
}

#[test]
fn a_damped_grab_of_a_rigid_body_does_not_take_its_ratio_to_the_contacts_and_a_pure_damper_is_stable() {
    let grabbed = |stiffness: f64, damping: f64| {
        let body = BodySetup { rigid: vec![RigidPart::Whole], mass: Some(1.0), spin: DVec3::Z, ..BodySetup::default() };
        let path = vec![(0.0, DVec3::ZERO), (0.1, DVec3::X)];
        let (region, at) = (Region::Everything, DVec3::splat(0.5));
        let grab = Grab { name: "hand".into(), region, at, stiffness, damping, path, active: (0.0, 1.0) };
        let mut sim = Simulation::new(&Setup { grabs: vec![grab], ..weightless(vec![body]) }).unwrap();
        let steps = sim.step().unwrap().substeps;
        sim.run_until(0.5).unwrap();
        (steps, sim.ledger().kinetic)
    };
    let (free, damped) = (grabbed(1.0, 0.0), grabbed(1.0, 10.0));
    assert!(damped.0 < 3 * free.0, "{} steps with the damper, {} without", damped.0, free.0);
    let (_, kinetic) = grabbed(0.0, 1e4);
    assert!(kinetic < 100.0, "{kinetic} J");
}
