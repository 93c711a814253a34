//! Meshes that are not convex, against each other and against what slides over them.

use super::scenes::{body, material, on_ground};
use kreisel::model::setup::{BodySetup, Fix};
use kreisel::model::shape::Shape;
use kreisel::model::{Region, Setup, TriangleMesh};
use kreisel::{DQuat, DVec3, Simulation};
use std::sync::Arc;

/// A prism along y from `−length/2` to `length/2` over an outline in x and z, anticlockwise seen from −y; `fan` are the triangles of its end.
fn prism(outline: &[[f64; 2]], fan: &[[u32; 3]], length: f64) -> Shape {
    let n = outline.len() as u32;
    let ring = |y: f64| outline.iter().map(move |[x, z]| DVec3::new(*x, y, *z));
    let vertices = ring(-0.5 * length).chain(ring(0.5 * length)).collect();
    let mut triangles: Vec<[u32; 3]> = fan.to_vec();
    triangles.extend(fan.iter().map(|[a, b, c]| [a + n, c + n, b + n]));
    for k in 0..n {
        let next = (k + 1) % n;
        triangles.extend([[k, k + n, next], [next, k + n, next + n]]);
    }
    Shape::Mesh(Arc::new(TriangleMesh::new(vertices, triangles).unwrap()))
}

/// An angle profile: a flat leg of 0.2 m and an upright one of 0.2 m, both 0.04 m thick.
fn angle(length: f64) -> Shape {
    let outline = [[0.0, 0.0], [0.2, 0.0], [0.2, 0.04], [0.04, 0.04], [0.04, 0.2], [0.0, 0.2]];
    prism(&outline, &[[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]], length)
}

/// A slab of `n × n` cells of 2 × 2 m in all with its top at zero, and a kerb along its far side.
fn floor_with_kerb(n: u32) -> Shape {
    let (side, cell) = (n + 1, 2.0 / f64::from(n));
    let count = side * side;
    let top = (0..count).map(|k| DVec3::new(f64::from(k % side) * cell - 1.0, f64::from(k / side) * cell - 1.0, 0.0));
    let mut vertices: Vec<DVec3> = top.collect();
    let mut triangles = Vec::new();
    for (x, y) in (0..n * n).map(|k| (k % n, k / n)) {
        let v = y * side + x;
        triangles.extend([[v, v + 1, v + side + 1], [v, v + side + 1, v + side]]);
    }
    let low = vertices.len() as u32;
    vertices.extend([[-1.0, -1.0], [1.2, -1.0], [1.2, 1.0], [-1.0, 1.0]].map(|[x, y]| DVec3::new(x, y, -0.5)));
    let high = low + 4;
    vertices.extend([[1.0, -1.0], [1.2, -1.0], [1.2, 1.0], [1.0, 1.0]].map(|[x, y]| DVec3::new(x, y, 0.3)));
    triangles.extend([[low, low + 2, low + 1], [low, low + 3, low + 2]]);
    triangles.extend([[high, high + 1, high + 2], [high, high + 2, high + 3]]);
    triangles.extend([[low + 1, low + 2, high + 2], [low + 1, high + 2, high + 1]]);
    for k in 0..n {
        let (front, back) = (k, n * side + k);
        triangles.extend([[front + 1, front, low], [back, back + 1, low + 3]]);
        let (left, right) = (k * side, k * side + n);
        triangles.extend([[left, left + side, low], [right + side, right, high]]);
    }
    let (front, back) = (n, n * side + n);
    triangles.extend([[low, low + 1, front], [front, low + 1, high], [high, low + 1, high + 1]]);
    triangles.extend([[low + 2, low + 3, back], [low + 2, back, high + 3], [high + 2, low + 2, high + 3]]);
    triangles.extend([[n * side, low + 3, low], [high, high + 3, back]]);
    Shape::Mesh(Arc::new(TriangleMesh::new(vertices, triangles).unwrap()))
}

/// Holds a body where it is.
fn hold(setup: &mut Setup, name: &str) {
    let region = Region::Body(name.into());
    setup.fixes.push(Fix { name: format!("hold {name}"), region, axes: [true; 3], motion: None });
}

/// The upward force that one of two parties gets from the other [N].
fn force(sim: &mut Simulation, on: &str, from: &str) -> f64 {
    let [a, b] = [on, from].map(|n| sim.party(n).unwrap());
    sim.force_between(a, b).force.z
}

#[test]
fn the_floor_of_these_tests_is_closed() {
    for n in [1, 2, 9] {
        let Shape::Mesh(mesh) = floor_with_kerb(n) else { panic!("no mesh") };
        assert_eq!(mesh.open_edges(), 0, "{n}");
        assert!(mesh.hull().is_none());
    }
}

