//! What people ask a simulation: who touches whom, how hard, and what a ray meets.

use super::scenes::{body, material, on_ground};
use kreisel::linear::Vectors;
use kreisel::model::setup::{BodySetup, BodyShape, Integrator, Law};
use kreisel::model::shape::{PlacedShape, Shape};
use kreisel::model::{Event, EventKind, JointSetup, Material};
use kreisel::readout::contact::{Grip, Party};
use kreisel::{DQuat, DVec3, Simulation};

const G: f64 = 9.81;

/// A plate on legs that end in small balls.
fn table(legs: &[(f64, f64)]) -> BodySetup {
    let place = |shape: Shape, at: DVec3| PlacedShape { shape, at, rotation: DQuat::IDENTITY };
    let mut parts = vec![place(Shape::Box { half_size: DVec3::new(0.5, 0.5, 0.05) }, DVec3::Z * 0.65)];
    parts.extend(legs.iter().map(|&(x, y)| place(Shape::Sphere { radius: 0.1 }, DVec3::new(x, y, 0.1))));
    let shape = BodyShape::Exact { parts, centre: None };
    BodySetup { name: "table".into(), shape, material: material(0.5, 0.0), ..BodySetup::default() }
}

fn at_rest(bodies: Vec<BodySetup>) -> Simulation {
    let mut sim = Simulation::new(&on_ground(bodies, 1.0 / 120.0, 1.0)).unwrap();
    sim.run_until(0.5).unwrap();
    sim
}

#[test]
fn a_table_on_four_legs_bears_its_weight_but_nobody_can_say_which_leg_how_much() {
    let mut sim = at_rest(vec![table(&[(0.4, 0.4), (-0.4, 0.4), (-0.4, -0.4), (0.4, -0.4)])]);
    let weight = sim.state().aggregates[0].mass * G;
    let contacts = sim.contacts();
    assert_eq!(contacts.len(), 4);
    for c in &contacts {
        assert_eq!(c.unique.push, Some(false));
        assert!(c.grip == Grip::Stick && (c.normal - DVec3::Z).length() < 1e-12 && c.gap.abs() < 1e-6, "{c:?}");
        assert!((c.impulse() - c.force / 120.0).length() < 1e-12);
    }
    let (table, ground) = (sim.party("table").unwrap(), sim.party("ground").unwrap());
    let total = sim.force_between(table, ground);
    assert!((total.force - DVec3::Z * weight).length() < 1e-4 * weight, "{total:?}");
    assert!(total.torque.length() < 1e-4 * weight && total.contacts == 4);
    let opposite = sim.force_between(ground, table);
    assert!((opposite.force + total.force).length() < 1e-12);
}

#[test]
fn a_table_on_three_legs_has_three_known_loads() {
    let legs = [(0.4, 0.0), (-0.2, 0.3), (-0.2, -0.3)];
    let mut sim = at_rest(vec![table(&legs)]);
    let (weight, centre) = (sim.state().aggregates[0].mass * G, sim.state().aggregates[0].position);
    let contacts = sim.contacts();
    let moment: DVec3 = contacts.iter().map(|c| (c.point - centre).cross(c.normal * c.push())).sum();
    assert!(contacts.len() == 3 && moment.length() < 1e-4 * weight, "{moment}");
    assert!(contacts.iter().all(|c| c.unique.push == Some(true)), "{contacts:?}");
}

#[test]
fn a_corner_that_happens_to_bear_nothing_is_as_unknown_as_one_that_does() {
    // Sixteen corners of four square legs: some are found without a push, though any of them might bear a little.
    let place =
        |half_size: DVec3, at: DVec3| PlacedShape { shape: Shape::Box { half_size }, at, rotation: DQuat::IDENTITY };
    let leg = |&(x, y): &(f64, f64)| place(DVec3::new(0.05, 0.05, 0.3), DVec3::new(x, y, 0.3));
    let mut parts = vec![place(DVec3::new(0.5, 0.5, 0.05), DVec3::Z * 0.65)];
    parts.extend([(0.4, 0.4), (-0.4, 0.4), (-0.4, -0.4), (0.4, -0.4)].iter().map(leg));
    let shape = BodyShape::Exact { parts, centre: Some(DVec3::new(0.37, 0.38, 0.5)) };
    let table = BodySetup { name: "table".into(), shape, material: material(0.5, 0.0), ..BodySetup::default() };
    let contacts = at_rest(vec![table]).contacts();
    assert_eq!(contacts.len(), 16);
    assert!(contacts.iter().any(|c| c.push() == 0.0), "all corners bear something: this table shows nothing");
    assert!(contacts.iter().all(|c| c.unique.push == Some(false)), "{contacts:?}");
}

