//! What other people's sums make of an answer.
//!
//! `w = M z + q` of large impulses is a small number that is left of large terms: its last digits depend on the order in which they are added, and
//! on whether products are rounded before. Libraries add in one to thirty-two lanes, which they add up side by side or half upon half, in groups of
//! four, halves first, `q` first or last, with fused products or without. Whoever judges an answer does one of these, and an answer has to
//! stand all of them.

use super::problem::Lcp;
use super::twofold::Twofold;

/// A way to add up `a·b + c`.
struct Order {
    lanes: usize,
    fused: bool,
    way: Way,
}

/// How terms follow each other.
#[derive(PartialEq)]
enum Way {
    Forwards,
    /// From the last to the first.
    Backwards,
    /// `c` is there from the beginning.
    From,
    /// As many terms as there are lanes are added to each other, then to the sum.
    Groups,
    /// The upper half of the lanes is added to the lower one until one is left, as registers are; what does not fill all lanes comes last.
    Folded,
}

const ORDERS: [Order; 25] = [
    Order { lanes: 1, fused: false, way: Way::Forwards },
    Order { lanes: 1, fused: false, way: Way::From },
    Order { lanes: 1, fused: false, way: Way::Backwards },
    Order { lanes: 1, fused: true, way: Way::Forwards },
    Order { lanes: 1, fused: true, way: Way::From },
    Order { lanes: 2, fused: false, way: Way::Forwards },
    Order { lanes: 2, fused: true, way: Way::Forwards },
    Order { lanes: 4, fused: false, way: Way::Forwards },
    Order { lanes: 4, fused: true, way: Way::Forwards },
    Order { lanes: 8, fused: false, way: Way::Forwards },
    Order { lanes: 8, fused: true, way: Way::Forwards },
    Order { lanes: 16, fused: false, way: Way::Forwards },
    Order { lanes: 16, fused: true, way: Way::Forwards },
    Order { lanes: 4, fused: false, way: Way::Groups },
    Order { lanes: 4, fused: true, way: Way::Groups },
    Order { lanes: 2, fused: false, way: Way::Folded },
    Order { lanes: 2, fused: true, way: Way::Folded },
    Order { lanes: 4, fused: false, way: Way::Folded },
    Order { lanes: 4, fused: true, way: Way::Folded },
    Order { lanes: 8, fused: false, way: Way::Folded },
    Order { lanes: 8, fused: true, way: Way::Folded },
    Order { lanes: 16, fused: false, way: Way::Folded },
    Order { lanes: 16, fused: true, way: Way::Folded },
    Order { lanes: 32, fused: false, way: Way::Folded },
    Order { lanes: 32, fused: true, way: Way::Folded },
];

/// Most lanes of an order.
const LANES: usize = 32;

/// A term of a row that is not zero: its place, and its factors.
#[derive(Clone, Copy)]
pub(in crate::linear) struct Term {
    pub(in crate::linear) at: usize,
    pub(in crate::linear) m: f64,
    pub(in crate::linear) z: f64,
}

impl Order {
    fn sum(&self, terms: &[Term], c: f64, places: usize) -> f64 {
        match self.way {
            Way::Forwards => self.in_lanes(terms.iter()) + c,
            Way::Backwards => self.in_lanes(terms.iter().rev()) + c,
            Way::From => terms.iter().fold(c, |sum, t| self.add(sum, t)),
            Way::Groups => self.in_groups(terms) + c,
            Way::Folded => self.folded(terms, places) + c,
        }
    }

    fn add(&self, sum: f64, t: &Term) -> f64 {
        if self.fused { t.m.mul_add(t.z, sum) } else { sum + t.m * t.z }
    }

