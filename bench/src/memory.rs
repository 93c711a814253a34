//! Peak memory per element at 1 M elements with 18 neighbours each, contact off: each case in a process of its own.

use crate::measure::cube;
use kreisel::Simulation;
use kreisel::model::Fracture;

/// Nodes along an edge.
const SIZE: u32 = 100;
/// Frames that are run, of ten steps each.
const FRAMES: usize = 3;
/// The bar [bytes per element].
const BAR: f64 = 700.0;

const CASES: [(&str, bool, bool); 4] =
    [("plain", false, false), ("damped", true, false), ("breakable", false, true), ("damped-breakable", true, true)];

/// Runs one case by name, or all of them, each in a process of its own.
pub fn run(case: Option<&str>) {
    match case {
        Some(name) => run_case(name),
        None => run_all(),
    }
}

fn run_all() {
    let elements = u64::from(SIZE).pow(3);
    println!("Peak resident memory of a whole process (build, {FRAMES} frames of ten steps), {elements} elements");
    println!("of 18 neighbours, contact off; the bar is {BAR} bytes per element.\n");
    println!("{:<18} {:>12} {:>14}  {:>16}", "case", "peak [MB]", "B/element", "hash of state");
    let program = std::env::current_exe().expect("the path of this program");
    for (name, _, _) in CASES {
        let out = std::process::Command::new(&program).args(["memory", name]).output().expect("a child process");
        print!("{}", String::from_utf8_lossy(&out.stdout));
        eprint!("{}", String::from_utf8_lossy(&out.stderr));
    }
}

fn run_case(name: &str) {
    let Some(&(_, damped, breakable)) = CASES.iter().find(|c| c.0 == name) else {
        eprintln!("no such case: {name}");
        return;
    };
    let fracture = if breakable { Fracture::Strain(0.5) } else { Fracture::Never };
    let setup = cube(SIZE, false, if damped { 0.02 } else { 0.0 }, fracture);
    let mut sim = Simulation::new(&setup).expect("a cube can be built");
    let h = sim.step_by(1e-6).expect("a short frame").stable_step;
    for _ in 0..FRAMES {
        sim.step_by(9.0 * h).expect("a frame");
    }
    let (peak, n) = (kreisel_record::peak_bytes() as f64, sim.model().elements.len() as f64);
    let hash = kreisel_record::state_hash(sim.state());
    let verdict = if peak / n <= BAR { "" } else { "  over the bar" };
    println!("{name:<18} {:>12.1} {:>14.1}  {hash:016x}{verdict}", peak / 1e6, peak / n);
}
