//! Reads whatever the fuzzer invents: `cargo +nightly fuzz run scene_reader -- -max_total_time=600`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(error) = kreisel_scene::read_bytes("fuzz", bytes) {
        assert!(!error.problems.is_empty() && !error.to_string().is_empty());
    }
});
