//! Force, energy and differential agree with each other and with the laws they stand for.

use super::*;

const ELEMENTS: usize = 23;

fn random_net(seed: u64) -> (SpringRuns, Vectors, Vectors, Random) {
    let mut random = Random(seed);
    let runs = SpringRuns::build(ELEMENTS, &net(ELEMENTS, 80, &mut random));
    let (x, v) = (random.field(ELEMENTS), random.field(ELEMENTS));
    (runs, x, v, random)
}

/// `x + s dx`.
fn moved(x: &Vectors, s: f64, dx: &Vectors) -> Vectors {
    let mut moved = x.clone();
    moved.axpy(s, dx);
    moved
}

#[test]
fn a_stretched_and_parting_pair_is_pulled_together() {
    let spring = Spring { e1: 1, e2: 0, stiffness: 10.0, rest_length: 3.5, damping: 3.0, break_length: f64::INFINITY };
    let runs = SpringRuns::build(2, &[spring]);
    let (mut x, mut v) = (Vectors::zeros(2), Vectors::zeros(2));
    x.set(1, DVec3::new(0.0, 4.0, 0.0));
    v.set(1, DVec3::new(7.0, 0.5, 0.0));
    let (elastic, damping, energy) = forces(&runs, &x, &v);
    assert_eq!([elastic.get(0), elastic.get(1)], [DVec3::Y * 5.0, DVec3::Y * -5.0]);
    assert_eq!([damping.get(0), damping.get(1)], [DVec3::Y * 1.5, DVec3::Y * -1.5]);
    assert_eq!(energy, 0.5 * 10.0 * 0.25);
}

#[test]
fn the_force_is_the_negative_gradient_of_the_energy() {
    for seed in 1..9 {
        let (runs, x, v, mut random) = random_net(seed);
        let (elastic, ..) = forces(&runs, &x, &v);
        let (dx, h) = (random.field(ELEMENTS), 1e-6);
        let slope = (runs.energy(&moved(&x, h, &dx)) - runs.energy(&moved(&x, -h, &dx))) / (2.0 * h);
        let work = elastic.dot(&dx);
        assert!((slope + work).abs() < 1e-6 * work.abs().max(1.0), "{slope} against {work}");
    }
}

#[test]
fn the_differential_is_the_derivative_of_the_force() {
    for seed in 1..9 {
        let (runs, x, v, mut random) = random_net(seed);
        let (dx, h) = (random.field(ELEMENTS), 1e-6);
        let mut df = Vectors::zeros(ELEMENTS);
        runs.add_differential(&x, &dx, false, &mut df);
        let (plus, ..) = forces(&runs, &moved(&x, h, &dx), &v);
        let (minus, ..) = forces(&runs, &moved(&x, -h, &dx), &v);
        let slope = |e: usize| (plus.get(e) - minus.get(e)) / (2.0 * h);
        for e in 0..ELEMENTS {
            assert!((df.get(e) - slope(e)).length() < 1e-6 * df.get(e).length().max(1.0), "element {e}");
        }
    }
}

#[test]
fn the_projected_differential_never_pushes_along() {
    for seed in 1..9 {
        let (runs, x, _, mut random) = random_net(seed);
        for _ in 0..20 {
            let dx = random.field(ELEMENTS);
            let mut df = Vectors::zeros(ELEMENTS);
            runs.add_differential(&x, &dx, true, &mut df);
            assert!(df.dot(&dx) <= 0.0);
        }
    }
}

/// A compressed pair is unstable sideways; the projection drops just that, and nothing of a stretched one.
#[test]
fn the_projection_changes_only_compressed_connections_across() {
    let spring = Spring { e1: 0, e2: 1, stiffness: 10.0, rest_length: 2.0, damping: 0.0, break_length: f64::INFINITY };
    let runs = SpringRuns::build(2, &[spring]);
    let response = |d: f64, u: DVec3, semidefinite: bool| {
        let (mut x, mut dx, mut df) = (Vectors::zeros(2), Vectors::zeros(2), Vectors::zeros(2));
        x.set(1, DVec3::X * d);
        dx.set(1, u);
        runs.add_differential(&x, &dx, semidefinite, &mut df);
        assert_eq!(df.get(0), -df.get(1));
        df.get(1)
    };
    assert_eq!(response(1.0, DVec3::Y, false), DVec3::Y * 10.0);
    assert_eq!(response(1.0, DVec3::Y, true), DVec3::ZERO);
    assert_eq!(response(1.0, DVec3::X, true), DVec3::X * -10.0);
    assert_eq!(response(4.0, DVec3::Y, true), DVec3::Y * -5.0);
}

