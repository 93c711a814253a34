//! Random heaps of all shapes: `cargo run --release --example random_heaps -- SEED COUNT SECONDS`; one seed alone is told step by step.
#![allow(clippy::unwrap_used)]

#[path = "../tests/rigid/mixture.rs"]
mod mixture;
#[path = "../tests/rigid/random.rs"]
mod random;
#[path = "../tests/rigid/scenes.rs"]
mod scenes;

use mixture::{Mixture, fate};
use random::Random;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn main() {
    let a: Vec<f64> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let (first, count, time) = (a[0] as u64, a[1] as u64, a[2]);
    for seed in first..first + count {
        let mut random = Random(seed);
        let mixture = Mixture::any(&mut random);
        let setup = mixture.setup(&mut random);
        let f = match catch_unwind(AssertUnwindSafe(|| fate(&setup, time, count == 1))) {
            Ok(f) => f,
            Err(_) => {
                println!("{seed}: PANIC {mixture:?}");
                continue;
            }
        };
        let m = mixture;
        println!(
            "{seed}: n {} sizes {:.1} dens {:.0} mu {:.2} e {:.2} {:.0} Hz{}{} | {}{} of {} unsolved, overlap {:.3} solved {:.3} ({}) end {:.4}, gain {:.1e} sum {:.1e}, P {:.0e}, v {:.2} end {:.4}, {:.0} ms",
            m.count, m.sizes, m.densities, m.friction, m.restitution, 1.0 / m.step,
            if m.walls { " walls" } else { "" }, if m.inside { " inside" } else { "" },
            f.failed.as_deref().unwrap_or(""), f.unsolved, f.steps, f.deepest, f.deepest_solved, f.who, f.last, f.gain, f.gained, f.momentum, f.fastest, f.last_fastest, 1e3 * f.slowest
        );
    }
}