#[test]
fn a_block_that_slides_says_so_and_how_fast() {
    let mut block = body("block", Shape::Sphere { radius: 0.1 }, DVec3::Z * 0.1, Material { ..material(0.3, 0.0) });
    block.velocity = DVec3::X * 2.0;
    let mut sim = Simulation::new(&on_ground(vec![block], 1e-3, 1.0)).unwrap();
    sim.run_until(0.05).unwrap();
    let contacts = sim.contacts();
    let c = &contacts[0];
    assert!(c.grip == Grip::Slip && c.slip.x > 0.5, "{c:?}");
    let rub = c.force - c.normal * c.push();
    assert!((rub + DVec3::X * 0.3 * c.push()).length() < 1e-9 * c.push(), "friction is against the slip");
    assert_eq!((c.unique.push, c.unique.friction), (Some(true), Some(true)));
}

#[test]
fn a_block_that_stands_on_a_slope_sticks_at_every_corner_and_bears_what_statics_says() {
    // Corners below bear more than those above, some of which use up their friction though nothing moves.
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::Extrapolated] {
        let flat = Shape::Box { half_size: DVec3::new(0.2, 0.15, 0.1) };
        let mut setup = on_ground(vec![body("block", flat, DVec3::Z * 0.1, material(0.5, 0.0))], 1.0 / 60.0, 1.0);
        let slope = 0.4_f64.atan();
        setup.integrator = integrator;
        setup.gravity = DVec3::new(slope.sin(), 0.0, -slope.cos()) * G;
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(0.3).unwrap();
        let (contacts, weight) = (sim.contacts(), setup.gravity * sim.state().aggregates[0].mass);
        assert!(contacts.iter().all(|c| c.grip == Grip::Stick), "{integrator:?}: {contacts:?}");
        let (force, centre) = (contacts.iter().map(|c| c.force).sum::<DVec3>(), sim.state().aggregates[0].position);
        let moment: DVec3 = contacts.iter().map(|c| (c.point - centre).cross(c.force)).sum();
        assert!((force + weight).length() < 1e-9 * weight.length(), "{integrator:?}: {force} against {weight}");
        assert!(moment.length() < 1e-9 * weight.length(), "{integrator:?}: {moment}");
    }
}

#[test]
fn rigid_and_soft_bodies_tell_the_same_force_between_them() {
    let soft = BodySetup {
        name: "cushion".into(),
        shape: BodyShape::Box { size: DVec3::new(0.4, 0.4, 0.2), cells: 2 },
        at: DVec3::Z * 0.1,
        material: Material { young: 2e5, damping: 0.3, ..material(0.5, 0.0) },
        ..BodySetup::default()
    };
    let plate = Shape::Box { half_size: DVec3::new(0.3, 0.3, 0.05) };
    let mut setup = on_ground(vec![soft, body("plate", plate, DVec3::Z * 0.25, material(0.5, 0.0))], 1.0 / 240.0, 2.0);
    setup.allow_overlap = true;
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(3.0).unwrap();
    let [cushion, plate, ground] = ["cushion", "plate", "ground"].map(|n| sim.party(n).unwrap());
    let weight = 0.6 * 0.6 * 0.1 * 1000.0 * G;
    let pressed = sim.force_between(plate, cushion).force;
    assert!((pressed.z / weight - 1.0).abs() < 0.02, "{pressed} of {weight}");
    let below = sim.force_between(cushion, ground).force;
    assert!((below.z / (weight + 0.4 * 0.4 * 0.2 * 1000.0 * G) - 1.0).abs() < 0.02, "{below}");
}

