//! Dense LU factors with partial pivoting, for systems that may be singular. [GVL13 sec. 3.4]

use super::wide::wide;

/// Rows that are eliminated together, so that their part of `U` stays in the cache.
const PANEL: usize = 32;

/// `P A = L U` of a square matrix, row after row.
#[derive(Clone, Debug)]
pub struct Lu {
    n: usize,
    factors: Vec<f64>,
    order: Vec<usize>,
    lifted: usize,
}

impl Lu {
    /// Factors `a`, row after row. A pivot below `lift` times the largest entry becomes that large: the
    /// factors are then those of a neighbouring matrix, and refinement finds a solution of a consistent system.
    ///
    /// `None` if a number is not finite.
    pub fn new(mut a: Vec<f64>, n: usize, lift: f64) -> Option<Self> {
        let scale = a.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
        if a.iter().any(|x| !x.is_finite()) || a.len() != n * n {
            return None;
        }
        let smallest = (lift * scale).max(f64::MIN_POSITIVE);
        let (order, lifted) = eliminate(&mut a, n, n, smallest, smallest);
        Some(Self { n, factors: a, order, lifted })
    }

    /// How many pivots were too small.
    pub fn lifted(&self) -> usize {
        self.lifted
    }

    /// Solves `A x = b` in place.
    pub fn solve(&self, b: &mut [f64]) {
        let n = self.n;
        let mut x: Vec<f64> = self.order.iter().map(|&i| b[i]).collect();
        for i in 0..n {
            let sum = dot(&self.factors[i * n..i * n + i], &x[..i]);
            x[i] -= sum;
        }
        for i in (0..n).rev() {
            let sum = dot(&self.factors[i * n + i + 1..(i + 1) * n], &x[i + 1..]);
            x[i] = (x[i] - sum) / self.factors[i * n + i];
        }
        b.copy_from_slice(&x);
    }
}

/// Eliminates the first `pivots` columns of a matrix of `n` columns, row after row; pivots come from the first `pivots` rows, and the rest of
/// the rows is left with the Schur complement. A pivot below `smallest` becomes `instead`.
///
/// Returns which row came into which place, and how many pivots were too small.
pub(crate) fn eliminate(a: &mut [f64], n: usize, pivots: usize, smallest: f64, instead: f64) -> (Vec<usize>, usize) {
    let mut order: Vec<usize> = (0..pivots).collect();
    let mut lifted = 0;
    for begin in (0..pivots).step_by(PANEL) {
        let end = (begin + PANEL).min(pivots);
        lifted += wide(|| factor_panel(a, n, begin..end, &mut order, (smallest, instead)));
        wide(|| eliminate_beyond(a, n, begin, end));
    }
    (order, lifted)
}

/// Columns of a panel, pivots from all rows that may give one; rows change places as a whole.
#[inline(always)]
fn factor_panel(
    a: &mut [f64],
    n: usize,
    panel: std::ops::Range<usize>,
    order: &mut [usize],
    (smallest, instead): (f64, f64),
) -> usize {
    let mut lifted = 0;
    for k in panel.clone() {
        let size = |i: usize| a[i * n + k].abs();
        let best = (k..order.len()).fold(k, |best, i| if size(i) > size(best) { i } else { best });
        if best != k {
            let (above, below) = a.split_at_mut(best * n);
            above[k * n..(k + 1) * n].swap_with_slice(&mut below[..n]);
            order.swap(k, best);
        }
        if a[k * n + k].abs() < smallest {
            a[k * n + k] = instead;
            lifted += 1;
        }
        let (above, below) = a.split_at_mut((k + 1) * n);
        let (pivot, row) = (above[k * n + k], &above[k * n + k + 1..k * n + panel.end]);
        for other in below.chunks_exact_mut(n) {
            let l = other[k] / pivot;
            other[k] = l;
            if l != 0.0 {
                add_scaled(&mut other[k + 1..panel.end], -l, row);
            }
        }
    }
    lifted
}

