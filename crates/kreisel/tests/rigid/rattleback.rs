//! A stone that turns back.

use super::scenes::{material, on_ground};
use kreisel::model::setup::{BodySetup, BodyShape, Integrator};
use kreisel::model::shape::{PlacedShape, Shape};
use kreisel::{DMat3, DQuat, DVec3, Simulation};

fn stone() -> BodySetup {
    let semi_axes = DVec3::new(1.618033988749895, 1.0, 1.0);
    let shape = Shape::Ellipsoid { semi_axes };
    let parts = vec![PlacedShape { shape, at: DVec3::Z * 0.1875, rotation: DQuat::IDENTITY }];
    let inertia = DMat3::from_cols(
        DVec3::new(0.05796875, -0.025, 0.0),
        DVec3::new(-0.025, 0.0903294297749979, 0.0),
        DVec3::new(0.0, 0.0, 0.12236067977499791),
    );
    BodySetup {
        name: "stone".into(),
        shape: BodyShape::Exact { parts, centre: Some(DVec3::ZERO) },
        at: DVec3::Z * 0.8125,
        material: material(0.6, 0.0),
        mass: Some(0.2),
        inertia: Some(inertia),
        spin: DVec3::new(0.01, -0.02, -2.0),
        // It rolls from the start: its lowest point rests.
        velocity: DVec3::new(0.01, -0.02, -2.0).cross(DVec3::Z * 0.8125),
        ..BodySetup::default()
    }
}

#[test]
fn a_rattleback_turns_back_in_time_and_keeps_its_energy() {
    let mut setup = on_ground(vec![stone()], 1e-3, 36.0);
    (setup.frame, setup.integrator) = (1e-2, Integrator::VelocityVerlet);
    let mut sim = Simulation::new(&setup).unwrap();
    let axis = sim.state().aggregates[0].orientation.inverse() * DVec3::Z;
    let before = sim.ledger().energy();
    let (mut turned, mut last) = (f64::NAN, -2.0);
    while sim.time() < 35.0 {
        sim.step().unwrap();
        let stone = &sim.state().aggregates[0];
        let spin = stone.spin().dot(stone.orientation * axis);
        if turned.is_nan() && last < 0.0 && spin >= 0.0 {
            turned = sim.time() - setup.frame * spin / (spin - last);
        }
        last = spin;
    }
    let loss = 1.0 - sim.ledger().energy() / before;
    assert!((turned / 34.35 - 1.0).abs() < 0.01, "its spin vanishes at {turned} s");
    assert!(loss.abs() < 0.01, "it lost {loss} of its energy");
}

/// A slender stone, 0.2 × 0.06 × 0.05 m, whose principal axes are turned by 0.12 rad. Reference: rolling without slip in the
/// freedoms `(q, ω)` with `v = −ω × r`, integrated by Dormand and Prince's method of order 8 with a relative tolerance of 1e-9;
/// its spin about the vertical, averaged over a second, crosses zero at 2.857 s, and the energy is kept.
pub fn slender() -> BodySetup {
    let (sin, cos) = 0.12f64.sin_cos();
    let turn = DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
    let inertia = turn * DMat3::from_diagonal(DVec3::new(0.00035, 0.0019, 0.0021)) * turn.transpose();
    rolling(DVec3::new(0.2, 0.06, 0.05), (0.3, inertia), DVec3::new(0.05, 0.03, -6.0))
}

/// An ellipsoid a centimetre above its centre of mass that rolls without slip from the start, with its mass and inertia.
fn rolling(semi_axes: DVec3, (mass, inertia): (f64, DMat3), spin: DVec3) -> BodySetup {
    let up = DVec3::Z * 0.01;
    let at = DVec3::Z * semi_axes.z - up;
    let parts = vec![PlacedShape { shape: Shape::Ellipsoid { semi_axes }, at: up, rotation: DQuat::IDENTITY }];
    BodySetup {
        name: "stone".into(),
        shape: BodyShape::Exact { parts, centre: Some(DVec3::ZERO) },
        at,
        material: material(1.0, 0.0),
        mass: Some(mass),
        inertia: Some(inertia),
        spin,
        velocity: spin.cross(at),
        ..BodySetup::default()
    }
}

