//! Islands at rest sleep, and wake when something comes.

use super::scenes::{body, material, on_ground};
use kreisel::model::setup::{BodySetup, Fix, Load, LoadKind, Motion};
use kreisel::model::shape::Shape;
use kreisel::model::{Command, JointKind, JointSetup, Profile, Region, Setup};
use kreisel::{DVec3, Simulation};

const CUBE: Shape = Shape::Box { half_size: DVec3::splat(0.5) };

fn column(count: u32, x: f64) -> impl Iterator<Item = BodySetup> {
    (0..count).map(move |k| {
        let name = format!("box-{x}-{k}");
        body(&name, CUBE, DVec3::new(x, 0.0, 0.5 + f64::from(k)), material(0.5, 0.0))
    })
}

fn asleep(sim: &Simulation) -> usize {
    sim.state().sleep.count(sim.state().epoch)
}

#[test]
fn a_column_at_rest_falls_asleep_and_bears_its_weight_all_the_same() {
    let mut sim = Simulation::new(&on_ground(column(5, 0.0).collect(), 1.0 / 60.0, 3.0)).unwrap();
    sim.run_until(0.3).unwrap();
    assert_eq!(asleep(&sim), 0);
    sim.run_until(3.0).unwrap();
    assert_eq!(asleep(&sim), 5);
    let [lowest, ground] = ["box-0-0", "ground"].map(|n| sim.party(n).unwrap());
    let force = sim.force_between(lowest, ground).force;
    assert!((force.z / (5.0 * 1000.0 * 9.81) - 1.0).abs() < 1e-3, "{force}");
    let l = sim.ledger();
    assert!(l.momentum_residual.length() < 1e-6 && l.residual.abs() < 1e-3, "{l:?}");
}

#[test]
fn what_sleeps_is_not_solved() {
    let mut sim = Simulation::new(&on_ground(column(20, 0.0).collect(), 1.0 / 60.0, 3.0)).unwrap();
    sim.run_until(2.0).unwrap();
    let report = sim.step().unwrap();
    assert_eq!((asleep(&sim), report.contact_sweeps, report.newton_iterations), (20, 0, 0));
    assert!(report.contacts >= 80 && report.events.is_empty(), "{report:?}");
}

#[test]
fn a_ball_that_strikes_a_column_wakes_it_and_leaves_the_next_one_asleep() {
    let mut bodies: Vec<BodySetup> = column(4, 0.0).chain(column(4, 5.0)).collect();
    let mut ball = body("ball", Shape::Sphere { radius: 0.3 }, DVec3::new(-12.0, 0.0, 2.5), material(0.5, 0.0));
    ball.velocity = DVec3::new(10.0, 0.0, 6.0);
    bodies.push(ball);
    let mut sim = Simulation::new(&on_ground(bodies, 1.0 / 120.0, 3.0)).unwrap();
    sim.run_until(1.0).unwrap();
    assert_eq!(asleep(&sim), 8);
    while sim.state().aggregates[0].velocity == DVec3::ZERO && sim.state().aggregates[3].velocity == DVec3::ZERO {
        sim.step().unwrap();
        assert!(sim.time() < 2.0, "the ball passed through");
    }
    assert_eq!(asleep(&sim), 4);
    sim.run_until(sim.time() + 0.3).unwrap();
    assert!((4..8).all(|k| sim.state().aggregates[k].velocity == DVec3::ZERO));
    let l = sim.ledger();
    assert!(l.momentum_residual.length() < 1e-8 * l.external_impulse.length(), "{l:?}");
}

#[test]
fn what_slept_moves_on_as_if_it_had_not() {
    let end = |sleeps: bool| {
        let mut bodies: Vec<BodySetup> = column(3, 0.0).collect();
        let mut ball = body("ball", Shape::Sphere { radius: 0.3 }, DVec3::new(-13.0, 0.0, 2.6), material(0.5, 0.0));
        ball.velocity = DVec3::new(10.0, 0.0, 6.0);
        bodies.push(ball);
        let mut setup = on_ground(bodies, 1.0 / 240.0, 3.0);
        if !sleeps {
            setup.constraint.sleep_after = f64::INFINITY;
        }
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(1.6).unwrap();
        sim.state().aggregates.iter().map(|a| a.position).collect::<Vec<_>>()
    };
    for (a, b) in end(true).iter().zip(end(false)) {
        assert!((*a - b).length() < 1e-3, "{a} {b}");
    }
}

