//! Joints in implicit steps: part of the same problem, `W = J A⁻¹ Jᵀ` with the matrix of the step.

use super::scenes::{body, chain, joint, rod, scene, worst};
use super::soft::hammer;
use kreisel::model::joint::{Command, JointKind, JointSetup};
use kreisel::model::setup::Integrator;
use kreisel::model::shape::Shape;
use kreisel::model::{EventKind, Obstacle, ObstacleShape, Setup};
use kreisel::{DQuat, DVec3, Simulation};

fn implicitly(setup: Setup, step: f64) -> Setup {
    Setup { integrator: Integrator::BackwardEuler, step: Some(step), frame: step, ..setup }
}

fn run(sim: &mut Simulation, until: f64) -> f64 {
    let mut drift: f64 = 0.0;
    while sim.time() < until * (1.0 - 1e-9) {
        let report = sim.step().unwrap();
        assert_eq!(report.unconverged_contacts, 0, "at {}", sim.time());
        drift = drift.max(worst(sim));
    }
    drift
}

fn head(sim: &Simulation) -> DVec3 {
    sim.state().aggregates[0].position
}

#[test]
fn a_rigid_head_hangs_on_a_soft_handle_in_steps_far_above_the_explicit_ones() {
    for kind in [JointKind::Ball, JointKind::Hinge, JointKind::Fixed] {
        let mut sim = Simulation::new(&implicitly(hammer(kind), 0.02)).unwrap();
        let stable = sim.step().unwrap().stable_step;
        let drift = run(&mut sim, 1.0);
        assert!(drift < 1e-9 && 0.02 > 20.0 * stable, "{kind:?}: {drift:e}, {stable}");
    }
}

#[test]
fn steps_of_both_kinds_agree_to_first_order() {
    let end = |setup: Setup| {
        let mut sim = Simulation::new(&setup).unwrap();
        run(&mut sim, 0.2);
        (head(&sim), sim.ledger().relative_residual())
    };
    let exact = end(Setup { step: Some(2.5e-5), frame: 2.5e-5, ..hammer(JointKind::Hinge) }).0;
    let errors: Vec<(f64, f64)> = [4e-3, 2e-3, 1e-3, 5e-4]
        .iter()
        .map(|&h| {
            let (x, r) = end(implicitly(hammer(JointKind::Hinge), h));
            ((x - exact).length(), r)
        })
        .collect();
    for pair in errors.windows(2) {
        assert!((1.7..2.4).contains(&(pair[0].0 / pair[1].0)), "{errors:?}");
        assert!(pair[1].1 < 0.6 * pair[0].1, "the ledger closes: {errors:?}");
    }
}

#[test]
fn a_free_hammer_keeps_its_momenta_in_long_steps() {
    let mut setup = implicitly(hammer(JointKind::Hinge), 0.01);
    setup.fixes.clear();
    setup.gravity = DVec3::ZERO;
    for b in &mut setup.bodies {
        b.velocity = DVec3::new(0.3, 0.0, 0.2);
    }
    setup.bodies[1].spin = DVec3::Y * 5.0;
    let mut sim = Simulation::new(&setup).unwrap();
    let (p, l) = (sim.ledger().momentum, sim.ledger().angular_momentum);
    let drift = run(&mut sim, 2.0);
    let now = sim.ledger();
    let off = ((now.momentum - p).length() / p.length(), (now.angular_momentum - l).length() / l.length());
    assert!(drift < 1e-9 && off.0 < 1e-10 && off.1 < 1e-9, "{drift:e} {off:?}");
}

#[test]
fn a_rigid_chain_swings_as_in_explicit_steps() {
    let end = |integrator: Integrator| {
        let mut sim = Simulation::new(&chain(3, 0.3, 2e-3, integrator)).unwrap();
        let drift = run(&mut sim, 1.0);
        assert!(drift < 1e-9, "{drift:e}");
        let places: Vec<DVec3> = sim.state().aggregates.iter().map(|a| a.position).collect();
        (places, sim.ledger().relative_residual())
    };
    let (explicit, implicit) = (end(Integrator::SymplecticEuler), end(Integrator::BackwardEuler));
    for (a, b) in explicit.0.iter().zip(&implicit.0) {
        assert!((*a - *b).length() < 5e-3, "{explicit:?} {implicit:?}");
    }
}

