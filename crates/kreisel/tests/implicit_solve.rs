//! The linear systems of implicit steps: preconditioners are what they must be, and need few iterations.
#![allow(clippy::unwrap_used)]

#[path = "implicit/listed.rs"]
mod listed;
#[path = "implicit/system.rs"]
mod system;

use kreisel::linear::{
    BlockJacobi, CgInfo, CgParams, Cycle, Direct, Operator, Preconditioner, TwoLevel, TwoLevelParams, Vectors, solve_cg,
};
use kreisel::{DMat3, DQuat, DVec3};
use listed::Listed;
use system::Body;

fn solve(a: &dyn Operator, preconditioner: &dyn Operator, b: &Vectors) -> (CgInfo, Vectors) {
    let params = CgParams { tolerance: 1e-6, max_iterations: 1000, verify: true };
    let mut x = Vectors::zeros(b.len());
    (solve_cg(a, preconditioner, b, &mut x, &params).unwrap(), x)
}

#[test]
fn rigid_clusters_need_a_fifth_of_the_iterations_of_block_jacobi_on_a_cantilever() {
    let body = Body::cantilever([39, 10, 10], 100.0);
    let (a, map, b) = (body.matrix(), body.map(), body.rough(7));
    let jacobi = BlockJacobi::of_slots(&a, &map);
    let two = TwoLevel::new(&a, &map, &TwoLevelParams::default());
    let [additive, symmetric] = [Cycle::Additive, Cycle::Symmetric].map(|cycle| two.cycled(cycle, &a));
    let ways: [&dyn Operator; 3] = [&jacobi, &additive, &symmetric];
    let counts = ways.map(|way| solve(&a, way, &b).0.iterations);
    assert!(counts[0] > 200 && counts[1] <= 55 && counts[2] <= 30, "{counts:?}");
}

/// Block lattice, chain, sheet, lone elements, elements in one place, and a lattice whose first third is rigid.
fn nets() -> Vec<(&'static str, Listed)> {
    let lattice = |[l, m, n]: [usize; 3]| -> Vec<DVec3> {
        (0..l * m * n).map(|e| DVec3::new((e / (m * n)) as f64, (e / n % m) as f64, (e % n) as f64)).collect()
    };
    let mut strewn = lattice([6, 5, 5]);
    strewn.extend((0..5).map(|i| DVec3::new(100.0 * f64::from(i), 50.0, 0.0)));
    vec![
        ("block", Listed::new(&lattice([12, 6, 6]), 1.5, 0)),
        ("chain", Listed::new(&lattice([400, 1, 1]), 1.1, 0)),
        ("sheet", Listed::new(&lattice([20, 20, 1]), 1.5, 0)),
        ("lone elements", Listed::new(&strewn, 1.5, 0)),
        ("all in one place", Listed::new(&vec![DVec3::ONE; 300], 0.0, 0)),
        ("rigid third", Listed::new(&lattice([12, 6, 6]), 1.5, 144)),
        ("one element", Listed::new(&[DVec3::X], 1.0, 0)),
        ("nothing", Listed::new(&[], 1.0, 0)),
    ]
}

#[test]
fn preconditioners_are_symmetric_and_positive_and_solve_chains_sheets_and_rigid_parts() {
    for (name, a) in nets() {
        let map = a.map();
        // Small clusters: some of one element, some in a line.
        let small = TwoLevelParams { cluster_size: 3, least_component: 1, ..TwoLevelParams::default() };
        let jacobi = BlockJacobi::of_slots(&a, &map);
        let [two, tiny] = [TwoLevelParams::default(), small].map(|params| TwoLevel::new(&a, &map, &params));
        let (symmetric, direct) = (two.cycled(Cycle::Symmetric, &a), Direct::new(&a, &map));
        let ways: [&dyn Operator; 5] = [&jacobi, &two, &tiny, &symmetric, &direct];
        for (k, way) in ways.into_iter().enumerate() {
            assert_symmetric_and_positive(way, &a.random(3), &a.random(4), &format!("{name}, way {k}"));
            solve(&a, way, &a.random(5));
        }
        assert!(solve(&a, &direct, &a.random(6)).0.iterations <= 2, "{name}");
    }
}

