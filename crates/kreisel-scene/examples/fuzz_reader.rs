//! Mutation fuzzing of the scene reader on stable Rust: `cargo run --release -p kreisel-scene --example fuzz_reader -- 600`.
//!
//! Starts from the embedded scenes, flips, cuts, copies and splices bytes and lines, and reads the result. A panic ends
//! the program with the text that caused it; a case that takes longer than a second is reported as a hang. Random numbers
//! are a fixed sequence, so that a run can be repeated.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// A small generator: splitmix64 [SLF14].
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// Pieces that have a meaning to the reader.
const PIECES: [&str; 40] = [
    "[[body]]\n",
    "[[at]]\n",
    "[[fix]]\n",
    "[[load]]\n",
    "[[grab]]\n",
    "[[probe]]\n",
    "[[obstacle]]\n",
    "[material.x]\n",
    "[switching]\n",
    "like = \"x\"\n",
    "name = \"beam\"\n",
    "shape = { box = [1, 1, 1] }\n",
    "rigid = ",
    "where = ",
    "{ any = [",
    "{ not = ",
    "] }",
    " }",
    "{ x = { above = ",
    "\"all\"",
    "nan",
    "inf",
    "-0",
    "1e308",
    "1e-308",
    "\"2 cm\"",
    "\"5 kN/m^2\"",
    "[0, 0, 1]",
    "9223372036854775807",
    "true",
    "\"\\u0000\"",
    "'''",
    "\"\"\"",
    "#",
    "é",
    "\u{feff}",
    "cells = 10000\n",
    "a.b.c = 1\n",
    "elements = [{ radius = 1 }]",
    "\r\n",
];

fn mutate(random: &mut Random, text: &mut Vec<u8>, other: &[u8]) {
    let at = random.below(text.len() + 1);
    let length = random.below(40).min(text.len() - at);
    match random.below(7) {
        0 => drop(text.drain(at..at + length)),
        1 => drop(text.splice(at..at, PIECES[random.below(PIECES.len())].bytes())),
        2 => drop(text.splice(at..at + length, PIECES[random.below(PIECES.len())].bytes())),
        3 if at < text.len() => text[at] ^= 1 << random.below(8),
        4 => {
            let copy = text[at..at + length].to_vec();
            let to = random.below(text.len() + 1);
            drop(text.splice(to..to, copy));
        }
        5 => {
            let from = random.below(other.len() + 1);
            let end = (from + random.below(300)).min(other.len());
            drop(text.splice(at..at, other[from..end].iter().copied()));
        }
        _ => text.insert(at, random.next() as u8),
    }
}

fn main() {
    let seconds: u64 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(10);
    let seed: u64 = std::env::args().nth(2).and_then(|s| s.parse().ok()).unwrap_or(1);
    let corpus: Vec<&[u8]> = kreisel_scene::scenes().iter().map(|s| s.text.as_bytes()).collect();
    let mut random = Random(seed);
    let start = Instant::now();
    let (mut cases, mut accepted, mut slowest) = (0u64, 0u64, Duration::ZERO);
    while start.elapsed() < Duration::from_secs(seconds) {
        let mut text = corpus[random.below(corpus.len())].to_vec();
        for _ in 0..=random.below(6) {
            let other = corpus[random.below(corpus.len())];
            mutate(&mut random, &mut text, other);
        }
        let begun = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| match kreisel_scene::read_bytes("fuzz", &text) {
            Ok(_) => true,
            Err(e) => {
                assert!(!e.problems.is_empty() && !e.to_string().is_empty());
                false
            }
        }));
        let took = begun.elapsed();
        slowest = slowest.max(took);
        cases += 1;
        match outcome {
            Ok(ok) if took < Duration::from_secs(1) => accepted += u64::from(ok),
            _ => {
                println!("case {cases} failed after {took:?}:\n{}", String::from_utf8_lossy(&text));
                std::process::exit(1);
            }
        }
    }
    println!("{cases} cases, {accepted} accepted, slowest {slowest:?}, no panic and no hang");
}
