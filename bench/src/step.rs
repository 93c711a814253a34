//! One explicit substep of a free cube, and what it is made of: ns per element.
//!
//! A substep is the difference of a long and a short frame over the difference of their substeps, so that what is done
//! once per frame (the ledger, the copy of the state) is not counted; that is shown beside it. The spring kernel is timed
//! on the same model by itself; kick, drift and contact are the rest.

use crate::measure::{SIZES, best, cube, median, print_load, seconds, with_threads};
use kreisel::Simulation;
use kreisel::contact::coefficients::CoefficientTable;
use kreisel::force::springs::{Spring, SpringRuns};
use kreisel::linear::Vectors;
use kreisel::model::{Fracture, Model, Topology};
use kreisel::step::{Workspace, limit};
use kreisel_record::cpu_seconds;

/// Substeps of the short and of the long frame.
const FRAMES: [u32; 2] = [2, 12];
/// Seconds of measuring for each case.
const SECONDS: f64 = 4.0;

/// Prints the table.
pub fn run() {
    print_load();
    println!(
        "A free spinning cube, damped, 18 neighbours. ns per element and substep: median, best, processor time of all"
    );
    println!(
        "threads (what a busy machine changes least); of the best: springs, and the rest. ns per element, best: what is"
    );
    println!("done once per frame, a new workspace, the bound of the step. Ratio of the best to that of one thread.\n");
    print!("{:>9} {:>8} {:>7} {:>8} {:>8}", "elements", "contact", "threads", "substep", "best");
    println!(
        " {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6}  {:>16}",
        "cpu", "springs", "rest", "frame", "refresh", "bound", "to one", "hash of state"
    );
    for contact in [false, true] {
        for size in SIZES {
            measure(size, contact);
        }
    }
}

/// Samples of one number of threads [s].
#[derive(Default)]
struct Times {
    /// Wall time of the short and of the long frame.
    frames: [Vec<f64>; 2],
    /// Processor time of all threads, likewise.
    cpu: [Vec<f64>; 2],
    springs: Vec<f64>,
    refresh: Vec<f64>,
    bound: Vec<f64>,
}

fn measure(size: u32, contact: bool) {
    let setup = cube(size, contact, 0.02, Fracture::Never);
    let mut sim = Simulation::new(&setup).expect("a cube can be built");
    let h = 0.5 * sim.step_by(1e-6).expect("a short frame").stable_step;
    let setup = kreisel::model::Setup { step: Some(h), ..setup };
    let mut sim = [1, 2].map(|_| Simulation::new(&setup).expect("a cube can be built"));
    let springs = spring_runs(sim[0].model());
    let mut times = [Times::default(), Times::default()];
    let mut hashes = [0; 2];
    let mut spent = 0.0;
    while times[0].frames[0].len() < 3 || spent < SECONDS {
        for threads in [1, 2] {
            let (sim, times) = (&mut sim[threads - 1], &mut times[threads - 1]);
            spent += with_threads(threads, || seconds(|| sample(sim, &springs, h, times)));
            if times.frames[0].len() == 3 {
                hashes[threads - 1] = kreisel_record::state_hash(sim.state());
            }
        }
    }
    for threads in [1, 2] {
        print_row(size, contact, threads, &times, hashes[threads - 1]);
    }
}

/// One of everything.
fn sample(sim: &mut Simulation, springs: &SpringRuns, h: f64, times: &mut Times) {
    for (k, n) in FRAMES.into_iter().enumerate() {
        let cpu = cpu_seconds();
        times.frames[k].push(seconds(|| sim.step_by(f64::from(n) * h).expect("a frame")));
        times.cpu[k].push(cpu_seconds() - cpu);
    }
    let (x, v) = (&sim.state().position, &sim.state().velocity);
    let (mut elastic, mut damping) = (Vectors::zeros(x.len()), Vectors::zeros(x.len()));
    springs.add_forces(x, v, &mut elastic, &mut damping);
    times.springs.push(seconds(|| springs.add_forces(x, v, &mut elastic, &mut damping)));
    if times.refresh.len() < 3 {
        times.refresh.push(seconds(|| Workspace::default().refresh(sim.model(), sim.state())));
        let (topology, table) = (Topology::new(sim.model(), sim.state()), CoefficientTable::new(sim.model()));
        let cladding = kreisel::contact::cladding::Cladding::new(sim.model(), &topology, &table);
        times.bound.push(seconds(|| limit::bound(sim.model(), sim.state(), &topology, &table, &cladding)));
    }
}

fn spring_runs(model: &Model) -> SpringRuns {
    let spring = |c: usize| {
        let (class, [e1, e2]) = (model.connections.constants(c), model.connections.ends[c]);
        let (stiffness, rest_length, damping) = (class.stiffness, class.rest_length, class.damping);
        Spring { e1, e2, stiffness, rest_length, damping, break_length: class.break_length }
    };
    SpringRuns::build_with(model.elements.len(), model.connections.len(), spring)
}

fn print_row(size: u32, contact: bool, threads: usize, times: &[Times; 2], hash: u64) {
    let n = f64::from(size).powi(3);
    let ns = |a: f64| 1e9 * a / n;
    let own = &times[threads - 1];
    let substep = |times: &[Vec<f64>; 2], of: fn(&[f64]) -> f64| {
        (of(&times[1]) - of(&times[0])) / f64::from(FRAMES[1] - FRAMES[0])
    };
    let (wall, springs) = (substep(&own.frames, best), best(&own.springs));
    let to_one = substep(&times[0].frames, best) / wall;
    let frame = best(&own.frames[0]) - f64::from(FRAMES[0]) * wall;
    let contact = if contact { "on" } else { "off" };
    print!("{n:>9} {contact:>8} {threads:>7} {:>8.1} {:>8.1}", ns(substep(&own.frames, median)), ns(wall));
    print!(" {:>8.1} {:>8.1} {:>8.1}", ns(substep(&own.cpu, best)), ns(springs), ns(wall - springs));
    print!(" {:>8.1} {:>8.1} {:>8.1}", ns(frame), ns(best(&own.refresh)), ns(best(&own.bound)));
    println!(" {to_one:>6.2}  {hash:016x}");
}
