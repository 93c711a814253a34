//! How long the hot pairs and the broad phase take: `cargo run --release -p kreisel --example touch_times`.

use kreisel::collide::shapes::{Pose, touch};
use kreisel::collide::{Broad, shapes::bounds};
use kreisel::model::{Polyhedron, Shape};
use kreisel::{DQuat, DVec3};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Nanoseconds this thread has run, where the system tells; else wall time.
fn clock(start: &Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ran = told.and_then(|text| text.split(' ').next()?.parse().ok());
    ran.unwrap_or_else(|| start.elapsed().as_nanos() as f64)
}

fn report(name: &str, rounds: usize, mut work: impl FnMut(usize) -> usize) {
    let start = Instant::now();
    let mut best = f64::MAX;
    let mut points = 0;
    for _ in 0..10 {
        let before = clock(&start);
        points = (0..rounds).map(&mut work).sum();
        best = best.min((clock(&start) - before) / rounds as f64);
    }
    println!("{name:32} {best:9.0} ns  ({:.1} found)", points as f64 / rounds as f64);
}

fn pair(name: &str, a: &Shape, b: &Shape, poses: &[Pose]) {
    let mut out = Vec::with_capacity(16);
    let ground = Pose { position: DVec3::new(0.1, 0.2, 0.3), rotation: DQuat::from_rotation_z(0.3) };
    let poses: Vec<Pose> = poses.iter().map(|p| ground.of_part(p.position, p.rotation)).collect();
    report(name, 100_000, |k| {
        out.clear();
        touch(black_box(a), &poses[k % poses.len()], black_box(b), &ground, 0.01, &mut out);
        out.len()
    });
}

fn main() {
    let at = |x: f64, z: f64| Pose { position: DVec3::new(x, 0.0, z), rotation: DQuat::IDENTITY };
    let cube = Shape::Box { half_size: DVec3::splat(0.5) };
    let ball = Shape::Sphere { radius: 0.5 };
    let points: Vec<DVec3> =
        (0..8).map(|k| DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2 & 1)) - 0.5).collect();
    let hull = Polyhedron::from_points(&points).map(|p| Shape::Polyhedron(Arc::new(p)));
    pair("box on box", &cube, &cube, &[at(0.0, 1.0)]);
    pair("box on box, offset", &cube, &cube, &[at(0.55, 1.0)]);
    pair("boxes apart", &cube, &cube, &[at(0.0, 1.1)]);
    pair("ball on ball", &ball, &ball, &[at(0.0, 1.0)]);
    pair("ball on box", &ball, &cube, &[at(0.1, 1.0)]);
    pair("box on plane", &cube, &Shape::Plane, &[at(0.0, 0.5)]);
    pair("cylinder on box", &Shape::Cylinder { half_length: 0.5, radius: 0.3 }, &cube, &[at(0.1, 1.0)]);
    pair("ellipsoid on box", &Shape::Ellipsoid { semi_axes: DVec3::new(0.3, 0.4, 0.5) }, &cube, &[at(0.1, 1.0)]);
    if let Ok(hull) = hull {
        pair("hull on hull", &hull, &hull, &[at(0.1, 1.0)]);
    }
    broad();
}

/// A pile of 2,000 balls on a ground of 120 m.
fn broad() {
    let small = Shape::Sphere { radius: 0.1 };
    let mut boxes = vec![(DVec3::new(-60.0, -0.5, -20.0), DVec3::new(60.0, 0.0, 20.0))];
    for k in 0..2000 {
        let wobble = f64::from(k * 7919 % 100) * 2e-4;
        let cell = DVec3::new(f64::from(k % 15), f64::from(k / 225), f64::from(k / 15 % 15)) * 0.2;
        boxes.push(bounds(&small, &Pose { position: cell + wobble + DVec3::Y * 0.1, ..Pose::IDENTITY }));
    }
    let movable: Vec<bool> = (0..boxes.len()).map(|k| k > 0).collect();
    let (mut broad, mut found) = (Broad::default(), Vec::new());
    report("broad phase, 2,000 balls", 100, |_| {
        broad.update(&boxes, &movable, &mut found);
        found.len()
    });
}
