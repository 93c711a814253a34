//! Columns whose bodies weigh what chance gives them: heavy ones between light ones, so that slips are a billionth of impulses.

use super::heavy::worst_judgement;
use super::scenes::{Heap, Noise};
use kreisel::DVec3;
use kreisel::linear::cone::{ConeAnswer, ConeParams, FrictionProblem, solve_cone};
use kreisel::linear::lcp::Status;

/// A column of cubes of 10⁻³ to 10³ kg in random order that comes down with this velocity besides what gravity gives.
fn jumbled(cubes: usize, mu: f64, push: DVec3, noise: &mut Noise) -> FrictionProblem {
    let mut heap = Heap::column(cubes, 1.0, mu, push);
    for body in &mut heap.bodies {
        let lighter = 10_f64.powf(3.0 * noise.signed());
        body.inverse_mass *= lighter;
        body.inverse_inertia *= lighter;
    }
    heap.problem()
}

fn solved(problem: &FrictionProblem) -> ConeAnswer {
    solve_cone(problem, &ConeParams::default())
}

#[test]
fn columns_of_light_and_heavy_cubes_in_random_order_are_solved_for_every_judge() {
    let mut noise = Noise(4242);
    for round in 0..12 {
        let (cubes, mu) = ([6, 12, 25][round % 3], [0.0, 0.2, 0.6, 1.2][round % 4]);
        let push = if round % 2 == 0 { DVec3::ZERO } else { noise.vector() * 0.2 };
        let problem = jumbled(cubes, mu, push, &mut noise);
        let answer = solved(&problem);
        let name = format!("{round}: {cubes} cubes, μ = {mu}, {:e} by {}", answer.residual, answer.method);
        assert_eq!(answer.status, Status::Solved, "{name}");
        let worst = worst_judgement(&problem, &answer.p);
        assert!(worst <= 1e-8, "{name}: {worst:e}");
    }
}

/// What 120 cubes at rest leave by rounding is near the tolerance: each answer stands for every judge or is told to lack digits, and either soon.
#[test]
fn tall_columns_at_rest_are_solved_or_told_to_lack_digits_soon() {
    let mut noise = Noise(99);
    let mut counts = [0, 0];
    for round in 0..6 {
        let problem = jumbled(120, [0.0, 0.4, 1.0][round % 3], DVec3::ZERO, &mut noise);
        let answer = solved(&problem);
        let (rounding, worst) = (problem.rounding(&answer.p), worst_judgement(&problem, &answer.p));
        let name = format!("{round}: {:?} {:e} by {}", answer.status, answer.residual, answer.method);
        assert!(answer.iterations < 3000, "{name}: {}", answer.iterations);
        let is_solved = answer.status == Status::Solved;
        assert!(worst <= if is_solved { 1e-8 } else { rounding }, "{name}: {worst:e}");
        assert!(is_solved || rounding > 1e-8, "{name}: rounding {rounding:e}");
        counts[usize::from(is_solved)] += 1;
    }
    println!("tall columns at rest: {} solved, {} lack digits", counts[1], counts[0]);
}
