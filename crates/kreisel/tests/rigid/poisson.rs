//! Poisson's restitution in scenes: it agrees with Newton's where it must, and gains no energy.

use super::scenes::{body, material, on_ground};
use kreisel::model::Setup;
use kreisel::model::joint::{JointKind, JointSetup};
use kreisel::model::setup::{Integrator, RestitutionLaw};
use kreisel::model::shape::Shape;
use kreisel::{DQuat, DVec3, Simulation};

const EXPLICIT: [Integrator; 3] = [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::Extrapolated];

fn with(law: RestitutionLaw, integrator: Integrator, mut setup: Setup) -> Simulation {
    setup.constraint.restitution_law = law;
    setup.integrator = integrator;
    Simulation::new(&setup).unwrap()
}

#[test]
fn a_ball_that_falls_straight_bounces_by_poisson_as_by_newton() {
    for integrator in EXPLICIT {
        for (e, h) in [(0.2, 1.0 / 60.0), (0.7, 1.0 / 240.0), (1.0, 1e-3)] {
            let ball = body("ball", Shape::Sphere { radius: 0.1 }, DVec3::Z * 1.1, material(0.5, e));
            let setup = on_ground(vec![ball], h, 1.5);
            let mut both =
                [RestitutionLaw::Newton, RestitutionLaw::Poisson].map(|law| with(law, integrator, setup.clone()));
            for sim in &mut both {
                sim.run_until(0.9).unwrap();
            }
            let [newton, poisson] = both.map(|sim| sim.state().aggregates[0].clone());
            let off = (newton.position - poisson.position).length() + (newton.velocity - poisson.velocity).length();
            assert!(off < 1e-9, "{integrator:?}, e = {e}: {} and {}", newton.position, poisson.position);
        }
    }
}

/// A rod that falls on its end while it moves and turns.
fn rod(seed: u32, e: f64, friction: f64, h: f64) -> Setup {
    let part = |k: u32| f64::from((seed * 37 + k * 91) % 101) / 50.0 - 1.0;
    let mut rod = body("rod", Shape::Capsule { radius: 0.02, half_length: 0.4 }, DVec3::Z * 0.9, material(friction, e));
    rod.rotation = DQuat::from_rotation_y(0.9 * part(1));
    (rod.velocity, rod.spin) = (DVec3::new(3.0 * part(2), 0.0, -1.0), DVec3::Y * (5.0 * part(3)));
    on_ground(vec![rod], h, 1.0)
}

#[test]
fn rods_that_strike_with_friction_gain_no_energy_by_poisson_and_their_ledger_closes() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
        for seed in 0..20 {
            let mut sim = with(RestitutionLaw::Poisson, integrator, rod(seed, 0.6, 0.8, 1e-3));
            let mut energy = sim.ledger().energy();
            for _ in 0..600 {
                sim.step().unwrap();
                let now = sim.ledger().energy();
                assert!(now <= energy * (1.0 + 1e-5) + 1e-9, "{integrator:?}, rod {seed}: {energy} J become {now} J");
                energy = now;
            }
            let l = sim.ledger();
            let bar = if integrator == Integrator::SymplecticEuler { 1e-9 } else { 1e-6 };
            assert!(
                l.residual.abs() < bar * l.turnover,
                "{integrator:?}, rod {seed}: {} of {}",
                l.residual,
                l.turnover
            );
        }
    }
}

