//! Setups and states that no motion can follow from: refused with the place and the fact, never a panic, a hang or a NaN.

#![allow(clippy::unwrap_used)]

use kreisel::model::setup::{
    BodySetup, BodyShape, ConnectionSetup, ElementSetup, Fix, Grab, Load, LoadKind, Motion, Probe, Quantity, RigidPart,
    Switch,
};
use kreisel::model::{Contact, Fracture, Material, Obstacle, ObstacleShape, Profile, Region, Setup, State, Touched};
use kreisel::{DMat3, DQuat, DVec3, Simulation};

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

fn ball(x: f64) -> ElementSetup {
    ElementSetup { at: DVec3::X * x, velocity: DVec3::ZERO, mass: Some(1.0), radius: 0.1 }
}

fn rod(a: u32, b: u32) -> ConnectionSetup {
    ConnectionSetup { ends: (a, b), section: None, rest_length: None }
}

/// A block, a chain, a floor, and one of everything that drives and reads them.
fn sound() -> Setup {
    let elements = vec![ball(0.0), ball(1.0), ball(2.0)];
    let chain = BodyShape::Elements { elements, connections: vec![rod(0, 1), rod(1, 2)] };
    let block = BodyShape::Box { size: DVec3::ONE, cells: 1 };
    let part = |name: &str| Region::Body(name.into());
    Setup {
        bodies: vec![
            BodySetup { name: "block".into(), shape: block, ..BodySetup::default() },
            BodySetup { name: "chain".into(), shape: chain, at: DVec3::Z * 3.0, ..BodySetup::default() },
        ],
        obstacles: vec![floor(DVec3::Z, -0.5)],
        fixes: vec![Fix { name: "f".into(), region: part("chain"), axes: [true; 3], motion: Some(motion()) }],
        loads: vec![load(LoadKind::Region { region: part("block"), force: DVec3::X })],
        grabs: vec![grab()],
        schedule: vec![Switch { time: 0.01, region: part("block"), make_rigid: true }],
        probes: vec![probe(part("block"))],
        ..Setup::default()
    }
}

fn floor(normal: DVec3, offset: f64) -> Obstacle {
    let shape = ObstacleShape::Plane { normal, offset };
    Obstacle { name: "floor".into(), shape, friction: None, restitution: None }
}

fn motion() -> Motion {
    let zero = DVec3::ZERO;
    Motion { velocity: DVec3::X, displacement: zero, rotation: zero, centre: zero, profile: Profile::Constant }
}

fn load(kind: LoadKind) -> Load {
    Load { name: "l".into(), kind, profile: Profile::Constant }
}

fn grab() -> Grab {
    let region = Region::Body("block".into());
    let path = vec![(0.0, DVec3::ZERO), (1.0, DVec3::X)];
    Grab { name: "g".into(), region, at: DVec3::ZERO, stiffness: 10.0, damping: 1.0, path, active: (0.0, INF) }
}

fn probe(region: Region) -> Probe {
    Probe { name: "p".into(), quantity: Quantity::Stress, region, nearest: None, component: Some(200), joint: None }
}

/// The setup is refused at this place, or it runs and what it says is finite.
fn refused_at(path: &str, change: impl FnOnce(&mut Setup)) {
    let mut setup = sound();
    change(&mut setup);
    let error = Simulation::new(&setup).expect_err(path);
    assert!(error.path.starts_with(path), "expected {path}: {error}");
    assert!(!error.message.is_empty() && !error.help.is_empty(), "{error:?}");
}

#[test]
fn the_sound_setup_runs() {
    let mut sim = Simulation::new(&sound()).unwrap();
    sim.run_until(0.05).unwrap();
    assert!(sim.ledger().is_finite() && sim.state().check(sim.model()).is_ok());
}

#[test]
fn times_that_are_none_are_refused() {
    for bad in [NAN, INF, 0.0, -1.0] {
        refused_at("duration", |s| s.duration = bad);
        refused_at("frame", |s| s.frame = bad);
        refused_at("step", |s| s.step = Some(bad));
    }
}

