//! The stiffness product of the connections: df = −K dx, K_b = k [n nᵀ + (1 − l/d)(1 − n nᵀ)].

use super::kernel::{COINCIDENT, Input, RunInput, difference, dot, exchange};
use super::lanes::{Lanes, WIDTH};
use super::runs::Group;

/// Adds −K dx of a group into `out`, which starts at element `group.begin`; `input.v` is dx.
///
/// With `SEMIDEFINITE` the factor 1 − l/d is not let below zero: the exact projection of the 6 × 6 matrix to a positive
/// semidefinite one, because n nᵀ and 1 − n nᵀ project to its eigenspaces and k ≥ 0.
#[inline(always)]
pub(super) fn differential<const SEMIDEFINITE: bool>(input: &Input<'_>, group: &Group, out: &mut [&mut [f64]; 3]) {
    for r in group.runs.clone() {
        let run = input.of_run(r);
        let span = input.span(r, group.begin);
        let mut df = out.each_mut().map(|a| &mut a[span.clone()]);
        let rest = run.count % WIDTH;
        for t in (0..run.count - rest).step_by(WIDTH) {
            block::<WIDTH, SEMIDEFINITE>(t, &run, &mut df);
        }
        for t in run.count - rest..run.count {
            block::<1, SEMIDEFINITE>(t, &run, &mut df);
        }
    }
}

/// K_b u = k [α u + (1 − α) n (n·u)] with u = dx_i − dx_j and α = 1 − l/d. Two elements in one place: α = 0 and n = 0.
#[inline(always)]
fn block<const W: usize, const SEMIDEFINITE: bool>(i: usize, run: &RunInput<'_>, df: &mut [&mut [f64]; 3]) {
    let one = Lanes::<W>::splat(1.0);
    let j = i + run.offset;
    let r = difference::<W>(&run.x, i, j);
    let u = difference::<W>(&run.v, i, j);
    let d2 = dot(&r, &r);
    let per_d = d2.at_least(COINCIDENT).sqrt().reciprocal();
    let across = (one - Lanes::load(run.slots.l, i) * per_d).where_positive(d2 - Lanes::splat(COINCIDENT));
    let across = if SEMIDEFINITE { across.at_least(0.0) } else { across };
    let along = (one - across) * dot(&r, &u) * per_d * per_d;
    let pull = [across * u[0] + along * r[0], across * u[1] + along * r[1], across * u[2] + along * r[2]];
    exchange(df, Lanes::load(run.slots.k, i), &pull, i, j);
}
