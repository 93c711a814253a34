//! Every scene that comes with Kreisel ends in the same bits as ever. A change is a "numerical change" in the changelog.
//!
//! `KREISEL_BLESS=1 cargo test -p kreisel-cli --test golden` writes the hashes of the moment to `scenes/golden.txt`.

#![allow(clippy::unwrap_used)]

use kreisel::Simulation;
use std::path::PathBuf;

/// Enough for a fall, an impact or a few vibrations; short enough to run all scenes with the tests.
const FRAMES: usize = 12;

fn golden_file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes/golden.txt")
}

fn hashes() -> String {
    let mut lines = String::new();
    for scene in kreisel_scene::scenes() {
        let read = kreisel_scene::read(scene.name, scene.text).unwrap();
        let mut sim = Simulation::new(&read.setup).unwrap();
        (0..FRAMES).for_each(|_| drop(sim.step().unwrap()));
        lines += &format!("{} {:016x}\n", scene.name, kreisel_record::state_hash(sim.state()));
    }
    lines
}

#[test]
fn scenes_end_in_the_bits_that_the_changelog_knows() {
    let found = hashes();
    if std::env::var_os("KREISEL_BLESS").is_some() {
        std::fs::write(golden_file(), &found).unwrap();
    }
    let golden = std::fs::read_to_string(golden_file()).unwrap();
    for (found, golden) in found.lines().zip(golden.lines()) {
        assert_eq!(found, golden, "say why in CHANGELOG.md under \"Numerical change\", then bless (see this file)");
    }
    assert_eq!(found.lines().count(), golden.lines().count());
}
