//! Loads, grabs and probes are at the points of exact bodies that they are asked for, not at the four masses that nobody sees.

use super::scenes::{body, material, on_ground};
use kreisel::model::setup::{Fix, Grab, Integrator, Load, LoadKind, Probe, Quantity};
use kreisel::model::shape::Shape;
use kreisel::model::{Profile, Region, Setup};
use kreisel::readout::probe::Probes;
use kreisel::{DQuat, DVec3, Simulation};

/// A beam of 1 m by 10 cm by 6 cm with its middle at `at`, in the air.
fn beam(at: DVec3, rotation: DQuat, gravity: DVec3) -> Setup {
    let shape = Shape::Box { half_size: DVec3::new(0.5, 0.05, 0.03) };
    let mut beam = body("beam", shape, at, material(0.5, 0.0));
    beam.rotation = rotation;
    Setup { gravity, obstacles: Vec::new(), ..on_ground(vec![beam], 1e-3, 1.0) }
}

fn grab(at: DVec3, stiffness: f64, damping: f64) -> Grab {
    let (name, region) = ("hand".into(), Region::Body("beam".into()));
    Grab { name, region, at, stiffness, damping, path: vec![(0.0, at)], active: (0.0, f64::INFINITY) }
}

#[test]
fn a_load_at_a_corner_of_an_exact_beam_turns_it_with_the_arm_of_that_corner() {
    let (middle, corner) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.5, -0.05, 0.03));
    let turn = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.7);
    let mut setup = beam(middle, turn, DVec3::ZERO);
    let (at, force) = (middle + turn * corner, DVec3::new(1.0, 2.0, -3.0));
    let kind = LoadKind::Point { region: Region::Body("beam".into()), at, force };
    setup.loads = vec![Load { name: "push".into(), kind, profile: Profile::default() }];
    let mut sim = Simulation::new(&setup).unwrap();
    sim.step().unwrap();
    let beam = &sim.state().aggregates[0];
    let wanted = (turn * corner).cross(force) * 1e-3;
    assert!((beam.angular_momentum - wanted).length() < 1e-12, "{} {wanted}", beam.angular_momentum);
    assert!((beam.velocity * beam.mass - force * 1e-3).length() < 1e-12, "{}", beam.velocity);
}

#[test]
fn a_beam_that_is_held_at_its_end_hangs_straight_below_it_by_what_the_spring_gives() {
    let down = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    for integrator in [Integrator::SymplecticEuler, Integrator::BackwardEuler] {
        let mut setup = beam(DVec3::ZERO, down, DVec3::Z * -9.81);
        setup.grabs = vec![grab(DVec3::Z * 0.5, 3000.0, 300.0)];
        setup.integrator = integrator;
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(4.0).unwrap();
        let beam = &sim.state().aggregates[0];
        let given = beam.mass * 9.81 / 3000.0;
        assert!((beam.position + DVec3::Z * given).length() < 1e-5, "{integrator:?}: {} {given}", beam.position);
        assert!(sim.ledger().residual.abs() < 0.02 * sim.ledger().turnover, "{:?}", sim.ledger());
    }
}

#[test]
fn four_damped_springs_allow_the_step_of_the_body_that_they_hold() {
    let mut setup = beam(DVec3::ZERO, DQuat::IDENTITY, DVec3::ZERO);
    let corners = [(0.29, 0.029, 0.017), (0.29, -0.029, -0.017), (-0.29, 0.029, -0.017), (-0.29, -0.029, 0.017)];
    // The springs are at the four equal masses: c/(m/4) = 1333/s in every direction, and a step of 1 ms is within m/(4 c).
    let m = 1000.0 * 0.1 * 0.06;
    setup.grabs = corners.map(|(x, y, z)| grab(DVec3::new(x, y, z), 1e4, 1333.0 * 0.25 * m / 2.0)).to_vec();
    let report = Simulation::new(&setup).unwrap().step().unwrap();
    assert!(report.stable_step > 1.1e-3 && report.substeps == 1, "{report:?}");
}

