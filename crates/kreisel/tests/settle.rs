//! Rest states under load, against closed forms; and what has none.
#![allow(clippy::unwrap_used)]

use kreisel::discretize::box_lattice;
use kreisel::linear::Vectors;
use kreisel::model::setup::{
    BodySetup, BodyShape, ConnectionSetup, ElementSetup, Fix, Load, LoadKind, Motion, RigidPart,
};
use kreisel::model::{Material, Obstacle, ObstacleShape, Profile, Region, Setup};
use kreisel::statics::{EquilibriumParams, Held, StaticProblem, solve_equilibrium};
use kreisel::step::{SettleError, SettleParams, SettleReport};
use kreisel::{DQuat, DVec3, Simulation};

const G: f64 = 9.81;

fn plane(normal: DVec3) -> Obstacle {
    let shape = ObstacleShape::Plane { normal, offset: 0.0 };
    Obstacle { name: "ground".into(), shape, friction: None, restitution: None }
}

fn block(name: &str, size: DVec3, at: DVec3) -> BodySetup {
    BodySetup { name: name.into(), shape: BodyShape::Box { size, cells: 2 }, at, ..BodySetup::default() }
}

fn hold(region: Region) -> Fix {
    Fix { name: "wall".into(), region, axes: [true; 3], motion: None }
}

fn settle(setup: &Setup) -> (Simulation, SettleReport) {
    let mut sim = Simulation::new(setup).unwrap();
    let report = sim.settle(&SettleParams::default()).unwrap();
    (sim, report)
}

/// Runs on for a while: what is at rest stays at rest.
fn speed_after(sim: &mut Simulation, time: f64) -> f64 {
    sim.run_until(sim.time() + time).unwrap();
    let v = &sim.state().velocity;
    (0..v.len()).map(|e| v.get(e).length()).fold(0.0, f64::max)
}

fn chain(n: u32) -> Setup {
    let ball = |i: u32| ElementSetup {
        at: DVec3::new(0.0, 0.0, -0.1 * f64::from(i)),
        velocity: DVec3::ZERO,
        mass: Some(0.1),
        radius: 0.01,
    };
    let rod = |i| ConnectionSetup { ends: (i, i + 1), section: Some(1e-5), rest_length: None };
    let shape = BodyShape::Elements { elements: (0..=n).map(ball).collect(), connections: (0..n).map(rod).collect() };
    let material = Material { young: 1e7, ..Material::default() };
    let body = BodySetup { name: "chain".into(), shape, material, ..BodySetup::default() };
    Setup {
        bodies: vec![body],
        fixes: vec![hold(Region::Element { body: "chain".into(), index: 0 })],
        ..Setup::default()
    }
}

#[test]
fn a_hanging_chain_carries_in_each_spring_what_hangs_below() {
    let (n, k, w) = (10_usize, 1e7 * 1e-5 / 0.1, 0.1 * G);
    let (mut sim, report) = settle(&chain(n as u32));
    let z = sim.state().position.z.clone();
    for j in 1..=n {
        let tension = k * (z[j - 1] - z[j] - 0.1);
        assert!((tension - (n - j + 1) as f64 * w).abs() < 1e-7, "spring {j}: {tension} N");
    }
    let extension = w * (n * (n + 1)) as f64 / (2.0 * k);
    assert!((z[0] - z[n] - 1.0 - extension).abs() < 1e-9 && (report.largest_displacement - extension).abs() < 1e-9);
    let reaction = report.reactions[0].1;
    assert!((reaction - DVec3::Z * w * (n + 1) as f64).length() < 1e-6, "{reaction}");
    assert!(speed_after(&mut sim, 0.2) < 1e-7, "no transient");
}