#[test]
fn a_support_that_begins_to_move_wakes_what_stands_on_it() {
    let plate = body("plate", Shape::Box { half_size: DVec3::new(2.0, 2.0, 0.1) }, DVec3::Z * 2.0, material(0.8, 0.0));
    let block = body("block", CUBE, DVec3::Z * 2.6, material(0.8, 0.0));
    let mut setup: Setup = on_ground(vec![plate, block], 1.0 / 120.0, 4.0);
    let motion = Motion {
        velocity: DVec3::ZERO,
        displacement: DVec3::X,
        rotation: DVec3::ZERO,
        centre: DVec3::ZERO,
        profile: Profile::Ramp { start: 1.5, end: 3.5 },
    };
    let region = Region::Body("plate".into());
    setup.fixes.push(Fix { name: "drive".into(), region, axes: [true; 3], motion: Some(motion) });
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(1.4).unwrap();
    assert!(sim.is_asleep(sim.body("block").unwrap()));
    sim.run_until(4.0).unwrap();
    let block = sim.state().aggregates[1].position;
    assert!((block.x - 1.0).abs() < 1e-2 && (block.z - 2.6).abs() < 1e-4, "{block}");
}

#[test]
fn pairs_and_groups_that_are_switched_off_pass_through_each_other() {
    let ball = |name: &str, z: f64, group: Option<&str>| BodySetup {
        group: group.map(str::to_string),
        ..body(name, Shape::Sphere { radius: 0.5 }, DVec3::new(0.0, 0.0, z), material(0.0, 0.0))
    };
    let bodies = || vec![ball("low", 0.5, Some("ghosts")), ball("high", 2.0, Some("ghosts")), ball("top", 4.0, None)];
    let mut setup = on_ground(bodies(), 1.0 / 240.0, 2.0);
    setup.apart = vec![["ghosts".into(), "ghosts".into()]];
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(2.0).unwrap();
    let heights: Vec<f64> = sim.state().aggregates.iter().map(|a| a.position.z).collect();
    assert!((heights[0] - 0.5).abs() < 1e-3 && (heights[1] - 0.5).abs() < 1e-3, "{heights:?}");
    assert!((heights[2] - 1.5).abs() < 1e-3, "{heights:?}");
    setup.apart = vec![["nobody".into(), "ground".into()]];
    assert!(Simulation::new(&setup).unwrap_err().to_string().contains("nobody"));
}

#[test]
fn a_pair_switched_off_by_a_call_falls_through_and_is_kept_by_a_snapshot() {
    let setup = on_ground(column(2, 0.0).collect(), 1.0 / 120.0, 2.0);
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(1.0).unwrap();
    let [low, high] = ["box-0-0", "box-0-1"].map(|n| sim.party(n).unwrap());
    assert!(sim.set_contact(low, high, false));
    let mut resumed = Simulation::resume(&setup, sim.state().clone()).unwrap();
    sim.run_until(1.3).unwrap();
    resumed.run_until(1.3).unwrap();
    assert_eq!(sim.state().aggregates, resumed.state().aggregates);
    assert!(sim.state().aggregates[1].position.z < 1.2, "{}", sim.state().aggregates[1].position);
}

/// A door that comes to rest by the friction of its hinge.
fn door(step: f64) -> Setup {
    let mut door = body(
        "door",
        Shape::Box { half_size: DVec3::new(0.45, 0.02, 1.0) },
        DVec3::new(0.45, 0.0, 1.1),
        material(0.5, 0.0),
    );
    (door.velocity, door.spin) = (DVec3::Y * 0.45, DVec3::Z);
    let mut setup = on_ground(vec![door], step, 10.0);
    setup.joints.push(JointSetup {
        name: "hinge".into(),
        kind: JointKind::Hinge,
        a: "door".into(),
        at: DVec3::Z * 1.1,
        axis: DVec3::Z,
        friction: 20.0,
        ..JointSetup::default()
    });
    setup
}

