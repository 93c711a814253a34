//! A prepared matrix of the connections for solvers that multiply often: S = Σ_b [(a k + b c) n nᵀ + a k max(0, 1 − l/d)(1 − n nᵀ)].
//!
//! With a = h² and b = h it is the springs' and dampers' part of backward Euler's matrix M + hB + h²K, with K projected to a
//! positive semidefinite matrix connection by connection. As S_b = w 1 + m mᵀ with w = a k max(0, 1 − l/d) and
//! m = √(a k + b c − w) n, a product needs four numbers per connection, no root and no quotient.

use super::kernel::{COINCIDENT, Components, Input, Pull, RunInput, Slots, difference, dot, exchange_run};
use super::runs::{Group, Run};
use super::sweep::sweep;
use super::{STAGGER, SpringRuns, components, components_mut};
use crate::linear::Vectors;
use crate::linear::lanes::Lanes;
use glamx::{DMat3, DVec3};

/// The matrix of all connections at given positions.
#[derive(Clone, Debug)]
pub struct SpringTangent<'a> {
    runs: &'a SpringRuns,
    /// The three components of m, then w, by slot, each `stride` numbers after the one before.
    numbers: Vec<f64>,
    stride: usize,
}

impl SpringRuns {
    /// Prepares S at `x`, with the factors a of stiffness and b of damping; `memory` of an earlier one is used again.
    pub fn tangent(&self, x: &Vectors, a: f64, b: f64, memory: Vec<f64>) -> SpringTangent<'_> {
        let stride = self.layout.slot_count + STAGGER;
        let mut numbers = memory;
        numbers.resize(4 * stride, 0.0);
        let input = self.input(x, x);
        // Without dampers the third parameter is not a damping.
        let factors = [a, if self.damped { b } else { 0.0 }];
        let mut parts = numbers.chunks_exact_mut(stride);
        let mut out: [&mut [f64]; 4] = std::array::from_fn(|_| parts.next().unwrap_or_default());
        for run in &self.layout.runs {
            let slots = run.slot as usize..run.slot as usize + run.count as usize;
            let mut part = out.each_mut().map(|o| &mut o[slots.clone()]);
            self.instructions.prepare(&input, run, factors, &mut part);
        }
        SpringTangent { runs: self, numbers, stride }
    }
}

impl SpringTangent<'_> {
    /// y += S x. Fields may be longer than there are elements.
    pub fn add_product(&self, x: &Vectors, y: &mut Vectors) {
        let input = self.input(components(x));
        sweep(&self.runs.layout, components_mut(y), |group, out| self.runs.instructions.product(&input, group, out));
    }

    /// The memory, for the next one.
    pub fn recycle(self) -> Vec<f64> {
        self.numbers
    }

    /// Gives the blocks of every connection that has any stiffness: (i, i), (i, j), (j, j) with i < j, in the kernel's order.
    pub fn each_block(&self, take: &mut dyn FnMut(u32, u32, DMat3)) {
        self.each_connection(&mut |i, j, block| {
            take(i, i, block);
            take(i, j, -block);
            take(j, j, block);
        });
    }

    /// Gives every connection that has any stiffness: its ends i < j and its S_b, in the kernel's order.
    pub fn each_connection(&self, take: &mut dyn FnMut(u32, u32, DMat3)) {
        let [x, y, z, w] = self.parts();
        for run in &self.runs.layout.runs {
            for t in 0..run.count {
                let s = (run.slot + t) as usize;
                let (m, across) = (DVec3::new(x[s], y[s], z[s]), w[s]);
                if m != DVec3::ZERO || across != 0.0 {
                    let block =
                        DMat3::from_cols(m * m.x, m * m.y, m * m.z) + DMat3::from_diagonal(DVec3::splat(across));
                    take(run.first + t, run.first + t + run.offset, block);
                }
            }
        }
    }

    fn parts(&self) -> [&[f64]; 4] {
        std::array::from_fn(|p| &self.numbers[p * self.stride..p * self.stride + self.runs.layout.slot_count])
    }

    fn input<'b>(&'b self, x: Components<'b>) -> Input<'b> {
        let [k, l, c, w] = self.parts();
        Input { runs: &self.runs.layout.runs, limits: &[], slots: Slots { k, l, c, w }, x, v: x }
    }
}

/// Fills m and w of one run.
#[inline(always)]
pub(super) fn prepare(input: &Input<'_>, run: &Run, [a, b]: [f64; 2], out: &mut [&mut [f64]; 4]) {
    let run = input.of_run(run);
    let [m0, m1, m2, w] = out;
    let (offset, count) = (run.offset, run.count);
    let component = |c: usize| (&run.x[c][..count], &run.x[c][offset..offset + count]);
    let [(x1, x2), (y1, y2), (z1, z2)] = [component(0), component(1), component(2)];
    for t in 0..count {
        let r = [x1[t] - x2[t], y1[t] - y2[t], z1[t] - z2[t]];
        let d2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
        let per_d = 1.0 / (if d2 > COINCIDENT { d2 } else { COINCIDENT }).sqrt();
        let stiffness = a * run.slots.k[t];
        let share = 1.0 - run.slots.l[t] * per_d;
        let across = if share > 0.0 && d2 > COINCIDENT { stiffness * share } else { 0.0 };
        let along = stiffness + b * run.slots.c[t] - across;
        let s = (if along > 0.0 { along } else { 0.0 }).sqrt() * per_d;
        (m0[t], m1[t], m2[t], w[t]) = (s * r[0], s * r[1], s * r[2], across);
    }
}

/// The law of the product: what j gets and i gives is −S_b (x_i − x_j).
struct Product;

impl<const W: usize> Pull<W, 3> for Product {
    #[inline(always)]
    fn pull(&mut self, run: &RunInput<'_>, t: usize) -> [Lanes<W>; 3] {
        let u = difference::<W>(&run.x, t, run.offset);
        let m = [Lanes::load(run.slots.k, t), Lanes::load(run.slots.l, t), Lanes::load(run.slots.c, t)];
        let (w, along) = (Lanes::load(run.slots.w, t), dot(&m, &u));
        let of = |c: usize| Lanes::splat(0.0) - (w * u[c] + along * m[c]);
        [of(0), of(1), of(2)]
    }
}

/// Adds S x of a group into `out`, which starts at element `group.begin`.
#[inline(always)]
pub(super) fn product(input: &Input<'_>, group: &Group, out: &mut [&mut [f64]; 3]) {
    for run in &input.runs[group.runs.clone()] {
        exchange_run(input, run, &mut Product, &mut Product, out, group.begin);
    }
}
