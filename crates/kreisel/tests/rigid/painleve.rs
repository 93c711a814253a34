//! Painlevé's rod: an impulse without a collision, and the event that tells of it.

use super::scenes::{material, on_ground};
use kreisel::model::setup::{BodySetup, BodyShape, Integrator};
use kreisel::model::shape::{PlacedShape, Polyhedron, Shape};
use kreisel::model::{Event, EventKind};
use kreisel::{DMat3, DQuat, DVec3, Simulation};
use std::sync::Arc;

/// A slender rod at 45° on its lower end, which slides with this speed; friction 1.9 is beyond the critical 4/3.
fn rod(speed: f64, friction: f64) -> BodySetup {
    let side = 0.015;
    let mut points = vec![DVec3::X * -0.5, DVec3::X * 0.5];
    points.extend([(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].map(|(y, z)| DVec3::new(0.0, y, z) * side));
    let shape = Shape::Polyhedron(Arc::new(Polyhedron::from_points(&points).unwrap()));
    let parts = vec![PlacedShape { shape, at: DVec3::ZERO, rotation: DQuat::IDENTITY }];
    BodySetup {
        name: "rod".into(),
        shape: BodyShape::Exact { parts, centre: Some(DVec3::ZERO) },
        at: DVec3::Z * 0.5 * 0.5f64.sqrt(),
        rotation: DQuat::from_axis_angle(-DVec3::Y, 45f64.to_radians()),
        material: material(friction, 0.0),
        mass: Some(1.0),
        inertia: Some(DMat3::from_diagonal(DVec3::new(1e-4, 1.0 / 12.0, 1.0 / 12.0))),
        velocity: DVec3::X * speed,
        ..BodySetup::default()
    }
}

fn first_step(speed: f64, friction: f64, h: f64, integrator: Integrator) -> (Simulation, Vec<Event>) {
    let mut setup = on_ground(vec![rod(speed, friction)], h, 1.0);
    setup.integrator = integrator;
    setup.constraint.gap_iterations = 0;
    let mut sim = Simulation::new(&setup).unwrap();
    let events = sim.step().unwrap().events;
    (sim, events)
}

fn jams(events: &[Event]) -> Vec<f64> {
    let impulse = |e: &Event| match &e.kind {
        EventKind::Jammed { first, second, impulse } if first == "rod" && second == "ground" => Some(*impulse),
        _ => None,
    };
    events.iter().filter_map(impulse).collect()
}

#[test]
fn a_rod_that_slides_into_its_own_friction_jumps_and_says_so() {
    use Integrator::{BackwardEuler, SymplecticEuler};
    for (h, expected, integrator) in
        [(1e-3, 0.381131, SymplecticEuler), (1e-4, 0.375613, SymplecticEuler), (1e-3, 0.381131, BackwardEuler)]
    {
        let (sim, events) = first_step(-1.0, 1.9, h, integrator);
        let found = jams(&events);
        assert_eq!(found.len(), 1, "{integrator:?}: {events:?}");
        assert!((found[0] - expected).abs() < 1e-4, "{integrator:?}: {found:?} at h = {h}");
        assert!((events.iter().find(|e| e.kind.word() == "painleve").unwrap().energy - 0.3125).abs() < 20.0 * h);
        // The end stops: it has jumped to rest, and energy is gone, not gained.
        assert!((sim.ledger().energy() - (0.5 + 9.81 * 0.5 * 0.5f64.sqrt()) + 0.3125).abs() < 20.0 * h);
    }
}

#[test]
fn a_rod_that_slides_the_other_way_or_with_little_friction_just_slides() {
    for (speed, friction) in [(1.0, 1.9), (-1.0, 1.2)] {
        let (_, events) = first_step(speed, friction, 1e-3, Integrator::SymplecticEuler);
        assert!(jams(&events).is_empty(), "{speed} {friction}: {events:?}");
    }
}

#[test]
fn second_order_steps_tell_it_once() {
    let (_, events) = first_step(-1.0, 1.9, 1e-3, Integrator::VelocityVerlet);
    assert_eq!(jams(&events).len(), 1, "{events:?}");
}