#[test]
fn a_probe_at_the_end_of_an_exact_rod_reads_that_very_point_and_not_a_mass_that_nobody_sees() {
    let mut setup = beam(DVec3::ZERO, DQuat::IDENTITY, DVec3::ZERO);
    setup.bodies[0].spin = DVec3::Z * 2.0;
    setup.bodies[0].velocity = DVec3::X * 0.5;
    let end = DVec3::X * 0.5;
    let read = |quantity| {
        let (name, region) = (format!("{quantity:?}"), Region::Body("beam".into()));
        Probe { name, quantity, region, nearest: Some(end), component: None, joint: None }
    };
    setup.probes = [Quantity::Position, Quantity::Velocity, Quantity::Displacement, Quantity::Spin].map(read).to_vec();
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(0.25).unwrap();
    let forces = sim.forces();
    let row = Probes::new(sim.model()).read(sim.model(), sim.state(), &forces);
    let arm = DVec3::new(0.5_f64.cos(), 0.5_f64.sin(), 0.0) * 0.5;
    let place = DVec3::X * 0.125 + arm;
    let expected = [place, DVec3::X * 0.5 + DVec3::Z.cross(arm) * 2.0, place - end, DVec3::Z * 2.0];
    for (read, expected) in row.chunks(3).zip(expected) {
        let off = (DVec3::new(read[0], read[1], read[2]) - expected).length();
        assert!(off < 1e-9, "{read:?} instead of {expected}");
    }
}

#[test]
fn a_spring_that_holds_a_body_in_the_air_does_not_drive_it_up() {
    for step in [1.0 / 60.0, 1.0 / 240.0] {
        let mut setup = beam(DVec3::X, DQuat::IDENTITY, DVec3::ZERO);
        (setup.step, setup.frame) = (Some(step), step);
        // 6 kg at 600 N/m: ω = 10/s.
        setup.grabs = vec![Grab { path: vec![(0.0, DVec3::ZERO)], ..grab(DVec3::X, 600.0, 0.0) }];
        let mut sim = Simulation::new(&setup).unwrap();
        let mut farthest = 0.0_f64;
        while sim.time() < 30.0 {
            sim.step().unwrap();
            farthest = farthest.max(sim.state().aggregates[0].position.length());
        }
        // Symplectic Euler keeps ½ v² + ½ ω² x² − ½ h ω² x v: from x = 1 at rest x² stays below 1/(1 − (ω h/2)²).
        let bound = (1.0 - (5.0 * step).powi(2)).sqrt().recip();
        assert!(farthest > 0.999 && farthest < bound * (1.0 + 1e-9), "{farthest} m, at most {bound}");
    }
}

#[test]
fn what_holds_a_plate_bears_its_weight_and_what_lies_on_it() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::BackwardEuler] {
        let mut plate =
            body("plate", Shape::Box { half_size: DVec3::new(0.5, 0.5, 0.05) }, DVec3::Z, material(0.5, 0.0));
        plate.mass = Some(10.0);
        let side = Shape::Box { half_size: DVec3::splat(0.1) };
        let mut load = body("load", side, DVec3::Z * 1.15, material(0.5, 0.0));
        load.mass = Some(3.0);
        let mut setup = Setup { obstacles: Vec::new(), integrator, ..on_ground(vec![plate, load], 1e-3, 1.0) };
        let region = Region::Body("plate".into());
        setup.fixes = vec![Fix { name: "arm".into(), region: region.clone(), axes: [true; 3], motion: None }];
        let (name, quantity) = ("bears".into(), Quantity::Reaction);
        setup.probes = vec![Probe { name, quantity, region, nearest: None, component: Some(2), joint: None }];
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(0.3).unwrap();
        let forces = sim.forces();
        let row = Probes::new(sim.model()).read(sim.model(), sim.state(), &forces);
        assert!((row[0] - 13.0 * 9.81).abs() < 1e-6, "{integrator:?}: {row:?}");
    }
}
