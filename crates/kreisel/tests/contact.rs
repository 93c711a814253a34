//! Contact connections: where the surface is, how things bounce, rub, roll and stick together.
#![allow(clippy::unwrap_used)]

use kreisel::model::setup::{BodySetup, BodyShape, ElementSetup, RigidPart};
use kreisel::model::{Material, Obstacle, ObstacleShape, Setup};
use kreisel::{DQuat, DVec3, Simulation};

fn ground() -> Obstacle {
    let shape = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
    Obstacle { name: "ground".into(), shape, friction: None, restitution: None }
}

fn block(name: &str, at: DVec3) -> BodySetup {
    BodySetup {
        name: name.into(),
        shape: BodyShape::Box { size: DVec3::new(0.4, 0.3, 0.2), cells: 2 },
        at,
        material: Material { damping: 0.1, ..Material::default() },
        ..BodySetup::default()
    }
}

fn ball(name: &str, at: DVec3, radius: f64, mass: f64) -> BodySetup {
    let element = ElementSetup { at: DVec3::ZERO, velocity: DVec3::ZERO, mass: Some(mass), radius };
    BodySetup {
        name: name.into(),
        shape: BodyShape::Elements { elements: vec![element], connections: Vec::new() },
        at,
        ..BodySetup::default()
    }
}

fn centre(sim: &Simulation, name: &str) -> DVec3 {
    let body = &sim.model().bodies[sim.body(name).unwrap().0 as usize];
    let mass = |e: u32| sim.model().elements.mass[e as usize];
    let total: f64 = body.elements.iter().map(|&e| mass(e)).sum();
    body.elements.iter().fold(DVec3::ZERO, |s, &e| s + sim.state().position.get(e as usize) * mass(e)) / total
}

#[test]
fn a_box_on_the_ground_rests_with_its_true_surface_on_it() {
    for rigid in [vec![], vec![RigidPart::Whole]] {
        let body = BodySetup { rigid, ..block("block", DVec3::new(0.0, 0.0, 0.1)) };
        let setup = Setup { bodies: vec![body], obstacles: vec![ground()], ..Setup::default() };
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(1.0).unwrap();
        let sunk = 0.1 - centre(&sim, "block").z;
        // The weight over the stiffness of contact: ρ g H/(E) of half a cell, and of the block itself: about 0.2 mm.
        assert!(sunk > 0.0 && sunk < 4e-4, "{sunk}");
    }
}

#[test]
fn a_block_at_rest_presses_on_the_ground_with_its_weight_whatever_the_step() {
    for (rigid, step) in [(false, None), (true, None), (false, Some(5e-5)), (true, Some(5e-5))] {
        let rigid = if rigid { vec![RigidPart::Whole] } else { vec![] };
        let body = BodySetup { rigid, ..block("block", DVec3::new(0.0, 0.0, 0.1)) };
        let setup = Setup { bodies: vec![body], obstacles: vec![ground()], step, ..Setup::default() };
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(3.0).unwrap();
        let weight = sim.model().elements.mass.iter().sum::<f64>() * 9.81;
        let pressed: f64 = sim.forces().contact.z.iter().sum();
        assert!((pressed - weight).abs() < 1e-3 * weight, "step {step:?}: {pressed} against {weight} N");
    }
}

#[test]
fn boxes_that_touch_are_accepted_and_boxes_that_overlap_are_refused() {
    let stack = |gap: f64| Setup {
        bodies: vec![block("low", DVec3::ZERO), block("high", DVec3::new(0.0, 0.0, 0.2 + gap))],
        ..Setup::default()
    };
    assert!(Simulation::new(&stack(0.0)).is_ok());
    let error = Simulation::new(&stack(-0.01)).unwrap_err();
    assert!(error.message.contains("overlap") && error.path == "body[0].at", "{error}");
    assert!(Simulation::new(&Setup { allow_overlap: true, ..stack(-0.01) }).is_ok());
}

#[test]
fn bodies_that_overlap_with_leave_do_not_explode() {
    let mut setup = Setup {
        bodies: vec![block("low", DVec3::ZERO), block("high", DVec3::new(0.0, 0.0, 0.15))],
        gravity: DVec3::ZERO,
        allow_overlap: true,
        ..Setup::default()
    };
    setup.frame = 0.05;
    let mut sim = Simulation::new(&setup).unwrap();
    sim.step().unwrap();
    assert!(sim.ledger().kinetic < 1e-20, "{:?}", sim.ledger());
}

