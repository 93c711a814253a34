//! Random bodies of all kinds crammed into each other: no panic, no hang, nothing that is not finite, nobody shot out, nobody
//! through the ground.

use super::random::Random;
use super::scenes::{body, material, on_ground};
use kreisel::model::setup::{BodySetup, BodyShape, Fix, Integrator, Motion};
use kreisel::model::shape::{PlacedShape, Polyhedron, Shape};
use kreisel::model::{Profile, Region, Setup};
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

/// A box of half a metre on the ground, and a plate that is driven 0.3 m into where it is within a second.
fn press(integrator: Integrator) -> Simulation {
    let cube = Shape::Box { half_size: DVec3::splat(0.25) };
    let plate = Shape::Box { half_size: DVec3::new(0.5, 0.5, 0.1) };
    let bodies = vec![
        body("cube", cube, DVec3::Z * 0.25, material(0.5, 0.0)),
        body("plate", plate, DVec3::Z * 0.7, material(0.5, 0.0)),
    ];
    let mut setup = on_ground(bodies, 1.0 / 60.0, 2.0);
    setup.integrator = integrator;
    let [velocity, rotation, centre] = [DVec3::ZERO; 3];
    let profile = Profile::Ramp { start: 0.0, end: 1.0 };
    let motion = Some(Motion { velocity, displacement: DVec3::Z * -0.4, rotation, centre, profile });
    setup.fixes.push(Fix { name: "press".into(), region: Region::Body("plate".into()), axes: [true; 3], motion });
    Simulation::new(&setup).unwrap()
}

#[test]
fn what_a_press_squeezes_into_the_ground_is_told_of_and_takes_neither_ages_nor_all_the_work_of_the_world() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::BackwardEuler] {
        let mut sim = press(integrator);
        let mass = sim.state().aggregates[0].mass;
        let (mut told, mut sweeps) = (0, 0);
        while sim.time() < 1.5 {
            let report = sim.step().unwrap();
            told += report.unconverged_contacts;
            sweeps = sweeps.max(report.contact_sweeps);
        }
        // Impulses that grow without end did 10¹⁰ to 10¹⁷ J here, and took eight million sweeps in a step. The press is never
        // faster than 0.75 m/s, and whatever it meets anew in a step costs it `m v²`.
        let (work, once) = (sim.ledger().support_work.abs(), mass * 0.75 * 0.75);
        assert!(told > 0 && work < 1e3 * once, "{integrator:?}: {told} unsolved, {work} J of {once} J");
        assert!(sweeps < 1_000_000, "{integrator:?}: {sweeps}");
        let cube = &sim.state().aggregates[0];
        assert!(cube.position.truncate().length() < 0.25 && cube.position.z > 0.0, "{integrator:?}: {}", cube.position);
    }
}

#[test]
fn what_a_press_just_squeezes_stays_where_it_is_in_second_order_steps() {
    // Places above and below that contradict each other are put right by a turn of any size, as far as their gaps tell.
    let flat = Shape::Box { half_size: DVec3::new(0.15, 0.15, 0.05) };
    let cases = [
        (flat.clone(), 1e-5),
        (flat, 1e-3),
        (Shape::Sphere { radius: 0.05 }, 1e-7),
        (Shape::Sphere { radius: 0.05 }, 1e-3),
    ];
    for integrator in [Integrator::VelocityVerlet, Integrator::Extrapolated] {
        for ((shape, deep), step) in cases.iter().flat_map(|case| [0.01, 0.0025].map(|step| (case, step))) {
            let plate = Shape::Box { half_size: DVec3::new(0.5, 0.5, 0.1) };
            let bodies = vec![
                body("squeezed", shape.clone(), DVec3::Z * 0.05, material(0.4, 0.0)),
                body("plate", plate, DVec3::Z * 0.25, material(0.4, 0.0)),
            ];
            let mut setup = on_ground(bodies, step, 0.8);
            (setup.frame, setup.integrator) = (0.01, integrator);
            let [velocity, rotation, centre] = [DVec3::ZERO; 3];
            let profile = Profile::Ramp { start: 0.0, end: 0.3 };
            let displacement = DVec3::Z * (-0.05 - deep);
            let motion = Some(Motion { velocity, displacement, rotation, centre, profile });
            setup.fixes.push(Fix {
                name: "press".into(),
                region: Region::Body("plate".into()),
                axes: [true; 3],
                motion,
            });
            let mut sim = Simulation::new(&setup).unwrap();
            while sim.time() < 0.8 {
                sim.step().unwrap();
                let off = sim.state().aggregates[0].position.distance(DVec3::Z * 0.05);
                assert!(
                    off < 2.0 * deep.max(1e-3),
                    "{integrator:?}, {step} s, {deep} m: {off} m off at {} s",
                    sim.time()
                );
            }
        }
    }
}
