//! The scene `soft_beam`: a cantilever of 40 × 10 × 10 nodes falls from straight, Kreisel against Rapier's finite elements.
//!
//! A lattice and a mesh of tetrahedra converge to the same beam, not to each other: each time curve of Kreisel is held
//! against the same lattice stepped explicitly without damping, at a quarter of its stable step (the row of explicit
//! steps shows what the stable step itself would change).

use crate::implicit_beam::processor_time;
use crate::measure::{median, print_load, with_threads};
use crate::soft_beam_peer::{PeerSettings, peer_run};
use kreisel::model::setup::{BodySetup, BodyShape, ContactSettings, Fix, Integrator};
use kreisel::model::{Material, Region, Setup};
use kreisel::{DVec3, Simulation};

/// Nodes along the sides.
pub const NODES: [u32; 3] = [40, 10, 10];
/// Distance of nodes [m].
pub const SPACING: f64 = 0.05;
/// Young's modulus [Pa].
pub const YOUNG: f64 = 1e7;
/// Density [kg/m³].
pub const DENSITY: f64 = 1000.0;
/// Step [s].
pub const STEP: f64 = 1.0 / 240.0;
/// Steps of a run.
pub const STEPS: usize = 200;
/// What the time curve may differ by, of the largest deflection [1].
const BAR_DEVIATION: f64 = 0.02;
/// The step of the fine solution [s]: a quarter of the stable one, of which 14 make a step of the scene.
const FINE_STEP: f64 = STEP / 56.0;
/// How many times faster than the peer.
const BAR_SPEED: f64 = 10.0;

/// A beam of given nodes, clamped at one end, straight at the start.
pub fn cantilever(nodes: [u32; 3], young: f64, integrator: Integrator, step: Option<f64>) -> Setup {
    let size = SPACING * DVec3::from_array(nodes.map(|n| f64::from(n - 1)));
    let cells = nodes.into_iter().min().unwrap_or(2) - 1;
    let material = Material { young, density: DENSITY, damping: 0.0, ..Material::default() };
    let body = BodySetup { shape: BodyShape::Box { size, cells }, material, contact: false, ..BodySetup::default() };
    let clamp = Fix {
        name: "clamp".into(),
        region: Region::HalfSpace { normal: -DVec3::X, offset: 0.5 * size.x - 0.01 * SPACING },
        axes: [true; 3],
        motion: None,
    };
    Setup {
        bodies: vec![body],
        fixes: vec![clamp],
        step,
        frame: STEP,
        integrator,
        contact: ContactSettings { enabled: false, ..ContactSettings::default() },
        ..Setup::default()
    }
}

/// One run: processor time of a step [s], and how far the free end has moved up after each [m].
pub struct Run {
    /// Mean over the run, set-up of solvers included [s].
    pub time: f64,
    /// Mean over the nodes of the free face [m].
    pub tip: Vec<f64>,
    /// What the solver did.
    pub remark: String,
}

impl Run {
    fn lowest(&self) -> f64 {
        self.tip.iter().copied().fold(0.0, f64::min)
    }

    /// Largest difference of the time curves over the largest deflection [1].
    fn deviation(&self, fine: &Self) -> f64 {
        self.tip.iter().zip(&fine.tip).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / -fine.lowest()
    }
}

fn kreisel_run(integrator: Integrator, step: Option<f64>) -> Run {
    let mut sim = Simulation::new(&cantilever(NODES, YOUNG, integrator, step)).expect("a beam");
    let rest = &sim.model().elements.rest;
    let end = 0.5 * SPACING * f64::from(NODES[0] - 1) - 0.01 * SPACING;
    let face: Vec<usize> = (0..rest.len()).filter(|i| rest.x[*i] > end).collect();
    let height = |z: &[f64]| face.iter().map(|i| z[*i]).sum::<f64>() / face.len() as f64;
    let start_height = height(&rest.z);
    let (mut tip, mut linear, mut newton, mut substeps) = (Vec::new(), 0, 0, 0);
    let start = processor_time();
    for _ in 0..STEPS {
        let report = sim.step().expect("a step");
        linear += report.linear_iterations;
        newton += report.newton_iterations;
        substeps += report.substeps;
        tip.push(height(&sim.state().position.z) - start_height);
    }
    let time = (processor_time() - start) / STEPS as f64;
    let per_step = |count: u64| count as f64 / STEPS as f64;
    let remark = format!(
        "{:?}: {:.1} linear, {:.2} Newton, {:.1} substeps, {:016x}",
        sim.integrator().0,
        per_step(linear),
        per_step(newton),
        per_step(substeps),
        kreisel_record::state_hash(sim.state())
    );
    Run { time, tip, remark }
}

