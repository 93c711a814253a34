//! Spring and damper of every connection of a group.

use super::SpringSums;
use super::kernel::{COINCIDENT, Input, Pull, RunInput, difference, dot, exchange_run};
use super::runs::Group;
use crate::linear::lanes::{Lanes, WIDTH};

/// The law of springs and dampers for `W` connections at a time, and what it sums.
struct Springs<const W: usize, const DAMPED: bool> {
    /// k (d − l)² [J].
    twice_energy: Lanes<W>,
    /// The largest squared length of a connection with stiffness [m²].
    longest: Lanes<W>,
}

impl<const W: usize, const DAMPED: bool> Springs<W, DAMPED> {
    fn new() -> Self {
        Self { twice_energy: Lanes::splat(0.0), longest: Lanes::splat(0.0) }
    }

    /// The largest squared length since it was last asked [m²].
    fn take_longest(&mut self) -> f64 {
        std::mem::replace(&mut self.longest, Lanes::splat(0.0)).largest()
    }
}

/// The force [k (d − l) + c n·(v_i − v_j)] n; with r = x_i − x_j = d n both parts are a number times r.
///
/// `N = 3`: the sum of both parts. `N = 6`: the spring's, then the damper's. `N = 0`: the sums only.
impl<const W: usize, const DAMPED: bool, const N: usize> Pull<W, N> for Springs<W, DAMPED> {
    #[inline(always)]
    fn pull(&mut self, run: &RunInput<'_>, t: usize) -> [Lanes<W>; N] {
        let r = difference::<W>(&run.x, t, run.offset);
        let k = Lanes::load(run.slots.k, t);
        let d2 = dot(&r, &r).at_least(COINCIDENT);
        let d = d2.sqrt();
        let per_d = d.reciprocal();
        let stretch = d - Lanes::load(run.slots.l, t);
        let tension = k * stretch;
        self.twice_energy += tension * stretch;
        self.longest = self.longest.larger(d2.where_positive(k));
        let spring = tension * per_d;
        if !DAMPED {
            return along(&r, [spring; 2]);
        }
        let v = difference::<W>(&run.v, t, run.offset);
        let damper = Lanes::load(run.slots.c, t) * dot(&r, &v) * per_d * per_d;
        along(&r, if N == 3 { [spring + damper; 2] } else { [spring, damper] })
    }
}

/// The first number times `r` and, if there is room, the second number times `r`.
#[inline(always)]
fn along<const W: usize, const N: usize>(r: &[Lanes<W>; 3], s: [Lanes<W>; 2]) -> [Lanes<W>; N] {
    let mut force = [Lanes::splat(0.0); N];
    for c in 0..N {
        force[c] = s[c / 3] * r[c % 3];
    }
    force
}

/// Adds the forces of a group into `out`, which starts at element `group.begin`.
///
/// `N = 3`: one field takes spring and damper together. `N = 6`: springs into the first three arrays, dampers into the last.
/// `N = 0`: only the sums are wanted.
#[inline(always)]
pub(super) fn forces<const DAMPED: bool, const N: usize>(
    input: &Input<'_>,
    group: &Group,
    out: &mut [&mut [f64]; N],
) -> SpringSums {
    let (mut blocks, mut singles) = (Springs::<WIDTH, DAMPED>::new(), Springs::<1, DAMPED>::new());
    let mut overstretched = false;
    for r in group.runs.clone() {
        let run = &input.runs[r];
        exchange_run(input, run, &mut blocks, &mut singles, out, group.begin);
        if let Some(limit) = input.limits.get(r) {
            overstretched |= blocks.take_longest().max(singles.take_longest()) > *limit;
        }
    }
    SpringSums { energy: 0.5 * (blocks.twice_energy.sum() + singles.twice_energy.sum()), overstretched }
}
