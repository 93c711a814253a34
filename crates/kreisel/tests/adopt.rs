//! A deformed shape made the rest shape: it stays, without stress, and the ledger knows what became of the energy.
#![allow(clippy::unwrap_used)]

use kreisel::model::setup::{BodySetup, BodyShape, Fix, Load, LoadKind, Motion};
use kreisel::model::{Fracture, Material, Profile, Region, Setup};
use kreisel::{DVec3, Simulation};

const SWITCHED_OFF: f64 = 0.3;

/// A soft column on a fixed foot, pushed sideways at the top for a while.
fn pushed_column(poisson: f64) -> Setup {
    let body = BodySetup {
        name: "column".into(),
        shape: BodyShape::Box { size: DVec3::new(0.2, 0.2, 0.4), cells: 2 },
        material: Material { young: 1e5, poisson, damping: 0.6, ..Material::default() },
        ..BodySetup::default()
    };
    let half_space = |z: f64| Region::HalfSpace { normal: DVec3::Z * z.signum(), offset: z.abs() };
    let kind = LoadKind::Region { region: half_space(0.2), force: DVec3::new(60.0, 0.0, -20.0) };
    let profile = Profile::Pulse { start: 0.0, end: SWITCHED_OFF };
    Setup {
        bodies: vec![body],
        gravity: DVec3::ZERO,
        loads: vec![Load { name: "push".into(), kind, profile }],
        fixes: vec![Fix { name: "foot".into(), region: half_space(-0.2), axes: [true; 3], motion: None }],
        frame: 0.01,
        ..Setup::default()
    }
}

fn bent(poisson: f64) -> Simulation {
    let mut sim = Simulation::new(&pushed_column(poisson)).unwrap();
    sim.run_until(SWITCHED_OFF).unwrap();
    sim
}

#[test]
fn the_stored_energy_goes_to_the_ledger_and_the_motion_goes_on() {
    for poisson in [0.25, 0.4] {
        let sim = bent(poisson);
        let column = sim.body("column").unwrap();
        let adopted = sim.with_adopted_shape(&[column]).unwrap();
        let (old, new) = (*sim.ledger(), *adopted.ledger());
        assert!(old.elastic > 0.1, "it was bent: {} J", old.elastic);
        assert!(new.elastic < 1e-20 * old.elastic.max(1.0), "{} J left", new.elastic);
        // Where the column touches itself, friction springs let go: theirs is a loss to friction.
        let booked = new.conversion_loss - old.conversion_loss + new.friction_loss - old.friction_loss;
        assert!((booked - old.elastic).abs() < 1e-12 * old.energy(), "{booked} J of {} J", old.elastic);
        assert!((new.residual - old.residual).abs() < 1e-12 * old.turnover);
        assert_eq!((new.momentum, new.angular_momentum), (old.momentum, old.angular_momentum));
        assert_eq!(sim.state().position, adopted.state().position);
        assert_eq!(sim.state().velocity, adopted.state().velocity);
    }
}

#[test]
fn a_column_keeps_the_shape_that_it_adopted_and_springs_back_from_one_that_it_did_not() {
    let mut sim = bent(0.4);
    let column = sim.body("column").unwrap();
    let mut adopted = sim.with_adopted_shape(&[column]).unwrap();
    let shape = sim.skin(column).unwrap();
    assert_eq!(adopted.model().skins[0].rest, shape.vertices[..adopted.model().skins[0].rest.len()]);
    assert_eq!(adopted.model().skins[0].surface.vertices, adopted.model().skins[0].rest);
    for s in [&mut sim, &mut adopted] {
        s.run_until(5.0).unwrap();
    }
    let farthest = |s: &Simulation| {
        let now = s.skin(column).unwrap();
        now.vertices.iter().zip(&shape.vertices).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
    };
    assert!(farthest(&sim) > 0.02, "the old rest shape is {} m away", farthest(&sim));
    assert!(farthest(&adopted) < 1e-3, "{} m", farthest(&adopted));
    assert!(adopted.ledger().relative_residual() < 0.01);
}

#[test]
fn a_saved_model_and_state_go_on_bit_for_bit() {
    let sim = bent(0.4);
    let mut adopted = sim.with_adopted_shape(&[sim.body("column").unwrap()]).unwrap();
    let mut again = Simulation::from_model(adopted.model().clone(), adopted.state().clone()).unwrap();
    adopted.run_until(0.5).unwrap();
    again.run_until(0.5).unwrap();
    assert!(adopted.state() == again.state());
    let mut small = adopted.model().clone();
    small.elements.mass.pop();
    assert!(Simulation::from_model(small, adopted.state().clone()).is_err());
}

#[test]
fn shapes_that_cannot_be_kept_are_refused_with_the_reason() {
    let sim = bent(0.25);
    let missing = kreisel::model::BodyId(7);
    assert!(sim.with_adopted_shape(&[missing]).unwrap_err().to_string().contains("no body 7"));
    let motion = Motion {
        velocity: DVec3::Z * -0.5,
        displacement: DVec3::ZERO,
        rotation: DVec3::ZERO,
        centre: DVec3::ZERO,
        profile: Profile::Constant,
    };
    let mut pulled = pushed_column(0.25);
    pulled.fixes[0].motion = Some(motion);
    let sim = Simulation::new(&pulled).unwrap();
    let column = sim.body("column").unwrap();
    assert!(sim.with_adopted_shape(&[column]).unwrap_err().to_string().contains("\"foot\""));
    let mut brittle = pushed_column(0.25);
    brittle.bodies[0].material.fracture = Fracture::Strain(0.01);
    let mut sim = Simulation::new(&brittle).unwrap();
    sim.run_until(SWITCHED_OFF).unwrap();
    assert!(sim.with_adopted_shape(&[column]).unwrap_err().to_string().contains("broken"));
}
