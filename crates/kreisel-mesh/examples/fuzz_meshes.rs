//! Mutation fuzzing of the mesh readers on stable Rust: `cargo run --release -p kreisel-mesh --example fuzz_meshes -- 600 1`.
//!
//! Starts from files of every format, flips, cuts, copies and splices bytes, writes numbers that matter into them, and
//! reads the result, every fourth time with filling. A panic, a case that takes longer than two seconds and memory
//! above half a gigabyte end the program, and the case is written to a file. What is accepted must be closed.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Shape, all_formats, cube, torus};
use kreisel_mesh::{Fill, ReadOptions, read_bytes, write_obj};
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

/// Pieces that have a meaning to some reader.
const PIECES: [&str; 44] = [
    "f 1 2 3 4 5 6\n",
    "f -1 -2 -3\n",
    "v nan 0 0\n",
    "v 1e30 0 0\n",
    "vt 0 1\n",
    "o x\n",
    "g y\n",
    "usemtl z\n",
    "\\\n",
    "solid",
    "endsolid",
    "facet",
    "endfacet",
    "vertex 0 0 0\n",
    "ply\n",
    "format ascii 1.0\n",
    "element face 99999999\n",
    "element vertex 18446744073709551615\n",
    "property list uchar int vertex_indices\n",
    "property list double uchar x\n",
    "property float x\n",
    "end_header\n",
    "nan",
    "inf",
    "-0",
    "1e308",
    "1e-320",
    "0",
    "4294967295",
    "99999999999999999999",
    "\"children\":[0],",
    "\"matrix\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],",
    "\"scale\":[1e200,1,1],",
    "\"mode\":5,",
    "\"mode\":6,",
    "\"count\":99999999,",
    "\"byteStride\":1,",
    "\"normalized\":true,",
    "\"componentType\":5120,",
    "\"byteOffset\":7,",
    "[[[[[[[[[[[[[[[[",
    "{",
    "}",
    "\u{feff}",
];

/// Words that matter in binary files.
const WORDS: [u32; 10] = [0, 1, 2, 3, 255, 0x7fff_ffff, 0x8000_0000, u32::MAX, 0x7f80_0000, 0x7fc0_0000];

fn mutate(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    let at = random.below(bytes.len() + 1);
    let length = random.below(40).min(bytes.len() - at);
    match random.below(9) {
        0 => drop(bytes.drain(at..at + length)),
        1 => drop(bytes.splice(at..at, PIECES[random.below(PIECES.len())].bytes())),
        2 => drop(bytes.splice(at..at + length, PIECES[random.below(PIECES.len())].bytes())),
        3 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        4 => {
            let copy = bytes[at..at + length].to_vec();
            let to = random.below(bytes.len() + 1);
            drop(bytes.splice(to..to, copy));
        }
        5 => {
            let from = random.below(other.len() + 1);
            let end = (from + random.below(300)).min(other.len());
            drop(bytes.splice(at..at, other[from..end].iter().copied()));
        }
        6 if at + 4 <= bytes.len() => {
            bytes[at..at + 4].copy_from_slice(&WORDS[random.below(WORDS.len())].to_le_bytes());
        }
        7 => bytes.truncate(at.max(bytes.len() / 2)),
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = b"0123456789.-e /\n{}[],:"[random.below(22)];
            }
        }
    }
}

/// Reads; what is accepted is finite, encloses something, and can be written.
fn examine(name: &str, bytes: &[u8], fill: bool) -> bool {
    let fill = if fill { Fill::WindingNumber } else { Fill::Refuse };
    let options = ReadOptions { fill, fill_cells: 12, ..ReadOptions::default() };
    match read_bytes(name, bytes, &options) {
        Err(error) => {
            assert!(error.to_string().len() > name.len() + 10);
            false
        }
        Ok(loaded) => {
            assert!(!loaded.report.to_string().is_empty());
            assert!(loaded.surface.volume() > 0.0, "{}", loaded.report);
            assert!(write_obj(std::io::sink(), &loaded.surface, |v| loaded.surface.vertices[v]).is_ok());
            true
        }
    }
}

/// Time that this process had a core, where the system tells: others may be busy. Elsewhere the time since `start`.
fn processor(start: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|w| w.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// The largest memory this process had [MB], where the system tells.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|w| w.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn corpus() -> Vec<(&'static str, Vec<u8>)> {
    let hollow = cube().and(cube().map(|x| 0.5 * x));
    let shapes: [Shape; 4] = [cube(), hollow, torus(8, 5), torus(30, 20)];
    shapes.iter().flat_map(all_formats).collect()
}

fn main() {
    let argument = |k: usize| std::env::args().nth(k).and_then(|s| s.parse::<u64>().ok());
    let (seconds, seed) = (argument(1).unwrap_or(10), argument(2).unwrap_or(1));
    let corpus = corpus();
    let mut random = Random(seed);
    let start = Instant::now();
    let (mut cases, mut accepted, mut slowest) = (0u64, 0u64, Duration::ZERO);
    while start.elapsed() < Duration::from_secs(seconds) {
        let (name, original) = &corpus[random.below(corpus.len())];
        let mut bytes = original.clone();
        for _ in 0..=random.below(5) {
            let other = &corpus[random.below(corpus.len())].1;
            mutate(&mut random, &mut bytes, other);
        }
        let (fill, begun) = (random.below(4) == 0, processor(start));
        let outcome = catch_unwind(AssertUnwindSafe(|| examine(name, &bytes, fill)));
        let took = processor(start).saturating_sub(begun);
        slowest = slowest.max(took);
        cases += 1;
        let memory = if cases.is_multiple_of(64) { peak() } else { 0 };
        match outcome {
            Ok(ok) if took < Duration::from_secs(2) && memory < 512 => accepted += u64::from(ok),
            _ => {
                let file = std::env::temp_dir().join(format!("failed-{seed}-{cases}-{name}"));
                let _ = std::fs::write(&file, &bytes);
                println!("case {cases} failed after {took:?}, peak {memory} MB: {} (fill: {fill})", file.display());
                std::process::exit(1);
            }
        }
    }
    let rate = cases as f64 / start.elapsed().as_secs_f64();
    println!("{cases} cases ({rate:.0} per second), {accepted} accepted, slowest {slowest:?}, peak {} MB", peak());
}
