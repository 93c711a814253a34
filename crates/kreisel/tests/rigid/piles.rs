//! Piles of random bodies: nothing flies, nothing falls through, the books close, and the bits do not depend on threads,
//! workspaces or resumes.

use super::random::Random;
use super::scenes::{body, material, on_ground};
use kreisel::model::setup::BodySetup;
use kreisel::model::shape::{Polyhedron, Shape};
use kreisel::model::{Material, Setup, State};
use kreisel::{DQuat, DVec3, Simulation};
use std::sync::Arc;

impl Random {
    fn shape(&mut self) -> Shape {
        let size = self.between(0.15, 0.3);
        match self.between(0.0, 6.0) as u32 {
            0 => Shape::Sphere { radius: size },
            1 => Shape::Box { half_size: DVec3::new(size, 0.6 * size, 0.8 * size) },
            2 => Shape::Capsule { half_length: size, radius: 0.5 * size },
            3 => Shape::Cylinder { half_length: size, radius: 0.7 * size },
            4 => Shape::Ellipsoid { semi_axes: DVec3::new(size, 0.7 * size, 0.5 * size) },
            _ => {
                let points: Vec<DVec3> = (0..10).map(|_| self.vector(1.0).normalize_or(DVec3::X) * size).collect();
                Polyhedron::from_points(&points)
                    .map_or(Shape::Sphere { radius: size }, |p| Shape::Polyhedron(Arc::new(p)))
            }
        }
    }

    /// The same pile with masses from a gram to a thousand tons.
    fn pile_of_unlike(&mut self, count: u32, step: f64) -> Setup {
        let mut setup = self.pile(count);
        setup.bodies.iter_mut().for_each(|body| body.mass = Some(10.0_f64.powf(self.between(-3.0, 6.0))));
        (setup.step, setup.frame) = (Some(step), step);
        setup
    }

    /// A pile of bodies that do not touch yet.
    fn pile(&mut self, count: u32) -> Setup {
        let bodies = (0..count).map(|k| {
            let place = DVec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9)) * 0.75;
            let at = place + DVec3::new(-0.75, -0.75, 0.5) + self.vector(0.05);
            let made_of = Material { density: self.between(300.0, 3000.0), ..material(self.between(0.0, 0.9), 0.0) };
            let rotation = DQuat::from_scaled_axis(self.vector(2.0));
            let (velocity, spin) = (self.vector(1.0), self.vector(3.0));
            BodySetup { rotation, velocity, spin, ..body(&format!("body-{k}"), self.shape(), at, made_of) }
        });
        let bodies = bodies.collect();
        on_ground(bodies, 1.0 / 120.0, 2.0)
    }
}

fn run(setup: &Setup, frames: u32) -> Simulation {
    let mut sim = Simulation::new(setup).unwrap();
    (0..frames).for_each(|_| drop(sim.step().unwrap()));
    sim
}

#[test]
fn random_piles_stay_on_the_ground_and_never_gain_energy() {
    for seed in [1, 2, 3, 4] {
        let setup = Random(seed).pile(18);
        let mut sim = Simulation::new(&setup).unwrap();
        let (mut energy, start) = (sim.ledger().energy(), sim.ledger().energy());
        while sim.time() < 2.0 {
            sim.step().unwrap();
            let now = sim.ledger().energy();
            assert!(now < energy + 2e-3 * start.abs(), "seed {seed} at {} s: {energy} J to {now} J", sim.time());
            energy = now;
        }
        let l = sim.ledger();
        let size = l.external_impulse.length();
        assert!(l.momentum_residual.length() < 1e-10 * size, "{seed}: {}", l.momentum_residual);
        assert!(l.angular_momentum_residual.length() < 1e-10 * size, "{seed}: {}", l.angular_momentum_residual);
        for a in &sim.state().aggregates {
            assert!(a.position.z > 0.05 && a.position.length() < 10.0, "seed {seed}: {}", a.position);
        }
        let deepest = sim.state().shape_contacts.iter().map(|c| c.gap).fold(0.0, f64::min);
        assert!(deepest > -5e-3, "seed {seed}: overlap {deepest}");
    }
}

#[test]
fn light_bodies_between_heavy_ones_are_not_shot_out() {
    for step in [1.0 / 60.0, 1.0 / 240.0, 1.0 / 480.0] {
        for seed in 0..8 {
            let setup = Random(seed).pile_of_unlike(18, step);
            let mut sim = Simulation::new(&setup).unwrap();
            while sim.time() < 1.5 {
                sim.step().unwrap();
                // They fall by 2 m at most, which gives 6.3 m/s, and start with up to 1.7 m/s; a light one may be flicked away.
                let fastest = sim.state().aggregates.iter().map(|a| a.velocity.length()).fold(0.0, f64::max);
                assert!(fastest < 30.0, "seed {seed}, steps of {step} s: {fastest} m/s at {} s", sim.time());
            }
        }
    }
}

#[test]
fn a_pile_has_the_same_bits_after_a_resume_and_without_its_workspace() {
    let setup = Random(7).pile(18);
    let whole = run(&setup, 180);
    let bits = |state: &State| state.aggregates.iter().map(|a| (a.position, a.orientation)).collect::<Vec<_>>();
    let mut resumed = Simulation::resume(&setup, run(&setup, 90).state().clone()).unwrap();
    (0..90).for_each(|_| drop(resumed.step().unwrap()));
    assert_eq!(bits(whole.state()), bits(resumed.state()));
    let mut forgetful = Simulation::new(&setup).unwrap();
    for _ in 0..180 {
        forgetful.step().unwrap();
        forgetful.drop_workspace();
    }
    assert_eq!(bits(whole.state()), bits(forgetful.state()));
}

#[test]
fn heaps_have_the_same_bits_for_any_number_of_threads() {
    let setup = Random(11).pile(27);
    let bits = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&setup, 120).state().aggregates.iter().map(|a| a.position).collect::<Vec<_>>())
    };
    assert_eq!(bits(1), bits(2));
}