#[test]
fn a_door_at_rest_sleeps_bears_its_weight_and_wakes_when_its_motor_is_told_to_turn() {
    let mut sim = Simulation::new(&door(1.0 / 120.0)).unwrap();
    sim.run_until(5.0).unwrap();
    let door = sim.body("door").unwrap();
    assert!(sim.is_asleep(door));
    let report = sim.step().unwrap();
    assert_eq!((report.contact_sweeps, report.newton_iterations), (0, 0));
    let weight = 9.81 * sim.state().aggregates[0].mass;
    assert!((sim.joint("hinge").unwrap().force.z.abs() / weight - 1.0).abs() < 1e-3, "{:?}", sim.joint("hinge"));
    let angle = sim.joint("hinge").unwrap().coordinate;
    assert!(sim.command("hinge", Command::Speed { speed: 0.5, most: 1e4 }));
    sim.run_until(sim.time() + 1.0).unwrap();
    let turned = sim.joint("hinge").unwrap().coordinate - angle;
    assert!((turned - 0.5).abs() < 1e-2, "{turned}");
    let l = sim.ledger();
    assert!(l.momentum_residual.length() < 1e-8 * l.external_impulse.length(), "{l:?}");
}

#[test]
fn a_block_under_a_steady_load_sleeps_and_wakes_when_the_load_changes() {
    let block = body("block", CUBE, DVec3::Z * 0.5, material(0.5, 0.0));
    let mut setup = on_ground(vec![block], 1.0 / 120.0, 4.0);
    let kind = LoadKind::Region { region: Region::Body("block".into()), force: DVec3::X * 6000.0 };
    setup.loads.push(Load { name: "push".into(), kind, profile: Profile::Ramp { start: 2.0, end: 2.5 } });
    let kind = LoadKind::Region { region: Region::Body("block".into()), force: DVec3::X * 1000.0 };
    setup.loads.push(Load { name: "steady".into(), kind, profile: Profile::Constant });
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(1.9).unwrap();
    assert!(sim.is_asleep(sim.body("block").unwrap()));
    assert_eq!(sim.state().aggregates[0].velocity, DVec3::ZERO);
    sim.run_until(3.0).unwrap();
    assert!(sim.state().aggregates[0].velocity.x > 0.5, "{}", sim.state().aggregates[0].velocity);
    let l = sim.ledger();
    assert!(l.momentum_residual.length() < 1e-8 * l.external_impulse.length(), "{l:?}");
}

#[test]
fn where_everybody_sleeps_time_passes_and_nothing_else() {
    let mut sim = Simulation::new(&on_ground(column(5, 0.0).collect(), 1.0 / 60.0, 3.0)).unwrap();
    sim.run_until(2.0).unwrap();
    assert_eq!(asleep(&sim), 5);
    let before = sim.state().clone();
    let report = sim.step().unwrap();
    let mut after = sim.state().clone();
    assert_eq!((after.frames, after.steps), (before.frames + 1, before.steps + report.substeps));
    assert!((after.time - before.time - 1.0 / 60.0).abs() < 1e-12);
    (after.frames, after.steps, after.time) = (before.frames, before.steps, before.time);
    assert_eq!(after, before);
}

#[test]
fn what_hangs_on_joints_falls_asleep_without_motion_and_in_whole_steps() {
    let cube = body("cube", Shape::Box { half_size: DVec3::splat(0.1) }, DVec3::Z * 2.0, material(0.5, 0.0));
    for kind in [JointKind::Fixed, JointKind::Slider] {
        let mut setup = on_ground(vec![cube.clone()], 1.0 / 60.0, 2.0);
        // What slides does so to and fro, so that its weight does not move it.
        let (at, axis) = (DVec3::new(0.0, 0.0, 2.0), DVec3::X);
        setup.joints =
            vec![JointSetup { name: "hold".into(), kind, a: "cube".into(), at, axis, ..JointSetup::default() }];
        let mut sim = Simulation::new(&setup).unwrap();
        while sim.time() < 2.0 - 1e-9 {
            let report = sim.step().unwrap();
            assert!(report.substeps <= 1 && report.retries == 0, "{kind:?}: {report:?}");
        }
        assert_eq!(asleep(&sim), 1, "{kind:?}");
        let (body, ledger) = (&sim.state().aggregates[0], sim.ledger());
        assert!(body.velocity == DVec3::ZERO && body.angular_momentum == DVec3::ZERO, "{kind:?}: {}", body.velocity);
        // A fall of a step would have half a square of 0.16 m/s times 8 kg.
        assert!(ledger.kinetic == 0.0 && ledger.residual.abs() < 1e-9, "{kind:?}: {ledger:?}");
        assert!(ledger.momentum_residual.length() < 1e-9, "{kind:?}: {ledger:?}");
    }
}