#[test]
fn settings_that_are_none_are_refused() {
    for bad in [NAN, INF, -1.0] {
        refused_at("drag", |s| s.drag = bad);
        refused_at("contact.adhesion", |s| s.contact.adhesion = bad);
        refused_at("switching.rigid_below", |s| s.switching.rigid_below = bad);
        refused_at("switching.patience", |s| s.switching.patience = bad);
    }
    refused_at("gravity", |s| s.gravity.y = NAN);
    refused_at("switching.soft_above", |s| s.switching.soft_above = 0.0);
}

#[test]
fn bodies_that_cannot_be_are_refused() {
    for bad in [NAN, INF] {
        refused_at("body[0].at", |s| s.bodies[0].at.x = bad);
        refused_at("body[0].velocity", |s| s.bodies[0].velocity.x = bad);
        refused_at("body[0].spin", |s| s.bodies[0].spin.x = bad);
    }
    for bad in [NAN, INF, 0.0, -2.0] {
        refused_at("body[0].mass", |s| s.bodies[0].mass = Some(bad));
        refused_at("body[0].shape", |s| s.bodies[0].material.young = bad);
        refused_at("body[0].shape", |s| s.bodies[0].material.density = bad);
        refused_at("body[0].shape", |s| s.bodies[0].material.fracture = Fracture::Strain(bad));
        refused_at("body[0].shape", |s| s.bodies[0].shape = BodyShape::Box { size: DVec3::splat(bad), cells: 1 });
    }
    for bad in [NAN, 0.5, -1.0] {
        refused_at("body[0].shape", |s| s.bodies[0].material.poisson = bad);
    }
    for bad in [NAN, -0.1, INF] {
        refused_at("body[0].shape", |s| s.bodies[0].material.damping = bad);
        refused_at("body[0].material.friction", |s| s.bodies[0].material.static_friction = bad);
        refused_at("body[0].material.friction", |s| s.bodies[0].material.dynamic_friction = bad);
        refused_at("body[0].material.restitution", |s| s.bodies[0].material.restitution = bad);
    }
    for cells in [0, 4_000_000_000] {
        refused_at("body[0].shape", |s| s.bodies[0].shape = BodyShape::Box { size: DVec3::ONE, cells });
    }
    for q in [
        DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0),
        DQuat::from_xyzw(1.0, 2.0, 3.0, 4.0),
        DQuat::from_xyzw(NAN, 0.0, 0.0, 1.0),
    ] {
        refused_at("body[0].rotation", |s| s.bodies[0].rotation = q);
    }
}

#[test]
fn inertias_that_no_body_has_are_refused() {
    let bad = [
        DMat3::ZERO,
        DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0)),
        DMat3::from_diagonal(DVec3::new(1.0, NAN, 1.0)),
        DMat3::from_cols(DVec3::X, DVec3::new(5.0, 1.0, 0.0), DVec3::Z),
    ];
    for inertia in bad {
        refused_at("body[0].inertia", |s| {
            s.bodies[0].rigid = vec![RigidPart::Whole];
            s.bodies[0].inertia = Some(inertia);
        });
    }
    refused_at("body[0].inertia", |s| s.bodies[0].inertia = Some(DMat3::IDENTITY));
}

#[test]
fn lists_of_elements_that_cannot_be_are_refused() {
    let list = |s: &mut Setup, elements: Vec<ElementSetup>, connections: Vec<ConnectionSetup>| {
        s.bodies[1].shape = BodyShape::Elements { elements, connections };
    };
    refused_at("body[1].shape", |s| list(s, vec![], vec![]));
    refused_at("body[1].shape", |s| list(s, vec![ball(0.0)], vec![rod(0, 0)]));
    refused_at("body[1].shape", |s| list(s, vec![ball(0.0)], vec![rod(0, 9)]));
    refused_at("body[1].shape", |s| list(s, vec![ball(0.0), ball(0.0)], vec![rod(0, 1)]));
    refused_at("body[1].at", |s| list(s, vec![ball(0.0), ball(0.0)], vec![]));
    refused_at("body[1].shape", |s| list(s, vec![ElementSetup { velocity: DVec3::X * NAN, ..ball(0.0) }], vec![]));
    for bad in [NAN, INF, 0.0, -1.0] {
        refused_at("body[1].shape", |s| list(s, vec![ElementSetup { radius: bad, ..ball(0.0) }], vec![]));
        refused_at("body[1].shape", |s| list(s, vec![ElementSetup { mass: Some(bad), ..ball(0.0) }], vec![]));
    }
}

