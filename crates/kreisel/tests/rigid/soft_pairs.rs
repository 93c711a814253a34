//! Soft bodies on soft bodies, and a soft body on itself, under the law `constraint`.

use super::scenes::{body, material, on_ground};
use kreisel::model::setup::{BodySetup, BodyShape, ConnectionSetup, ElementSetup, Fix, Integrator, RigidPart};
use kreisel::model::shape::Shape;
use kreisel::model::{Material, Region, Setup};
use kreisel::readout::contact::Party;
use kreisel::{DQuat, DVec3, Simulation};

fn soft(name: &str, size: DVec3, z: f64, friction: f64) -> BodySetup {
    BodySetup {
        name: name.into(),
        shape: BodyShape::Box { size, cells: 2 },
        at: DVec3::Z * z,
        material: Material { young: 1e6, damping: 0.3, ..material(friction, 0.0) },
        ..BodySetup::default()
    }
}

/// A soft block on a soft slab that is held, under gravity that leans by `angle`: the same as an incline.
fn on_incline(angle: f64, friction: f64, duration: f64) -> Setup {
    let slab = soft("slab", DVec3::new(1.2, 0.4, 0.1), 0.05, friction);
    let block = soft("block", DVec3::new(0.2, 0.2, 0.1), 0.15, friction);
    let mut setup = on_ground(vec![slab, block], 1.0 / 240.0, duration);
    setup.gravity = DVec3::new(angle.sin(), 0.0, -angle.cos()) * 9.81;
    let region = Region::Body("slab".into());
    setup.fixes.push(Fix { name: "hold".into(), region, axes: [true; 3], motion: None });
    setup
}

/// Mean velocity and mean place of the elements of a body.
fn mean(sim: &Simulation, name: &str) -> (DVec3, DVec3) {
    let elements = &sim.model().bodies[sim.body(name).unwrap().0 as usize].elements;
    let over = |f: &dyn Fn(usize) -> DVec3| {
        let mass = |e: usize| sim.model().elements.mass[e];
        let total: f64 = elements.iter().map(|&e| mass(e as usize)).sum();
        elements.iter().map(|&e| f(e as usize) * mass(e as usize)).sum::<DVec3>() / total
    };
    (over(&|e| sim.state().velocity.get(e)), over(&|e| sim.state().position.get(e)))
}

#[test]
fn a_soft_block_on_a_soft_slab_sticks_below_its_angle_of_friction() {
    let mut sim = Simulation::new(&on_incline(0.3, 0.5, 1.0)).unwrap();
    sim.run_until(0.3).unwrap();
    let start = mean(&sim, "block").1;
    sim.run_until(1.0).unwrap();
    let way = mean(&sim, "block").1 - start;
    assert!(way.length() < 1e-4, "it has crept by {way}");
}

/// Mean acceleration of the block down the incline while it slides [m/s²].
fn acceleration(setup: &Setup) -> f64 {
    let mut sim = Simulation::new(setup).unwrap();
    sim.run_until(0.1).unwrap();
    let (early, from) = (mean(&sim, "block").0, sim.time());
    sim.run_until(0.25).unwrap();
    (mean(&sim, "block").0 - early).x / (sim.time() - from)
}

/// Skins have no bumps: `g (sin α − μ cos α)`, as on any incline, however the lattices of both lie.
#[test]
fn a_block_slides_down_a_soft_slab_as_its_coefficient_says() {
    let angle = 0.5_f64;
    for (friction, cells, rigid) in [(0.0, 2, false), (0.2, 3, false), (0.2, 3, true)] {
        let mut setup = on_incline(angle, friction, 0.4);
        setup.bodies[1].shape = BodyShape::Box { size: DVec3::new(0.2, 0.2, 0.1), cells };
        setup.bodies[1].rotation = DQuat::from_rotation_z(0.2);
        setup.bodies[1].rigid = if rigid { vec![RigidPart::Whole] } else { Vec::new() };
        let (a, expected) = (acceleration(&setup), 9.81 * (angle.sin() - friction * angle.cos()));
        assert!((a / expected - 1.0).abs() < 0.01, "{a} instead of {expected} m/s², rigid: {rigid}");
    }
}