#[test]
fn two_soft_blocks_that_rub_keep_their_angular_momentum() {
    let mut low = block("low", DVec3::ZERO);
    let mut high = block("high", DVec3::new(0.03, 0.02, 0.201));
    low.spin = DVec3::new(0.1, 0.0, 2.0);
    high.spin = DVec3::new(0.0, 0.2, -3.0);
    high.velocity = DVec3::new(0.5, 0.2, -0.5);
    let setup = Setup { bodies: vec![low, high], gravity: DVec3::ZERO, ..Setup::default() };
    let mut sim = Simulation::new(&setup).unwrap();
    let (p, l) = (sim.ledger().momentum, sim.ledger().angular_momentum);
    sim.run_until(0.2).unwrap();
    let ledger = sim.ledger();
    assert!(ledger.friction_loss > 1e-3, "they should rub: {ledger:?}");
    assert!((ledger.momentum - p).length() < 1e-12 * 24.0, "{ledger:?}");
    assert!((ledger.angular_momentum - l).length() < 1e-12 * 24.0, "{ledger:?}");
    assert!(ledger.relative_residual() < 0.01, "{ledger:?}");
}

#[test]
fn a_lone_ball_bounces_with_its_coefficient_of_restitution() {
    for e in [1.0, 0.8, 0.5, 0.2] {
        let mut body = ball("ball", DVec3::new(0.0, 0.0, 0.5), 0.05, 0.5);
        body.material.restitution = e;
        body.velocity = DVec3::new(0.0, 0.0, -2.0);
        let setup = Setup { bodies: vec![body], obstacles: vec![ground()], gravity: DVec3::ZERO, ..Setup::default() };
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(0.5).unwrap();
        let bounced = sim.state().velocity.get(0).z / 2.0;
        assert!((bounced - e).abs() < 0.02, "wanted {e}, got {bounced}");
    }
}

#[test]
fn a_rigid_box_that_lands_flat_bounces_with_its_coefficient_of_restitution() {
    let mut body = block("block", DVec3::new(0.0, 0.0, 0.3));
    body.rigid = vec![RigidPart::Whole];
    body.material.restitution = 0.5;
    body.velocity = DVec3::new(0.0, 0.0, -2.0);
    let setup = Setup { bodies: vec![body], obstacles: vec![ground()], gravity: DVec3::ZERO, ..Setup::default() };
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(0.5).unwrap();
    let bounced = sim.state().aggregates[0].velocity.z / 2.0;
    assert!((bounced - 0.5).abs() < 0.02, "{bounced}");
    assert!(sim.state().aggregates[0].spin().length() < 1e-9);
}

#[test]
fn a_sliding_ball_begins_to_roll_at_five_sevenths_of_its_speed() {
    let mut body = ball("ball", DVec3::new(0.0, 0.0, 0.1), 0.1, 4.0);
    body.velocity = DVec3::new(2.0, 0.0, 0.0);
    (body.material.static_friction, body.material.dynamic_friction) = (0.2, 0.2);
    let setup = Setup { bodies: vec![body], obstacles: vec![ground()], ..Setup::default() };
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(0.2).unwrap();
    let sliding = sim.state().velocity.get(0).x;
    assert!((sliding - (2.0 - 0.2 * 9.81 * 0.2)).abs() < 0.02, "{sliding}");
    sim.run_until(0.6).unwrap();
    let rolling = sim.state().velocity.get(0).x;
    assert!((rolling - 10.0 / 7.0).abs() < 0.005 * 10.0 / 7.0, "{rolling}");
}

#[test]
fn a_ball_that_starts_with_a_spin_runs_away_from_where_it_is_put() {
    let mut body = ball("ball", DVec3::new(0.0, 0.0, 0.1), 0.1, 4.0);
    body.spin = DVec3::new(0.0, 10.0, 0.0);
    let setup = Setup { bodies: vec![body], obstacles: vec![ground()], ..Setup::default() };
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(1.0).unwrap();
    // v = 2/7 R ω once it rolls: its angular momentum about the point of contact is kept.
    let (rolling, expected) = (sim.state().velocity.get(0).x, 2.0 / 7.0 * 0.1 * 10.0);
    assert!((rolling - expected).abs() < 0.01 * expected, "{rolling} against {expected}");
}

