//! Tops that turn over, and those that must not.

use super::scenes::{material, on_ground};
use kreisel::model::setup::{BodySetup, BodyShape, Integrator};
use kreisel::model::shape::{PlacedShape, Shape};
use kreisel::{DMat3, DQuat, DVec3, Simulation};

/// `cos α` every 50 ms from 0.05 s to 0.55 s by an event-driven integration that knows nothing of this engine.
const COS_ALPHA: [f64; 11] = [
    0.966838426,
    0.913785310,
    0.844545436,
    0.728026345,
    0.618694798,
    0.432647924,
    0.216737355,
    0.009808305,
    -0.225021205,
    -0.463504510,
    -0.645879770,
];
/// When the stem takes over [s].
const SWITCH: f64 = 0.59999;

pub fn tippe_top(spin: DVec3) -> BodySetup {
    let ball = |radius: f64, z: f64| PlacedShape {
        shape: Shape::Sphere { radius },
        at: DVec3::new(0.0, 0.0, z),
        rotation: DQuat::IDENTITY,
    };
    let parts = vec![ball(6.375e-3, 1.275e-3), ball(2.125e-3, 6.8e-3)];
    BodySetup {
        name: "top".into(),
        shape: BodyShape::Exact { parts, centre: Some(DVec3::ZERO) },
        at: DVec3::new(0.0, 0.0, 6.375e-3 - 1.275e-3 * 0.1f64.cos()),
        rotation: DQuat::from_rotation_y(0.1),
        material: material(0.5, 0.0),
        mass: Some(4.6059375e-4),
        inertia: Some(DMat3::from_diagonal(DVec3::new(1.10926328125e-8, 1.10926328125e-8, 9.7060537109375e-9))),
        spin,
        ..BodySetup::default()
    }
}

/// A top on its way, and its axis in the frame of the body.
pub struct Top {
    pub sim: Simulation,
    axis: DVec3,
}

impl Top {
    pub fn new(body: BodySetup, integrator: Integrator, h: f64, facets: u32) -> Self {
        let mut setup = on_ground(vec![body], h, 1.0);
        setup.integrator = integrator;
        (setup.constraint.facets, setup.constraint.isotropic) = (facets, false);
        let sim = Simulation::new(&setup).unwrap();
        let axis = sim.state().aggregates[0].orientation.inverse() * (DQuat::from_rotation_y(0.1) * DVec3::Z);
        Self { sim, axis }
    }

    pub fn cos_alpha(&self) -> f64 {
        (self.sim.state().aggregates[0].orientation * self.axis).z
    }

    pub fn run_until(&mut self, t: f64) {
        while self.sim.time() < t - 1e-9 {
            self.sim.step().unwrap();
        }
    }

    /// When the stem first presses on the ground, before `end` [s].
    fn switch(&mut self, end: f64) -> f64 {
        while self.sim.time() < end {
            self.sim.step().unwrap();
            if self.sim.state().shape_contacts.iter().any(|c| c.first == 1 && c.impulse.z > 0.0) {
                return self.sim.time();
            }
        }
        f64::NAN
    }
}

fn spun() -> BodySetup {
    tippe_top(DVec3::new(0.0, 0.0, 383.48249442368524))
}

/// Largest error of `cos α`, and when the stem takes over.
fn errors(integrator: Integrator, h: f64) -> (f64, f64) {
    let mut top = Top::new(spun(), integrator, h, 0);
    let mut worst: f64 = 0.0;
    for (k, reference) in (1..).zip(COS_ALPHA) {
        top.run_until(0.05 * f64::from(k));
        worst = worst.max((top.cos_alpha() - reference).abs());
    }
    let switch = top.switch(0.8);
    (worst, switch)
}

/// The order by which errors fall from `h = 1 ms` to `0.25 ms`.
fn order(integrator: Integrator, most: f64, late: f64) -> f64 {
    let found = [1e-3, 5e-4, 2.5e-4].map(|h| errors(integrator, h));
    for (error, switch) in found {
        assert!(error < most, "{integrator:?}: cos α is off by {error}");
        assert!((switch - SWITCH).abs() < late, "{integrator:?}: the stem takes over at {switch} s");
    }
    0.5 * (found[0].0 / found[2].0).log2()
}

