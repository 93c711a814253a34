//! What rolls in implicit steps, where nothing implicit acts, rolls as in explicit ones.

use super::rattleback::slender;
use super::scenes::{material, on_ground};
use kreisel::model::setup::{BodySetup, BodyShape, Integrator};
use kreisel::model::shape::{PlacedShape, Shape};
use kreisel::readout::contact::Grip;
use kreisel::{DMat3, DQuat, DVec3, Simulation};

const G: f64 = 9.81;
/// Radius, eccentricity [m], mass [kg] and moment about the axis [kg m²] of a cylinder.
const RADIUS: f64 = 0.1;
const OFF: f64 = 0.04;
const MASS: f64 = 1.0;
const MOMENT: f64 = 0.004;

/// A cylinder that lies on the ground with its centre of mass beside its middle.
fn eccentric() -> BodySetup {
    let shape = Shape::Cylinder { half_length: 0.15, radius: RADIUS };
    let parts = vec![PlacedShape { shape, at: DVec3::ZERO, rotation: DQuat::IDENTITY }];
    BodySetup {
        name: "cylinder".into(),
        shape: BodyShape::Exact { parts, centre: Some(DVec3::X * OFF) },
        at: DVec3::Z * RADIUS,
        rotation: DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2),
        material: material(2.0, 0.0),
        mass: Some(MASS),
        inertia: Some(DMat3::from_diagonal(DVec3::new(0.01, 0.01, MOMENT))),
        ..BodySetup::default()
    }
}

/// `M(b) b̈ = m g e cos b − ½ M'(b) ḃ²` with `M = I + m (R² + e² − 2 R e sin b)`: rolling without slip has the angle `b` alone.
fn acceleration(b: f64, spin: f64) -> f64 {
    let inertia = MOMENT + MASS * (RADIUS * RADIUS + OFF * OFF - 2.0 * RADIUS * OFF * b.sin());
    (MASS * G * OFF * b.cos() + MASS * RADIUS * OFF * b.cos() * spin * spin) / inertia
}

/// Angle and spin after a time `t` more, by the classical method of fourth order.
fn rolled((mut b, mut spin): (f64, f64), t: f64) -> (f64, f64) {
    const PARTS: u32 = 20;
    let h = t / f64::from(PARTS);
    for _ in 0..PARTS {
        let at = |share: f64, (db, ds): (f64, f64)| {
            let (b, s) = (b + share * h * db, spin + share * h * ds);
            (s, acceleration(b, s))
        };
        let k1 = at(0.0, (0.0, 0.0));
        let k2 = at(0.5, k1);
        let k3 = at(0.5, k2);
        let k4 = at(1.0, k3);
        b += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
        spin += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
    }
    (b, spin)
}

/// Largest error of the spin of the cylinder in three seconds [rad/s].
fn worst_spin(integrator: Integrator, h: f64) -> f64 {
    let mut setup = on_ground(vec![eccentric()], h, 3.0);
    setup.integrator = integrator;
    let mut sim = Simulation::new(&setup).unwrap();
    let (mut worst, mut now): (f64, _) = (0.0, (0.0, 0.0));
    while sim.time() < 3.0 - 1e-9 {
        sim.step().unwrap();
        now = rolled(now, h);
        worst = worst.max((sim.state().aggregates[0].spin().y - now.1).abs());
    }
    worst
}

#[test]
fn an_eccentric_cylinder_rolls_as_its_one_coordinate_says_to_first_order() {
    // Up to 10.2 rad/s: it turns by ω h in a step, and is off by some share of that.
    let found = [4e-3, 1e-3].map(|h| worst_spin(Integrator::BackwardEuler, h));
    assert!(found[0] < 0.05 && found[1] < 0.0125, "{found:?} rad/s");
    assert!((found[0] / found[1]).log2() > 1.6, "{found:?} rad/s: a quarter of the step leaves a quarter");
}

/// Energies of steps that are symplectic are those of a neighbouring motion: they go up and down by `± ½ h ω` of what turns at the
/// rate `ω`.
#[test]
fn a_rattleback_that_does_not_slip_keeps_its_energy_in_implicit_steps_and_friction_takes_none() {
    for h in [1e-3, 5e-4] {
        let mut setup = on_ground(vec![slender()], h, 10.0);
        setup.integrator = Integrator::BackwardEuler;
        let mut sim = Simulation::new(&setup).unwrap();
        let begin = *sim.ledger();
        let (moving, most) = (begin.kinetic, h * 6.0);
        while sim.time() < 10.0 - 1e-9 {
            sim.step().unwrap();
            assert!(sim.contacts().iter().all(|c| c.grip != Grip::Slip), "it slips at {} s", sim.time());
        }
        let end = sim.ledger();
        let lost = (begin.energy() - end.energy()) / moving;
        assert!(lost.abs() < most, "h = {h}: it lost {lost} of its energy, {most} at most were expected");
        let rubbed = end.friction_loss.abs() / moving;
        assert!(rubbed < 0.15 * most, "h = {h}: nothing slides, and friction took {rubbed}");
        assert!(end.residual.abs() < 1e-6 * moving, "h = {h}: the ledger closes, {end:?}");
        assert!(end.angular_momentum_residual.length() < 1e-9, "h = {h}: {end:?}");
        assert!(end.momentum_residual.length() < 1e-9, "h = {h}: {end:?}");
    }
}

/// Nothing implicit acts: what backward Euler does with a rigid body is what symplectic Euler does.
#[test]
fn a_rattleback_moves_alike_in_implicit_and_explicit_steps_of_first_order() {
    let end = |integrator: Integrator| {
        let mut setup = on_ground(vec![slender()], 1e-3, 2.0);
        setup.integrator = integrator;
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(2.0).unwrap();
        sim.state().aggregates[0].clone()
    };
    let (explicit, implicit) = (end(Integrator::SymplecticEuler), end(Integrator::BackwardEuler));
    let apart = (explicit.spin() - implicit.spin()).length();
    assert!(apart < 1e-2 * explicit.spin().length(), "{} and {}", explicit.spin(), implicit.spin());
}
