//! What all benchmarks share: times, medians, a pool of threads, and the blocks that they measure.

use kreisel::DVec3;
use kreisel::model::setup::{BodySetup, BodyShape, ContactSettings};
use kreisel::model::{Fracture, Material, Setup};
use std::time::Instant;

/// Nodes along an edge of the cubes: 4 k, 27 k and 1 M elements.
pub const SIZES: [u32; 3] = [16, 30, 100];

/// Wall time [s].
pub fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed().as_secs_f64()
}

/// The middle one.
pub fn median(a: &[f64]) -> f64 {
    let mut a = a.to_vec();
    a.sort_by(f64::total_cmp);
    a.get(a.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The smallest: what a busy machine hides least.
pub fn best(a: &[f64]) -> f64 {
    a.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Runs `work` with a given number of threads.
pub fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads").install(work)
}

/// The load of the machine, which the figures depend on.
pub fn print_load() {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, |n| n.get());
    println!("load before: {} on {cores} cores", load.split(' ').take(3).collect::<Vec<_>>().join(" "));
}

/// A free spinning cube of `size³` elements with 18 neighbours each, without gravity.
pub fn cube(size: u32, contact: bool, damping: f64, fracture: Fracture) -> Setup {
    let body = BodySetup {
        shape: BodyShape::Box { size: DVec3::splat(f64::from(size - 1) * 0.01), cells: size - 1 },
        material: Material { damping, fracture, ..Material::default() },
        velocity: DVec3::new(0.3, -0.1, 0.2),
        spin: DVec3::new(0.2, 1.0, -0.5),
        ..BodySetup::default()
    };
    Setup {
        gravity: DVec3::ZERO,
        bodies: vec![body],
        contact: ContactSettings { enabled: contact, ..ContactSettings::default() },
        ..Setup::default()
    }
}
