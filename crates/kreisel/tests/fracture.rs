//! Fracture: in tension only, at the right place, with its energy booked, and without explosions.
#![allow(clippy::unwrap_used)]

#[path = "fracture/bar.rs"]
mod bar;

use kreisel::model::setup::{BodySetup, BodyShape, ConnectionSetup, ElementSetup, Fix};
use kreisel::model::{EventKind, Fracture, Material, Region, Setup};
use kreisel::{DVec3, Simulation};

fn chain(n: u32, fracture: Fracture) -> BodySetup {
    let element = |k: u32| ElementSetup {
        at: DVec3::new(0.0, 0.0, -0.1 * f64::from(k)),
        velocity: DVec3::ZERO,
        mass: Some(0.1),
        radius: 0.02,
    };
    let link = |k: u32| ConnectionSetup { ends: (k, k + 1), section: Some(1e-4), rest_length: None };
    BodySetup {
        name: "chain".into(),
        shape: BodyShape::Elements {
            elements: (0..n).map(element).collect(),
            connections: (0..n - 1).map(link).collect(),
        },
        material: Material { young: 1e6, fracture, damping: 0.2, ..Material::default() },
        ..BodySetup::default()
    }
}

fn broken(sim: &mut Simulation, until: f64) -> Vec<u32> {
    let events = sim.run_until(until).unwrap();
    let number = |k: &EventKind| match k {
        EventKind::Broke { connection, .. } => Some(*connection),
        _ => None,
    };
    events.iter().filter_map(|e| number(&e.kind)).collect()
}

#[test]
fn a_hanging_chain_breaks_at_the_top_first() {
    // k = EA/l = 1e6·1e-4/0.1 = 1000 N/m; the top carries 9·0.1·9.81 = 8.83 N, a strain of 0.0883 (twice that when let go).
    let top = Region::Element { body: "chain".into(), index: 0 };
    let fixes = vec![Fix { name: "ceiling".into(), region: top, axes: [true; 3], motion: None }];
    let strong = Setup { bodies: vec![chain(10, Fracture::Strain(0.25))], fixes: fixes.clone(), ..Setup::default() };
    assert!(broken(&mut Simulation::new(&strong).unwrap(), 1.0).is_empty());
    let weak = Setup { bodies: vec![chain(10, Fracture::Strain(0.05))], fixes, ..Setup::default() };
    assert_eq!(broken(&mut Simulation::new(&weak).unwrap(), 1.0).first(), Some(&0));
}

#[test]
fn pressing_never_breaks() {
    let mut body = chain(2, Fracture::Strain(0.01));
    if let BodyShape::Elements { elements, .. } = &mut body.shape {
        elements[0].velocity = DVec3::new(0.0, 0.0, -0.5);
    }
    let setup = Setup { bodies: vec![body], gravity: DVec3::ZERO, ..Setup::default() };
    let mut sim = Simulation::new(&setup).unwrap();
    // The first quarter of the vibration presses: ω = √(2k/m) = 141 rad/s.
    assert!(broken(&mut sim, 0.01).is_empty());
    assert!(sim.state().position.get(0).distance(sim.state().position.get(1)) < 0.099);
}

fn pulled_bar(cells: u32, self_collision: bool) -> Simulation {
    let mut setup = bar::pulled_bar(cells);
    setup.contact.self_collision = self_collision;
    Simulation::new(&setup).unwrap()
}

#[test]
fn a_pulled_bar_falls_into_pieces_that_do_not_explode_and_its_ledger_closes() {
    let mut sim = pulled_bar(3, true);
    let broken = broken(&mut sim, 0.2);
    assert!(!broken.is_empty());
    let ledger = sim.ledger();
    assert!(ledger.fracture_loss > 0.0 && ledger.relative_residual() < 0.01, "{ledger:?}");
    let fastest = (0..sim.state().velocity.len()).map(|i| sim.state().velocity.get(i).length()).fold(0.0, f64::max);
    // Strain waves move matter at s_c·c = 0.05·√(E/ρ) = 1.6 m/s; released from two sides at most a few times that.
    assert!(fastest < 8.0, "{fastest} m/s");
    // What was put in by the moving end is what the energies and losses add up to.
    assert!((ledger.energy() - ledger.balance() - ledger.residual).abs() < 1e-9 * ledger.turnover);
}

#[test]
fn broken_connections_stay_broken_and_are_counted_once() {
    let mut sim = pulled_bar(2, true);
    let mut events = broken(&mut sim, 0.2);
    let mut state = sim.state().broken.clone();
    events.sort_unstable();
    state.sort_unstable();
    assert_eq!(events, state);
    state.dedup();
    assert_eq!(events.len(), state.len());
}
