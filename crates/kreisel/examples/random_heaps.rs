//! Random heaps of all shapes: `cargo run --release -p kreisel --example random_heaps -- SEED COUNT SECONDS`.
//!
//! For each seed from `SEED` on: what the heap is made of, steps that are told as unsolved, the deepest overlap as a share of the width of
//! the thinner body (of all steps, of solved ones and at the end), the most energy that came in a step, the residual of momenta, the
//! fastest body and the slowest step.
#![allow(clippy::unwrap_used)]

#[path = "../tests/rigid/angle.rs"]
mod angle;
#[path = "../tests/rigid/mixture.rs"]
mod mixture;
#[path = "../tests/rigid/random.rs"]
mod random;
#[path = "../tests/rigid/scenes.rs"]
mod scenes;

use mixture::{Fate, Mixture, fate};
use random::Random;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |or: f64| arguments.next().and_then(|a| a.parse().ok()).unwrap_or(or);
    let (first, count, time) = (number(1.0) as u64, number(10.0) as u64, number(1.0));
    for seed in first..first + count {
        let mut random = Random(seed);
        let mixture = Mixture::any(&mut random);
        let setup = mixture.setup(&mut random);
        println!("{seed}: {mixture:?}");
        match catch_unwind(AssertUnwindSafe(|| fate(&setup, time))) {
            Ok(fate) => tell(&fate),
            Err(_) => println!("   panic"),
        }
    }
}

fn tell(f: &Fate) {
    if let Some(failed) = &f.failed {
        println!("   failed: {failed}");
    }
    let Fate { unsolved, steps, deepest, deepest_solved, who, last, gain, momentum, .. } = f;
    println!(
        "   {unsolved} of {steps} steps unsolved, overlap {deepest:.3}, {deepest_solved:.3} solved ({who}), {last:.4} last"
    );
    let (fast, still, slowest) = (f.fastest, f.last_fastest, 1e3 * f.slowest);
    println!(
        "   gain {gain:.1e}, momenta {momentum:.0e}, fastest {fast:.2} m/s, {still:.4} last, slowest step {slowest:.0} ms"
    );
}