#[test]
fn what_rolls_is_not_braked_by_steps_of_first_order_either() {
    let mut setup = on_ground(vec![slender()], 1e-3, 5.0);
    setup.integrator = Integrator::SymplecticEuler;
    let mut sim = Simulation::new(&setup).unwrap();
    let before = sim.ledger().energy();
    let mut spins = Vec::new();
    while sim.time() < 5.0 - 1e-9 {
        sim.step().unwrap();
        spins.push(sim.state().aggregates[0].spin().z);
    }
    let mean = |k: usize| spins[k..k + 1000].iter().sum::<f64>();
    let turned = (0..4000).find(|&k| mean(k) >= 0.0).map(|k| (k + 500) as f64 * 1e-3);
    let loss = 1.0 - sim.ledger().energy() / before;
    assert!(turned.is_some_and(|t| (t / 2.857 - 1.0).abs() < 0.01), "it turns back at {turned:?} s");
    assert!(loss.abs() < 0.005, "it lost {loss} of its energy");
}

#[test]
fn an_egg_that_rolls_gains_no_energy_at_any_step() {
    let egg = Shape::Ellipsoid { semi_axes: DVec3::new(0.2, 0.15, 0.1) };
    for (h, spin) in [(1.0 / 60.0, [1.0, 2.0, 3.0]), (1.0 / 60.0, [0.0, 9.0, 1.0]), (1.0 / 240.0, [3.0, -4.0, 2.0])] {
        let mut body = super::scenes::body("egg", egg.clone(), DVec3::Z * 0.3, material(0.5, 0.0));
        body.spin = DVec3::from_array(spin);
        let mut sim = Simulation::new(&on_ground(vec![body], h, 31.0)).unwrap();
        sim.run_until(1.0).unwrap();
        let rest = sim.state().aggregates[0].mass * 9.81 * 0.1;
        let moving = sim.ledger().energy() - rest;
        sim.run_until(31.0).unwrap();
        let gained = sim.ledger().energy() - rest - moving;
        // Within each swing the energy goes up and down by a few hundredths, with the order of the step.
        assert!(gained < 0.05 * moving, "h = {h}, spin {spin:?}: it gains {gained} J of {moving} J");
    }
}

/// A stone of 0.2 × 0.03 × 0.02 m that turns back time and again. Reference: rolling without slip, integrated in minimal freedoms
/// with a drift of energy of 1e-11; its spin about the vertical, averaged over half a second, crosses zero for the third time at 9.228 s.
fn spiky() -> BodySetup {
    let (ixx, ixy) = (0.00020681135000773495, -9.7414041708067e-05);
    let inertia = DMat3::from_cols(
        DVec3::new(ixx, ixy, 0.0),
        DVec3::new(ixy, 0.0015931886499922652, 0.0),
        DVec3::new(0.0, 0.0, 0.0017),
    );
    rolling(DVec3::new(0.2, 0.03, 0.02), (1.0, inertia), DVec3::new(0.01, 0.02, -5.0))
}

#[test]
fn a_spiky_rattleback_turns_back_for_the_third_time_when_it_must_in_extrapolated_steps() {
    let mut setup = on_ground(vec![spiky()], 1e-3, 10.0);
    (setup.frame, setup.integrator) = (2e-2, Integrator::Extrapolated);
    let mut sim = Simulation::new(&setup).unwrap();
    let mut spins = Vec::new();
    while sim.time() < 9.8 {
        sim.step().unwrap();
        spins.push(sim.state().aggregates[0].spin().z);
    }
    let mean: Vec<f64> = spins.windows(25).map(|s| s.iter().sum::<f64>()).collect();
    let turns: Vec<f64> = (1..mean.len())
        .filter(|&k| mean[k - 1] * mean[k] < 0.0)
        .map(|k| setup.frame * (k as f64 + 13.0 - mean[k] / (mean[k] - mean[k - 1])))
        .collect();
    assert!(turns.len() == 3 && (turns[2] / 9.228 - 1.0).abs() < 0.01, "it turns back at {turns:?} s");
}
