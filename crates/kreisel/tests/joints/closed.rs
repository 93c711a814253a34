//! Closed linkages, whose joints hold some directions more than once, in implicit steps.

use super::scenes::{body, joint, rod, scene, worst};
use kreisel::model::Setup;
use kreisel::model::joint::{Command, JointKind};
use kreisel::model::setup::Integrator;
use kreisel::model::shape::Shape;
use kreisel::{DQuat, DVec3, Simulation};

const CRANK: f64 = 0.2;
const ROD: f64 = 0.6;
const TORQUE: f64 = 1.5;
const DURATION: f64 = 1.0;

/// A crank that a motor drives, a rod and a slider on a rail, at dead centre. One ball joint would do where hinges hold the plane
/// three times over. All of it is turned in space, its weight included.
fn crank(turned: DQuat, motor: Command, step: f64) -> Setup {
    let at = |x: f64| turned * DVec3::X * x;
    let mut slider = body("slider", Shape::Box { half_size: DVec3::splat(0.05) }, at(CRANK + ROD), turned);
    slider.material.density = 2700.0;
    let mut bodies = vec![rod("crank", at(0.0), at(CRANK), 0.04), rod("rod", at(CRANK), at(CRANK + ROD), 0.03), slider];
    bodies.iter_mut().for_each(|b| b.material.density = 2700.0);
    let hinge =
        |name: &str, a: &str, b: Option<&str>, x: f64| joint(name, JointKind::Hinge, a, b, at(x), turned * DVec3::Y);
    let mut axle = hinge("axle", "crank", None, 0.0);
    axle.motor = motor;
    let rail = joint("rail", JointKind::Slider, "slider", None, at(CRANK + ROD), turned * DVec3::X);
    let joints =
        vec![axle, hinge("pin", "rod", Some("crank"), CRANK), hinge("wrist", "slider", Some("rod"), CRANK + ROD), rail];
    let setup = scene(bodies, joints, step, Integrator::BackwardEuler);
    Setup { gravity: turned * setup.gravity, ..setup }
}

/// In space at an angle that no axis has.
fn aslant() -> DQuat {
    DQuat::from_scaled_axis(DVec3::new(0.4, -0.7, 1.1))
}

/// The angle of the crank at the end by its one coordinate, `m θ″ + ½ m′ θ′² = τ − V′` with `m = Σ m_i |dx_i/dθ|² + I_i (dφ_i/dθ)²`:
/// the method of Runge and Kutta.
fn angle(sim: &Simulation) -> f64 {
    let bodies = &sim.state().aggregates;
    let (m, moment) = (|k: usize| bodies[k].mass, |k: usize| bodies[k].inertia.max_element());
    let inertia = |q: f64| {
        let tilt = (CRANK / ROD * q.sin()).asin();
        let turns = CRANK * q.cos() / (ROD * tilt.cos());
        let pin = -CRANK * q.sin();
        let middle = (pin - 0.5 * ROD * tilt.sin() * turns).powi(2) + (0.5 * CRANK * q.cos()).powi(2);
        let slider = (pin - ROD * tilt.sin() * turns).powi(2);
        moment(0) + m(0) * (0.5 * CRANK).powi(2) + m(1) * middle + moment(1) * turns * turns + m(2) * slider
    };
    let couple = |q: f64| TORQUE + 9.81 * (m(0) + m(1)) * 0.5 * CRANK * q.cos();
    let faster = |q: f64, w: f64| {
        let slope = (inertia(q + 1e-5) - inertia(q - 1e-5)) / 2e-5;
        (couple(q) - 0.5 * slope * w * w) / inertia(q)
    };
    let (mut q, mut w, h) = (0.0, 0.0, 1e-4);
    for _ in 0..(DURATION / h).round() as usize {
        let (v1, a1) = (w, faster(q, w));
        let (v2, a2) = (w + 0.5 * h * a1, faster(q + 0.5 * h * v1, w + 0.5 * h * a1));
        let (v3, a3) = (w + 0.5 * h * a2, faster(q + 0.5 * h * v2, w + 0.5 * h * a2));
        let (v4, a4) = (w + h * a3, faster(q + h * v3, w + h * a3));
        (q, w) = (q + h / 6.0 * (v1 + 2.0 * (v2 + v3) + v4), w + h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4));
    }
    q
}

/// Runs to the end; no step is made again, and all joints stay closed.
fn run(setup: &Setup) -> Simulation {
    let mut sim = Simulation::new(setup).unwrap();
    while sim.time() < DURATION * (1.0 - 1e-9) {
        let report = sim.step().unwrap();
        assert_eq!((report.retries, report.unconverged_contacts), (0, 0), "at {}", sim.time());
        assert!(worst(&sim) < 1e-9, "at {}", sim.time());
    }
    sim
}

#[test]
fn a_closed_linkage_that_is_held_more_than_once_turns_as_its_one_coordinate_and_keeps_its_account() {
    for turned in [DQuat::IDENTITY, aslant()] {
        let error = |step: f64| {
            let sim = run(&crank(turned, Command::Force { force: TORQUE }, step));
            (sim.joint("axle").unwrap().coordinate - angle(&sim), sim.ledger().relative_residual())
        };
        let errors = [2e-3, 1e-3, 5e-4].map(error);
        for pair in errors.windows(2) {
            assert!((1.6..2.6).contains(&(pair[0].0 / pair[1].0)), "{errors:?}");
            assert!(pair[1].1 < 0.7 * pair[0].1, "{errors:?}");
        }
        assert!(errors[2].0.abs() < 0.01 && errors[0].1 < 1e-3, "{errors:?}");
    }
}

#[test]
fn a_crank_at_constant_speed_takes_no_step_twice() {
    for turned in [DQuat::IDENTITY, aslant()] {
        let mut setup = crank(turned, Command::Speed { speed: 2.0 * std::f64::consts::PI, most: 50.0 }, 2e-3);
        setup.joints[3].friction = 2.0;
        let sim = run(&setup);
        let read = sim.joint("axle").unwrap();
        assert!((read.coordinate - 2.0 * std::f64::consts::PI).abs() < 0.01, "{read:?}");
    }
}
