//! Rolling, torsional and Coulomb–Contensou friction against closed forms and plain integration.

use super::scenes::{body, material, on_ground};
use kreisel::model::Material;
use kreisel::model::material::Resistance;
use kreisel::model::setup::Integrator;
use kreisel::model::shape::Shape;
use kreisel::{DQuat, DVec3, Simulation};

pub const G: f64 = 9.81;
pub const R: f64 = 0.1;
const BOTH: [Integrator; 2] = [Integrator::SymplecticEuler, Integrator::VelocityVerlet];

/// A ball on the ground that moves and spins.
pub fn ball(friction: f64, resistance: Resistance, velocity: DVec3, spin: DVec3, integrator: Integrator) -> Simulation {
    let made_of = Material { resistance, ..material(friction, 0.0) };
    let mut ball = body("ball", Shape::Sphere { radius: R }, DVec3::Z * R, made_of);
    (ball.velocity, ball.spin) = (velocity, spin);
    let mut setup = on_ground(vec![ball], 1e-3, 10.0);
    setup.integrator = integrator;
    Simulation::new(&setup).unwrap()
}

/// Energy is gone where friction took it, momenta are accounted for.
pub fn check_ledger(sim: &Simulation) {
    let l = sim.ledger();
    assert!(l.residual.abs() < 1e-3 * l.turnover, "residual {} of {}", l.residual, l.turnover);
    assert!(l.friction_loss > 0.0);
    assert!(l.momentum_residual.length() < 1e-11, "{}", l.momentum_residual);
    assert!(l.angular_momentum_residual.length() < 1e-11, "{}", l.angular_momentum_residual);
}

#[test]
fn a_rolling_ball_stops_after_the_derived_distance() {
    // Rolling: m a = −F and (2/5) m R² a/R = F R − μ_r m g, so a = −(5/7) μ_r g/R, and it stops after v²/2a.
    let (speed, rolling) = (1.0, 5e-3);
    for integrator in BOTH {
        let resistance = Resistance { rolling, ..Resistance::default() };
        let mut sim = ball(0.5, resistance, DVec3::X * speed, DVec3::Y * speed / R, integrator);
        sim.run_until(speed / (5.0 / 7.0 * rolling * G / R) + 0.5).unwrap();
        let stopped = &sim.state().aggregates[0];
        let expected = 0.7 * speed * speed * R / (rolling * G);
        assert!(stopped.velocity.length() < 1e-9 && stopped.spin().length() < 1e-8, "{}", stopped.velocity);
        assert!((stopped.position.x / expected - 1.0).abs() < 2e-3, "{} of {expected}", stopped.position.x);
        check_ledger(&sim);
    }
}

#[test]
fn a_spinning_ball_stops_when_its_torsional_friction_says() {
    // I ω = μ_s m g t.
    let (spin, torsional) = (20.0, 2e-3);
    for integrator in BOTH {
        let resistance = Resistance { torsional, ..Resistance::default() };
        let mut sim = ball(0.5, resistance, DVec3::ZERO, DVec3::Z * spin, integrator);
        let stops = 0.4 * R * R * spin / (torsional * G);
        sim.run_until(0.5 * stops).unwrap();
        let half = sim.state().aggregates[0].spin();
        assert!((half.z / spin - 0.5).abs() < 2e-3, "{half}");
        let contact = sim.contacts()[0];
        let weight = sim.state().aggregates[0].mass * G;
        assert!((contact.torque + DVec3::Z * torsional * weight).length() < 1e-6 * weight, "{}", contact.torque);
        sim.run_until(stops + 0.1).unwrap();
        assert!(sim.state().aggregates[0].spin().length() < 1e-9);
        check_ledger(&sim);
    }
}

/// Velocity, spin about the axis of rolling and about the vertical of a ball under Contensou's law, by Runge and Kutta.
pub fn integrated(friction: f64, patch: f64, start: [f64; 3], time: f64) -> [f64; 3] {
    let reach = 3.0 * std::f64::consts::PI * patch / 16.0;
    let rate = |[v, roll, spin]: [f64; 3]| {
        let (slip, twist) = (v - R * roll, reach * spin);
        let size = slip.hypot(twist).max(1e-300);
        let inertia = 0.4 * R * R;
        [
            -friction * G * slip / size,
            friction * G * R * slip / size / inertia,
            -friction * G * reach * twist / size / inertia,
        ]
    };
    let along = |x: [f64; 3], d: [f64; 3], h: f64| std::array::from_fn(|k| x[k] + h * d[k]);
    let (mut x, steps) = (start, 20_000);
    let h = time / f64::from(steps);
    for _ in 0..steps {
        let a = rate(x);
        let b = rate(along(x, a, 0.5 * h));
        let c = rate(along(x, b, 0.5 * h));
        let d = rate(along(x, c, h));
        x = std::array::from_fn(|k| x[k] + h / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]));
    }
    x
}

