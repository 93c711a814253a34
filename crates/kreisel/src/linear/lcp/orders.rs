//! What other people's sums make of an answer.
//!
//! `w = M z + q` of large impulses is a small number that is left of large terms: its last digits depend on the order in which they are added, and
//! on whether products are rounded before. Libraries add in one, two, four, eight or sixteen lanes, halves first, `q` first or last, with fused
//! products or without. Whoever judges an answer does one of these, and an answer has to stand all of them.

use super::problem::Lcp;

/// A way to add up `a·b + c`.
struct Order {
    lanes: usize,
    fused: bool,
    backwards: bool,
    /// `c` is there from the beginning.
    first: bool,
}

const ORDERS: [Order; 12] = [
    Order { lanes: 1, fused: false, backwards: false, first: true },
    Order { lanes: 1, fused: false, backwards: true, first: false },
    Order { lanes: 1, fused: true, backwards: false, first: false },
    Order { lanes: 1, fused: true, backwards: false, first: true },
    Order { lanes: 2, fused: false, backwards: false, first: false },
    Order { lanes: 2, fused: true, backwards: false, first: false },
    Order { lanes: 4, fused: false, backwards: false, first: false },
    Order { lanes: 4, fused: true, backwards: false, first: false },
    Order { lanes: 8, fused: false, backwards: false, first: false },
    Order { lanes: 8, fused: true, backwards: false, first: false },
    Order { lanes: 16, fused: false, backwards: false, first: false },
    Order { lanes: 16, fused: true, backwards: false, first: false },
];

impl Order {
    fn sum(&self, a: &[f64], b: &[f64], c: f64) -> f64 {
        let mut lanes = vec![0.0; self.lanes];
        lanes[0] = if self.first { c } else { 0.0 };
        for at in 0..a.len() {
            let k = if self.backwards { a.len() - 1 - at } else { at };
            let lane = &mut lanes[at % self.lanes];
            *lane = if self.fused { a[k].mul_add(b[k], *lane) } else { *lane + a[k] * b[k] };
        }
        halves(&lanes) + if self.first { 0.0 } else { c }
    }
}

/// Sums of halves, added.
fn halves(x: &[f64]) -> f64 {
    match x {
        [] => 0.0,
        [x] => *x,
        _ => halves(&x[..x.len() / 2]) + halves(&x[x.len() / 2..]),
    }
}

/// The largest residual that one of these ways finds.
pub(super) fn worst_residual(problem: &Lcp, z: &[f64]) -> f64 {
    let of_row = |i: usize, row: &[f64], b: &[f64]| {
        let terms: Vec<f64> = row.iter().zip(b).map(|(m, z)| m * z).collect();
        let by_halves = halves(&terms) + problem.q()[i];
        let sums = ORDERS.iter().map(|order| order.sum(row, b, problem.q()[i])).chain([by_halves]);
        sums.fold(0.0_f64, |worst, w| worst.max(-w).max((z[i] * w).abs()))
    };
    (0..z.len()).map(|i| of_row(i, problem.row(i), z)).fold(problem.residual(z) * problem.unit(), f64::max)
        / problem.unit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_one_order_of_summation_rejects_is_seen() {
        // Backwards, 1 − 1e16 is −1e16 and the one is lost; forwards the large terms cancel first.
        let mut m = vec![0.0; 9];
        m[..3].copy_from_slice(&[1e16, -1e16, 1.0]);
        let problem = Lcp::new(m, vec![-1.0, 0.0, 0.0]).unwrap();
        let z = [1.0; 3];
        assert_eq!(problem.residual(&z), 0.0);
        assert_eq!(worst_residual(&problem, &z), 1.0);
    }
}
