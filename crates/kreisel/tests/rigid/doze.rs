//! Sleep in second-order steps, their events, and bodies in one place.

use super::scenes::{body, material, on_ground};
use kreisel::model::setup::{BodySetup, Fix, Integrator, Motion};
use kreisel::model::shape::Shape;
use kreisel::model::{EventKind, Profile, Region, Setup};
use kreisel::{DVec3, Simulation};

const CUBE: Shape = Shape::Box { half_size: DVec3::splat(0.5) };
const BALL: Shape = Shape::Sphere { radius: 0.3 };
const BOTH: [Integrator; 2] = [Integrator::VelocityVerlet, Integrator::Extrapolated];

fn column(count: u32, x: f64) -> impl Iterator<Item = BodySetup> {
    (0..count).map(move |k| {
        let name = format!("box-{x}-{k}");
        body(&name, CUBE, DVec3::new(x, 0.0, 0.5 + f64::from(k)), material(0.5, 0.0))
    })
}

fn asleep(sim: &Simulation) -> usize {
    sim.state().sleep.count(sim.state().epoch)
}

fn setup(bodies: Vec<BodySetup>, integrator: Integrator) -> Setup {
    Setup { integrator, ..on_ground(bodies, 1.0 / 120.0, 3.0) }
}

#[test]
fn a_column_falls_asleep_in_second_order_steps_and_bears_its_weight_all_the_same() {
    for integrator in BOTH {
        let mut sim = Simulation::new(&setup(column(3, 0.0).collect(), integrator)).unwrap();
        sim.run_until(0.3).unwrap();
        assert_eq!(asleep(&sim), 0, "{integrator:?}");
        sim.run_until(1.5).unwrap();
        assert_eq!(asleep(&sim), 3, "{integrator:?}");
        let report = sim.step().unwrap();
        assert_eq!((report.contact_sweeps, report.events.len()), (0, 0), "{integrator:?}");
        let [lowest, ground] = ["box-0-0", "ground"].map(|n| sim.party(n).unwrap());
        let force = sim.force_between(lowest, ground).force;
        assert!((force.z / (3.0 * 1000.0 * 9.81) - 1.0).abs() < 1e-3, "{integrator:?}: {force}");
    }
}

#[test]
fn a_ball_wakes_the_column_that_it_strikes_and_no_other_in_second_order_steps() {
    for integrator in BOTH {
        let mut bodies: Vec<BodySetup> = column(2, 0.0).chain(column(2, 5.0)).collect();
        let mut ball = body("ball", BALL, DVec3::new(-12.0, 0.0, 1.5), material(0.5, 0.0));
        ball.velocity = DVec3::new(10.0, 0.0, 6.0);
        bodies.push(ball);
        let mut sim = Simulation::new(&setup(bodies, integrator)).unwrap();
        sim.run_until(1.0).unwrap();
        assert_eq!(asleep(&sim), 4, "{integrator:?}");
        while sim.state().aggregates[..2].iter().all(|a| a.velocity == DVec3::ZERO) {
            sim.step().unwrap();
            assert!(sim.time() < 2.0, "{integrator:?}: the ball passed through");
        }
        assert_eq!(asleep(&sim), 2, "{integrator:?}");
        sim.run_until(sim.time() + 0.2).unwrap();
        assert!((2..4).all(|k| sim.state().aggregates[k].velocity == DVec3::ZERO), "{integrator:?}");
        let l = sim.ledger();
        assert!(l.momentum_residual.length() < 1e-8 * l.external_impulse.length(), "{integrator:?}: {l:?}");
    }
}

#[test]
fn who_slept_in_second_order_steps_moves_on_as_if_it_had_not() {
    for integrator in BOTH {
        let end = |sleeps: bool| {
            // Without friction: where it sticks at several corners, a ten millionth of a metre changes what comes by millimetres.
            let mut ball = body("ball", BALL, DVec3::new(-13.0, 0.0, 0.6), material(0.0, 0.0));
            ball.velocity = DVec3::new(10.0, 0.0, 6.0);
            let cube = body("cube", CUBE, DVec3::Z * 0.5, material(0.0, 0.0));
            let mut setup = setup(vec![cube, ball], integrator);
            setup.constraint.sleep_after = if sleeps { 0.5 } else { f64::INFINITY };
            let mut sim = Simulation::new(&setup).unwrap();
            sim.run_until(1.5).unwrap();
            sim.state().aggregates.iter().map(|a| a.position).collect::<Vec<_>>()
        };
        for (a, b) in end(true).iter().zip(end(false)) {
            assert!(a.distance(b) < 1e-8, "{integrator:?}: {a} {b}");
        }
    }
}

