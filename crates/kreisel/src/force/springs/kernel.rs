//! The loop all passes over connections share: a block of neighbours at a time, what one end gets the other gives.

use super::runs::Run;
use crate::linear::lanes::{Lanes, WIDTH};

/// Squared distances below this count as this [m²]: two elements in one place then have the direction n = 0 and no force.
/// Any distance above 1e-150 m is untouched.
pub(super) const COINCIDENT: f64 = 1e-300;

/// Runs of smaller offset go through a buffer. Two neighbouring blocks of theirs overlap, and a load that overlaps a store
/// still under way waits for it: without the buffer every block would wait for the one before.
const NEAR: usize = 8;
/// Connections in the buffer: enough to forget the stores, few enough to stay in the nearest cache.
const BUFFER: usize = 64;

/// Three components, each an array over elements.
pub(super) type Components<'a> = [&'a [f64]; 3];

/// Parameters by slot.
#[derive(Clone, Copy)]
pub(super) struct Slots<'a> {
    /// Stiffness [N/m].
    pub k: &'a [f64],
    /// Rest length [m].
    pub l: &'a [f64],
    /// Damping [N s/m]; without dampers anything as long.
    pub c: &'a [f64],
    /// A prepared product's number across the connection; for other passes anything as long.
    pub w: &'a [f64],
}

/// What a pass reads.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    /// All runs of the system.
    pub runs: &'a [Run],
    /// Of each run, the square of the smallest break length [m²]; empty if nothing breaks.
    pub limits: &'a [f64],
    /// All parameters.
    pub slots: Slots<'a>,
    /// Positions [m].
    pub x: Components<'a>,
    /// Velocities [m/s], or displacements [m] in a product.
    pub v: Components<'a>,
}

/// What one run reads: its own part of everything, so that connection `t` joins elements `t` and `offset + t`.
#[derive(Clone, Copy)]
pub(super) struct RunInput<'a> {
    pub offset: usize,
    pub count: usize,
    pub slots: Slots<'a>,
    pub x: Components<'a>,
    pub v: Components<'a>,
}

impl<'a> Input<'a> {
    /// The part of a run.
    #[inline(always)]
    pub fn of_run(&self, run: &Run) -> RunInput<'a> {
        let (offset, count) = (run.offset as usize, run.count as usize);
        let (first, slot) = (run.first as usize, run.slot as usize);
        let (here, slots) = (first..first + offset + count, slot..slot + count);
        let part = |a: &'a [f64]| &a[here.clone()];
        let Slots { k, l, c, w } = self.slots;
        let of_slots = |a: &'a [f64]| &a[slots.clone()];
        RunInput {
            offset,
            count,
            slots: Slots { k: of_slots(k), l: of_slots(l), c: of_slots(c), w: of_slots(w) },
            x: [part(self.x[0]), part(self.x[1]), part(self.x[2])],
            v: [part(self.v[0]), part(self.v[1]), part(self.v[2])],
        }
    }
}

/// A law for pairs: `N` components of what element `j` gets and element `i` gives, for `W` connections from `t` on.
pub(super) trait Pull<const W: usize, const N: usize> {
    /// The law may sum what it sees.
    fn pull(&mut self, run: &RunInput<'_>, t: usize) -> [Lanes<W>; N];
}

/// Adds a law's forces for one run into `out`, which starts at element `begin`: whole blocks by `blocks`, the remaining
/// connections one by one by `singles`.
#[inline(always)]
pub(super) fn exchange_run<const N: usize>(
    input: &Input<'_>,
    run: &Run,
    blocks: &mut impl Pull<WIDTH, N>,
    singles: &mut impl Pull<1, N>,
    out: &mut [&mut [f64]; N],
    begin: usize,
) {
    let first = run.first as usize - begin;
    let run = input.of_run(run);
    let mut f = out.each_mut().map(|a| &mut a[first..first + run.offset + run.count]);
    if run.offset < NEAR {
        exchange_near(&run, blocks, singles, &mut f);
    } else {
        exchange_apart(&run, blocks, singles, &mut f);
    }
}

#[inline(always)]
fn exchange_apart<const N: usize>(
    run: &RunInput<'_>,
    blocks: &mut impl Pull<WIDTH, N>,
    singles: &mut impl Pull<1, N>,
    f: &mut [&mut [f64]; N],
) {
    let whole = run.count - run.count % WIDTH;
    for t in (0..whole).step_by(WIDTH) {
        exchange(&blocks.pull(run, t), f, t, t + run.offset);
    }
    for t in whole..run.count {
        exchange(&singles.pull(run, t), f, t, t + run.offset);
    }
}

/// Elements from `i` on give, elements from `j` on get.
#[inline(always)]
fn exchange<const W: usize, const N: usize>(force: &[Lanes<W>; N], f: &mut [&mut [f64]; N], i: usize, j: usize) {
    for c in 0..N {
        (Lanes::load(f[c], i) - force[c]).store(f[c], i);
        (Lanes::load(f[c], j) + force[c]).store(f[c], j);
    }
}

#[inline(always)]
fn exchange_near<const N: usize>(
    run: &RunInput<'_>,
    blocks: &mut impl Pull<WIDTH, N>,
    singles: &mut impl Pull<1, N>,
    f: &mut [&mut [f64]; N],
) {
    let mut buffer = [[0.0; BUFFER]; N];
    for from in (0..run.count).step_by(BUFFER) {
        let count = BUFFER.min(run.count - from);
        let whole = count - count % WIDTH;
        for t in (0..whole).step_by(WIDTH) {
            keep(&blocks.pull(run, from + t), &mut buffer, t);
        }
        for t in whole..count {
            keep(&singles.pull(run, from + t), &mut buffer, t);
        }
        for c in 0..N {
            let (i, j) = (from, from + run.offset);
            f[c][i..i + count].iter_mut().zip(&buffer[c]).for_each(|(f, force)| *f -= force);
            f[c][j..j + count].iter_mut().zip(&buffer[c]).for_each(|(f, force)| *f += force);
        }
    }
}

#[inline(always)]
fn keep<const W: usize, const N: usize>(force: &[Lanes<W>; N], buffer: &mut [[f64; BUFFER]; N], t: usize) {
    for c in 0..N {
        force[c].store(&mut buffer[c], t);
    }
}

/// `a_i − a_j` for the connections from `t` on.
#[inline(always)]
pub(super) fn difference<const W: usize>(a: &Components<'_>, t: usize, offset: usize) -> [Lanes<W>; 3] {
    let of = |a: &[f64]| Lanes::load(a, t) - Lanes::load(a, t + offset);
    [of(a[0]), of(a[1]), of(a[2])]
}

/// The inner products of a block.
#[inline(always)]
pub(super) fn dot<const W: usize>(a: &[Lanes<W>; 3], b: &[Lanes<W>; 3]) -> Lanes<W> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
