//! Whole bodies made rigid and soft again while they move: time per element.
//!
//! Frozen strain comes back as it was; relieving it first is a linear solve, which is measured where it is quick.

use crate::measure::{SIZES, best, cube, median, print_load, seconds};
use kreisel::Simulation;
use kreisel::model::Fracture;
use kreisel::model::setup::Release;

/// Seconds of measuring for each size.
const SECONDS: f64 = 3.0;

/// Prints the table.
pub fn run() {
    print_load();
    println!("A moving cube made rigid and soft again by call, with the ledger closed each time; ns per element.\n");
    println!(
        "{:>9} {:>8} {:>11} {:>9} {:>11} {:>9}  {:>16}",
        "elements", "repeats", "rigid", "best", "soft", "best", "hash of state"
    );
    for size in SIZES {
        measure(size, Release::AsFrozen);
    }
    println!("\nthe same with strain relieved before it is released:");
    measure(SIZES[0], Release::Relief);
}

fn measure(size: u32, release: Release) {
    let mut setup = cube(size, true, 0.02, Fracture::Never);
    setup.switching.release = release;
    let mut sim = Simulation::new(&setup).expect("a cube can be built");
    let body = sim.body("body").expect("the body is there");
    sim.step_by(1e-3).expect("a frame");
    let (mut rigid, mut soft, mut spent, mut hash) = (Vec::new(), Vec::new(), 0.0, 0);
    while rigid.len() < 3 || spent < SECONDS {
        rigid.push(seconds(|| sim.make_rigid(body).expect("rigid")));
        soft.push(seconds(|| sim.make_soft(body).expect("soft")));
        spent += rigid[rigid.len() - 1] + soft[soft.len() - 1];
        if rigid.len() == 3 {
            // After a fixed number of repeats, so that it does not depend on the speed of the machine.
            hash = kreisel_record::state_hash(sim.state());
        }
    }
    let n = f64::from(size).powi(3);
    let ns = |a: f64| 1e9 * a / n;
    print!("{n:>9} {:>8} {:>11.1} {:>9.1}", rigid.len(), ns(median(&rigid)), ns(best(&rigid)));
    println!(" {:>11.1} {:>9.1}  {hash:016x}", ns(median(&soft)), ns(best(&soft)));
}
