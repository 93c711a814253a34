//! The linear systems of implicit steps: preconditioners are what they must be, and need few iterations.
#![allow(clippy::unwrap_used)]

#[path = "implicit/system.rs"]
mod system;

use kreisel::linear::{
    BlockJacobi, CgInfo, CgParams, Cycle, Direct, Operator, TwoLevel, TwoLevelParams, Vectors, solve_cg,
};
use system::{Body, Matrix};

const BEAM: [u32; 3] = [39, 10, 10];

fn solve(a: &Matrix, preconditioner: &dyn Operator) -> CgInfo {
    let params = CgParams { tolerance: 1e-6, max_iterations: 1000 };
    let b = a.body.rough(7);
    solve_cg(a, preconditioner, &b, &mut Vectors::zeros(b.len()), &params).unwrap()
}

#[test]
fn rigid_clusters_need_a_fifth_of_the_iterations_of_block_jacobi_on_a_cantilever() {
    let body = Body::cantilever(BEAM, 100.0);
    let (a, map) = (body.matrix(), body.map());
    let jacobi = solve(&a, &BlockJacobi::of_slots(&a, &map));
    let two = TwoLevel::new(&a, &map, &TwoLevelParams::default());
    let additive = solve(&a, &two.cycled(Cycle::Additive, &a));
    let symmetric = solve(&a, &two.cycled(Cycle::Symmetric, &a));
    let direct = solve(&a, &Direct::new(&a, &map));
    let counts = [jacobi, additive, symmetric, direct].map(|info| info.iterations);
    println!("{counts:?} {}", two.coarse_unknowns());
    assert!(counts[0] > 200 && counts[1] <= 55 && counts[2] <= 30 && counts[3] <= 2, "{counts:?}");
}
