//! Chains and threads in steps of a sixtieth of a second, however light their links are against what they bear.

use super::scenes::{body, chain, joint, rod, scene, worst};
use kreisel::model::joint::{JointKind, JointSetup};
use kreisel::model::setup::Integrator;
use kreisel::model::shape::Shape;
use kreisel::model::{Obstacle, ObstacleShape, Setup};
use kreisel::{DQuat, DVec3, Simulation};

const STEP: f64 = 1.0 / 60.0;

/// A chain of links of 0.1 m that hangs a little askew, each of 1 kg and the last of `weight` [kg].
fn hanging(links: usize, weight: f64) -> Setup {
    let down = DVec3::new(0.05, 0.0, -1.0).normalize();
    let end = |k: usize| down * (0.1 * k as f64);
    let bodies = (0..links).map(|k| rod(&format!("rod-{k}"), end(k), end(k + 1), 0.01)).collect();
    let ball = |k: usize| {
        let before = (k > 0).then(|| format!("rod-{}", k - 1));
        joint(&format!("ball-{k}"), JointKind::Ball, &format!("rod-{k}"), before.as_deref(), end(k), DVec3::Y)
    };
    let mut setup = scene(bodies, (0..links).map(ball).collect(), STEP, Integrator::SymplecticEuler);
    setup.bodies.iter_mut().for_each(|link| link.mass = Some(1.0));
    setup.bodies[links - 1].mass = Some(weight);
    setup.contact.enabled = false;
    setup
}

/// What a run saw.
struct Seen {
    /// Largest error of a joint [m].
    open: f64,
    /// Largest gain and loss of energy [J].
    off: f64,
    /// Largest kinetic energy [J].
    motion: f64,
    /// Steps that were told as not solved.
    told: u64,
    /// Steps that were taken for a step asked for, at most.
    parts: u64,
    sim: Simulation,
}

/// Runs a scene.
fn run(setup: &Setup, seconds: f64) -> Seen {
    let sim = Simulation::new(setup).unwrap();
    let start = sim.ledger().energy();
    let mut seen = Seen { open: 0.0, off: 0.0, motion: 0.0, told: 0, parts: 0, sim };
    while seen.sim.time() < seconds - 1e-9 {
        let report = seen.sim.step().unwrap();
        seen.told += report.unconverged_contacts;
        seen.parts = seen.parts.max(report.substeps);
        seen.open = seen.open.max(worst(&seen.sim));
        seen.off = seen.off.max((seen.sim.ledger().energy() - start).abs());
        seen.motion = seen.motion.max(seen.sim.ledger().kinetic);
    }
    seen
}

#[test]
fn threads_bear_a_million_times_their_links_in_whole_steps() {
    // The links swing with up to 1e4 rad/s: a hundred radians in a step. The energy of symplectic steps sways by ω h/2 of the
    // motion, 3 % for a pendulum of a metre.
    for weight in [1.0, 1e2, 1e4, 1e6] {
        let seen = run(&hanging(10, weight), 5.0);
        assert!(seen.open < 1e-9 && seen.told == 0 && seen.parts == 1, "{weight}: {} m, {} told", seen.open, seen.told);
        assert!(seen.off < 0.04 * seen.motion, "{weight}: {} J of {} J", seen.off, seen.motion);
        let top = seen.sim.joint("ball-0").unwrap().force.length();
        assert!((top / (9.81 * (weight + 9.0)) - 1.0).abs() < 0.02, "{weight}: {top} N");
    }
}

#[test]
fn two_links_of_any_ratio_are_solved_and_say_so() {
    for weight in [1e4, 1e6, 1e9] {
        let mut setup = chain(2, 0.5, STEP, Integrator::SymplecticEuler);
        (setup.bodies[0].mass, setup.bodies[1].mass) = (Some(1.0), Some(weight));
        setup.contact.enabled = false;
        let seen = run(&setup, 3.0);
        assert!(seen.open < 1e-9 && seen.told == 0, "{weight}: {} m, {} told", seen.open, seen.told);
        // A step may gain or lose a hundredth of the motion, and what sways comes back.
        assert!(seen.off < 0.01 * seen.motion, "{weight}: {} J of {} J", seen.off, seen.motion);
    }
}

