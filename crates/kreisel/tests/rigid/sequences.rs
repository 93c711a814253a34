//! Blows that follow from each other within a step, those that strike just when a step begins, and many in one step.

use super::scenes::{body, material, on_ground};
use kreisel::model::Setup;
use kreisel::model::setup::{BodySetup, Integrator};
use kreisel::model::shape::Shape;
use kreisel::{DVec3, Simulation};

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
