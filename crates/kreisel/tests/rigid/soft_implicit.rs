//! Soft and rigid bodies under the law `constraint` in implicit steps, far beyond what explicit ones allow.

use super::scenes::{body, material, on_ground};
use kreisel::model::setup::{BodySetup, BodyShape, Fix, Integrator};
use kreisel::model::shape::Shape;
use kreisel::model::{Material, Region, Setup, State};
use kreisel::readout::contact::Grip;
use kreisel::{DVec3, Simulation};

const G: f64 = 9.81;

/// A block as stiff as rubber: explicit steps would be some 40 µs long.
fn stiff_block(at: DVec3) -> BodySetup {
    BodySetup {
        name: "block".into(),
        shape: BodyShape::Box { size: DVec3::new(0.4, 0.2, 0.2), cells: 2 },
        at,
        material: Material { young: 5e8, damping: 0.2, ..material(0.3, 0.0) },
        ..BodySetup::default()
    }
}

fn implicitly(setup: Setup) -> Setup {
    Setup { integrator: Integrator::BackwardEuler, allow_overlap: true, ..setup }
}

fn lowest(state: &State) -> f64 {
    (0..state.position.len()).map(|e| state.position.get(e).z).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_stiff_block_falls_and_rests_on_the_ground_without_sinking_and_its_contacts_bear_its_weight() {
    let mut sim = Simulation::new(&implicitly(on_ground(vec![stiff_block(DVec3::Z * 0.11)], 5e-3, 1.0))).unwrap();
    let weight = G * sim.model().elements.mass.iter().sum::<f64>();
    while sim.time() < 0.8 {
        let report = sim.step().unwrap();
        assert_eq!((report.unconverged_contacts, report.retries), (0, 0));
    }
    let contacts = sim.contacts();
    let total: DVec3 = contacts.iter().map(|c| c.force).sum();
    assert!((total.z.abs() / weight - 1.0).abs() < 1e-6, "{total} bears {weight} N");
    for c in contacts.iter().filter(|c| c.push() > 0.0) {
        let along = (c.force - c.normal * c.push()).length();
        assert!(c.gap.abs() < 1e-6, "gap of {} m", c.gap);
        assert!(along <= 0.3 * c.push() * (1.0 + 1e-6), "{along} N of friction under {} N", c.push());
    }
    let l = sim.ledger();
    assert!(l.momentum_residual.length() < 1e-9 && l.angular_momentum_residual.length() < 1e-9, "{l:?}");
    assert!(sim.state().velocity.dot(&sim.state().velocity) < 1e-8);
}

#[test]
fn a_stiff_block_slides_until_friction_has_taken_its_speed() {
    let thrown = BodySetup { velocity: DVec3::X, ..stiff_block(DVec3::Z * 0.1) };
    let mut sim = Simulation::new(&implicitly(on_ground(vec![thrown], 5e-3, 1.0))).unwrap();
    let centre = |s: &State| s.position.x.iter().sum::<f64>() / s.position.x.len() as f64;
    let begin = centre(sim.state());
    let mut slipped = false;
    while sim.time() < 0.5 {
        sim.step().unwrap();
        slipped |= sim.contacts().iter().any(|c| c.grip == Grip::Slip);
    }
    // v²/(2 μ g), to first order in the step: v h at most.
    let way = centre(sim.state()) - begin;
    let expected = 0.5 / (0.3 * G);
    assert!(slipped && (way - expected).abs() < 5e-3, "{way} m, {expected} expected");
    let l = sim.ledger();
    let kinetic = 0.5 * sim.model().elements.mass.iter().sum::<f64>();
    assert!((l.friction_loss / kinetic - 1.0).abs() < 0.03, "{} J of {kinetic}", l.friction_loss);
}

#[test]
fn a_rigid_ball_slides_and_then_rolls_at_five_sevenths_of_its_speed() {
    let ball = body("ball", Shape::Sphere { radius: 0.1 }, DVec3::Z * 0.1, material(0.2, 0.0));
    let ball = BodySetup { velocity: DVec3::X * 2.0, ..ball };
    let mut sim = Simulation::new(&implicitly(on_ground(vec![ball], 2e-3, 1.0))).unwrap();
    let mut rolls = f64::INFINITY;
    while sim.time() < 0.6 {
        sim.step().unwrap();
        if sim.contacts().iter().any(|c| c.grip == Grip::Stick) {
            rolls = rolls.min(sim.time());
        }
    }
    let a = &sim.state().aggregates[0];
    assert!((a.velocity.x - 10.0 / 7.0).abs() < 2e-3, "{}", a.velocity);
    assert!((a.spin().y - 100.0 / 7.0).abs() < 2e-2, "{}", a.spin());
    assert!((rolls - 4.0 / (7.0 * 0.2 * G)).abs() < 5e-3, "rolls from {rolls} s");
}

#[test]
fn a_block_and_a_rigid_box_that_meet_in_free_flight_keep_their_momenta() {
    let rod = body(
        "rod",
        Shape::Box { half_size: DVec3::new(0.1, 0.4, 0.1) },
        DVec3::new(0.45, 0.25, 0.03),
        material(0.5, 0.0),
    );
    let rod = BodySetup { velocity: DVec3::X * -2.0, spin: DVec3::new(0.3, 0.2, 1.0), ..rod };
    let mut setup = on_ground(vec![stiff_block(DVec3::ZERO), rod], 2e-3, 1.0);
    (setup.gravity, setup.obstacles) = (DVec3::ZERO, Vec::new());
    let mut sim = Simulation::new(&implicitly(setup)).unwrap();
    let (mut touched, begin) = (false, sim.ledger().energy());
    while sim.time() < 0.3 {
        sim.step().unwrap();
        touched |= sim.contacts().iter().any(|c| c.push() > 0.0);
    }
    let l = sim.ledger();
    assert!(touched && l.momentum_residual.length() < 1e-9, "{}", l.momentum_residual);
    assert!(l.angular_momentum_residual.length() < 1e-9, "{}", l.angular_momentum_residual);
    assert!(
        l.external_impulse.length() < 1e-9 && l.external_angular_impulse.length() < 1e-9,
        "nobody pushes from outside: {l:?}"
    );
    assert!(l.energy() < begin, "{l:?}");
}

#[test]
fn steps_of_both_kinds_agree_where_both_can_be_taken() {
    let end = |integrator: Integrator| {
        let soft = Material { young: 2e5, damping: 0.2, ..material(0.3, 0.0) };
        let block = BodySetup { material: soft, velocity: DVec3::X * 0.5, ..stiff_block(DVec3::Z * 0.1) };
        let setup = Setup { integrator, ..implicitly(on_ground(vec![block], 1e-3, 1.0)) };
        let mut sim = Simulation::new(&setup).unwrap();
        while sim.time() < 0.4 {
            sim.step().unwrap();
        }
        sim.state().clone()
    };
    let (explicit, implicit) = (end(Integrator::SymplecticEuler), end(Integrator::BackwardEuler));
    let far = (0..explicit.position.len()).map(|e| explicit.position.get(e).distance(implicit.position.get(e)));
    let far = far.fold(0.0, f64::max);
    assert!(far < 2e-3, "{far} m apart after {} m", 0.25 / (2.0 * 0.3 * G));
    assert!((lowest(&explicit) - lowest(&implicit)).abs() < 2e-4);
}

#[test]
fn what_is_held_sideways_or_driven_meets_its_contacts_too() {
    // The block may only move up and down; a rigid plate is held whole, just above it, and the block is thrown against it.
    let side =
        |name: &str, axes: [bool; 3]| Fix { name: name.into(), region: Region::Body(name.into()), axes, motion: None };
    let plate =
        body("plate", Shape::Box { half_size: DVec3::new(0.3, 0.3, 0.05) }, DVec3::Z * 0.27, material(0.5, 0.0));
    let thrown = BodySetup { velocity: DVec3::Z * 2.0, ..stiff_block(DVec3::Z * 0.1) };
    let mut setup = on_ground(vec![thrown, plate], 2e-3, 1.0);
    setup.fixes = vec![side("block", [true, true, false]), side("plate", [true; 3])];
    let mut sim = Simulation::new(&implicitly(setup)).unwrap();
    let (mut hit, mut highest) = (false, 0.0f64);
    while sim.time() < 0.3 {
        assert_eq!(sim.step().unwrap().unconverged_contacts, 0);
        hit |= sim.contacts().iter().any(|c| c.push() > 0.0 && c.point.z > 0.19);
        let s = sim.state();
        let top =
            (0..s.position.len()).filter(|&e| sim.model().body_name(e as u32) == "block").map(|e| s.position.get(e).z);
        highest = top.fold(highest, f64::max);
    }
    assert!(hit && highest < 0.22 + 1e-6, "the plate is at 0.22 m, the block came to {highest} m");
    assert!((sim.state().aggregates[0].position.z - 0.27).abs() < 1e-12, "held");
}

/// Nothing falls, and nothing moves against anything: what rounding leaves is no reason to go on.
#[test]
fn a_block_and_a_box_that_fly_together_have_nothing_to_solve() {
    for integrator in [Integrator::SymplecticEuler, Integrator::BackwardEuler] {
        let soft = Material { young: 1e6, damping: 0.2, ..material(0.5, 0.0) };
        let block = BodySetup { material: soft, ..stiff_block(DVec3::ZERO) };
        let cube = Shape::Box { half_size: DVec3::splat(0.1) };
        let bodies = vec![block, body("cube", cube, DVec3::new(0.03, 0.02, 0.2), material(0.5, 0.0))];
        let velocity = DVec3::new(3.0, 1.3, 0.7);
        let mut setup = on_ground(bodies, 1.0 / 60.0, 0.5);
        setup.bodies.iter_mut().for_each(|b| b.velocity = velocity);
        (setup.gravity, setup.obstacles, setup.integrator) = (DVec3::ZERO, Vec::new(), integrator);
        let mut sim = Simulation::new(&setup).unwrap();
        while sim.time() < 0.3 {
            let report = sim.step().unwrap();
            assert_eq!((report.unconverged_contacts, report.retries), (0, 0), "{integrator:?} at {} s", sim.time());
        }
        assert!((sim.state().aggregates[0].velocity - velocity).length() < 1e-9, "{integrator:?}");
    }
}

#[test]
fn threads_and_a_fresh_workspace_do_not_show() {
    let plate =
        body("plate", Shape::Box { half_size: DVec3::new(0.3, 0.3, 0.05) }, DVec3::Z * 0.27, material(0.5, 0.0));
    let setup = implicitly(on_ground(vec![stiff_block(DVec3::Z * 0.11), plate], 5e-3, 1.0));
    let run = |threads: usize, fresh: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut sim = Simulation::new(&setup).unwrap();
            for _ in 0..20 {
                sim.step().unwrap();
                if fresh {
                    sim.drop_workspace();
                }
            }
            sim.state().clone()
        })
    };
    let one = run(1, false);
    assert!(!one.shape_contacts.is_empty());
    assert_eq!(one, run(2, false), "two threads");
    assert_eq!(one, run(1, true), "without caches");
}

#[test]
fn of_implicit_steps_only_backward_euler_is_taken_and_others_are_refused_with_a_reason() {
    for integrator in [Integrator::ImplicitMidpoint, Integrator::LinearBackwardEuler] {
        let setup = Setup { integrator, ..on_ground(vec![stiff_block(DVec3::Z * 0.1)], 5e-3, 1.0) };
        let error = Simulation::new(&setup).map(|_| ()).unwrap_err();
        assert!(error.path == "integrator" && error.message.contains("backward Euler"), "{error}");
    }
}
