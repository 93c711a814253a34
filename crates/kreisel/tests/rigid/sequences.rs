//! Blows that follow from each other within a step, those that strike just when a step begins, and many in one step.

use super::scenes::{body, material, on_ground};
use kreisel::model::Setup;
use kreisel::model::setup::{BodySetup, Integrator};
use kreisel::model::shape::Shape;
use kreisel::{DQuat, DVec3, Simulation};

const RADIUS: f64 = 0.1;
const BOTH: [Integrator; 2] = [Integrator::SymplecticEuler, Integrator::VelocityVerlet];

fn ball(k: usize, at: DVec3, velocity: DVec3, e: f64) -> BodySetup {
    let shape = Shape::Sphere { radius: RADIUS };
    BodySetup { velocity, ..body(&format!("ball-{k}"), shape, at, material(0.0, e)) }
}

/// Without gravity, with or without the ground.
fn weightless(balls: Vec<BodySetup>, grounded: bool, h: f64, integrator: Integrator) -> Simulation {
    let mut setup = Setup { gravity: DVec3::ZERO, integrator, ..on_ground(balls, h, 1.0) };
    if !grounded {
        setup.obstacles.clear();
    }
    Simulation::new(&setup).unwrap()
}

/// Places and velocities of equal balls on a line at a time, one blow after the other.
fn followed(mut x: Vec<f64>, mut v: Vec<f64>, e: f64, end: f64) -> (Vec<f64>, Vec<f64>) {
    let mut t = 0.0;
    loop {
        let meets = |i: usize| {
            let (gap, closing) = (x[i + 1] - x[i] - 2.0 * RADIUS, v[i] - v[i + 1]);
            (closing > 1e-12).then_some((gap.max(0.0) / closing, i))
        };
        let next = (0..x.len() - 1).filter_map(meets).min_by(|a, b| a.0.total_cmp(&b.0));
        let (wait, struck) = next.filter(|n| t + n.0 <= end).map_or((end - t, None), |n| (n.0, Some(n.1)));
        x.iter_mut().zip(&v).for_each(|(x, v)| *x += v * wait);
        t += wait;
        let Some(i) = struck else { return (x, v) };
        let (mean, half) = (0.5 * (v[i] + v[i + 1]), 0.5 * e * (v[i] - v[i + 1]));
        (v[i], v[i + 1]) = (mean - half, mean + half);
    }
}

#[test]
fn balls_that_meet_several_times_within_a_second_order_step_leave_as_if_they_met_one_after_the_other() {
    let rows: [(&[f64], &[f64]); 4] = [
        (&[0.0, 0.203, 0.409], &[2.0, 0.0, -1.0]),
        (&[0.0, 0.21, 0.425], &[2.0, 0.3, -1.5]),
        (&[0.0, 0.2005, 0.4013, 0.602], &[1.5, 0.0, 0.0, -1.0]),
        (&[0.0, 0.21, 0.43, 0.65, 0.86], &[2.0, 0.0, 0.0, 0.0, -1.0]),
    ];
    for (x, v) in rows {
        for (e, h) in [(1.0, 1.0 / 60.0), (0.8, 1.0 / 60.0), (0.3, 1.0 / 60.0), (1.0, 1.0 / 240.0)] {
            let places = x.iter().zip(v).enumerate();
            let balls = places.map(|(k, (x, v))| ball(k, DVec3::X * *x, DVec3::X * *v, e)).collect();
            let mut sim = weightless(balls, false, h, Integrator::VelocityVerlet);
            sim.run_until(0.2).unwrap();
            let (place, speed) = followed(x.to_vec(), v.to_vec(), e, sim.time());
            for (k, a) in sim.state().aggregates.iter().enumerate() {
                let off = [a.position.x - place[k], a.velocity.x - speed[k]];
                let what = format!("e = {e}, h = {h}, ball {k} of {}", x.len());
                assert!(off.iter().all(|off| off.abs() < 1e-9), "{what}: off by {off:?}");
            }
        }
    }
}

