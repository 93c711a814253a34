//! Connections that are too long are found, and pull no more once disabled.

use super::*;

/// A chain of unit links along x, the links numbered backwards.
fn chain(elements: usize) -> (Vec<Spring>, Vectors) {
    let link = |e: usize| Spring {
        e1: e as u32,
        e2: e as u32 + 1,
        stiffness: 5.0,
        rest_length: 1.0,
        damping: 1.0,
        break_length: 1.5,
    };
    let mut x = Vectors::zeros(elements);
    for e in 0..elements {
        x.set(e, DVec3::X * e as f64);
    }
    ((0..elements - 1).rev().map(link).collect(), x)
}

#[test]
fn the_links_that_are_too_long_are_named_in_order() {
    let (springs, mut x) = chain(50);
    let runs = SpringRuns::build(50, &springs);
    let asked = |x: &Vectors| {
        let (mut a, mut b) = (Vectors::zeros(50), Vectors::zeros(50));
        (runs.add_forces(x, x, &mut a, &mut b).overstretched, runs.overstretched(x))
    };
    assert_eq!(asked(&x), (false, vec![]));
    (11..50).for_each(|e| x.x[e] += 0.6);
    (48..50).for_each(|e| x.x[e] += 0.7);
    (30..50).for_each(|e| x.x[e] += 0.4);
    // Link e is number 48 − e.
    assert_eq!(asked(&x), (true, vec![1, 38]));
}

#[test]
fn a_link_without_stiffness_or_limit_never_breaks() {
    let (mut springs, mut x) = chain(50);
    springs[10].stiffness = 0.0;
    springs[20].break_length = f64::INFINITY;
    x.x.iter_mut().for_each(|a| *a *= 2.0);
    let expected: Vec<u32> = (0..49).filter(|s| *s != 10 && *s != 20).collect();
    assert_eq!(SpringRuns::build(50, &springs).overstretched(&x), expected);
}

#[test]
fn a_disabled_connection_is_as_one_of_no_stiffness_and_damping() {
    let mut random = Random(2);
    let mut springs = net(40, 200, &mut random);
    let (x, v) = (random.field(40), random.field(40));
    let mut runs = SpringRuns::build(40, &springs);
    let untouched = forces(&runs, &x, &v);
    for index in [0, 17, 199, 200, u32::MAX] {
        runs.disable(index);
        if let Some(s) = springs.get_mut(index as usize) {
            (s.stiffness, s.damping) = (0.0, 0.0);
        }
    }
    let disabled = forces(&runs, &x, &v);
    let (elastic, damping, energy) = forces(&SpringRuns::build(40, &springs), &x, &v);
    assert_eq!((bits(&disabled.0), bits(&disabled.1), disabled.2), (bits(&elastic), bits(&damping), energy));
    assert!(disabled.2 < untouched.2);
}

#[test]
fn a_broken_link_is_not_found_again() {
    let (springs, mut x) = chain(20);
    let mut runs = SpringRuns::build(20, &springs);
    (8..20).for_each(|e| x.x[e] += 3.0);
    for index in runs.overstretched(&x) {
        runs.disable(index);
    }
    let (mut f, mut d) = (Vectors::zeros(20), Vectors::zeros(20));
    assert!(!runs.add_forces(&x, &x, &mut f, &mut d).overstretched);
    assert!(runs.overstretched(&x).is_empty());
    assert_eq!(f.get(7).x, 0.0);
}
