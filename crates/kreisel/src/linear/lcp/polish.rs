//! The last digits of an answer: the linear system of its basis, solved with refinement.

use super::problem::Lcp;
use super::twofold::sum_of_products;
use crate::linear::lu::{Lu, add_scaled, dot};

/// Pivots below this share are lifted: first as if the basis were regular, then as if it were singular.
const LIFTS: [f64; 2] = [1e-15, 1e-9];
/// Passes of refinement.
const PASSES: usize = 6;

/// The better of `z` and what its basis (`z_i > w_i`) gives; of `z`, negative entries count as zero.
pub(super) fn polished(problem: &Lcp, z: &[f64]) -> (Vec<f64>, f64) {
    let w = problem.w(z);
    let basis: Vec<usize> = (0..z.len()).filter(|&i| z[i] > w[i]).collect();
    let clamped: Vec<f64> = z.iter().map(|z| if z.is_finite() { z.max(0.0) } else { 0.0 }).collect();
    let mut best = (problem.residual(&clamped), clamped);
    let k = basis.len();
    for lift in LIFTS {
        let block = basis.iter().flat_map(|&i| basis.iter().map(move |&j| problem.row(i)[j])).collect();
        let Some(lu) = Lu::new(block, k, lift) else { break };
        let mut x: Vec<f64> = vec![0.0; z.len()];
        basis.iter().for_each(|&i| x[i] = z[i]);
        for _ in 0..PASSES {
            // Refinement gains digits only as far as it sees what is left.
            let mut rest: Vec<f64> =
                basis.iter().map(|&i| -sum_of_products(problem.row(i), &x, problem.q()[i])).collect();
            lu.solve(&mut rest);
            basis.iter().zip(&rest).for_each(|(&i, change)| x[i] += change);
            let candidate: Vec<f64> = x.iter().map(|x| x.max(0.0)).collect();
            let residual = problem.residual(&candidate);
            if residual < best.0 {
                best = (residual, candidate);
            }
        }
        if lu.lifted() == 0 {
            break;
        }
    }
    (best.1, best.0)
}

/// Active sets: `z` of the rows where it exceeds `w`, again and again; it ends quickly for most P-matrices.
pub(super) fn active_sets(problem: &Lcp, steps: usize) -> (Vec<f64>, usize) {
    let n = problem.size();
    let mut z = vec![0.0; n];
    let mut basis: Vec<bool> = problem.q().iter().map(|q| *q < 0.0).collect();
    for step in 0..steps {
        let rows: Vec<usize> = (0..n).filter(|&i| basis[i]).collect();
        let block = rows.iter().flat_map(|&i| rows.iter().map(move |&j| problem.row(i)[j])).collect();
        let Some(lu) = Lu::new(block, rows.len(), 1e-14) else { return (z, step) };
        let mut x: Vec<f64> = rows.iter().map(|&i| -problem.q()[i]).collect();
        lu.solve(&mut x);
        z.fill(0.0);
        rows.iter().zip(&x).for_each(|(&i, x)| z[i] = *x);
        let w = problem.w(&z);
        let next: Vec<bool> = (0..n).map(|i| if basis[i] { z[i] > 0.0 } else { w[i] < 0.0 }).collect();
        if next == basis {
            return (z, step + 1);
        }
        basis = next;
    }
    (z, steps)
}

/// Interior points: Newton's method on `z w = σμ`, steps that stay positive. It ends in an answer for monotone problems. [Wri97]
pub(super) fn interior_point(problem: &Lcp, steps: usize) -> (Vec<f64>, usize) {
    let n = problem.size();
    let size = problem.q().iter().fold(1.0_f64, |s, q| s.max(q.abs()));
    let (mut z, mut w) = (vec![size; n], vec![size; n]);
    for step in 0..steps {
        let gap = dot(&z, &w) / n as f64;
        let r: Vec<f64> = problem.w(&z).iter().zip(&w).map(|(right, w)| right - w).collect();
        let infeasible = r.iter().fold(0.0_f64, |s, r| s.max(r.abs()));
        if gap <= 1e-15 * size && infeasible <= 1e-13 * size {
            return (z, step);
        }
        let mut block = problem.matrix().to_vec();
        (0..n).for_each(|i| block[i * n + i] += w[i] / z[i]);
        let Some(lu) = Lu::new(block, n, 1e-16) else { return (z, step) };
        let direction = |target: f64, second: &dyn Fn(usize) -> f64| {
            // w + dw = M(z + dz) + q and z dw + w dz = target − z w − second-order term.
            let c: Vec<f64> = (0..n).map(|i| (target - second(i)) / z[i] - w[i]).collect();
            let mut dz: Vec<f64> = (0..n).map(|i| c[i] - r[i]).collect();
            lu.solve(&mut dz);
            let dw: Vec<f64> = (0..n).map(|i| c[i] - w[i] / z[i] * dz[i]).collect();
            (dz, dw)
        };
        let (pz, pw) = direction(0.0, &|_| 0.0);
        let a = longest(&z, &pz).min(longest(&w, &pw));
        let ahead: f64 = (0..n).map(|i| (z[i] + a * pz[i]) * (w[i] + a * pw[i])).sum::<f64>() / n as f64;
        let target = gap * (ahead / gap).powi(3).clamp(1e-8, 1.0);
        let (dz, dw) = direction(target, &|i| pz[i] * pw[i]);
        let a = (0.9995 * longest(&z, &dz).min(longest(&w, &dw))).min(1.0);
        add_scaled(&mut z, a, &dz);
        add_scaled(&mut w, a, &dw);
        if a < 1e-12 || z.iter().chain(&w).any(|x| x.is_nan() || *x <= 0.0) {
            return (z, step);
        }
    }
    (z, steps)
}

/// How far `x` may go along `d` before an entry vanishes.
fn longest(x: &[f64], d: &[f64]) -> f64 {
    x.iter().zip(d).filter(|(_, d)| **d < 0.0).fold(1.0, |a, (x, d)| f64::min(a, -x / d))
}
