//! Friction of rolling and spinning, and on pyramids, in implicit steps.

use super::resistance::{G, R, ball, check_ledger, integrated};
use super::scenes::{body, material, on_ground};
use kreisel::model::Setup;
use kreisel::model::material::Resistance;
use kreisel::model::setup::{BodySetup, Integrator};
use kreisel::model::shape::Shape;
use kreisel::{DVec3, Simulation};

const IMPLICIT: Integrator = Integrator::BackwardEuler;

#[test]
fn a_rolling_ball_stops_after_the_derived_distance_in_implicit_steps() {
    let (speed, rolling) = (1.0, 1e-2);
    let resistance = Resistance { rolling, ..Resistance::default() };
    let mut sim = ball(0.5, resistance, DVec3::X * speed, DVec3::Y * speed / R, IMPLICIT);
    sim.run_until(speed / (5.0 / 7.0 * rolling * G / R) + 0.1).unwrap();
    let stopped = &sim.state().aggregates[0];
    let expected = 0.7 * speed * speed * R / (rolling * G);
    assert!(stopped.velocity.length() < 1e-5 && stopped.spin().length() < 1e-4, "{}", stopped.velocity);
    assert!((stopped.position.x / expected - 1.0).abs() < 2e-3, "{} of {expected}", stopped.position.x);
    check_ledger(&sim);
}

#[test]
fn a_spinning_ball_loses_its_spin_to_torsional_friction_in_implicit_steps() {
    let (spin, torsional) = (20.0, 4e-3);
    let resistance = Resistance { torsional, ..Resistance::default() };
    let mut sim = ball(0.5, resistance, DVec3::ZERO, DVec3::Z * spin, IMPLICIT);
    sim.run_until(0.5 * 0.4 * R * R * spin / (torsional * G)).unwrap();
    let half = sim.state().aggregates[0].spin();
    assert!((half.z / spin - 0.5).abs() < 2e-3, "{half}");
    let weight = sim.state().aggregates[0].mass * G;
    let torque = sim.contacts()[0].torque;
    assert!((torque + DVec3::Z * torsional * weight).length() < 1e-5 * weight, "{torque}");
    check_ledger(&sim);
}

#[test]
fn slip_and_spin_share_a_cone_in_implicit_steps() {
    let (friction, patch, speed, spin) = (0.3, 0.02, 0.5, 100.0);
    let resistance = Resistance { patch, ..Resistance::default() };
    let mut sim = ball(friction, resistance, DVec3::X * speed, DVec3::Z * spin, IMPLICIT);
    for t in [0.05, 0.1, 0.3] {
        sim.run_until(t).unwrap();
        let moving = &sim.state().aggregates[0];
        let [v, roll, w] = integrated(friction, patch, [speed, 0.0, spin], t);
        let off = DVec3::new(moving.velocity.x - v, R * (moving.spin().y - roll), patch * (moving.spin().z - w));
        assert!(off.abs().max_element() < 5e-3 * speed, "at {t} s: {off}, {v} {roll} {w}");
    }
    check_ledger(&sim);
}

#[test]
fn a_pyramid_brakes_along_its_edges_and_a_turned_one_against_the_slip_in_implicit_steps() {
    let angle = 22.5_f64.to_radians();
    let slip = DVec3::new(angle.cos(), angle.sin(), 0.0);
    let block = body("block", Shape::Box { half_size: DVec3::new(0.3, 0.3, 0.1) }, DVec3::Z * 0.1, material(0.3, 0.0));
    for (isotropic, along) in [(true, slip), (false, DVec3::X)] {
        let thrown = BodySetup { velocity: slip * 2.0, ..block.clone() };
        let mut setup = Setup { integrator: IMPLICIT, ..on_ground(vec![thrown], 5e-3, 1.0) };
        (setup.constraint.facets, setup.constraint.isotropic) = (4, isotropic);
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(0.2).unwrap();
        let lost = slip * 2.0 - sim.state().aggregates[0].velocity;
        assert!((lost - along * (0.3 * G * 0.2)).length() < 1e-3, "isotropic {isotropic}: {lost}");
    }
}