#[test]
fn a_block_sticks_below_the_angle_of_friction_and_slides_above_it() {
    for (rigid, degrees) in [(false, 20.0f64), (true, 20.0), (false, 35.0), (true, 35.0)] {
        let tilt = DQuat::from_rotation_y(degrees.to_radians());
        let mut body = block("block", tilt * DVec3::new(0.0, 0.0, 0.1));
        body.rotation = tilt;
        (body.material.static_friction, body.material.dynamic_friction) = (0.5, 0.5);
        body.rigid = if rigid { vec![RigidPart::Whole] } else { vec![] };
        let shape = ObstacleShape::Plane { normal: tilt * DVec3::Z, offset: 0.0 };
        let plane = Obstacle { name: "incline".into(), shape, friction: None, restitution: None };
        let setup = Setup { bodies: vec![body], obstacles: vec![plane], ..Setup::default() };
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(1.0).unwrap();
        let (before, downhill) = (centre(&sim, "block"), tilt * DVec3::X);
        sim.run_until(1.5).unwrap();
        let middle = centre(&sim, "block");
        sim.run_until(2.0).unwrap();
        let (first, second) = ((middle - before).dot(downhill), (centre(&sim, "block") - middle).dot(downhill));
        let a = (second - first) / 0.25;
        let angle = degrees.to_radians();
        let expected = 9.81 * (angle.sin() - 0.5 * angle.cos());
        if expected < 0.0 {
            assert!((first + second).abs() < 1e-6, "rigid {rigid}: crept {} m", first + second);
        } else {
            assert!((a - expected).abs() < 0.02 * expected, "rigid {rigid}: {a} against {expected} m/s²");
        }
    }
}

#[test]
fn a_small_hard_ball_does_not_fall_through_a_coarse_soft_block() {
    let mut pea = ball("pea", DVec3::new(0.05, 0.03, 0.16), 0.01, 0.005);
    pea.material.young = 1e7;
    pea.velocity = DVec3::new(0.0, 0.0, -3.0);
    let mut target = block("block", DVec3::ZERO);
    target.shape = BodyShape::Box { size: DVec3::new(0.4, 0.3, 0.2), cells: 4 };
    let setup = Setup { bodies: vec![target, pea], gravity: DVec3::ZERO, ..Setup::default() };
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(0.1).unwrap();
    assert!(centre(&sim, "pea").z > 0.08, "{}", centre(&sim, "pea"));
    assert!(sim.ledger().relative_residual() < 0.01, "{:?}", sim.ledger());
}

#[test]
fn adhesive_contacts_hold_until_their_fracture_distance() {
    let hang = |adhesion: f64| {
        let low = block("low", DVec3::ZERO);
        let mut high = block("high", DVec3::new(0.0, 0.0, 0.2));
        high.velocity = DVec3::new(0.0, 0.0, 0.05);
        let mut setup = Setup { bodies: vec![low, high], gravity: DVec3::ZERO, ..Setup::default() };
        setup.contact.adhesion = adhesion;
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(1.0).unwrap();
        centre(&sim, "high").z - centre(&sim, "low").z
    };
    assert!(hang(0.0) > 0.22);
    let held = hang(0.5);
    assert!((held - 0.2).abs() < 0.01, "{held}");
}

#[test]
fn pairs_that_are_switched_off_pass_through_each_other_under_this_law_too() {
    let high = |setup: &Setup, off: bool| {
        let mut sim = Simulation::new(setup).unwrap();
        if off {
            let [a, b] = ["low", "high"].map(|n| sim.party(n).unwrap());
            assert!(sim.set_contact(a, b, false));
        }
        sim.run_until(0.5).unwrap();
        [centre(&sim, "low").z, centre(&sim, "high").z]
    };
    let rigid = vec![RigidPart::Whole];
    for rigid in [vec![], rigid] {
        let body = |name: &str, z: f64| BodySetup { rigid: rigid.clone(), ..block(name, DVec3::Z * z) };
        let bodies = vec![body("low", 0.1), body("high", 0.35)];
        let mut setup = Setup { bodies, obstacles: vec![ground()], ..Setup::default() };
        let stacked = high(&setup, false);
        assert!(stacked[1] > 0.29, "{stacked:?}");
        let by_call = high(&setup, true);
        // Blocks 0.2 m high that touch each other have their centres 0.2 m apart; these may still tremble.
        assert!(by_call[1] < 0.2 && (by_call[0] - 0.1).abs() < 0.01, "{by_call:?}");
        setup.apart = vec![["low".into(), "high".into()]];
        let by_scene = high(&setup, false);
        assert!(by_scene[1] < 0.2, "{by_scene:?}");
        setup.apart = vec![["high".into(), "ground".into()], ["low".into(), "high".into()]];
        assert!(high(&setup, false)[1] < -0.5);
    }
}
