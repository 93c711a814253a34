//! Spring and damper of every connection of a group, a block of connections at a time.

use super::SpringSums;
use super::lanes::{Lanes, WIDTH};
use super::runs::{Group, Run};

/// Squared distances below this count as this [m²]: two elements in one place then have the direction n = 0 and no force.
/// Any distance above 1e-150 m is untouched.
pub(super) const COINCIDENT: f64 = 1e-300;

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
}

/// What a group's task reads.
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
    /// The part of run `r`.
    #[inline(always)]
    pub fn of_run(&self, r: usize) -> RunInput<'a> {
        let run = &self.runs[r];
        let (offset, count) = (run.offset as usize, run.count as usize);
        let (first, slot) = (run.first as usize, run.slot as usize);
        let (from, to) = (first, first + offset + count);
        let slots = &self.slots;
        RunInput {
            offset,
            count,
            slots: Slots {
                k: &slots.k[slot..slot + count],
                l: &slots.l[slot..slot + count],
                c: &slots.c[slot..slot + count],
            },
            x: [&self.x[0][from..to], &self.x[1][from..to], &self.x[2][from..to]],
            v: [&self.v[0][from..to], &self.v[1][from..to], &self.v[2][from..to]],
        }
    }

    /// Where the elements of run `r` are in the fields of a group that begins with element `begin`.
    #[inline(always)]
    pub fn span(&self, r: usize, begin: usize) -> std::ops::Range<usize> {
        let run = &self.runs[r];
        let first = run.first as usize - begin;
        first..first + run.offset as usize + run.count as usize
    }
}

/// Sums over blocks of `W` connections.
struct Sums<const W: usize> {
    /// Of k (d − l)² [J].
    energy: Lanes<W>,
    /// The largest squared length of a connection with stiffness [m²].
    longest: Lanes<W>,
}

impl<const W: usize> Sums<W> {
    fn new() -> Self {
        Self { energy: Lanes::splat(0.0), longest: Lanes::splat(0.0) }
    }
}

/// Adds the forces of a group into `out`, which starts at element `group.begin`.
///
/// `N = 3`: one field takes spring and damper together. `N = 6`: springs into the first three arrays, dampers into the last.
#[inline(always)]
pub(super) fn forces<const DAMPED: bool, const N: usize>(
    input: &Input<'_>,
    group: &Group,
    out: &mut [&mut [f64]; N],
) -> SpringSums {
    let (mut sums, mut rest_sums) = (Sums::<WIDTH>::new(), Sums::<1>::new());
    let mut overstretched = false;
    for r in group.runs.clone() {
        let run = input.of_run(r);
        let span = input.span(r, group.begin);
        let mut f = out.each_mut().map(|a| &mut a[span.clone()]);
        let rest = run.count % WIDTH;
        for t in (0..run.count - rest).step_by(WIDTH) {
            block::<WIDTH, DAMPED, N>(t, &run, &mut f, &mut sums);
        }
        for t in run.count - rest..run.count {
            block::<1, DAMPED, N>(t, &run, &mut f, &mut rest_sums);
        }
        if let Some(limit) = input.limits.get(r) {
            overstretched |= sums.longest.largest() > *limit || rest_sums.longest.largest() > *limit;
            (sums.longest, rest_sums.longest) = (Lanes::splat(0.0), Lanes::splat(0.0));
        }
    }
    SpringSums { energy: 0.5 * (sums.energy.sum() + rest_sums.energy.sum()), overstretched }
}

/// `a_i − a_j` for a block of connections.
#[inline(always)]
pub(super) fn difference<const W: usize>(a: &Components<'_>, i: usize, j: usize) -> [Lanes<W>; 3] {
    [
        Lanes::load(a[0], i) - Lanes::load(a[0], j),
        Lanes::load(a[1], i) - Lanes::load(a[1], j),
        Lanes::load(a[2], i) - Lanes::load(a[2], j),
    ]
}

/// The inner products of a block.
#[inline(always)]
pub(super) fn dot<const W: usize>(a: &[Lanes<W>; 3], b: &[Lanes<W>; 3]) -> Lanes<W> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Takes `s r` from elements `i` and gives it to elements `j`, one after the other: the two ranges may overlap.
#[inline(always)]
pub(super) fn exchange<const W: usize>(f: &mut [&mut [f64]], s: Lanes<W>, r: &[Lanes<W>; 3], i: usize, j: usize) {
    for c in 0..3 {
        let force = s * r[c];
        (Lanes::load(f[c], i) - force).store(f[c], i);
        (Lanes::load(f[c], j) + force).store(f[c], j);
    }
}

/// f_i −= [k (d − l) + c n·(v_i − v_j)] n, f_j the opposite; with r = x_i − x_j = d n both parts are a number times r.
#[inline(always)]
fn block<const W: usize, const DAMPED: bool, const N: usize>(
    i: usize,
    run: &RunInput<'_>,
    f: &mut [&mut [f64]; N],
    sums: &mut Sums<W>,
) {
    let j = i + run.offset;
    let r = difference::<W>(&run.x, i, j);
    let k = Lanes::load(run.slots.k, i);
    let d2 = dot(&r, &r).at_least(COINCIDENT);
    let d = d2.sqrt();
    let per_d = d.reciprocal();
    let stretch = d - Lanes::load(run.slots.l, i);
    let tension = k * stretch;
    sums.energy += tension * stretch;
    sums.longest = sums.longest.larger(d2.where_positive(k));
    let spring = tension * per_d;
    if !DAMPED {
        return exchange(&mut f[..3], spring, &r, i, j);
    }
    let v = difference::<W>(&run.v, i, j);
    let damper = Lanes::load(run.slots.c, i) * dot(&r, &v) * per_d * per_d;
    if N == 3 {
        exchange(&mut f[..3], spring + damper, &r, i, j);
    } else {
        exchange(&mut f[..3], spring, &r, i, j);
        exchange(&mut f[3..], damper, &r, i, j);
    }
}
