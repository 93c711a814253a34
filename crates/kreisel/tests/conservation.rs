//! Momentum and energy: kept where nothing acts, accounted for where something does.
#![allow(clippy::unwrap_used)]

use kreisel::model::setup::{BodySetup, BodyShape, Integrator, RigidPart};
use kreisel::model::{Material, Setup};
use kreisel::{DVec3, Simulation};

fn spinning(rigid: Vec<RigidPart>, integrator: Integrator) -> Setup {
    let body = BodySetup {
        name: "block".into(),
        shape: BodyShape::Box { size: DVec3::new(0.4, 0.3, 0.2), cells: 3 },
        at: DVec3::new(0.3, -0.2, 0.1),
        spin: DVec3::new(3.0, 10.0, 2.0),
        velocity: DVec3::new(1.0, 2.0, 3.0),
        rigid,
        ..BodySetup::default()
    };
    Setup { bodies: vec![body], gravity: DVec3::ZERO, integrator, ..Setup::default() }
}

/// `Σ m |v|` and `Σ m |x| |v|`: what momenta are measured against.
fn scales(sim: &Simulation) -> (f64, f64) {
    let (m, s) = (&sim.model().elements.mass, sim.state());
    (0..m.len()).fold((0.0, 0.0), |(p, l), i| {
        let (x, v) = (s.position.get(i).length(), s.velocity.get(i).length());
        (p + m[i] * v, l + m[i] * x * v)
    })
}

/// Largest relative error of P and L against those of the start.
fn drift(sim: &Simulation, p0: DVec3, l0: DVec3) -> (f64, f64) {
    let (p, l) = scales(sim);
    let ledger = sim.ledger();
    ((ledger.momentum - p0).length() / p, (ledger.angular_momentum - l0).length() / l)
}

fn run_and_measure(setup: &Setup, mut each_frame: impl FnMut(&mut Simulation, u32)) -> (Simulation, (f64, f64)) {
    let mut sim = Simulation::new(setup).unwrap();
    let (p0, l0) = (sim.ledger().momentum, sim.ledger().angular_momentum);
    for k in 0..1000 {
        sim.step_by(0.002).unwrap();
        each_frame(&mut sim, k);
    }
    let error = drift(&sim, p0, l0);
    (sim, error)
}

#[test]
fn a_spinning_soft_body_keeps_its_momenta_to_round_off() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
        let (_, (p, l)) = run_and_measure(&spinning(vec![], integrator), |_, _| {});
        assert!(p < 1e-12 && l < 1e-12, "P {p:e}, L {l:e}");
    }
}

#[test]
fn a_spinning_rigid_body_keeps_its_momenta_to_round_off() {
    let (_, (p, l)) = run_and_measure(&spinning(vec![RigidPart::Whole], Integrator::default()), |_, _| {});
    assert!(p < 1e-12 && l < 1e-12, "P {p:e}, L {l:e}");
}

#[test]
fn a_body_that_switches_a_thousand_times_keeps_its_momenta_and_closes_its_ledger() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
        let (sim, (p, l)) = run_and_measure(&spinning(vec![], integrator), |sim, k| {
            let body = sim.body("block").unwrap();
            if k % 2 == 0 { sim.make_rigid(body).unwrap() } else { sim.make_soft(body).unwrap() }
        });
        assert!(p < 1e-12 && l < 1e-12, "P {p:e}, L {l:e}");
        // Relieved of stale strain it does not ring, so hardly anything is turned over: the yardstick is its energy.
        let ledger = sim.ledger();
        let allowed = if integrator == Integrator::VelocityVerlet { 1e-4 } else { 1e-2 };
        assert!(ledger.residual.abs() < allowed * ledger.kinetic, "{ledger:?}");
    }
}

#[test]
fn half_a_body_can_switch_and_momenta_are_kept() {
    let (_, (p, l)) = run_and_measure(&spinning(vec![], Integrator::default()), |sim, k| {
        let half: Vec<u32> = (0..sim.model().elements.len() as u32 / 2).collect();
        sim.switch(&half, k % 2 == 0).unwrap();
    });
    assert!(p < 1e-12 && l < 1e-12, "P {p:e}, L {l:e}");
}

#[test]
fn the_residual_of_a_vibrating_body_falls_with_the_order_of_the_integrator() {
    let residual = |integrator: Integrator, step: f64| {
        let mut setup = spinning(vec![], integrator);
        setup.bodies[0].material = Material { young: 1e5, ..Material::default() };
        setup.step = Some(step);
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(0.05).unwrap();
        sim.ledger().residual.abs()
    };
    for (integrator, order) in [(Integrator::SymplecticEuler, 1.0), (Integrator::VelocityVerlet, 2.0)] {
        let (coarse, fine) = (residual(integrator, 4e-4), residual(integrator, 1e-4));
        let found = (coarse / fine).log2() / 2.0;
        assert!((found - order).abs() < 0.35, "{integrator:?}: order {found} ({coarse:e} to {fine:e})");
    }
}