#[test]
fn an_angle_across_two_others_rests_on_crossed_edges_with_its_weight() {
    let steel = material(0.5, 0.0);
    let mut bodies: Vec<BodySetup> = [("left", -0.5), ("right", 0.5)]
        .map(|(name, x)| body(name, angle(1.0), DVec3::new(x, 0.0, 0.0), steel.clone()))
        .into();
    let mut across = body("across", angle(1.6), DVec3::new(0.0, -0.1, 0.21), steel);
    across.rotation = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2 + 0.1);
    bodies.push(across);
    let mut sim = Simulation::new(&on_ground(bodies, 1.0 / 120.0, 2.0)).unwrap();
    let (mut unconverged, start) = (0, sim.state().aggregates[2].orientation);
    while sim.time() < 2.0 {
        unconverged += sim.step().unwrap().unconverged_contacts;
    }
    let weight = 9.81 * sim.state().aggregates[2].mass;
    let borne = force(&mut sim, "across", "left") + force(&mut sim, "across", "right");
    assert!((borne / weight - 1.0).abs() < 1e-3, "{borne} N of {weight} N");
    let lowest = sim.contacts().iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
    assert!(lowest > -1e-5, "{lowest}");
    let a = &sim.state().aggregates[2];
    assert!(a.velocity.length() < 1e-6 && unconverged == 0, "{} {unconverged}", a.velocity);
    let up = a.orientation * (start.inverse() * DVec3::Z);
    assert!(up.z > 1.0 - 1e-6, "it does not lie level: {up}");
}

#[test]
fn crossed_edges_hold_a_falling_angle() {
    let mut low = body("low", angle(1.0), DVec3::Z, material(0.5, 0.0));
    let mut high = body("high", angle(1.0), DVec3::Z * 1.05, material(0.5, 0.0));
    // The outer edges of the angles face each other, across: that of the lower one is its ridge.
    low.rotation = DQuat::from_rotation_y(3.0 * std::f64::consts::FRAC_PI_4);
    high.rotation = DQuat::from_rotation_z(1.2) * DQuat::from_rotation_y(-std::f64::consts::FRAC_PI_4);
    let mut setup = on_ground(vec![low, high], 1.0 / 120.0, 1.0);
    hold(&mut setup, "low");
    let mut sim = Simulation::new(&setup).unwrap();
    let mut deepest: f64 = 0.0;
    let mut touched = false;
    while sim.time() < 0.6 {
        sim.step().unwrap();
        let between = sim.contacts();
        touched |= !between.is_empty();
        deepest = between.iter().map(|c| c.gap).fold(deepest, f64::min);
    }
    assert!(touched && deepest > -1e-3, "{touched} {deepest}");
}

#[test]
fn what_slides_over_many_triangles_keeps_its_speed() {
    let sliders = [
        ("box", Shape::Box { half_size: DVec3::new(0.1, 0.08, 0.05) }, 0.05),
        ("ball", Shape::Sphere { radius: 0.1 }, 0.1),
        ("lying cylinder", Shape::Cylinder { half_length: 0.05, radius: 0.1 }, 0.05),
        ("capsule", Shape::Capsule { half_length: 0.1, radius: 0.05 }, 0.15),
        ("angle", angle(0.3), 0.0),
    ];
    for (name, shape, height) in sliders {
        let smooth = material(0.0, 0.0);
        let mut slider = body(name, shape, DVec3::new(-0.6, -0.31, height), smooth.clone());
        slider.velocity = DVec3::new(0.8, 0.37, 0.0);
        slider.rotation = DQuat::from_rotation_z(0.3);
        let mut setup =
            on_ground(vec![body("floor", floor_with_kerb(17), DVec3::ZERO, smooth), slider], 1.0 / 240.0, 1.0);
        setup.obstacles.clear();
        hold(&mut setup, "floor");
        setup.constraint.tolerance = 1e-9;
        let mut sim = Simulation::new(&setup).unwrap();
        let start = sim.state().aggregates[1].clone();
        while sim.time() < 1.0 {
            sim.step().unwrap();
            let a = &sim.state().aggregates[1];
            assert!((a.velocity - start.velocity).length() < 1e-6, "{name} at {} s: {}", sim.time(), a.velocity);
            assert!((a.position.z - start.position.z).abs() < 1e-6, "{name}: {}", a.position);
        }
    }
}

