//! Two equal elastic rods meet end to end, one of them at rest.
//!
//! In the theory of thin rods [SV67; Joh85 sec. 11.1] a wave of compression runs from the
//! contact to the free ends and returns as a wave of tension; when it is back, after `2L/c` with `c = √(E/ρ)`, the rods
//! part and have exchanged their velocities: restitution 1. Cells disperse the wave and keep part of the energy as
//! vibration. A rod as a chain of n cells (`m = ρ a³`, `k = E a`, contact `k_c = E a`) has restitution 0.930, 0.932, 0.974
//! at 4, 8, 32 cells, and touches for 1.046, 1.044, 1.013 times `2L/c`, because the last cells follow slowly: an
//! independent integration below says so. Rods of the cell-weighted lattice have half a cell's mass on their end faces and
//! lose less.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{centre, scene, simulate, step};
use kreisel::model::Setup;

/// The case.
pub const CASE: Case = Case {
    name: "rod-impact",
    about: "equal elastic rods exchange their velocities",
    reference: "Saint-Venant's thin rods [SV67] part after 2L/c with exchanged velocities; what cells change is from an independent integration of chains of n cells.",
    run,
};

const CHAINS: &str = include_str!("../../../../../scenes/validation/rod-impact.toml");
const LATTICES: &str = include_str!("../../../../../scenes/validation/rod-impact-lattice.toml");
const LENGTH: f64 = 0.8;
/// `√(E/ρ)` [m/s].
const WAVE: f64 = 31.622_776_601_683_793;
/// `2L/c` [s].
const TRANSIT: f64 = 2.0 * LENGTH / WAVE;

/// What came out of a collision.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    /// Parting over approach of the centres of mass.
    restitution: f64,
    /// From the first to the last touch, over `2L/c`.
    contact: f64,
}

/// Rods of cells in a row.
fn chains(cells: u32) -> Result<Setup, String> {
    let a = LENGTH / f64::from(cells);
    let mut overrides = vec![format!("body.moving.at=[{}, 0, 0]", -a * 1.001)];
    for body in ["moving", "resting"] {
        let chain = format!("body.{body}.shape.chain");
        overrides.push(format!("{chain}.count={cells}"));
        for (key, value) in [("spacing", a), ("radius", 0.5 * a), ("mass", 1000.0 * a * a * a), ("section", a * a)] {
            overrides.push(format!("{chain}.{key}={value:?}"));
        }
    }
    scene(CHAINS, &overrides)
}

/// Rods of the lattice, two cells thick, with gaps from spheres or skins.
fn lattices(cells: u32, gaps: &str) -> Result<Setup, String> {
    let thickness = 2.0 * LENGTH / f64::from(cells);
    let size = |body: &str| format!("body.{body}.shape.box=[{LENGTH}, {thickness}, {thickness}]");
    scene(LATTICES, &[size("moving"), size("resting"), format!("contact.gaps=\"{gaps}\"")])
}

/// Lets the rods meet.
fn collide(mut setup: Setup) -> Result<Outcome, String> {
    setup.frame = TRANSIT / 2000.0;
    setup.step = Some(setup.frame);
    let mut sim = simulate(&setup)?;
    let approach = centre(&sim, "moving")?.velocity.x;
    let (mut first, mut last) = (None, 0.0);
    while sim.time() < 2.0 * TRANSIT {
        step(&mut sim)?;
        if !sim.state().contacts.is_empty() {
            first = first.or(Some(sim.time()));
            last = sim.time();
        }
    }
    let parting = centre(&sim, "resting")?.velocity.x - centre(&sim, "moving")?.velocity.x;
    let first = first.ok_or("the rods do not meet")?;
    Ok(Outcome { restitution: parting / approach, contact: (last - first + setup.frame) / TRANSIT })
}

/// The same two chains in units of mass, stiffness and cell, by the leapfrog method with a small step.
fn integrated(cells: usize) -> Outcome {
    let (h, n) = (0.002, 2 * cells);
    let (mut x, mut v, mut f) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    v[..cells].fill(1.0);
    let (mut t, mut first, mut last) = (0.0, None, 0.0);
    while t < 4.0 * cells as f64 {
        f.fill(0.0);
        for i in 0..n - 1 {
            let stretch: f64 = x[i + 1] - x[i];
            let pull = if i + 1 == cells { stretch.min(0.0) } else { stretch };
            f[i] += pull;
            f[i + 1] -= pull;
            if i + 1 == cells && pull < 0.0 {
                first = first.or(Some(t));
                last = t;
            }
        }
        for i in 0..n {
            v[i] += h * f[i];
            x[i] += h * v[i];
        }
        t += h;
    }
    let parting = v[cells..].iter().sum::<f64>() - v[..cells].iter().sum::<f64>();
    let contact = last - first.unwrap_or(last);
    Outcome { restitution: parting / cells as f64, contact: contact / (2 * cells) as f64 }
}

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    for (cells, published) in [(8, 0.93), (32, 0.974)] {
        let (found, reference) = (collide(chains(cells)?)?, integrated(cells as usize));
        let reason = "required: ±0.01";
        checks.near(format!("restitution, {cells} cells"), found.restitution, published, 0.01, reason);
        let reason = "two explicit integrations with steps of less than a hundredth of a cell's transit";
        let label = format!("restitution, {cells} cells, against integration");
        checks.near(label, found.restitution, reference.restitution, 1e-3, reason);
        let label = format!("contact time / (2L/c), {cells} cells, against integration");
        checks.within(label, found.contact, reference.contact, 0.005, reason);
    }
    let contact = collide(chains(32)?)?.contact;
    checks.near("contact time / (2L/c), 32 cells", contact, 1.0, 0.02, "required: 2 %; the chain itself has 1.3 %");
    for (cells, limit) in settings.pick(vec![(8, 0.08)], vec![(8, 0.08), (32, 0.036)]) {
        for gaps in ["spheres", "skins"] {
            let found = collide(lattices(cells, gaps)?)?;
            let label = format!("1 − restitution, lattice of {cells} × 2 × 2 cells, {gaps}");
            let reason = "the lattice loses no more to vibration than the chain, ±0.01";
            checks.at_most(label, 1.0 - found.restitution, limit, reason);
        }
    }
    Ok(())
}
