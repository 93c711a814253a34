//! What cannot be is refused with its reason; what is merely hard stays calm.

use super::scenes::{body, material, on_ground};
use kreisel::model::material::Resistance;
use kreisel::model::setup::{BodySetup, BodyShape};
use kreisel::model::shape::{PlacedShape, Polyhedron, Shape, ShapeError};
use kreisel::model::{Aggregate, Material};
use kreisel::{DQuat, DVec3, Simulation};

fn cube(z: f64) -> BodySetup {
    body("cube", Shape::Box { half_size: DVec3::splat(0.5) }, DVec3::Z * z, material(0.5, 0.0))
}

fn refused(change: impl Fn(&mut BodySetup)) -> String {
    let mut one = cube(0.5);
    change(&mut one);
    match Simulation::new(&on_ground(vec![one], 1e-2, 1.0)) {
        Ok(_) => String::from("accepted"),
        Err(error) => error.to_string(),
    }
}

fn with_shape(shape: Shape) -> String {
    let mut one = body("body", shape, DVec3::Z, material(0.5, 0.0));
    one.name = "body".into();
    match Simulation::new(&on_ground(vec![one], 1e-2, 1.0)) {
        Ok(_) => String::from("accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn shapes_without_size_or_without_end_are_refused() {
    for bad in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        let shapes = [
            Shape::Sphere { radius: bad },
            Shape::Box { half_size: DVec3::new(1.0, bad, 1.0) },
            Shape::Ellipsoid { semi_axes: DVec3::new(bad, 1.0, 1.0) },
            Shape::Capsule { half_length: 1.0, radius: bad },
            Shape::Cylinder { half_length: bad, radius: 1.0 },
            Shape::Cone { half_length: 1.0, radius: bad },
        ];
        for shape in shapes {
            let message = with_shape(shape.clone());
            assert!(message != "accepted" && !message.is_empty(), "{shape:?}: {message}");
        }
    }
    assert_ne!(with_shape(Shape::Plane), "accepted", "a body cannot be a half-space");
    let flat = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y];
    assert!(Polyhedron::from_points(&flat).is_err());
    assert!(Polyhedron::from_points(&[DVec3::NAN; 4]).is_err());
}

#[test]
fn poses_and_motions_that_are_no_numbers_are_refused() {
    for bad in [f64::NAN, f64::INFINITY] {
        assert!(refused(|b| b.at.x = bad).contains("at"));
        assert!(refused(|b| b.velocity.y = bad).contains("velocity"));
        assert!(refused(|b| b.spin.z = bad).contains("spin"));
        assert!(refused(|b| b.rotation = DQuat::from_xyzw(bad, 0.0, 0.0, 1.0)).contains("rotation"));
        assert!(refused(|b| b.mass = Some(bad)).contains("mass"));
    }
    assert!(refused(|b| b.rotation = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)).contains("rotation"));
    assert!(refused(|b| b.mass = Some(0.0)).contains("mass"));
}

#[test]
fn a_centre_of_mass_that_is_no_place_and_a_patience_that_is_no_time_are_refused_by_name() {
    for bad in [f64::NAN, f64::INFINITY] {
        let message = refused(|b| {
            let parts = vec![PlacedShape::centred(Shape::Sphere { radius: 0.5 })];
            b.shape = BodyShape::Exact { parts, centre: Some(DVec3::X * bad) };
        });
        assert!(message.contains("body[0].centre"), "{message}");
    }
    for bad in [f64::NAN, -1.0, 0.0] {
        let mut setup = on_ground(vec![cube(0.5)], 1e-2, 1.0);
        setup.constraint.sleep_after = bad;
        assert!(Simulation::new(&setup).unwrap_err().to_string().contains("sleep_after"));
    }
}

#[test]
fn points_that_are_nearly_in_a_plane_are_called_flat() {
    for thickness in [0.0, 1e-12, 1e-8, 1e-7, 9e-7] {
        let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.3, 0.3, thickness)];
        let error = Polyhedron::from_points(&points).unwrap_err();
        assert!(matches!(error, ShapeError::Flat { .. }), "{thickness} m: {error}");
    }
}