#[test]
fn contacts_of_springs_are_read_in_the_same_words() {
    let block = BodySetup { rigid: Vec::new(), at: DVec3::Z * 0.5, ..BodySetup::default() };
    let mut setup = on_ground(vec![block], 1e-3, 1.0);
    (setup.law, setup.step, setup.frame, setup.settle) = (Law::Connections, None, 0.01, true);
    let mut sim = Simulation::new(&setup).unwrap();
    let (block, ground) = (Party::Body(sim.body("body").unwrap()), sim.party("ground").unwrap());
    let weight: f64 = sim.model().elements.mass.iter().sum::<f64>() * G;
    let total = sim.force_between(block, ground);
    assert!((total.force.z / weight - 1.0).abs() < 1e-3, "{total:?} of {weight}");
}

#[test]
fn a_ray_meets_the_nearest_of_shapes_elements_and_ground() {
    let soft = BodySetup {
        name: "soft".into(),
        shape: BodyShape::Box { size: DVec3::splat(0.4), cells: 2 },
        at: DVec3::new(3.0, 0.0, 0.2),
        ..BodySetup::default()
    };
    let mut ball = body("ball", Shape::Sphere { radius: 0.5 }, DVec3::new(0.0, 0.0, 0.5), material(0.5, 0.0));
    ball.rotation = DQuat::from_rotation_x(0.3);
    let mut sim = Simulation::new(&on_ground(vec![ball, soft], 1e-3, 1.0)).unwrap();
    let mut meets = |origin: DVec3, direction: DVec3| sim.cast_ray(origin, direction, 100.0);
    let hit = meets(DVec3::new(0.0, 0.0, 3.0), -DVec3::Z * 7.0).unwrap();
    assert!((hit.distance - 2.0).abs() < 1e-12 && (hit.normal - DVec3::Z).length() < 1e-12, "{hit:?}");
    assert_eq!(hit.what, Party::Body(kreisel::model::BodyId(0)));
    let ground = meets(DVec3::new(1.5, 0.0, 3.0), -DVec3::Z).unwrap();
    assert!(matches!(ground.what, Party::Obstacle(_)) && ground.point.z.abs() < 1e-12, "{ground:?}");
    let side = meets(DVec3::new(1.0, 0.0, 0.2), DVec3::X).unwrap();
    assert!(side.element.is_some() && (side.point.x - 2.8).abs() < 1e-9, "{side:?}");
    // Between the elements there is the skin.
    let between = meets(DVec3::new(3.1, 0.1, 5.0), -DVec3::Z).unwrap();
    assert!(between.element.is_some() && (between.point.z - 0.4).abs() < 1e-9, "{between:?}");
    for size in [1e-200, 1.0, 1e200] {
        let side = meets(DVec3::new(0.0, 3.0, 0.5), -DVec3::Y * size).unwrap();
        assert!((side.distance - 2.5).abs() < 1e-12, "{size}: {side:?}");
    }
    assert_eq!(meets(DVec3::new(0.0, 0.0, 3.0), DVec3::Z), None);
    assert_eq!(meets(DVec3::new(0.0, 0.0, 3.0), DVec3::ZERO), None);
    assert_eq!(meets(DVec3::splat(f64::NAN), DVec3::Z), None);
    assert_eq!(sim.cast_ray(DVec3::new(0.0, 0.0, 3.0), -DVec3::Z, 1.0), None);
}