#[test]
fn the_corner_of_a_factor_holds_the_inverse_between_the_slots_that_are_eliminated_last() {
    for (name, a) in nets() {
        let (map, slots) = (a.map(), a.random(3).len() as u32);
        // Every ninth slot, bodies' spins among them where there are some.
        let last: Vec<u32> = (0..slots).rev().step_by(9).collect();
        let factor = Direct::ending_with(&a, &map, &last);
        let rights: Vec<Vec<(u32, DVec3)>> = last.iter().map(|&s| vec![(s, DVec3::new(1.0, -2.0, 0.5))]).collect();
        let halves = factor.lower_solves(&rights);
        for (i, right) in rights.iter().enumerate() {
            let (mut b, mut x) = (Vectors::zeros(slots as usize), Vectors::default());
            right.iter().for_each(|(slot, value)| b.set(*slot as usize, *value));
            factor.apply(&b, &mut x);
            for (j, other) in rights.iter().enumerate() {
                let whole: f64 = other.iter().map(|(slot, value)| value.dot(x.get(*slot as usize))).sum();
                let corner: f64 = halves[i].iter().zip(&halves[j]).map(|(a, b)| a * b).sum();
                assert!((whole - corner).abs() <= 1e-9 * whole.abs().max(1e-3), "{name}: {whole} {corner}");
            }
        }
    }
}

fn assert_symmetric_and_positive(m: &dyn Operator, x: &Vectors, y: &Vectors, what: &str) {
    let (mut mx, mut my) = (Vectors::default(), Vectors::default());
    m.apply(x, &mut mx);
    m.apply(y, &mut my);
    let (xmy, ymx, size) = (x.dot(&my), y.dot(&mx), (x.dot(&mx) * y.dot(&my)).sqrt());
    assert!((xmy - ymx).abs() <= 1e-9 * size, "{what}: {xmy} {ymx}");
    assert!(x.is_empty() || x.dot(&mx) > 0.0, "{what}: {}", x.dot(&mx));
}

fn turned(field: &Vectors, q: DMat3) -> Vectors {
    let mut turned = Vectors::default();
    (0..field.len()).for_each(|i| turned.push(q * field.get(i)));
    turned
}

#[test]
fn a_preconditioner_turns_with_its_body() {
    let body = Body::cantilever([21, 6, 6], 100.0);
    let (a, map, b) = (body.matrix(), body.map(), body.rough(2));
    let q = DMat3::from_quat(DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -0.5).normalize(), 1.6));
    let moved = Body { x: turned(&body.x, q), ..Body::cantilever([21, 6, 6], 100.0) };
    let (moved_a, moved_b) = (moved.matrix(), turned(&b, q));
    let mut jacobi = BlockJacobi::of_slots(&a, &map);
    let mut two = TwoLevel::new(&a, &map, &TwoLevelParams::default());
    let mut direct = Direct::new(&a, &map);
    let ways: [&mut dyn Preconditioner; 3] = [&mut jacobi, &mut two, &mut direct];
    for way in ways {
        let (before, x) = solve(&a, way, &b);
        way.turn(&[q]);
        let (after, y) = solve(&moved_a, way, &moved_b);
        let mut error = turned(&x, q);
        error.axpy(-1.0, &y);
        assert!(after.iterations.abs_diff(before.iterations) <= 1, "{before:?} {after:?}");
        assert!(error.dot(&error) < 1e-8 * y.dot(&y));
    }
    let stale = TwoLevel::new(&a, &map, &TwoLevelParams::default());
    let (kept, lost) = (solve(&moved_a, &two, &moved_b).0.iterations, solve(&moved_a, &stale, &moved_b).0.iterations);
    assert!(lost > kept + kept / 2, "unturned {lost}, turned {kept}");
    two.turn(&[]);
    assert_eq!(solve(&a, &two, &b), solve(&a, &stale, &b), "and back");
}

#[test]
fn the_bits_of_a_solve_do_not_depend_on_the_number_of_threads() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let body = Body::cantilever([60, 14, 14], 20.0);
            let a = body.matrix();
            solve(&a, &TwoLevel::new(&a, &body.map(), &TwoLevelParams::default()), &body.rough(1))
        })
    };
    let one = with(1);
    assert!(one.1.len() > 8192 && one == with(3));
}