#[test]
fn bodies_that_collide_in_flight_keep_their_momenta_by_poisson() {
    for h in [1.0 / 60.0, 1e-3] {
        let mut bodies = vec![
            body("rod", Shape::Capsule { radius: 0.05, half_length: 0.4 }, DVec3::ZERO, material(0.6, 0.8)),
            body("ball", Shape::Sphere { radius: 0.1 }, DVec3::new(0.7, 0.05, 0.3), material(0.6, 0.8)),
        ];
        (bodies[0].spin, bodies[1].velocity) = (DVec3::new(0.5, 2.0, 1.0), DVec3::new(-3.0, 0.2, -0.3));
        let setup = Setup { gravity: DVec3::ZERO, obstacles: Vec::new(), ..on_ground(bodies, h, 1.0) };
        let mut sim = with(RestitutionLaw::Poisson, Integrator::SymplecticEuler, setup);
        let (p, l, e) = (sim.ledger().momentum, sim.ledger().angular_momentum, sim.ledger().energy());
        sim.run_until(0.5).unwrap();
        let now = sim.ledger();
        assert!((now.momentum - p).length() < 1e-12 && (now.angular_momentum - l).length() < 1e-12, "h = {h}");
        assert!(now.energy() < 0.9999 * e, "h = {h}: they have met");
        assert!(now.residual.abs() < 1e-9 * now.turnover, "h = {h}: {}", now.residual);
    }
}

/// A double pendulum whose lower end strikes the ground.
fn pendulum(h: f64) -> Setup {
    let link = |name: &str, from: DVec3, to: DVec3| {
        let along = to - from;
        let shape = Shape::Capsule { radius: 0.01, half_length: 0.5 * along.length() - 0.01 };
        let mut rod = body(name, shape, 0.5 * (from + to), material(0.7, 0.5));
        rod.rotation = DQuat::from_rotation_arc(DVec3::Z, along.normalize());
        rod
    };
    let hinge = |name: &str, a: &str, b: Option<&str>, at: DVec3| JointSetup {
        name: name.into(),
        kind: JointKind::Hinge,
        a: a.into(),
        b: b.map(str::to_string),
        at,
        axis: DVec3::Y,
        ..JointSetup::default()
    };
    let (top, knee) = (DVec3::Z * 0.8, DVec3::new(0.4, 0.0, 0.55));
    let bodies = vec![link("upper", top, knee), link("lower", knee, knee + DVec3::new(0.35, 0.0, -0.4))];
    let joints = vec![hinge("shoulder", "upper", None, top), hinge("knee", "lower", Some("upper"), knee)];
    Setup { joints, ..on_ground(bodies, h, 1.0) }
}

#[test]
fn a_double_pendulum_that_strikes_the_ground_gains_nothing_by_poisson() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
        let mut sim = with(RestitutionLaw::Poisson, integrator, pendulum(1e-3));
        let start = sim.ledger().energy();
        let mut bounced = false;
        for _ in 0..800 {
            sim.step().unwrap();
            bounced |= !sim.state().shape_contacts.is_empty();
            let now = sim.ledger().energy();
            assert!(now < start + 1e-3 * start.abs(), "{integrator:?}: {start} J become {now} J at {} s", sim.time());
        }
        assert!(bounced, "{integrator:?}: it strikes");
        for joint in ["shoulder", "knee"] {
            assert!(sim.joint(joint).unwrap().error < 1e-6, "{integrator:?}: {joint} stays closed");
        }
    }
}

#[test]
fn what_does_not_go_with_poisson_is_told_with_what_to_take_instead() {
    let ball = || body("ball", Shape::Sphere { radius: 0.1 }, DVec3::Z, material(0.5, 0.5));
    let refused = |change: &dyn Fn(&mut Setup)| {
        let mut setup = on_ground(vec![ball()], 1e-3, 1.0);
        setup.constraint.restitution_law = RestitutionLaw::Poisson;
        change(&mut setup);
        Simulation::new(&setup).map(|_| ()).unwrap_err().to_string()
    };
    let pyramid = refused(&|s| s.constraint.facets = 8);
    assert!(pyramid.contains("pyramid") && pyramid.contains("newton"), "{pyramid}");
    let rolling = refused(&|s| s.bodies[0].material.resistance.rolling = 0.01);
    assert!(rolling.contains("rolling") && rolling.contains("newton"), "{rolling}");
    let implicit = refused(&|s| s.integrator = Integrator::BackwardEuler);
    assert!(implicit.contains("explicit steps") && implicit.contains("symplectic-euler"), "{implicit}");
}
