//! Rigid bodies whose deformation is solved for at a moment, and rigid bodies that break.
#![allow(clippy::unwrap_used)]

use kreisel::model::material::Fracture;
use kreisel::model::setup::{BodySetup, BodyShape, RigidPart};
use kreisel::model::{Event, EventKind, Material, Obstacle, ObstacleShape, Setup};
use kreisel::step::SettleParams;
use kreisel::{DVec3, Simulation};

fn rod(rigid: RigidPart, material: Material) -> BodySetup {
    BodySetup {
        name: "rod".into(),
        shape: BodyShape::Box { size: DVec3::new(1.0, 0.1, 0.1), cells: 2 },
        rigid: vec![rigid],
        material,
        ..BodySetup::default()
    }
}

/// Two narrow supports under the ends of the rod.
fn edge(x: f64) -> Obstacle {
    let shape = ObstacleShape::Box {
        centre: DVec3::new(x, 0.0, -0.25),
        half_size: DVec3::new(0.02, 0.2, 0.2),
        rotation: kreisel::DQuat::IDENTITY,
    };
    Obstacle { name: format!("edge at {x}"), shape, friction: None, restitution: None }
}

#[test]
fn a_spinning_rigid_rod_is_stretched_by_its_centrifugal_load() {
    // σ = ρ ω² (L²/4 − x²)/2, so the rod is longer by ρ ω² L³/(12 E).
    let spin = 5.0;
    let body = BodySetup { spin: DVec3::Z * spin, ..rod(RigidPart::QuasiStatic, Material::default()) };
    let setup = Setup { bodies: vec![body], gravity: DVec3::ZERO, ..Setup::default() };
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(0.1).unwrap();
    let length = |sim: &Simulation, state: &kreisel::model::State| {
        let rest = &sim.model().elements.rest;
        let end = |sign: f64| {
            let chosen: Vec<usize> = (0..rest.len()).filter(|&e| sign * rest.x[e] > 0.499).collect();
            chosen.iter().map(|&e| state.position.get(e)).sum::<DVec3>() / chosen.len() as f64
        };
        end(1.0).distance(end(-1.0))
    };
    let deformed = sim.deformed().unwrap();
    assert!(deformed.trouble.is_empty(), "{:?}", deformed.trouble);
    let (longer, expected) = (length(&sim, &deformed.state) - 1.0, 1000.0 * spin * spin / (12.0 * 1e6));
    assert!((longer / expected - 1.0).abs() < 0.02, "{longer} against {expected} m");
    assert!((length(&sim, sim.state()) - 1.0).abs() < 1e-12, "the motion is that of a rigid body");
}

#[test]
fn a_quasi_static_rod_on_two_supports_sags_as_the_settled_soft_rod() {
    let sag = |rigid: RigidPart| {
        let stiff = Material { young: 1e8, static_friction: 0.0, dynamic_friction: 0.0, ..Material::default() };
        let mut body = rod(rigid.clone(), stiff);
        if rigid == RigidPart::Automatic {
            body.rigid.clear();
        }
        let setup = Setup { bodies: vec![body], obstacles: vec![edge(-0.4), edge(0.4)], ..Setup::default() };
        let mut sim = Simulation::new(&setup).unwrap();
        sim.settle(&SettleParams::default()).unwrap();
        let state = sim.deformed().map_or_else(|| sim.state().clone(), |d| d.state);
        let rest = &sim.model().elements.rest;
        let height = |x: f64| {
            let near: Vec<usize> = (0..rest.len())
                .filter(|&e| (rest.x[e].abs() - x).abs() < 0.026 && rest.y[e].abs() < 1e-9 && rest.z[e].abs() < 1e-9)
                .collect();
            near.iter().map(|&e| state.position.z[e]).sum::<f64>() / near.len() as f64
        };
        height(0.4) - height(0.0)
    };
    let (shown, soft) = (sag(RigidPart::QuasiStatic), sag(RigidPart::Automatic));
    assert!(soft > 1e-4 && (shown / soft - 1.0).abs() < 0.02, "{shown} against {soft} m");
}

#[test]
fn a_body_that_is_not_quasi_static_costs_nothing_and_shows_nothing() {
    let setup = Setup { bodies: vec![rod(RigidPart::Whole, Material::default())], ..Setup::default() };
    assert!(Simulation::new(&setup).unwrap().deformed().is_none());
}

fn drop_on_edge(speed: f64) -> (Vec<Event>, Simulation) {
    let glass = Material { young: 1e8, fracture: Fracture::Strain(2e-3), ..Material::default() };
    let body = BodySetup { velocity: DVec3::Z * -speed, at: DVec3::Z * 0.005, ..rod(RigidPart::QuasiStatic, glass) };
    let setup = Setup { bodies: vec![body], obstacles: vec![edge(0.0)], frame: 1e-3, ..Setup::default() };
    let mut sim = Simulation::new(&setup).unwrap();
    let events = sim.run_until(0.02).unwrap();
    (events, sim)
}

#[test]
fn a_rigid_rod_dropped_on_an_edge_breaks_at_its_middle_and_says_why() {
    let (events, _) = drop_on_edge(3.0);
    let soft = events.iter().find_map(|e| match &e.kind {
        EventKind::MadeSoft { reason, body, .. } => Some((reason.clone(), body.clone())),
        _ => None,
    });
    let (reason, body) = soft.expect("it becomes soft");
    assert!(body == "rod" && reason.contains("connection") && reason.contains(" N"), "{reason}");
    let broke: Vec<&Event> = events.iter().filter(|e| matches!(e.kind, EventKind::Broke { .. })).collect();
    assert!(!broke.is_empty() && broke[0].place.x.abs() < 0.11, "{:?}", broke.first());
}

#[test]
fn a_rigid_rod_that_lands_gently_stays_whole_and_rigid() {
    let (events, sim) = drop_on_edge(0.02);
    let changed = |e: &&Event| matches!(e.kind, EventKind::MadeSoft { .. } | EventKind::Broke { .. });
    assert!(!events.iter().any(|e| changed(&e)), "{events:?}");
    assert_eq!(sim.state().aggregates.len(), 1);
}