#[test]
fn momentum_and_angular_momentum_are_kept() {
    let (runs, x, v, _) = random_net(3);
    let (elastic, damping, _) = forces(&runs, &x, &v);
    for f in [elastic, damping] {
        let sum: DVec3 = (0..ELEMENTS).map(|e| f.get(e)).sum();
        let torque: DVec3 = (0..ELEMENTS).map(|e| x.get(e).cross(f.get(e))).sum();
        let scale: f64 = (0..ELEMENTS).map(|e| f.get(e).length()).sum();
        assert!(scale > 1.0);
        assert!(sum.length() < 1e-14 * scale && torque.length() < 1e-14 * scale, "{sum} {torque}");
    }
}

#[test]
fn dampers_take_power_but_none_from_a_rotation() {
    let (runs, x, v, _) = random_net(4);
    assert!(forces(&runs, &x, &v).1.dot(&v) < -1.0);
    let mut rotation = Vectors::zeros(ELEMENTS);
    for e in 0..ELEMENTS {
        rotation.set(e, DVec3::new(0.3, -1.0, 2.0).cross(x.get(e)));
    }
    assert!(forces(&runs, &x, &rotation).1.dot(&rotation).abs() < 1e-12);
}

#[test]
fn the_one_field_is_the_sum_of_the_two() {
    let (runs, x, v, _) = random_net(5);
    let (elastic, damping, energy) = forces(&runs, &x, &v);
    let mut total = Vectors::zeros(ELEMENTS);
    assert_eq!(runs.add_total_forces(&x, &v, &mut total).energy, energy);
    for e in 0..ELEMENTS {
        assert!((total.get(e) - elastic.get(e) - damping.get(e)).length() < 1e-13);
    }
}

#[test]
fn the_energy_alone_has_the_bits_of_the_force_pass() {
    let (runs, x, v, _) = random_net(6);
    assert_eq!(runs.energy(&x).to_bits(), forces(&runs, &x, &v).2.to_bits());
}

#[test]
fn elements_in_one_place_feel_nothing_from_each_other() {
    let mut random = Random(7);
    let runs = SpringRuns::build(2, &[random.spring(0, 1)]);
    for gap in [0.0, 1e-200, 1e-320] {
        let mut x = Vectors::zeros(2);
        x.set(1, DVec3::X * gap);
        let dx = random.field(2);
        let (elastic, damping, energy) = forces(&runs, &x, &dx);
        let mut df = Vectors::zeros(2);
        runs.add_differential(&x, &dx, false, &mut df);
        runs.add_differential(&x, &dx, true, &mut df);
        for field in [elastic, damping, df] {
            assert!(field.get(0).length() < 1e-40, "{:?}", field.get(0));
        }
        assert!(energy > 0.0 && energy.is_finite());
    }
}

/// a K u + b B u from the differential and from the damper's force, which is linear in the velocity.
#[test]
fn the_prepared_product_is_that_of_springs_and_dampers() {
    for seed in 1..9 {
        let (runs, x, _, mut random) = random_net(seed);
        let (u, a, b) = (random.field(ELEMENTS), 0.3, 0.07);
        let tangent = runs.tangent(&x, a, b, vec![1.0; 7]);
        let (mut product, mut df) = (Vectors::zeros(ELEMENTS), Vectors::zeros(ELEMENTS));
        tangent.add_product(&u, &mut product);
        runs.add_differential(&x, &u, true, &mut df);
        let (_, damping, _) = forces(&runs, &x, &u);
        let mut by_blocks = Vectors::zeros(ELEMENTS);
        tangent.each_block(&mut |i, j, block| {
            let (i, j) = (i as usize, j as usize);
            by_blocks.add(i, block * u.get(j));
            if i != j {
                by_blocks.add(j, block.transpose() * u.get(i));
            }
        });
        for e in 0..ELEMENTS {
            let expected = -a * df.get(e) - b * damping.get(e);
            for got in [product.get(e), by_blocks.get(e)] {
                assert!((got - expected).length() < 1e-12 * expected.length().max(1.0), "{got} against {expected}");
            }
        }
    }
}
