//! Restitution that meets its coefficient at any time step.

use super::scenes::{body, material, on_ground};
use kreisel::model::shape::Shape;
use kreisel::model::{Aggregate, Setup};
use kreisel::{DQuat, DVec3, Simulation};

const G: f64 = 9.81;
const RADIUS: f64 = 0.1;
const STEPS: [f64; 4] = [1.0 / 30.0, 1.0 / 60.0, 1.0 / 240.0, 1e-3];

fn ball(name: &str, at: DVec3, e: f64) -> kreisel::model::setup::BodySetup {
    body(name, Shape::Sphere { radius: RADIUS }, at, material(0.0, e))
}

fn first(sim: &Simulation) -> &Aggregate {
    &sim.state().aggregates[0]
}

/// The ledger closes, and the blows have cost something and gained nothing.
fn check_ledger(sim: &Simulation, what: &str) {
    let l = sim.ledger();
    assert!(l.residual.abs() <= 1e-9 * l.turnover, "{what}: residual {} J of {} J", l.residual, l.turnover);
    assert!(l.contact_loss >= -1e-9 * l.turnover, "{what}: contacts give {} J", -l.contact_loss);
}

#[test]
fn a_ball_rises_as_high_as_its_coefficient_says_and_strikes_again_when_it_must_at_any_step() {
    for e in [0.1, 0.2, 0.5, 0.8, 1.0] {
        for height in [0.3, 1.0, 2.37] {
            for h in STEPS {
                let mut sim =
                    Simulation::new(&on_ground(vec![ball("ball", DVec3::Z * (RADIUS + height), e)], h, 3.0)).unwrap();
                while first(&sim).velocity.z <= 0.0 {
                    sim.step().unwrap();
                    assert!(sim.time() < 1.0, "e = {e}, {height} m, h = {h}: it does not bounce");
                }
                let (z, v) = (first(&sim).position.z - RADIUS, first(&sim).velocity.z);
                let apex = z + v * v / (2.0 * G);
                let due = e * e * height;
                assert!((apex - due).abs() < 1e-9, "e = {e}, {height} m, h = {h}: apex at {apex} m, due at {due} m");
                let fall = (2.0 * height / G).sqrt();
                let next = sim.time() + (v + (v * v + 2.0 * G * z).sqrt()) / G;
                let due = fall * (1.0 + 2.0 * e);
                assert!((next - due).abs() < 1e-9, "e = {e}, {height} m, h = {h}: next at {next} s, due at {due} s");
                check_ledger(&sim, &format!("e = {e}, {height} m, h = {h}"));
                let lost = (1.0 - e * e) * first(&sim).mass * G * height;
                assert!((sim.ledger().contact_loss - lost).abs() < 1e-8 * (1.0 + lost), "e = {e}, h = {h}");
            }
        }
    }
}

#[test]
fn bouncing_ends_when_it_must_and_then_the_ball_rests() {
    for e in [0.2, 0.5, 0.8] {
        for h in STEPS {
            let mut sim =
                Simulation::new(&on_ground(vec![ball("ball", DVec3::Z * (RADIUS + 1.0), e)], h, 9.0)).unwrap();
            let end = (2.0 / G).sqrt() * (1.0 + e) / (1.0 - e);
            // Flights below a ten millionth of the size are none, so that it may rest a little earlier.
            while sim.time() + h < end - 1e-3 {
                sim.step().unwrap();
                let up = first(&sim).position.z - RADIUS;
                assert!(up > -1e-9, "e = {e}, h = {h}: {up} m above the ground");
            }
            sim.run_until(end + 3.0 * h).unwrap();
            let rest = first(&sim).clone();
            // What is left of a gap below a ten millionth of the size closes by and by.
            let slow = 1e-7 * RADIUS / h;
            assert!(rest.velocity.length() < slow, "e = {e}, h = {h}: {} after {end} s", rest.velocity);
            assert!((rest.position.z - RADIUS).abs() < 1e-6 * RADIUS, "e = {e}, h = {h}: at {}", rest.position);
            check_ledger(&sim, &format!("e = {e}, h = {h}"));
        }
    }
}

#[test]
fn a_ball_leaves_a_slope_as_a_mirror_image_of_its_approach_at_any_step() {
    let tilt = 0.4f64;
    for e in [0.2, 0.7, 1.0] {
        for h in STEPS {
            let mut setup = on_ground(vec![ball("ball", DVec3::Z * (RADIUS + 0.5), e)], h, 1.0);
            setup.gravity = DVec3::new(tilt.sin(), 0.0, -tilt.cos()) * G;
            let mut sim = Simulation::new(&setup).unwrap();
            while first(&sim).velocity.z <= 0.0 {
                sim.step().unwrap();
            }
            let fall = (2.0 * 0.5 / (G * tilt.cos())).sqrt();
            let (t, a) = (sim.time() - fall, setup.gravity);
            let up = e * fall * G * tilt.cos();
            let v = a * sim.time() + DVec3::Z * (up + fall * G * tilt.cos());
            let x = DVec3::new(0.5 * a.x * sim.time().powi(2), 0.0, RADIUS + up * t + 0.5 * a.z * t * t);
            assert!((first(&sim).velocity - v).length() < 1e-9, "e = {e}, h = {h}: {}", first(&sim).velocity);
            assert!((first(&sim).position - x).length() < 1e-9, "e = {e}, h = {h}: {}", first(&sim).position);
        }
    }
}

