//! The same scene gives the same bits: with any number of threads, after resume, without caches, under other names.
#![allow(clippy::unwrap_used)]

use kreisel::model::setup::{BodySetup, BodyShape, Fix, ImplicitSettings, Integrator, LinearSolver, RigidPart, Switch};
use kreisel::model::{Fracture, Material, Obstacle, ObstacleShape, Region, Setup, State};
use kreisel::{DVec3, Simulation};

/// Two blocks fall on each other and the ground: contact, friction, fracture, switches.
fn crash() -> Setup {
    let block = |name: &str, z: f64, rigid: Vec<RigidPart>| BodySetup {
        name: name.into(),
        shape: BodyShape::Box { size: DVec3::new(0.4, 0.3, 0.2), cells: 3 },
        at: DVec3::new(0.02 * z, 0.0, z),
        spin: DVec3::new(0.3, 2.0, 0.5),
        velocity: DVec3::new(0.5, 0.0, -3.0),
        material: Material { young: 3e5, poisson: 0.35, fracture: Fracture::Strain(0.2), ..Material::default() },
        rigid,
        ..BodySetup::default()
    };
    let right = Region::All(vec![Region::Body("low".into()), Region::HalfSpace { normal: DVec3::X, offset: 0.05 }]);
    let shape = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
    Setup {
        bodies: vec![
            block("low", 0.25, vec![RigidPart::Region(right)]),
            block("high", 0.7, vec![]),
            block("self-willed", 1.1, vec![RigidPart::Automatic]),
        ],
        obstacles: vec![Obstacle { name: "ground".into(), shape, friction: None, restitution: None }],
        schedule: vec![
            Switch { time: 0.031, region: Region::Body("high".into()), make_rigid: true },
            Switch { time: 0.072, region: Region::Body("high".into()), make_rigid: false },
        ],
        ..Setup::default()
    }
}

const FRAMES: usize = 10;

fn run(setup: &Setup, mut between: impl FnMut(&mut Simulation)) -> State {
    let mut sim = Simulation::new(setup).unwrap();
    for _ in 0..FRAMES {
        sim.step().unwrap();
        between(&mut sim);
    }
    sim.state().clone()
}

fn with_threads(n: usize, setup: &Setup) -> State {
    rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap().install(|| run(setup, |_| {}))
}

#[test]
fn the_crash_has_contacts_fracture_and_switches_in_it() {
    let state = run(&crash(), |_| {});
    assert!(!state.contacts.is_empty() && !state.broken.is_empty() && state.epoch > 4, "{:?}", state.ledger);
}

#[test]
fn the_number_of_threads_does_not_show() {
    let setup = crash();
    let one = with_threads(1, &setup);
    assert_eq!(one, with_threads(2, &setup));
    assert_eq!(one, with_threads(3, &setup));
}

#[test]
fn dropping_the_workspace_between_frames_does_not_show() {
    assert_eq!(run(&crash(), |_| {}), run(&crash(), Simulation::drop_workspace));
}

/// The crash in implicit steps beyond the explicit bound, and a clamped beam whose preconditioner lasts for many of them.
fn implicit() -> [Setup; 2] {
    let solver = LinearSolver::TwoLevel;
    let settings = ImplicitSettings { solver, ..ImplicitSettings::default() };
    let steps = |setup: Setup| Setup { step: Some(1.0 / 60.0), implicit: settings, ..setup };
    let beam = BodySetup {
        shape: BodyShape::Box { size: DVec3::new(1.2, 0.2, 0.2), cells: 3 },
        material: Material { young: 1e7, ..Material::default() },
        ..BodySetup::default()
    };
    let region = Region::HalfSpace { normal: -DVec3::X, offset: 0.59 };
    let clamp = Fix { name: "clamp".into(), region, axes: [true; 3], motion: None };
    let beam = Setup { bodies: vec![beam], fixes: vec![clamp], ..Setup::default() };
    [
        steps(Setup { integrator: Integrator::BackwardEuler, ..crash() }),
        steps(Setup { integrator: Integrator::ImplicitMidpoint, ..beam }),
    ]
}

#[test]
fn implicit_steps_show_neither_threads_nor_a_dropped_workspace_nor_a_resume() {
    for setup in implicit() {
        let whole = run(&setup, |_| {});
        assert_eq!(whole, with_threads(3, &setup));
        assert_eq!(whole, run(&setup, Simulation::drop_workspace));
        assert_eq!(whole, run(&setup, |sim| *sim = Simulation::resume(&setup, sim.state().clone()).unwrap()));
    }
}

#[test]
fn resuming_from_a_saved_state_does_not_show() {
    let setup = crash();
    let whole = run(&setup, |_| {});
    let resumed = run(&setup, |sim| *sim = Simulation::resume(&setup, sim.state().clone()).unwrap());
    assert_eq!(whole, resumed);
}

#[test]
fn splitting_a_body_into_several_does_not_show() {
    let whole = run(&crash(), |_| {});
    let mut setup = crash();
    let part = |lo: f64, hi: f64| Region::Box { min: DVec3::new(lo, -9.0, -9.0), max: DVec3::new(hi, 9.0, 9.0) };
    setup.schedule.iter_mut().for_each(|s| {
        s.region = Region::Any(vec![
            Region::Body("high".into()),
            Region::Body("high-left".into()),
            Region::Body("high-middle".into()),
        ]);
    });
    setup.bodies[1].split = vec![("high-left".into(), part(-9.0, -0.1)), ("high-middle".into(), part(-0.1, 0.1))];
    let split = run(&setup, |_| {});
    assert_eq!(whole.position, split.position);
    assert_eq!(whole.velocity, split.velocity);
    assert_eq!(whole.broken, split.broken);
    assert_eq!(whole.ledger, split.ledger);
}

#[test]
fn reading_contact_forces_does_not_show() {
    let setup = crash();
    let mut read = 0;
    let mut sim = Simulation::new(&setup).unwrap();
    sim.contact_forces();
    for _ in 0..FRAMES {
        sim.step().unwrap();
        read += sim.contact_forces().len();
    }
    assert!(read > 0);
    assert_eq!(&run(&setup, |_| {}), sim.state());
}

#[test]
fn contact_forces_on_a_body_on_the_ground_add_up_to_the_contact_forces_on_its_elements() {
    let mut setup = crash();
    setup.bodies.truncate(1);
    setup.schedule.clear();
    let mut sim = Simulation::new(&setup).unwrap();
    let mut largest = 0.0f64;
    for _ in 0..FRAMES {
        sim.step().unwrap();
        let contacts = sim.contact_forces();
        assert!(contacts.is_sorted_by(|a, b| a.1.length() >= b.1.length()));
        // Pieces of the body may push each other: only what touches the ground comes from outside.
        let ground = contacts.iter().filter(|c| c.0.z.abs() < 1e-9).fold(DVec3::ZERO, |sum, c| sum + c.1);
        let on_elements = sim.forces().contact;
        let all = (0..on_elements.len()).fold(DVec3::ZERO, |sum, e| sum + on_elements.get(e));
        assert!((ground - all).length() <= 1e-9 * (1.0 + all.length()), "{ground} {all}");
        largest = largest.max(ground.z);
    }
    assert!(largest > 1.0, "it has landed");
}