    fn lanes<'a>(&self, terms: impl Iterator<Item = &'a Term>) -> [f64; LANES] {
        let mut lanes = [0.0; LANES];
        terms.for_each(|t| lanes[t.at % self.lanes] = self.add(lanes[t.at % self.lanes], t));
        lanes
    }

    fn in_lanes<'a>(&self, terms: impl Iterator<Item = &'a Term>) -> f64 {
        halves(&self.lanes(terms)[..self.lanes])
    }

    fn folded(&self, terms: &[Term], places: usize) -> f64 {
        let full = places - places % self.lanes;
        let (first, last) = terms.split_at(terms.partition_point(|t| t.at < full));
        let mut lanes = self.lanes(first.iter());
        let mut width = self.lanes;
        while width > 1 {
            width /= 2;
            (0..width).for_each(|k| lanes[k] += lanes[k + width]);
        }
        last.iter().fold(lanes[0], |sum, t| self.add(sum, t))
    }

    fn in_groups(&self, terms: &[Term]) -> f64 {
        let groups = terms.chunk_by(|a, b| a.at / self.lanes == b.at / self.lanes);
        groups.fold(0.0, |sum, group| sum + group.iter().fold(0.0, |sum, t| self.add(sum, t)))
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

/// Halves of the places from `from` to `to`, down to runs of at most 128, which are added in eight lanes side by side, what does not fill all lanes
/// last: as NumPy sums.
fn by_halves(terms: &[Term], from: usize, to: usize) -> f64 {
    let places = to - from;
    if terms.len() < 2 {
        return terms.iter().map(|t| t.m * t.z).sum();
    }
    if places > RUN {
        let middle = from + places / 2 - places / 2 % 8;
        let (first, second) = terms.split_at(terms.partition_point(|t| t.at < middle));
        return by_halves(first, from, middle) + by_halves(second, middle, to);
    }
    let (first, last) = terms.split_at(terms.partition_point(|t| t.at < to - places % 8));
    let mut lanes = [0.0; 8];
    first.iter().for_each(|t| lanes[(t.at - from) % 8] += t.m * t.z);
    last.iter().fold(halves(&lanes), |sum, t| sum + t.m * t.z)
}

/// Places that are added without halving.
const RUN: usize = 128;

/// The terms of row `i` that are not zero.
pub(super) fn terms(problem: &Lcp, z: &[f64], i: usize) -> Vec<Term> {
    let all = problem.row(i).iter().zip(z).enumerate().map(|(at, (&m, &z))| Term { at, m, z });
    all.filter(|t| t.m != 0.0 && t.z != 0.0).collect()
}

/// What people find for the terms and `c`: in each of the orders, by halves, and with all digits, which comes last.
pub(in crate::linear) fn sums(terms: &[Term], c: f64, places: usize) -> impl Iterator<Item = f64> {
    let mut exact = Twofold::from(c);
    terms.iter().for_each(|t| exact.add_product(t.m, t.z));
    let ordered = ORDERS.iter().map(move |order| order.sum(terms, c, places));
    ordered.chain([by_halves(terms, 0, places) + c, exact.sum()])
}

/// The least and the largest sum that somebody finds.
fn range(terms: &[Term], c: f64, places: usize) -> (f64, f64) {
    sums(terms, c, places).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), w| (low.min(w), high.max(w)))
}

/// Share of what the orders differ by that is added: those that nobody thought of may leave more than those that were tried.
const UNTRIED: f64 = 0.5;

/// What row `i` adds to the residual at most.
pub(super) fn left(problem: &Lcp, terms: &[Term], z: &[f64], i: usize) -> f64 {
    let (low, high) = range(terms, problem.q()[i], z.len());
    let more = UNTRIED * (high - low);
    let (low, high) = (low - more, high + more);
    (-low).max(z[i].abs() * high.abs().max(low.abs()))
}

/// The largest residual that one of these ways may find.
pub(super) fn worst_residual(problem: &Lcp, z: &[f64]) -> f64 {
    let rows = (0..z.len()).map(|i| left(problem, &terms(problem, z, i), z, i));
    rows.fold(problem.residual(z) * problem.unit(), f64::max) / problem.unit()
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
        assert!(worst_residual(&problem, &z) >= 1.0);
    }

    #[test]
    fn sums_that_agree_in_all_orders_need_no_margin() {
        let problem = Lcp::new(vec![1.0, 0.25, 0.0, 1.0], vec![-1.0, -1.0]).unwrap();
        assert_eq!(worst_residual(&problem, &[1.0, 1.0]), 0.25 / 2_f64.sqrt());
    }
}
