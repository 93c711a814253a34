//! Natural frequencies: the eigensolver against the whole matrix of the lattice, and the lattice against Timoshenko's beam.
//!
//! Square beams of n cells are too stiff in bending, `EI (1 + 1/n²)`, and their masses at the corners of the cells have the
//! rotary inertia `ρI (1 + 2/n²)`: with these the beam's frequencies are the lattice's.

use crate::validate::beam_reference::{Beam, End};
use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{scene, simulate};
use kreisel::DVec3;
use kreisel::linear::dense::symmetric_eigen;
use kreisel::statics::{Held, Mode, ModeKind, ModeParams, ModePart, solve_modes};
use std::f64::consts::PI;

/// Beams held at one end, wholly soft and with a rigid half.
pub const CANTILEVER: Case = Case {
    name: "modes-cantilever",
    about: "clamped beams, soft and half rigid, have their natural frequencies",
    reference: "The eigenvalues of the whole matrix, and Timoshenko's beam with the lattice's own bending stiffness and rotary inertia.",
    run: clamped,
};

/// Floating beams.
pub const FREE: Case = Case {
    name: "modes-free",
    about: "floating beams have their natural frequencies",
    reference: "Timoshenko's beam with free ends, with the lattice's own bending stiffness and rotary inertia.",
    run: floating,
};

/// Chains in the direction of their links.
pub const CHAIN: Case = Case {
    name: "modes-chain",
    about: "chains have their natural frequencies",
    reference: "Closed form: ω_j = 2 √(k/m) sin(κ_j/2).",
    run: chains,
};

/// A beam of ten cubic metres.
pub const BEAM: &str = include_str!("../../../../../scenes/validation/cantilever.toml");
const LINKS: &str = include_str!("../../../../../scenes/validation/chain.toml");
const LENGTH: f64 = 10.0;
const YOUNG: f64 = 1e6;
const DENSITY: f64 = 1000.0;
/// Vibrations that are required: the first three pairs of bending and what lies between.
const COUNT: usize = 10;

/// The beam scene, cut out; one end clamped if wanted.
pub fn beam(overrides: &[String], clamped: bool) -> Result<ModePart, String> {
    let sim = simulate(&scene(BEAM, overrides)?)?;
    let all: Vec<u32> = (0..sim.model().elements.len() as u32).collect();
    let mut part = ModePart::new(sim.model(), sim.state(), &all);
    let x = &part.part.positions.x;
    let end = x.iter().copied().fold(f64::INFINITY, f64::min) + 1e-9;
    if clamped {
        let hold = |e: usize| Held { element: e as u32, axes: [true; 3], displacement: DVec3::ZERO };
        part.held = (0..x.len()).filter(|&e| x[e] < end).map(hold).collect();
    }
    Ok(part)
}

/// The elastic modes.
fn vibrations(part: &ModePart, count: usize) -> Result<Vec<Mode>, String> {
    let found = solve_modes(part, &ModeParams { count, ..ModeParams::default() }, None).map_err(|e| e.to_string())?;
    Ok(found.modes.into_iter().filter(|m| m.kind == ModeKind::Elastic).collect())
}

/// The bending modes among the first; they come in pairs, one for each side.
pub fn bending_modes(part: &ModePart) -> Result<Vec<Mode>, String> {
    Ok(vibrations(part, COUNT)?.into_iter().filter(|m| is_bending(part, m)).collect())
}

/// Frequencies of the first three pairs of bending modes [rad/s].
fn bending(part: &ModePart) -> Result<Vec<f64>, String> {
    let bends: Vec<f64> = bending_modes(part)?.iter().map(|m| m.angular_frequency).collect();
    let pairs: Vec<f64> = bends.chunks_exact(2).map(|p| 0.5 * (p[0] + p[1])).collect();
    let split = bends.chunks_exact(2).any(|p| (p[0] / p[1] - 1.0).abs() > 1e-6);
    match pairs.get(..3) {
        Some(three) if !split => Ok(three.to_vec()),
        _ => Err(format!("no three pairs of bending modes among {bends:?} rad/s")),
    }
}