#[test]
fn an_angle_thrown_against_a_kerb_stops_there() {
    let smooth = material(0.0, 0.0);
    let mut slider = body("slider", angle(0.3), DVec3::new(0.2, 0.0, 0.0), smooth.clone());
    slider.velocity = DVec3::X;
    let mut setup = on_ground(vec![body("floor", floor_with_kerb(8), DVec3::ZERO, smooth), slider], 1.0 / 240.0, 1.5);
    setup.obstacles.clear();
    hold(&mut setup, "floor");
    let mut sim = Simulation::new(&setup).unwrap();
    let start = sim.state().aggregates[1].position.x;
    let (mut farthest, mut deepest): (f64, f64) = (0.0, 0.0);
    while sim.time() < 1.5 {
        sim.step().unwrap();
        farthest = farthest.max(sim.state().aggregates[1].position.x - start);
        deepest = sim.contacts().iter().map(|c| c.gap).fold(deepest, f64::min);
    }
    // The leg of 0.2 m ends at x = 0.4, the kerb is at x = 1; it is hit below the centre, so that the angle tips a little.
    assert!((farthest - 0.6).abs() < 2e-3 && deepest > -1e-5, "{farthest} {deepest}");
    assert!(sim.state().aggregates[1].velocity.x < 1e-3, "{}", sim.state().aggregates[1].velocity);
}

#[test]
fn a_ball_inside_a_closed_angle_leaves_it_without_a_jump() {
    let mut ball = body("ball", Shape::Sphere { radius: 0.015 }, DVec3::new(0.15, 0.0, 0.025), material(0.3, 0.0));
    ball.mass = Some(0.1);
    let mut setup = on_ground(vec![body("angle", angle(1.0), DVec3::ZERO, material(0.3, 0.0)), ball], 1.0 / 240.0, 0.5);
    setup.allow_overlap = true;
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(0.5).unwrap();
    let b = &sim.state().aggregates[1];
    assert!((b.position.z - 0.055).abs() < 1e-4 && b.velocity.length() < 1e-3, "{} {}", b.position, b.velocity);
}

/// A terrain: an open mesh of hills over 4 × 4 m.
fn terrain() -> Shape {
    let n = 20;
    let at = |k: u32| 0.2 * f64::from(k) - 2.0;
    let place = |k: u32| {
        let (x, y) = (at(k % (n + 1)), at(k / (n + 1)));
        DVec3::new(x, y, 0.1 * (2.0 * x).cos() * (1.5 * y).cos())
    };
    let mut triangles = Vec::new();
    for (x, y) in (0..n * n).map(|k| (k % n, k / n)) {
        let v = y * (n + 1) + x;
        triangles.extend([[v, v + 1, v + n + 2], [v, v + n + 2, v + n + 1]]);
    }
    Shape::Mesh(Arc::new(TriangleMesh::new((0..(n + 1) * (n + 1)).map(place).collect(), triangles).unwrap()))
}

#[test]
fn bodies_come_to_rest_on_an_open_terrain_that_is_held() {
    let stone = material(0.8, 0.0);
    let on = |k: usize| {
        let half_size = DVec3::new(0.2, 0.15, 0.1 + 0.02 * k as f64);
        let at = DVec3::new(k as f64 - 1.0, 0.3 * k as f64, 0.5);
        body(&format!("body-{k}"), Shape::Box { half_size }, at, stone.clone())
    };
    let mut bodies: Vec<BodySetup> = (0..3).map(on).collect();
    bodies.push(body("terrain", terrain(), DVec3::ZERO, stone.clone()));
    let mut setup = on_ground(bodies, 1.0 / 120.0, 4.0);
    setup.obstacles.clear();
    assert!(Simulation::new(&setup).unwrap_err().to_string().contains("hold the body"));
    hold(&mut setup, "terrain");
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(4.0).unwrap();
    for k in 0..3 {
        let a = &sim.state().aggregates[k];
        assert!(a.velocity.length() < 1e-3 && a.position.z > -0.1, "body {k}: {} at {}", a.velocity, a.position);
        let weight = 9.81 * a.mass;
        let borne = force(&mut sim, &format!("body-{k}"), "terrain");
        assert!((borne / weight - 1.0).abs() < 1e-2, "body {k}: {borne} N of {weight} N");
    }
}

#[test]
fn an_open_mesh_of_given_mass_is_a_sheet() {
    let square = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(|[x, y]| DVec3::new(x, y, 0.0));
    let mesh = TriangleMesh::new(square.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let mut sheet = body("sheet", Shape::Mesh(Arc::new(mesh)), DVec3::Z, material(0.5, 0.0));
    (sheet.mass, sheet.spin) = (Some(12.0), DVec3::Z);
    let sim = Simulation::new(&on_ground(vec![sheet], 1e-3, 1.0)).unwrap();
    let a = &sim.state().aggregates[0];
    assert!((a.mass - 12.0).abs() < 1e-12);
    // A thin square plate: m a²/12 about its sides, m a²/6 about its normal.
    assert!((a.angular_momentum - DVec3::Z * 2.0).length() < 1e-9, "{}", a.angular_momentum);
}
