//! Blows that go on through a row within one step.

use super::scenes::{body, material, on_ground};
use kreisel::collide::{Pose, touch};
use kreisel::model::setup::BodySetup;
use kreisel::model::shape::Shape;
use kreisel::{DVec3, Simulation};

const STEP: f64 = 1.0 / 60.0;
const BALL: Shape = Shape::Sphere { radius: 0.1 };
const CUBE: Shape = Shape::Box { half_size: DVec3::splat(0.1) };

/// A row of bodies 200 mm wide, far from the ground and without weight; the first one runs into the others.
fn row(shape: &Shape, e: f64, gap: f64, speed: f64, aside: f64) -> Simulation {
    let bodies = (0..12u32).map(|k| {
        let at = DVec3::new((0.2 + gap) * f64::from(k), if k % 2 == 0 { 0.0 } else { aside }, 10.0);
        let velocity = if k == 0 { DVec3::X * speed } else { DVec3::ZERO };
        BodySetup { velocity, ..body(&format!("body-{k}"), shape.clone(), at, material(0.3, e)) }
    });
    let mut setup = on_ground(bodies.collect(), STEP, 1.0);
    setup.gravity = DVec3::ZERO;
    Simulation::new(&setup).unwrap()
}

fn momentum(sim: &Simulation) -> DVec3 {
    sim.state().aggregates.iter().map(|a| a.momenta().0).sum()
}

/// The deepest overlap of any two bodies [m].
fn overlap(sim: &Simulation, shape: &Shape) -> f64 {
    let all = &sim.state().aggregates;
    let pose = |k: usize| Pose { position: all[k].position, rotation: all[k].orientation };
    let mut touches = Vec::new();
    for i in 0..all.len() {
        (0..i).for_each(|j| touch(shape, &pose(i), shape, &pose(j), 0.0, &mut touches));
    }
    touches.iter().map(|t| -t.gap).fold(0.0, f64::max)
}

/// Nobody is ever inside a neighbour by more than a hundredth of its width, and momentum is kept to rounding.
fn stays_apart(shape: &Shape, e: f64, gap: f64, speed: f64, aside: f64) {
    let mut sim = row(shape, e, gap, speed, aside);
    let before = momentum(&sim);
    for _ in 0..30 {
        let report = sim.step().unwrap();
        let (deepest, lost) = (overlap(&sim, shape), (momentum(&sim) - before).length() / before.length());
        let what = format!("e {e}, gaps of {gap} m, {speed} m/s, {aside} m aside, at {} s", report.time);
        assert!(deepest <= 0.002, "{deepest} m of overlap: {what}");
        assert!(lost < 1e-14, "a share of {lost} of the momentum is lost: {what}");
    }
}

#[test]
fn a_blow_goes_through_a_row_of_balls_in_one_step() {
    for e in [0.0, 0.5, 1.0] {
        for gap in [1e-9, 1e-3, 0.006, 0.02, 0.1] {
            for speed in [5.0, 20.0, 100.0] {
                [0.0, 0.03].into_iter().for_each(|aside| stays_apart(&BALL, e, gap, speed, aside));
            }
        }
    }
}

#[test]
fn a_blow_goes_through_a_row_of_boxes_in_one_step() {
    for gap in [1e-9, 1e-3, 0.006, 0.02, 0.1] {
        for speed in [5.0, 20.0, 100.0] {
            [0.0, 0.03].into_iter().for_each(|aside| stays_apart(&CUBE, 0.0, gap, speed, aside));
        }
    }
    for e in [0.5, 1.0] {
        for gap in [1e-9, 1e-3, 0.006, 0.02] {
            for speed in [5.0, 20.0] {
                [0.0, 0.03].into_iter().for_each(|aside| stays_apart(&CUBE, e, gap, speed, aside));
            }
        }
    }
}