/// True if cross-sections move sideways as wholes: most of the kinetic energy is theirs.
fn is_bending(part: &ModePart, mode: &Mode) -> bool {
    let x = &part.part.positions.x;
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
    let sections = order.chunk_by(|&a, &b| x[b] - x[a] < 1e-6);
    let sideways = |section: &[usize]| {
        let mass: f64 = section.iter().map(|&e| part.masses[e]).sum();
        let momentum: DVec3 = section.iter().map(|&e| part.masses[e] * mode.shape.get(e)).sum();
        (momentum.y * momentum.y + momentum.z * momentum.z) / mass
    };
    sections.map(sideways).sum::<f64>() > 0.5
}

/// Timoshenko's beam of a length, with the lattice's own constants for `cells` across, or the continuum's.
fn timoshenko(length: f64, cells: Option<u32>) -> Beam {
    let coarse = cells.map_or(0.0, |n| 1.0 / f64::from(n * n));
    Beam {
        length,
        bending: YOUNG / 12.0 * (1.0 + coarse),
        shear: 5.0 / 6.0 * YOUNG / 2.5,
        mass: DENSITY,
        rotary: DENSITY / 12.0 * (1.0 + 2.0 * coarse),
    }
}

/// The frequencies of the lattice by its whole matrix: `M^−½ K M^−½` from springs `k n nᵀ`, all eigenvalues.
fn whole_matrix(part: &ModePart) -> Result<Vec<f64>, String> {
    let mut number = vec![[None; 3]; part.masses.len()];
    let mut count = 0;
    for (e, numbers) in number.iter_mut().enumerate() {
        let held = part.held.iter().find(|h| h.element as usize == e).map_or([false; 3], |h| h.axes);
        for axis in (0..3).filter(|&axis| !held[axis]) {
            numbers[axis] = Some(count);
            count += 1;
        }
    }
    let mut matrix = vec![vec![0.0; count]; count];
    for (c, ends) in part.part.connections.ends.iter().enumerate() {
        let [i, j] = ends.map(|e| e as usize);
        let n = (part.part.positions.get(i) - part.part.positions.get(j)).normalize();
        let k = part.part.connections.constants(c).stiffness;
        for (a, b, sign) in [(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)] {
            let scale = sign * k / (part.masses[a] * part.masses[b]).sqrt();
            for (p, q) in (0..9).map(|t| (t / 3, t % 3)) {
                if let (Some(row), Some(column)) = (number[a][p], number[b][q]) {
                    matrix[row][column] += scale * n[p] * n[q];
                }
            }
        }
    }
    let values = symmetric_eigen(&matrix).ok_or("a number is not finite")?.values;
    Ok(values.into_iter().map(|v| v.max(0.0).sqrt()).collect())
}

/// The largest relative deviation of the found frequencies from those of the whole matrix.
fn against_whole_matrix(clamped: bool) -> Result<f64, String> {
    let short = ["body.beam.shape={ box = [4, 1, 1] }".to_string(), "body.beam.cells=2".to_string()];
    let part = beam(&short, clamped)?;
    let whole = whole_matrix(&part)?;
    let rigid = if clamped { 0 } else { 6 };
    let found = vibrations(&part, COUNT)?;
    let off = |(m, w): (&Mode, &f64)| (m.angular_frequency / w - 1.0).abs();
    Ok(found.iter().zip(&whole[rigid..]).map(off).fold(0.0, f64::max))
}

