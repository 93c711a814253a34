//! Complementarity problems whose impulses are so large that the last digits decide: answers that stand for everybody, and failures
//! that are soon told.

use super::scenes::{Heap, Noise};
use kreisel::DVec3;
use kreisel::linear::lcp::{Lcp, LcpParams, Status, solve_lcp};
use kreisel::linear::pyramid::pyramid_lcp;

/// The residual as others compute it: `w` added forwards, backwards, from `q` on, and even terms before odd ones.
pub fn worst_judgement(problem: &Lcp, z: &[f64]) -> f64 {
    let size = problem.q().iter().map(|q| q * q).sum::<f64>().sqrt().max(1.0);
    let of_row = |i: usize| {
        let terms: Vec<f64> = problem.row(i).iter().zip(z).map(|(m, z)| m * z).collect();
        let (q, n) = (problem.q()[i], terms.len());
        let forwards = terms.iter().fold(0.0, |s, t| s + t) + q;
        let backwards = terms.iter().rev().fold(0.0, |s, t| s + t) + q;
        let from_q = terms.iter().fold(q, |s, t| s + t);
        let every_second = |from: usize| (from..n).step_by(2).fold(0.0, |s, k| s + terms[k]);
        let by_parity = every_second(0) + every_second(1) + q;
        let worst = |w: f64| (-w).max((z[i] * w).abs());
        [forwards, backwards, from_q, by_parity].map(worst).into_iter().fold(-z[i], f64::max)
    };
    (0..z.len()).map(of_row).fold(0.0, f64::max) / size
}

/// Columns, pyramids and heaps over a factor of 10⁴ to 10⁶ in units in which some have the digits and some do not.
pub fn heavy_problems(count: usize) -> Vec<Lcp> {
    let mut noise = Noise(1234);
    let mut make = |round: usize| {
        let (ratio, mu) = (10_f64.powf(4.0 + 2.0 * noise.unit()), [0.1, 0.5, 1.0, 2.0][round % 4]);
        let push = noise.vector() * 0.2;
        let mut heap = match round % 3 {
            0 => Heap::column(2 + round % 4, ratio, mu, push),
            1 => Heap::pyramid(2, ratio, mu, push),
            _ => Heap::random(4, 9, ratio, &mut noise),
        };
        heap.in_units(10_f64.powf(2.0 * noise.unit()));
        pyramid_lcp(&heap.problem(), [4, 8][round / 3 % 2], &[])
    };
    (0..count).map(&mut make).collect()
}

#[test]
fn an_answer_that_is_called_right_is_right_in_every_order_of_summation() {
    let (mut solved, mut failed) = (0, 0);
    for (round, problem) in heavy_problems(60).iter().enumerate() {
        let answer = solve_lcp(problem, &LcpParams::default());
        assert_ne!(answer.status, Status::NoSolution, "{round}: whatever falls on a floor can be stopped");
        if answer.status == Status::Solved {
            let worst = worst_judgement(problem, &answer.z);
            assert!(worst <= 1e-9, "{round}: {worst:e}, told as {:e}", answer.residual);
            solved += 1;
        } else {
            // There is an answer up to rounding; that it is none within the tolerance is what the residual says.
            assert!(answer.residual > 1e-9 && answer.residual < 1e-4, "{round}: {:e}", answer.residual);
            failed += 1;
        }
    }
    println!("heavy problems: {solved} solved, {failed} failed for rounding");
    assert!(failed > 0, "these problems are to be at the end of what digits there are");
}

/// Balls of 1, 10⁶ and 1 kg on each other after 0.01 s of gravity: in the row of the floor `z₁ − z₂` is to be 0.0981. Both are near 98,100, where
/// numbers are multiples of 2⁻³⁶, and so is their difference: what is left of 0.0981, times `z₁`, is left for whoever adds `q` last.
#[test]
fn what_no_two_numbers_can_solve_is_told_as_failed_at_once() {
    let grid = 2_f64.powi(-36);
    let least = 98_100.0 * ((0.0981 / grid).round() * grid - 0.0981).abs();
    let m = vec![1.0, -1.0, 0.0, -1.0, 1.0 + 1e-6, -1e-6, 0.0, -1e-6, 1.0 + 1e-6];
    let answer = solve_lcp(&Lcp::new(m, vec![-0.0981, 0.0, 0.0]).unwrap(), &LcpParams::default());
    assert!(answer.z[0] > 65_536.0 && answer.z[1] > 65_536.0, "{:?}", answer.z);
    assert!(least > 1e-7 && answer.residual >= least, "{least:e} {:e}", answer.residual);
    assert!(answer.status == Status::Failed && answer.iterations < 10, "{answer:?}");
}

/// Corners share what heavy cubes above them weigh: what pivoting finds puts all of it on a few.
#[test]
fn redundant_contacts_under_a_load_are_solved_by_the_least_impulses() {
    let mut heap = Heap::pyramid(3, 1e6, 0.0, DVec3::ZERO);
    heap.in_units(400.0);
    let problem = heap.problem();
    let n = problem.contacts();
    let m = (0..n * n).map(|k| problem.block(k / n, k % n).x_axis.x).collect();
    let lcp = Lcp::new(m, problem.q.iter().map(|q| q.x).collect()).unwrap();
    let answer = solve_lcp(&lcp, &LcpParams::default());
    assert_eq!((answer.status, answer.method), (Status::Solved, "least impulses"), "{:e}", answer.residual);
    assert!(worst_judgement(&lcp, &answer.z) <= 1e-9);
}

/// A string under load, whose heights grow with the square of its length to 3,000: times their last digit that is 10⁻⁹.
#[test]
fn long_strings_are_answered_or_given_up_without_trying_everything() {
    let n = 500;
    let entry = |k: usize| [2.0, -1.0, 0.0][(k / n).abs_diff(k % n).min(2)];
    let mut noise = Noise(n as u64);
    let q = (0..n).map(|_| -0.1 + 0.05 * noise.signed()).collect();
    let problem = Lcp::new((0..n * n).map(entry).collect(), q).unwrap();
    let answer = solve_lcp(&problem, &LcpParams::default());
    assert!(answer.iterations < 3 * n, "{n}: {} pivots and steps by {}", answer.iterations, answer.method);
    assert!(answer.residual < 1e-7, "{n}: {:e}", answer.residual);
    assert!(answer.status == Status::Failed || worst_judgement(&problem, &answer.z) <= 1e-9, "{n}");
}