#[test]
fn jointed_rods_on_the_ground_bear_their_weight_and_a_resumed_run_has_the_same_bits() {
    let end = |x: f64| DVec3::new(x, 0.0, 0.05);
    let rods = vec![rod("left", end(0.0), end(0.5), 0.1), rod("right", end(0.5), end(1.0), 0.1)];
    let hinge = joint("hinge", JointKind::Hinge, "left", Some("right"), end(0.5), DVec3::Y);
    let plane = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
    let mut setup = scene(rods, vec![hinge], 5e-3, Integrator::BackwardEuler);
    setup.obstacles = vec![Obstacle { name: "ground".into(), shape: plane, friction: None, restitution: None }];
    setup.bodies[0].velocity = DVec3::X * 0.3;
    setup.bodies[1].velocity = DVec3::X * 0.3;
    let mut sim = Simulation::new(&setup).unwrap();
    run(&mut sim, 0.1);
    let mut resumed = Simulation::resume(&setup, sim.state().clone()).unwrap();
    let drift = run(&mut sim, 0.5).max(run(&mut resumed, 0.5));
    assert_eq!(sim.state(), resumed.state());
    let weight = 9.81 * sim.state().aggregates.iter().map(|a| a.mass).sum::<f64>();
    let force: DVec3 = sim.contacts().iter().map(|c| c.force).sum();
    assert!(drift < 1e-9 && (force.z.abs() / weight - 1.0).abs() < 1e-3, "{drift:e} {force} {weight}");
}

#[test]
fn joints_that_contradict_each_other_are_held_or_told_of_in_implicit_steps() {
    let bodies = vec![rod("rod", DVec3::ZERO, DVec3::X, 0.1)];
    let hinge = |name: &str, axis: DVec3, speed: f64| JointSetup {
        motor: Command::Speed { speed, most: 1e5 },
        ..joint(name, JointKind::Hinge, "rod", None, DVec3::ZERO, axis)
    };
    let joints = vec![hinge("first", DVec3::Y, 10.0), hinge("second", DVec3::new(0.0, 1.0, 0.3), -5.0)];
    let mut sim = Simulation::new(&scene(bodies, joints, 1e-3, Integrator::BackwardEuler)).unwrap();
    for _ in 0..100 {
        if let Err(error) = sim.step() {
            assert!(error.cause.contains("no solution"), "{error:?}");
            return;
        }
        let rod = &sim.state().aggregates[0];
        assert!(rod.velocity.length() < 1.0 && rod.position.length() < 2.0, "{} {}", rod.velocity, rod.position);
    }
}

/// A wheel of 1 kg m² or so about a hinge to the world.
fn wheel(change: impl Fn(&mut JointSetup)) -> Setup {
    let shape = Shape::Box { half_size: DVec3::new(0.5, 0.05, 0.05) };
    let mut hinge = joint("axle", JointKind::Hinge, "wheel", None, DVec3::ZERO, DVec3::Z);
    change(&mut hinge);
    let setup =
        scene(vec![body("wheel", shape, DVec3::ZERO, DQuat::IDENTITY)], vec![hinge], 5e-3, Integrator::BackwardEuler);
    Setup { gravity: DVec3::ZERO, ..setup }
}

#[test]
fn a_motor_of_any_force_that_meets_its_stop_in_an_implicit_step_is_told_with_its_name() {
    let mut sim = Simulation::new(&wheel(|j| {
        j.motor = Command::Speed { speed: 1.0, most: f64::INFINITY };
        j.limits = (-0.2, 0.2);
    }))
    .unwrap();
    let error = (0..100).find_map(|_| sim.step().err()).unwrap();
    assert!(error.cause.contains("joint \"axle\""), "{error:?}");
}

#[test]
fn motors_friction_and_stops_act_in_implicit_steps() {
    let speed = |change: &dyn Fn(&mut JointSetup), until: f64| {
        let mut sim = Simulation::new(&wheel(change)).unwrap();
        let moment = sim.state().aggregates[0].inertia.max_element();
        run(&mut sim, until);
        let read = sim.joint("axle").unwrap();
        (read.speed, read.coordinate, moment)
    };
    let (w, _, moment) = speed(&|j| j.motor = Command::Speed { speed: 3.0, most: 10.0 }, 0.1);
    assert!((w - (10.0 * 0.1 / moment).min(3.0)).abs() < 1e-9, "{w} {moment}");
    let driven = |j: &mut JointSetup| (j.motor, j.friction) = (Command::Force { force: 5.0 }, 2.0);
    let (w, _, moment) = speed(&driven, 0.5);
    assert!((w - 3.0 * 0.5 / moment).abs() < 1e-9 * w, "{w}");
    let stopped = |j: &mut JointSetup| (j.motor, j.limits) = (Command::Speed { speed: 2.0, most: 1e4 }, (-1.0, 0.5));
    let (w, angle, _) = speed(&stopped, 1.0);
    assert!(w.abs() < 1e-9 && (angle - 0.5).abs() < 1e-6, "{w} {angle}");
    let spring = Command::Position { target: 0.3, stiffness: 4e3, damping: 4e2, most: 1e4 };
    let (_, angle, _) = speed(&|j| j.motor = spring, 3.0);
    assert!((angle - 0.3).abs() < 1e-3, "{angle}");
}

