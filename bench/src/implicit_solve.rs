//! The linear solve of an implicit step: a clamped beam, A = M + h²K at 100 times the stable step, to a residual of 1e-6.

use crate::measure::{best, print_load, seconds, with_threads};
use kreisel::discretize::box_lattice;
use kreisel::force::springs::{Spring, SpringRuns, SpringTangent};
use kreisel::linear::eigen::largest_eigenvalue;
use kreisel::linear::{
    BlockJacobi, BlockSource, CgInfo, CgParams, CgSpace, Cycle, Direct, Operator, SlotMap, TwoLevel, TwoLevelParams,
    Vectors,
};
use kreisel::model::Material;
use kreisel::{DMat3, DVec3};

/// Nodes along the sides: 3,900, 7,600, 105 k and 1 M.
const SIZES: [[u32; 3]; 4] = [[39, 10, 10], [76, 10, 10], [117, 30, 30], [250, 64, 64]];
/// The step over the stable one.
const TIMES: f64 = 100.0;
/// The direct solver and block Jacobi are left out of larger systems.
const SMALL: usize = 10_000;

/// Prints the table, for all sizes or for those up to `most` nodes.
pub fn run(most: Option<&str>) {
    print_load();
    let most = most.and_then(|m| m.parse().ok()).unwrap_or(200_000);
    println!(
        "Clamped beam, h = {TIMES} h_crit, rough right side, relative residual 1e-6, one core; best of several.\n"
    );
    for nodes in SIZES.into_iter().filter(|n| n.iter().product::<u32>() <= most) {
        with_threads(1, || measure(&Beam::new(nodes)));
    }
}

/// A beam held at one end.
struct Beam {
    masses: Vec<f64>,
    x: Vectors,
    used: Vec<bool>,
    component: Vec<u32>,
    springs: SpringRuns,
    h: f64,
}

impl Beam {
    fn new(nodes: [u32; 3]) -> Self {
        let size = 0.01 * DVec3::from_array(nodes.map(|n| f64::from(n - 1)));
        let cells = nodes.into_iter().min().unwrap_or(2) - 1;
        let matter = box_lattice(size, cells, &Material::default()).expect("a beam");
        let springs = |c: usize| {
            let (constants, [e1, e2]) = (matter.connections.constants(c), matter.connections.ends[c]);
            let (stiffness, rest_length) = (constants.stiffness, constants.rest_length);
            Spring { e1, e2, stiffness, rest_length, damping: 0.0, break_length: f64::INFINITY }
        };
        let springs: Vec<Spring> = (0..matter.connections.len()).map(springs).collect();
        let x = matter.positions.clone();
        let used = (0..x.len()).map(|i| x.x[i] > 1e-4 - 0.5 * size.x).collect();
        let h = TIMES * stable_step(&x, &matter.masses, &springs);
        let springs = SpringRuns::build(x.len(), &springs);
        Self { masses: matter.masses.clone(), component: vec![0; x.len()], x, used, springs, h }
    }

    fn map(&self) -> SlotMap<'_> {
        let Self { x: place, component, used, .. } = self;
        SlotMap { points: place.len(), bodies: 0, place, component, used }
    }

    fn matrix(&self, memory: Vec<f64>) -> Matrix<'_> {
        Matrix { beam: self, tangent: self.springs.tangent(&self.x, self.h * self.h, self.h, memory) }
    }

    /// Numbers that look random [Mar03] on all free elements.
    fn rough(&self) -> Vectors {
        let (mut state, mut field) = (7u64, Vectors::zeros(self.x.len()));
        let mut number = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        };
        for i in (0..self.x.len()).filter(|i| self.used[*i]) {
            field.set(i, DVec3::new(number(), number(), number()));
        }
        field
    }
}

/// The rigorous bound 2/ω, ω² = max 2 λ(Σ k n nᵀ)/m [s].
fn stable_step(x: &Vectors, masses: &[f64], springs: &[Spring]) -> f64 {
    let mut sums = vec![DMat3::ZERO; x.len()];
    for s in springs {
        let n = (x.get(s.e1 as usize) - x.get(s.e2 as usize)).normalize_or_zero();
        let block = s.stiffness * DMat3::from_cols(n * n.x, n * n.y, n * n.z);
        sums[s.e1 as usize] += block;
        sums[s.e2 as usize] += block;
    }
    2.0 / sums.iter().zip(masses).map(|(sum, m)| 2.0 * largest_eigenvalue(*sum) / m).fold(0.0, f64::max).sqrt()
}

/// `C (M + h²K) C`, with C the filter of what is held.
struct Matrix<'a> {
    beam: &'a Beam,
    tangent: SpringTangent<'a>,
}

