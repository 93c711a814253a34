//! The cell-weighted lattice against the theory of elasticity: statics, linearised.
//!
//! Elements sit at the corners of cubic cells; each cell gives a quarter of an edge spring to each of its edges, half of a
//! diagonal spring to each of its face diagonals and an eighth of its mass to each of its corners. Uniform strain is then
//! reproduced exactly at every thickness, with `E` as given and `ν = 1/4`, and bending converges from the stiff side with
//! the square of the cell's size. Other Poisson's ratios come from a volume term per cell.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{scene, simulate};
use kreisel::DVec3;
use kreisel::linear::{CgParams, Vectors};
use kreisel::model::Model;
use kreisel::statics::{Held, StaticParams, StaticProblem, StaticSolution, solve_statics};

/// Young's modulus and Poisson's ratio in uniform tension.
pub const MODULI: Case = Case {
    name: "lattice-moduli",
    about: "the lattice has the wanted E and ν, 1 to 8 cells thick",
    reference: "Hooke's law: uniform strain with the Young's modulus and Poisson's ratio that were asked for. Statics, linearised.",
    run: moduli,
};

/// Tip deflection of cantilevers against Timoshenko's beam.
pub const CANTILEVER: Case = Case {
    name: "cantilever",
    about: "a beam of 1 to 6 cells deflects as its lattice must",
    reference: "Timoshenko's beam, F L³/(3EI) + F L/(κGA), times what an independent calculation of this lattice has of it.",
    run: cantilever,
};

/// Uniaxial and bulk response with other Poisson's ratios.
pub const POISSON: Case = Case {
    name: "poisson",
    about: "Poisson's ratios other than 1/4 are met",
    reference: "Hooke's law with the Poisson's ratio that was asked for; the lattice alone has 1/4, a volume term per cell the rest.",
    run: poisson,
};

const BLOCK: &str = include_str!("../../../../../scenes/validation/block.toml");
const BEAM: &str = include_str!("../../../../../scenes/validation/cantilever.toml");
const YOUNG: f64 = 1e6;
const SIZE: DVec3 = DVec3::new(2.0, 1.0, 1.0);
const BEAM_SIZE: DVec3 = DVec3::new(10.0, 1.0, 1.0);

fn model(text: &str, body: &str, cells: u32, poisson: f64) -> Result<Model, String> {
    let overrides = [format!("body.{body}.cells={cells}"), format!("body.{body}.material.poisson={poisson}")];
    Ok(simulate(&scene(text, &overrides)?)?.model().clone())
}

fn solve(model: &Model, loads: &Vectors, held: &[Held]) -> Result<StaticSolution, String> {
    let (positions, connections, cells) = (&model.elements.rest, &model.connections, &model.cells);
    let precise =
        StaticParams { cg: CgParams { tolerance: 1e-10, max_iterations: 20_000, verify: true }, semidefinite: false };
    solve_statics(&StaticProblem { positions, connections, cells, loads, held }, &precise).map_err(|e| e.to_string())
}

fn at_end(model: &Model, e: usize, sign: f64, length: f64) -> bool {
    sign * model.elements.rest.x[e] > 0.5 * length - 1e-9
}

/// Young's modulus and the two Poisson's ratios of the block, pulled along x between grips that let it contract.
fn pull(cells: u32, poisson: f64) -> Result<[f64; 3], String> {
    let model = model(BLOCK, "block", cells, poisson)?;
    let (strain, x) = (1e-3, &model.elements.rest);
    let mut held = Vec::new();
    for e in 0..x.len() {
        let lower = at_end(&model, e, -1.0, SIZE.x);
        if lower || at_end(&model, e, 1.0, SIZE.x) {
            // A line of elements and its first one stop rigid motion and nothing else.
            let line = lower && x.y[e] < 1e-9 - 0.5 * SIZE.y;
            let first = line && x.z[e] < 1e-9 - 0.5 * SIZE.z;
            let displacement = DVec3::new(strain * x.x[e], 0.0, 0.0);
            held.push(Held { element: e as u32, axes: [true, line, first], displacement });
        }
    }
    let solution = solve(&model, &Vectors::zeros(x.len()), &held)?;
    let upper = (0..x.len()).filter(|&e| at_end(&model, e, 1.0, SIZE.x));
    let force: f64 = upper.map(|e| solution.reactions.x[e]).sum();
    let (low, high) = (0, x.len() - 1);
    let u = &solution.displacements;
    let contraction = |u: &[f64], x: &[f64]| -(u[high] - u[low]) / (x[high] - x[low]) / strain;
    Ok([force / (SIZE.y * SIZE.z * strain), contraction(&u.y, &x.y), contraction(&u.z, &x.z)])
}

