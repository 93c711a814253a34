//! Rigid and soft: by call, by schedule, by themselves; held aggregates; frozen strain.
#![allow(clippy::unwrap_used)]

use kreisel::model::setup::{
    BodySetup, BodyShape, ElementSetup, Fix, Integrator, Law, Load, LoadKind, Release, RigidPart, Switch,
};
use kreisel::model::shape::{PlacedShape, Shape};
use kreisel::model::{Event, EventKind, FREE, Material, Obstacle, ObstacleShape, Profile, Region, Setup};
use kreisel::{DVec3, Simulation};

fn block(name: &str) -> BodySetup {
    BodySetup {
        name: name.into(),
        shape: BodyShape::Box { size: DVec3::new(0.4, 0.2, 0.2), cells: 2 },
        material: Material { damping: 0.0, ..Material::default() },
        ..BodySetup::default()
    }
}

fn side(x: f64) -> Region {
    Region::HalfSpace { normal: DVec3::X * x.signum(), offset: x.abs() }
}

/// A block pulled apart by two equal forces, rigid from the start, soft from 0.1 s on.
fn pulled(release: Release) -> Simulation {
    let pull = |x: f64| Load {
        name: "pull".into(),
        kind: LoadKind::Region { region: side(x), force: DVec3::X * x.signum() * 200.0 },
        profile: Profile::Constant,
    };
    let body = BodySetup { rigid: vec![RigidPart::Whole], ..block("block") };
    let mut setup = Setup { bodies: vec![body], gravity: DVec3::ZERO, ..Setup::default() };
    setup.loads = vec![pull(0.2), pull(-0.2)];
    setup.schedule = vec![Switch { time: 0.1, region: Region::Everything, make_rigid: false }];
    setup.switching.release = release;
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(0.15).unwrap();
    sim
}

#[test]
fn a_part_released_under_a_new_load_does_not_ring_when_its_strain_is_put_right() {
    let largest = |release| {
        let mut sim = pulled(release);
        (0..20).fold(0.0f64, |most, _| {
            sim.step_by(0.001).unwrap();
            most.max(sim.ledger().kinetic)
        })
    };
    let (frozen, relieved) = (largest(Release::AsFrozen), largest(Release::Relief));
    // ½ F²L/(EA) = ½ · 200² · 0.4/(1e6 · 0.04) = 0.2 J is the energy of the ringing.
    assert!(frozen > 0.1 && frozen < 0.3, "{frozen}");
    assert!(relieved < 1e-4 * frozen, "{relieved} against {frozen}");
}

#[test]
fn a_release_with_relief_is_booked_and_the_ledger_closes() {
    let sim = pulled(Release::Relief);
    let ledger = sim.ledger();
    assert!(ledger.elastic > 0.1, "{ledger:?}");
    // The strain did not come from work of the loads: the conversion gave it.
    assert!((ledger.conversion_loss + ledger.elastic).abs() < 0.02 * ledger.elastic, "{ledger:?}");
    assert!(ledger.residual.abs() < 1e-3 * ledger.elastic, "{ledger:?}");
}

/// A soft block of 8 kg on the ground under an exact weight of 20 kg, rigid from 2 s to 2.5 s.
fn pressed(release: Release) -> Simulation {
    let material = Material { young: 1e5, poisson: 0.25, density: 1000.0, damping: 0.3, ..Material::default() };
    let shape = BodyShape::Box { size: DVec3::splat(0.2), cells: 4 };
    let soft = BodySetup { shape, at: DVec3::Z * 0.1, material, ..block("block") };
    let plate = PlacedShape::centred(Shape::Box { half_size: DVec3::new(0.15, 0.15, 0.05) });
    let shape = BodyShape::Exact { parts: vec![plate], centre: None };
    let weight = BodySetup { shape, at: DVec3::Z * 0.25, mass: Some(20.0), ..block("weight") };
    let plane = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
    let ground = Obstacle { name: "ground".into(), shape: plane, friction: None, restitution: None };
    let mut setup =
        Setup { law: Law::Constraint, obstacles: vec![ground], bodies: vec![soft, weight], ..Setup::default() };
    let switch = |time: f64, make_rigid: bool| Switch { time, region: Region::Body("block".into()), make_rigid };
    setup.schedule = vec![switch(2.0, true), switch(2.5, false)];
    setup.switching.release = release;
    Simulation::new(&setup).unwrap()
}