#[test]
fn the_tippe_top_turns_over_in_time_with_first_order_steps() {
    let order = order(Integrator::SymplecticEuler, 2e-2, 5e-3);
    assert!(order > 0.8, "order {order}");
}

#[test]
fn the_tippe_top_turns_over_in_time_with_implicit_steps() {
    let order = order(Integrator::BackwardEuler, 2e-2, 5e-3);
    assert!(order > 0.8, "order {order}");
}

#[test]
fn the_tippe_top_turns_over_in_time_with_second_order_steps() {
    let order = order(Integrator::VelocityVerlet, 5e-3, 2e-3);
    assert!(order > 1.7, "order {order}");
}

#[test]
fn the_tippe_top_turns_over_in_time_with_extrapolated_steps() {
    let order = order(Integrator::Extrapolated, 2e-4, 1.2e-3);
    assert!(order > 2.0, "order {order}");
}

#[test]
fn eight_facets_are_nearly_enough_and_four_are_not() {
    let when = |facets: u32| Top::new(spun(), Integrator::SymplecticEuler, 2.5e-4, facets).switch(0.9) / SWITCH - 1.0;
    let late = [4, 8, 16, 0].map(when);
    assert!(late[0] > 0.03 && late[0] < 0.2, "four: {}", late[0]);
    assert!(late[1].abs() < 0.06 && late[1].abs() < late[0], "eight: {}", late[1]);
    assert!(late[2].abs() < 0.02, "sixteen: {}", late[2]);
    assert!(late[3].abs() < 0.01, "cone: {}", late[3]);
}

#[test]
fn a_tippe_top_with_little_spin_stays_down() {
    let mut top = Top::new(tippe_top(DVec3::new(0.0, 0.0, 60.0)), Integrator::VelocityVerlet, 1e-3, 0);
    let mut lowest: f64 = 1.0;
    while top.sim.time() < 1.0 {
        top.run_until(top.sim.time() + 0.01);
        lowest = lowest.min(top.cos_alpha());
    }
    assert!(lowest > 0.97, "{lowest}");
}

#[test]
fn a_tippe_top_that_rolls_is_captured_and_does_not_turn_over() {
    // Spin about its own axis: slip ends soon, and what rolls has no friction that could lift it.
    let axis = DQuat::from_rotation_y(0.1) * DVec3::Z;
    let mut top = Top::new(tippe_top(axis * 383.5), Integrator::VelocityVerlet, 1e-3, 0);
    top.run_until(1.0);
    assert!(top.cos_alpha() > 0.97, "{}", top.cos_alpha());
    assert!(!top.sim.state().shape_contacts[0].slipping);
}

#[test]
fn a_tippe_top_that_rolls_is_captured_in_first_order_steps_too() {
    // Its axis nutates by a third of a radian in each step of a millisecond, and must go on doing so no more than at first.
    let axis = DQuat::from_rotation_y(0.1) * DVec3::Z;
    for integrator in [Integrator::SymplecticEuler, Integrator::BackwardEuler] {
        for h in [1e-3, 5e-4] {
            let mut top = Top::new(tippe_top(axis * 383.5), integrator, h, 0);
            top.run_until(1.0);
            assert!(top.cos_alpha() > 0.997, "{integrator:?}, h = {h}: {}", top.cos_alpha());
            assert!(!top.sim.state().shape_contacts[0].slipping, "{integrator:?}, h = {h}");
        }
    }
}

#[test]
fn extrapolated_steps_keep_angular_momentum_to_rounding() {
    let mut top = Top::new(spun(), Integrator::Extrapolated, 1e-3, 0);
    top.run_until(0.3);
    let l = top.sim.ledger();
    let lost = l.angular_momentum_residual.length() / l.angular_momentum.length();
    assert!(lost < 1e-12, "{lost}");
}

#[test]
fn a_tippe_top_on_rough_ground_hangs_half_way() {
    for integrator in [Integrator::VelocityVerlet, Integrator::BackwardEuler] {
        let body = BodySetup { material: material(1.0, 0.0), ..spun() };
        let mut top = Top::new(body, integrator, 5e-4, 0);
        top.run_until(0.6);
        let early = top.cos_alpha();
        top.run_until(1.0);
        let late = top.cos_alpha();
        let hangs = (early - late).abs() < 0.03 && late < 0.9 && late > -0.9;
        assert!(hangs, "{integrator:?}: {early} {late}");
    }
}
