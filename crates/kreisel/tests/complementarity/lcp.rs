//! Linear complementarity problems of all kinds.

use super::scenes::Noise;
use kreisel::linear::lcp::{Lcp, LcpAnswer, LcpParams, Status, TOLERANCE, solve_lcp};
use std::collections::BTreeMap;
use std::time::Instant;

/// Solves many, checks that no answer is wrong, and says which methods decided.
pub struct Tally {
    name: &'static str,
    methods: BTreeMap<String, usize>,
    seconds: f64,
    slowest: f64,
    worst: f64,
}

impl Tally {
    pub fn new(name: &'static str) -> Self {
        Self { name, methods: BTreeMap::new(), seconds: 0.0, slowest: 0.0, worst: 0.0 }
    }

    pub fn solve(&mut self, problem: &Lcp) -> LcpAnswer {
        let begin = Instant::now();
        let answer = solve_lcp(problem, &LcpParams::default());
        let seconds = begin.elapsed().as_secs_f64();
        (self.seconds, self.slowest) = (self.seconds + seconds, self.slowest.max(seconds));
        let label = format!("{:?} by {}", answer.status, answer.method);
        *self.methods.entry(label).or_default() += 1;
        let residual = problem.residual(&answer.z);
        if answer.status == Status::Solved {
            assert!(residual <= TOLERANCE, "{}: a wrong answer was returned as right: {residual:e}", self.name);
            self.worst = self.worst.max(residual);
        }
        answer
    }

    pub fn count(&self, status: &str) -> usize {
        self.methods.iter().filter(|(label, _)| label.starts_with(status)).map(|(_, n)| n).sum()
    }

    pub fn total(&self) -> usize {
        self.methods.values().sum()
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        let mean = 1e3 * self.seconds / self.total().max(1) as f64;
        println!(
            "{}: {:?}, mean {mean:.3} ms, slowest {:.1} ms, worst residual {:.1e}",
            self.name,
            self.methods,
            1e3 * self.slowest,
            self.worst
        );
    }
}

fn gram(n: usize, rank: usize, noise: &mut Noise) -> Vec<f64> {
    let a: Vec<f64> = (0..n * rank).map(|_| noise.signed()).collect();
    (0..n * n).map(|k| (0..rank).map(|r| a[(k / n) * rank + r] * a[(k % n) * rank + r]).sum()).collect()
}

fn all_solved(name: &'static str, rounds: usize, make: impl Fn(&mut Noise, usize) -> Lcp) {
    let (mut noise, mut tally) = (Noise(41), Tally::new(name));
    for round in 0..rounds {
        tally.solve(&make(&mut noise, round));
    }
    assert_eq!(tally.count("Solved"), rounds, "{name}: {:?}", tally.methods);
}

#[test]
fn positive_definite_problems_are_solved() {
    all_solved("positive definite", 200, |noise, round| {
        let n = 1 + round % 60;
        let q = (0..n).map(|_| noise.signed()).collect();
        Lcp::new(gram(n, n + 3, noise), q).unwrap()
    });
}

#[test]
fn p_matrices_that_are_not_symmetric_are_solved() {
    all_solved("P-matrix", 200, |noise, round| {
        let n = 2 + round % 40;
        let mut m = gram(n, n + 1, noise);
        for i in 0..n {
            for j in 0..i {
                let skew = 3.0 * noise.signed();
                m[i * n + j] += skew;
                m[j * n + i] -= skew;
            }
        }
        Lcp::new(m, (0..n).map(|_| noise.signed()).collect()).unwrap()
    });
}

#[test]
fn semidefinite_problems_that_have_a_solution_are_solved_even_if_degenerate() {
    all_solved("semidefinite", 300, |noise, round| {
        let n = 2 + round % 50;
        let m = gram(n, 1 + n / 3, noise);
        // q = w − M z with z, w ≥ 0 and many zeros of both.
        let z: Vec<f64> = (0..n).map(|_| noise.signed().max(0.0)).collect();
        let w: Vec<f64> =
            z.iter().map(|z| if *z > 0.0 || round % 2 == 0 { 0.0 } else { noise.signed().max(0.0) }).collect();
        let q = (0..n).map(|i| w[i] - (0..n).map(|j| m[i * n + j] * z[j]).sum::<f64>()).collect();
        Lcp::new(m, q).unwrap()
    });
}

#[test]
fn problems_of_small_integers_with_many_ties_are_solved() {
    all_solved("integers", 300, |noise, round| {
        let n = 3 + round % 12;
        let a: Vec<f64> = (0..n * n).map(|_| (noise.below(3) as f64) - 1.0).collect();
        let mut m: Vec<f64> =
            (0..n * n).map(|k| (0..n).map(|r| a[(k / n) * n + r] * a[(k % n) * n + r]).sum()).collect();
        (0..n).for_each(|i| m[i * n + i] += 1.0);
        Lcp::new(m, vec![-1.0; n]).unwrap()
    });
}

