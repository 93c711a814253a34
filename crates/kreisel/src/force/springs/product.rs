//! The stiffness product of the connections: df = −K dx, K_b = k [n nᵀ + (1 − l/d)(1 − n nᵀ)].

use super::kernel::{COINCIDENT, Input, Pull, RunInput, difference, dot, exchange_run};
use super::runs::Group;
use crate::linear::lanes::Lanes;

/// The law of the differential; `run.v` is dx.
///
/// With `SEMIDEFINITE` the factor 1 − l/d is not let below zero: the exact projection of the 6 × 6 matrix to a positive
/// semidefinite one, because n nᵀ and 1 − n nᵀ project to its eigenspaces and k ≥ 0.
struct Differential<const SEMIDEFINITE: bool>;

/// K_b u = k [α u + (1 − α) n (n·u)] with u = dx_i − dx_j and α = 1 − l/d. Two elements in one place: α = 0 and n = 0.
impl<const W: usize, const SEMIDEFINITE: bool> Pull<W, 3> for Differential<SEMIDEFINITE> {
    #[inline(always)]
    fn pull(&mut self, run: &RunInput<'_>, t: usize) -> [Lanes<W>; 3] {
        let one = Lanes::<W>::splat(1.0);
        let r = difference::<W>(&run.x, t, run.offset);
        let u = difference::<W>(&run.v, t, run.offset);
        let k = Lanes::load(run.slots.k, t);
        let d2 = dot(&r, &r);
        let per_d = d2.at_least(COINCIDENT).sqrt().reciprocal();
        let across = (one - Lanes::load(run.slots.l, t) * per_d).where_positive(d2 - Lanes::splat(COINCIDENT));
        let across = if SEMIDEFINITE { across.at_least(0.0) } else { across };
        let along = (one - across) * dot(&r, &u) * per_d * per_d;
        let of = |c: usize| k * (across * u[c] + along * r[c]);
        [of(0), of(1), of(2)]
    }
}

/// Adds −K dx of a group into `out`, which starts at element `group.begin`; `input.v` is dx.
#[inline(always)]
pub(super) fn differential<const SEMIDEFINITE: bool>(input: &Input<'_>, group: &Group, out: &mut [&mut [f64]; 3]) {
    let (mut blocks, mut singles) = (Differential::<SEMIDEFINITE>, Differential::<SEMIDEFINITE>);
    for run in &input.runs[group.runs.clone()] {
        exchange_run(input, run, &mut blocks, &mut singles, out, group.begin);
    }
}
