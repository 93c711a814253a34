//! Heavy bodies on light ones, redundant contacts, bodies that are squeezed: what costs digits, and answers that stand for every judge.

use super::scenes::{Body, Contact, Heap, Noise};
use kreisel::linear::cone::{ConeParams, FrictionProblem, solve_cone};
use kreisel::linear::cone_local::natural_map;
use kreisel::linear::lcp::Status;
use kreisel::{DMat3, DVec3};

/// The natural map relative to `q` with masses `ρ` from some of the contacts' own to one for all of them.
pub fn worst_judgement(problem: &FrictionProblem, p: &[DVec3]) -> f64 {
    let k = problem.contacts();
    let traces: Vec<f64> = (0..k).map(|i| 3.0 / problem.rho(i)).collect();
    let mean = 3.0 * k as f64 / traces.iter().sum::<f64>();
    let judges: [&dyn Fn(usize) -> f64; 5] =
        [&|i| 3.0 / traces[i], &|i| 1.0 / traces[i], &|i| 10.0 / traces[i], &|_| mean, &|i| {
            1.0 / problem.block(i, i).x_axis.x.max(1e-300)
        }];
    let of = |rho: &dyn Fn(usize) -> f64| {
        let part = |i: usize| natural_map(p[i], problem.velocity(i, p), problem.mu[i], rho(i)).length_squared();
        (0..k).map(part).sum::<f64>().sqrt() / problem.size()
    };
    judges.iter().map(|rho| of(rho)).fold(0.0, f64::max)
}

/// A light box on a grid of points, and one of this mass on its four corners.
fn slab(side: usize, mass: f64, mu: f64, push: DVec3) -> Heap {
    let bodies = vec![Body::solid(1.0, 0.6, push), Body::solid(mass, 0.6, push)];
    let mut heap = Heap { bodies, contacts: Vec::new() };
    let at = |k: usize, side: usize| k as f64 / (side - 1) as f64 - 0.5;
    for (a, side) in [(0_usize, side), (1, 2)] {
        for (x, y) in (0..side * side).map(|k| (at(k % side, side), at(k / side, side))) {
            let (b, arm_b) = (a.checked_sub(1), DVec3::new(x, y, 0.5));
            heap.contacts.push(Contact { a, b, arm_a: DVec3::new(x, y, -0.5), arm_b, normal: DVec3::Z, mu });
        }
    }
    heap
}

#[test]
fn a_million_times_heavier_box_on_a_light_one_is_solved_on_any_number_of_points() {
    for side in [2, 4, 8] {
        for mass in [1e3, 1e6] {
            for mu in [0.8, 3.0, 100.0] {
                let problem = slab(side, mass, mu, DVec3::new(0.035, 0.015, -0.05)).problem();
                let answer = solve_cone(&problem, &ConeParams::default());
                let name = format!("{side}² points, {mass:e}, μ = {mu}: {:e} by {}", answer.residual, answer.method);
                assert_eq!(answer.status, Status::Solved, "{name}");
                let worst = worst_judgement(&problem, &answer.p);
                assert!(worst <= 1e-8, "{name}: {worst:e}");
            }
        }
    }
}

#[test]
fn columns_whose_tops_weigh_a_million_times_more_are_solved_for_every_judge() {
    for (cubes, mu) in [(4, 0.3), (10, 0.8), (25, 100.0)] {
        for push in [DVec3::ZERO, DVec3::new(0.4, -1.0, 0.3)] {
            let problem = Heap::column(cubes, 1e6, mu, push).problem();
            let answer = solve_cone(&problem, &ConeParams::default());
            assert_eq!(answer.status, Status::Solved, "{cubes} {mu} {push}: {:e}", answer.residual);
            let worst = worst_judgement(&problem, &answer.p);
            assert!(worst <= 1e-8, "{cubes} {mu} {push}: {worst:e}");
        }
    }
}

/// Impulses between the walls may grow until rounding makes velocities of nothing: that is no answer.
#[test]
fn a_body_between_walls_that_close_in_has_no_answer_whatever_its_mass() {
    let mut noise = Noise(51);
    for round in 0..200 {
        let mass = 10_f64.powf(6.0 * noise.unit() - 3.0);
        let mut heap = Heap::squeezed([0.0, 0.2, 0.5, 2.0][round % 4]);
        heap.bodies[0] = Body::solid(mass, 0.4 + noise.unit(), DVec3::ZERO);
        let axis = noise.vector().normalize();
        for (contact, side) in heap.contacts.iter_mut().zip([1.0, -1.0]) {
            (contact.normal, contact.arm_a) = (axis * side, axis * (-0.5 * side));
        }
        let mut problem = heap.problem();
        problem.q[0].x = -0.3;
        problem.q[1].x = -0.1 - noise.unit();
        let answer = solve_cone(&problem, &ConeParams::default());
        assert_eq!(answer.status, Status::NoSolution, "{mass}: {:?}", answer.p);
    }
}

#[test]
fn a_squeezed_body_among_others_is_found() {
    let mut noise = Noise(52);
    for contacts in [10, 30, 60] {
        let mut heap = Heap::random(contacts / 2, contacts, 1e3, &mut noise);
        let (a, axis) = (noise.below(contacts / 2), noise.vector().normalize());
        for side in [1.0, -1.0] {
            let (arm_a, arm_b, normal) = (axis * (-0.5 * side), DVec3::ZERO, axis * side);
            heap.contacts.push(Contact { a, b: None, arm_a, arm_b, normal, mu: 0.3 });
        }
        let mut problem = heap.problem();
        for k in [contacts, contacts + 1] {
            problem.q[k].x = -0.5 - noise.unit();
        }
        assert_eq!(solve_cone(&problem, &ConeParams::default()).status, Status::NoSolution, "{contacts} contacts");
    }
}

#[test]
fn contacts_that_nothing_moves_are_solved_if_they_part_and_refused_if_they_meet() {
    let column = Heap::column(5, 10.0, 0.5, DVec3::X * 0.1).problem();
    let blocks = |i: usize| column.row(i).map(move |(j, w)| (i, j, if i == 7 || j == 7 { DMat3::ZERO } else { *w }));
    let all: Vec<_> = (0..column.contacts()).flat_map(blocks).collect();
    for (speed, status) in [(0.2, Status::Solved), (0.0, Status::Solved), (-0.2, Status::NoSolution)] {
        let mut q = column.q.clone();
        q[7] = DVec3::X * speed;
        let problem = FrictionProblem::from_blocks(all.clone(), q, column.mu.clone());
        assert_eq!(solve_cone(&problem, &ConeParams::default()).status, status, "{speed}");
    }
}
