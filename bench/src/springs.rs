//! The spring kernel against a plain scatter loop, in turns in the same run: connection updates per second, spring and damper.

use kreisel::DVec3;
use kreisel::force::springs::{Instructions, Spring, SpringRuns};
use kreisel::linear::Vectors;
use std::time::Instant;

/// Nodes along an edge of the cube: 4 k, 27 k and 1 M elements.
const SIZES: [usize; 3] = [16, 30, 100];
/// Seconds of measuring for each size and each way.
const SECONDS: f64 = 1.0;
const SPACING: f64 = 0.1;

/// Prints the table.
pub fn run() {
    println!("Connection updates per second [1e6/s] (spring and damper, counted once), 18-neighbour cube, f64.");
    println!("All ways in turns in one run; median of the repeats, and best (what a busy machine hides least).");
    println!("Ratios: to the plain loop, of medians and of bests.\n");
    print!("{:>9} {:>11}  {:<32}", "elements", "connections", "way");
    println!("{:>8} {:>6} {:>8} {:>6} {:>11}  hash", "median", "ratio", "best", "ratio", "ns/element");
    for size in SIZES {
        measure(&Cube::new(size));
    }
}

/// A cube of elements with 18 neighbours each, a little deformed and in motion.
struct Cube {
    springs: Vec<Spring>,
    x: Vectors,
    v: Vectors,
}

impl Cube {
    fn new(size: usize) -> Self {
        let mut cube = Self { springs: Vec::new(), x: Vectors::zeros(size.pow(3)), v: Vectors::zeros(size.pow(3)) };
        let mut random = Random(1);
        for e in 0..size.pow(3) {
            let node = [e % size, e / size % size, e / (size * size)].map(|a| a as f64);
            cube.x.set(e, SPACING * (DVec3::from_array(node) + 0.02 * random.vector()));
            cube.v.set(e, 0.1 * random.vector());
            cube.connect(e, size);
        }
        cube
    }

    /// The 9 of 18 connections of node `e` that lead to later nodes.
    fn connect(&mut self, e: usize, size: usize) {
        const STEPS: [[isize; 3]; 9] =
            [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [-1, 1, 0], [1, 0, 1], [-1, 0, 1], [0, 1, 1], [0, -1, 1]];
        let node = [e % size, e / size % size, e / (size * size)];
        for step in STEPS {
            let to = [0, 1, 2].map(|c| node[c].wrapping_add_signed(step[c]));
            if to.iter().any(|c| *c >= size) {
                continue;
            }
            let length = SPACING * (step.iter().map(|s| s * s).sum::<isize>() as f64).sqrt();
            self.springs.push(Spring {
                e1: e as u32,
                e2: (to[0] + size * (to[1] + size * to[2])) as u32,
                stiffness: 1e4,
                rest_length: length,
                damping: 3.0,
                break_length: 2.0 * length,
            });
        }
    }
}

/// A connection of the plain loop.
struct Link {
    ends: [u32; 2],
    stiffness: f64,
    rest_length: f64,
    damping: f64,
}

/// The plain loop's data, as one writes it first: an array of structures, and connections by element.
struct Plain {
    links: Vec<Link>,
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    f: Vec<DVec3>,
}

impl Plain {
    fn new(cube: &Cube) -> Self {
        let link = |s: &Spring| Link {
            ends: [s.e1, s.e2],
            stiffness: s.stiffness,
            rest_length: s.rest_length,
            damping: s.damping,
        };
        let rows = |a: &Vectors| (0..a.len()).map(|e| a.get(e)).collect::<Vec<_>>();
        let links = cube.springs.iter().map(link).collect();
        Self { links, x: rows(&cube.x), v: rows(&cube.v), f: vec![DVec3::ZERO; cube.x.len()] }
    }

