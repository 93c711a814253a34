//! Joints on elements of soft and part-rigid bodies.

use super::scenes::{body, joint, scene, worst};
use kreisel::model::joint::JointKind;
use kreisel::model::setup::{BodySetup, BodyShape, Fix, Integrator, RigidPart};
use kreisel::model::shape::Shape;
use kreisel::model::{Material, Region, Setup};
use kreisel::{DQuat, DVec3, Simulation};

/// A soft bar of 1 m along x from the origin.
fn bar() -> BodySetup {
    let material = Material { density: 500.0, young: 2e6, ..Material::default() };
    let shape = BodyShape::Box { size: DVec3::new(1.0, 0.1, 0.1), cells: 2 };
    BodySetup { name: "handle".into(), shape, at: DVec3::X * 0.5, material, contact: false, ..BodySetup::default() }
}

pub fn hammer(kind: JointKind) -> Setup {
    let head = body("head", Shape::Box { half_size: DVec3::new(0.05, 0.08, 0.05) }, DVec3::X * 1.05, DQuat::IDENTITY);
    let hinge = joint("hinge", kind, "head", Some("handle"), DVec3::X, DVec3::Y);
    let mut setup = scene(vec![bar(), head], vec![hinge], 1e-3, Integrator::SymplecticEuler);
    let region = Region::All(vec![Region::Body("handle".into()), Region::HalfSpace { normal: -DVec3::X, offset: 0.0 }]);
    setup.fixes = vec![Fix { name: "hand".into(), region, axes: [true; 3], motion: None }];
    setup
}

#[test]
fn a_rigid_head_hangs_on_a_soft_handle() {
    for kind in [JointKind::Ball, JointKind::Hinge, JointKind::Fixed] {
        let mut sim = Simulation::new(&hammer(kind)).unwrap();
        let mut drift: f64 = 0.0;
        for _ in 0..300 {
            sim.step().unwrap();
            drift = drift.max(worst(&sim));
        }
        assert!(drift < 1e-6, "{kind:?}: {drift}");
        assert!(sim.ledger().relative_residual() < 1e-2, "{:?}", sim.ledger());
    }
}

/// A hammer without weight that flies and whose head turns; its handle may be rigid near the head.
fn thrown(kind: JointKind, rigid: bool, integrator: Integrator) -> Setup {
    let mut setup = Setup { gravity: DVec3::ZERO, fixes: Vec::new(), integrator, ..hammer(kind) };
    let near_the_head = Region::HalfSpace { normal: DVec3::X, offset: 0.6 };
    setup.bodies[0].rigid = rigid.then_some(RigidPart::Region(near_the_head)).into_iter().collect();
    setup.bodies.iter_mut().for_each(|b| b.velocity = DVec3::new(0.3, 0.0, 0.2));
    setup.bodies[1].spin = DVec3::Y * 5.0;
    setup
}

/// What of both momenta changes in 0.3 s, all of which are solved [1].
fn changes(setup: &Setup) -> (f64, f64) {
    let mut sim = Simulation::new(setup).unwrap();
    let (p, l) = (sim.ledger().momentum, sim.ledger().angular_momentum);
    // Without weight nothing is in play but what swings: what rounding leaves of the flight is not unsolved.
    assert_eq!((0..300).map(|_| sim.step().unwrap().unconverged_contacts).sum::<u64>(), 0);
    let now = sim.ledger();
    ((now.momentum - p).length() / p.length(), (now.angular_momentum - l).length() / l.length())
}

#[test]
fn a_free_hammer_keeps_its_momenta_in_all_explicit_steps() {
    for kind in [JointKind::Ball, JointKind::Hinge, JointKind::Fixed] {
        for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::Extrapolated] {
            let (soft, rigid) = (thrown(kind, false, integrator), thrown(kind, true, integrator));
            let (off, turned) = changes(&rigid);
            assert!(off.max(turned) < 1e-13, "{kind:?} {integrator:?} on a rigid part: {off:e} {turned:e}");
            // Joints on elements are closed by position, which turns what moves by what is left open.
            let (off, turned) = changes(&soft);
            assert!(off < 1e-13 && turned < 1e-8, "{kind:?} {integrator:?} on elements: {off:e} {turned:e}");
        }
    }
}

/// Two soft bars of 0.5 m, one hanging on the other; of the lower one, what is in a region may be rigid.
fn hanging(kind: JointKind, rigid: Option<Region>) -> Setup {
    let material = Material { density: 500.0, young: 2e6, damping: 0.3, ..Material::default() };
    let shape = BodyShape::Box { size: DVec3::new(0.1, 0.1, 0.5), cells: 2 };
    let block = |name: &str, z: f64| BodySetup {
        name: name.into(),
        shape: shape.clone(),
        at: DVec3::Z * z,
        material: material.clone(),
        contact: false,
        ..BodySetup::default()
    };
    let mut bodies = vec![block("upper", -0.25), block("lower", -0.75)];
    bodies[1].rigid = rigid.into_iter().map(RigidPart::Region).collect();
    let joined = joint("joined", kind, "lower", Some("upper"), DVec3::Z * -0.5, DVec3::Y);
    let mut setup = scene(bodies, vec![joined], 1e-3, Integrator::SymplecticEuler);
    let region = Region::HalfSpace { normal: DVec3::Z, offset: -1e-6 };
    setup.fixes = vec![Fix { name: "ceiling".into(), region, axes: [true; 3], motion: None }];
    setup
}

