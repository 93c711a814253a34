//! The numbers next to impulses that leave least of the natural map.
//!
//! Where heavy bodies stand on light ones, impulses of the nearest numbers leave half a unit in the last place of each times `W`, and that may be
//! more than a tolerance. One component after the other goes where the sum of the squares of all that is left is least, rounded to a number:
//! small components have finer numbers than large ones, and make up for these. Velocities are known in twice the digits at first, and
//! change by what a component does.

use super::problem::FrictionProblem;
use crate::linear::cone_local::natural_map;
use crate::linear::lcp::twofold::Twofold;
use glamx::DVec3;

/// Passes over all components at most.
const PASSES: usize = 12;

/// Impulses next to these, judged with these `ρ`.
pub(super) fn nudged(problem: &FrictionProblem, rho: &[f64], p: &[DVec3]) -> Vec<DVec3> {
    let velocities = (0..p.len()).map(|i| velocity(problem, i, p)).collect();
    let mut near = Near { problem, rho, p: p.to_vec(), velocities };
    for _ in 0..PASSES {
        let moves = (0..p.len()).filter(|&i| p[i].x > 0.0).flat_map(|i| (0..3).map(move |axis| (i, axis)));
        if moves.filter(|&(i, axis)| near.goes(i, axis)).count() == 0 {
            break;
        }
    }
    near.p
}

struct Near<'a> {
    problem: &'a FrictionProblem,
    rho: &'a [f64],
    p: Vec<DVec3>,
    velocities: Vec<DVec3>,
}

impl Near<'_> {
    /// One component goes where least is left, were all contacts to stick; true if that is another number, and less is left.
    fn goes(&mut self, i: usize, axis: usize) -> bool {
        // `W` is symmetric up to rounding, and its pattern altogether.
        let felt: Vec<(usize, DVec3)> =
            self.problem.row(i).map(|(j, _)| (j, self.problem.block(j, i).col(axis))).collect();
        let before: Vec<DVec3> = felt.iter().map(|(j, _)| self.left(*j, self.p[*j], self.velocities[*j])).collect();
        let along: f64 = felt.iter().zip(&before).map(|((_, w), r)| w.dot(*r)).sum();
        let square: f64 = felt.iter().map(|(_, w)| w.length_squared()).sum();
        let mut own = self.p[i];
        own[axis] -= along / square;
        let change = own[axis] - self.p[i][axis];
        if change == 0.0 || !change.is_finite() {
            return false;
        }
        let impulse = |j: usize| if i == j { own } else { self.p[j] };
        let after = |(j, w): &(usize, DVec3)| self.left(*j, impulse(*j), self.velocities[*j] + *w * change);
        let sum = |all: f64, r: DVec3| all + r.length_squared();
        if felt.iter().map(after).fold(0.0, sum) >= before.into_iter().fold(0.0, sum) {
            return false;
        }
        self.p[i] = own;
        felt.iter().for_each(|(j, w)| self.velocities[*j] += *w * change);
        true
    }

    fn left(&self, i: usize, p: DVec3, u: DVec3) -> DVec3 {
        natural_map(p, u, self.problem.mu[i], self.rho[i])
    }
}

/// `u_i` in twice the digits, rounded once.
fn velocity(problem: &FrictionProblem, i: usize, p: &[DVec3]) -> DVec3 {
    let mut sums = problem.q[i].to_array().map(Twofold::from);
    for (j, w) in problem.row(i) {
        for (axis, sum) in sums.iter_mut().enumerate() {
            (0..3).for_each(|column| sum.add_product(w.col(column)[axis], p[j][column]));
        }
    }
    DVec3::from_array(sums.map(Twofold::sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::noise::Noise;
    use glamx::DMat3;

    /// Bodies on each other, every second one lighter by a factor of 10⁶, and what comes down on them.
    fn chain(bodies: usize) -> (FrictionProblem, Vec<DVec3>) {
        let mobility = |k: usize| if k % 2 == 1 { 1e6 / 3.0 } else { 1.0 / 3.0 };
        let mut entries = Vec::new();
        for k in 0..bodies {
            let below = if k > 0 { mobility(k - 1) } else { 0.0 };
            entries.push((k, k, DMat3::IDENTITY * (mobility(k) + below)));
            if k > 0 {
                let other = DMat3::IDENTITY * -below;
                entries.extend([(k, k - 1, other), (k - 1, k, other)]);
            }
        }
        let mut q = vec![DVec3::ZERO; bodies];
        q[0] = DVec3::NEG_X;
        let weight = |k: usize| (k..bodies).map(|b| 1.0 / mobility(b)).sum::<f64>();
        let p = (0..bodies).map(|k| DVec3::X * weight(k)).collect();
        (FrictionProblem::from_blocks(entries, q, vec![0.5; bodies]), p)
    }

    #[test]
    fn the_numbers_next_to_rough_impulses_leave_less() {
        let (problem, p) = chain(12);
        let (rho, mut noise) = (problem.least_plausible(), Noise(3));
        for _ in 0..20 {
            let rough: Vec<DVec3> = p.iter().map(|p| *p * (1.0 + 1e-15 * (noise.next() - 0.5))).collect();
            let near = nudged(&problem, &rho, &rough);
            let (before, after) = (problem.strict_residual(&rough), problem.strict_residual(&near));
            assert!(after < 0.7 * before, "{before:e} {after:e}");
            let moved = near.iter().zip(&p).fold(0.0_f64, |m, (a, b)| m.max((*a - *b).length()));
            assert!(moved < 1e-9 * p[0].x, "{moved:e}");
        }
    }
}