#[test]
fn frictions_that_cannot_be_are_refused() {
    for bad in [-0.1, f64::NAN, f64::INFINITY] {
        assert!(refused(|b| b.material.static_friction = bad).contains("friction"), "{bad}");
        assert!(refused(|b| b.material.dynamic_friction = bad).contains("friction"), "{bad}");
        assert!(refused(|b| b.material.resistance.rolling = bad).contains("rolling"), "{bad}");
        assert!(refused(|b| b.material.resistance.torsional = bad).contains("torsional"), "{bad}");
        assert!(refused(|b| b.material.resistance.patch = bad).contains("contact_radius"), "{bad}");
        assert!(refused(|b| b.material.restitution = bad).contains("restitution"), "{bad}");
    }
}

#[test]
fn bodies_inside_each_other_part_without_a_jump() {
    let mut inner = cube(0.5);
    inner.name = "inner".into();
    inner.at.x = 0.3;
    let mut setup = on_ground(vec![cube(0.5), inner], 1.0 / 120.0, 2.0);
    setup.allow_overlap = true;
    let mut sim = Simulation::new(&setup).unwrap();
    let mut fastest: f64 = 0.0;
    while sim.time() < 2.0 {
        sim.step().unwrap();
        fastest = sim.state().aggregates.iter().map(|a| a.velocity.length()).fold(fastest, f64::max);
    }
    let [a, b] = [0, 1].map(|k| sim.state().aggregates[k].position);
    assert!((a - b).abs().max_element() > 0.999, "{a} {b}");
    assert!(fastest < 0.5, "they popped apart with {fastest} m/s");
}

#[test]
fn whatever_begins_inside_a_block_and_turned_leaves_it_slowly() {
    let shapes = [
        Shape::Ellipsoid { semi_axes: DVec3::new(0.3, 0.2, 0.1) },
        Shape::Cone { half_length: 0.5, radius: 0.3 },
        Shape::Capsule { half_length: 0.3, radius: 0.2 },
        Shape::Cylinder { half_length: 0.1, radius: 0.4 },
        Shape::Box { half_size: DVec3::new(0.3, 0.2, 0.4) },
    ];
    for shape in shapes {
        let mut inner = body("inner", shape.clone(), DVec3::new(0.2, 0.1, 0.6), material(0.5, 0.0));
        inner.rotation = DQuat::from_rotation_x(0.3);
        inner.spin = DVec3::new(0.3, 0.2, 0.5);
        let mut setup = on_ground(vec![cube(0.5), inner], 1.0 / 240.0, 0.2);
        setup.allow_overlap = true;
        let mut sim = Simulation::new(&setup).unwrap();
        while sim.time() < 0.2 {
            let unsolved = sim.step().unwrap().unconverged_contacts;
            // While they are deep in each other that is told.
            assert!(unsolved == 0 || sim.time() < 0.05, "{shape:?} is unsolved at {} s", sim.time());
            let fastest = sim.state().aggregates.iter().map(|a| a.velocity.length()).fold(0.0, f64::max);
            assert!(fastest < 2.0, "{shape:?} was shot out with {fastest} m/s at {} s", sim.time());
        }
    }
}

#[test]
fn the_same_place_for_two_bodies_is_survived() {
    let ball = |name: &str| body(name, Shape::Sphere { radius: 0.5 }, DVec3::Z * 0.5, material(0.5, 0.0));
    let mut setup = on_ground(vec![ball("a"), ball("b")], 1.0 / 120.0, 1.0);
    setup.allow_overlap = true;
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(1.0).unwrap();
    assert!(sim.state().aggregates.iter().all(|a| a.position.is_finite() && a.velocity.length() < 10.0));
}

#[test]
fn a_million_times_the_mass_on_top_neither_sinks_nor_explodes() {
    let (unconverged, off) = stacked(1.0, 1e6);
    assert!(off < 1e-3 && unconverged == 0, "off by {off} m, {unconverged} not solved");
}

