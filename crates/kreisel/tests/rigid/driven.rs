//! Exact bodies driven by keyframes.

use super::scenes::{body, material, on_ground};
use kreisel::model::setup::{Fix, Integrator, Motion};
use kreisel::model::shape::Shape;
use kreisel::model::{Keyframe, Profile, Region, Setup};
use kreisel::{DVec3, Simulation};

/// A tray with a cup on it that keyframes drive about the tray's middle.
fn driven_by(keys: Vec<Keyframe>, integrator: Integrator) -> Setup {
    let tray = Shape::Box { half_size: DVec3::new(1.0, 1.0, 0.1) };
    let cube = Shape::Box { half_size: DVec3::splat(0.2) };
    let bodies = vec![
        body("tray", tray, DVec3::Z * 0.5, material(0.9, 0.0)),
        body("cup", cube, DVec3::new(0.5, 0.0, 0.8), material(0.9, 0.0)),
    ];
    let mut setup = on_ground(bodies, 2e-3, 6.0);
    (setup.frame, setup.integrator) = (0.02, integrator);
    let motion = Motion {
        velocity: DVec3::ZERO,
        displacement: DVec3::ZERO,
        rotation: DVec3::ZERO,
        centre: DVec3::Z * 0.5,
        profile: Profile::Keyframes(keys),
    };
    let region = Region::Body("tray".into());
    setup.fixes.push(Fix { name: "drive".into(), region, axes: [true; 3], motion: Some(motion) });
    setup
}

fn key(time: f64, shift: DVec3, turn: DVec3) -> Keyframe {
    Keyframe { time, shift, turn }
}

fn driven(integrator: Integrator) -> Simulation {
    let keys = vec![
        key(0.2, DVec3::ZERO, DVec3::ZERO),
        key(2.0, DVec3::new(1.0, 0.0, 0.5), DVec3::ZERO),
        key(4.0, DVec3::new(1.0, 1.0, 0.5), DVec3::Z * 1.5),
    ];
    Simulation::new(&driven_by(keys, integrator)).unwrap()
}

#[test]
fn keyframes_that_are_not_where_the_body_starts_are_refused() {
    let build = |keys: &[Keyframe]| Simulation::new(&driven_by(keys.to_vec(), Integrator::SymplecticEuler));
    let (zero, far) = (DVec3::ZERO, DVec3::X);
    let wrong = [
        vec![key(0.0, far, zero)],
        vec![key(0.5, far, zero), key(1.0, zero, zero)],
        vec![key(0.0, zero, DVec3::Z)],
        // It has moved already when the run begins.
        vec![key(-1.0, zero, zero), key(1.0, far, zero)],
        vec![key(-2.0, zero, zero), key(-1.0, far, zero)],
    ];
    for keys in &wrong {
        let error = build(keys).unwrap_err();
        assert!(error.path == "fix[0].motion.keys" && error.message.contains("would jump"), "{keys:?}: {error}");
    }
    let right = [
        vec![key(0.5, zero, zero), key(1.0, far, zero)],
        vec![key(-1.0, zero, zero), key(0.0, zero, zero), key(1.0, far, zero)],
        vec![key(0.0, zero, DVec3::Z * std::f64::consts::TAU), key(1.0, zero, zero)],
    ];
    assert!(right.iter().all(|keys| build(keys).is_ok()));
}

#[test]
fn a_tray_driven_by_keyframes_is_where_they_say_and_carries_its_cup() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::BackwardEuler] {
        let mut sim = driven(integrator);
        for (time, place) in [(2.0, DVec3::new(1.0, 0.0, 1.0)), (5.0, DVec3::new(1.0, 1.0, 1.0))] {
            sim.run_until(time).unwrap();
            let tray = &sim.state().aggregates[0];
            assert!((tray.position - place).length() < 1e-6, "{integrator:?} at {time} s: {}", tray.position);
            assert!(tray.velocity.length() < 1e-2, "it rests at its keys: {}", tray.velocity);
        }
        // A turn of 1.5 rad about the tray's middle, half a metre from it.
        let cup = sim.state().aggregates[1].position;
        let expected = DVec3::new(1.0 + 0.5 * 1.5f64.cos(), 1.0 + 0.5 * 1.5f64.sin(), 1.3);
        assert!((cup - expected).length() < 5e-3, "{integrator:?}: {cup} of {expected}");
        let l = sim.ledger();
        let lifted = sim.state().aggregates.iter().map(|a| a.mass).sum::<f64>() * 9.81 * 0.5;
        assert!(
            (l.support_work - l.friction_loss - l.contact_loss - lifted).abs() < 0.02 * lifted,
            "{integrator:?} {l:?}"
        );
    }
}

