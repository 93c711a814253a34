//! Whole scenes: the embedded ones, and some with many contacts built here.

use crate::measure::{print_load, with_threads};
use kreisel::model::setup::{BodySetup, BodyShape, ElementSetup};
use kreisel::model::{Obstacle, ObstacleShape, Setup};
use kreisel::{DVec3, Simulation};
use kreisel_record::cpu_seconds;

/// At most so many simulated seconds of each scene [s].
const LONGEST: f64 = 1.0;

/// Prints the table; `only` chooses one scene by name.
pub fn run(only: Option<&str>) {
    print_load();
    println!("Whole scenes on one thread: processor time for at most {LONGEST} simulated seconds.\n");
    println!(
        "{:<18} {:>9} {:>8} {:>9} {:>10} {:>12} {:>11} {:>9}  {:>16}",
        "scene", "elements", "time", "steps", "cpu [s]", "cpu s per s", "ns/el/step", "residual", "hash of state"
    );
    let wanted = |name: &str| only.is_none_or(|only| only == name);
    for scene in kreisel_scene::scenes().iter().filter(|s| wanted(s.name)) {
        match kreisel_scene::read(scene.name, scene.text) {
            Ok(read) => measure(scene.name, &read.setup),
            Err(error) => eprintln!("{}: {error}", scene.name),
        }
    }
    let built: [(&str, fn() -> Setup); 3] = [("soft-stack", soft_stack), ("balls", balls), ("big-block", big_block)];
    for (name, setup) in built.into_iter().filter(|(name, _)| wanted(name)) {
        measure(name, &setup());
    }
}

fn measure(name: &str, setup: &Setup) {
    let result = with_threads(1, || {
        let mut sim = Simulation::new(setup).map_err(|e| e.to_string())?;
        let start = cpu_seconds();
        sim.run_until(setup.duration.min(LONGEST)).map_err(|e| e.to_string())?;
        Ok::<_, String>((cpu_seconds() - start, sim))
    });
    let (cpu, sim) = match result {
        Ok(done) => done,
        Err(error) => {
            println!("{name:<18} {error}");
            return;
        }
    };
    let (n, steps, time) = (sim.model().elements.len(), sim.state().steps, sim.time());
    let per_step = 1e9 * cpu / (n as f64 * steps as f64);
    let (residual, hash) = (sim.ledger().relative_residual(), kreisel_record::state_hash(sim.state()));
    print!("{name:<18} {n:>9} {time:>8.3} {steps:>9} {cpu:>10.3} {:>12.3}", cpu / time);
    println!(" {per_step:>11.1} {residual:>9.1e}  {hash:016x}");
}

fn ground() -> Obstacle {
    let shape = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
    Obstacle { name: "ground".into(), shape, friction: None, restitution: None }
}

/// Eight soft blocks that fall onto each other.
fn soft_stack() -> Setup {
    let block = |k: u32| BodySetup {
        name: format!("block {k}"),
        shape: BodyShape::Box { size: DVec3::new(0.3, 0.3, 0.15), cells: 6 },
        at: DVec3::new(0.01 * f64::from(k % 2), 0.0, 0.08 + 0.16 * f64::from(k)),
        ..BodySetup::default()
    };
    let bodies = (0..8).map(block).collect();
    Setup { bodies, obstacles: vec![ground()], duration: 0.5, ..Setup::default() }
}

/// Two thousand lone balls that fall in a heap.
fn balls() -> Setup {
    let ball = |k: u32| {
        let place = DVec3::new(f64::from(k % 10), f64::from(k / 10 % 10), f64::from(k / 100));
        let shift = DVec3::new(f64::from(k / 100 % 3), f64::from(k / 100 % 2), 0.0) * 0.02;
        ElementSetup { at: place * 0.105 + shift, velocity: DVec3::ZERO, mass: Some(0.1), radius: 0.05 }
    };
    let shape = BodyShape::Elements { elements: (0..2000).map(ball).collect(), connections: Vec::new() };
    let heap = BodySetup { shape, at: DVec3::new(0.0, 0.0, 0.06), ..BodySetup::default() };
    Setup { bodies: vec![heap], obstacles: vec![ground()], duration: 0.5, ..Setup::default() }
}

/// A block of 27 k elements that falls on the ground.
fn big_block() -> Setup {
    let block = BodySetup {
        shape: BodyShape::Box { size: DVec3::splat(0.29), cells: 29 },
        at: DVec3::new(0.0, 0.0, 0.15),
        ..BodySetup::default()
    };
    Setup { bodies: vec![block], obstacles: vec![ground()], duration: 0.05, ..Setup::default() }
}
