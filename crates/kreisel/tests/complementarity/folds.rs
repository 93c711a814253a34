//! Piles with so much friction that they have many answers, most of which end in folds as a problem changes.

use super::scenes::{Body, Contact, Heap, Noise};
use kreisel::DVec3;
use kreisel::linear::cone::{ConeParams, solve_cone};
use kreisel::linear::lcp::Status;

/// Balls of several sizes that fall one after the other to the lowest of some places.
fn heaped(balls: usize, mu: f64, ratio: f64, noise: &mut Noise) -> Heap {
    let mut heap = Heap::default();
    let mut places: Vec<(DVec3, f64)> = Vec::new();
    let side = 0.6 * (balls as f64).sqrt() + 1.0;
    for a in 0..balls {
        let r = 0.3 + 0.4 * noise.unit();
        let height = |x: f64, y: f64| {
            let on = |(c, s): &(DVec3, f64)| {
                let room = (r + s).powi(2) - (x - c.x).powi(2) - (y - c.y).powi(2);
                if room > 0.0 { c.z + room.sqrt() } else { r }
            };
            places.iter().map(on).fold(r, f64::max)
        };
        let tries: Vec<(f64, f64)> = (0..200).map(|_| (side * noise.unit(), side * noise.unit())).collect();
        let (x, y) = tries.into_iter().min_by(|a, b| height(a.0, a.1).total_cmp(&height(b.0, b.1))).unwrap();
        let at = DVec3::new(x, y, height(x, y));
        if at.z < r + 0.01 {
            let (arm_a, normal) = (-r * DVec3::Z, DVec3::Z);
            heap.contacts.push(Contact { a, b: None, arm_a, arm_b: DVec3::ZERO, normal, mu });
        }
        for (b, (other, s)) in places.iter().enumerate().filter(|(_, (c, s))| (at - *c).length() < 1.03 * (r + s)) {
            let normal = (at - *other).normalize();
            heap.contacts.push(Contact { a, b: Some(b), arm_a: -r * normal, arm_b: *s * normal, normal, mu });
        }
        places.push((at, r));
        let mut body = Body::solid(ratio.powf(noise.unit()), r, 0.3 * noise.vector() - 0.1 * DVec3::Z);
        body.spin = 0.3 * noise.vector();
        heap.bodies.push(body);
    }
    heap
}

#[test]
fn piles_with_any_friction_are_solved_though_answers_end_in_folds() {
    let mut noise = Noise(31);
    for (mu, ratio) in [(0.7, 1e3), (3.0, 1.0), (3.0, 1e3), (30.0, 1.0), (1000.0, 1.0), (1000.0, 1e3)] {
        let problem = heaped(60, mu, ratio, &mut noise).problem();
        let answer = solve_cone(&problem, &ConeParams::default());
        println!("{} contacts, μ = {mu}, 1 : {ratio}: {} {}", problem.contacts(), answer.method, answer.iterations);
        assert_eq!(answer.status, Status::Solved, "μ = {mu}, 1 : {ratio}: {:e}", answer.residual);
        assert!(problem.residual(&answer.p) <= 1e-8, "a wrong answer was returned as right");
    }
}

/// Squares of such numbers are zero or infinite; no impulses at all would pass for an answer.
#[test]
fn numbers_whose_squares_are_none_are_solved_in_units_of_their_own() {
    for (speed, give) in [(1e-200, 1.0), (1e200, 1.0), (1.0, 1e-200), (1e-160, 1e-12), (1e150, 1e160)] {
        let plain = heaped(6, 0.5, 10.0, &mut Noise(32)).problem();
        let rows = (0..plain.contacts()).flat_map(|i| plain.row(i).map(move |(j, w)| (i, j, *w * give)));
        let q = plain.q.iter().map(|q| *q * speed).collect();
        let problem = kreisel::linear::cone::FrictionProblem::from_blocks(rows.collect(), q, plain.mu.clone());
        assert!(problem.residual(&vec![DVec3::ZERO; plain.contacts()]) > 0.1, "{speed:e} {give:e}");
        let answer = solve_cone(&problem, &ConeParams::default());
        assert_eq!(answer.status, Status::Solved, "{speed:e} {give:e}: {:e}", answer.residual);
        let back: Vec<DVec3> = answer.p.iter().map(|p| *p / speed * give).collect();
        assert!(plain.residual(&back) <= 1e-8, "{speed:e} {give:e}: {:e}", plain.residual(&back));
    }
}

#[test]
fn what_is_no_number_is_no_answer_and_ends() {
    for bad in [f64::INFINITY, f64::NAN] {
        let mut problem = heaped(3, 0.5, 1.0, &mut Noise(33)).problem();
        problem.q[0].x = bad;
        assert_ne!(solve_cone(&problem, &ConeParams::default()).status, Status::Solved, "{bad}");
    }
}
