//! Friction pyramids of scenes: solved, isotropic after turning, polygons before.

use super::digits::worst_judgement;
use super::lcp::Tally;
use super::scenes::{Body, Contact, Heap, Noise};
use kreisel::DVec3;
use kreisel::linear::lcp::{LcpParams, Status, solve_lcp};
use kreisel::linear::pyramid::{PyramidParams, pyramid_lcp, solve_pyramid};

fn ball(velocity: DVec3, mu: f64) -> Heap {
    let contact =
        Contact { a: 0, b: None, arm_a: DVec3::new(0.0, 0.0, -0.5), arm_b: DVec3::ZERO, normal: DVec3::Z, mu };
    Heap { bodies: vec![Body::solid(1.0, 0.5, velocity)], contacts: vec![contact] }
}

#[test]
fn pyramids_of_scenes_are_solved() {
    let (mut noise, mut tally) = (Noise(3), Tally::new("pyramids"));
    for eta in [4, 8, 16] {
        for mu in [0.0, 0.3, 1.0] {
            for _ in 0..5 {
                tally.solve(&pyramid_lcp(&ball(noise.vector(), mu).problem(), eta, &[]));
                for angle in [0.1, 0.8, 1.3] {
                    let groove = Heap::groove(angle, mu, noise.vector(), noise.vector());
                    tally.solve(&pyramid_lcp(&groove.problem(), eta, &[]));
                }
            }
            for (cubes, ratio) in [(1, 1.0), (2, 1.0), (4, 10.0), (5, 1e-6)] {
                for push in [DVec3::ZERO, DVec3::X * 0.02, noise.vector()] {
                    tally.solve(&pyramid_lcp(&Heap::column(cubes, ratio, mu, push).problem(), eta, &[]));
                }
            }
        }
    }
    assert_eq!(tally.count("Solved"), tally.total());
}

#[test]
fn five_hundred_contacts_in_a_groove_are_solved_also_by_pivots_alone() {
    let problem = pyramid_lcp(&Heap::row_in_groove(166, 0.5, &mut Noise(5)).problem(), 4, &[]);
    for lemke_only in [true, false] {
        let answer = solve_lcp(&problem, &LcpParams { lemke_only, ..LcpParams::default() });
        assert_eq!(answer.status, Status::Solved, "{:e} by {}", answer.residual, answer.method);
    }
}

/// Where bodies of masses over a factor of a thousand stand on each other and each of them moves a little, pivots lose their way.
#[test]
fn tall_columns_of_unlike_masses_that_move_by_chance_are_solved() {
    let mut noise = Noise(6);
    for (cubes, mu) in [(40, 0.8), (60, 0.5), (60, 0.8)] {
        let mut heap = Heap::column(cubes, 1.0, mu, DVec3::ZERO);
        for body in &mut heap.bodies {
            *body = Body::solid(1e3_f64.powf(0.5 * noise.signed()), 0.6, noise.vector() * 0.1 - DVec3::Z * 0.16);
            body.spin = noise.vector() * 0.1;
        }
        let problem = pyramid_lcp(&heap.problem(), 4, &[]);
        let answer = solve_lcp(&problem, &LcpParams::default());
        assert_eq!(answer.status, Status::Solved, "{cubes}: {:e} by {}", answer.residual, answer.method);
        assert!(worst_judgement(&problem, &answer.z) <= 1e-9, "{cubes}");
    }
}

#[test]
fn pyramids_of_random_heaps_are_solved() {
    let (mut noise, mut tally) = (Noise(4), Tally::new("pyramids of heaps"));
    for round in 0..60 {
        let contacts = 2 + round % 12;
        let heap = Heap::random(1 + contacts / 3, contacts, [1.0, 1e3, 1e6][round % 3], &mut noise);
        tally.solve(&pyramid_lcp(&heap.problem(), [4, 8][round % 2], &[]));
    }
    assert_eq!(tally.count("Solved"), tally.total());
}

/// A body of 10⁶ kg presses with 10⁴ N s; the velocity of a contact is a sum of such terms, known to 10⁻¹² m/s. The product of both, which
/// the residual asks for, cannot be told from 10⁻⁸.
#[test]
fn where_large_impulses_leave_no_digits_that_is_said_and_soon() {
    for push in [DVec3::ZERO, DVec3::X * 0.05] {
        let problem = pyramid_lcp(&Heap::pyramid(2, 1e6, 0.0, push).problem(), 4, &[]);
        let answer = solve_lcp(&problem, &LcpParams::default());
        assert_eq!(answer.status, Status::Failed, "{:e}", answer.residual);
        assert!(answer.residual <= problem.rounding(&answer.z) && answer.residual < 1e-5, "{:e}", answer.residual);
        // The same scene in kilotonnes has them.
        let mut heap = Heap::pyramid(2, 1e6, 0.0, push);
        for body in &mut heap.bodies {
            body.inverse_mass *= 1e6;
            body.inverse_inertia *= 1e6;
        }
        let scaled = pyramid_lcp(&heap.problem(), 4, &[]);
        assert_eq!(solve_lcp(&scaled, &LcpParams::default()).status, Status::Solved);
    }
}