/// Spheres of the slab come below the edge of the box one after the other: that must not hold it back.
#[test]
fn an_exact_box_slides_over_elements_as_its_coefficient_says() {
    let (angle, friction) = (0.5_f64, 0.2);
    for (rigid, step) in [(true, 1.0 / 60.0), (true, 1.0 / 240.0), (false, 1.0 / 240.0)] {
        let mut setup = on_incline(angle, friction, 0.4);
        let shape = Shape::Box { half_size: DVec3::new(0.1, 0.1, 0.05) };
        setup.bodies[1] = body("block", shape, DVec3::new(-0.2, 0.013, 0.15), material(friction, 0.0));
        setup.bodies[1].rotation = DQuat::from_rotation_z(0.2);
        setup.bodies[0].rigid = if rigid { vec![RigidPart::Whole] } else { Vec::new() };
        (setup.step, setup.frame) = (Some(step), step);
        let (a, expected) = (acceleration(&setup), 9.81 * (angle.sin() - friction * angle.cos()));
        assert!((a / expected - 1.0).abs() < 0.02, "{a} instead of {expected} m/s², rigid: {rigid}, step {step}");
    }
}

#[test]
fn a_block_slides_down_a_soft_slab_in_implicit_steps_too() {
    let angle = 0.5_f64;
    let mut setup = on_incline(angle, 0.2, 0.4);
    (setup.integrator, setup.step, setup.frame) = (Integrator::BackwardEuler, Some(1.0 / 60.0), 1.0 / 60.0);
    let (a, expected) = (acceleration(&setup), 9.81 * (angle.sin() - 0.2 * angle.cos()));
    assert!((a / expected - 1.0).abs() < 0.02, "{a} instead of {expected} m/s²");
}

/// A soft block on a larger one, their lattices shifted and turned against each other.
#[test]
fn a_soft_block_that_rests_on_a_soft_block_does_not_sink_into_it() {
    for rigid in [false, true] {
        let mut low = soft("low", DVec3::new(0.3, 0.3, 0.1), 0.05, 0.5);
        let mut high = soft("high", DVec3::new(0.2, 0.2, 0.1), 0.1501, 0.5);
        (high.at.x, high.rotation) = (0.013, DQuat::from_rotation_z(0.3));
        low.rigid = if rigid { vec![RigidPart::Whole] } else { Vec::new() };
        let mut sim = Simulation::new(&on_ground(vec![low, high], 1.0 / 240.0, 1.0)).unwrap();
        let mut deepest: f64 = 0.0;
        while sim.time() < 0.5 {
            assert_eq!(sim.step().unwrap().unconverged_contacts, 0);
            deepest = sim.contacts().iter().fold(deepest, |least, c| least.min(c.gap));
        }
        assert!(deepest > -1e-5, "the skins overlap by {deepest} m");
        let force: f64 = sim.force_between(party(&sim, "high"), party(&sim, "low")).force.z;
        let weight = 9.81 * 1000.0 * 0.2 * 0.2 * 0.1;
        assert!((force / weight - 1.0).abs() < 0.05, "{force} N instead of {weight} N");
    }
}

fn party(sim: &Simulation, name: &str) -> Party {
    Party::Body(sim.body(name).unwrap())
}

/// Also where one is rigid, or both are, and in implicit steps.
#[test]
fn bodies_that_rub_on_each_other_in_flight_keep_their_momenta() {
    for (rigid, integrator, step) in [
        ([false, false], Integrator::SymplecticEuler, 1.0 / 480.0),
        ([true, false], Integrator::SymplecticEuler, 1.0 / 480.0),
        ([false, true], Integrator::SymplecticEuler, 1.0 / 480.0),
        ([true, true], Integrator::SymplecticEuler, 1.0 / 480.0),
        ([false, true], Integrator::BackwardEuler, 1.0 / 120.0),
        ([false, false], Integrator::BackwardEuler, 1.0 / 120.0),
    ] {
        let mut low = soft("low", DVec3::new(0.3, 0.3, 0.1), 0.0, 0.8);
        let mut high = soft("high", DVec3::new(0.2, 0.2, 0.1), 0.101, 0.8);
        (low.velocity, high.velocity) = (DVec3::Z * 0.5, DVec3::new(1.0, 0.3, -0.5));
        high.rotation = DQuat::from_rotation_z(0.3);
        for (body, rigid) in [&mut low, &mut high].into_iter().zip(rigid) {
            body.rigid = if rigid { vec![RigidPart::Whole] } else { Vec::new() };
        }
        let mut setup = on_ground(vec![low, high], step, 0.2);
        (setup.gravity, setup.integrator) = (DVec3::ZERO, integrator);
        setup.obstacles.clear();
        let mut sim = Simulation::new(&setup).unwrap();
        let fastest = mean(&sim, "high").0.x;
        sim.run_until(0.2).unwrap();
        assert!(mean(&sim, "high").0.x < 0.95 * fastest, "they rub: {}", mean(&sim, "high").0);
        let l = sim.ledger();
        assert!(l.momentum_residual.length() < 1e-11, "{rigid:?} {integrator:?}: {}", l.momentum_residual);
        assert!(
            l.angular_momentum_residual.length() < 1e-11,
            "{rigid:?} {integrator:?}: {}",
            l.angular_momentum_residual
        );
        assert!(l.friction_loss > 0.0 && l.residual.abs() < 0.05 * l.turnover, "{rigid:?} {integrator:?}: {l:?}");
    }
}

