//! Friction problems of other kinds, and what must not matter: order, units, axes, a little asymmetry.

use super::scenes::{Body, Contact, Heap, Noise};
use kreisel::linear::cone::{ConeAnswer, ConeParams, FrictionProblem, solve_cone};
use kreisel::linear::lcp::Status;
use kreisel::{DMat3, DVec3};

fn solved(name: &str, problem: &FrictionProblem) -> ConeAnswer {
    let answer = solve_cone(problem, &ConeParams::default());
    assert_eq!(answer.status, Status::Solved, "{name}: {:e} by {}", answer.residual, answer.method);
    assert!(problem.residual(&answer.p) <= 1e-8, "{name}: a wrong answer was returned as right");
    answer
}

/// The blocks of a problem, to be changed and put together again.
fn blocks(problem: &FrictionProblem) -> Vec<(usize, usize, DMat3)> {
    (0..problem.contacts()).flat_map(|i| problem.row(i).map(move |(j, w)| (i, j, *w)).collect::<Vec<_>>()).collect()
}

/// Rods end to end, each held between its neighbours by two contacts from both sides: nothing but contacts keeps the chain together.
fn chain(rods: usize, mu: f64, noise: &mut Noise) -> Heap {
    let mut heap = Heap::default();
    for k in 0..rods {
        let mut body = Body::solid(1.0 + noise.unit(), 0.5, noise.vector() * 0.3 - DVec3::Z * 0.1);
        body.inverse_inertia.x *= 50.0;
        heap.bodies.push(body);
        for side in [-1.0, 1.0] {
            let (b, arm_b) = (k.checked_sub(1), DVec3::new(0.5, 0.05 * side, 0.0));
            let normal = DVec3::new(0.3, side, 0.4).normalize();
            heap.contacts.push(Contact { a: k, b, arm_a: DVec3::new(-0.5, -0.05 * side, 0.0), arm_b, normal, mu });
        }
    }
    heap
}

/// Links that hold each other from two sides with little play, so that contacts stick and slip in turn along the whole chain.
fn interlocked(links: usize, noise: &mut Noise) -> Heap {
    let mut heap = Heap::default();
    for k in 0..links {
        let mut body = Body::solid(1.0, 0.5, noise.vector() * 0.15 - DVec3::Z * 0.1);
        (body.inverse_inertia, body.spin) = (DVec3::new(50.0, 10.0, 10.0), noise.vector() * 0.15);
        heap.bodies.push(body);
        let across = (noise.vector() * DVec3::new(0.2, 1.0, 1.0)).normalize();
        let back = (noise.vector() * 0.4 - across).normalize();
        for (normal, y) in [(across, 0.02), (back, -0.02)] {
            let (b, arm_a, arm_b) = (k.checked_sub(1), DVec3::new(-0.5, y, 0.0), DVec3::new(0.5, y, 0.0));
            heap.contacts.push(Contact { a: k, b, arm_a, arm_b, normal, mu: 1.2 * noise.unit() });
        }
    }
    heap
}

#[test]
fn chains_of_a_hundred_links_are_solved() {
    let mut noise = Noise(95);
    for _ in 0..3 {
        solved("interlocked", &interlocked(100, &mut noise).problem());
    }
}

/// A wall of bricks with many contacts on every face.
fn wall(rows: usize, across: usize, mu: f64, push: DVec3) -> Heap {
    let mut heap = Heap::default();
    for row in 0..rows {
        for k in 0..across {
            let last = row + 1 == rows;
            heap.bodies.push(Body::solid(2.0, 0.6, DVec3::Z * -0.1 + if last { push } else { DVec3::ZERO }));
            let a = row * across + k;
            for (x, y) in (0..9).map(|c| (f64::from(c % 3) - 1.0, f64::from(c / 3) - 1.0)) {
                let (arm_a, arm_b) = (DVec3::new(0.5 * x, 0.25 * y, -0.5), DVec3::new(0.5 * x, 0.25 * y, 0.5));
                let b = a.checked_sub(across).filter(|_| row > 0);
                heap.contacts.push(Contact { a, b, arm_a, arm_b, normal: DVec3::Z, mu });
            }
        }
    }
    heap
}

fn heaps() -> Vec<(&'static str, Heap)> {
    let mut noise = Noise(91);
    let mut all = Vec::new();
    for mu in [0.0, 0.2, 0.9, 3.0] {
        all.push(("chain", chain(12, mu, &mut noise)));
        all.push(("wall", wall(3, 2, mu, DVec3::ZERO)));
        all.push(("wall, pushed", wall(2, 3, mu, DVec3::new(0.3, 0.1, 0.0))));
        all.push(("groove", Heap::groove(0.6, mu, noise.vector(), noise.vector()).doubled()));
    }
    all
}