/// The ledger has booked all momenta, to rounding of what was exchanged about the origin.
fn check_momenta(sim: &Simulation, what: &str) {
    let l = sim.ledger();
    let size = l.momentum.length() + l.external_impulse.length();
    let reach = sim.state().aggregates.iter().map(|a| a.position.length()).fold(1.0, f64::max);
    assert!(l.momentum_residual.length() < 1e-12 * size, "{what}: P off by {}", l.momentum_residual);
    let off = l.angular_momentum_residual.length();
    assert!(off < 1e-11 * size * reach, "{what}: L off by {off} kg m²/s of {}", size * reach);
}

/// A ball that rolls into some that lie on the ground, near enough for several blows in one step.
fn rack(e: f64, friction: f64, h: f64) -> Simulation {
    let places = [(-1.0, 0.03), (0.0, 0.0), (0.19, 0.111), (0.2, -0.108), (0.4, 0.01), (0.39, 0.23)];
    let mut balls: Vec<_> = places.iter().map(|&(x, y)| ball("ball", DVec3::new(x, y, RADIUS), e)).collect();
    for (k, ball) in balls.iter_mut().enumerate() {
        ball.name = format!("ball-{k}");
        ball.material = material(friction, e);
    }
    balls[0].velocity = DVec3::new(6.0, 0.1, 0.0);
    balls[0].spin = DVec3::new(3.0, 20.0, 5.0);
    Simulation::new(&on_ground(balls, h, 1.0)).unwrap()
}

#[test]
fn balls_that_strike_each_other_on_a_table_keep_their_angular_momentum_whatever_the_table_bears() {
    for (e, friction) in [(0.95, 0.05), (0.5, 0.3), (1.0, 0.0)] {
        for h in STEPS {
            let mut sim = rack(e, friction, h);
            while sim.time() < 0.6 {
                sim.step().unwrap();
                check_momenta(&sim, &format!("e = {e}, μ = {friction}, h = {h}, t = {}", sim.time()));
            }
            let moved = sim.state().aggregates.iter().filter(|a| a.velocity.length() > 0.05).count();
            assert!(moved >= 4, "e = {e}, h = {h}: only {moved} balls were struck");
        }
    }
}

#[test]
fn balls_that_meet_while_they_fall_keep_their_angular_momentum_but_for_the_moment_of_their_weight() {
    for h in STEPS {
        let mut balls: Vec<_> = (0..4)
            .map(|k| {
                let mut b = ball("ball", DVec3::new(0.24 * f64::from(k), 0.07 * f64::from(k % 2), 3.0), 0.7);
                (b.name, b.material) = (format!("ball-{k}"), material(0.4, 0.7));
                b.velocity = DVec3::new(-2.0 * f64::from(k), 0.3, 0.5 * f64::from(k));
                b
            })
            .collect();
        balls[2].material.density = 5000.0;
        let mut sim = Simulation::new(&on_ground(balls, h, 1.0)).unwrap();
        while sim.time() < 0.5 {
            sim.step().unwrap();
            check_momenta(&sim, &format!("h = {h}, t = {}", sim.time()));
        }
    }
}

/// Two balls that meet off centre in free space.
fn oblique(e: f64, friction: f64, h: f64) -> Simulation {
    let mut bodies = vec![ball("a", DVec3::new(-0.6, 0.05, 0.3), e), ball("b", DVec3::new(0.5, -0.06, 0.3), e)];
    bodies.iter_mut().for_each(|b| b.material = material(friction, e));
    (bodies[0].velocity, bodies[1].velocity) = (DVec3::new(3.0, 0.4, 0.2), DVec3::new(-2.0, 0.0, 0.3));
    bodies[0].spin = DVec3::new(1.0, 5.0, -3.0);
    bodies[1].material.density = 3000.0;
    let setup = Setup { gravity: DVec3::ZERO, obstacles: Vec::new(), ..on_ground(bodies, h, 1.0) };
    Simulation::new(&setup).unwrap()
}

