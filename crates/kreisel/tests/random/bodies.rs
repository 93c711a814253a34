//! Random bodies: boxes, chains, rings, dumbbells, lone balls and trusses of random materials.

use super::rng::Rng;
use kreisel::DVec3;
use kreisel::model::setup::{BodySetup, BodyShape, ConnectionSetup, ElementSetup, RigidPart};
use kreisel::model::{Fracture, Material, Region};

/// From one to five bodies, near each other, mostly on their way to meet.
pub fn bodies(rng: &mut Rng) -> Vec<BodySetup> {
    let count = 1 + rng.below(5);
    let size = rng.scale(0.02, 2.0);
    let fast = if rng.chance(0.3) { 50.0 } else { 5.0 };
    let mut place = rng.vector(3.0);
    let along = rng.direction();
    let mut last_reach = 0.0;
    let mut all = Vec::new();
    for k in 0..count {
        let size = size * if rng.chance(0.4) { rng.scale(0.05, 1.0) } else { 1.0 };
        let (shape, reach) = shape(rng, size);
        let towards = (along + rng.vector(0.2)).normalize();
        place += towards * if k == 0 { 0.0 } else { (last_reach + reach) * rng.range(1.001, 1.2) };
        last_reach = reach;
        let mut body = BodySetup { name: format!("b{k}"), shape, at: place, ..BodySetup::default() };
        body.rotation = rng.rotation();
        body.material = material(rng, size);
        body.velocity = if k > 0 && rng.chance(0.6) { -towards * rng.range(0.0, fast) } else { rng.vector(fast) };
        body.velocity *= f64::from(rng.chance(0.8));
        body.spin = rng.direction() * if rng.chance(0.5) { rng.scale(0.1, 100.0) } else { 0.0 };
        body.mass = rng.chance(0.15).then(|| rng.scale(1e-3, 1e3));
        body.contact = rng.chance(0.95);
        rigid_parts(rng, &mut body);
        all.push(body);
    }
    all
}

/// A shape and the radius of a ball around its origin.
fn shape(rng: &mut Rng, size: f64) -> (BodyShape, f64) {
    match rng.below(8) {
        0..3 => {
            let cells = 1 + rng.below(4);
            let longest = if cells > 2 { 2.0 } else { 4.0 };
            let cell = |rng: &mut Rng| (f64::from(cells) * rng.range(1.0, longest)).round() / f64::from(cells);
            let sides = DVec3::new(1.0, cell(rng), cell(rng)) * size;
            (BodyShape::Box { size: sides, cells }, 0.5 * sides.length())
        }
        3 => list(rng, size, 1, false),
        4 => list(rng, size, 2, false),
        5 => {
            let n = 3 + rng.below(10);
            list(rng, size, n, false)
        }
        6 => {
            let n = 3 + rng.below(8);
            list(rng, size, n, true)
        }
        _ => truss(rng, size),
    }
}

fn ball(at: DVec3, radius: f64) -> ElementSetup {
    ElementSetup { at, velocity: DVec3::ZERO, mass: None, radius }
}

fn rod(a: u32, b: u32) -> ConnectionSetup {
    ConnectionSetup { ends: (a, b), section: None, rest_length: None }
}

/// A chain, or a ring, of balls.
fn list(rng: &mut Rng, size: f64, n: u32, closed: bool) -> (BodyShape, f64) {
    let step = size / f64::from(n);
    let radius = step * rng.range(0.1, 0.5);
    let around = std::f64::consts::TAU / f64::from(n);
    let wide = 0.5 * step / (0.5 * around).sin();
    let place = |k: u32| {
        let a = around * f64::from(k);
        if closed { DVec3::new(a.cos(), a.sin(), 0.0) * wide } else { DVec3::X * (step * f64::from(k)) }
    };
    let mut elements: Vec<ElementSetup> = (0..n).map(|k| ball(place(k), radius)).collect();
    for e in &mut elements {
        if rng.chance(0.2) {
            e.mass = Some(rng.scale(1e-4, 1e2) * size.powi(3) * 100.0);
        }
        if rng.chance(0.1) {
            e.velocity = rng.vector(1.0);
        }
    }
    let links = if closed { n } else { n - 1 };
    let mut connections: Vec<ConnectionSetup> = (0..links).map(|k| rod(k, (k + 1) % n)).collect();
    for c in &mut connections {
        if rng.chance(0.1) {
            c.rest_length = Some(step * rng.range(0.9, 1.1));
        }
        if rng.chance(0.1) {
            c.section = Some(radius * radius * rng.scale(0.01, 10.0));
        }
    }
    (BodyShape::Elements { elements, connections }, if closed { wide } else { size } + radius)
}

/// A row of tetrahedra.
fn truss(rng: &mut Rng, size: f64) -> (BodyShape, f64) {
    let n = 4 + rng.below(8);
    let step = size / 4.0;
    let place = |k: u32| {
        let a = 2.3 * f64::from(k);
        DVec3::new(step * 0.5 * f64::from(k), step * a.cos(), step * a.sin())
    };
    let elements = (0..n).map(|k| ball(place(k), step * 0.25)).collect();
    let near = |k: u32| (1..=3).filter(move |d| k + d < n).map(move |d| rod(k, k + d));
    let connections = (0..n).flat_map(near).collect();
    let length = step * 0.5 * f64::from(n);
    (BodyShape::Elements { elements, connections }, length + 2.0 * step)
}

fn material(rng: &mut Rng, size: f64) -> Material {
    let young = rng.scale(1e3, 1e9);
    let friction = rng.pick(&[0.0, 0.3, 0.8, 1.5]);
    let fracture = match rng.below(8) {
        0 => Fracture::Energy(young * size * rng.scale(1e-7, 1e-2)),
        1 => Fracture::Strain(rng.scale(1e-5, 0.5)),
        2 => Fracture::Strength(young * rng.scale(1e-5, 0.5)),
        _ => Fracture::Never,
    };
    Material {
        name: "random".into(),
        young,
        poisson: rng.pick(&[0.25, 0.25, 0.25, 0.0, 0.1, 0.4, 0.49]),
        density: rng.scale(10.0, 1e4),
        fracture,
        damping: rng.pick(&[0.0, 0.01, 0.05, 0.3, 1.0]),
        static_friction: friction,
        dynamic_friction: friction * rng.pick(&[1.0, 1.0, 0.7]),
        restitution: rng.pick(&[0.0, 0.2, 0.5, 0.9, 1.0]),
        ..Material::default()
    }
}

fn rigid_parts(rng: &mut Rng, body: &mut BodySetup) {
    let half = |n: DVec3, at: DVec3| Region::HalfSpace { normal: n, offset: n.dot(at) };
    body.rigid = match rng.below(7) {
        0 | 1 => vec![RigidPart::Whole],
        2 => vec![RigidPart::Region(half(rng.direction(), body.at))],
        3 => {
            let n = rng.direction();
            vec![RigidPart::Region(half(n, body.at)), RigidPart::Region(half(-n, body.at))]
        }
        4 => vec![RigidPart::Automatic],
        _ => vec![],
    };
    if rng.chance(0.1) {
        body.split = vec![(format!("{}-part", body.name), half(rng.direction(), body.at))];
    }
    if body.rigid == [RigidPart::Whole] && rng.chance(0.15) {
        let i = rng.vector(0.2).abs() + 1.0;
        body.inertia = Some(kreisel::DMat3::from_diagonal(i * rng.scale(1e-3, 10.0)));
    }
}