#[test]
fn chains_walls_and_grooves_are_solved() {
    for (name, heap) in heaps() {
        solved(name, &heap.problem());
    }
}

#[test]
fn units_of_mass_and_speed_do_not_matter() {
    for (name, heap) in heaps() {
        for (mass, speed) in [(1e-3, 1e6), (1e3, 1e-6), (1e6, 1.0)] {
            let mut heap = heap.clone();
            heap.in_units(mass);
            let mut problem = heap.problem();
            problem.q.iter_mut().for_each(|q| *q *= speed);
            solved(name, &problem);
        }
    }
}

#[test]
fn the_order_of_contacts_and_the_axes_of_their_planes_do_not_matter() {
    let mut noise = Noise(92);
    for (name, heap) in heaps() {
        let problem = heap.problem();
        let k = problem.contacts();
        let mut place: Vec<usize> = (0..k).collect();
        (1..k).for_each(|i| place.swap(i, noise.below(i + 1)));
        let turns: Vec<DMat3> = (0..k).map(|_| DMat3::from_rotation_x(3.0 * noise.signed())).collect();
        let entries = blocks(&problem);
        let moved =
            entries.into_iter().map(|(i, j, w)| (place[i], place[j], turns[i].transpose() * w * turns[j])).collect();
        let (mut q, mut mu) = (vec![DVec3::ZERO; k], vec![0.0; k]);
        for i in 0..k {
            (q[place[i]], mu[place[i]]) = (turns[i].transpose() * problem.q[i], problem.mu[i]);
        }
        solved(name, &FrictionProblem::from_blocks(moved, q, mu));
    }
}

/// As in published problems, whose inertia is not quite constant in a step.
#[test]
fn a_matrix_that_is_not_quite_symmetric_is_solved_as_it_is() {
    let mut noise = Noise(93);
    for round in 0..12 {
        // Fewer contacts than would make the matrix singular: a singular one may lose its solution with its symmetry.
        let (name, problem) = ("random", Heap::random(8 + round, 10 + round, 1e3, &mut noise).problem());
        let (mut i, mut j, mut v) = (Vec::new(), Vec::new(), Vec::new());
        for (a, b, w) in blocks(&problem) {
            for (r, c) in (0..9).map(|k| (3 * a + k % 3, 3 * b + k / 3)) {
                let skew = if r < c { 1e-3 * w.col(c % 3)[r % 3] * noise.signed() } else { 0.0 };
                i.extend([r, r, c]);
                j.extend([c, c, r]);
                v.extend([w.col(c % 3)[r % 3], skew, -skew]);
            }
        }
        let q: Vec<f64> = problem.q.iter().flat_map(|q| q.to_array()).collect();
        let given = FrictionProblem::from_triplets(&i, &j, &v, &q, &problem.mu).unwrap();
        let own = given.block(0, 0);
        assert!((own - own.transpose()).to_cols_array().iter().any(|x| *x != 0.0), "{name}: averaged");
        solved(name, &given);
    }
}

#[test]
fn contacts_that_just_touch_and_planar_problems_are_solved() {
    // q_n = 0 exactly, at rest and sliding; and nothing at all.
    let w = DMat3::from_cols(DVec3::new(2.0, 0.5, 0.0), DVec3::new(0.5, 3.0, 0.0), DVec3::new(0.0, 0.0, 3.0));
    for q in [DVec3::ZERO, DVec3::new(0.0, 1.0, 0.0), DVec3::new(0.0, -1.0, 2.0), DVec3::new(-1.0, 0.0, 0.0)] {
        for mu in [0.0, 0.5, 5.0] {
            solved("touching", &FrictionProblem::from_blocks(vec![(0, 0, w)], vec![q], vec![mu]));
        }
    }
    // A plane problem: no compliance and no speed along the second tangent.
    let mut noise = Noise(94);
    for (name, heap) in heaps() {
        let problem = heap.problem();
        let flat = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0));
        let entries = blocks(&problem).into_iter().map(|(i, j, w)| (i, j, flat * w * flat)).collect();
        let q = problem.q.iter().map(|q| flat * *q + DVec3::X * 1e-3 * noise.unit()).collect();
        solved(name, &FrictionProblem::from_blocks(entries, q, problem.mu.clone()));
    }
    assert_eq!(solved("empty", &FrictionProblem::default()).p, Vec::new());
}