#[test]
fn balls_that_meet_off_centre_part_as_in_closed_form_at_any_step_and_keep_their_momenta_to_rounding() {
    for (e, h) in [(0.3, 1.0 / 60.0), (0.3, 1e-3), (0.9, 1.0 / 30.0), (1.0, 1.0 / 240.0)] {
        let mut sim = oblique(e, 0.0, h);
        let [a, b] = [0, 1].map(|k| sim.state().aggregates[k].clone());
        let (d, u) = (a.position - b.position, a.velocity - b.velocity);
        // When they meet: |d + u t| = 2 r.
        let (uu, du) = (u.length_squared(), d.dot(u));
        let t = (-du - (du * du - uu * (d.length_squared() - 4.0 * RADIUS * RADIUS)).sqrt()) / uu;
        let n = (d + u * t).normalize();
        let p = n * (-(1.0 + e) * u.dot(n) / (1.0 / a.mass + 1.0 / b.mass));
        sim.run_until(0.5).unwrap();
        for (k, old, p) in [(0, &a, p), (1, &b, -p)] {
            let (new, rest) = (&sim.state().aggregates[k], sim.time() - t);
            let v = old.velocity + p / old.mass;
            assert!((new.velocity - v).length() < 1e-7, "e = {e}, h = {h}: {} instead of {v}", new.velocity);
            let x = old.position + old.velocity * t + v * rest;
            assert!((new.position - x).length() < 1e-7, "e = {e}, h = {h}: {} instead of {x}", new.position);
        }
    }
    for h in [1.0 / 30.0, 1.0 / 60.0, 1e-3] {
        let mut sim = oblique(0.6, 0.5, h);
        let momenta = |sim: &Simulation| (sim.ledger().momentum, sim.ledger().angular_momentum);
        let (p0, l0) = momenta(&sim);
        sim.run_until(0.5).unwrap();
        let (p1, l1) = momenta(&sim);
        assert!((p1 - p0).length() < 1e-12 * 50.0, "h = {h}: momentum {p0} becomes {p1}");
        assert!((l1 - l0).length() < 1e-12 * 50.0, "h = {h}: angular momentum {l0} becomes {l1}");
        assert!(sim.state().aggregates[0].spin() != DVec3::new(1.0, 5.0, -3.0), "they have rubbed");
        check_ledger(&sim, &format!("h = {h}"));
    }
}

#[test]
fn a_ball_bounces_off_a_plank_that_lies_on_the_ground_as_off_the_ground() {
    for e in [0.2, 0.6] {
        for h in STEPS {
            let plank = Shape::Box { half_size: DVec3::new(1.0, 0.5, 0.05) };
            let bodies = vec![
                ball("ball", DVec3::Z * (RADIUS + 0.1 + 1.0), e),
                body("plank", plank, DVec3::Z * 0.05, material(0.5, e)),
            ];
            let mut setup = on_ground(bodies, h, 3.0);
            setup.constraint.tolerance = 1e-9;
            let mut sim = Simulation::new(&setup).unwrap();
            while first(&sim).velocity.z <= 0.0 {
                sim.step().unwrap();
            }
            let (z, v) = (first(&sim).position.z - RADIUS - 0.1, first(&sim).velocity.z);
            let (apex, due) = (z + v * v / (2.0 * G), e * e);
            assert!((apex - due).abs() < 1e-4, "e = {e}, h = {h}: apex at {apex} m, due at {due} m");
            let plank = &sim.state().aggregates[1];
            assert!((plank.position.z - 0.05).abs() < 1e-6, "e = {e}, h = {h}: the plank is at {}", plank.position);
            check_ledger(&sim, &format!("e = {e}, h = {h}"));
        }
    }
}

#[test]
fn a_rod_that_falls_on_its_end_loses_what_restitution_takes_from_the_struck_end() {
    let angle = 0.7f64;
    let (e, fall) = (0.5, 0.8);
    for h in STEPS {
        let mut rod = body(
            "rod",
            Shape::Capsule { radius: 0.05, half_length: 0.45 },
            DVec3::Z * (fall + 0.05 + 0.45 * angle.sin()),
            material(0.0, e),
        );
        rod.rotation = DQuat::from_rotation_y(0.5 * std::f64::consts::PI - angle);
        let mut sim = Simulation::new(&on_ground(vec![rod], h, 1.0)).unwrap();
        let (m, inertia) = (first(&sim).mass, first(&sim).inertia.max_element());
        while first(&sim).spin().length() < 1e-9 {
            sim.step().unwrap();
        }
        // `½ (1 − e²) s²/w` with `w = 1/m + x²/I`.
        let x = 0.45 * angle.cos();
        let lost = 0.5 * (1.0 - e * e) * 2.0 * G * fall / (1.0 / m + x * x / inertia);
        let l = sim.ledger();
        assert!((l.contact_loss / lost - 1.0).abs() < 1e-6, "h = {h}: {} J instead of {lost} J", l.contact_loss);
        check_ledger(&sim, &format!("h = {h}"));
    }
}

#[test]
fn a_stack_of_elastic_boxes_stands() {
    for h in [1.0 / 60.0, 1e-3] {
        let cube = Shape::Box { half_size: DVec3::splat(0.25) };
        let boxes = (0..6).map(|k| {
            let at = DVec3::Z * (0.25 + 0.5 * f64::from(k));
            body(&format!("box-{k}"), cube.clone(), at, material(0.5, 0.5))
        });
        let mut sim = Simulation::new(&on_ground(boxes.collect(), h, 1.0)).unwrap();
        sim.run_until(1.0).unwrap();
        for (k, a) in sim.state().aggregates.iter().enumerate() {
            let off = (a.position - DVec3::Z * (0.25 + 0.5 * k as f64)).length();
            assert!(off < 1e-6 && a.velocity.length() < 1e-6, "h = {h}: box {k} is off by {off} m");
        }
    }
}