#[test]
fn a_joint_breaks_above_its_load_in_implicit_steps() {
    let weight = rod("weight", DVec3::ZERO, DVec3::NEG_Z * 0.2, 0.1);
    let mut hook = joint("hook", JointKind::Ball, "weight", None, DVec3::ZERO, DVec3::Z);
    let load = 0.2 * 0.1 * 0.1 * 1000.0 * 9.81;
    for (share, breaks) in [(1.1, false), (0.9, true)] {
        hook.break_force = share * load;
        let setup = scene(vec![weight.clone()], vec![hook.clone()], 5e-3, Integrator::BackwardEuler);
        let mut sim = Simulation::new(&setup).unwrap();
        let broke = |kind: &EventKind| matches!(kind, EventKind::JointBroke { .. });
        let told = (0..40).any(|_| sim.step().unwrap().events.iter().any(|e| broke(&e.kind)));
        assert_eq!(told, breaks);
        assert_eq!(sim.joint("hook").unwrap().broken, breaks);
    }
}

/// Twenty rods of 1 kg and 0.1 m joined by balls, that hang on the world and begin level and at rest.
fn level_chain(step: f64, integrator: Integrator) -> Setup {
    let end = |k: usize| DVec3::X * (0.1 * k as f64);
    let rods = (0..20).map(|k| rod(&format!("rod-{k}"), end(k), end(k + 1), 0.01)).collect();
    let ball = |k: usize| {
        let before = (k > 0).then(|| format!("rod-{}", k - 1));
        joint(&format!("ball-{k}"), JointKind::Ball, &format!("rod-{k}"), before.as_deref(), end(k), DVec3::Y)
    };
    let mut setup = scene(rods, (0..20).map(ball).collect(), step, integrator);
    setup.bodies.iter_mut().for_each(|rod| rod.mass = Some(1.0));
    setup.contact.enabled = false;
    setup
}

/// Runs a chain; its places after a second, the most energy that it gained [J], and its largest kinetic energy [J].
fn whip(setup: &Setup, until: f64) -> (Vec<DVec3>, f64, f64) {
    let mut sim = Simulation::new(setup).unwrap();
    let start = sim.ledger().energy();
    let (mut places, mut gained, mut motion) = (Vec::new(), f64::NEG_INFINITY, 0.0_f64);
    while sim.time() < until - 1e-9 {
        assert_eq!(sim.step().unwrap().unconverged_contacts, 0, "at {}", sim.time());
        assert!(worst(&sim) < 1e-9, "{:e} at {}", worst(&sim), sim.time());
        (gained, motion) = (gained.max(sim.ledger().energy() - start), motion.max(sim.ledger().kinetic));
        if (sim.time() - 1.0).abs() < 1e-9 {
            places = sim.state().aggregates.iter().map(|a| a.position).collect();
        }
    }
    (places, gained, motion)
}

#[test]
fn a_chain_of_twenty_rods_whips_in_implicit_steps_without_energy_from_nowhere_and_moves_as_in_small_explicit_ones() {
    let exact = whip(&level_chain(2.5e-4, Integrator::VelocityVerlet), 1.0).0;
    let places = whip(&level_chain(4e-3, Integrator::BackwardEuler), 1.0).0;
    let off = places.iter().zip(&exact).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
    assert!(off < 2e-3, "{off} m off after a second");
    let (_, gained, motion) = whip(&level_chain(1e-2, Integrator::BackwardEuler), 4.5);
    // Symplectic steps let the energy sway by half a per cent.
    assert!(gained < 5e-3 * motion, "{gained} J of {motion} J");
}

#[test]
fn a_chain_with_drag_whips_in_implicit_steps_and_only_loses_energy() {
    let setup = Setup { drag: 0.01, ..level_chain(4e-3, Integrator::BackwardEuler) };
    let (_, gained, motion) = whip(&setup, 4.0);
    assert!(gained < 0.0 && motion > 100.0, "{gained} J of {motion} J");
}
