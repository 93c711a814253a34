//! One second of one body, explicit, implicit and rigid, from jelly to steel: where does which become cheaper?
//!
//! A bar of 20 × 4 × 4 cells, hinged along a line at one end, starts level and swings under its weight. Held along a line
//! it can swing rigid as well, so that all three are the same scene.

use crate::implicit_beam::processor_time;
use crate::measure::{median, print_load, with_threads};
use crate::soft_beam::{SPACING, STEP, cantilever};
use kreisel::model::Region;
use kreisel::model::setup::{Integrator, RigidPart};
use kreisel::{DVec3, Simulation};

/// Nodes along the sides.
const NODES: [u32; 3] = [21, 5, 5];
/// Young's moduli [Pa].
const YOUNG: [f64; 8] = [1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 2e11];
/// Explicit steps that are measured and scaled to one second.
const EXPLICIT_STEPS: f64 = 2000.0;
/// Frames of explicit and rigid motion [s]; the engine takes at least eight steps in each.
const FRAME: f64 = 1.0 / 60.0;
/// Repeats.
const REPEATS: usize = 5;

/// Cost of one second [s/s], steps of one second, and what the solver did.
struct Cost {
    time: f64,
    steps: f64,
    newton: f64,
    linear: f64,
    retries: u64,
    solver: &'static str,
}

/// Runs a span [s] in frames of `frame` [s].
fn cost(young: f64, integrator: Integrator, rigid: bool, span: f64, frame: f64) -> Cost {
    let mut setup = cantilever(NODES, young, integrator, integrator.is_implicit().then_some(STEP));
    let end = -0.5 * SPACING * f64::from(NODES[0] - 1);
    let (least, most) = (DVec3::new(end, -1.0, 0.0) - 0.01 * SPACING, DVec3::new(end, 1.0, 0.0) + 0.01 * SPACING);
    setup.fixes[0].region = Region::Box { min: least, max: most };
    setup.frame = if integrator.is_implicit() { STEP } else { FRAME };
    setup.bodies[0].rigid = if rigid { vec![RigidPart::Whole] } else { Vec::new() };
    let mut sim = Simulation::new(&setup).expect("a bar");
    let (mut newton, mut linear, mut steps, mut retries, mut solver) = (0, 0, 0, 0, "");
    let start = processor_time();
    for _ in 0..(span / frame).round().max(1.0) as usize {
        let report = sim.step_by(frame).expect("a step");
        newton += report.newton_iterations;
        linear += report.linear_iterations;
        steps += report.substeps;
        retries += report.retries;
        solver = report.solver;
    }
    let (time, all) = (processor_time() - start, steps as f64);
    let (newton, linear) = (newton as f64 / all, linear as f64 / all);
    Cost { time: time / span, steps: all / span, newton, linear, retries, solver }
}

/// The median of several in time.
fn repeated(work: impl Fn() -> Cost) -> Cost {
    let mut runs: Vec<Cost> = (0..REPEATS).map(|_| work()).collect();
    let middle = median(&runs.iter().map(|r| r.time).collect::<Vec<_>>());
    runs.swap_remove(runs.iter().position(|r| r.time == middle).unwrap_or(0))
}

/// Explicit steps are measured over a short span, the same number at every stiffness.
fn explicit(young: f64) -> Cost {
    let mut sim = Simulation::new(&cantilever(NODES, young, Integrator::VelocityVerlet, None)).expect("a bar");
    let span = (EXPLICIT_STEPS * sim.plan().stable_step).min(1.0);
    repeated(|| cost(young, Integrator::VelocityVerlet, false, span, span / (span / FRAME).ceil()))
}

/// Prints the table and the crossovers.
pub fn run() {
    print_load();
    let n: u32 = NODES.iter().product();
    println!(
        "A hinged bar of {n} elements: processor time of one second [s], one core, median of {REPEATS}. Explicit:"
    );
    println!(
        "velocity Verlet at its stable step (480 steps at least), a span of {EXPLICIT_STEPS} steps scaled; implicit:"
    );
    println!("backward Euler, converged, h = 1/240 s, one whole second; rigid: the same bar as one body, 480 steps.\n");
    println!(
        "{:>8} {:>12} {:>11} {:>12} {:>8} {:>8} {:>8} {:>12} {:>18}  solver at the end",
        "E [Pa]", "explicit", "steps/s", "implicit", "Newton", "linear", "retries", "rigid", "explicit/implicit"
    );
    with_threads(1, || {
        let rows: Vec<(f64, f64, f64)> = YOUNG.into_iter().map(row).collect();
        match crossing(&rows) {
            Some(young) => println!("\nimplicit is cheaper than explicit from E = {young:.2e} Pa on"),
            None => println!("\nexplicit and implicit do not cross in this range"),
        }
    });
}

fn row(young: f64) -> (f64, f64, f64) {
    let explicit = explicit(young);
    let implicit = repeated(|| cost(young, Integrator::BackwardEuler, false, 1.0, STEP));
    let rigid = repeated(|| cost(young, Integrator::VelocityVerlet, true, 1.0, FRAME));
    let Cost { newton, linear, retries, solver, .. } = implicit;
    println!(
        "{young:>8.0e} {:>12.4} {:>11.0} {:>12.4} {newton:>8.2} {linear:>8.1} {retries:>8} {:>12.6} {:>18.3}  {solver}",
        explicit.time,
        explicit.steps,
        implicit.time,
        rigid.time,
        explicit.time / implicit.time
    );
    (young, explicit.time, implicit.time)
}

/// Where explicit first becomes dearer than implicit, straight in the logarithms.
fn crossing(rows: &[(f64, f64, f64)]) -> Option<f64> {
    let excess = |r: &(f64, f64, f64)| (r.1 / r.2).ln();
    rows.windows(2).find_map(|w| {
        let (a, b) = (excess(&w[0]), excess(&w[1]));
        (a <= 0.0 && b > 0.0).then(|| (w[0].0.ln() + (w[1].0 / w[0].0).ln() * a / (a - b)).exp())
    })
}