#[test]
fn a_support_that_turns_a_body_about_its_middle_does_not_shift_it() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::BackwardEuler] {
        let plate = Shape::Box { half_size: DVec3::new(1.0, 0.7, 0.1) };
        let mut setup = on_ground(vec![body("plate", plate, DVec3::Z, material(0.5, 0.0))], 0.01, 1.0);
        setup.integrator = integrator;
        let [velocity, displacement] = [DVec3::ZERO; 2];
        let profile = Profile::Ramp { start: 0.0, end: 1.0 };
        let motion = Some(Motion { velocity, displacement, rotation: DVec3::Z * 3.0, centre: DVec3::Z, profile });
        setup.fixes.push(Fix { name: "turn".into(), region: Region::Body("plate".into()), axes: [true; 3], motion });
        let mut sim = Simulation::new(&setup).unwrap();
        while sim.time() < 0.99 {
            sim.step().unwrap();
            let plate = &sim.state().aggregates[0];
            assert!(plate.position.distance(DVec3::Z) < 1e-9, "{integrator:?}: {}", plate.position);
            assert!(plate.velocity.length() < 1e-9, "{integrator:?}: shifts at {}", plate.velocity);
        }
        // 6u⁵ − 15u⁴ + 10u³ is steepest at half time, 15/8.
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(0.5).unwrap();
        let spin = sim.state().aggregates[0].spin().z;
        assert!((spin - 3.0 * 15.0 / 8.0).abs() < 0.02, "{integrator:?}: {spin}");
    }
}

/// A lift goes 0.5 m sideways and 1 m up in a second with a box of 0.3 × 0.2 × 0.1 m³ on it, which sticks on the way up and slides
/// where the lift slows down.
fn lift(integrator: Integrator, frame: f64, step: f64) -> Simulation {
    let floor = Shape::Box { half_size: DVec3::new(1.0, 1.0, 0.05) };
    let flat = Shape::Box { half_size: DVec3::new(0.15, 0.1, 0.05) };
    let bodies = vec![
        body("lift", floor, DVec3::Z * -0.05, material(0.5, 0.0)),
        body("box", flat, DVec3::Z * 0.05, material(0.5, 0.0)),
    ];
    let mut setup = on_ground(bodies, step, 1.2);
    (setup.frame, setup.integrator) = (frame, integrator);
    setup.obstacles.clear();
    let [velocity, rotation, centre] = [DVec3::ZERO; 3];
    let displacement = DVec3::new(0.5, 0.0, 1.0);
    let profile = Profile::Ramp { start: 0.0, end: 1.0 };
    let motion = Some(Motion { velocity, displacement, rotation, centre, profile });
    setup.fixes.push(Fix { name: "drive".into(), region: Region::Body("lift".into()), axes: [true; 3], motion });
    Simulation::new(&setup).unwrap()
}

/// The accelerations of the lift at a time [m/s²].
fn lifted(t: f64) -> DVec3 {
    let u = t.clamp(0.0, 1.0);
    DVec3::new(0.5, 0.0, 1.0) * (60.0 * u * (1.0 - u) * (1.0 - 2.0 * u))
}

/// How far the box slides [m], and what friction takes from it [J], by the law: it sticks until the lift slows down faster than friction
/// `μ m (g + a_z)` can, and slides until it is as fast as the lift again.
fn slide(mass: f64) -> (f64, f64) {
    let (n, mu, g) = (1_000_000, 0.5, 9.81);
    let (mut way, mut speed, mut work) = (0.0, 0.0_f64, 0.0);
    let dt = 1.2 / f64::from(n);
    for k in 0..n {
        let a = lifted((f64::from(k) + 0.5) * dt);
        let most = mu * (g + a.z);
        if speed > 0.0 || -a.x > most {
            let gained = dt * (-a.x - most);
            let mean = (speed + 0.5 * gained).max(0.0);
            (way, work) = (way + dt * mean, work + mass * most * dt * mean);
            speed = (speed + gained).max(0.0);
        }
    }
    (way, work)
}

