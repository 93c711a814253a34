//! Stops of joints that bounce.

use super::scenes::{body, joint, rod, scene};
use kreisel::model::joint::{JointKind, JointSetup};
use kreisel::model::setup::Integrator;
use kreisel::model::shape::Shape;
use kreisel::{DQuat, DVec3, Simulation};

const EVERY: [Integrator; 4] =
    [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::Extrapolated, Integrator::BackwardEuler];

/// Those that find the moment of a blow on a linkage.
const EXPLICIT: [Integrator; 3] = [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::Extrapolated];

/// A weight on an upright slider, a metre above its lower stop.
fn falling(restitution: f64, integrator: Integrator) -> Simulation {
    falling_in_steps(restitution, integrator, 1.0 / 240.0)
}

fn falling_in_steps(restitution: f64, integrator: Integrator, step: f64) -> Simulation {
    let mut weight = body("weight", Shape::Box { half_size: DVec3::splat(0.1) }, DVec3::ZERO, DQuat::IDENTITY);
    weight.mass = Some(1.0);
    let guide = joint("guide", JointKind::Slider, "weight", None, DVec3::ZERO, DVec3::Z);
    let guide = JointSetup { limits: (-1.0, 1.0), restitution, ..guide };
    Simulation::new(&scene(vec![weight], vec![guide], step, integrator)).unwrap()
}

/// Energy of motion and position [J].
fn energy(sim: &Simulation) -> f64 {
    sim.ledger().kinetic + sim.ledger().gravity
}

#[test]
fn a_stop_gives_back_the_square_of_its_coefficient_at_any_step() {
    // From rest to the stop, 1 m lower, it gains m g · 1 m; e² of that comes back after 0.4515 s, and e⁴ after 0.4515 (1 + 2e) s.
    for (integrator, step) in EXPLICIT.into_iter().flat_map(|i| [1.0 / 30.0, 1.0 / 60.0, 1e-3].map(|h| (i, h))) {
        for e in [0.5_f64, 0.8, 1.0] {
            let mut sim = falling_in_steps(e, integrator, step);
            let (top, fall) = (energy(&sim), -sim.model().gravity.z);
            for (until, due) in [(0.6, e * e), (0.4515 * (1.0 + 2.0 * e) + 0.1, e.powi(4))] {
                sim.run_until(until).unwrap();
                let back = 1.0 + (energy(&sim) - top) / fall;
                assert!((back - due).abs() < 1e-8, "{integrator:?}, h = {step}, e = {e}: {back} back at {until} s");
                assert!(sim.ledger().residual.abs() < 1e-8 * fall, "{integrator:?}, h = {step}: {:?}", sim.ledger());
            }
        }
    }
}

#[test]
fn a_stop_that_gives_nothing_back_takes_all_the_speed_at_once_in_extrapolated_steps() {
    let integrator = Integrator::Extrapolated;
    {
        for step in [1.0 / 30.0, 1.0 / 60.0, 2.7e-3, 1e-3] {
            let mut sim = falling_in_steps(0.0, integrator, step);
            let (top, fall) = (energy(&sim), -sim.model().gravity.z);
            sim.run_until(0.4).unwrap();
            assert!(
                (energy(&sim) - top).abs() < 1e-8 * fall,
                "{integrator:?}, h = {step}: it falls freely until 0.4515 s"
            );
            sim.run_until(0.4515 + step).unwrap();
            for _ in 0..5 {
                let (l, speed) = (sim.ledger(), sim.joint("guide").unwrap().speed);
                assert!(speed.abs() < 1e-9, "{integrator:?}, h = {step}: {speed} m/s at {} s", sim.time());
                assert!((l.contact_loss - fall).abs() < 1e-8 * fall, "{integrator:?}, h = {step}: {l:?}");
                assert!(l.residual.abs() < 1e-8 * fall, "{integrator:?}, h = {step}: {l:?}");
                sim.step().unwrap();
            }
        }
    }
}

/// The largest coordinate between two times.
fn highest(sim: &mut Simulation, name: &str, from: f64, until: f64) -> f64 {
    sim.run_until(from).unwrap();
    let mut most = f64::NEG_INFINITY;
    while sim.time() < until {
        sim.step().unwrap();
        most = most.max(sim.joint(name).unwrap().coordinate);
    }
    most
}

#[test]
fn a_weight_comes_back_from_its_stop_with_the_square_of_the_coefficient_of_its_height() {
    // It falls for 0.4515 s; with e = ½ it flies for as long again, a quarter as high.
    for integrator in EVERY {
        let top = highest(&mut falling(0.5, integrator), "guide", 0.5, 0.9);
        assert!((top - (-0.75)).abs() < 0.025, "{integrator:?}: {top}");
        let none = highest(&mut falling(0.0, integrator), "guide", 0.5, 0.9);
        assert!((none - (-1.0)).abs() < 1e-6, "{integrator:?}: {none}");
    }
}

#[test]
fn what_bounces_on_its_stop_comes_to_rest_there() {
    // Its flights add up to t₁ (1 + e)/(1 − e) = 1.3546 s.
    for integrator in EVERY {
        let mut sim = falling(0.5, integrator);
        sim.run_until(2.5).unwrap();
        let guide = sim.joint("guide").unwrap();
        assert!((guide.coordinate + 1.0).abs() < 1e-6 && guide.speed.abs() < 1e-3, "{integrator:?}: {guide:?}");
        assert!(guide.force.z > 0.0, "{integrator:?}: {guide:?}");
    }
}

#[test]
fn a_pendulum_between_elastic_stops_keeps_its_energy() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
        let arm = rod("arm", DVec3::ZERO, DVec3::X, 0.1);
        let hinge = joint("hinge", JointKind::Hinge, "arm", None, DVec3::ZERO, DVec3::Y);
        let hinge = JointSetup { limits: (-0.4, 1.0), restitution: 1.0, ..hinge };
        let mut sim = Simulation::new(&scene(vec![arm], vec![hinge], 1.0 / 1000.0, integrator)).unwrap();
        let before = sim.ledger().energy();
        let (mut bounces, mut speed) = (0, 0.0);
        while sim.time() < 10.0 {
            sim.step().unwrap();
            let now = sim.joint("hinge").unwrap();
            assert!((-0.41..1.01).contains(&now.coordinate), "{now:?}");
            bounces += u32::from(speed > 1.0 && now.speed < -1.0);
            speed = now.speed;
        }
        let (lost, largest) = (before - sim.ledger().energy(), sim.ledger().turnover / f64::from(2 * bounces.max(1)));
        assert!(bounces > 8, "{integrator:?}: {bounces}");
        assert!(lost.abs() < 1e-3 * largest, "{integrator:?}: {lost} J lost of {largest}");
    }
}

#[test]
fn a_coefficient_of_a_stop_is_a_share() {
    for restitution in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        let guide = joint("guide", JointKind::Slider, "weight", None, DVec3::ZERO, DVec3::Z);
        let weight = body("weight", Shape::Sphere { radius: 0.1 }, DVec3::ZERO, DQuat::IDENTITY);
        let setup = scene(vec![weight], vec![JointSetup { restitution, ..guide }], 0.01, Integrator::SymplecticEuler);
        let error = Simulation::new(&setup).unwrap_err();
        assert_eq!(error.path, "joint[0].restitution");
    }
}