#[test]
fn a_row_that_sleeps_is_woken_as_far_as_a_blow_goes() {
    let bodies = (0..12u32).map(|k| {
        // The first one comes from so far away that the others are asleep when it arrives.
        let x = if k == 0 { -30.0 } else { 0.22 * f64::from(k) };
        let velocity = if k == 0 { DVec3::X * 20.0 } else { DVec3::ZERO };
        let resistance = kreisel::model::material::Resistance { rolling: 0.01, ..Default::default() };
        let material = kreisel::model::Material { resistance, ..material(0.0, 0.0) };
        BodySetup { velocity, ..body(&format!("ball-{k}"), BALL, DVec3::new(x, 0.0, 0.1), material) }
    });
    let mut sim = Simulation::new(&on_ground(bodies.collect(), STEP, 3.0)).unwrap();
    sim.run_until(1.4).unwrap();
    assert_eq!(sim.state().sleep.count(sim.state().epoch), 11);
    let before = momentum(&sim).x;
    while sim.time() < 1.7 {
        sim.step().unwrap();
        let (deepest, now) = (overlap(&sim, &BALL), momentum(&sim).x);
        assert!(deepest <= 0.002, "{deepest} m of overlap at {} s", sim.time());
        assert!((now / before - 1.0).abs() < 1e-9, "{now} instead of {before} kg m/s at {} s", sim.time());
    }
    assert!(sim.state().aggregates[6].velocity.x > 1.0, "{}", sim.state().aggregates[6].velocity);
}

#[test]
fn a_blow_that_goes_on_shows_neither_threads_nor_resumes() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut sim = row(&CUBE, 0.5, 0.006, 20.0, 0.03);
            (0..10).for_each(|_| drop(sim.step().unwrap()));
            sim.state().clone()
        })
    };
    assert!(run(1) == run(3));
    let mut setup = on_ground(Vec::new(), STEP, 1.0);
    setup.gravity = DVec3::ZERO;
    setup.bodies = (0..6u32)
        .map(|k| {
            let velocity = if k == 0 { DVec3::X * 20.0 } else { DVec3::ZERO };
            let at = DVec3::new(0.22 * f64::from(k), 0.0, 10.0);
            BodySetup { velocity, ..body(&format!("ball-{k}"), BALL, at, material(0.3, 0.5)) }
        })
        .collect();
    let mut sim = Simulation::new(&setup).unwrap();
    for _ in 0..10 {
        let mut resumed = Simulation::resume(&setup, sim.state().clone()).unwrap();
        sim.step().unwrap();
        resumed.step().unwrap();
        assert!(sim.state() == resumed.state(), "at {} s", sim.time());
    }
}

#[test]
fn two_that_are_driven_towards_each_other_within_a_step_meet() {
    // Two at rest, 0.12 m apart, are struck from outside by two of a thousand times their mass: each comes by 0.08 m at most, and
    // neither alone as far as the other is.
    let way = 0.08;
    for shape in [BALL, CUBE] {
        let ball = |name: &str, x: f64, speed: f64, density: f64| {
            let made_of = kreisel::model::Material { density, ..material(0.3, 0.0) };
            let at = DVec3::new(x, 0.0, 10.0);
            BodySetup { velocity: DVec3::X * speed, ..body(name, shape.clone(), at, made_of) }
        };
        let bodies = vec![
            ball("left hammer", -0.361, way / STEP, 1e6),
            ball("left", -0.16, 0.0, 1e3),
            ball("right", 0.16, 0.0, 1e3),
            ball("right hammer", 0.361, -way / STEP, 1e6),
        ];
        let mut setup = on_ground(bodies, STEP, 1.0);
        setup.gravity = DVec3::ZERO;
        let mut sim = Simulation::new(&setup).unwrap();
        for _ in 0..3 {
            sim.step().unwrap();
            let deepest = overlap(&sim, &shape);
            assert!(deepest <= 0.002, "{deepest} m of overlap at {} s", sim.time());
        }
    }
}
