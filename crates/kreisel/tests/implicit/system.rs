//! A lattice body as backward Euler sees it, A = M + h²K, with one face held.

use kreisel::discretize::{Matter, box_lattice};
use kreisel::force::springs::{Spring, SpringRuns, SpringTangent};
use kreisel::linear::{BlockSource, Operator, SlotMap, Vectors};
use kreisel::model::Material;
use kreisel::{DMat3, DVec3};

/// A body, which of its elements are free, and its step.
pub struct Body {
    pub masses: Vec<f64>,
    pub x: Vectors,
    pub used: Vec<bool>,
    pub component: Vec<u32>,
    pub springs: SpringRuns,
    /// Step of backward Euler [s].
    pub h: f64,
}

impl Body {
    /// A beam of `nodes` elements along each side, held at one end, to be stepped by `times` the stable step.
    pub fn cantilever(nodes: [u32; 3], times: f64) -> Self {
        let cells = nodes.map(|n| f64::from(n - 1));
        let size = 0.01 * DVec3::from_array(cells);
        let matter = box_lattice(size, nodes.into_iter().min().unwrap() - 1, &Material::default()).unwrap();
        let held = |i: usize| matter.positions.get(i).x < 1e-4 - 0.5 * size.x;
        let used = (0..matter.len()).map(|i| !held(i)).collect();
        Self::new(matter.positions.clone(), matter.masses.clone(), &springs(&matter), used, times)
    }

    pub fn new(x: Vectors, masses: Vec<f64>, springs: &[Spring], used: Vec<bool>, times: f64) -> Self {
        let h = times * stable_step(&x, &masses, springs);
        let component = vec![0; x.len()];
        let springs = SpringRuns::build(x.len(), springs);
        Self { masses, x, used, component, springs, h }
    }

    pub fn matrix(&self) -> Matrix<'_> {
        Matrix { body: self, tangent: self.springs.tangent(&self.x, self.h * self.h, self.h, Vec::new()) }
    }

    pub fn map(&self) -> SlotMap<'_> {
        let Self { x: place, component, used, .. } = self;
        SlotMap { points: place.len(), bodies: 0, place, component, used }
    }

    /// Random numbers in all free slots.
    pub fn rough(&self, seed: u64) -> Vectors {
        let (mut random, mut field) = (Random(seed), Vectors::zeros(self.x.len()));
        (0..self.x.len()).for_each(|i| field.set(i, if self.used[i] { random.vector() } else { DVec3::ZERO }));
        field
    }
}

pub fn springs(matter: &Matter) -> Vec<Spring> {
    let spring = |(c, ends): (usize, &[u32; 2])| {
        let constants = matter.connections.constants(c);
        let (stiffness, rest_length) = (constants.stiffness, constants.rest_length);
        Spring { e1: ends[0], e2: ends[1], stiffness, rest_length, damping: 0.0, break_length: f64::INFINITY }
    };
    matter.connections.ends.iter().enumerate().map(spring).collect()
}

/// The rigorous bound h = 2/ω, ω² = max 2 λ(Σ k n nᵀ)/m.
fn stable_step(x: &Vectors, masses: &[f64], springs: &[Spring]) -> f64 {
    let mut sums = vec![DMat3::ZERO; x.len()];
    for s in springs {
        let n = (x.get(s.e1 as usize) - x.get(s.e2 as usize)).normalize_or_zero();
        let block = s.stiffness * DMat3::from_cols(n * n.x, n * n.y, n * n.z);
        sums[s.e1 as usize] += block;
        sums[s.e2 as usize] += block;
    }
    let largest = |(sum, m): (&DMat3, &f64)| 2.0 * kreisel::linear::eigen::largest_eigenvalue(*sum) / m;
    2.0 / sums.iter().zip(masses).map(largest).fold(0.0, f64::max).sqrt()
}

/// `C (M + h²K) C`, with C the filter of what is held.
pub struct Matrix<'a> {
    pub body: &'a Body,
    pub tangent: SpringTangent<'a>,
}

impl Operator for Matrix<'_> {
    fn apply(&self, x: &Vectors, y: &mut Vectors) {
        y.reset(x.len());
        self.tangent.add_product(x, y);
        for i in 0..x.len() {
            let sum = y.get(i) + self.body.masses[i] * x.get(i);
            y.set(i, if self.body.used[i] { sum } else { DVec3::ZERO });
        }
    }
}

impl BlockSource for Matrix<'_> {
    fn each_block(&self, take: &mut dyn FnMut(u32, u32, DMat3)) {
        (0u32..).zip(&self.body.masses).for_each(|(i, m)| take(i, i, DMat3::from_diagonal(DVec3::splat(*m))));
        self.tangent.each_block(take);
    }
}

/// A small generator of numbers that look random [Mar03].
pub struct Random(pub u64);

impl Random {
    pub fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    }

    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }
}
