//! The stiffness product of the connections: df = −K dx, K_b = k [n nᵀ + (1 − l/d)(1 − n nᵀ)].

use super::kernel::{COINCIDENT, Components, Input, Slots, difference, dot, exchange, load, span};
use super::lanes::{Lanes, WIDTH};
use super::runs::{Group, Run};

/// Adds −K dx of a group into `out`, which starts at element `group.begin`; `input.v` is dx.
///
/// With `SEMIDEFINITE` the factor 1 − l/d is not let below zero: the exact projection of the 6 × 6 matrix to a positive
/// semidefinite one, because n nᵀ and 1 − n nᵀ are its eigenspaces and k ≥ 0.
#[inline(always)]
pub(super) fn differential<const SEMIDEFINITE: bool>(input: &Input<'_>, group: &Group, out: &mut [&mut [f64]; 3]) {
    for run in &input.runs[group.runs.clone()] {
        let (here, there) = (span(run, 0), span(run, group.begin));
        let x = input.x.map(|a| &a[here.clone()]);
        let dx = input.v.map(|a| &a[here.clone()]);
        let mut df = out.each_mut().map(|a| &mut a[there.clone()]);
        run_differential::<SEMIDEFINITE>(run, &input.slots.of(run), &x, &dx, &mut df);
    }
}

#[inline(always)]
fn run_differential<const SEMIDEFINITE: bool>(
    run: &Run,
    slots: &Slots<'_>,
    x: &Components<'_>,
    dx: &Components<'_>,
    df: &mut [&mut [f64]; 3],
) {
    let (offset, count) = (run.offset as usize, run.count as usize);
    let rest = count % WIDTH;
    for at in (0..count - rest).step_by(WIDTH) {
        block::<SEMIDEFINITE, false>(at, offset, WIDTH, slots, x, dx, df);
    }
    if rest > 0 {
        block::<SEMIDEFINITE, true>(count - rest, offset, rest, slots, x, dx, df);
    }
}

/// K_b u = k [α u + (1 − α) n (n·u)] with u = dx_i − dx_j and α = 1 − l/d. Two elements in one place: α = 0 and n = 0.
#[inline(always)]
fn block<const SEMIDEFINITE: bool, const PARTIAL: bool>(
    i: usize,
    offset: usize,
    count: usize,
    slots: &Slots<'_>,
    x: &Components<'_>,
    dx: &Components<'_>,
    df: &mut [&mut [f64]; 3],
) {
    let one = Lanes::splat(1.0);
    let j = i + offset;
    let r = difference::<PARTIAL>(x, i, j, count);
    let u = difference::<PARTIAL>(dx, i, j, count);
    let k = load::<PARTIAL>(slots.k, i, count);
    let d2 = dot(&r, &r);
    let per_d = d2.at_least(COINCIDENT).sqrt().reciprocal();
    let across = (one - load::<PARTIAL>(slots.l, i, count) * per_d).where_positive(d2 - Lanes::splat(COINCIDENT));
    let across = if SEMIDEFINITE { across.at_least(0.0) } else { across };
    let along = (one - across) * dot(&r, &u) * per_d * per_d;
    let pull = [0, 1, 2].map(|c| across * u[c] + along * r[c]);
    exchange::<PARTIAL>(df, k, &pull, i, j, count);
}
