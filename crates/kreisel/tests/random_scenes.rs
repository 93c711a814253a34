//! Random valid scenes: no panic, nothing that is not finite, momenta accounted for, the same bits however they are run.
//!
//! A few; `cargo run --release -p kreisel --example fuzz_scenes -- 600 1` runs as many as ten minutes allow.

mod random;

use random::check::{Again, Outcome, run};

/// All scenes of some seeds; what went wrong is told with its seed.
fn run_all(seeds: std::ops::Range<u64>, again: Again) -> Vec<Outcome> {
    let scenes = seeds.filter_map(|seed| random::scene(seed).map(|setup| (seed, setup)));
    let outcomes = scenes.map(|(seed, setup)| {
        let outcome = run(&setup, again);
        assert!(outcome.wrong.is_empty(), "seed {seed}: {:?}", outcome.wrong);
        outcome
    });
    outcomes.collect()
}

#[test]
fn random_scenes_stay_finite_and_account_for_their_momenta() {
    let outcomes = run_all(1..60, Again::No);
    let ran = outcomes.iter().filter(|o| o.refused.is_none()).count();
    let touched = outcomes.iter().filter(|o| o.contacts > 0).count();
    assert!(ran > 50 && touched > 8, "{ran} scenes ran, {touched} had contacts: the generator is too tame");
}

#[test]
fn random_scenes_give_the_same_bits_without_their_workspace() {
    run_all(1..16, Again::Forgetful);
}

#[test]
fn random_scenes_give_the_same_bits_when_resumed() {
    run_all(16..31, Again::Resumed);
}

#[test]
fn random_scenes_give_the_same_bits_on_two_threads() {
    let hashes = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run_all(31..41, Again::No).into_iter().map(|o| o.hash).collect::<Vec<u64>>())
    };
    assert_eq!(hashes(1), hashes(2));
}
