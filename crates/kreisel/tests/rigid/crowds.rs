//! Problems of many contacts: cut in halves for threads, and solved without those that nothing drives together.

use super::scenes::{body, material, on_ground};
use kreisel::model::setup::BodySetup;
use kreisel::model::shape::Shape;
use kreisel::model::{Obstacle, ObstacleShape, Setup, State};
use kreisel::{DQuat, DVec3, Simulation};

const STEP: f64 = 1.0 / 60.0;

/// Three balls in a row in the air, a hundredth of a millimetre apart; the first one runs into the others.
fn threesome(name: &str, at: DVec3) -> [BodySetup; 3] {
    [0, 1, 2].map(|k| {
        let ball = Shape::Sphere { radius: 0.1 };
        let mut one = body(&format!("{name}-{k}"), ball, at + DVec3::X * (0.20001 * f64::from(k)), material(0.0, 0.0));
        if k == 0 {
            one.velocity = DVec3::X;
        }
        one
    })
}

fn after_a_step(bodies: Vec<BodySetup>) -> Vec<DVec3> {
    let mut sim = Simulation::new(&on_ground(bodies, STEP, 1.0)).unwrap();
    let report = sim.step().unwrap();
    assert_eq!(report.unconverged_contacts, 0);
    sim.state().aggregates.iter().map(|a| a.velocity).collect()
}

#[test]
fn whoever_a_third_one_drives_together_meets_in_a_crowd_as_it_does_alone() {
    let place = |k: i32| DVec3::new(f64::from(k % 20), f64::from(k / 20), 10.0);
    let alone = after_a_step(threesome("ball", place(0)).to_vec());
    assert!(alone[2].x > 0.3, "the last one is pushed by the first: {alone:?}");
    let crowd = after_a_step((0..400).flat_map(|k| threesome(&format!("ball-{k}"), place(k))).collect());
    for (k, v) in crowd.iter().enumerate() {
        assert!((*v - alone[k % 3]).length() < 1e-9, "ball {k}: {v} instead of {}", alone[k % 3]);
    }
}

#[test]
fn whoever_is_pushed_in_a_step_stops_at_the_next_one_in_the_same_step() {
    // The first ball runs into the second, and both go on at half its speed: 42 mm in the step. The third is 30 mm away, and
    // nothing that rests looks farther than the 5 mm that two bodies might fall.
    let ball = Shape::Sphere { radius: 0.1 };
    let places = [0.0, 0.2, 0.43];
    let bodies = (0..3).map(|k| {
        let at = DVec3::new(places[k], 0.0, 10.0);
        let velocity = if k == 0 { DVec3::X * 5.0 } else { DVec3::ZERO };
        BodySetup { velocity, ..body(&format!("ball-{k}"), ball.clone(), at, material(0.0, 0.0)) }
    });
    let mut sim = Simulation::new(&on_ground(bodies.collect(), STEP, 1.0)).unwrap();
    sim.step().unwrap();
    let a = &sim.state().aggregates;
    assert!(a[2].velocity.x > 0.0, "the third is met: {}", a[2].velocity);
    assert!(a[1].position.distance(a[2].position) > 0.2 - 1e-6, "{} and {}", a[1].position, a[2].position);
}

/// Balls that fall into a narrow box: one island of more than a thousand contacts.
fn heap() -> Setup {
    let ball = Shape::Sphere { radius: 0.1 };
    let place = |k: i32| {
        let side = if k / 64 % 2 == 0 { 0.02 } else { -0.02 };
        DVec3::new(0.21 * f64::from(k % 8) + side, 0.21 * f64::from(k / 8 % 8) - side, 0.12 + 0.21 * f64::from(k / 64))
    };
    let bodies = (0..640).map(|k| body(&format!("ball-{k}"), ball.clone(), place(k), material(0.5, 0.0)));
    let mut setup = on_ground(bodies.collect(), STEP, 1.0);
    for (k, (x, y)) in [(-0.64, 0.735), (2.11, 0.735), (0.735, -0.64), (0.735, 2.11)].into_iter().enumerate() {
        let half_size = if k < 2 { DVec3::new(0.5, 2.0, 4.0) } else { DVec3::new(2.0, 0.5, 4.0) };
        let shape = ObstacleShape::Box { centre: DVec3::new(x, y, 4.0), half_size, rotation: DQuat::IDENTITY };
        setup.obstacles.push(Obstacle { name: format!("wall-{k}"), shape, friction: None, restitution: None });
    }
    setup
}

#[test]
fn a_heap_that_bounces_is_not_shot_apart() {
    let mut setup = heap();
    setup.bodies.truncate(96);
    setup.bodies.iter_mut().for_each(|body| {
        body.material = material(0.5, 0.3);
        body.at.z *= 1.5;
    });
    let mut sim = Simulation::new(&setup).unwrap();
    for _ in 0..40 {
        sim.step().unwrap();
        let fastest = sim.state().aggregates.iter().map(|a| a.velocity.length()).fold(0.0, f64::max);
        // No faster than from three times the height.
        assert!(fastest < 6.0, "{fastest} m/s at {} s", sim.time());
    }
}