#[test]
fn a_block_that_bears_a_weight_bears_it_on_when_it_becomes_rigid_and_soft_again() {
    for release in [Release::AsFrozen, Release::Relief] {
        let mut sim = pressed(release);
        sim.run_until(1.95).unwrap();
        let height = |sim: &Simulation| sim.state().aggregates.iter().find(|a| a.mass > 15.0).unwrap().position.z;
        let (before, strained) = (height(&sim), sim.ledger().elastic);
        // m g L/(E A) = 20 · 9.81 · 0.2/(1e5 · 0.04) = 9.8 mm without the friction of the ends and the weight of the block. A strain
        // that forgets the weight lets it go by about that; what is left of its vibration is a twentieth.
        let pressed = 0.25 - before;
        assert!(pressed > 0.005, "{pressed}");
        while sim.time() < 3.0 {
            sim.step().unwrap();
            let off = (height(&sim) - before).abs();
            assert!(off < 0.05 * pressed, "{release:?}: the weight is off by {off} m at {} s", sim.time());
        }
        let ledger = sim.ledger();
        assert!((ledger.elastic / strained - 1.0).abs() < 0.05, "{release:?}: {strained} J and {ledger:?}");
        assert!(ledger.residual.abs() < 0.02 * strained, "{release:?}: {strained} J and {ledger:?}");
    }
}

#[test]
fn only_the_soft_part_of_a_half_rigid_beam_bends() {
    let mut beam = block("beam");
    beam.shape = BodyShape::Box { size: DVec3::new(1.0, 0.2, 0.2), cells: 2 };
    beam.rigid = vec![RigidPart::Region(side(1e-9))];
    beam.material.damping = 0.1;
    let mut setup = Setup { bodies: vec![beam], duration: 1.0, ..Setup::default() };
    setup.fixes = vec![Fix { name: "wall".into(), region: side(-0.5), axes: [true; 3], motion: None }];
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(0.2).unwrap();
    let (model, state) = (sim.model(), sim.state());
    let mut stretched = (0.0f64, 0.0f64);
    for (c, &[a, b]) in model.connections.ends.iter().enumerate() {
        let l = model.connections.constants(c).rest_length;
        let d = state.position.get(a as usize).distance(state.position.get(b as usize));
        let rigid = state.owner[a as usize] != FREE && state.owner[b as usize] != FREE;
        let strain = ((d - l) / l).abs();
        if rigid { stretched.0 = stretched.0.max(strain) } else { stretched.1 = stretched.1.max(strain) }
    }
    assert!(stretched.0 < 1e-13 && stretched.1 > 1e-3, "{stretched:?}");
}

fn bar(fixed: &[[f64; 3]], spin: DVec3) -> Simulation {
    let mut body = block("bar");
    body.shape = BodyShape::Box { size: DVec3::new(1.0, 0.2, 0.2), cells: 2 };
    body.rigid = vec![RigidPart::Whole];
    body.spin = spin;
    let mut setup = Setup { bodies: vec![body], frame: 0.01, step: Some(1e-3), ..Setup::default() };
    setup.contact.enabled = false;
    for p in fixed {
        let region = Region::Sphere { centre: DVec3::from(*p), radius: 1e-6 };
        setup.fixes.push(Fix { name: "pin".into(), region, axes: [true; 3], motion: None });
    }
    Simulation::new(&setup).unwrap()
}

/// Angle of the bar's axis below the horizontal, integrated independently: `I φ″ = M g s cos φ`, released at rest.
fn swing_angle(t: f64, moment: f64, mass: f64, arm: f64) -> f64 {
    let (mut phi, mut w, n) = (0.0f64, 0.0f64, 20_000);
    let h = t / f64::from(n);
    for _ in 0..n {
        let half = w + 0.5 * h * mass * 9.81 * arm * phi.cos() / moment;
        phi += h * half;
        w = half + 0.5 * h * mass * 9.81 * arm * phi.cos() / moment;
    }
    phi
}

#[test]
fn a_bar_held_at_one_element_swings_about_it_and_at_two_as_a_hinge() {
    let pins: [&[[f64; 3]]; 2] = [&[[-0.5, 0.0, 0.0]], &[[-0.5, -0.1, 0.0], [-0.5, 0.0, 0.0], [-0.5, 0.1, 0.0]]];
    for pin in pins {
        let mut sim = bar(pin, DVec3::ZERO);
        let a = sim.state().aggregates[0].clone();
        let r = a.orientation.inverse() * DVec3::Y;
        let moment = r.dot(a.inertia * r) + a.mass * 0.25;
        sim.run_until(0.6).unwrap();
        let arm = sim.state().aggregates[0].position - DVec3::new(-0.5, 0.0, 0.0);
        let phi = (-arm.z).atan2(arm.x);
        let expected = swing_angle(0.6, moment, a.mass, 0.5);
        assert!((phi - expected).abs() < 5e-3, "{} pins: {phi} against {expected}", pin.len());
        assert!((arm.length() - 0.5).abs() < 1e-12);
        assert!(sim.ledger().momentum_residual.length() < 1e-9, "{:?}", sim.ledger());
        assert!(sim.ledger().angular_momentum_residual.length() < 1e-9, "{:?}", sim.ledger());
    }
}

#[test]
fn a_bar_held_at_three_elements_stays_where_it_is_and_its_supports_carry_its_weight() {
    let mut sim = bar(&[[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], [0.5, 0.1, 0.1]], DVec3::ZERO);
    let before = sim.state().position.clone();
    sim.run_until(0.5).unwrap();
    for i in 0..before.len() {
        assert!((sim.state().position.get(i) - before.get(i)).length() < 1e-12);
    }
    let weight = sim.state().aggregates[0].mass * 9.81;
    let carried = sim.forces().reaction.z.iter().sum::<f64>();
    assert!((carried - weight).abs() < 1e-9 * weight, "{carried} against {weight}");
}