    /// For every connection: spring and damper from both ends, to both ends. No energy, no fracture, one field.
    fn add_forces(&mut self) {
        for s in &self.links {
            let [i, j] = s.ends.map(|e| e as usize);
            let r = self.x[i] - self.x[j];
            let v = self.v[i] - self.v[j];
            let d = r.length();
            let n = r * (1.0 / d);
            let force = (s.stiffness * (d - s.rest_length) + s.damping * n.dot(v)) * n;
            self.f[i] -= force;
            self.f[j] += force;
        }
    }
}

/// One way to compute the forces, with the seconds each repeat took.
struct Way<'a> {
    name: String,
    pass: Box<dyn FnMut() + 'a>,
    seconds: Vec<f64>,
}

impl Way<'_> {
    /// Seconds per pass over `passes` passes.
    fn repeat(&mut self, passes: usize) {
        let start = Instant::now();
        for _ in 0..passes {
            (self.pass)();
        }
        self.seconds.push(start.elapsed().as_secs_f64() / passes as f64);
    }
}

fn measure(cube: &Cube) {
    let (elements, connections) = (cube.x.len(), cube.springs.len());
    let mut plain = Plain::new(cube);
    let mut ways =
        vec![Way { name: "plain scatter".into(), pass: Box::new(move || plain.add_forces()), seconds: vec![] }];
    let mut hashes = vec![String::new()];
    for instructions in Instructions::available() {
        for threads in [1, 2] {
            for split in [true, false] {
                let (way, hash) = ours(cube, instructions, threads, split);
                ways.push(way);
                hashes.push(hash);
            }
        }
    }
    let passes = (60_000 / connections).max(1);
    let start = Instant::now();
    while ways[0].seconds.len() < 5 || start.elapsed().as_secs_f64() < SECONDS * ways.len() as f64 {
        ways.iter_mut().for_each(|way| way.repeat(passes));
    }
    for (way, hash) in ways.iter().zip(hashes) {
        print!("{elements:>9} {connections:>11}  {:<32}", way.name);
        for of in [median, best] {
            let seconds = of(&way.seconds);
            print!("{:>8.1} {:>6.2} ", connections as f64 / seconds / 1e6, of(&ways[0].seconds) / seconds);
        }
        println!("{:>11.1}  {hash}", best(&way.seconds) / elements as f64 * 1e9);
    }
}

/// Our kernel on `threads` threads, with spring and damper in fields of their own or in one.
fn ours<'a>(cube: &'a Cube, instructions: Instructions, threads: usize, split: bool) -> (Way<'a>, String) {
    let mut runs = SpringRuns::build(cube.x.len(), &cube.springs);
    runs.set_instructions(instructions);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let mut elastic = Vectors::zeros(cube.x.len());
    let mut damping = Vectors::zeros(cube.x.len());
    let sums = pool.install(|| runs.add_forces(&cube.x, &cube.v, &mut elastic, &mut damping));
    let hash = format!("{:016x}", hash(&[&elastic, &damping], sums.energy));
    let pass = move || {
        pool.install(|| {
            if split {
                runs.add_forces(&cube.x, &cube.v, &mut elastic, &mut damping);
            } else {
                runs.add_total_forces(&cube.x, &cube.v, &mut elastic);
            }
        });
    };
    let fields = if split { "two fields" } else { "one field" };
    let name = format!("{}, {fields}, {threads} thread{}", instructions.name(), if threads == 1 { "" } else { "s" });
    (Way { name, pass: Box::new(pass), seconds: vec![] }, hash)
}

fn median(a: &[f64]) -> f64 {
    let mut a = a.to_vec();
    a.sort_by(f64::total_cmp);
    a[a.len() / 2]
}

fn best(a: &[f64]) -> f64 {
    a.iter().fold(f64::INFINITY, |best, a| best.min(*a))
}

/// FNV-1a over the bits of the result.
fn hash(fields: &[&Vectors], energy: f64) -> u64 {
    let numbers = fields.iter().flat_map(|f| f.x.iter().chain(&f.y).chain(&f.z)).chain([&energy]);
    numbers.fold(0xcbf2_9ce4_8422_2325, |h, a| (h ^ a.to_bits()).wrapping_mul(0x0000_0100_0000_01b3))
}

/// A small generator of numbers that look random (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }
}
