//! Random bodies of all kinds crammed into each other: no panic, no hang, nothing that is not finite, nobody shot out, nobody
//! through the ground.

use super::random::Random;
use super::scenes::{body, material, on_ground};
use kreisel::model::Setup;
use kreisel::model::setup::{BodySetup, BodyShape, Integrator};
use kreisel::model::shape::{PlacedShape, Polyhedron, Shape};
use kreisel::{DQuat, DVec3, Simulation};
use std::sync::Arc;

impl Random {
    /// Any shape, up to twenty times as long as it is wide.
    fn long_shape(&mut self) -> Shape {
        let (size, thin) = (self.between(0.1, 0.2), self.between(0.05, 1.0));
        match self.between(0.0, 7.0) as u32 {
            0 => Shape::Sphere { radius: size },
            1 => Shape::Box { half_size: DVec3::new(size, thin * size, self.between(0.05, 1.0) * size) },
            2 => Shape::Capsule { half_length: size, radius: thin * size },
            3 => Shape::Cylinder { half_length: thin * size, radius: size },
            4 => Shape::Cone { half_length: size, radius: thin * size },
            5 => Shape::Ellipsoid { semi_axes: DVec3::new(size, thin * size, 0.5 * size) },
            _ => {
                let points = (0..9).map(|_| self.vector(size) * DVec3::new(1.0, 1.0, thin));
                Polyhedron::from_points(&points.collect::<Vec<_>>())
                    .map_or(Shape::Sphere { radius: size }, |p| Shape::Polyhedron(Arc::new(p)))
            }
        }
    }

    /// A body of one or two shapes in a random pose within a cube, so that it overlaps others.
    fn body(&mut self, k: u32, room: f64, masses: f64) -> BodySetup {
        let made_of = material(self.between(0.0, 2.0), 0.0);
        let at = self.vector(room) + DVec3::Z * (room + 0.3);
        let mut one = body(&format!("body-{k}"), self.long_shape(), at, made_of);
        if self.between(0.0, 1.0) < 0.3 {
            let part = PlacedShape { shape: self.long_shape(), at: self.vector(0.1), rotation: DQuat::IDENTITY };
            if let BodyShape::Exact { parts, .. } = &mut one.shape {
                parts.push(part);
            }
        }
        let mass = Some(10.0_f64.powf(self.between(0.0, masses)));
        BodySetup { rotation: DQuat::from_scaled_axis(self.vector(2.0)), velocity: self.vector(1.0), mass, ..one }
    }

    fn crowd(&mut self, count: u32, masses: f64, step: f64) -> Setup {
        let bodies = (0..count).map(|k| self.body(k, 0.3, masses)).collect();
        let mut setup = on_ground(bodies, step, 10.0);
        setup.allow_overlap = true;
        setup
    }
}

/// Steps for half a second, or as many steps as there is time for.
fn survives(setup: &Setup, most: u32, what: &str) {
    let mut sim = Simulation::new(setup).unwrap();
    let step = setup.frame;
    for _ in 0..most.min((0.5 / step) as u32) {
        let stepped = sim.step();
        assert!(stepped.is_ok(), "{what}: {stepped:?}");
        // Whoever is struck without restitution moves as fast as a point of another; three times what all had is too much.
        let most = 3.0 * (3.0_f64.sqrt() + 9.81 * sim.time());
        for (k, a) in sim.state().aggregates.iter().enumerate() {
            assert!(a.position.is_finite() && a.velocity.length() < most, "{what}: body {k} with {}", a.velocity);
            assert!(a.position.z > -0.1, "{what}: body {k} went through the ground, {}", a.position);
        }
    }
}

#[test]
fn first_order_steps_survive_whatever_is_crammed_into_one_place() {
    for (seed, step) in (1..=12).zip([1.0 / 30.0, 1.0 / 60.0, 1e-3].into_iter().cycle()) {
        let mut random = Random(seed);
        let masses = if seed % 2 == 0 { 3.0 } else { 1.0 };
        survives(&random.crowd(12, masses, step), 60, &format!("seed {seed}, {step} s"));
    }
}

#[test]
fn second_order_and_implicit_steps_survive_it_too() {
    for (seed, integrator) in
        (21..).zip([Integrator::VelocityVerlet, Integrator::Extrapolated, Integrator::BackwardEuler])
    {
        let mut setup = Random(seed).crowd(4, 1.0, 1.0 / 60.0);
        setup.integrator = integrator;
        survives(&setup, 15, &format!("seed {seed}, {integrator:?}"));
    }
}