#[test]
fn a_spinning_ball_slides_with_the_reduced_friction_of_contensou() {
    let (friction, patch, speed, spin) = (0.3, 0.02, 0.5, 100.0);
    for (integrator, bar) in [(BOTH[0], 5e-3), (BOTH[1], 1e-4)] {
        let resistance = Resistance { patch, ..Resistance::default() };
        let mut sim = ball(friction, resistance, DVec3::X * speed, DVec3::Z * spin, integrator);
        for t in [0.05, 0.1, 0.3] {
            sim.run_until(t).unwrap();
            let moving = &sim.state().aggregates[0];
            let [v, roll, w] = integrated(friction, patch, [speed, 0.0, spin], t);
            let off = DVec3::new(moving.velocity.x - v, R * (moving.spin().y - roll), patch * (moving.spin().z - w));
            assert!(off.abs().max_element() < bar * speed, "{integrator:?} at {t} s: {off}, {v} {roll} {w}");
            // Without spin friction would have taken (2/7) v within (2/7) v/μg = 49 ms.
            let loss = (speed - v) / (2.0 / 7.0 * speed);
            assert!(t > 0.05 || loss < 0.5, "{loss}");
        }
        check_ledger(&sim);
    }
}

#[test]
fn without_spin_a_contact_patch_changes_nothing() {
    let end = |patch: f64| {
        let resistance = Resistance { patch, ..Resistance::default() };
        let mut sim = ball(0.2, resistance, DVec3::X * 2.0, DVec3::ZERO, Integrator::SymplecticEuler);
        sim.run_until(0.5).unwrap();
        sim.state().aggregates[0].velocity
    };
    assert!((end(0.01) - end(0.0)).length() < 1e-6, "{} {}", end(0.01), end(0.0));
    assert!((end(0.01).x / 2.0 - 5.0 / 7.0).abs() < 2e-3);
}

#[test]
fn a_ball_with_rolling_friction_stays_on_a_gentle_slope() {
    // It rolls exactly if R sin α > μ_r cos α.
    for (slope, stays) in [(0.9, true), (1.1, false)] {
        let rolling = 0.01;
        let resistance = Resistance { rolling, ..Resistance::default() };
        let made_of = Material { resistance, ..material(0.5, 0.0) };
        let ball = body("ball", Shape::Sphere { radius: R }, DVec3::Z * R, made_of);
        let mut setup = on_ground(vec![ball], 1e-3, 1.0);
        let angle = (slope * rolling / R).atan();
        setup.gravity = DVec3::new(angle.sin(), 0.0, -angle.cos()) * G;
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(1.0).unwrap();
        let x = sim.state().aggregates[0].position.x;
        if stays {
            assert!(x.abs() < 1e-9, "{x}");
        } else {
            let a = 5.0 / 7.0 * G * (angle.sin() - rolling / R * angle.cos());
            assert!((x / (0.5 * a) - 1.0).abs() < 5e-3, "{x} of {}", 0.5 * a);
        }
    }
}

/// Velocity and spin of a ball on a slope after a time, with Coulomb, rolling and torsional friction `μ`, `μ_r`, `μ_s`: signs
/// of speeds below 10⁻⁵ m/s are smoothed, in steps of a microsecond.
fn down_a_slope(
    gravity: DVec3,
    [mu, rolling, torsional]: [f64; 3],
    (v, w): (DVec3, DVec3),
    time: f64,
) -> (DVec3, DVec3) {
    let (smooth, h, push) = (1e-5, 1e-6, -gravity.z);
    let sign = |x: DVec3, smooth: f64| x / x.length().hypot(smooth);
    let (mut v, mut w) = (v, w);
    for _ in 0..(time / h).round() as u32 {
        let rub = -sign(v + w.cross(DVec3::Z * -R), smooth) * mu * push;
        let roll = -sign(w.with_z(0.0), smooth / R) * rolling * push;
        let spin = -sign(DVec3::Z * w.z, smooth / R) * torsional * push;
        v += h * (gravity.with_z(0.0) + rub);
        w += h * ((DVec3::Z * -R).cross(rub) + roll + spin) / (0.4 * R * R);
    }
    (v, w)
}