#[test]
fn obstacles_that_cannot_be_are_refused() {
    for normal in [DVec3::ZERO, DVec3::Z * 2.0, DVec3::splat(NAN)] {
        refused_at("obstacle[0].normal", |s| s.obstacles[0] = floor(normal, -9.0));
    }
    refused_at("obstacle[0].offset", |s| s.obstacles[0] = floor(DVec3::Z, NAN));
    refused_at("obstacle[0].friction", |s| s.obstacles[0].friction = Some((0.5, NAN)));
    refused_at("obstacle[0].restitution", |s| s.obstacles[0].restitution = Some(1.5));
    for radius in [0.0, -1.0, NAN] {
        let shape = ObstacleShape::Sphere { centre: DVec3::X * 9.0, radius };
        refused_at("obstacle[0].radius", |s| s.obstacles[0].shape = shape);
        let half_size = DVec3::new(1.0, 1.0, radius);
        let shape = ObstacleShape::Box { centre: DVec3::X * 9.0, half_size, rotation: DQuat::IDENTITY };
        refused_at("obstacle[0].half_size", |s| s.obstacles[0].shape = shape);
    }
}

#[test]
fn drives_that_cannot_be_are_refused() {
    let moving = |s: &mut Setup, m: Motion| s.fixes[0].motion = Some(m);
    refused_at("fix[0].motion", |s| moving(s, Motion { velocity: DVec3::X * NAN, ..motion() }));
    refused_at("fix[0].motion", |s| moving(s, Motion { profile: Profile::Ramp { start: NAN, end: 1.0 }, ..motion() }));
    refused_at("fix[0]", |s| s.fixes[0].axes = [false; 3]);
    let force = DVec3::new(0.0, INF, 0.0);
    refused_at("load[0].force", |s| s.loads[0] = load(LoadKind::Region { region: Region::Everything, force }));
    let pressure = NAN;
    refused_at("load[0].pressure", |s| s.loads[0] = load(LoadKind::Pressure { region: Region::Everything, pressure }));
    refused_at("load[0].profile", |s| s.loads[0].profile = Profile::Table(vec![(1.0, 0.0), (0.5, 1.0)]));
    refused_at("load[0].profile", |s| s.loads[0].profile = Profile::Table(vec![]));
    refused_at("load[0].profile", |s| s.loads[0].profile = Profile::Sine { frequency: INF, phase: 0.0 });
    for bad in [NAN, INF, -1.0] {
        refused_at("grab[0].stiffness", |s| s.grabs[0].stiffness = bad);
        refused_at("grab[0].damping", |s| s.grabs[0].damping = bad);
    }
    refused_at("grab[0].path", |s| s.grabs[0].path.clear());
    refused_at("grab[0].path", |s| s.grabs[0].path.reverse());
    refused_at("grab[0].active", |s| s.grabs[0].active.1 = NAN);
    refused_at("at[0].time", |s| s.schedule[0].time = NAN);
    refused_at("probe[0]", |s| s.probes[0].nearest = Some(DVec3::splat(NAN)));
}

#[test]
fn regions_of_nothing_are_refused() {
    let nowhere = Region::Sphere { centre: DVec3::splat(99.0), radius: 0.1 };
    let element = Region::Element { body: "chain".into(), index: 3 };
    for region in [nowhere, element, Region::Body("cow".into()), Region::Any(vec![])] {
        refused_at("probe[0]", |s| s.probes[0].region = region.clone());
        refused_at("fix[0]", |s| s.fixes[0].region = region.clone());
        refused_at("grab[0]", |s| s.grabs[0].region = region.clone());
        refused_at("at[0]", |s| s.schedule[0].region = region.clone());
        refused_at("body[0].rigid", |s| s.bodies[0].rigid = vec![RigidPart::Region(region.clone())]);
    }
}