#[test]
fn what_strikes_just_when_a_step_begins_bounces_with_its_coefficient() {
    // A quarter of a metre at 1 m/s is sixteen steps of 1/64 s to the last bit; nothing at all is none.
    for (gap, e) in [(0.25, 0.5), (0.25, 1.0), (0.0, 0.5), (0.0, 0.25)] {
        for integrator in BOTH {
            let balls = vec![ball(0, DVec3::Z * (RADIUS + gap), -DVec3::Z, e)];
            let mut sim = weightless(balls, true, 1.0 / 64.0, integrator);
            sim.run_until(0.5).unwrap();
            let (up, v) = (sim.state().aggregates[0].position.z - RADIUS, sim.state().aggregates[0].velocity.z);
            let due = e * (0.5 - gap);
            assert!((v - e).abs() < 1e-9, "{integrator:?}, {gap} m, e = {e}: {v} m/s");
            assert!((up - due).abs() < 1e-8, "{integrator:?}, {gap} m, e = {e}: {up} m instead of {due} m");
        }
    }
}

#[test]
fn all_of_many_balls_that_land_within_a_step_bounce() {
    for integrator in BOTH {
        let place = |k: usize| DVec3::new(0.3 * k as f64, 0.0, RADIUS + 1e-3 * (1.0 + 0.37 * k as f64));
        let balls = (0..25).map(|k| ball(k, place(k), -DVec3::Z, 1.0)).collect();
        let mut sim = weightless(balls, true, 1.0 / 60.0, integrator);
        sim.run_until(0.05).unwrap();
        for (k, a) in sim.state().aggregates.iter().enumerate() {
            assert!((a.velocity - DVec3::Z).length() < 1e-9, "{integrator:?}, ball {k}: {}", a.velocity);
        }
    }
}

/// A cylinder that falls on its rim, and something that falls on it, apart from other such pairs: places and axes are drawn by chance.
fn tumbling_pair(k: usize) -> [BodySetup; 2] {
    let cylinder = Shape::Cylinder { half_length: 0.07, radius: 0.12 };
    let (shape, x, below, at, above) = [
        (
            Shape::Sphere { radius: 0.1 },
            0.0,
            [0.7595195224783792, -1.6487873663509485, 0.2543881165176173],
            [-0.0007115044720265376, 0.015788634487846943, 0.34],
            [0.19958453284708083, -0.46674961687980204, 0.23550561173022522],
        ),
        (
            Shape::Capsule { half_length: 0.07, radius: 0.08 },
            4.5,
            [0.256485627221562, -0.09482833896849817, -0.25884806478784556],
            [4.496847552569158, -0.015763150531707022, 0.32],
            [0.4455735537761861, 0.4684043358472779, 0.8762421961143501],
        ),
        (
            Shape::Cone { half_length: 0.1, radius: 0.15 },
            7.5,
            [-1.5143186317046384, 1.7533841175163727, -0.11129219318751944],
            [7.482927602895638, -0.009687875240130537, 0.34],
            [1.2188436051712233, 0.3829295827134724, -0.8757211434228455],
        ),
    ][k]
        .clone();
    let turned = |axis: [f64; 3], angle: f64| DQuat::from_axis_angle(DVec3::from_array(axis).normalize(), angle);
    let lower = body(&format!("lower-{k}"), cylinder, DVec3::new(x, 0.0, 0.09), material(0.5, 0.0));
    let upper = body(&format!("upper-{k}"), shape, DVec3::from_array(at), material(0.5, 0.0));
    [BodySetup { rotation: turned(below, 0.1), ..lower }, BodySetup { rotation: turned(above, 0.4), ..upper }]
}

#[test]
fn landings_that_are_rounding_do_not_keep_a_step_from_going_on() {
    // Some dozens of landings in the longest step, ten trials and six islands each; it took 4,000 rounds at one moment.
    let bodies = (0..3).flat_map(tumbling_pair).collect();
    let setup = Setup { integrator: Integrator::VelocityVerlet, ..on_ground(bodies, 1.0 / 60.0, 0.15) };
    let mut sim = Simulation::new(&setup).unwrap();
    for step in 0..9 {
        let islands = sim.step().unwrap().islands;
        assert!(islands.swept + islands.newton < 4000, "{islands:?} in step {step}");
    }
}
