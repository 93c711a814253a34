//! Piles of rocks that touch each other at several points: half of all impulses do nothing, and answers are few.

use super::heavy::worst_judgement;
use super::scenes::{Body, Contact, Heap, Noise};
use kreisel::DVec3;
use kreisel::linear::cone::{ConeParams, solve_cone};
use kreisel::linear::lcp::Status;
use std::time::Instant;

/// Rocks of unit size thrown into a box with so many contacts per pair.
fn rocks(count: usize, each: usize, mu: f64, noise: &mut Noise) -> Heap {
    let side = (count as f64 / 1.2).cbrt();
    let mut places: Vec<DVec3> = Vec::new();
    while places.len() < count {
        let at = DVec3::new(noise.unit(), noise.unit(), noise.unit()) * side;
        if places.iter().all(|p| p.distance(at) > 0.75) || noise.unit() < 0.02 {
            places.push(at);
        }
    }
    let mut heap = Heap::default();
    for (a, at) in places.iter().enumerate() {
        let mut body = Body::solid(1.0, 0.5, noise.vector() * 0.15 - DVec3::Z * 0.16);
        body.spin = noise.vector() * 0.15;
        heap.bodies.push(body);
        for (b, other) in places[..a].iter().enumerate().filter(|(_, p)| p.distance(*at) < 1.05) {
            let normal = (*at - *other).normalize();
            touch(&mut heap, (a, -0.5 * normal), Some((b, 0.5 * normal)), normal, (each, mu), noise);
        }
        let walls =
            [(at.z, DVec3::Z), (at.x, DVec3::X), (side - at.x, -DVec3::X), (at.y, DVec3::Y), (side - at.y, -DVec3::Y)];
        for (_, normal) in walls.into_iter().filter(|(gap, _)| *gap < 0.3) {
            touch(&mut heap, (a, -0.5 * normal), None, normal, (each, mu), noise);
        }
    }
    heap
}

/// Contacts on a ring about a point, with normals that differ a little.
fn touch(
    heap: &mut Heap,
    (a, arm_a): (usize, DVec3),
    b: Option<(usize, DVec3)>,
    normal: DVec3,
    (each, mu): (usize, f64),
    noise: &mut Noise,
) {
    let t = normal.cross(noise.vector()).normalize();
    for k in 0..each {
        let (s, c) = (std::f64::consts::TAU * k as f64 / each as f64).sin_cos();
        let off = 0.25 * (c * t + s * normal.cross(t));
        let tilted = (normal + 0.05 * noise.vector()).normalize();
        let arm_b = b.map_or(DVec3::ZERO, |(_, arm)| arm + off);
        heap.contacts.push(Contact { a, b: b.map(|b| b.0), arm_a: arm_a + off, arm_b, normal: tilted, mu });
    }
}

#[test]
fn piles_of_rocks_are_solved_on_ways_through_the_inside() {
    // Without these ways, sweeps, convex problems and paths took 1,052 to 5,737 steps for each of them.
    for (mu, seed) in [(0.7, 2), (0.7, 5), (0.7, 9), (1.0, 5), (1.0, 10)] {
        let problem = rocks(30, 3, mu, &mut Noise(seed)).problem();
        let answer = solve_cone(&problem, &ConeParams::default());
        assert_eq!(answer.status, Status::Solved, "μ = {mu}, {seed}: {:e}", answer.residual);
        assert!(problem.residual(&answer.p) <= 1e-8, "a wrong answer was returned as right");
        assert!(answer.iterations < 1000, "μ = {mu}, {seed}: {} steps by {}", answer.iterations, answer.method);
    }
}

#[test]
#[ignore = "a survey"]
fn rocks_of_many_contacts() {
    let mut counts = [0, 0];
    for (seed, mu) in (1..).zip([0.4, 0.7, 1.0, 1.5, 3.0].repeat(3)) {
        let problem =
            rocks([40, 60, 80][seed as usize % 3], [2, 3, 4][(seed as usize - 1) / 5], mu, &mut Noise(seed)).problem();
        let begin = Instant::now();
        let answer = solve_cone(&problem, &ConeParams::default());
        let solved = answer.status == Status::Solved;
        assert!(!solved || worst_judgement(&problem, &answer.p) <= 1e-8, "a wrong answer was returned as right");
        counts[usize::from(solved)] += 1;
        let (contacts, seconds) = (problem.contacts(), begin.elapsed().as_secs_f64());
        println!("μ = {mu}, {contacts} contacts: {:?} {:.1e} {seconds:.1} s", answer.status, answer.residual);
    }
    println!("{} solved, {} failed", counts[1], counts[0]);
}
