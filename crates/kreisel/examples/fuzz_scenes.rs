//! Random valid scenes for as long as told: `cargo run --release --example fuzz_scenes -- SECONDS SEED [ONE]`.
//!
//! Prints the seed of every failure, the distribution of the ledger's residuals and the worst scenes. With `ONE` it runs
//! the scene of that seed alone and prints what it is.

#[path = "../tests/random/mod.rs"]
mod random;

use random::check::{Again, Outcome, run};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(60.0);
    let first: u64 = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(1);
    if arguments.next().is_some() {
        return show(first);
    }
    let begin = Instant::now();
    let current = watchdog();
    let mut all: Vec<(u64, Outcome, f64)> = Vec::new();
    let mut panics = 0;
    for seed in first.. {
        if begin.elapsed().as_secs_f64() > seconds {
            break;
        }
        let start = Instant::now();
        current.store(seed, Ordering::Relaxed);
        match catch_unwind(AssertUnwindSafe(|| attempt(seed))) {
            Err(_) => {
                panics += 1;
                println!("seed {seed}: panic");
            }
            Ok(None) => {}
            Ok(Some(outcome)) => {
                for wrong in &outcome.wrong {
                    println!("seed {seed}: {wrong}");
                }
                all.push((seed, outcome, start.elapsed().as_secs_f64()));
            }
        }
    }
    summary(&all, panics);
}

/// A thread that names a scene that has been running for ten seconds.
fn watchdog() -> Arc<AtomicU64> {
    let current = Arc::new(AtomicU64::new(0));
    let seen = current.clone();
    std::thread::spawn(move || {
        let mut last = 0;
        loop {
            std::thread::sleep(Duration::from_secs(10));
            let now = seen.load(Ordering::Relaxed);
            if now == last {
                println!("seed {now}: still running after ten seconds");
            }
            last = now;
        }
    });
    current
}

fn attempt(seed: u64) -> Option<Outcome> {
    let setup = random::scene(seed)?;
    let again = [Again::No, Again::Forgetful, Again::No, Again::Resumed][(seed % 4) as usize];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1 + (seed % 2) as usize).build().ok()?;
    Some(pool.install(|| run(&setup, again)))
}

fn show(seed: u64) {
    let Some(setup) = random::scene(seed) else { return println!("scene {seed} cannot be built") };
    println!("{setup:#?}");
    if let Ok(mut sim) = kreisel::Simulation::new(&setup) {
        while let (true, Ok(report)) = (sim.time() < setup.duration, sim.step()) {
            let spin = sim.state().aggregates.iter().map(|a| a.spin().length()).fold(0.0, f64::max);
            let (n, h, l) = (report.substeps, report.step, sim.ledger());
            println!("{:.4e} s: {n} steps of {h:.2e} s, spin {spin:.2e}, energy {:.4e}", sim.time(), l.energy());
        }
    }
    println!("{:#?}", run(&setup, Again::No));
}

fn summary(all: &[(u64, Outcome, f64)], panics: usize) {
    let ran = || all.iter().filter(|o| o.1.refused.is_none());
    let steps: u64 = ran().map(|o| o.1.steps).sum();
    let touched = ran().filter(|o| o.1.contacts > 0).count();
    let (refused, failed) = (all.len() - ran().count(), ran().filter(|o| o.1.failed_step.is_some()).count());
    let wrong = all.iter().filter(|o| !o.1.wrong.is_empty()).count();
    println!(
        "{} scenes run, {steps} steps, {touched} with contacts, {refused} refused, {failed} ended by a step error",
        ran().count()
    );
    println!("{wrong} wrong, {panics} panics");
    let worst = |name: &str, key: fn(&Outcome) -> f64| {
        let mut sorted: Vec<_> = ran().collect();
        sorted.sort_by(|a, b| key(&b.1).total_cmp(&key(&a.1)));
        let show: Vec<String> = sorted.iter().take(8).map(|o| format!("{:.1e} ({})", key(&o.1), o.0)).collect();
        println!("worst {name}: {}", show.join(", "));
        let at = |q: f64| sorted.get((q * sorted.len() as f64) as usize).map_or(0.0, |o| key(&o.1));
        println!("  median {:.1e}, 10 % above {:.1e}, 1 % above {:.1e}", at(0.5), at(0.1), at(0.01));
    };
    worst("P", |o| o.momentum);
    worst("L", |o| o.angular_momentum);
    worst("energy gained", |o| o.energy);
    worst("energy lost", |o| -o.energy);
    let mut slow: Vec<_> = all.iter().collect();
    slow.sort_by(|a, b| b.2.total_cmp(&a.2));
    let slow: Vec<String> = slow.iter().take(5).map(|o| format!("{:.1} s ({})", o.2, o.0)).collect();
    println!("slowest: {}", slow.join(", "));
    for o in ran().filter(|o| o.1.failed_step.is_some()).take(12) {
        println!("  {}: {}", o.0, o.1.failed_step.as_deref().unwrap_or(""));
    }
    let mut reasons: Vec<&str> = all.iter().filter_map(|o| o.1.refused.as_deref()).collect();
    reasons.sort_unstable();
    reasons.iter().step_by((reasons.len() / 8).max(1)).for_each(|r| println!("  refused: {:.150}", r));
}
