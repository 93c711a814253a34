//! Soft bodies on soft bodies, and a soft body on itself, under the law `constraint`.

use super::scenes::{material, on_ground};
use kreisel::model::setup::{BodySetup, BodyShape, ConnectionSetup, ElementSetup, Fix};
use kreisel::model::{Material, Region, Setup};
use kreisel::{DVec3, Simulation};

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

/// Spheres on spheres are bumpy, so that even without friction a block goes slower than on a smooth incline. What friction takes
/// besides is `μ g cos α`, and a little more, because the bumps are pressed on at an angle.
#[test]
fn a_soft_block_on_a_soft_slab_is_slowed_down_by_its_coefficient() {
    let angle = 0.5_f64;
    let acceleration = |friction: f64| {
        let mut sim = Simulation::new(&on_incline(angle, friction, 0.5)).unwrap();
        sim.run_until(0.1).unwrap();
        let early = mean(&sim, "block").0;
        sim.run_until(0.4).unwrap();
        (mean(&sim, "block").0 - early).x / 0.3
    };
    let (smooth, rough) = (acceleration(0.0), acceleration(0.2));
    let expected = 9.81 * 0.2 * angle.cos();
    assert!(((smooth - rough) / expected - 1.0).abs() < 0.15, "{smooth} − {rough} m/s² instead of {expected}");
}

#[test]
fn soft_bodies_that_rub_on_each_other_in_flight_keep_their_momenta() {
    let mut low = soft("low", DVec3::new(0.3, 0.3, 0.1), 0.0, 0.8);
    let mut high = soft("high", DVec3::new(0.2, 0.2, 0.1), 0.101, 0.8);
    (low.velocity, high.velocity) = (DVec3::Z * 0.5, DVec3::new(1.0, 0.3, -0.5));
    let mut setup = on_ground(vec![low, high], 1.0 / 480.0, 0.3);
    setup.gravity = DVec3::ZERO;
    setup.obstacles.clear();
    let mut sim = Simulation::new(&setup).unwrap();
    let fastest = mean(&sim, "high").0.x;
    sim.run_until(0.3).unwrap();
    assert!(mean(&sim, "high").0.x < 0.95 * fastest, "they rub: {}", mean(&sim, "high").0);
    let l = sim.ledger();
    assert!(l.momentum_residual.length() < 1e-11, "{}", l.momentum_residual);
    assert!(l.angular_momentum_residual.length() < 1e-11, "{}", l.angular_momentum_residual);
    assert!(l.friction_loss > 0.0 && l.residual.abs() < 0.05 * l.turnover, "{l:?}");
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
