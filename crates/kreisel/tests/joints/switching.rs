//! Joints whose bodies become rigid and soft while they swing.

use super::scenes::{joint, rod, scene, worst};
use kreisel::model::joint::JointKind;
use kreisel::model::setup::{BodySetup, BodyShape, Integrator, RigidPart};
use kreisel::model::{BodyId, EventKind, Material, Setup};
use kreisel::{DVec3, Simulation};

/// A stiff beam of 1 m along x that hangs on the world at the origin.
fn pendulum(kind: JointKind) -> Setup {
    let material = Material { density: 1000.0, young: 5e7, damping: 0.05, ..Material::default() };
    let shape = BodyShape::Box { size: DVec3::new(1.0, 0.1, 0.1), cells: 2 };
    let at = DVec3::X * 0.5;
    let beam = BodySetup { name: "beam".into(), shape, at, material, contact: false, ..BodySetup::default() };
    let mut held = joint("held", kind, "beam", None, DVec3::ZERO, DVec3::Y);
    held.to = DVec3::Z * 0.5;
    scene(vec![beam], vec![held], 1.0 / 60.0, Integrator::SymplecticEuler)
}

/// Elements whose places at the start are beyond `x` [m].
fn beyond(sim: &Simulation, x: f64) -> Vec<u32> {
    let rest = &sim.model().elements.rest;
    (0..rest.len() as u32).filter(|&e| rest.get(e as usize).x > x).collect()
}

/// What becomes of the beam.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Switch {
    Rigid,
    RigidPart,
    SoftPart,
    Soft,
}

fn switch(sim: &mut Simulation, what: Switch) {
    let all = beyond(sim, f64::NEG_INFINITY);
    let far = beyond(sim, 0.3);
    let near: Vec<u32> = all.iter().copied().filter(|e| !far.contains(e)).collect();
    match what {
        Switch::Rigid => sim.switch(&all, true),
        Switch::RigidPart => sim.switch(&near, true),
        Switch::SoftPart => sim.switch(&far, false),
        Switch::Soft => sim.switch(&all, false),
    }
    .unwrap();
}

const ALL: [JointKind; 4] = [JointKind::Ball, JointKind::Hinge, JointKind::Fixed, JointKind::Distance];

/// Soft, part of it rigid, whole, part of it soft, soft, whole again.
const ROUND: [Switch; 5] = [Switch::RigidPart, Switch::Rigid, Switch::SoftPart, Switch::Soft, Switch::Rigid];

/// Kinetic energy, that of the weight and elastic energy [J].
fn energy(sim: &Simulation) -> f64 {
    let l = sim.ledger();
    l.kinetic + l.gravity + l.elastic
}

#[test]
fn a_joint_stays_closed_and_in_its_place_whatever_becomes_of_its_body() {
    for kind in ALL {
        let mut sim = Simulation::new(&pendulum(kind)).unwrap();
        for what in ROUND {
            for _ in 0..10 {
                sim.step().unwrap();
                // The solver closes joints to 1e-11 m; what a millionth of a metre shows is a point that has moved.
                assert!(worst(&sim) < 1e-6, "{kind:?} {what:?}: {}", worst(&sim));
            }
            let before = sim.state().position.clone();
            switch(&mut sim, what);
            // Nothing moves at a switch but by the rounding of a rigid motion of 1 m.
            let moved = (0..before.len()).map(|e| before.get(e).distance(sim.state().position.get(e)));
            assert!(moved.fold(0.0, f64::max) < 1e-14, "{kind:?} {what:?}");
            assert!(worst(&sim) < 1e-10, "{kind:?} {what:?}: {}", worst(&sim));
        }
        assert!(!sim.joint("held").unwrap().broken, "{kind:?}");
    }
}

#[test]
fn switches_give_a_pendulum_no_energy() {
    for kind in ALL {
        let mut plain = Simulation::new(&pendulum(kind)).unwrap();
        let mut sim = Simulation::new(&pendulum(kind)).unwrap();
        let (start, mut sways) = (energy(&plain), 0.0_f64);
        let mut most = f64::NEG_INFINITY;
        for what in ROUND {
            for _ in 0..10 {
                plain.step().unwrap();
                sim.step().unwrap();
                sways = sways.max((energy(&plain) - start).abs());
                most = most.max(energy(&sim) - start);
            }
            switch(&mut sim, what);
        }
        // The weight of 10 kg on an arm of 0.5 m turns over 49 J. Steps of 1/60 s, in which rigid pendulums are taken, let their
        // energy sway by `SWAY` of that, and soft ones by what the run without switches shows.
        let allowed = sways + 0.005 * 49.05;
        assert!(most <= allowed, "{kind:?}: {most} J of {allowed} J");
    }
}

#[test]
fn a_free_pair_keeps_its_momenta_when_one_becomes_rigid_and_soft() {
    let mut setup = pendulum(JointKind::Hinge);
    let arm = rod("arm", DVec3::X * -0.5, DVec3::ZERO, 0.1);
    setup.bodies.push(BodySetup { velocity: DVec3::new(0.3, 0.1, 1.5), ..arm });
    setup.bodies[0].spin = DVec3::Y * 3.0;
    setup.joints[0].b = Some("arm".into());
    setup.gravity = DVec3::ZERO;
    let mut sim = Simulation::new(&setup).unwrap();
    let (p, l) = (sim.ledger().momentum, sim.ledger().angular_momentum);
    let all: Vec<u32> = sim.model().bodies[0].elements.clone();
    for rigid in [true, false, true] {
        for _ in 0..10 {
            sim.step().unwrap();
        }
        sim.switch(&all, rigid).unwrap();
    }
    for _ in 0..10 {
        sim.step().unwrap();
        assert!(worst(&sim) < 1e-6, "{}", worst(&sim));
    }
    // As without switches (`soft::a_free_hammer_keeps_its_momenta`).
    let now = sim.ledger();
    assert!((now.momentum - p).length() < 1e-10 * p.length());
    assert!((now.angular_momentum - l).length() < 1e-6 * l.length());
}

#[test]
fn a_run_goes_on_from_a_state_after_switches_with_the_same_bits() {
    for kind in ALL {
        let setup = pendulum(kind);
        let mut sim = Simulation::new(&setup).unwrap();
        for what in ROUND {
            for _ in 0..5 {
                sim.step().unwrap();
            }
            switch(&mut sim, what);
            sim.step().unwrap();
            let mut resumed = Simulation::resume(&setup, sim.state().clone()).unwrap();
            for _ in 0..3 {
                sim.step().unwrap();
                resumed.step().unwrap();
            }
            assert_eq!(sim.state(), resumed.state(), "{kind:?} {what:?}");
        }
    }
}

#[test]
fn a_slider_whose_part_becomes_soft_is_let_go_and_says_so() {
    let mut setup = pendulum(JointKind::Slider);
    setup.bodies[0].rigid = vec![RigidPart::Whole];
    let mut sim = Simulation::new(&setup).unwrap();
    sim.make_soft(BodyId(0)).unwrap();
    let report = sim.step().unwrap();
    let told = report.events.iter().filter(|e| matches!(&e.kind, EventKind::JointLetGo { joint } if joint == "held"));
    assert_eq!((told.count(), sim.joint("held").unwrap().broken), (1, true));
}