#[test]
fn a_box_on_a_lift_sticks_and_slides_as_the_law_says_in_second_order_steps() {
    let (way, work) = slide(6.0);
    assert!((way - 0.015866).abs() < 1e-6, "{way}");
    for integrator in [Integrator::VelocityVerlet, Integrator::Extrapolated] {
        for (frame, step) in [(1.0 / 630.0, 1.0 / 1260.0), (1.0 / 60.0, 0.83e-3), (1.0 / 60.0, 2.761e-3), (4e-3, 4e-3)]
        {
            let mut sim = lift(integrator, frame, step);
            let mut unsolved = 0;
            while sim.time() < 1.2 {
                unsolved += sim.step().unwrap().unconverged_contacts;
            }
            let (slid, l) = (sim.state().aggregates[1].position.x - 0.5, sim.ledger());
            let told = format!("{integrator:?}, h = {step}: {slid} m of {way}, {l:?}");
            assert!((slid - way).abs() < 2e-3 * way && (l.friction_loss - work).abs() < 2e-3 * work, "{told}");
            assert!(l.residual.abs() < 1e-9 * l.turnover && unsolved == 0, "{told}");
        }
    }
}

#[test]
fn what_a_lift_carries_presses_by_its_acceleration_of_the_moment_in_second_order_steps() {
    for integrator in [Integrator::VelocityVerlet, Integrator::Extrapolated] {
        for step in [4e-3, 1e-3] {
            let mut sim = lift(integrator, step, step);
            while sim.time() < 0.5 {
                sim.step().unwrap();
                // The force of a step is that of its middle, but for a share of what it changes by; extrapolated steps read that of their
                // second half.
                let changes = step * 60.0 * DVec3::new(0.5, 0.0, 1.0).length();
                let half = if integrator == Integrator::Extrapolated { 0.25 } else { 0.5 };
                let due = lifted(sim.time() - half * step) + DVec3::Z * 9.81;
                let [lift, cup] = ["lift", "box"].map(|name| sim.party(name).unwrap());
                let found = sim.force_between(cup, lift).force / 6.0;
                assert!((found - due).length() < 0.2 * changes, "{integrator:?}, h = {step}: {found} of {due}");
                // What drives the lift bears both.
                let mass: f64 = sim.state().aggregates.iter().map(|a| a.mass).sum();
                let reaction = sim.forces().reaction;
                let born = (0..reaction.len()).map(|e| reaction.get(e)).fold(DVec3::ZERO, |sum, f| sum + f) / mass;
                assert!((born - due).length() < 0.2 * changes, "{integrator:?}, h = {step}: {born} of {due}");
            }
        }
    }
}

#[test]
fn a_block_slides_off_a_driven_turntable_over_its_rim_in_second_order_steps() {
    // Where it tips over the rim the places where it touches change their names: between two of them nothing is near, and the
    // step that looks for the moment of contact must not ask for a share of an infinite gap.
    for integrator in [Integrator::VelocityVerlet, Integrator::Extrapolated] {
        let disc = Shape::Cylinder { radius: 2.0, half_length: 0.1 };
        let flat = Shape::Box { half_size: DVec3::new(0.05, 0.05, 0.02) };
        let (rate, out) = (2.0, 1.8);
        let mut block = body("block", flat, DVec3::new(out, 0.0, 0.02), material(0.3, 0.0));
        (block.velocity, block.spin) = (DVec3::Y * rate * out, DVec3::Z * rate);
        let mut setup =
            on_ground(vec![body("disc", disc, DVec3::Z * -0.1, material(0.3, 0.0)), block], 1.0 / 240.0, 3.0);
        setup.integrator = integrator;
        setup.obstacles.clear();
        let [velocity, displacement, centre] = [DVec3::ZERO; 3];
        let profile = Profile::Table(vec![(0.0, 0.0), (100.0, 1.0)]);
        let motion = Some(Motion { velocity, displacement, rotation: DVec3::Z * rate * 100.0, centre, profile });
        setup.fixes.push(Fix { name: "drive".into(), region: Region::Body("disc".into()), axes: [true; 3], motion });
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(1.2).unwrap();
        let block = &sim.state().aggregates[1];
        // Friction holds up to √(μ g/r) = 1.28 rad/s.
        assert!(
            block.position.truncate().length() > 2.0 && block.position.z < -0.5,
            "{integrator:?}: {}",
            block.position
        );
    }
}
