//! The spring kernel against a plain scatter loop, in turns in the same run: connection updates per second, spring and damper.

use kreisel::DVec3;
use kreisel::force::springs::{Instructions, Spring, SpringRuns};
use kreisel::linear::Vectors;
use std::time::Instant;

/// Nodes along an edge of the cube: 4 k, 27 k and 1 M elements.
const SIZES: [usize; 3] = [16, 30, 100];
/// Seconds of measuring for each size and way.
const SECONDS: f64 = 1.0;
const SPACING: f64 = 0.1;

/// Prints the table.
pub fn run() {
    println!("Connection updates per second [1e6/s] (spring and damper, counted once), 18-neighbour cube, f64.");
    println!("All ways in turns in one run; median of the repeats, and best (what a busy machine hides least).");
    println!("Ratios: to the plain loop, of medians and of bests.\n");
    print!("{:>9} {:>11}  {:<34}", "elements", "connections", "way");
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

/// One way to compute the forces.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Plain,
    /// Our kernel, with spring and damper in fields of their own or in one.
    Ours {
        instructions: Instructions,
        two_fields: bool,
        threads: usize,
    },
}

impl Way {
    fn all() -> Vec<Self> {
        let mut ways = vec![Self::Plain];
        let best = Instructions::best();
        for (instructions, threads) in [(Instructions::PORTABLE, 1), (best, 1), (best, 2)] {
            for two_fields in [false, true] {
                ways.push(Self::Ours { instructions, two_fields, threads });
            }
        }
        ways
    }

    fn name(self) -> String {
        match self {
            Self::Plain => "plain scatter, one field".into(),
            Self::Ours { instructions, two_fields, threads } => {
                let fields = if two_fields { "two fields" } else { "one field" };
                format!("{}, {fields}, threads: {threads}", instructions.name())
            }
        }
    }

    fn threads(self) -> usize {
        if let Self::Ours { threads, .. } = self { threads } else { 1 }
    }
}

/// Everything the ways work on; ours share their data, so that none finds it in the cache by another's absence.
struct Setup<'a> {
    cube: &'a Cube,
    plain: Plain,
    runs: SpringRuns,
    elastic: Vectors,
    damping: Vectors,
}

impl<'a> Setup<'a> {
    fn new(cube: &'a Cube) -> Self {
        let zeros = || Vectors::zeros(cube.x.len());
        let runs = SpringRuns::build(cube.x.len(), &cube.springs);
        Self { cube, plain: Plain::new(cube), runs, elastic: zeros(), damping: zeros() }
    }

    fn pass(&mut self, way: Way) -> f64 {
        let Way::Ours { instructions, two_fields, .. } = way else {
            self.plain.add_forces();
            return 0.0;
        };
        self.runs.set_instructions(instructions);
        let (x, v) = (&self.cube.x, &self.cube.v);
        let sums = if two_fields {
            self.runs.add_forces(x, v, &mut self.elastic, &mut self.damping)
        } else {
            self.runs.add_total_forces(x, v, &mut self.elastic)
        };
        sums.energy
    }

    /// Seconds per pass.
    fn time(&mut self, way: Way, passes: usize) -> f64 {
        let start = Instant::now();
        for _ in 0..passes {
            self.pass(way);
        }
        start.elapsed().as_secs_f64() / passes as f64
    }

    /// What one pass adds to nothing, as a number.
    fn hash(&mut self, way: Way) -> u64 {
        self.elastic.reset(self.cube.x.len());
        self.damping.reset(self.cube.x.len());
        let energy = self.pass(way);
        hash(&[&self.elastic, &self.damping], energy)
    }
}

fn measure(cube: &Cube) {
    let (elements, connections) = (cube.x.len(), cube.springs.len());
    let ways = Way::all();
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let pools = [pool(1), pool(2)];
    let mut setup = Setup::new(cube);
    let hashes = ways.iter().map(|way| pools[way.threads() - 1].install(|| setup.hash(*way))).collect::<Vec<_>>();
    let passes = (500_000 / connections).max(1);
    let mut seconds = vec![Vec::new(); ways.len()];
    let start = Instant::now();
    while seconds[0].len() < 5 || start.elapsed().as_secs_f64() < SECONDS * ways.len() as f64 {
        for (way, seconds) in ways.iter().zip(&mut seconds) {
            seconds.push(pools[way.threads() - 1].install(|| setup.time(*way, passes)));
        }
    }
    for ((way, own), hash) in ways.iter().zip(&seconds).zip(hashes) {
        print!("{elements:>9} {connections:>11}  {:<34}", way.name());
        for of in [median, best] {
            print!("{:>8.1} {:>6.2} ", connections as f64 / of(own) / 1e6, of(&seconds[0]) / of(own));
        }
        let hash = if *way == Way::Plain { String::new() } else { format!("{hash:016x}") };
        println!("{:>11.1}  {hash}", median(own) / elements as f64 * 1e9);
    }
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
