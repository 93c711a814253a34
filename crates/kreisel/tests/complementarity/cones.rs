//! Friction problems on the exact cone: scenes, random heaps, and those without a solution.

use super::scenes::{Heap, Noise};
use kreisel::DVec3;
use kreisel::linear::cone::{ConeAnswer, ConeParams, FrictionProblem, solve_cone};
use kreisel::linear::lcp::Status;
use std::collections::BTreeMap;
use std::time::Instant;

/// Solves many, checks that no answer is wrong, and says which methods decided.
struct Tally {
    name: &'static str,
    methods: BTreeMap<String, usize>,
    slowest: f64,
    worst: f64,
}

impl Tally {
    fn new(name: &'static str) -> Self {
        Self { name, methods: BTreeMap::new(), slowest: 0.0, worst: 0.0 }
    }

    fn solve(&mut self, problem: &FrictionProblem) -> ConeAnswer {
        let begin = Instant::now();
        let answer = solve_cone(problem, &ConeParams::default());
        self.slowest = self.slowest.max(begin.elapsed().as_secs_f64());
        *self.methods.entry(format!("{:?} by {}", answer.status, answer.method)).or_default() += 1;
        if answer.status == Status::Solved {
            let residual = problem.residual(&answer.p);
            assert!(residual <= 1e-8, "{}: a wrong answer was returned as right: {residual:e}", self.name);
            self.worst = self.worst.max(residual);
        }
        answer
    }

    fn share_solved(&self) -> f64 {
        let solved: usize = self.methods.iter().filter(|(m, _)| m.starts_with("Solved")).map(|(_, n)| n).sum();
        solved as f64 / self.methods.values().sum::<usize>() as f64
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        println!("{}: {:?}, slowest {:.1} ms, worst {:.1e}", self.name, self.methods, 1e3 * self.slowest, self.worst);
    }
}

#[test]
fn columns_of_cubes_are_solved_with_any_mass_ratio() {
    let (mut noise, mut tally) = (Noise(3), Tally::new("columns"));
    for mu in [0.0, 0.3, 1.0] {
        for (cubes, ratio) in [(1, 1.0), (2, 1.0), (5, 1e3), (5, 1e6), (5, 1e-6), (20, 1.0), (20, 1e6)] {
            for push in [DVec3::ZERO, DVec3::X * 0.02, noise.vector()] {
                tally.solve(&Heap::column(cubes, ratio, mu, push).problem());
            }
        }
    }
    assert!(tally.share_solved() >= 0.98, "{:?}", tally.methods);
}

#[test]
fn grooves_are_solved_also_where_they_wedge() {
    let (mut noise, mut tally) = (Noise(4), Tally::new("grooves"));
    for mu in [0.0, 0.3, 1.0, 5.0] {
        for angle in [0.02, 0.1, 0.8, 1.3] {
            for _ in 0..10 {
                tally.solve(&Heap::groove(angle, mu, noise.vector(), noise.vector()).problem());
            }
        }
    }
    assert_eq!(tally.share_solved(), 1.0, "{:?}", tally.methods);
}

#[test]
fn random_heaps_are_solved() {
    let (mut noise, mut tally) = (Noise(5), Tally::new("random heaps"));
    for round in 0..120 {
        let contacts = 1 + round % 40;
        let heap = Heap::random(1 + contacts / 3, contacts, [1.0, 1e3, 1e6][round % 3], &mut noise);
        tally.solve(&heap.problem());
    }
    assert!(tally.share_solved() >= 1.0, "{:?}", tally.methods);
}

#[test]
fn a_heap_of_hundreds_of_contacts_is_solved() {
    let (mut noise, mut tally) = (Noise(6), Tally::new("large heaps"));
    for ratio in [1.0, 1e6] {
        tally.solve(&Heap::random(60, 200, ratio, &mut noise).problem());
    }
    assert_eq!(tally.share_solved(), 1.0, "{:?}", tally.methods);
}

#[test]
fn a_squeezed_ball_is_recognised_to_have_no_solution() {
    for mu in [0.0, 0.4, 3.0] {
        let mut problem = Heap::squeezed(mu).problem();
        problem.q.iter_mut().for_each(|q| q.x = -0.1);
        let answer = solve_cone(&problem, &ConeParams::default());
        assert_eq!(answer.status, Status::NoSolution, "{mu}");
        assert!(answer.certificate.iter().all(|y| *y > 0.0));
        // With one wall moving away as fast as the other comes, the ball is pushed and that is a solution.
        problem.q[1].x = 0.1;
        assert_eq!(solve_cone(&problem, &ConeParams::default()).status, Status::Solved, "{mu}");
    }
}