#[test]
fn what_hangs_on_a_soft_body_is_read_as_its_weight() {
    let (far, near) = (
        Region::HalfSpace { normal: -DVec3::Z, offset: 0.7 },
        Region::Box { min: DVec3::new(-1.0, -1.0, -0.8), max: DVec3::new(1.0, 1.0, -0.45) },
    );
    for (kind, rigid) in [(JointKind::Ball, None), (JointKind::Ball, Some(far)), (JointKind::Fixed, Some(near))] {
        let mut sim = Simulation::new(&hanging(kind, rigid.clone())).unwrap();
        let weight = 0.5 * 9.81 * sim.model().elements.mass.iter().sum::<f64>();
        sim.run_until(2.0).unwrap();
        // Over whole swings the mean of what a joint bears is the weight.
        let (mut sum, mut count, mut drift) = (DVec3::ZERO, 0.0, 0.0_f64);
        while sim.time() < 4.0 {
            sim.step().unwrap();
            (sum, count) = (sum + sim.joint("joined").unwrap().force, count + 1.0);
            drift = drift.max(worst(&sim));
        }
        let off = (sum / count - DVec3::Z * weight).length() / weight;
        assert!(off < 1e-2 && drift < 1e-6, "{kind:?}, {rigid:?}: {off} of {weight} N, {drift} m");
    }
}

/// A soft arm of 0.5 m along x on a rigid wall that its fix holds, so slowed down that it comes to rest.
fn arm(kind: JointKind, integrator: Integrator) -> Setup {
    let material = Material { density: 500.0, young: 2e6, damping: 0.3, ..Material::default() };
    let shape = BodyShape::Box { size: DVec3::new(0.5, 0.1, 0.1), cells: 2 };
    let arm =
        BodySetup { name: "arm".into(), shape, at: DVec3::X * 0.25, material, contact: false, ..BodySetup::default() };
    let wall = body("wall", Shape::Box { half_size: DVec3::splat(0.1) }, DVec3::X * -0.1, DQuat::IDENTITY);
    let root = joint("root", kind, "arm", Some("wall"), DVec3::ZERO, DVec3::Z);
    let step = if integrator.is_implicit() { 1e-2 } else { 5e-4 };
    let mut setup = scene(vec![arm, wall], vec![root], step, integrator);
    let region = Region::Body("wall".into());
    setup.fixes = vec![Fix { name: "ground".into(), region, axes: [true; 3], motion: None }];
    Setup { drag: 40.0, ..setup }
}

/// The moment that the weight of an arm has about the first element of its root.
fn moment_of_weight(sim: &Simulation) -> DVec3 {
    let (model, state) = (sim.model(), sim.state());
    let pivot = model.joints[0].pairs[0][0].place(state).0;
    let elements = model.bodies[0].elements.iter().map(|&e| e as usize);
    elements.map(|e| (state.position.get(e) - pivot).cross(model.gravity * model.elements.mass[e])).sum()
}

#[test]
fn a_joint_of_several_balls_reads_the_moment_of_the_weight_on_its_arm_and_breaks_above_it() {
    // Two balls along z do not hold what turns about z, but the weight of an arm along x turns about y.
    let cases = [
        (JointKind::Fixed, Integrator::SymplecticEuler),
        (JointKind::Fixed, Integrator::VelocityVerlet),
        (JointKind::Fixed, Integrator::BackwardEuler),
        (JointKind::Hinge, Integrator::BackwardEuler),
    ];
    for (kind, integrator) in cases {
        let setup = arm(kind, integrator);
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(2.0).unwrap();
        let (torque, wanted) = (sim.joint("root").unwrap().torque, -moment_of_weight(&sim));
        let off = (torque - wanted).length() / wanted.length();
        assert!(wanted.length() > 5.0 && off < 1e-6, "{kind:?} {integrator:?}: {torque} N m instead of {wanted}");
        for (share, breaks) in [(1.001, false), (0.999, true)] {
            let mut weaker = setup.clone();
            weaker.joints[0].break_torque = share * wanted.length();
            let mut sim = Simulation::resume(&weaker, sim.state().clone()).unwrap();
            (0..10).for_each(|_| drop(sim.step().unwrap()));
            assert_eq!(sim.joint("root").unwrap().broken, breaks, "{kind:?} {integrator:?}: {share} of its load");
        }
    }
}

#[test]
fn the_ledger_of_a_damped_hammer_with_a_rigid_part_closes_as_that_of_one_without_a_joint() {
    let residual = |joined: bool| {
        let mut setup = Setup { step: Some(1e-4), frame: 0.1, ..hammer(JointKind::Ball) };
        setup.integrator = Integrator::VelocityVerlet;
        setup.bodies[0].material.damping = 0.3;
        setup.bodies[0].rigid = vec![RigidPart::Region(Region::HalfSpace { normal: DVec3::X, offset: 0.6 })];
        if !joined {
            setup.joints.clear();
        }
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(0.3).unwrap();
        sim.ledger().relative_residual()
    };
    let (alone, joined) = (residual(false), residual(true));
    assert!(joined < 10.0 * alone, "{joined:e} with a joint, {alone:e} without");
}
