//! Soft bodies among exact ones under the law `constraint`.

use super::scenes::{body, material, on_ground};
use kreisel::model::setup::{BodySetup, BodyShape, RigidPart};
use kreisel::model::shape::Shape;
use kreisel::model::{Material, Region, Setup};
use kreisel::{DVec3, Simulation};

fn soft_block(at: DVec3) -> BodySetup {
    BodySetup {
        name: "block".into(),
        shape: BodyShape::Box { size: DVec3::new(0.4, 0.4, 0.2), cells: 2 },
        at,
        material: Material { young: 2e5, damping: 0.2, ..material(0.5, 0.0) },
        ..BodySetup::default()
    }
}

/// A soft block between two plates; it, and the upper one from higher up, fall a little.
fn between_plates(step: f64, duration: f64, fall: f64) -> Setup {
    let plate = Shape::Box { half_size: DVec3::new(0.3, 0.3, 0.05) };
    let bodies = vec![
        body("lower", plate.clone(), DVec3::new(0.0, 0.0, 0.05), material(0.5, 0.0)),
        soft_block(DVec3::new(0.0, 0.0, 0.2 + fall)),
        body("upper", plate, DVec3::new(0.0, 0.0, 0.36), material(0.5, 0.0)),
    ];
    let mut setup = on_ground(bodies, step, duration);
    setup.allow_overlap = true;
    setup
}

#[test]
fn a_soft_block_between_rigid_plates_bears_the_upper_one() {
    let mut sim = Simulation::new(&between_plates(1.0 / 240.0, 3.0, 0.0)).unwrap();
    while sim.time() < 3.0 {
        assert_eq!(sim.step().unwrap().unconverged_contacts, 0);
    }
    let s = sim.state();
    let (lower, upper) = (s.aggregates[0].position, s.aggregates[1].position);
    assert!((lower.z - 0.05).abs() < 1e-5, "{lower}");
    // The block gives by `F L/(E A)`, its own weight counted half: about 0.4 %.
    assert!(upper.z < 0.35 && upper.z > 0.345, "{upper}");
    let l = sim.ledger();
    assert!(l.momentum_residual.length() < 1e-9, "{}", l.momentum_residual);
    assert!(l.angular_momentum_residual.length() < 1e-9, "{}", l.angular_momentum_residual);
}

/// The residual of the ledger is that of a first-order scheme: it falls with the step. Spheres at the edges of the block lean
/// inwards: if their contacts moved and pushed anything but what carries them, a share of a few per cent would stay.
#[test]
fn what_the_ledger_of_a_squeezed_block_leaves_falls_with_the_step() {
    let share = |step: f64| {
        let mut sim = Simulation::new(&between_plates(step, 1.0, 0.001)).unwrap();
        while sim.time() < 1.0 {
            sim.step().unwrap();
        }
        sim.ledger().residual.abs() / sim.ledger().turnover
    };
    let shares = [4e-3, 2e-3, 1e-3, 5e-4].map(share);
    assert!(shares[0] < 0.01 && shares[3] < 0.5 * shares[0].max(2e-3), "{shares:?}");
}

/// `F L/(E A)`, half of its own weight counted. Contact spheres at edges sit inside, diagonally, and lean on what lies deeper: that
/// makes a coarse block stiffer at its rim, the less the finer it is.
#[test]
fn a_block_between_smooth_plates_gives_by_its_modulus_but_for_its_rim() {
    let give = |cells: u32| {
        let mut setup = between_plates(0.02, 2.0, 0.0);
        setup.integrator = kreisel::model::setup::Integrator::BackwardEuler;
        setup.bodies[1].shape = BodyShape::Box { size: DVec3::new(0.4, 0.4, 0.2), cells };
        setup.bodies[2].at.z = 0.35;
        setup.bodies.iter_mut().for_each(|b| (b.material.static_friction, b.material.dynamic_friction) = (0.0, 0.0));
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(0.4).unwrap();
        let [lower, upper] = [0, 1].map(|k| sim.state().aggregates[k].position.z);
        0.3 - (upper - lower)
    };
    let density = 1000.0 * 9.81;
    let expected = density * (0.6 * 0.6 * 0.1 + 0.5 * 0.4 * 0.4 * 0.2) * 0.2 / (2e5 * 0.4 * 0.4);
    let shares = [2, 3].map(|cells| give(cells) / expected);
    assert!(shares[0] > 0.65 && shares[1] > 0.75 && shares[0] < shares[1] && shares[1] < 1.0, "{shares:?}");
}

/// Rigid ends that swing on a soft middle: if they moved by their mean velocities, as free bodies do, springs would drive them up.
#[test]
fn rigid_ends_on_a_soft_middle_swing_in_the_air_without_gaining_energy() {
    let beyond = |normal: DVec3| RigidPart::Region(Region::HalfSpace { normal, offset: 0.2 });
    let bar = BodySetup {
        shape: BodyShape::Box { size: DVec3::new(1.0, 0.1, 0.1), cells: 2 },
        material: Material { young: 1e6, damping: 0.0, ..material(0.5, 0.0) },
        rigid: vec![beyond(DVec3::NEG_X), beyond(DVec3::X)],
        contact: false,
        spin: DVec3::Z * 2.0,
        ..soft_block(DVec3::Z)
    };
    let setup = Setup { gravity: DVec3::ZERO, obstacles: Vec::new(), ..on_ground(vec![bar], 1e-4, 1.0) };
    let mut sim = Simulation::new(&setup).unwrap();
    let start = sim.ledger().kinetic;
    let mut most = 0.0_f64;
    while sim.time() < 1.0 {
        sim.step().unwrap();
        most = most.max(sim.ledger().residual.abs());
    }
    // Of first order in the step: a share ω h, less than a tenth, of what swings to and fro, which is less than a hundredth of all.
    assert!(sim.state().aggregates.len() == 2 && most < 1e-3 * start, "{most} J of {start} J");
}