#[test]
fn a_weight_swings_on_a_light_thread_as_on_a_string() {
    // A ball at the end of a thread of nine light links: a pendulum of the length to its centre, with its own inertia.
    let down = DVec3::new(0.05, 0.0, -1.0).normalize();
    let at = down * 0.9;
    let mut setup = hanging(10, 1.0);
    setup.bodies[9] = body("rod-9", Shape::Sphere { radius: 0.05 }, at + down * 0.05, DQuat::IDENTITY);
    setup.bodies[9].mass = Some(1e4);
    setup.joints[9] = joint("ball-9", JointKind::Fixed, "rod-9", Some("rod-8"), at, DVec3::Y);
    let mut sim = Simulation::new(&setup).unwrap();
    let (mut crossings, mut last) = (Vec::new(), 1.0);
    while crossings.len() < 7 {
        sim.step().unwrap();
        let x = sim.state().aggregates[9].position.x;
        if x * last < 0.0 {
            crossings.push(sim.time() - STEP * x / (x - last));
        }
        last = x;
    }
    let (length, own) = (0.95_f64, 0.4 * 0.05_f64.powi(2));
    let wanted = std::f64::consts::TAU * ((length * length + own) / (9.81 * length)).sqrt();
    let found = (crossings[6] - crossings[0]) / 3.0;
    assert!((found / wanted - 1.0).abs() < 5e-3, "{found} s against {wanted} s");
}

#[test]
fn fifty_links_swing_from_the_level_and_stay_closed() {
    let mut setup = chain(50, 0.1, STEP, Integrator::SymplecticEuler);
    setup.contact.enabled = false;
    let seen = run(&setup, 3.0);
    assert!(seen.open < 1e-9 && seen.told == 0, "{} m, {} told", seen.open, seen.told);
    assert!(seen.off < 0.05 * seen.motion, "{} J of {} J", seen.off, seen.motion);
}

/// Ten links of 1 kg, the last of `weight` [kg], that whirl in free flight with 20 rad/s, one of them a little out of line.
fn whirling(weight: f64) -> Setup {
    let mut setup = hanging(10, weight);
    setup.joints.remove(0);
    setup.gravity = DVec3::ZERO;
    let axis = DVec3::Y * 20.0;
    let middle = DVec3::new(0.05, 0.0, -1.0).normalize() * 0.5;
    for link in &mut setup.bodies {
        (link.spin, link.velocity) = (axis, axis.cross(link.at - middle));
    }
    setup.bodies[3].velocity.y += 0.3;
    setup
}

#[test]
fn a_whirling_chain_keeps_both_momenta() {
    for weight in [1.0, 1e3] {
        let mut sim = Simulation::new(&whirling(weight)).unwrap();
        let (p, l) = (sim.ledger().momentum, sim.ledger().angular_momentum);
        sim.run_until(3.0).unwrap();
        let now = sim.ledger();
        let lost = (now.angular_momentum - l).length();
        assert!(lost < 1e-12 * l.length() && worst(&sim) < 1e-9, "{weight}: {lost} of {l}");
        // A chain of a metre and a bit that turns about its middle has about as much momentum at either half.
        assert!((now.momentum - p).length() < 1e-12 * l.length().max(p.length()), "{weight}: {}", now.momentum - p);
    }
}

#[test]
fn what_holds_a_thread_is_booked_with_all_that_it_gave() {
    for weight in [1e2, 1e6] {
        let seen = run(&hanging(10, weight), 3.0);
        let (books, top) = (seen.sim.ledger(), 9.81 * weight * 3.0);
        assert!(books.angular_momentum_residual.length() < 1e-12 * top, "{}", books.angular_momentum_residual);
        assert!(books.momentum_residual.length() < 1e-12 * top, "{}", books.momentum_residual);
    }
}

/// Ten balls of 1 kg, the last of `weight` [kg], on a level string of distances of 0.1 m.
fn string(weight: f64) -> Setup {
    let at = |k: usize| DVec3::X * (0.1 * k as f64);
    let ball = |k: usize| body(&format!("ball-{k}"), Shape::Sphere { radius: 0.03 }, at(k), DQuat::IDENTITY);
    let string = |k: usize| {
        let before = (k > 1).then(|| format!("ball-{}", k - 1));
        let own =
            joint(&format!("d-{k}"), JointKind::Distance, &format!("ball-{k}"), before.as_deref(), at(k), DVec3::Y);
        JointSetup { to: at(k - 1), ..own }
    };
    let bodies = (1..=10).map(ball).collect();
    let mut setup = scene(bodies, (1..=10).map(string).collect(), STEP, Integrator::SymplecticEuler);
    setup.bodies.iter_mut().for_each(|ball| ball.mass = Some(1.0));
    setup.bodies[9].mass = Some(weight);
    setup.contact.enabled = false;
    setup
}

#[test]
fn balls_on_a_string_of_distances_bear_a_weight() {
    for weight in [1e2, 1e4] {
        let seen = run(&string(weight), 3.0);
        assert!(seen.open < 1e-9 && seen.told == 0, "{weight}: {} m, {} told", seen.open, seen.told);
        assert!(seen.off < 0.15 * seen.motion, "{weight}: {} J of {} J", seen.off, seen.motion);
    }
}

