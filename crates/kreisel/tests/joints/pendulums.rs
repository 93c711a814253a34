//! Pendulums: periods, energy, drift, momentum, resuming.

use super::scenes::{body, chain, joint, rod, scene, worst};
use kreisel::model::joint::JointKind;
use kreisel::model::setup::Integrator;
use kreisel::model::shape::Shape;
use kreisel::{DQuat, DVec3, Simulation};
use std::f64::consts::PI;

/// Period of a rod of 1 m and section 0.1 m, hinged at its end, with the amplitude `angle` (first terms of the series).
fn period(angle: f64) -> f64 {
    let inertia: f64 = (1.0 + 0.01) / 12.0 + 0.25;
    let small = 2.0 * PI * (inertia / (9.81 * 0.5)).sqrt();
    small * (1.0 + angle.powi(2) / 16.0 + 11.0 * angle.powi(4) / 3072.0)
}

fn measured_period(integrator: Integrator, step: f64) -> f64 {
    let angle = 0.3_f64;
    let tip = DVec3::new(angle.sin(), 0.0, -angle.cos());
    let hinge = joint("hinge", JointKind::Hinge, "rod", None, DVec3::ZERO, DVec3::Y);
    let mut sim =
        Simulation::new(&scene(vec![rod("rod", DVec3::ZERO, tip, 0.1)], vec![hinge], step, integrator)).unwrap();
    // Hanging is where the coordinate, which starts at zero, has made half the swing.
    let (mut crossings, mut last) = (Vec::new(), 0.0);
    while crossings.len() < 11 {
        sim.step().unwrap();
        let now = sim.joint("hinge").unwrap().coordinate - angle;
        if last < 0.0 && now >= 0.0 || last > 0.0 && now <= 0.0 {
            crossings.push(sim.time() - step * now / (now - last));
        }
        last = now;
    }
    (crossings[10] - crossings[0]) / 5.0
}

#[test]
fn a_hinged_rod_swings_with_the_period_of_theory() {
    for (integrator, step, tolerance) in
        [(Integrator::SymplecticEuler, 1e-3, 1e-6), (Integrator::VelocityVerlet, 1e-3, 1e-6)]
    {
        let (found, wanted) = (measured_period(integrator, step), period(0.3));
        assert!((found / wanted - 1.0).abs() < tolerance, "{integrator:?}: {found} s against {wanted} s");
    }
}

#[test]
fn a_double_pendulum_keeps_its_energy_and_its_joints() {
    for (integrator, step, tolerance) in
        [(Integrator::SymplecticEuler, 1e-3, 1e-2), (Integrator::VelocityVerlet, 1e-3, 1e-4)]
    {
        let mut sim = Simulation::new(&chain(2, 1.0, step, integrator)).unwrap();
        let start = sim.ledger().energy();
        let (mut off, mut drift, mut swing): (f64, f64, f64) = (0.0, 0.0, 0.0);
        for _ in 0..(10.0 / step) as usize {
            sim.step().unwrap();
            off = off.max((sim.ledger().energy() - start).abs());
            swing = swing.max(sim.ledger().kinetic);
            drift = drift.max(worst(&sim));
        }
        assert!(off < tolerance * swing, "{integrator:?}: {off} J of {swing} J");
        assert!(drift < 1e-9, "{integrator:?}: {drift} m");
        assert!(sim.ledger().momentum_residual.length() < 1e-8 * swing);
    }
}

#[test]
fn a_chain_of_twenty_rods_does_not_drift() {
    let mut setup = chain(20, 0.2, 1.0 / 240.0, Integrator::SymplecticEuler);
    setup.contact.enabled = false;
    let mut sim = Simulation::new(&setup).unwrap();
    let mut drift: f64 = 0.0;
    for _ in 0..4 * 240 {
        sim.step().unwrap();
        drift = drift.max(worst(&sim));
    }
    assert!(drift < 1e-6, "{drift} m");
}

#[test]
fn three_rods_do_not_drift_in_a_minute() {
    let mut setup = chain(3, 0.5, 4e-3, Integrator::SymplecticEuler);
    setup.contact.enabled = false;
    let mut sim = Simulation::new(&setup).unwrap();
    let mut drift: f64 = 0.0;
    while sim.time() < 60.0 {
        sim.step().unwrap();
        drift = drift.max(worst(&sim));
    }
    assert!(drift < 1e-6, "{drift} m");
}

