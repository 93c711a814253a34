//! How many problems of each kind are solved, and how fast.

use super::scenes::{Heap, Noise};
use kreisel::DVec3;
use kreisel::linear::cone::{ConeParams, solve_cone};
use kreisel::linear::lcp::{LcpParams, Status, solve_lcp};
use kreisel::linear::pyramid::pyramid_lcp;
use std::time::Instant;

/// Problems of all kinds with at most this many contacts, by name.
pub fn kinds(most: usize) -> Vec<(String, Heap)> {
    let mut all: Vec<(String, Heap)> = Vec::new();
    let mut noise = Noise(77);
    for mu in [0.0, 0.3, 0.7, 1.0] {
        for ratio in [1e-6, 1e-3, 1.0, 1e3, 1e6] {
            for push in [DVec3::ZERO, DVec3::X * 0.05] {
                for base in [2, 3, 4, 6, 8, 10, 11] {
                    all.push((format!("pyramid {base} {ratio:e} {mu} {push}"), Heap::pyramid(base, ratio, mu, push)));
                }
                for cubes in [1, 3, 5, 10, 20, 50, 100] {
                    all.push((format!("column {cubes} {ratio:e} {mu} {push}"), Heap::column(cubes, ratio, mu, push)));
                }
            }
            for stones in [5, 11, 21] {
                all.push((format!("arch {stones} {ratio:e} {mu}"), Heap::arch(stones, mu, ratio)));
            }
            for (side, layers) in [(2, 2), (3, 3), (4, 4), (5, 5)] {
                let heap = Heap::poured(side, layers, mu, ratio, &mut noise);
                all.push((format!("poured {side} {layers} {ratio:e} {mu}"), heap));
            }
            for wheels in [2, 3, 8] {
                all.push((format!("rover {wheels} {ratio:e} {mu}"), Heap::rover(wheels, mu, ratio, 0.5)));
            }
            for contacts in [3, 10, 30, 100, 300] {
                let heap = Heap::random(1 + contacts / 3, contacts, ratio, &mut noise);
                all.push((format!("random {contacts} {ratio:e}"), heap));
            }
        }
        for (layers, across) in [(2, 2), (5, 2), (4, 3), (8, 3), (12, 3), (20, 2)] {
            all.push((format!("planks {layers} {across} {mu}"), Heap::planks(layers, across, mu, &mut noise)));
        }
    }
    let doubled: Vec<(String, Heap)> =
        all.iter().step_by(7).map(|(n, h)| (format!("doubled {n}"), h.clone().doubled())).collect();
    all.extend(doubled);
    all.retain(|(_, heap)| heap.contacts.len() <= most);
    all
}

fn asked(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn report(lines: Vec<(String, Status, f64, f64, &'static str)>) {
    let solved = lines.iter().filter(|l| l.1 == Status::Solved).count();
    for (name, status, residual, seconds, method) in &lines {
        if *status != Status::Solved || *seconds > 2.0 {
            println!("{name}: {status:?} {residual:.1e} {seconds:.2} s {method}");
        }
    }
    println!("{solved} of {} solved in {:.1} s", lines.len(), lines.iter().map(|l| l.3).sum::<f64>());
}

#[test]
#[ignore = "a survey"]
fn cones_of_all_kinds() {
    let lines =
        kinds(asked("MOST", 200)).into_iter().skip(asked("SKIP", 0)).step_by(asked("EVERY", 1)).map(|(name, heap)| {
            let problem = heap.problem();
            let begin = Instant::now();
            let a = solve_cone(&problem, &ConeParams::default());
            (format!("{name} ({})", heap.contacts.len()), a.status, a.residual, begin.elapsed().as_secs_f64(), a.method)
        });
    report(lines.collect());
}

#[test]
#[ignore = "a survey"]
fn pyramids_of_all_kinds() {
    let lines =
        kinds(asked("MOST", 40)).into_iter().skip(asked("SKIP", 0)).step_by(asked("EVERY", 1)).map(|(name, heap)| {
            let mut heap = heap;
            heap.in_units(10_f64.powi(asked("LIGHTER", 0) as i32));
            let problem = pyramid_lcp(&heap.problem(), asked("EDGES", 4) as u32, &[]);
            let begin = Instant::now();
            let a = solve_lcp(&problem, &LcpParams::default());
            (format!("{name} ({})", heap.contacts.len()), a.status, a.residual, begin.elapsed().as_secs_f64(), a.method)
        });
    report(lines.collect());
}