#[test]
fn a_slack_bridge_sways_between_its_ends() {
    let end = |k: usize| {
        let angle = -0.8 + 1.6 * k as f64 / 20.0;
        DVec3::new(2.0 * angle.sin(), 0.0, -2.0 * angle.cos())
    };
    let bodies = (0..20).map(|k| rod(&format!("plank-{k}"), end(k), end(k + 1), 0.05)).collect();
    let hinge = |k: usize| {
        let before = (k > 0).then(|| format!("plank-{}", k - 1));
        joint(&format!("hinge-{k}"), JointKind::Hinge, &format!("plank-{k}"), before.as_deref(), end(k), DVec3::Y)
    };
    let mut joints: Vec<JointSetup> = (0..20).map(hinge).collect();
    joints.push(joint("end", JointKind::Hinge, "plank-19", None, end(20), DVec3::Y));
    let mut setup = scene(bodies, joints, STEP, Integrator::SymplecticEuler);
    setup.contact.enabled = false;
    let seen = run(&setup, 5.0);
    assert!(seen.open < 1e-9 && seen.told == 0, "{} m, {} told", seen.open, seen.told);
    assert!(seen.off < 0.3 * seen.motion, "{} J of {} J", seen.off, seen.motion);
}

#[test]
fn a_ring_of_links_falls_onto_the_ground_and_stays_whole() {
    let at = |k: usize| {
        let angle = std::f64::consts::TAU * k as f64 / 12.0;
        DVec3::new(0.5 * angle.cos(), 0.5 * angle.sin(), 0.3)
    };
    let bodies = (0..12).map(|k| rod(&format!("link-{k}"), at(k), at(k + 1), 0.04)).collect();
    let ball = |k: usize| {
        let before = format!("link-{}", (k + 11) % 12);
        joint(&format!("ball-{k}"), JointKind::Ball, &format!("link-{k}"), Some(&before), at(k), DVec3::Z)
    };
    let mut setup = scene(bodies, (0..12).map(ball).collect(), STEP, Integrator::SymplecticEuler);
    let shape = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
    setup.obstacles.push(Obstacle { name: "ground".into(), shape, friction: None, restitution: None });
    let seen = run(&setup, 3.0);
    assert!(seen.open < 1e-6, "{} m", seen.open);
    let lowest = seen.sim.state().aggregates.iter().map(|a| a.position.z).fold(f64::INFINITY, f64::min);
    assert!((lowest - 0.02).abs() < 1e-3 && seen.sim.ledger().kinetic < 1e-6, "{lowest} m");
}

/// A cart of 10 kg on four wheels of 1 kg and 0.1 m that rolls down a slope of 0.2 rad.
#[test]
fn a_cart_rolls_as_fast_as_the_inertia_of_its_wheels_allows() {
    let slope = 0.2_f64;
    let mut cart = body("cart", Shape::Box { half_size: DVec3::new(0.4, 0.15, 0.05) }, DVec3::Z * 0.2, DQuat::IDENTITY);
    cart.mass = Some(10.0);
    let (mut bodies, mut joints) = (vec![cart], Vec::new());
    for (k, (x, y)) in [(-0.3, -0.2), (-0.3, 0.2), (0.3, -0.2), (0.3, 0.2)].into_iter().enumerate() {
        let (name, at) = (format!("wheel-{k}"), DVec3::new(x, y, 0.1));
        let upright = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
        let mut wheel = body(&name, Shape::Cylinder { radius: 0.1, half_length: 0.02 }, at, upright);
        wheel.mass = Some(1.0);
        bodies.push(wheel);
        joints.push(joint(&format!("axle-{k}"), JointKind::Hinge, &name, Some("cart"), at, DVec3::Y));
    }
    let mut setup = scene(bodies, joints, 1e-3, Integrator::SymplecticEuler);
    setup.gravity = DVec3::new(slope.sin(), 0.0, -slope.cos()) * 9.81;
    let shape = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
    setup.obstacles.push(Obstacle { name: "slope".into(), shape, friction: Some((0.8, 0.8)), restitution: None });
    setup.bodies.iter_mut().for_each(|b| (b.material.static_friction, b.material.dynamic_friction) = (0.8, 0.8));
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(1.0).unwrap();
    // Each wheel adds ½ m r² of inertia, as if it were half as heavy again.
    let wanted = 9.81 * slope.sin() * 14.0 / (14.0 + 4.0 * 0.5);
    let found = sim.state().aggregates[0].velocity.x;
    assert!((found / wanted - 1.0).abs() < 2e-3, "{found} m/s against {wanted} m/s");
    assert!(worst(&sim) < 1e-7, "{} m", worst(&sim));
    let rolled = sim.joint("axle-0").unwrap().speed.abs();
    assert!((rolled * 0.1 / found - 1.0).abs() < 1e-3, "{rolled} rad/s at {found} m/s");
}