#[test]
fn a_cantilever_bends_as_the_static_solver_says() {
    let size = DVec3::new(1.0, 0.1, 0.1);
    let body = block("beam", size, DVec3::ZERO);
    let wall = Region::Box { min: DVec3::new(-0.6, -1.0, -1.0), max: DVec3::new(-0.499, 1.0, 1.0) };
    let setup = Setup { bodies: vec![body], fixes: vec![hold(wall)], ..Setup::default() };
    let mut sim = Simulation::new(&setup).unwrap();
    let report = sim.settle(&SettleParams { tolerance: 1e-10, ..SettleParams::default() }).unwrap();
    let matter = box_lattice(size, 2, &Material::default()).unwrap();
    let mut loads = Vectors::zeros(matter.len());
    (0..matter.len()).for_each(|e| loads.z[e] = -G * matter.masses[e]);
    let at_wall = |e: &u32| matter.positions.x[*e as usize] < -0.499;
    let held: Vec<Held> = (0..matter.len() as u32)
        .filter(at_wall)
        .map(|element| Held { element, axes: [true; 3], displacement: DVec3::ZERO })
        .collect();
    let problem = StaticProblem {
        positions: &matter.positions,
        connections: &matter.connections,
        cells: &matter.cells,
        loads: &loads,
        held: &held,
    };
    let params = EquilibriumParams { force_tolerance: 1e-9, ..EquilibriumParams::default() };
    let reference = solve_equilibrium(&problem, &params).unwrap().displacements;
    let tip = reference.z.iter().copied().fold(0.0, f64::min);
    assert!(tip < -0.1, "a large deflection: {tip} m");
    let moved = sim.state().position.z.iter().zip(&sim.model().elements.rest.z).map(|(z, z0)| z - z0);
    let settled = moved.fold(0.0, f64::min);
    assert!((settled - tip).abs() < 1e-8 * tip.abs(), "{settled} against {tip} m");
    assert!((report.reactions[0].1 - DVec3::Z * G * 10.0).length() < 1e-5, "{:?}", report.reactions);
    assert!(speed_after(&mut sim, 0.1) < 1e-6);
}

#[test]
fn a_block_on_the_ground_sinks_by_its_weight_over_the_contact_stiffness() {
    for (rigid, gap) in [(true, 0.0), (true, 0.02), (false, 0.0), (false, 0.02)] {
        let parts = if rigid { vec![RigidPart::Whole] } else { vec![] };
        let body = BodySetup { rigid: parts, ..block("block", DVec3::new(0.4, 0.4, 0.2), DVec3::Z * (0.1 + gap)) };
        let setup = Setup { bodies: vec![body], obstacles: vec![plane(DVec3::Z)], ..Setup::default() };
        let (mut sim, report) = settle(&setup);
        let weight = 1000.0 * 0.4 * 0.4 * 0.2 * G;
        assert!((report.ground_force - DVec3::Z * weight).length() < 1e-6 * weight, "{}", report.ground_force);
        // Half a cell of side a under each a² of the ground: Σk = 2 E A / a.
        let sink = weight / (2.0 * 1e6 * 0.16 / 0.1);
        let sunk = 0.1 - sim.state().aggregates.first().map_or(0.1, |a| a.position.z);
        assert!(!rigid || (sunk - sink).abs() < 1e-6 * sink, "{sunk} against {sink} m");
        assert!(speed_after(&mut sim, 0.1) < 1e-6, "rigid {rigid}, gap {gap}");
    }
}

#[test]
fn a_rigid_plate_on_soft_feet_presses_each_foot_by_its_share() {
    let foot = |name: &str, x: f64| block(name, DVec3::new(0.1, 0.2, 0.2), DVec3::new(x, 0.0, 0.1));
    let plate = BodySetup {
        rigid: vec![RigidPart::Whole],
        ..block("plate", DVec3::new(0.6, 0.2, 0.1), DVec3::new(0.05, 0.0, 0.25))
    };
    let bodies = vec![foot("left", -0.2), foot("right", 0.2), plate];
    let setup = Setup { bodies, obstacles: vec![plane(DVec3::Z)], ..Setup::default() };
    let (mut sim, _) = settle(&setup);
    let forces = sim.forces();
    let pressed = |name: &str| {
        let body = &sim.model().bodies[sim.body(name).unwrap().0 as usize];
        body.elements
            .iter()
            .filter(|&&e| sim.model().elements.rest.z[e as usize] > 0.15)
            .map(|&e| forces.contact.z[e as usize])
            .sum::<f64>()
    };
    let (left, right, weight) = (-pressed("left"), -pressed("right"), 12.0 * G);
    assert!((left + right - weight).abs() < 1e-6 * weight, "{left} + {right} against {weight} N");
    // About the middle of the left foot: 0.25 m of 0.4 m, but for the tilt of what is under it.
    assert!((right / weight - 0.25 / 0.4).abs() < 0.02, "{}", right / weight);
    assert!(speed_after(&mut sim, 0.1) < 1e-5);
}

#[test]
fn a_block_stays_on_an_incline_below_the_angle_of_friction_and_not_above() {
    for rigid in [true, false] {
        let slope = |degrees: f64| {
            let tilt = DQuat::from_rotation_y(f64::to_radians(degrees));
            let parts = if rigid { vec![RigidPart::Whole] } else { vec![] };
            let size = DVec3::new(0.4, 0.4, 0.2);
            let body = BodySetup { rigid: parts, rotation: tilt, ..block("block", size, tilt * DVec3::Z * 0.1) };
            Setup { bodies: vec![body], obstacles: vec![plane(tilt * DVec3::Z)], ..Setup::default() }
        };
        let (mut sim, report) = settle(&slope(20.0));
        assert!(report.largest_displacement < 5e-3, "{}", report.largest_displacement);
        assert!(speed_after(&mut sim, 0.1) < 1e-6);
        let error = Simulation::new(&slope(35.0)).unwrap().settle(&SettleParams::default()).unwrap_err();
        assert!(matches!(error, SettleError::Runaway { .. } | SettleError::NotConverged { .. }), "{error}");
    }
}