impl Operator for Matrix<'_> {
    fn apply(&self, x: &Vectors, y: &mut Vectors) {
        let (masses, used) = (&self.beam.masses, &self.beam.used);
        y.fit(x.len());
        for (y, x) in [(&mut y.x, &x.x), (&mut y.y, &x.y), (&mut y.z, &x.z)] {
            y.iter_mut().zip(x).zip(masses).for_each(|((y, x), m)| *y = m * x);
        }
        self.tangent.add_product(x, y);
        for y in [&mut y.x, &mut y.y, &mut y.z] {
            y.iter_mut().zip(used).for_each(|(y, used)| *y = if *used { *y } else { 0.0 });
        }
    }
}

impl BlockSource for Matrix<'_> {
    fn each_block(&self, take: &mut dyn FnMut(u32, u32, DMat3)) {
        (0u32..).zip(&self.beam.masses).for_each(|(i, m)| take(i, i, DMat3::from_diagonal(DVec3::splat(*m))));
        self.tangent.each_block(take);
    }
}

fn measure(beam: &Beam) {
    let n = beam.x.len();
    let (b, mut y) = (beam.rough(), Vectors::zeros(n));
    let repeats = (2_000_000 / n).max(5);
    let mut memory = beam.matrix(Vec::new()).tangent.recycle();
    let prepare = best(
        &(0..repeats)
            .map(|_| seconds(|| memory = beam.matrix(std::mem::take(&mut memory)).tangent.recycle()))
            .collect::<Vec<_>>(),
    );
    let a = beam.matrix(memory);
    let differential = time(repeats, || beam.springs.add_differential(&beam.x, &b, true, &mut y));
    let product = time(repeats, || a.tangent.add_product(&b, &mut y));
    let whole = time(repeats, || a.apply(&b, &mut y));
    println!(
        "{n} nodes: µs of one product: springs from positions {:.1}, prepared {:.1}; with masses and filter {:.1}; preparing {:.1}",
        1e6 * differential,
        1e6 * product,
        1e6 * whole,
        1e6 * prepare
    );
    let map = beam.map();
    let mut two = None;
    let setup = best(
        &(0..3)
            .map(|_| seconds(|| two = Some(TwoLevel::new(&a, &map, &TwoLevelParams::default()))))
            .collect::<Vec<_>>(),
    );
    let Some(two) = two else { return };
    println!("  coarse unknowns {}, factor {:.1} MB", two.coarse_unknowns(), two.coarse_bytes() as f64 / 1e6);
    report("additive", &a, &two.cycled(Cycle::Additive, &a), &b, setup, repeats);
    report("symmetric", &a, &two.cycled(Cycle::Symmetric, &a), &b, setup, repeats);
    if n > SMALL {
        return;
    }
    let (mut jacobi, mut direct) = (None, None);
    let setup = seconds(|| jacobi = Some(BlockJacobi::of_slots(&a, &map)));
    if let Some(jacobi) = jacobi {
        report("block Jacobi", &a, &jacobi, &b, setup, repeats);
    }
    let setup = seconds(|| direct = Some(Direct::new(&a, &map)));
    if let Some(direct) = direct {
        report("direct", &a, &direct, &b, setup, repeats / 10);
    }
}

/// The best of several times [s].
fn time(repeats: usize, mut work: impl FnMut()) -> f64 {
    best(&(0..repeats).map(|_| seconds(&mut work)).collect::<Vec<_>>())
}

fn report(name: &str, a: &Matrix, preconditioner: &dyn Operator, b: &Vectors, setup: f64, repeats: usize) {
    let params = CgParams { tolerance: 1e-6, max_iterations: 2000, verify: true };
    let (mut space, mut info, mut z) = (CgSpace::default(), CgInfo::default(), Vectors::zeros(b.len()));
    let apply = time(repeats, || preconditioner.apply(b, &mut z));
    let solve = time((repeats / 20).max(2), || {
        let mut x = Vectors::zeros(b.len());
        info = space.solve(a, preconditioner, b, &mut x, &params).expect("a solution");
        z = x;
    });
    let hash =
        z.x.iter()
            .chain(&z.y)
            .chain(&z.z)
            .fold(0xcbf2_9ce4_8422_2325u64, |h, a| (h ^ a.to_bits()).wrapping_mul(0x0000_0100_0000_01b3));
    println!(
        "  {name:<13} set-up {:>8.2} ms, apply {:>9.1} µs, {:>4} iterations of {:>9.1} µs: {:>9.3} ms  residual {:.1e}  {hash:016x}",
        1e3 * setup,
        1e6 * apply,
        info.iterations,
        1e6 * solve / info.iterations as f64,
        1e3 * solve,
        info.residual
    );
}