#[test]
fn a_motor_against_a_fixed_joint_pushes_in_vain() {
    let mut setup = scene(vec![rod("arm", DVec3::ZERO, DVec3::X, 0.1)], Vec::new(), STEP, Integrator::SymplecticEuler);
    let mut hinge = joint("hinge", JointKind::Hinge, "arm", None, DVec3::ZERO, DVec3::Y);
    hinge.motor = kreisel::model::Command::Speed { speed: 10.0, most: 1e4 };
    setup.joints = vec![hinge, joint("weld", JointKind::Fixed, "arm", None, DVec3::X, DVec3::Y)];
    let seen = run(&setup, 2.0);
    assert!(seen.motion < 1e-9 && seen.open < 1e-9, "{} J, {} m", seen.motion, seen.open);
    assert!((seen.sim.joint("hinge").unwrap().effort - 1e4).abs() < 1.0, "it goes on to push");
}

#[test]
fn a_chain_of_rods_that_whips_round_and_strikes_itself_is_solved_in_every_step() {
    // Where it strikes it has closed a loop, and a push comes back around it to the place where it acts.
    let setup = chain(10, 0.2, STEP / 9.0, Integrator::SymplecticEuler);
    let seen = run(&setup, 2.6);
    let struck = seen.sim.ledger().contact_loss;
    assert!(struck > 0.0, "it has not met itself");
    assert!(seen.told == 0 && seen.open < 1e-6, "{} steps unsolved, open by {} m", seen.told, seen.open);
}

#[test]
fn steps_that_joints_make_shorter_say_so() {
    let ball = |name: &str, z: f64| body(name, Shape::Sphere { radius: 0.02 }, DVec3::Z * z, DQuat::IDENTITY);
    let mut bodies = vec![ball("light", -0.1), ball("heavy", -0.2)];
    (bodies[0].mass, bodies[1].mass) = (Some(1e-2), Some(1.0));
    let thread = |name: &str, a: &str, b: Option<&str>, z: f64| JointSetup {
        to: DVec3::Z * (z + 0.1),
        ..joint(name, JointKind::Distance, a, b, DVec3::Z * z, DVec3::X)
    };
    let joints = vec![thread("above", "light", None, -0.1), thread("below", "heavy", Some("light"), -0.2)];
    let mut hanging = Simulation::new(&scene(bodies.clone(), joints, 1.0 / 60.0, Integrator::SymplecticEuler)).unwrap();
    let mut falling = Simulation::new(&scene(bodies, Vec::new(), 1.0 / 60.0, Integrator::SymplecticEuler)).unwrap();
    hanging.step().unwrap();
    falling.step().unwrap();
    let (hanging, falling) = (hanging.step().unwrap(), falling.step().unwrap());
    assert!(hanging.limited_by_joints && hanging.substeps > 1, "{} steps", hanging.substeps);
    assert!(!falling.limited_by_joints && falling.substeps == 1, "{} steps", falling.substeps);
}

#[test]
fn a_chain_that_folds_onto_itself_in_implicit_steps_gains_no_more_than_it_falls() {
    let at = |x: f64| DVec3::new(x, 0.0, 2.0);
    for step in [2e-3, 5e-3] {
        let bodies: Vec<_> = (0..3)
            .map(|k| rod(&format!("rod-{k}"), at(0.2 * f64::from(k)), at(0.2 * f64::from(k + 1)), 0.02))
            .collect();
        let weld = joint("weld", JointKind::Fixed, "rod-0", None, at(0.0), DVec3::Y);
        let hinge = |k: u32| {
            let (a, b) = (format!("rod-{}", k + 1), format!("rod-{k}"));
            joint(&format!("hinge-{k}"), JointKind::Hinge, &a, Some(&b), at(0.2 * f64::from(k + 1)), DVec3::Y)
        };
        let mut setup = scene(bodies, vec![weld, hinge(0), hinge(1)], step, Integrator::BackwardEuler);
        setup.bodies.iter_mut().for_each(|b| b.mass = Some(0.1));
        let mut sim = Simulation::new(&setup).unwrap();
        let start = sim.ledger().gravity;
        while sim.time() < 3.0 {
            sim.step().unwrap();
            let l = sim.ledger();
            let gained = l.kinetic + l.gravity - start;
            // Straight down it has fallen by 0.1 m and 0.3 m: 0.4 J.
            assert!(gained < 0.02 * 0.4, "{step} s: {gained} J gained at {} s", sim.time());
        }
    }
}