#[test]
fn a_pendulum_settles_below_its_pivot() {
    let mut setup = chain(3);
    setup.bodies[0].rotation = DQuat::from_rotation_y(1.2);
    setup.bodies[0].rigid = vec![RigidPart::Whole];
    let (sim, report) = settle(&setup);
    let (p, r) = (&sim.state().position, report.reactions[0].1);
    assert!(p.x[3].abs() < 1e-6 && (p.z[3] + 0.3).abs() < 1e-9, "{} {}", p.x[3], p.z[3]);
    assert!((r - DVec3::Z * 0.4 * G).length() < 1e-6, "{r}");
}

#[test]
fn a_floating_body_is_refused_with_force_and_torque_and_stays_as_it_was() {
    let setup = Setup { bodies: vec![block("block", DVec3::ONE, DVec3::ZERO)], ..Setup::default() };
    let mut sim = Simulation::new(&setup).unwrap();
    let before = sim.state().clone();
    match sim.settle(&SettleParams::default()).unwrap_err() {
        SettleError::Floating { body, force, .. } => {
            assert!(body == "block" && (force + DVec3::Z * G * 1000.0).length() < 1e-6, "{body} {force}");
        }
        other => panic!("{other}"),
    }
    assert_eq!(sim.state(), &before);
    // Beside something it could have landed on.
    let other = BodySetup { rigid: vec![RigidPart::Whole], ..block("other", DVec3::ONE, DVec3::X * 3.0) };
    let setup = Setup {
        bodies: vec![block("block", DVec3::ONE, DVec3::ZERO), other],
        fixes: vec![hold(Region::Body("other".into()))],
        ..Setup::default()
    };
    let error = Simulation::new(&setup).unwrap().settle(&SettleParams::default()).unwrap_err();
    assert!(matches!(error, SettleError::Floating { .. }), "{error}");
}

#[test]
fn a_mechanism_under_load_runs_away_and_is_named() {
    let mut setup = Setup { bodies: vec![block("slide", DVec3::ONE, DVec3::ZERO)], ..Setup::default() };
    setup.fixes.push(Fix { axes: [false, true, true], ..hold(Region::Body("slide".into())) });
    let kind = LoadKind::Region { region: Region::Body("slide".into()), force: DVec3::X * 5.0 };
    setup.loads.push(Load { name: "push".into(), kind, profile: Profile::default() });
    match Simulation::new(&setup).unwrap().settle(&SettleParams::default()).unwrap_err() {
        SettleError::Runaway { body, .. } => assert_eq!(body, "slide"),
        other => panic!("{other}"),
    }
}

#[test]
fn what_cannot_move_and_fixes_that_cannot_be_met_are_named() {
    let whole = BodySetup { rigid: vec![RigidPart::Whole], ..block("slab", DVec3::ONE, DVec3::ZERO) };
    let mut setup = Setup { bodies: vec![whole], fixes: vec![hold(Region::Body("slab".into()))], ..Setup::default() };
    let error = Simulation::new(&setup).unwrap().settle(&SettleParams::default()).unwrap_err();
    assert_eq!(error, SettleError::Nothing);
    let pull = Motion {
        velocity: DVec3::X,
        displacement: DVec3::ZERO,
        rotation: DVec3::ZERO,
        centre: DVec3::ZERO,
        profile: Profile::default(),
    };
    let half = |low: f64, high: f64| Region::Box { min: DVec3::new(low, -1.0, -1.0), max: DVec3::new(high, 1.0, 1.0) };
    setup.fixes = vec![hold(half(-0.6, -0.4)), Fix { motion: Some(pull), ..hold(half(0.4, 0.6)) }];
    let params = SettleParams { time: Some(0.1), ..SettleParams::default() };
    match Simulation::new(&setup).unwrap().settle(&params).unwrap_err() {
        SettleError::ConflictingFixes { body, distance, .. } => {
            assert!(body == "slab" && distance > 0.01, "{distance}")
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_scene_that_says_so_starts_from_its_rest_state() {
    let setup = Setup { settle: true, ..chain(5) };
    let mut sim = Simulation::new(&setup).unwrap();
    assert!(speed_after(&mut sim, 0.1) < 1e-7);
    let floating = Setup { fixes: vec![], ..setup };
    let error = Simulation::new(&floating).unwrap_err();
    assert!(error.path == "settle" && error.message.contains("balance"), "{error}");
}