#[test]
fn a_ray_through_a_corner_or_an_edge_of_a_skin_meets_it_there() {
    let soft = BodySetup {
        name: "soft".into(),
        shape: BodyShape::Box { size: DVec3::new(0.4, 0.5, 0.6), cells: 3 },
        at: DVec3::Z * 2.0,
        rotation: DQuat::from_scaled_axis(DVec3::new(0.3, 0.5, 0.7)),
        spin: DVec3::new(3.0, 5.0, -4.0),
        material: Material { young: 2e4, ..material(0.5, 0.0) },
        ..BodySetup::default()
    };
    let mut sim = Simulation::new(&on_ground(vec![soft], 1e-3, 1.0)).unwrap();
    sim.run_until(0.3).unwrap();
    let skin = kreisel::readout::skin::pose(sim.model(), &sim.model().skins[0], &sim.state().position, &[]);
    let middle = skin.vertices.iter().sum::<DVec3>() / skin.vertices.len() as f64;
    let mut meets = |place: DVec3| {
        // Every triangle of a bent block is seen from outside along the way from its middle; spheres at corners may look out a little.
        let outwards = (place - middle).normalize();
        let hit = sim.cast_ray(place + outwards * 0.7, -outwards, 10.0);
        assert!(hit.is_some_and(|h| h.distance > 0.699 && h.distance < 0.7 + 1e-12), "{place}: {hit:?}");
    };
    for t in &skin.triangles {
        let [a, b, c] = t.map(|v| skin.vertices[v as usize]);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            meets(from);
            meets(0.5 * (from + to));
        }
    }
}

#[test]
fn a_ball_that_lands_and_leaves_is_told_once_each() {
    let ball = body("ball", Shape::Sphere { radius: 0.1 }, DVec3::Z * 0.3, material(0.0, 0.9));
    let mut sim = Simulation::new(&on_ground(vec![ball], 1e-3, 1.0)).unwrap();
    let events = sim.run_until(0.35).unwrap();
    let words: Vec<&str> = events.iter().map(|e| e.kind.word()).collect();
    assert_eq!(words, ["touch", "part"], "{events:?}");
    let EventKind::Touch { first, second } = &events[0].kind else { unreachable!() };
    assert_eq!((first.as_str(), second.as_str()), ("ball", "ground"));
    assert!((events[0].time - (2.0 * 0.2 / G).sqrt()).abs() < 2e-3, "{}", events[0]);
}

/// The events of bodies without weight in an integrator, until a time.
fn events_of(bodies: Vec<BodySetup>, integrator: Integrator, until: f64) -> Vec<Event> {
    let mut setup = on_ground(bodies, 1e-3, 1.0);
    (setup.integrator, setup.gravity) = (integrator, DVec3::ZERO);
    Simulation::new(&setup).unwrap().run_until(until).unwrap()
}

const INTEGRATORS: [Integrator; 4] =
    [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::Extrapolated, Integrator::BackwardEuler];

#[test]
fn a_touch_tells_the_energy_of_the_approach_and_a_parting_the_place() {
    for (integrator, e) in INTEGRATORS.into_iter().flat_map(|i| [(i, 0.0), (i, 0.5)]) {
        let ball = |name: &str, radius: f64, x: f64| {
            body(name, Shape::Sphere { radius }, DVec3::new(x, 0.0, 1.0), material(0.0, e))
        };
        let mut bodies = vec![ball("struck", 0.2, 0.0), ball("striking", 0.1, 0.5)];
        bodies[1].velocity = DVec3::new(-3.0, 0.0, 0.0);
        let mass = |r: f64| 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * r * r * r;
        let common = mass(0.1) * mass(0.2) / (mass(0.1) + mass(0.2));
        let events = events_of(bodies, integrator, 0.3);
        assert_eq!(events[0].kind.word(), "touch", "{integrator:?}");
        assert!((events[0].energy / (0.5 * common * 9.0) - 1.0).abs() < 1e-6, "{integrator:?}: {}", events[0].energy);
        // The struck ball has moved a little by the time at which the other leaves it.
        let place = events.iter().find(|e| e.kind.word() == "part").map(|e| e.place);
        let near = |p: DVec3| (p - DVec3::new(0.2, 0.0, 1.0)).length() < 5e-3;
        assert!(e == 0.0 || place.is_some_and(near), "{integrator:?}: {place:?}");
    }
}