#[test]
fn a_sleeper_wakes_when_the_table_below_it_begins_to_move() {
    let table = body("table", Shape::Box { half_size: DVec3::new(3.0, 3.0, 0.1) }, DVec3::Z * 0.2, material(0.5, 0.0));
    let cube = body("cube", CUBE, DVec3::Z * 0.8, material(0.5, 0.0));
    let profile = Profile::Ramp { start: 1.0, end: 2.0 };
    let [velocity, rotation, centre] = [DVec3::ZERO; 3];
    let motion = Some(Motion { velocity, displacement: DVec3::X * 0.5, rotation, centre, profile });
    let fix = Fix { name: "drive".into(), region: Region::Body("table".into()), axes: [true; 3], motion };
    for integrator in BOTH {
        let scene = Setup { fixes: vec![fix.clone()], ..setup(vec![table.clone(), cube.clone()], integrator) };
        let mut sim = Simulation::new(&scene).unwrap();
        sim.run_until(0.9).unwrap();
        assert!(sim.is_asleep(sim.body("cube").unwrap()), "{integrator:?}");
        sim.run_until(2.5).unwrap();
        let x = sim.state().aggregates[1].position.x;
        assert!((x - 0.5).abs() < 1e-3, "{integrator:?}: carried along by {x} m");
    }
}

#[test]
fn every_bounce_is_an_event_at_its_own_time_in_second_order_steps() {
    // From 1 m above the ground: t₁ = √(2/g), then flights of 2 v e^k/g.
    let ball = body("ball", BALL, DVec3::Z * 1.3, material(0.5, 0.8));
    let t1 = (2.0 / 9.81_f64).sqrt();
    for integrator in BOTH {
        let mut sim = Simulation::new(&setup(vec![ball.clone()], integrator)).unwrap();
        let mut touches = Vec::new();
        while sim.time() < 2.0 {
            let events = sim.step().unwrap().events;
            touches.extend(events.iter().filter(|e| matches!(e.kind, EventKind::Touch { .. })).map(|e| e.time));
        }
        let blow = |k: i32| t1 + 2.0 * t1 * (1..=k).map(|j| 0.8_f64.powi(j)).sum::<f64>();
        for (k, &time) in touches.iter().enumerate().take(3) {
            assert!((time - blow(k as i32)).abs() < 1e-6, "{integrator:?}: {touches:?}");
        }
        assert!(touches.len() >= 3, "{integrator:?}: {touches:?}");
    }
}

#[test]
fn bodies_in_one_place_come_apart_in_second_order_steps() {
    let cube = Shape::Box { half_size: DVec3::splat(0.1) };
    let bodies = vec![
        body("a", cube.clone(), DVec3::Z * 0.5, material(0.5, 0.0)),
        body("b", cube, DVec3::new(0.01, 0.0, 0.5), material(0.5, 0.0)),
        body("c", Shape::Sphere { radius: 0.1 }, DVec3::Z * 0.5, material(0.5, 0.0)),
    ];
    for integrator in BOTH {
        let mut sim = Simulation::new(&setup(bodies.clone(), integrator)).unwrap();
        sim.run_until(1.5).unwrap();
        for c in sim.contacts() {
            assert!(c.gap > -1e-4, "{integrator:?}: {c:?}");
        }
        assert!(sim.state().aggregates.iter().all(|a| a.position.z < 1.0 && a.velocity.length() < 5.0));
    }
}

#[test]
fn sleepers_of_second_order_steps_go_on_from_their_state_bit_for_bit() {
    for integrator in BOTH {
        let mut ball = body("ball", BALL, DVec3::new(-12.0, 0.0, 1.5), material(0.5, 0.3));
        ball.velocity = DVec3::new(10.0, 0.0, 6.0);
        let setup = setup(column(2, 0.0).chain([ball]).collect(), integrator);
        let mut whole = Simulation::new(&setup).unwrap();
        whole.run_until(1.0).unwrap();
        assert_eq!(asleep(&whole), 2, "{integrator:?}");
        let mut resumed = Simulation::resume(&setup, whole.state().clone()).unwrap();
        for _ in 0..60 {
            whole.step().unwrap();
            resumed.drop_workspace();
            resumed.step().unwrap();
        }
        assert!(asleep(&whole) < 2, "{integrator:?}: the ball passed by");
        assert!(whole.state() == resumed.state(), "{integrator:?}");
    }
}