fn moduli(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    for cells in settings.pick(vec![1, 2, 3, 8], (1..=8).collect()) {
        let [young, nu_y, nu_z] = pull(cells, 0.25)?;
        let reason = "uniform strain is exact; what is left is the linear solver's 1e-10";
        checks.near(format!("E/E₀, {cells} cells"), young / YOUNG, 1.0, 1e-9, reason);
        let worst = if (nu_y - 0.25).abs() > (nu_z - 0.25).abs() { nu_y } else { nu_z };
        checks.near(format!("ν, {cells} cells"), worst, 0.25, 1e-9, reason);
    }
    Ok(())
}

/// Tip deflection over Timoshenko's `w = F L³/(3 E I) + F L/(κ G A)`, `κ = 5/6`.
///
/// All elements of one end are held; the load is spread over the other end in proportion to the elements' masses, and the
/// deflection is the mean with the same weights (the displacement on which the load works).
fn deflection(cells: u32) -> Result<f64, String> {
    let (length, model) = (BEAM_SIZE.x, model(BEAM, "beam", cells, 0.25)?);
    let n = model.elements.len();
    let clamp = |e| Held { element: e as u32, axes: [true; 3], displacement: DVec3::ZERO };
    let held: Vec<Held> = (0..n).filter(|&e| at_end(&model, e, -1.0, length)).map(clamp).collect();
    let tip: Vec<usize> = (0..n).filter(|&e| at_end(&model, e, 1.0, length)).collect();
    let mass: f64 = tip.iter().map(|&e| model.elements.mass[e]).sum();
    let mut loads = Vectors::zeros(n);
    tip.iter().for_each(|&e| loads.z[e] = model.elements.mass[e] / mass);
    let solution = solve(&model, &loads, &held)?;
    let (area, second_moment, shear) = (1.0, 1.0 / 12.0, YOUNG / 2.5);
    let timoshenko = length.powi(3) / (3.0 * YOUNG * second_moment) + length / (5.0 / 6.0 * shear * area);
    Ok(solution.displacements.dot(&loads) / timoshenko)
}

fn cantilever(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let all = [(1, 0.540), (2, 0.806), (3, 0.898), (4, 0.937), (6, 0.968)];
    let mut errors = Vec::new();
    for &(cells, reference) in &all[..settings.pick(4, 5)] {
        let ratio = deflection(cells)?;
        errors.push((f64::from(cells), 1.0 / ratio - 1.0));
        let reason = "the reference has three digits; the load's distribution over the end changes the fourth";
        checks.near(format!("deflection / Timoshenko, {cells} cells"), ratio, reference, 0.002, reason);
    }
    let (&(n1, e1), &(n2, e2)) = (&errors[1], &errors[3]);
    let order = (e1 / e2).ln() / (n2 / n1).ln();
    checks.near(
        "order of convergence, 2 to 4 cells",
        order,
        2.0,
        0.2,
        "EI of n cells is EI (1 + 1/n²) to leading order",
    );
    Ok(())
}

/// Bulk modulus: the whole surface is moved in proportion, and `∮ t·x dA = 3 p V` (Clapeyron) gives the pressure.
fn compress(cells: u32, poisson: f64) -> Result<f64, String> {
    let model = model(BLOCK, "block", cells, poisson)?;
    let (strain, x) = (1e-3, &model.elements.rest);
    let surface = (0..x.len()).filter(|&e| model.elements.surface[e]);
    let hold = |e: usize| Held { element: e as u32, axes: [true; 3], displacement: strain * x.get(e) };
    let solution = solve(&model, &Vectors::zeros(x.len()), &surface.map(hold).collect::<Vec<_>>())?;
    let virial: f64 = (0..x.len()).map(|e| solution.reactions.get(e).dot(x.get(e))).sum();
    Ok(virial / (3.0 * SIZE.x * SIZE.y * SIZE.z) / (3.0 * strain))
}

fn poisson(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    for poisson in [0.1, 0.4, 0.45] {
        for cells in settings.pick(vec![3], vec![1, 3, 6]) {
            let [young, nu_y, nu_z] = pull(cells, poisson)?;
            let label = |what: &str| format!("{what}, ν = {poisson}, {cells} cells");
            let reason = "required: 2 %; the volume term is exact in uniform strain";
            checks.within(label("E/E₀"), young / YOUNG, 1.0, 0.02, reason);
            checks.within(label("ν"), 0.5 * (nu_y + nu_z), poisson, 0.02, reason);
            let bulk = compress(cells, poisson)? / YOUNG;
            checks.within(label("bulk modulus/E₀"), bulk, 1.0 / (3.0 * (1.0 - 2.0 * poisson)), 0.02, reason);
        }
    }
    Ok(())
}