#[test]
fn a_box_that_lands_flat_touches_with_all_of_its_energy_and_one_that_lands_on_a_corner_with_a_part() {
    let half_size = DVec3::new(0.2, 0.3, 0.1);
    let land = |rotation: DQuat, integrator: Integrator| {
        let mut block = body("block", Shape::Box { half_size }, DVec3::Z * 0.5, material(0.0, 0.0));
        (block.rotation, block.velocity) = (rotation, DVec3::Z * -2.0);
        let mass = 8.0 * half_size.element_product() * 1000.0;
        events_of(vec![block], integrator, 0.3)[0].energy / (0.5 * mass * 4.0)
    };
    for integrator in INTEGRATORS {
        let flat = land(DQuat::IDENTITY, integrator);
        assert!((flat - 1.0).abs() < 1e-6, "{integrator:?}: {flat}");
        // On an edge along y: 1/m_eff = 1/m + x²/I with the edge x = (0.2 c − 0.1 s) from the line below the centre.
        let (s, c) = 0.3_f64.sin_cos();
        let (arm, inertia) = (0.2 * c - 0.1 * s, (0.2 * 0.2 + 0.1 * 0.1) / 3.0);
        let edge = land(DQuat::from_rotation_y(0.3), integrator);
        assert!((edge * (1.0 + arm * arm / inertia) - 1.0).abs() < 1e-2, "{integrator:?}: {edge}");
    }
}

#[test]
fn a_ball_of_elements_that_leaves_the_ground_parts_from_it_on_the_ground() {
    let ball = BodySetup { at: DVec3::new(2.0, 3.0, 0.7), velocity: DVec3::Z * -2.0, ..BodySetup::default() };
    let mut setup = on_ground(vec![ball], 1e-3, 1.0);
    (setup.law, setup.step, setup.frame) = (Law::Connections, None, 0.01);
    let events = Simulation::new(&setup).unwrap().run_until(1.0).unwrap();
    let place = events.iter().find(|e| e.kind.word() == "part").unwrap().place;
    assert!(place.z.abs() < 1e-9 && (place - DVec3::new(2.0, 3.0, 0.0)).length() < 1.0, "{place}");
}

#[test]
fn probes_read_what_contacts_push_exact_bodies_with() {
    let block = |name: &str, side: f64, z: f64| {
        body(name, Shape::Box { half_size: DVec3::splat(0.5 * side) }, DVec3::Z * z, material(0.6, 0.0))
    };
    let mut sim = at_rest(vec![block("below", 0.7, 0.35), block("above", 0.3, 0.85)]);
    let forces = sim.forces();
    for (body, a) in sim.model().bodies.iter().zip(&sim.state().aggregates) {
        let sum = |field: &Vectors| body.elements.iter().map(|&e| field.get(e as usize)).sum::<DVec3>();
        let (weight, felt) = (DVec3::Z * a.mass * G, sum(&forces.contact));
        assert!((felt - weight).length() < 1e-4 * weight.z, "{} is borne by {felt}", body.name);
    }
}

/// The sum of a field over all elements.
fn sum(field: &Vectors) -> DVec3 {
    (0..field.len()).map(|i| field.get(i)).sum()
}

#[test]
fn the_forces_on_what_rests_or_hangs_are_in_balance_and_on_what_falls_its_weight() {
    let mut sim = at_rest(vec![table(&[(0.4, 0.4), (-0.4, 0.4), (-0.4, -0.4), (0.4, -0.4)])]);
    let weight = sim.state().aggregates[0].mass * G;
    let forces = sim.forces();
    assert!(sum(&forces.total).length() < 1e-4 * weight, "{}", sum(&forces.total));
    assert!((sum(&forces.contact) - DVec3::Z * weight).length() < 1e-4 * weight, "{}", sum(&forces.contact));
    let ball = body("ball", Shape::Sphere { radius: 0.1 }, DVec3::Z * 5.0, material(0.5, 0.0));
    let mut setup = on_ground(vec![ball], 1.0 / 120.0, 1.0);
    let mut sim = Simulation::new(&setup).unwrap();
    sim.step().unwrap();
    let (weight, falls) = (sim.state().aggregates[0].mass * G, sum(&sim.forces().total));
    assert!((falls + DVec3::Z * weight).length() < 1e-12 * weight, "{falls}");
    setup.joints.push(JointSetup {
        name: "hook".into(),
        a: "ball".into(),
        at: DVec3::Z * 5.0,
        ..JointSetup::default()
    });
    let mut sim = Simulation::new(&setup).unwrap();
    sim.run_until(0.1).unwrap();
    let hangs = sum(&sim.forces().total);
    assert!(hangs.length() < 1e-9 * weight, "{hangs}");
}
