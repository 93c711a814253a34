//! The box lattice against the theory of elasticity.

use kreisel::DVec3;
use kreisel::discretize::{Matter, box_lattice};
use kreisel::linear::{CgParams, Vectors};
use kreisel::model::Material;
use kreisel::statics::{Held, StaticParams, StaticProblem, StaticSolution, solve_statics};

/// As far as rounding lets a slender beam go: its displacements are large, the forces left are small differences.
const PRECISE: StaticParams =
    StaticParams { cg: CgParams { tolerance: 1e-10, max_iterations: 20_000, verify: true }, semidefinite: false };

fn with_poisson(poisson: f64) -> Material {
    Material { poisson, ..Material::default() }
}

fn solve(matter: &Matter, loads: &Vectors, held: &[Held]) -> StaticSolution {
    let problem = StaticProblem {
        positions: &matter.positions,
        connections: &matter.connections,
        cells: &matter.cells,
        loads,
        held,
    };
    solve_statics(&problem, &PRECISE).expect("a held lattice has a solution")
}

/// Young's modulus and the two Poisson's ratios of a box pulled along x between frictionless grips.
fn measure_tension(size: DVec3, cells: u32, material: &Material) -> [f64; 3] {
    let matter = box_lattice(size, cells, material).expect("a box that can be cut");
    let strain = 1e-3;
    let middle = 1e-9 * size.x;
    let mut held = Vec::new();
    for e in 0..matter.len() {
        let x = matter.positions.get(e);
        // Both ends are moved along x; one corner line of the lower end stops rigid motion and nothing else.
        let end = (x.x.abs() - 0.5 * size.x).abs() < middle;
        let corner = end && x.x < 0.0 && x.y < middle - 0.5 * size.y;
        let origin = corner && x.z < middle - 0.5 * size.z;
        if end {
            let displacement = DVec3::new(strain * x.x, 0.0, 0.0);
            held.push(Held { element: e as u32, axes: [true, corner, origin], displacement });
        }
    }
    let solution = solve(&matter, &Vectors::zeros(matter.len()), &held);
    let upper = |e: &usize| matter.positions.x[*e] > 0.5 * size.x - middle;
    let force: f64 = (0..matter.len()).filter(upper).map(|e| solution.reactions.x[e]).sum();
    let spread = |u: &[f64], x: &[f64]| {
        let (lowest, highest) = extremes(x);
        (u[highest] - u[lowest]) / (x[highest] - x[lowest])
    };
    let (u, x) = (&solution.displacements, &matter.positions);
    [force / (size.y * size.z * strain), -spread(&u.y, &x.y) / strain, -spread(&u.z, &x.z) / strain]
}

/// Numbers of the elements with the smallest and the largest coordinate.
fn extremes(x: &[f64]) -> (usize, usize) {
    let of = |sign: f64| (0..x.len()).max_by(|&a, &b| (sign * x[a]).total_cmp(&(sign * x[b]))).expect("elements");
    (of(-1.0), of(1.0))
}

/// Bulk modulus: mean pressure over volume strain when the whole surface is moved inwards in proportion.
fn measure_bulk(cells: u32, material: &Material) -> f64 {
    let size = DVec3::new(1.5, 1.0, 1.0);
    let matter = box_lattice(size, cells, material).expect("a box that can be cut");
    let strain = 1e-3;
    let surface = (0..matter.len()).filter(|&e| matter.surface[e]);
    let moved = |e: usize| strain * matter.positions.get(e);
    let held: Vec<Held> =
        surface.map(|e| Held { element: e as u32, axes: [true; 3], displacement: moved(e) }).collect();
    let solution = solve(&matter, &Vectors::zeros(matter.len()), &held);
    // Clapeyron: ∮ t·x dA = 3 p V.
    let virial: f64 = (0..matter.len()).map(|e| solution.reactions.get(e).dot(matter.positions.get(e))).sum();
    virial / (3.0 * size.x * size.y * size.z) / (3.0 * strain)
}

#[test]
fn uniform_tension_gives_young_and_poisson_at_every_thickness() {
    for cells in 1..=8 {
        let [young, nu_y, nu_z] = measure_tension(DVec3::new(2.0, 1.0, 1.0), cells, &with_poisson(0.25));
        assert!((young / 1e6 - 1.0).abs() < 1e-9, "{cells} cells: E = {young}");
        assert!((nu_y - 0.25).abs() < 1e-9 && (nu_z - 0.25).abs() < 1e-9, "{cells} cells: ν = {nu_y}, {nu_z}");
    }
}

