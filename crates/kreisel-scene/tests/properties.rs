//! Properties with fixed seeds: units come back, and no input makes the reader panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use kreisel_scene::units::parse_quantity;
use kreisel_scene::units::quantity::QUANTITIES;
use kreisel_scene::{apply_overrides, read, read_bytes, scenes, starter_scene};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]))
}

#[test]
fn a_quantity_written_in_its_unit_comes_back_to_the_bit() {
    let any = (any::<f64>().prop_filter("finite", |x| x.is_finite()), 0..QUANTITIES.len());
    let check = |(x, i): (f64, usize)| {
        let unit = if QUANTITIES[i].unit == "1" { "" } else { QUANTITIES[i].unit };
        for text in [format!("{x:e} {unit}"), format!("  {x:?}{}  ", unit.trim_start_matches('1'))] {
            prop_assert_eq!(parse_quantity(&text, QUANTITIES[i]), Ok(x), "{}", text);
        }
        Ok(())
    };
    runner(2000).run(&any, check).unwrap();
}

#[test]
fn prefixes_scale_by_their_powers_of_ten() {
    let prefixes = [("k", 1e3), ("M", 1e6), ("G", 1e9), ("c", 1e-2), ("m", 1e-3), ("µ", 1e-6), ("n", 1e-9)];
    let check = |(x, i, power): (f64, usize, i32)| {
        let (prefix, factor): (&str, f64) = prefixes[i];
        let wanted = QUANTITIES.iter().find(|q| q.dimension.0 == [power as i8, 0, 0, 0]).unwrap();
        let got = parse_quantity(&format!("{x} {prefix}m^{power}"), wanted).unwrap();
        let expected = x * factor.powi(power);
        prop_assert!((got - expected).abs() <= 1e-14 * expected.abs());
        Ok(())
    };
    runner(2000).run(&(-1e6..1e6, 0..prefixes.len(), 1..4), check).unwrap();
}

#[test]
fn random_bytes_never_make_the_reader_panic() {
    let bytes = proptest::collection::vec(any::<u8>(), 0..400);
    runner(2000)
        .run(&bytes, |b| {
            let _ = read_bytes("random", &b);
            Ok(())
        })
        .unwrap();
    let text = proptest::string::string_regex("[a-z0-9 .,=\\[\\]{}\"'\\n#_+-]{0,200}").unwrap();
    runner(2000)
        .run(&text, |t| {
            let _ = read("random", &t);
            Ok(())
        })
        .unwrap();
    let units = proptest::string::string_regex("[-+0-9.e ]{0,6}[a-zA-Z0-9 /*^·²°%-]{0,12}").unwrap();
    runner(5000)
        .run(&units, |t| {
            for q in QUANTITIES {
                let _ = parse_quantity(&t, q);
            }
            Ok(())
        })
        .unwrap();
}

/// Values that a mutation may put in the place of another.
const VALUES: [&str; 24] = [
    "0",
    "-1",
    "1e300",
    "nan",
    "inf",
    "\"\"",
    "\"2 cm\"",
    "\"1 kg\"",
    "[]",
    "{}",
    "true",
    "[1, 2, 3]",
    "[[1, 2], [3, 4]]",
    "9999999999",
    "\"all\"",
    "\"beam\"",
    "{ x = { above = 0 } }",
    "{ like = \"gel\" }",
    "1979-05-27",
    "-0.0",
    "1e-320",
    "\"1e308 km\"",
    "{ not = \"all\" }",
    "[\"automatic\"]",
];

#[test]
fn mutated_scenes_never_make_the_reader_panic_and_what_it_accepts_is_finite() {
    // Surfaces around solids take a moment each; those scenes are mutated by the example `fuzz_reader`.
    let is_quick = |text: &&str| !["cow", "torus", "sphere", "capsule"].iter().any(|word| text.contains(word));
    let texts: Vec<&str> = scenes().iter().map(|s| s.text).filter(is_quick).chain([starter_scene()]).collect();
    assert!(texts.len() > 10);
    let strategy = (0..texts.len(), proptest::collection::vec((any::<u16>(), 0..5usize, any::<u16>()), 1..4));
    let check = |(scene, edits): (usize, Vec<(u16, usize, u16)>)| {
        let mut lines: Vec<String> = texts[scene].lines().map(str::to_string).collect();
        for (place, kind, with) in edits {
            mutate(&mut lines, place as usize, kind, with as usize);
        }
        if let Ok(scene) = read("mutated", &lines.join("\n")) {
            prop_assert!(scene.setup.duration > 0.0 && scene.setup.frame > 0.0 && scene.setup.gravity.is_finite());
            for body in &scene.setup.bodies {
                prop_assert!(body.at.is_finite() && body.material.young > 0.0 && body.material.density > 0.0);
                prop_assert!((body.rotation.length() - 1.0).abs() < 1e-9);
            }
        }
        Ok(())
    };
    runner(2000).run(&strategy, check).unwrap();
}

/// One edit: drop, double or move a line, replace a value, or cut a line.
fn mutate(lines: &mut Vec<String>, place: usize, kind: usize, with: usize) {
    if lines.is_empty() {
        return;
    }
    let (i, other) = (place % lines.len(), with % lines.len());
    match kind {
        0 => drop(lines.remove(i)),
        1 => lines.insert(i, lines[other].clone()),
        2 => lines.swap(i, other),
        3 => {
            if let Some((key, _)) = lines[i].clone().split_once('=') {
                lines[i] = format!("{key}= {}", VALUES[with % VALUES.len()]);
            }
        }
        _ => lines[i] = lines[i].chars().take(with % 40).collect(),
    }
}

#[test]
fn random_overrides_never_panic() {
    let text = proptest::string::string_regex(
        "(body|at|probe|material|shape|[a-z]{1,3})?[\\[\\].0-9a-z\"]{0,8}=?[\\[\\]{}a-z0-9\",. ]{0,10}",
    )
    .unwrap();
    let check = |set: String| {
        for scene in [scenes()[0].text, starter_scene()] {
            if let Ok(changed) = apply_overrides("scene", scene, &[&set]) {
                let _ = read("scene", &changed);
            }
        }
        Ok(())
    };
    runner(2000).run(&text, check).unwrap();
}
