//! What two threads save on scenes that are one island, and that no bit shows how many there were.

use super::Engine;
use super::own::Own;
use super::scenes::{self, Scene};
use crate::measure::{best, median, print_load, seconds, with_threads};

/// Scenes of one large island.
const SCENES: [&str; 2] = ["pyramid", "balls"];

/// Runs each scene by turns on one and on two threads.
pub fn run(repeats: usize) {
    print_load();
    println!("wall time per step [ms], best and median of {repeats}; two threads over one");
    for scene in scenes::all().iter().filter(|s| SCENES.contains(&s.name)) {
        compare(scene, repeats);
    }
}

fn compare(scene: &Scene, repeats: usize) {
    let mut times = [Vec::new(), Vec::new()];
    let mut hashes = Vec::new();
    for _ in 0..repeats {
        for (times, threads) in times.iter_mut().zip([1, 2]) {
            let (time, hash) = with_threads(threads, || play(scene));
            times.push(1e3 * time);
            hashes.push(hash);
        }
    }
    let [one, two] = times.map(|t| [best(&t), median(&t)]);
    let same = if hashes.iter().all(|h| *h == hashes[0]) { "same bits" } else { "DIFFERENT BITS" };
    println!(
        "  {:<10}{:>9.4}{:>9.4}   {:>9.4}{:>9.4}   {:>5.2}{:>6.2}   {same}",
        scene.name,
        one[0],
        one[1],
        two[0],
        two[1],
        two[0] / one[0],
        two[1] / one[1]
    );
}

/// Wall time per step [s], and a hash of the end.
fn play(scene: &Scene) -> (f64, u64) {
    let mut own = Own::new(scene, f64::INFINITY);
    let time = seconds(|| (0..scene.steps).for_each(|_| own.step()));
    (time / scene.steps as f64, own.hash())
}
