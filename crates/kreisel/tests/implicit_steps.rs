//! Implicit steps: order, stability, momentum, statics, vibrations.
#![allow(clippy::unwrap_used)]

use kreisel::model::setup::{BodySetup, BodyShape, Fix, ImplicitSettings, Integrator};
use kreisel::model::{Material, Region, Setup};
use kreisel::statics::{Mode, ModeKind, ModeParams, ModePart, solve_modes};
use kreisel::{DVec3, Simulation};
use std::f64::consts::TAU;

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

/// A beam of 11 × 3 × 2 elements, clamped at one end or free.
fn beam(clamped: bool) -> Setup {
    let shape = BodyShape::Box { size: DVec3::new(1.0, 0.2, 0.1), cells: 1 };
    let material = Material { young: 1e6, density: 1000.0, damping: 0.0, ..Material::default() };
    let region = Region::HalfSpace { normal: -DVec3::X, offset: 0.49 };
    let clamp = Fix { name: "clamp".into(), region, axes: [true; 3], motion: None };
    Setup {
        bodies: vec![BodySetup { shape, material, ..BodySetup::default() }],
        fixes: if clamped { vec![clamp] } else { Vec::new() },
        gravity: DVec3::ZERO,
        integrator: Integrator::ImplicitMidpoint,
        ..Setup::default()
    }
}

/// The first three ways in which it vibrates.
fn first_modes(sim: &Simulation) -> Vec<Mode> {
    let all: Vec<u32> = (0..sim.model().elements.len() as u32).collect();
    let part = ModePart::new(sim.model(), sim.state(), &all);
    let found = solve_modes(&part, &ModeParams { count: 3, ..ModeParams::default() }, None).unwrap();
    found.modes.into_iter().filter(|m| m.kind == ModeKind::Elastic).take(3).collect()
}

/// The period [s] of a beam that is struck so that it moves in the shape of a mode: twice the time between two passages
/// through rest, by steps of a hundredth of it.
fn measured_period(setup: &Setup, mode: &Mode) -> f64 {
    let h = TAU / mode.angular_frequency / 100.0;
    let setup = Setup { step: Some(h), frame: h, ..setup.clone() };
    let mut state = Simulation::new(&setup).unwrap().state().clone();
    state.velocity.axpy(1e-4 * mode.angular_frequency, &mode.shape);
    let rest = state.position.clone();
    let mut sim = Simulation::resume(&setup, state).unwrap();
    let (mut passages, mut before) = (Vec::new(), 0.0);
    while passages.len() < 2 {
        sim.step().unwrap();
        let mut moved = sim.state().position.clone();
        moved.axpy(-1.0, &rest);
        let now = (0..moved.len()).map(|e| sim.model().elements.mass[e] * mode.shape.get(e).dot(moved.get(e))).sum();
        if before * now < 0.0 {
            passages.push(sim.time() - h * now / (now - before));
        }
        before = now;
        assert!(sim.time() < 300.0 * h, "it does not come back");
    }
    2.0 * (passages[1] - passages[0])
}

#[test]
fn a_beam_struck_in_the_shape_of_a_mode_vibrates_with_its_frequency() {
    for clamped in [true, false] {
        let setup = beam(clamped);
        let modes = first_modes(&Simulation::new(&setup).unwrap());
        assert_eq!(modes.len(), 3);
        for mode in &modes {
            let share = measured_period(&setup, mode) * mode.angular_frequency / TAU;
            assert!((share - 1.0).abs() < 0.01, "period {share} of the mode's (clamped: {clamped})");
        }
    }
}
