//! What islands at rest cost: a pyramid that stands, awake, asleep, and beside what its steps cost while it settled.

use super::Engine;
use super::own::Own;
use super::scenes;
use crate::implicit_beam::processor_time;
use crate::measure::{median, print_load, with_threads};

/// Bodies sleep after so long at rest [s].
const SLEEP_AFTER: f64 = 0.5;
/// Steps while it settles, and steps that are measured.
const SETTLING: usize = 300;
const MEASURED: usize = 600;

/// Prints processor times per step.
pub fn run(repeats: usize) {
    print_load();
    println!("pyramid of 210 boxes, processor time per step [ms], median of {repeats}");
    let cases = [("awake", f64::INFINITY), ("asleep", SLEEP_AFTER)];
    for (name, sleep_after) in cases {
        let times: Vec<[f64; 2]> = (0..repeats).map(|_| with_threads(1, || play(sleep_after))).collect();
        let [settling, standing] = [0, 1].map(|k| 1e3 * median(&times.iter().map(|t| t[k]).collect::<Vec<_>>()));
        println!("  {name:<8} settling {settling:.4}   standing {standing:.4}");
    }
}

/// Processor time per step while it settles and when it stands [s].
fn play(sleep_after: f64) -> [f64; 2] {
    let scenes = scenes::all();
    let mut own = Own::new(scenes.iter().find(|s| s.name == "pyramid").expect("the pyramid"), sleep_after);
    [SETTLING, MEASURED].map(|steps| {
        let start = processor_time();
        (0..steps).for_each(|_| own.step());
        (processor_time() - start) / steps as f64
    })
}
