//! Bodies of a running scene cut anew: momenta stay, rigid stays rigid, others do not notice.
#![allow(clippy::unwrap_used)]

mod shapes;

use kreisel::model::setup::{BodySetup, BodyShape, ElementSetup, Resolution, RigidPart};
use kreisel::model::{FREE, Fracture, Material, Region, Setup};
use kreisel::{DQuat, DVec3, Simulation};
use std::sync::Arc;

fn spinning(name: &str, shape: BodyShape, at: DVec3) -> BodySetup {
    BodySetup {
        name: name.into(),
        shape,
        at,
        rotation: DQuat::from_rotation_y(0.4),
        velocity: DVec3::new(1.0, -0.5, 0.3),
        spin: DVec3::new(3.0, 5.0, -4.0),
        ..BodySetup::default()
    }
}

fn beam(cells: u32) -> BodyShape {
    BodyShape::Box { size: DVec3::new(1.0, 0.25, 0.25), cells }
}

fn blob(cells: u32) -> BodyShape {
    let surface = Arc::new(shapes::torus(0.5, 0.2, 24));
    BodyShape::Solid { surface, resolution: Resolution::CellsAcross(cells) }
}

fn scene(bodies: Vec<BodySetup>) -> Simulation {
    let setup = Setup { bodies, gravity: DVec3::ZERO, ..Setup::default() };
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(0.1).unwrap();
    sim
}

/// Momenta of a body.
fn momenta(sim: &Simulation, body: &str) -> (DVec3, DVec3) {
    let elements = &sim.model().bodies[sim.body(body).unwrap().0 as usize].elements;
    elements.iter().fold((DVec3::ZERO, DVec3::ZERO), |(p, l), &e| {
        let i = e as usize;
        let push = sim.state().velocity.get(i) * sim.model().elements.mass[i];
        (p + push, l + sim.state().position.get(i).cross(push))
    })
}

fn assert_kept(before: (DVec3, DVec3), after: (DVec3, DVec3)) {
    assert!((after.0 - before.0).length() < 1e-12 * before.0.length(), "{before:?} {after:?}");
    assert!((after.1 - before.1).length() < 1e-12 * before.1.length(), "{before:?} {after:?}");
}

#[test]
fn soft_bodies_keep_their_momenta_and_nearly_their_energy_finer_and_coarser() {
    for shape in [beam as fn(u32) -> BodyShape, blob] {
        for (from, to) in [(4, 7), (6, 4)] {
            let first = spinning("first", beam(2), DVec3::new(0.0, 0.0, -3.0));
            let last = spinning("last", beam(2), DVec3::new(0.0, 0.0, 3.0));
            let mut sim = scene(vec![first, spinning("body", shape(from), DVec3::ZERO), last]);
            let (before, ledger) = (momenta(&sim, "body"), *sim.ledger());
            let others = ["first", "last"].map(|name| momenta(&sim, name));
            let body = sim.body("body").unwrap();
            sim.resample(body, Resolution::CellsAcross(to)).unwrap();
            assert_kept(before, momenta(&sim, "body"));
            assert_eq!(others, ["first", "last"].map(|name| momenta(&sim, name)));
            let now = *sim.ledger();
            let change = now.kinetic / ledger.kinetic - 1.0;
            println!("{from} to {to}: kinetic {change:.4}, elastic {} to {}", ledger.elastic, now.elastic);
            assert!(change.abs() < 0.05, "{change}");
            assert!((now.energy() + now.conversion_loss - ledger.energy() - ledger.conversion_loss).abs() < 1e-9);
            sim.run_until(0.2).unwrap();
            assert_kept(before, momenta(&sim, "body"));
            assert!(sim.ledger().residual.abs() < 1e-3 * ledger.kinetic, "{:?}", sim.ledger());
        }
    }
}

#[test]
fn rigid_bodies_stay_rigid_and_partly_rigid_ones_in_the_same_part() {
    let whole = BodySetup { rigid: vec![RigidPart::Whole], ..spinning("whole", blob(6), DVec3::ZERO) };
    let half = Region::HalfSpace { normal: DVec3::X, offset: 0.0 };
    let at = DVec3::new(0.0, 0.0, 3.0);
    let part = BodySetup { rigid: vec![RigidPart::Region(half)], ..spinning("part", beam(3), at) };
    let mut sim = scene(vec![whole, part]);
    for (name, share) in [("whole", 1.0), ("part", 0.5)] {
        let before = momenta(&sim, name);
        let spin = sim.state().aggregates[0].spin();
        let body = sim.body(name).unwrap();
        sim.resample(body, Resolution::CellsAcross(8)).unwrap();
        assert_kept(before, momenta(&sim, name));
        let elements = &sim.model().bodies[body.0 as usize].elements;
        let rigid = elements.iter().filter(|&&e| sim.state().owner[e as usize] != FREE).count() as f64;
        assert!((rigid / elements.len() as f64 - share).abs() < 0.08, "{name}: {rigid} of {}", elements.len());
        assert_eq!(sim.state().aggregates.len(), 2);
        assert!((sim.state().aggregates[0].spin() - spin).length() < 0.02 * spin.length());
    }
    sim.run_until(0.2).unwrap();
}

#[test]
fn what_cannot_be_cut_anew_is_refused_and_stays_as_it_is() {
    let weak = Material { fracture: Fracture::Strain(1e-6), ..Material::default() };
    let broken = BodySetup { material: weak, ..spinning("broken", beam(2), DVec3::ZERO) };
    let ball = ElementSetup { at: DVec3::ZERO, velocity: DVec3::ZERO, mass: None, radius: 0.1 };
    let list = BodyShape::Elements { elements: vec![ball], connections: Vec::new() };
    let mut sim = scene(vec![broken, spinning("list", list, DVec3::new(0.0, 0.0, 9.0))]);
    assert!(!sim.state().broken.is_empty());
    let state = sim.state().clone();
    for (name, word) in [("broken", "broken"), ("list", "list of elements")] {
        let body = sim.body(name).unwrap();
        let refusal = sim.resample(body, Resolution::CellsAcross(3)).unwrap_err();
        assert!(refusal.message.contains(word), "{refusal}");
    }
    assert!(sim.resample(kreisel::model::BodyId(7), Resolution::CellsAcross(3)).is_err());
    assert_eq!(*sim.state(), state);
}