/// A hairpin of five elements whose ends fly towards each other.
#[test]
fn the_two_ends_of_a_hairpin_do_not_pass_through_each_other() {
    let place = [[0.4, 0.0, 0.15], [0.2, 0.0, 0.15], [0.0, 0.0, 0.0], [0.2, 0.0, -0.15], [0.4, 0.0, -0.15]];
    let element = |[x, y, z]: [f64; 3]| ElementSetup {
        at: DVec3::new(x, y, z),
        velocity: DVec3::Z * if x > 0.3 { -z / 0.15 } else { 0.0 },
        mass: Some(0.1),
        radius: 0.05,
    };
    let connections = (0..4).map(|k| ConnectionSetup { ends: (k, k + 1), section: None, rest_length: None }).collect();
    let shape = BodyShape::Elements { elements: place.map(element).to_vec(), connections };
    let closest = |self_collision: bool| {
        let hairpin = BodySetup {
            name: "hairpin".into(),
            shape: shape.clone(),
            at: DVec3::Z,
            material: Material { young: 1e4, ..material(0.3, 0.0) },
            ..BodySetup::default()
        };
        let mut setup = on_ground(vec![hairpin], 1e-3, 0.3);
        (setup.gravity, setup.contact.self_collision) = (DVec3::ZERO, self_collision);
        let mut sim = Simulation::new(&setup).unwrap();
        let mut closest = f64::INFINITY;
        while sim.time() < 0.3 {
            sim.step().unwrap();
            closest = closest.min(sim.state().position.get(0).z - sim.state().position.get(4).z);
        }
        let l = sim.ledger();
        assert!(l.momentum_residual.length() < 1e-12 && l.angular_momentum_residual.length() < 1e-12, "{l:?}");
        closest
    };
    assert!(closest(true) > 0.1 - 1e-4, "{}", closest(true));
    assert!(closest(false) < 0.08, "without contact they pass: {}", closest(false));
}

/// A cube that is squeezed so much by its landing that its top touches its bottom: these are elements of one body, which rub on each
/// other with the matter around them. Between their centres friction would leave a couple that nobody takes.
#[test]
fn a_cube_that_lands_and_touches_itself_keeps_its_accounts_of_angular_momentum() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::Extrapolated] {
        let mut cube = soft("cube", DVec3::splat(0.2), 0.3, 0.5);
        cube.material = Material { young: 5e4, density: 800.0, damping: 0.1, ..material(0.5, 0.2) };
        let mut sim = Simulation::new(&Setup { integrator, ..on_ground(vec![cube], 2e-3, 0.3) }).unwrap();
        let mut touches_itself = false;
        while sim.time() < 0.3 {
            sim.step().unwrap();
            touches_itself |= sim.contacts().iter().any(|c| c.first == c.second);
        }
        let left = sim.ledger().angular_momentum_residual;
        assert!(touches_itself && left.length() < 1e-12, "{integrator:?}: {left}");
    }
}

#[test]
fn threads_and_a_fresh_workspace_do_not_show_where_skins_touch() {
    for integrator in [Integrator::SymplecticEuler, Integrator::BackwardEuler] {
        let mut setup = on_incline(0.5, 0.2, 1.0);
        (setup.integrator, setup.bodies[1].rotation) = (integrator, DQuat::from_rotation_z(0.2));
        let run = |threads: usize, fresh: bool| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut sim = Simulation::new(&setup).unwrap();
                for _ in 0..10 {
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
        assert_eq!(one, run(2, false), "two threads, {integrator:?}");
        assert_eq!(one, run(1, true), "without caches, {integrator:?}");
    }
}