/// Masses from 1e-6 to 1 with the heaviest on top: bases are nearly singular, and symmetry ties everything.
#[test]
fn a_million_times_the_mass_on_top_is_solved_in_units_that_have_the_digits() {
    let mut tally = Tally::new("heavy tops");
    for mu in [0.0, 0.3, 1.0] {
        for push in [DVec3::ZERO, DVec3::X * 0.05] {
            let stacks =
                [Heap::pyramid(2, 1e6, mu, push), Heap::pyramid(3, 1e6, mu, push), Heap::column(5, 1e6, mu, push)];
            for mut heap in stacks {
                heap.in_units(1e6);
                tally.solve(&pyramid_lcp(&heap.problem(), 4, &[]));
            }
        }
    }
    assert_eq!(tally.count("Solved"), tally.total());
}

/// Equal balls tie everything, and where all stick much is redundant: from the usual covering vector pivots go on by the ten thousand.
#[test]
fn racks_of_many_balls_that_stick_are_solved() {
    for (base, mu) in [(10, 0.6), (12, 0.8)] {
        let problem = pyramid_lcp(&Heap::racked(base, mu).problem(), 4, &[]);
        let answer = solve_lcp(&problem, &LcpParams::default());
        assert_eq!(answer.status, Status::Solved, "{base}: {:e}", answer.residual);
        assert!(worst_judgement(&problem, &answer.z) <= 1e-9, "{base}");
    }
}

/// A wall of bricks in bond, four corners where two overlap, which all stick: bases are nearly singular, and symmetry ties everything.
#[test]
fn walls_of_equal_bricks_are_solved_without_care() {
    for mu in [0.3, 0.8] {
        let problem = pyramid_lcp(&Heap::bonded(5, 5, mu).problem(), 4, &[]);
        let answer = solve_lcp(&problem, &LcpParams::default());
        assert_eq!(answer.status, Status::Solved, "{mu}: {:e}", answer.residual);
        assert!(worst_judgement(&problem, &answer.z) <= 1e-9, "{mu}");
        // Care costs ten times as much per pivot; it is not asked for after so few.
        assert!(answer.iterations < 15 * problem.size(), "{mu}: {} pivots", answer.iterations);
    }
}

#[test]
fn a_squeezed_ball_has_no_solution() {
    let mut heap = Heap::squeezed(0.4);
    heap.bodies[0].velocity = DVec3::ZERO;
    let mut problem = heap.problem();
    problem.q.iter_mut().for_each(|q| q.x = -0.1);
    let mut tally = Tally::new("squeezed");
    for eta in [4, 8] {
        assert_eq!(tally.solve(&pyramid_lcp(&problem, eta, &[])).status, Status::NoSolution);
    }
}

#[test]
fn turning_the_edges_makes_any_pyramid_isotropic() {
    for facets in [4, 8, 16] {
        for step in 0..40 {
            let angle = 0.157 * f64::from(step);
            let heap = ball(DVec3::new(3.0 * angle.cos(), 3.0 * angle.sin(), -1.0), 0.3);
            let params = PyramidParams { facets, tolerance: 1e-13, ..PyramidParams::default() };
            let answer = solve_pyramid(&heap.problem(), &params);
            assert!(answer.cone_residual < 1e-12 && answer.rounds < 30, "{facets} {step}: {answer:?}");
        }
    }
}

#[test]
fn without_turning_a_pyramid_of_four_edges_pushes_sideways_and_one_of_eight_does_so_less() {
    let worst = |facets| {
        (0..40).fold(0.0_f64, |worst, step| {
            let angle = 0.0393 * f64::from(step);
            let heap = ball(DVec3::new(3.0 * angle.cos(), 3.0 * angle.sin(), -1.0), 0.3);
            let params = PyramidParams { facets, fixed_point: false, ..PyramidParams::default() };
            worst.max(solve_pyramid(&heap.problem(), &params).cone_residual)
        })
    };
    assert!(worst(4) > 1.8 * worst(8) && worst(8) > 1.8 * worst(16) && worst(16) > 1e-3);
}

#[test]
fn turning_settles_in_random_heaps_too() {
    let mut noise = Noise(12);
    let (mut settled, mut rounds) = (0, 0);
    for round in 0..30 {
        let contacts = 1 + round % 6;
        let heap = Heap::random(1 + contacts / 2, contacts, 10.0, &mut noise);
        let answer = solve_pyramid(&heap.problem(), &PyramidParams::default());
        settled += usize::from(answer.cone_residual <= 1e-10);
        rounds += answer.rounds;
    }
    println!("turning settled in {settled} of 30 heaps, {rounds} rounds");
    assert!(settled >= 24, "{settled}");
}
