//! Implicit steps: order, stability, momentum, statics.
#![allow(clippy::unwrap_used)]

use kreisel::model::Setup;
use kreisel::model::setup::{BodySetup, BodyShape, ImplicitSettings, Integrator};
use kreisel::{DVec3, Simulation};

fn spinning(integrator: Integrator, keep: bool) -> Setup {
    let body = BodySetup {
        shape: BodyShape::Box { size: DVec3::new(0.4, 0.2, 0.1), cells: 2 },
        spin: DVec3::new(0.0, 0.0, 10.0),
        ..BodySetup::default()
    };
    Setup {
        bodies: vec![body],
        gravity: DVec3::ZERO,
        integrator,
        step: Some(1.0 / 60.0),
        implicit: ImplicitSettings { keep_momentum: keep, ..ImplicitSettings::default() },
        ..Setup::default()
    }
}

#[test]
fn a_free_soft_body_keeps_its_spin() {
    for integrator in [Integrator::BackwardEuler, Integrator::LinearBackwardEuler, Integrator::ImplicitMidpoint] {
        let mut sim = Simulation::new(&spinning(integrator, true)).unwrap();
        let before = sim.ledger().angular_momentum;
        sim.run_until(1.0).unwrap();
        let lost = (sim.ledger().angular_momentum - before).length() / before.length();
        assert!(lost < 1e-10, "{integrator:?} lost {lost:e}");
    }
}