#[test]
fn badly_scaled_problems_are_solved() {
    all_solved("badly scaled", 200, |noise, round| {
        let n = 2 + round % 30;
        let m = gram(n, n + 2, noise);
        let s: Vec<f64> = (0..n).map(|_| 10_f64.powf(3.0 * noise.signed())).collect();
        let m = m.iter().enumerate().map(|(k, m)| s[k / n] * m * s[k % n]).collect();
        Lcp::new(m, (0..n).map(|i| s[i] * noise.signed()).collect()).unwrap()
    });
}

/// Murty's and Fathi's examples: pivoting takes a power of two of steps.
#[test]
fn examples_that_take_exponentially_many_pivots_are_solved() {
    let mut tally = Tally::new("Murty and Fathi");
    for n in [5, 10, 16, 20, 30, 50, 100] {
        let below = |i: usize, j: usize| [0.0, 1.0, 2.0][1 + usize::from(j < i) - usize::from(j > i)];
        let matrix =
            |entry: &dyn Fn(usize, usize) -> f64| (0..n * n).map(|k| entry(k / n, k % n)).collect::<Vec<f64>>();
        let powers: Vec<f64> = (0..n).map(|i| -(0..=i).map(|k| 2_f64.powi((n - k) as i32)).sum::<f64>()).collect();
        let scale = 2_f64.powi(n as i32);
        let unit: Vec<f64> = powers.iter().map(|p| p / scale).collect();
        let fathi = |i: usize, j: usize| (0..n).map(|k| below(i, k) * below(j, k)).sum();
        let upper = |i: usize, j: usize| below(j, i);
        // Beyond 20 rows the powers of two leave no digits for a product of 1e-9.
        let right_sides = if n <= 20 { vec![vec![-1.0; n], powers, unit] } else { vec![vec![-1.0; n], unit] };
        for q in right_sides {
            for entry in [&below as &dyn Fn(usize, usize) -> f64, &upper, &fathi] {
                tally.solve(&Lcp::new(matrix(entry), q.clone()).unwrap());
            }
        }
    }
    assert_eq!(tally.count("Solved"), tally.total(), "{:?}", tally.methods);
}

/// Two players, costs `a` and `b`: `M = [0 a; bᵀ 0]`, `q = −1`. Lemke's path may end in a ray, an equilibrium always exists.
#[test]
fn games_of_two_players_have_their_equilibrium() {
    all_solved("games", 60, |noise, round| {
        // Lemke's method ends in a ray in most large games.
        let more = if round % 10 == 9 { 40 } else { 0 };
        let (k, l) = (more + 2 + round % 6, more + 2 + round % 5);
        let n = k + l;
        let mut m = vec![0.0; n * n];
        for (i, j) in (0..k * l).map(|c| (c % k, k + c / k)) {
            m[i * n + j] = 1.0 + noise.unit();
            m[j * n + i] = 1.0 + noise.unit();
        }
        Lcp::new(m, vec![-1.0; n]).unwrap()
    });
}

/// A membrane above an obstacle: a Z-matrix, contact on part of it.
#[test]
fn obstacle_problems_are_solved() {
    all_solved("obstacles", 6, |noise, round| {
        let side = 4 + 3 * round;
        let n = side * side;
        let mut m = vec![0.0; n * n];
        for i in 0..n {
            m[i * n + i] = 4.0;
            let links = [(i % side > 0, i.wrapping_sub(1)), (i >= side, i.wrapping_sub(side))];
            for (_, j) in links.into_iter().filter(|(inside, _)| *inside) {
                (m[i * n + j], m[j * n + i]) = (-1.0, -1.0);
            }
        }
        Lcp::new(m, (0..n).map(|i| (7.0 * i as f64 / n as f64).sin() - 0.1 * noise.unit()).collect()).unwrap()
    });
}

#[test]
fn empty_rows_single_rows_and_tiny_numbers_are_decided() {
    let decided = |m: Vec<f64>, q: Vec<f64>| solve_lcp(&Lcp::new(m, q).unwrap(), &LcpParams::default()).status;
    assert_eq!(decided(vec![], vec![]), Status::Solved);
    assert_eq!(decided(vec![0.0], vec![0.0]), Status::Solved);
    assert_eq!(decided(vec![0.0], vec![-1.0]), Status::NoSolution);
    assert_eq!(decided(vec![-1.0], vec![-1.0]), Status::NoSolution);
    assert_eq!(decided(vec![1e-300], vec![0.0]), Status::Solved);
    assert_eq!(decided(vec![2.0, 0.0, 0.0, 0.0], vec![-1.0, 0.0]), Status::Solved);
    assert_eq!(decided(vec![2.0, 0.0, 0.0, 0.0], vec![-1.0, -1.0]), Status::NoSolution);
    // z = 1e300 would do, but nothing of that size can be verified: neither answer may be invented.
    assert_ne!(decided(vec![1e-300], vec![-1.0]), Status::NoSolution);
}