/// The panel's multiples subtracted from everything right of it: first from its own rows, then from those below.
#[inline(always)]
fn eliminate_beyond(a: &mut [f64], n: usize, begin: usize, end: usize) {
    for i in begin + 1..n {
        let (above, below) = a.split_at_mut(i * n);
        let (multiples, rest) = below[..n].split_at_mut(end);
        let last = end.min(i);
        let mut k = begin;
        while k + 4 <= last {
            let rows: [&[f64]; 4] = std::array::from_fn(|r| &above[(k + r) * n + end..(k + r + 1) * n]);
            subtract_four(rest, [multiples[k], multiples[k + 1], multiples[k + 2], multiples[k + 3]], rows);
            k += 4;
        }
        for k in k..last {
            add_scaled(rest, -multiples[k], &above[k * n + end..(k + 1) * n]);
        }
    }
}

/// `y ← (((y − m₀ x₀) − m₁ x₁) − m₂ x₂) − m₃ x₃`: one pass over `y` for four rows.
#[inline(always)]
fn subtract_four(y: &mut [f64], m: [f64; 4], x: [&[f64]; 4]) {
    if m == [0.0; 4] {
        return;
    }
    let rows = x[0].iter().zip(x[1]).zip(x[2].iter().zip(x[3]));
    for (y, ((x0, x1), (x2, x3))) in y.iter_mut().zip(rows) {
        *y = (((*y - m[0] * x0) - m[1] * x1) - m[2] * x2) - m[3] * x3;
    }
}

/// `aᵀb`, in four lanes and a fixed order.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let tail: f64 = a4.remainder().iter().zip(b4.remainder()).map(|(a, b)| a * b).sum();
    let mut lanes = [0.0; 4];
    for (a, b) in a4.zip(b4) {
        (0..4).for_each(|k| lanes[k] += a[k] * b[k]);
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) + tail
}

/// `y ← y + s x`.
#[inline(always)]
pub(crate) fn add_scaled(y: &mut [f64], s: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += s * x);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(n: usize, seed: u64) -> Vec<f64> {
        let mut s = seed;
        let mut next = || {
            s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (s >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        (0..n).map(|_| next()).collect()
    }

    fn largest_error(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
        let n = x.len();
        (0..n).fold(0.0, |e, i| (dot(&a[i * n..(i + 1) * n], x) - b[i]).abs().max(e))
    }

    #[test]
    fn systems_of_any_size_are_solved() {
        for n in [0, 1, 2, 5, 31, 32, 33, 100] {
            let (a, b) = (noise(n * n, 3), noise(n, 4));
            let mut x = b.clone();
            Lu::new(a.clone(), n, 1e-14).unwrap().solve(&mut x);
            assert!(largest_error(&a, &x, &b) < 1e-11, "{n}");
        }
        assert!(Lu::new(vec![f64::NAN], 1, 0.0).is_none());
    }

    #[test]
    fn a_singular_system_that_has_a_solution_gets_one() {
        let n = 40;
        let half = noise(n * 20, 5);
        let entry = |i: usize, j: usize| dot(&half[i * 20..(i + 1) * 20], &half[j * 20..(j + 1) * 20]);
        let a: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
        let y = noise(n, 6);
        let b: Vec<f64> = (0..n).map(|i| dot(&a[i * n..(i + 1) * n], &y)).collect();
        let lu = Lu::new(a.clone(), n, 1e-9).unwrap();
        assert!(lu.lifted() >= 15, "{}", lu.lifted());
        let mut x = vec![0.0; n];
        for _ in 0..5 {
            let mut r: Vec<f64> = (0..n).map(|i| b[i] - dot(&a[i * n..(i + 1) * n], &x)).collect();
            lu.solve(&mut r);
            add_scaled(&mut x, 1.0, &r);
        }
        assert!(largest_error(&a, &x, &b) < 1e-12);
    }
}
