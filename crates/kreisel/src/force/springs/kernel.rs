//! Spring and damper of every connection of a group, a block of lanes at a time. [theory of the connection: mod.rs]

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
    /// Damping [N s/m].
    pub c: &'a [f64],
}

impl Slots<'_> {
    #[inline(always)]
    pub fn of(&self, run: &Run) -> Self {
        let slots = run.slot as usize..run.slot as usize + run.count as usize;
        Self { k: &self.k[slots.clone()], l: &self.l[slots.clone()], c: &self.c[slots] }
    }
}

/// What a group's task reads.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    /// All runs of the system.
    pub runs: &'a [Run],
    /// Of each run, the square of the smallest fracture distance [m²]; empty if nothing breaks.
    pub limits: &'a [f64],
    /// All parameters.
    pub slots: Slots<'a>,
    /// Positions [m].
    pub x: Components<'a>,
    /// Velocities [m/s], or displacements [m] in a product.
    pub v: Components<'a>,
}

/// The part of a run's elements: `first .. first + offset + count`, counted from `begin`.
#[inline(always)]
pub(super) fn span(run: &Run, begin: usize) -> std::ops::Range<usize> {
    let first = run.first as usize - begin;
    first..first + run.offset as usize + run.count as usize
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
    let mut energy = Lanes::splat(0.0);
    let mut overstretched = false;
    for r in group.runs.clone() {
        let run = &input.runs[r];
        let (here, there) = (span(run, 0), span(run, group.begin));
        let x = input.x.map(|a| &a[here.clone()]);
        let v = input.v.map(|a| if DAMPED { &a[here.clone()] } else { a });
        let mut f = out.each_mut().map(|a| &mut a[there.clone()]);
        let largest = run_forces::<DAMPED, N>(run, &input.slots.of(run), &x, &v, &mut f, &mut energy);
        overstretched |= input.limits.get(r).is_some_and(|limit| largest > *limit);
    }
    SpringSums { energy: 0.5 * energy.sum(), overstretched }
}

/// One run; returns the largest squared length of a connection with stiffness [m²].
#[inline(always)]
fn run_forces<const DAMPED: bool, const N: usize>(
    run: &Run,
    slots: &Slots<'_>,
    x: &Components<'_>,
    v: &Components<'_>,
    f: &mut [&mut [f64]; N],
    energy: &mut Lanes,
) -> f64 {
    let (offset, count) = (run.offset as usize, run.count as usize);
    let mut largest = Lanes::splat(0.0);
    let rest = count % WIDTH;
    for at in (0..count - rest).step_by(WIDTH) {
        block::<DAMPED, N, false>(at, offset, WIDTH, slots, x, v, f, energy, &mut largest);
    }
    if rest > 0 {
        block::<DAMPED, N, true>(count - rest, offset, rest, slots, x, v, f, energy, &mut largest);
    }
    largest.largest()
}

/// A full block of lanes, or the first `count` of one.
#[inline(always)]
pub(super) fn load<const PARTIAL: bool>(a: &[f64], at: usize, count: usize) -> Lanes {
    if PARTIAL { Lanes::load_some(a, at, count) } else { Lanes::load(a, at) }
}

/// `a_i − a_j` for a block of connections.
#[inline(always)]
pub(super) fn difference<const PARTIAL: bool>(a: &Components<'_>, i: usize, j: usize, count: usize) -> [Lanes; 3] {
    a.map(|a| load::<PARTIAL>(a, i, count) - load::<PARTIAL>(a, j, count))
}

/// The inner products of a block.
#[inline(always)]
pub(super) fn dot(a: &[Lanes; 3], b: &[Lanes; 3]) -> Lanes {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Takes `s r` from elements `i` and gives it to elements `j`, one after the other: the two ranges may overlap.
#[inline(always)]
pub(super) fn exchange<const PARTIAL: bool>(
    f: &mut [&mut [f64]],
    s: Lanes,
    r: &[Lanes; 3],
    i: usize,
    j: usize,
    count: usize,
) {
    for (f, r) in f.iter_mut().zip(r) {
        let force = s * *r;
        let at_i = load::<PARTIAL>(f, i, count) - force;
        store::<PARTIAL>(at_i, f, i, count);
        let at_j = load::<PARTIAL>(f, j, count) + force;
        store::<PARTIAL>(at_j, f, j, count);
    }
}

#[inline(always)]
fn store<const PARTIAL: bool>(a: Lanes, to: &mut [f64], at: usize, count: usize) {
    if PARTIAL { a.store_some(to, at, count) } else { a.store(to, at) }
}

/// f_i −= [k (d − l) + c n·(v_i − v_j)] n, f_j the opposite; with r = x_i − x_j = d n both parts are a number times r.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn block<const DAMPED: bool, const N: usize, const PARTIAL: bool>(
    i: usize,
    offset: usize,
    count: usize,
    slots: &Slots<'_>,
    x: &Components<'_>,
    v: &Components<'_>,
    f: &mut [&mut [f64]; N],
    energy: &mut Lanes,
    largest: &mut Lanes,
) {
    let j = i + offset;
    let r = difference::<PARTIAL>(x, i, j, count);
    let k = load::<PARTIAL>(slots.k, i, count);
    let d2 = dot(&r, &r).at_least(COINCIDENT);
    let d = d2.sqrt();
    let per_d = d.reciprocal();
    let stretch = d - load::<PARTIAL>(slots.l, i, count);
    let tension = k * stretch;
    *energy += tension * stretch;
    *largest = largest.larger(d2.where_positive(k));
    let spring = tension * per_d;
    if !DAMPED {
        exchange::<PARTIAL>(&mut f[..3], spring, &r, i, j, count);
        return;
    }
    let v = difference::<PARTIAL>(v, i, j, count);
    let c = load::<PARTIAL>(slots.c, i, count);
    let damper = c * dot(&r, &v) * per_d * per_d;
    if N == 3 {
        exchange::<PARTIAL>(&mut f[..3], spring + damper, &r, i, j, count);
    } else {
        exchange::<PARTIAL>(&mut f[..3], spring, &r, i, j, count);
        exchange::<PARTIAL>(&mut f[3..], damper, &r, i, j, count);
    }
}