#[test]
fn numbers_at_both_ends_of_the_scale_are_answered_and_never_wrongly() {
    let ends = [1e300, 1e-300, -1e300, -1e-300, 1e308, 5e-324, 1.0, 0.0];
    let mut noise = Noise(77);
    for _ in 0..300 {
        let n = 1 + noise.below(3);
        let mut pick = || ends[noise.below(ends.len())];
        let m: Vec<f64> = (0..n * n).map(|_| pick()).collect();
        let q: Vec<f64> = (0..n).map(|_| pick()).collect();
        let problem = Lcp::new(m, q).unwrap();
        let answer = solve_lcp(&problem, &LcpParams::default());
        assert_eq!(answer.z.len(), n);
        if answer.status == Status::Solved {
            assert!(problem.residual(&answer.z) <= 1e-9, "{problem:?} {answer:?}");
        }
    }
}

#[test]
fn problems_without_a_solution_are_recognised() {
    let (mut noise, mut tally) = (Noise(5), Tally::new("without solution"));
    for round in 0..200 {
        let n = 2 + round % 30;
        let m = gram(n, 1 + n / 3, &mut noise);
        // y ≥ 0 with M y = 0 comes from a rank-deficient Gram matrix of vectors that cancel; then q·y < 0.
        let mut a: Vec<f64> = m;
        let rank = n - 1;
        let vectors: Vec<f64> = (0..n * rank).map(|_| noise.signed()).collect();
        let sum: Vec<f64> = (0..rank).map(|r| (0..n - 1).map(|i| vectors[i * rank + r]).sum::<f64>()).collect();
        let entry = |i: usize, r: usize| if i == n - 1 { -sum[r] } else { vectors[i * rank + r] };
        for (k, a) in a.iter_mut().enumerate() {
            *a = (0..rank).map(|r| entry(k / n, r) * entry(k % n, r)).sum();
        }
        let mut q: Vec<f64> = (0..n).map(|_| noise.signed()).collect();
        let total: f64 = q.iter().sum();
        q[0] -= total + 0.1;
        tally.solve(&Lcp::new(a, q).unwrap());
    }
    assert!(tally.count("NoSolution") == 200, "{:?}", tally.methods);
}

#[test]
fn problems_that_miss_a_solution_by_little_are_recognised_too() {
    // Nothing lifts the first row; the others are in balance with a large z, beside which the first is small.
    let m = vec![0.0, -1.0, -1.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0];
    for miss in [1e-1, 1e-3, 1e-4, 1e-5] {
        let answer = solve_lcp(&Lcp::new(m.clone(), vec![-miss, -1.0, 1.0]).unwrap(), &LcpParams::default());
        assert_eq!(answer.status, Status::NoSolution, "{miss}: {answer:?}");
    }
}

#[test]
fn small_problems_of_any_matrix_are_decided_as_by_enumeration() {
    let (mut noise, mut tally) = (Noise(6), Tally::new("any matrix"));
    for round in 0..400 {
        let n = 1 + round % 6;
        let m: Vec<f64> = (0..n * n).map(|_| noise.signed()).collect();
        let q: Vec<f64> = (0..n).map(|_| noise.signed()).collect();
        let problem = Lcp::new(m, q).unwrap();
        let exists = (0..1_usize << n).any(|set| basis_answers(&problem, set));
        let answer = tally.solve(&problem);
        let expected = if exists { Status::Solved } else { Status::NoSolution };
        assert_eq!(answer.status, expected, "round {round}: {answer:?}");
    }
}

/// True if the basis with these `z` is an answer; by Gauss elimination of its columns.
fn basis_answers(problem: &Lcp, set: usize) -> bool {
    let n = problem.size();
    let chosen = |j: usize| set >> j & 1 == 1;
    let unit = |i: usize, j: usize| f64::from(u8::from(i == j));
    let mut a: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let row = (0..n).map(|j| if chosen(j) { -problem.row(i)[j] } else { unit(i, j) });
            row.chain([problem.q()[i]]).collect()
        })
        .collect();
    for k in 0..n {
        let best = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, best);
        if a[k][k].abs() < 1e-13 {
            return false;
        }
        for i in (0..n).filter(|i| *i != k) {
            let f = a[i][k] / a[k][k];
            (k..=n).for_each(|j| a[i][j] -= f * a[k][j]);
        }
    }
    (0..n).all(|i| a[i][n] / a[i][i] >= -1e-12)
}
