//! Lab.
#![allow(missing_docs, clippy::unwrap_used)]
use kreisel::model::setup::{BodySetup, BodyShape, Law};
use kreisel::model::shape::{PlacedShape, Shape};
use kreisel::model::{Material, Obstacle, ObstacleShape, Setup};
use kreisel::{DQuat, DVec3, Simulation};
use std::time::Instant;

pub fn material(friction: f64, restitution: f64) -> Material {
    Material { static_friction: friction, dynamic_friction: friction, restitution, ..Material::default() }
}
pub fn body(name: &str, shape: Shape, at: DVec3, material: Material) -> BodySetup {
    let part = PlacedShape { shape, at: DVec3::ZERO, rotation: DQuat::IDENTITY };
    let shape = BodyShape::Exact { parts: vec![part], centre: None };
    BodySetup { name: name.into(), shape, at, material, ..BodySetup::default() }
}
pub fn on_ground(bodies: Vec<BodySetup>, step: f64, duration: f64) -> Setup {
    let plane = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
    let ground = Obstacle { name: "ground".into(), shape: plane, friction: None, restitution: None };
    Setup {
        law: Law::Constraint,
        obstacles: vec![ground],
        bodies,
        step: Some(step),
        frame: step,
        duration,
        ..Setup::default()
    }
}
fn unlike(count: u32, spread: f64, step: f64, side: u32, r: f64) -> Setup {
    let shuffled = |k: u32, by: u32| f64::from(k * by % 101) / 101.0;
    let n = f64::from(side);
    let ball = |k: u32| {
        let off = |by: u32| 0.2 * r * (shuffled(k, by) - 0.5);
        let place =
            DVec3::new(f64::from(k % side), f64::from(k / side % side), f64::from(k / (side * side)) + 0.6) * 2.2 * r;
        let at = place + DVec3::new(off(13), off(29), 0.0);
        let mass = Some(spread.powf(shuffled(k, 37)));
        BodySetup { mass, ..body(&format!("ball-{k}"), Shape::Sphere { radius: r }, at, material(0.5, 0.0)) }
    };
    let mut setup = on_ground((0..count).map(ball).collect(), step, 1.0);
    let far = (2.2 * (n - 1.0) + 1.4) * r;
    for (normal, offset) in [(DVec3::X, -1.4 * r), (DVec3::NEG_X, -far), (DVec3::Y, -1.4 * r), (DVec3::NEG_Y, -far)] {
        let shape = ObstacleShape::Plane { normal, offset };
        setup.obstacles.push(Obstacle { name: format!("wall {normal}"), shape, friction: None, restitution: None });
    }
    setup
}
fn main() {
    let a: Vec<f64> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let (count, spread, rate, side, time) = (a[0] as u32, a[1], a[2], a[3] as u32, a[4]);
    let r = 0.1;
    let verbose = a.len() > 5;
    let mut sim = Simulation::new(&unlike(count, spread, 1.0 / rate, side, r)).unwrap();
    let (mut unsolved, mut steps, mut silent, mut worst, mut worst_solved, mut slowest) =
        (0, 0, 0, 0.0_f64, 0.0_f64, 0.0_f64);
    let start = Instant::now();
    let (mut gain, mut energy) = (0.0_f64, sim.ledger().energy());
    let mut fast = 0.0_f64;
    while sim.time() < time {
        let t = Instant::now();
        let report = sim.step().unwrap();
        let took = t.elapsed().as_secs_f64();
        slowest = slowest.max(took);
        steps += 1;
        unsolved += u32::from(report.unconverged_contacts > 0);
        let b = &sim.state().aggregates;
        let mut overlap = 0.0_f64;
        for i in 0..b.len() {
            for j in 0..i {
                overlap = overlap.max(1.0 - b[i].position.distance(b[j].position) / (2.0 * r));
            }
            overlap = overlap.max(1.0 - b[i].position.z / r);
        }
        worst = worst.max(overlap);
        if report.unconverged_contacts == 0 {
            worst_solved = worst_solved.max(overlap);
            if overlap > 0.01 {
                silent += 1;
            }
        }
        let fastest = b.iter().map(|a| a.velocity.length()).fold(0.0, f64::max);
        fast = fast.max(fastest);
        let e = sim.ledger().energy();
        gain = gain.max(e - energy);
        energy = e;
        if verbose {
            println!(
                "{:.4} s: unsolved {} residual {:.2e} sweeps {} newton {} contacts {} overlap {:.2}% fastest {:.2} {:.0} ms E {:.4e}",
                sim.time(),
                report.unconverged_contacts,
                report.contact_residual,
                report.contact_sweeps,
                report.newton_iterations,
                report.contacts,
                100.0 * overlap,
                fastest,
                1e3 * took,
                e
            );
        }
    }
    println!(
        "{count} balls, 1:{spread:e}, {rate} Hz, side {side}: overlap {:.2}% (in solved steps {:.2}%), {unsolved} of {steps} unsolved, {silent} silently over 1%, slowest {:.0} ms, total {:.1} s, gain {:.2e}, fastest {fast:.1}",
        100.0 * worst,
        100.0 * worst_solved,
        1e3 * slowest,
        start.elapsed().as_secs_f64(),
        gain
    );
}
