//! Newton's method on the function of Fischer and Burmeister, `φ(z, w) = z + w − √(z² + w²)`. [Fis92]

use super::problem::Lcp;
use crate::linear::lu::{Lu, add_scaled, dot};

/// Shortenings of a step before it is given up.
const HALVINGS: i32 = 30;
/// Merits that a step may compare with: the worst of the last few, so that narrow valleys do not stop it.
const MEMORY: usize = 5;

/// From a start, steps until the merit stays; the last `z` and the number of steps.
pub(super) fn fischer_burmeister(problem: &Lcp, start: &[f64], steps: usize) -> (Vec<f64>, usize) {
    let n = problem.size();
    let mut z = start.to_vec();
    let mut merits = vec![merit(problem, &z)];
    for step in 0..steps {
        let w = problem.w(&z);
        let (value, a, b) = linearised(&z, &w);
        let now = 0.5 * dot(&value, &value);
        if now < 1e-28 {
            return (z, step);
        }
        let mut block = Vec::with_capacity(n * n);
        for i in 0..n {
            block.extend(problem.row(i).iter().map(|m| b[i] * m));
            block[i * n + i] += a[i];
        }
        let slope = gradient(&block, &value);
        let Some(lu) = Lu::new(block, n, 1e-12) else { return (z, step) };
        let mut d: Vec<f64> = value.iter().map(|v| -v).collect();
        lu.solve(&mut d);
        if d.iter().any(|d| !d.is_finite()) || dot(&d, &slope) > -1e-10 * dot(&d, &d) {
            d = slope.iter().map(|s| -s).collect();
        }
        let worst = merits.iter().rev().take(MEMORY).fold(0.0_f64, |m, x| m.max(*x));
        let downhill = dot(&d, &slope);
        let trial = (0..HALVINGS).map(|k| 0.5_f64.powi(k)).find_map(|t| {
            let mut next = z.clone();
            add_scaled(&mut next, t, &d);
            let value = merit(problem, &next);
            (value <= worst + 1e-4 * t * downhill).then_some((next, value))
        });
        let Some((next, value)) = trial else { return (z, step) };
        z = next;
        merits.push(value);
    }
    (z, steps)
}

/// `φ` and its derivatives by `z` and by `w`; at the kink, those along the direction (1, 1).
fn linearised(z: &[f64], w: &[f64]) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let of = |(z, w): (&f64, &f64)| {
        let length = z.hypot(*w);
        let value = if *z + *w > 0.0 { 2.0 * z * w / (z + w + length) } else { z + w - length };
        let part = |x: f64| if length > 1e-14 { 1.0 - x / length } else { 1.0 - std::f64::consts::FRAC_1_SQRT_2 };
        (value, part(*z), part(*w))
    };
    let all: Vec<_> = z.iter().zip(w).map(of).collect();
    (all.iter().map(|x| x.0).collect(), all.iter().map(|x| x.1).collect(), all.iter().map(|x| x.2).collect())
}

fn merit(problem: &Lcp, z: &[f64]) -> f64 {
    let (value, _, _) = linearised(z, &problem.w(z));
    let merit = 0.5 * dot(&value, &value);
    if merit.is_nan() { f64::INFINITY } else { merit }
}

/// `Jᵀφ`.
fn gradient(block: &[f64], value: &[f64]) -> Vec<f64> {
    let mut slope = vec![0.0; value.len()];
    for (row, v) in block.chunks_exact(value.len().max(1)).zip(value) {
        add_scaled(&mut slope, *v, row);
    }
    slope
}