#[test]
fn a_billion_times_the_mass_is_borne() {
    for (low, high) in [(1e6, 1e-3), (1e-3, 1e6)] {
        let (unconverged, off) = stacked(low, high);
        assert!(off < 1e-3 && unconverged == 0, "{low} kg below {high} kg: off by {off} m, {unconverged} not solved");
    }
}

/// Two boxes on each other for a second: contact problems that kept more than the tolerance, and how far the boxes have moved.
fn stacked(low: f64, high: f64) -> (u64, f64) {
    let mut bodies = vec![cube(0.5), cube(1.5)];
    bodies[0].mass = Some(low);
    (bodies[1].mass, bodies[1].name) = (Some(high), "upper".into());
    let mut sim = Simulation::new(&on_ground(bodies, 1.0 / 60.0, 1.0)).unwrap();
    let unconverged = (0..60).map(|_| sim.step().unwrap().unconverged_contacts).sum();
    let off = |(k, a): (usize, &Aggregate)| (a.position - DVec3::Z * (0.5 + k as f64)).length();
    (unconverged, sim.state().aggregates.iter().enumerate().map(off).fold(0.0, f64::max))
}

#[test]
fn all_resistances_together_on_a_box_are_calm() {
    let resistance = Resistance { rolling: 0.1, torsional: 0.1, patch: 0.1 };
    let mut block = cube(0.5);
    block.material = Material { resistance, ..material(1.0, 0.0) };
    block.spin = DVec3::Z * 5.0;
    let mut sim = Simulation::new(&on_ground(vec![block], 1.0 / 120.0, 2.0)).unwrap();
    sim.run_until(2.0).unwrap();
    let a = &sim.state().aggregates[0];
    assert!(a.spin().length() < 1e-3 && (a.position.z - 0.5).abs() < 1e-4, "{} {}", a.spin(), a.position);
}

/// So many bodies of a shape in one place above the ground, each a step on: the fastest there was, and where they end.
fn coincident(shape: &Shape, count: u32, steps: u32) -> (f64, Simulation) {
    let bodies = (0..count).map(|k| body(&format!("b-{k}"), shape.clone(), DVec3::Z * 0.5, material(0.5, 0.0)));
    let mut setup = on_ground(bodies.collect(), 1.0 / 60.0, 10.0);
    setup.allow_overlap = true;
    let mut sim = Simulation::new(&setup).unwrap();
    let mut fastest: f64 = 0.0;
    for _ in 0..steps {
        sim.step().unwrap();
        fastest = sim.state().aggregates.iter().map(|a| a.velocity.length()).fold(fastest, f64::max);
    }
    (fastest, sim)
}

#[test]
fn many_bodies_in_one_place_come_apart_without_more_speed_than_gravity_gives() {
    let corners =
        [DVec3::new(0.1, 0.0, -0.07), DVec3::new(-0.05, 0.09, -0.07), DVec3::new(-0.05, -0.09, -0.07), DVec3::Z * 0.1];
    let hull = Shape::Polyhedron(Polyhedron::from_points(&corners).unwrap().into());
    for shape in [Shape::Sphere { radius: 0.1 }, Shape::Box { half_size: DVec3::splat(0.1) }, hull] {
        let (fastest, sim) = coincident(&shape, 40, 60);
        // A second of free fall.
        assert!(fastest <= 9.81 * 1.01, "{shape:?}: {fastest} m/s");
        let lowest = sim.state().aggregates.iter().map(|a| a.position.z).fold(f64::INFINITY, f64::min);
        assert!(lowest > 0.0, "{shape:?}: through the ground, {lowest} m");
        // No farther than if they lay in a row.
        let farthest = sim.state().aggregates.iter().map(|a| a.position.length()).fold(0.0, f64::max);
        assert!(farthest < 40.0 * 0.2, "{shape:?}: strewn over {farthest} m");
    }
}