#[test]
fn a_chain_that_touches_itself_gains_no_energy() {
    let mut sim = Simulation::new(&chain(10, 0.2, 1.0 / 240.0, Integrator::SymplecticEuler)).unwrap();
    let start = sim.ledger().energy();
    let (mut drift, mut most): (f64, f64) = (0.0, f64::NEG_INFINITY);
    for _ in 0..5 * 240 {
        sim.step().unwrap();
        drift = drift.max(worst(&sim));
        most = most.max(sim.ledger().energy() - start);
    }
    assert!(drift < 1e-6, "{drift} m");
    assert!(most < 1.0, "{most} J");
}

#[test]
fn joined_bodies_in_free_flight_keep_both_momenta() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
        let size = DVec3::new(0.2, 0.1, 0.05);
        let mut a = body("a", Shape::Box { half_size: size }, DVec3::new(-0.3, 0.0, 0.0), DQuat::from_rotation_x(0.4));
        a.spin = DVec3::new(3.0, -1.0, 2.0);
        a.velocity = DVec3::new(0.5, 0.2, 0.0);
        let b = body("b", Shape::Box { half_size: 1.5 * size }, DVec3::new(0.3, 0.1, 0.0), DQuat::IDENTITY);
        let ball = joint("ball", JointKind::Ball, "a", Some("b"), DVec3::ZERO, DVec3::X);
        let mut setup = scene(vec![a, b], vec![ball], 1e-3, integrator);
        setup.gravity = DVec3::ZERO;
        let mut sim = Simulation::new(&setup).unwrap();
        let (p, l) = (sim.ledger().momentum, sim.ledger().angular_momentum);
        sim.step().unwrap();
        let energy = sim.ledger().energy();
        for _ in 0..2000 {
            sim.step().unwrap();
        }
        let now = sim.ledger();
        assert!((now.momentum - p).length() < 1e-11 * p.length());
        assert!((now.angular_momentum - l).length() < 1e-6 * l.length(), "{}", (now.angular_momentum - l).length());
        assert!((now.energy() / energy - 1.0).abs() < 1e-3);
        assert!(worst(&sim) < 1e-9);
    }
}

#[test]
fn a_jointed_scene_goes_on_bit_for_bit_from_its_state() {
    let setup = chain(4, 0.3, 1e-3, Integrator::SymplecticEuler);
    let mut whole = Simulation::new(&setup).unwrap();
    (0..200).for_each(|_| drop(whole.step().unwrap()));
    let mut resumed = Simulation::resume(&setup, whole.state().clone()).unwrap();
    for sim in [&mut whole, &mut resumed] {
        (0..200).for_each(|_| drop(sim.step().unwrap()));
    }
    assert_eq!(whole.state(), resumed.state());
}

#[test]
fn a_chain_of_light_links_swings_in_long_steps_without_flying_apart() {
    // Links of 0.1 m under the tension of thirty turn with up to 330 rad/s: five radians in a step of a sixtieth of a second.
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
        let mut setup = chain(30, 0.1, 1.0 / 60.0, integrator);
        setup.contact.enabled = false;
        let mut sim = Simulation::new(&setup).unwrap();
        let start = sim.ledger().energy();
        while sim.time() < 2.0 {
            assert_eq!(sim.step().unwrap().unconverged_contacts, 0, "{integrator:?} at {} s", sim.time());
            let gained = (sim.ledger().energy() - start) / sim.ledger().kinetic.max(1.0);
            assert!(gained < 0.02, "{integrator:?} at {} s: {gained} of its motion comes from nowhere", sim.time());
            assert!(worst(&sim) < 1e-9, "{integrator:?} at {} s: {} m", sim.time(), worst(&sim));
        }
    }
}

#[test]
fn a_chain_with_a_weight_a_hundred_times_a_link_holds() {
    let mut setup = chain(10, 0.1, 1.0 / 60.0, Integrator::SymplecticEuler);
    setup.bodies.iter_mut().for_each(|rod| rod.mass = Some(0.04));
    setup.bodies[9].mass = Some(4.0);
    setup.contact.enabled = false;
    let mut sim = Simulation::new(&setup).unwrap();
    while sim.time() < 3.0 {
        sim.step().unwrap();
        // The end falls by a metre: 4.4 m/s, and light links are whipped a little faster.
        let fastest = sim.state().aggregates.iter().map(|a| a.velocity.length()).fold(0.0, f64::max);
        assert!(worst(&sim) < 1e-6 && fastest < 15.0, "at {} s: {} m, {fastest} m/s", sim.time(), worst(&sim));
    }
}