/// Names and ways of running; `true`: a peer.
type Case = (&'static str, bool, Box<dyn Fn() -> Run + Send>);

fn cases() -> Vec<Case> {
    let own = |i: Integrator| -> Box<dyn Fn() -> Run + Send> { Box::new(move || kreisel_run(i, Some(STEP))) };
    let peer = |s: PeerSettings| -> Box<dyn Fn() -> Run + Send> { Box::new(move || peer_run(&s)) };
    vec![
        ("Kreisel, linearised", false, own(Integrator::LinearBackwardEuler)),
        ("Kreisel, converged", false, own(Integrator::BackwardEuler)),
        ("Kreisel, midpoint", false, own(Integrator::ImplicitMidpoint)),
        ("Kreisel, explicit", false, Box::new(|| kreisel_run(Integrator::VelocityVerlet, None))),
        ("Kreisel, automatic", false, own(Integrator::Automatic)),
        ("Rapier, as it comes", true, peer(PeerSettings { substeps: 4, iterations: 20, tolerance: 1e-5 })),
        ("Rapier, one substep", true, peer(PeerSettings { substeps: 1, iterations: 20, tolerance: 1e-5 })),
        ("Rapier, one, solved", true, peer(PeerSettings { substeps: 1, iterations: 1000, tolerance: 1e-6 })),
    ]
}

/// Prints the table; every case is run `repeats` times, in turn.
pub fn run(repeats: Option<&str>) {
    print_load();
    let repeats = repeats.and_then(|r| r.parse().ok()).unwrap_or(3).max(1);
    println!("soft_beam: 40 × 10 × 10 nodes, E = 10 MPa, h = 1/240 s, {STEPS} steps; one core, processor time,");
    println!("median of {repeats} runs, set-up of solvers included. Tip: mean of the free face. Deviation: largest");
    println!(
        "difference from the lattice's fine solution over the largest deflection (Rapier: another discretisation).\n"
    );
    with_threads(1, || {
        let fine = kreisel_run(Integrator::VelocityVerlet, Some(FINE_STEP));
        print_row("fine: velocity Verlet", &[fine.time], &fine, &fine);
        let cases = cases();
        let mut runs: Vec<Vec<Run>> = cases.iter().map(|_| Vec::new()).collect();
        for _ in 0..repeats {
            cases.iter().zip(&mut runs).for_each(|(case, runs)| runs.push(case.2()));
        }
        let times: Vec<Vec<f64>> = runs.iter().map(|r| r.iter().map(|r| r.time).collect()).collect();
        for ((case, runs), times) in cases.iter().zip(&runs).zip(&times) {
            print_row(case.0, times, &runs[0], &fine);
        }
        print_verdict(&cases, &runs, &times, &fine);
    });
}

fn print_row(name: &str, times: &[f64], run: &Run, fine: &Run) {
    println!(
        "{name:<22} {:>9.3} ms/step  lowest tip {:>8.4} m  deviation {:>6.2} %  {}",
        1e3 * median(times),
        run.lowest(),
        100.0 * run.deviation(fine),
        run.remark
    );
}

/// Each way of Kreisel against each of the peer, and against the two bars.
fn print_verdict(cases: &[Case], runs: &[Vec<Run>], times: &[Vec<f64>], fine: &Run) {
    println!("\nTimes faster than the peer (bar {BAR_SPEED}), and the time curve (bar {} %):", 100.0 * BAR_DEVIATION);
    for own in (0..cases.len()).filter(|i| !cases[*i].1) {
        print!("{:<22}", cases[own].0);
        for peer in (0..cases.len()).filter(|i| cases[*i].1) {
            print!(" {:>6.1} ({})", median(&times[peer]) / median(&times[own]), cases[peer].0);
        }
        println!("  curve {}", if runs[own][0].deviation(fine) <= BAR_DEVIATION { "within" } else { "outside" });
    }
}