#[test]
fn cells_that_are_not_cubes_are_isotropic_too() {
    for (size, cells) in
        [(DVec3::new(2.1, 0.5, 0.57), 1), (DVec3::new(0.3, 0.47, 0.37), 2), (DVec3::new(1.0, 2.2, 0.93), 2)]
    {
        for poisson in [0.25, 0.1, 0.4] {
            let [young, nu_y, nu_z] = measure_tension(size, cells, &with_poisson(poisson));
            assert!((young / 1e6 - 1.0).abs() < 1e-9, "{size}, ν = {poisson}: E = {young}");
            assert!((nu_y - poisson).abs() < 1e-9 && (nu_z - poisson).abs() < 1e-9, "{size}: ν = {nu_y}, {nu_z}");
        }
    }
}

#[test]
fn other_poisson_ratios_give_the_right_uniaxial_and_bulk_response() {
    for poisson in [0.1, 0.4, 0.45] {
        for cells in [1, 3] {
            let [young, nu_y, nu_z] = measure_tension(DVec3::new(2.0, 1.0, 1.0), cells, &with_poisson(poisson));
            let bulk = measure_bulk(cells, &with_poisson(poisson));
            let expected = 1e6 / (3.0 * (1.0 - 2.0 * poisson));
            assert!((young / 1e6 - 1.0).abs() < 0.02 && (bulk / expected - 1.0).abs() < 0.02);
            assert!((nu_y / poisson - 1.0).abs() < 0.02 && (nu_z / poisson - 1.0).abs() < 0.02);
        }
    }
}

/// Deflection of a square cantilever ten times as long as thick, over Timoshenko's.
///
/// All elements of one end are held in all directions; the load is spread over the other end in proportion to the
/// elements' masses; the deflection is the mean over that end with the same weights (the displacement the load works on).
/// Timoshenko: `w = F L³/(3 E I) + F L/(κ G A)` with `κ = 5/6`; Cowper's `κ = 10 (1 + ν)/(12 + 11 ν)` changes the ratio
/// by 0.0001.
fn measure_cantilever(cells: u32, poisson: f64) -> f64 {
    let (length, thickness, material) = (10.0, 1.0, with_poisson(poisson));
    let matter = box_lattice(DVec3::new(length, thickness, thickness), cells, &material).expect("a beam");
    let at_end = |e: &usize, sign: f64| sign * matter.positions.x[*e] > 0.5 * length - 1e-9;
    let clamp = |e| Held { element: e as u32, axes: [true; 3], displacement: DVec3::ZERO };
    let held: Vec<Held> = (0..matter.len()).filter(|e| at_end(e, -1.0)).map(clamp).collect();
    let tip: Vec<usize> = (0..matter.len()).filter(|e| at_end(e, 1.0)).collect();
    let mass: f64 = tip.iter().map(|&e| matter.masses[e]).sum();
    let mut loads = Vectors::zeros(matter.len());
    tip.iter().for_each(|&e| loads.z[e] = matter.masses[e] / mass);
    let solution = solve(&matter, &loads, &held);
    let reaction: f64 = solution.reactions.z.iter().sum();
    assert!((reaction + 1.0).abs() < 1e-9, "the clamp carries the load: {reaction}");
    let deflection = solution.displacements.dot(&loads);
    let (young, shear) = (material.young, material.young / (2.0 * (1.0 + material.poisson)));
    let (area, second_moment) = (thickness * thickness, thickness.powi(4) / 12.0);
    let timoshenko = length.powi(3) / (3.0 * young * second_moment) + length / (5.0 / 6.0 * shear * area);
    deflection / timoshenko
}

#[test]
fn cantilevers_approach_timoshenko_from_the_stiff_side() {
    for (cells, reference) in [(1, 0.540), (2, 0.806), (3, 0.898), (4, 0.937), (6, 0.968)] {
        let ratio = measure_cantilever(cells, 0.25);
        println!("{cells} cells: {ratio:.4}, reference {reference}");
        assert!((ratio - reference).abs() < 0.002, "{cells} cells: {ratio}, reference {reference}");
    }
}

#[test]
fn beams_near_incompressibility_do_not_lock() {
    let (ordinary, incompressible) = (measure_cantilever(4, 0.25), measure_cantilever(4, 0.49));
    assert!((incompressible / ordinary - 1.0).abs() < 0.02, "{incompressible} against {ordinary}");
}