/// Compares beams of several thicknesses with Timoshenko's.
fn compare(settings: &Settings, checks: &mut Checks, clamped: bool) -> Result<(), String> {
    let off = against_whole_matrix(clamped)?;
    let reason = "required; the residual of 1e-8 leaves less";
    checks.at_most("ω against the whole matrix, 10 modes of 243 freedoms, largest share", off, 1e-8, reason);
    let ends = (if clamped { End::Clamped } else { End::Free }, End::Free);
    let continuum = timoshenko(LENGTH, None).frequencies(ends, 3);
    let mut errors = Vec::new();
    for cells in settings.pick(vec![2, 4], vec![2, 3, 4, 6]) {
        let found = bending(&beam(&[format!("body.beam.cells={cells}")], clamped)?)?;
        let corrected = timoshenko(LENGTH, Some(cells)).frequencies(ends, 3);
        for (j, (omega, reference)) in found.iter().zip(&corrected).enumerate() {
            let reason = "EI (1 + 1/n²) is the leading term; the next is 1/n⁴, and the ends are three-dimensional";
            checks.within(format!("ω of bending {}, {cells} cells [rad/s]", j + 1), *omega, *reference, 0.02, reason);
        }
        errors.push((f64::from(cells), found[0] / continuum[0] - 1.0));
    }
    if let [(n1, e1), .., (n2, e2)] = errors[..] {
        let order = (e1 / e2).ln() / (n2 / n1).ln();
        let reason = "from the stiff side with the square of the cells; the ends add a share that does not fall";
        checks.near("order of convergence to the continuum's first ω", order, 2.0, 0.4, reason);
    }
    Ok(())
}

fn clamped(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    compare(settings, checks, true)?;
    let cells = settings.pick(3, 4);
    let half = [format!("body.beam.cells={cells}"), "body.beam.rigid={ x = { above = 0 } }".to_string()];
    let part = beam(&half, true)?;
    let modes = vibrations(&part, 3)?;
    let (length, coarse) = (0.5 * LENGTH, 1.0 / f64::from(cells * cells));
    let mass = DENSITY * length;
    let inertia = mass * (length * length + 1.0 + 2.0 * coarse) / 12.0;
    let tip = End::Rigid { mass, inertia, offset: 0.5 * length };
    let omega = timoshenko(length, Some(cells)).frequencies((End::Clamped, tip), 1);
    let reference = omega.first().copied().unwrap_or(f64::NAN);
    let reason = "as for soft beams; the rigid half also keeps its border from contracting";
    let label = format!("ω of bending 1, outer half rigid, {cells} cells [rad/s]");
    checks.within(label, modes[0].angular_frequency, reference, 0.03, reason);
    Ok(())
}

fn floating(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    compare(settings, checks, false)
}

/// `ω_j = 2 √(k/m) sin(κ_j/2)`, `κ_j` the wave number per link.
fn chains(_: &Settings, checks: &mut Checks) -> Result<(), String> {
    let (masses, rate) = (100, 1000_f64.sqrt());
    let n = masses as f64;
    let first = [PI / (n + 1.0), PI / (2.0 * n + 1.0), PI / n];
    let kinds = [("fixed–fixed", 1, 1), ("fixed–free", 1, 0), ("free–free", 0, 0)];
    for ((name, before, after), first) in kinds.into_iter().zip(first) {
        // Held at one end only, odd multiples of the first wave number fit; otherwise all of them.
        let multiple = |j: usize| if before != after { 2 * j + 1 } else { j + 1 };
        let count = before + masses + after;
        let sim = simulate(&scene(LINKS, &[format!("body.chain.shape.chain.count={count}")])?)?;
        let all: Vec<u32> = (0..count as u32).collect();
        let mut part = ModePart::new(sim.model(), sim.state(), &all);
        let wall = |e: u32| (e as usize) < before || e as usize >= before + masses;
        let hold = |e: u32| Held { element: e, axes: [wall(e), true, true], displacement: DVec3::ZERO };
        part.held = all.iter().map(|&e| hold(e)).collect();
        let exact = |j: usize| 2.0 * rate * (0.5 * multiple(j) as f64 * first).sin();
        let found = vibrations(&part, 5)?;
        let off = found.iter().enumerate().map(|(j, m)| (m.angular_frequency / exact(j) - 1.0).abs());
        let label = format!("ω of {name} chains, 5 modes of {masses} masses, largest share");
        checks.at_most(label, off.fold(0.0, f64::max), 1e-9, "closed form");
    }
    Ok(())
}
