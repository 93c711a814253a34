//! Contacts that yield, less and less, from where they do not feel each other to where they nearly do not yield. [AG90]
//!
//! `(W + s 1, q)` has one answer while `s` is large, and it is followed through all folds while `s` falls: on the way there are as many pieces as
//! contacts change what they do, thousands in heaps of hundreds. Where `s` is small by far against `W` Newton's method finds the rest.

use super::damped::full_steps;
use super::follow::harden;
use super::fronts::least_degree_order;
use super::gauss_seidel::gauss_seidel;
use super::problem::FrictionProblem;
use glamx::DVec3;

/// Softness relative to the diagonal: the first, the factor from one look at the problem itself to the next, and the last. [1]
const FIRST: f64 = 10.0;
const FACTOR: f64 = 0.1;
const LAST: f64 = 1e-9;
/// The residual at the start, and sweeps to it: contacts hardly feel each other.
const SHARP: f64 = 1e-13;
const SWEEPS: usize = 1000;
/// Full steps of Newton's method at each look.
const STEPS: usize = 20;

/// Impulses that the way leads to, with so many factorisations at most; with how many it took, and the residual.
pub(super) fn hardened(problem: &FrictionProblem, tolerance: f64, most: usize) -> (Vec<DVec3>, usize, f64) {
    let order = least_degree_order(&problem.rows());
    let mut x = vec![DVec3::ZERO; problem.contacts()];
    gauss_seidel(&problem.proximal(FIRST, &x), &mut x, SHARP, SWEEPS);
    let (mut best, mut taken, mut softness) = ((x.clone(), f64::INFINITY), 0, FIRST);
    while softness > LAST && taken < most {
        let next = (softness * FACTOR).max(LAST);
        let end = harden(problem, &order, &x, (softness, next), most - taken);
        let mut p = end.p.clone();
        let (steps, residual) = full_steps(problem, &mut p, tolerance, STEPS);
        (taken, softness, x) = (taken + end.factorings + steps, next, end.p);
        if residual < best.1 {
            best = (p, residual);
        }
        if residual <= tolerance || !end.done {
            break;
        }
    }
    (best.0, taken, best.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::noise::Noise;
    use glamx::DMat3;

    /// Contacts between bodies of three coordinates each, more of them than coordinates: redundant, with much friction.
    fn tangle(contacts: usize, bodies: usize, seed: u64) -> FrictionProblem {
        let mut noise = Noise(seed);
        let mut number = || 2.0 * noise.next() - 1.0;
        let mut block = || DMat3::from_cols_array(&std::array::from_fn(|_| number()));
        let ends: Vec<[(usize, DMat3); 2]> =
            (0..contacts).map(|c| [(c % bodies, block()), ((c * 7 + 1 + c / bodies) % bodies, block())]).collect();
        let mut entries = Vec::new();
        for (i, of_i) in ends.iter().enumerate() {
            for (j, of_j) in ends.iter().enumerate() {
                let pairs = of_i.iter().flat_map(|a| of_j.iter().map(move |b| (a, b))).filter(|(a, b)| a.0 == b.0);
                let w = pairs.fold(DMat3::ZERO, |w, (a, b)| w + a.1 * b.1.transpose());
                entries.push((i, j, w));
            }
        }
        // Bodies move by chance: what contacts see of it can be undone.
        let moves: Vec<glamx::DVec3> = (0..bodies).map(|_| block().x_axis).collect();
        let q = ends.iter().map(|e| e.iter().map(|(b, d)| *d * moves[*b]).sum()).collect();
        FrictionProblem::from_blocks(entries, q, vec![0.8; contacts])
    }

    #[test]
    fn contacts_that_yield_less_and_less_lead_to_an_answer() {
        for seed in 1..=12 {
            let problem = tangle(24, 12, seed).scaled().0;
            let (p, steps, residual) = hardened(&problem, 1e-12, 20_000);
            assert_eq!(residual, problem.residual(&p));
            assert!(residual < 1e-10, "seed {seed}: {residual:e} after {steps}");
        }
    }
}