fn is_rigid(e: &Event) -> bool {
    matches!(e.kind, EventKind::MadeRigid { .. })
}

fn is_soft(e: &Event) -> bool {
    matches!(e.kind, EventKind::MadeSoft { .. })
}

#[test]
fn a_block_is_rigid_in_flight_and_soft_at_impact_by_itself() {
    let body = BodySetup { rigid: vec![RigidPart::Automatic], at: DVec3::new(0.0, 0.0, 0.6), ..block("block") };
    let shape = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
    let ground = Obstacle { name: "ground".into(), shape, friction: None, restitution: None };
    let setup = Setup { bodies: vec![body], obstacles: vec![ground], ..Setup::default() };
    let mut sim = Simulation::new(&setup).unwrap();
    let events = sim.run_until(0.6).unwrap();
    let rigid = events.iter().find(|e| is_rigid(e)).expect("it becomes rigid in flight");
    let soft = events.iter().find(|e| is_soft(e)).expect("it becomes soft at impact");
    // 0.5 m of free fall take √(2·0.5/9.81) = 0.3193 s.
    assert!(rigid.time < 0.1 && (soft.time - 0.3193).abs() < 0.01, "{rigid} … {soft}");
    assert!(sim.ledger().relative_residual() < 0.01, "{:?}", sim.ledger());
}

#[test]
fn what_becomes_soft_within_a_frame_goes_on_with_its_own_smaller_step() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
        let mut body = BodySetup { rigid: vec![RigidPart::Automatic], at: DVec3::Z * 0.6, ..block("block") };
        body.shape = BodyShape::Box { size: DVec3::new(0.4, 0.2, 0.2), cells: 4 };
        body.velocity = DVec3::new(1.0, 0.0, 0.0);
        let shape = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
        let ground = Obstacle { name: "ground".into(), shape, friction: None, restitution: None };
        // Frames so long that a rigid body's step is many times the largest stable one of the soft body.
        let setup = Setup { bodies: vec![body], obstacles: vec![ground], frame: 0.1, integrator, ..Setup::default() };
        let mut sim = Simulation::new(&setup).unwrap();
        let energy = sim.ledger().energy();
        let events = sim.run_until(0.5).unwrap();
        assert!(events.iter().any(is_soft), "{events:?}");
        let ledger = sim.ledger();
        assert!(ledger.residual.abs() < 0.02 * energy, "{integrator:?}: {} of {energy} J", ledger.residual);
        assert!(ledger.momentum_residual.length() < 1e-9 * ledger.external_impulse.length(), "{ledger:?}");
    }
}

#[test]
fn forward_euler_diverges_with_time_and_element_and_leaves_the_state_intact() {
    let mut body = block("block");
    body.material.young = 1e9;
    body.spin = DVec3::new(0.0, 0.0, 50.0);
    let setup =
        Setup { bodies: vec![body], integrator: Integrator::ForwardEuler, step: Some(1e-3), ..Setup::default() };
    let mut sim = Simulation::new(&setup).unwrap();
    let error = loop {
        let before = sim.state().clone();
        match sim.step() {
            Ok(_) => assert!(sim.time() < 10.0, "it should have diverged"),
            Err(e) => {
                assert_eq!(&before, sim.state());
                break e;
            }
        }
    };
    assert!(error.element.is_some() && error.body == "block", "{error}");
    assert!(error.time >= sim.time(), "{error}");
}

#[test]
fn elements_of_a_list_can_be_one_rigid_body() {
    let corner = |x: f64, y: f64, z: f64| ElementSetup {
        at: DVec3::new(x, y, z),
        velocity: DVec3::ZERO,
        mass: Some(1.0),
        radius: 0.1,
    };
    let elements = vec![corner(1.0, 0.0, 0.0), corner(-1.0, 0.0, 0.0), corner(0.0, 2.0, 0.0), corner(0.0, -2.0, 0.0)];
    let shape = BodyShape::Elements { elements, connections: Vec::new() };
    let body = BodySetup { shape, rigid: vec![RigidPart::Whole], spin: DVec3::Z, ..block("cross") };
    let sim = Simulation::new(&Setup { bodies: vec![body], ..Setup::default() }).unwrap();
    let a = &sim.state().aggregates[0];
    let mut moments = a.inertia.to_array();
    moments.sort_by(f64::total_cmp);
    assert_eq!(sim.state().aggregates.len(), 1);
    assert!((moments[0] - 2.0).abs() < 1e-12 && (moments[1] - 8.0).abs() < 1e-12 && (moments[2] - 10.0).abs() < 1e-12);
    assert!((a.angular_momentum - DVec3::Z * 10.0).length() < 1e-12);
}
