//! Heavy bodies on light ones in implicit steps.

use super::scenes::{body, material, on_ground};
use kreisel::model::setup::{BodySetup, Integrator};
use kreisel::model::shape::Shape;
use kreisel::model::{Material, Setup};
use kreisel::{DVec3, Simulation};
use std::f64::consts::PI;

const G: f64 = 9.81;
const STEP: f64 = 1.0 / 60.0;

fn of_density(density: f64, friction: f64) -> Material {
    Material { density, ..material(friction, 0.0) }
}

fn cube(name: &str, half: f64, at: DVec3, material: Material) -> BodySetup {
    body(name, Shape::Box { half_size: DVec3::splat(half) }, at, material)
}

fn implicitly(bodies: Vec<BodySetup>) -> Setup {
    Setup { integrator: Integrator::BackwardEuler, ..on_ground(bodies, STEP, 1.0) }
}

/// Runs in whole steps that are solved.
fn run(sim: &mut Simulation, until: f64) {
    while sim.time() < until * (1.0 - 1e-9) {
        let report = sim.step().unwrap();
        let told = (report.substeps, report.retries, report.unconverged_contacts);
        assert_eq!(told, (1, 0, 0), "at {} s: {:?}", sim.time(), report.solver_trouble);
    }
}

/// Places of all bodies against those where they lie on each other.
fn check_rest(sim: &Simulation, at: &[f64]) {
    for (body, z) in sim.state().aggregates.iter().zip(at) {
        assert!((body.position.z - z).abs() < 1e-5, "{} instead of {z} m", body.position);
        assert!(body.velocity.length() < 1e-3 && body.spin().length() < 1e-2, "{} {}", body.velocity, body.spin());
    }
    let l = sim.ledger();
    assert!(l.momentum_residual.length() < 1e-9 && l.angular_momentum_residual.length() < 1e-9, "{l:?}");
}

#[test]
fn a_box_that_falls_on_one_of_a_millionth_of_its_mass_comes_to_rest_on_it() {
    for (share, aside) in [(1e-3, 0.0), (1e-6, 0.05)] {
        let light = cube("light", 0.1, DVec3::Z * 0.1, of_density(1e3 * share, 0.5));
        let heavy = cube("heavy", 0.1, DVec3::new(aside, 0.0, 0.35), of_density(1e3, 0.5));
        let mut sim = Simulation::new(&implicitly(vec![light, heavy])).unwrap();
        run(&mut sim, 0.5);
        check_rest(&sim, &[0.1, 0.3]);
        let weight = sim.state().aggregates[1].mass * G;
        let (low, high) = (sim.party("light").unwrap(), sim.party("heavy").unwrap());
        let force = sim.force_between(high, low).force;
        assert!((force - DVec3::Z * weight).length() < 1e-3 * weight, "{force} of {weight} N");
    }
}

#[test]
fn a_box_that_falls_on_four_balls_of_a_millionth_of_its_mass_comes_to_rest_on_them() {
    let corners = [(0.15, 0.15), (-0.15, 0.15), (-0.15, -0.15), (0.15, -0.15)];
    let ball = |(x, y): (f64, f64)| {
        let at = DVec3::new(x, y, 0.05);
        body(
            "ball",
            Shape::Sphere { radius: 0.05 },
            at,
            of_density(1e-6 * 64.0 / (4.0 / 3.0 * PI * 0.05_f64.powi(3)), 0.5),
        )
    };
    let named = |(k, ball): (usize, BodySetup)| BodySetup { name: format!("ball {k}"), ..ball };
    let mut bodies: Vec<BodySetup> = corners.map(ball).into_iter().enumerate().map(named).collect();
    bodies.push(cube("heavy", 0.2, DVec3::Z * 0.35, of_density(1e3, 0.5)));
    let mut sim = Simulation::new(&implicitly(bodies)).unwrap();
    run(&mut sim, 0.3);
    check_rest(&sim, &[0.05, 0.05, 0.05, 0.05, 0.3]);
}

/// Two bodies that slide together on smooth ground: seen from them, nothing happens. Where impulses act on both at a place
/// that goes on with them while their centres stay, they turn by `h V × p` in every step.
#[test]
fn what_rides_on_a_light_body_that_slides_does_not_turn_it() {
    let light = cube("light", 0.1, DVec3::Z * 0.1, of_density(10.0, 0.0));
    let heavy = cube("heavy", 0.1, DVec3::Z * 0.3, of_density(1e3, 0.0));
    let moving = |body: BodySetup| BodySetup { velocity: DVec3::new(3.0, 1.0, 0.0), ..body };
    let mut sim = Simulation::new(&implicitly(vec![moving(light), moving(heavy)])).unwrap();
    run(&mut sim, 0.5);
    for (body, z) in sim.state().aggregates.iter().zip([0.1, 0.3]) {
        assert!((body.position - DVec3::new(1.5, 0.5, z)).length() < 1e-6, "{}", body.position);
        assert!(body.spin().length() < 1e-6, "{}", body.spin());
    }
}