/// Ten balls of about a centimetre above each other in a shaft for two by two; `kind` shuffles their sizes and places.
fn shaft(kind: usize) -> Setup {
    let shuffled = |k: usize, by: usize| ((k * by + kind) % 11) as f64 / 11.0;
    let side = |odd: usize, shift: f64| 0.011 * (odd % 2) as f64 - 0.0055 + 0.0006 * (shift - 0.5);
    let ball = |k: usize| {
        let radius = 0.0035 + 0.0015 * shuffled(k, 7);
        let at = DVec3::new(side(k, shuffled(k, 3)), side(k / 2, shuffled(k, 5)), 0.0066 + 0.011 * (k / 4) as f64);
        BodySetup { mass: Some(1.0), ..body(&format!("ball-{k}"), Shape::Sphere { radius }, at, material(0.3, 0.3)) }
    };
    let mut setup = on_ground((0..10).map(ball).collect(), STEP, 1.5);
    for normal in [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y] {
        let shape = ObstacleShape::Plane { normal, offset: -0.0124 };
        setup.obstacles.push(Obstacle { name: format!("wall {normal}"), shape, friction: None, restitution: None });
    }
    setup
}

#[test]
fn small_balls_that_bounce_in_large_steps_never_have_more_energy_than_they_began_with() {
    // They fall by a quarter of their size in each step: several blows on each of them at a time.
    for kind in 0..4 {
        let mut sim = Simulation::new(&shaft(kind)).unwrap();
        let start = sim.ledger().energy();
        for _ in 0..90 {
            sim.step().unwrap();
            let energy = sim.ledger().energy();
            assert!(energy <= start * (1.0 + 1e-9), "{kind}: {start} J become {energy} J at {} s", sim.time());
        }
    }
}

fn fallen(threads: usize) -> (State, usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut sim = Simulation::new(&heap()).unwrap();
        let most = (0..40).map(|_| sim.step().unwrap().contacts).max().unwrap_or(0);
        (sim.state().clone(), most)
    })
}

#[test]
fn a_heap_in_one_island_shows_no_number_of_threads() {
    let (one, contacts) = fallen(1);
    assert!(contacts > 1024, "the heap is cut in halves: {contacts} contacts");
    assert!(one == fallen(2).0 && one == fallen(3).0);
}

/// Balls poured into a shaft for three by three, with masses spread evenly in their logarithm over a factor.
fn unlike(count: u32, spread: f64, step: f64) -> Setup {
    let shuffled = |k: u32, by: u32| f64::from(k * by % 101) / 101.0;
    let ball = |k: u32| {
        let off = |by: u32| 0.02 * (shuffled(k, by) - 0.5);
        let place = DVec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9) + 0.6) * 0.22;
        let at = place + DVec3::new(off(13), off(29), 0.0);
        let mass = Some(spread.powf(shuffled(k, 37)));
        BodySetup { mass, ..body(&format!("ball-{k}"), Shape::Sphere { radius: 0.1 }, at, material(0.5, 0.0)) }
    };
    let mut setup = on_ground((0..count).map(ball).collect(), step, 1.0);
    for (normal, offset) in [(DVec3::X, -0.14), (DVec3::NEG_X, -0.58), (DVec3::Y, -0.14), (DVec3::NEG_Y, -0.58)] {
        let shape = ObstacleShape::Plane { normal, offset };
        setup.obstacles.push(Obstacle { name: format!("wall {normal}"), shape, friction: None, restitution: None });
    }
    setup
}

/// Distance of the two centres that are nearest to each other [m].
fn nearest(sim: &Simulation) -> f64 {
    let a = &sim.state().aggregates;
    let near = |k: usize| a[..k].iter().map(|b| a[k].position.distance(b.position)).fold(f64::INFINITY, f64::min);
    (1..a.len()).map(near).fold(f64::INFINITY, f64::min)
}

#[test]
fn balls_of_masses_over_a_factor_of_a_million_never_sink_into_each_other_without_a_word() {
    let mut sim = Simulation::new(&unlike(120, 1e6, 1.0 / 120.0)).unwrap();
    let mut deepest: f64 = 0.0;
    while sim.time() < 0.5 {
        let report = sim.step().unwrap();
        let overlap = 1.0 - nearest(&sim) / 0.2;
        // A solver may leave a fiftieth of a diameter in a step; it is more only if the step is told as unsolved.
        assert!(overlap < 0.02 || report.unconverged_contacts > 0, "{overlap} diameters at {} s", sim.time());
        deepest = deepest.max(overlap);
    }
    // They went through each other when nobody evened out their masses.
    assert!(deepest < 0.5, "{deepest} diameters");
}

#[test]
fn balls_of_masses_over_a_factor_of_a_thousand_that_are_poured_together_do_not_overlap_and_nearly_all_steps_are_solved()
{
    for step in [1.0 / 30.0, STEP] {
        let mut sim = Simulation::new(&unlike(120, 1e3, step)).unwrap();
        let (mut unsolved, mut steps) = (0, 0);
        while sim.time() < 1.0 {
            let report = sim.step().unwrap();
            steps += 1;
            unsolved += u32::from(report.unconverged_contacts > 0);
            let nearest = nearest(&sim);
            // A hundredth of a diameter.
            assert!(nearest > 0.198, "centres {nearest} m apart at {} s, steps of {step} s", sim.time());
        }
        // Without momentum hardly any was solved once the balls lay on each other.
        assert!(10 * unsolved <= steps, "{unsolved} of {steps} steps of {step} s are unsolved");
    }
}