#[test]
fn a_ball_that_slides_rolls_and_spins_on_a_slope_moves_as_all_three_frictions_say() {
    let (frictions, angle, time) = ([0.2, 2e-3, 4e-3], 0.25_f64, 1.2);
    let start = (DVec3::new(1.0, 0.4, 0.0), DVec3::new(3.0, -15.0, 25.0));
    let gravity = DVec3::new(angle.sin(), 0.0, -angle.cos()) * G;
    let (v, w) = down_a_slope(gravity, frictions, start, time);
    let [mu, rolling, torsional] = frictions;
    let resistance = Resistance { rolling, torsional, patch: 0.0 };
    for (integrator, bar) in [(BOTH[0], 1e-3), (BOTH[1], 1e-4), (Integrator::Extrapolated, 1e-4)] {
        let mut ball =
            body("ball", Shape::Sphere { radius: R }, DVec3::Z * R, Material { resistance, ..material(mu, 0.0) });
        (ball.velocity, ball.spin) = start;
        let mut setup = on_ground(vec![ball], 1e-3, time);
        (setup.integrator, setup.gravity) = (integrator, gravity);
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(time).unwrap();
        let ball = &sim.state().aggregates[0];
        let off = (ball.velocity - v).length().max(R * (ball.spin() - w).length());
        assert!(off < bar, "{integrator:?}: {} m/s and {} rad/s, not {v} and {w}", ball.velocity, ball.spin());
    }
}

#[test]
fn a_heap_of_balls_with_all_frictions_comes_to_rest_and_keeps_its_books() {
    let resistance = Resistance { rolling: 5e-3, torsional: 2e-3, patch: 0.0 };
    let made_of = Material { resistance, ..material(0.6, 0.0) };
    let bodies = (0..20).map(|k| {
        let (x, y) = (0.15 * f64::from(k % 3) - 0.15, 0.14 * f64::from(k / 3 % 3) - 0.14);
        let at = DVec3::new(x + 0.01 * f64::from(k / 9), y, 0.1 + 0.21 * f64::from(k / 9));
        body(&format!("ball-{k}"), Shape::Sphere { radius: 0.07 }, at, made_of.clone())
    });
    let mut sim = Simulation::new(&on_ground(bodies.collect(), 1.0 / 240.0, 3.0)).unwrap();
    sim.run_until(3.0).unwrap();
    let fastest = sim.state().aggregates.iter().map(|a| a.velocity.length()).fold(0.0, f64::max);
    assert!(fastest < 1e-3, "{fastest}");
    let l = sim.ledger();
    assert!(l.residual.abs() < 0.05 * l.turnover && l.friction_loss > 0.0, "{l:?}");
    assert!(l.momentum_residual.length() < 1e-9 && l.angular_momentum_residual.length() < 1e-9, "{l:?}");
}

#[test]
fn a_capsule_that_tips_over_with_rolling_friction_is_solved_in_every_step() {
    // It stands on its lower end, leans, and falls: one contact, then two, aimed at a millionth of the tolerance.
    let made_of = Material { resistance: Resistance { rolling: 5e-3, ..Resistance::default() }, ..material(0.5, 0.0) };
    let lean = 1.27;
    let (radius, half_length): (f64, f64) = (0.08, 0.07);
    let at = DVec3::Z * (radius + half_length * f64::cos(lean));
    let mut capsule = body("capsule", Shape::Capsule { half_length, radius }, at, made_of);
    capsule.rotation = DQuat::from_rotation_y(lean);
    let mut sim = Simulation::new(&on_ground(vec![capsule], 1.0 / 60.0, 1.5)).unwrap();
    for step in 0..90 {
        let report = sim.step().unwrap();
        assert_eq!(report.unconverged_contacts, 0, "step {step}: {:e} m/s", report.contact_residual);
    }
    let height = sim.state().aggregates[0].position.z;
    assert!((height - radius).abs() < 1e-6, "it lies at {height} m");
}