#[test]
fn extreme_numbers_end_in_an_error_or_in_finite_frames() {
    for size in [1e-300, 1e-150, 1e-40, 1e40, 1e150, 1e300] {
        let changes: [fn(&mut Setup, f64); 8] = [
            |s, a| s.bodies[0].mass = Some(a),
            |s, a| s.bodies[0].material.young = a,
            |s, a| s.bodies[0].material.density = a,
            |s, a| s.bodies[0].velocity.x = a,
            |s, a| s.bodies[0].spin.x = a,
            |s, a| s.gravity.z = a,
            |s, a| s.frame = a,
            |s, a| s.step = Some(a),
        ];
        for change in changes {
            let mut setup = Setup { frame: 0.01, schedule: vec![], ..sound() };
            change(&mut setup, size);
            let Ok(mut sim) = Simulation::new(&setup) else { continue };
            for _ in 0..2 {
                let before = sim.state().clone();
                match sim.step() {
                    Ok(_) => assert!(sim.state().check(sim.model()).is_ok(), "{size:e}"),
                    Err(_) => assert_eq!(sim.state(), &before),
                }
            }
        }
    }
}

#[test]
fn a_frame_of_too_many_steps_says_so_instead_of_hanging() {
    let material = Material { young: 1e25, ..Material::default() };
    let integrator = kreisel::model::setup::Integrator::SymplecticEuler;
    let setup = Setup { bodies: vec![BodySetup { material, ..BodySetup::default() }], integrator, ..Setup::default() };
    let error = Simulation::new(&setup).unwrap().step().unwrap_err();
    assert!(error.cause.contains("steps") && error.element.is_some(), "{error}");
    let mut sim = Simulation::new(&Setup::default()).unwrap();
    for frame in [0.0, -1.0, NAN, INF] {
        assert!(sim.step_by(frame).is_err());
    }
    assert!(sim.run_until(INF).is_err() && sim.run_until(NAN).is_err());
}

/// A state with contacts and an aggregate, spoilt in one way, must be refused.
fn spoilt(field: &str, spoil: impl FnOnce(&mut State)) {
    let mut setup = sound();
    setup.bodies[0].rigid = vec![RigidPart::Whole];
    let mut state = Simulation::new(&setup).unwrap().state().clone();
    assert!(Simulation::resume(&setup, state.clone()).is_ok());
    spoil(&mut state);
    let error = Simulation::resume(&setup, state).expect_err(field);
    assert_eq!(error.path, format!("state.{field}"), "{error}");
}

#[test]
fn states_of_something_else_are_refused() {
    spoilt("position", |s| s.position.push(DVec3::ZERO));
    spoilt("position", |s| s.position.x[0] = NAN);
    spoilt("velocity", |s| s.velocity.y.truncate(3));
    spoilt("time", |s| s.time = INF);
    spoilt("owner", |s| s.owner.truncate(2));
    spoilt("owner", |s| s.owner[0] = 7);
    spoilt("owner", |s| s.owner[9] = 0);
    spoilt("aggregates", |s| s.owner[0] = u32::MAX);
    spoilt("aggregates", |s| s.aggregates[0].elements.clear());
    spoilt("aggregates", |s| s.aggregates[0].elements.reverse());
    spoilt("aggregates", |s| s.aggregates[0].local.truncate(1));
    spoilt("aggregates", |s| s.aggregates[0].mass = 0.0);
    spoilt("aggregates", |s| s.aggregates[0].orientation = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    spoilt("broken", |s| s.broken = vec![3, 1]);
    spoilt("broken", |s| s.broken = vec![999]);
    let contact = |element, other| Contact { element, other, rest: 0.1, stretch: DVec3::ZERO, slipping: false };
    spoilt("contacts", |s| s.contacts = vec![contact(99, Touched::Obstacle(0))]);
    spoilt("contacts", |s| s.contacts = vec![contact(0, Touched::Obstacle(4))]);
    spoilt("contacts", |s| s.contacts = vec![contact(5, Touched::Element(5))]);
    spoilt("contacts", |s| s.contacts = vec![Contact { rest: NAN, ..contact(0, Touched::Obstacle(0)) }]);
    spoilt("calm", |s| s.calm = vec![0.0]);
    spoilt("scheduled", |s| s.scheduled = 9);
    spoilt("ledger", |s| s.ledger.kinetic = NAN);
}
