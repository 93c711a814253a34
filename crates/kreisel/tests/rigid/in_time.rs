//! Blows that follow on each other, and bodies that are fast: whatever the step, each blow is met when it strikes.

use super::angle::angle;
use super::scenes::{body, material, on_ground};
use kreisel::model::joint::{JointKind, JointSetup};
use kreisel::model::setup::{BodySetup, Fix, Integrator, Load, LoadKind};
use kreisel::model::shape::Shape;
use kreisel::model::{Profile, Region, Setup};
use kreisel::{DQuat, DVec3, Simulation};

const EXPLICIT: [Integrator; 3] = [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::Extrapolated];
const R: f64 = 0.05;

fn in_space(bodies: Vec<BodySetup>, step: f64, integrator: Integrator) -> Setup {
    let setup = on_ground(bodies, step, 1.0);
    Setup { integrator, gravity: DVec3::ZERO, obstacles: Vec::new(), ..setup }
}

fn ball(name: &str, at: DVec3, velocity: DVec3, e: f64) -> BodySetup {
    BodySetup { velocity, ..body(name, Shape::Sphere { radius: R }, at, material(0.0, e)) }
}

#[test]
fn the_last_of_a_row_of_elastic_balls_leaves_with_the_speed_of_the_first_however_many_strike_in_a_step() {
    // Equal balls exchange their velocities, one pair after the other: at 60 Hz the blow passes all gaps of 1 cm in one step.
    for (integrator, step) in EXPLICIT.into_iter().flat_map(|i| [1.0 / 60.0, 1e-3].map(|h| (i, h))) {
        let place = |k: u32| if k == 0 { DVec3::X * -0.2 } else { DVec3::X * (0.11 * f64::from(k)) };
        let speed = |k: u32| if k == 0 { DVec3::X * 5.0 } else { DVec3::ZERO };
        let balls = (0..5).map(|k| ball(&format!("ball-{k}"), place(k), speed(k), 1.0)).collect();
        let mut sim = Simulation::new(&in_space(balls, step, integrator)).unwrap();
        sim.run_until(0.2).unwrap();
        for (k, body) in sim.state().aggregates.iter().enumerate() {
            let due = if k == 4 { 5.0 } else { 0.0 };
            assert!((body.velocity - DVec3::X * due).length() < 1e-9, "{integrator:?}, ball {k}: {}", body.velocity);
        }
    }
}

#[test]
fn a_rack_of_balls_that_is_broken_in_steps_of_8_ms_ends_where_one_does_in_steps_of_1_ms() {
    let rack = |step: f64| {
        let place = |row: u32, k: u32| {
            let (row, k) = (f64::from(row), f64::from(k));
            DVec3::new(0.5 + 0.0875 * row, 0.101 * (k - 0.5 * row), 0.0)
        };
        let mut balls = vec![ball("cue", DVec3::new(0.0, 0.01, 0.0), DVec3::X * 8.0, 1.0)];
        let all = (0..4).flat_map(|row| (0..=row).map(move |k| (row, k)));
        balls.extend(all.map(|(row, k)| ball(&format!("ball-{row}-{k}"), place(row, k), DVec3::ZERO, 1.0)));
        let mut sim = Simulation::new(&in_space(balls, step, Integrator::SymplecticEuler)).unwrap();
        let mut in_time = 0;
        while sim.time() < 0.4 {
            in_time += sim.step().unwrap().steps_in_time;
        }
        assert!((1..20).contains(&in_time), "{in_time} steps of second order");
        sim
    };
    let (fine, coarse) = (rack(1e-3), rack(8e-3));
    let kinetic = coarse.ledger().kinetic / (0.5 * 64.0 * coarse.state().aggregates[0].mass);
    assert!((kinetic - 1.0).abs() < 1e-9, "{kinetic} of the energy is left");
    for (a, b) in fine.state().aggregates.iter().zip(&coarse.state().aggregates) {
        // Blow after blow multiplies what differs between two landings that are found to 1e-10 of a radius.
        assert!((a.position - b.position).length() < 1e-4, "{} and {}", a.position, b.position);
    }
}

#[test]
fn a_row_of_blows_is_met_blow_by_blow_above_a_few_boxes_and_at_once_above_many() {
    // Each blow is a contact problem of all that stands: above forty boxes on four corners each, a step would take as long as hundreds.
    let in_time = |boxes: u32| {
        let half = DVec3::splat(0.1);
        let stands = |k: u32| DVec3::new(f64::from(k), 0.0, half.z);
        let standing =
            |k: u32| body(&format!("box-{k}"), Shape::Box { half_size: half }, stands(k), material(0.5, 0.0));
        let place = |k: u32| DVec3::new(if k == 0 { -0.2 } else { 0.11 * f64::from(k) }, 0.0, 20.0);
        let speed = |k: u32| if k == 0 { DVec3::X * 5.0 } else { DVec3::ZERO };
        let balls = (0..4).map(|k| ball(&format!("ball-{k}"), place(k), speed(k), 1.0));
        let mut sim =
            Simulation::new(&on_ground((0..boxes).map(standing).chain(balls).collect(), 1.0 / 60.0, 1.0)).unwrap();
        (0..8).map(|_| sim.step().unwrap().steps_in_time).sum::<u64>()
    };
    assert!(in_time(4) > 0, "one after the other");
    assert_eq!(in_time(40), 0, "at once");
}

#[test]
fn nobody_passes_another_within_a_step_however_fast_it_is() {
    for integrator in EXPLICIT {
        for (speed, start) in [2.0, 8.0, 64.0].into_iter().flat_map(|s| [0.1, 0.35, 0.6, 0.85].map(|k| (s, k))) {
            // So many times the widths of ball and plate in a step, from so many steps away.
            let (step, thin) = (1.0 / 60.0, 0.01);
            let v = speed * (2.0 * R + thin) / step;
            let plate = Shape::Box { half_size: DVec3::new(1.0, 1.0, 0.5 * thin) };
            let plate = body("plate", plate, DVec3::ZERO, material(0.0, 0.5));
            let bullet = ball("bullet", DVec3::new(0.1, 0.2, -0.3 - start * v * step), DVec3::Z * v, 0.5);
            let mut setup = in_space(vec![plate, bullet], step, integrator);
            let region = Region::Body("plate".into());
            setup.fixes.push(Fix { name: "held".into(), region, axes: [true; 3], motion: None });
            let mut sim = Simulation::new(&setup).unwrap();
            (0..3).for_each(|_| drop(sim.step().unwrap()));
            let back = sim.state().aggregates[1].velocity.z;
            assert!((back / v + 0.5).abs() < 1e-9, "{integrator:?}: {back} m/s after {v} m/s");
        }
    }
}

#[test]
fn two_surfaces_that_meet_at_speed_neither_pass_each_other_nor_stop_time() {
    // They are 0.2 m wide, and the one goes by 0.33 m in a step.
    let mut pair = [0.0, 0.6].map(|x| body(&format!("angle at {x}"), angle(0.1), DVec3::X * x, material(0.0, 0.5)));
    pair[0].velocity = DVec3::X * 20.0;
    let mut sim = Simulation::new(&in_space(pair.to_vec(), 1.0 / 60.0, Integrator::SymplecticEuler)).unwrap();
    (0..6).for_each(|_| drop(sim.step().unwrap()));
    let speed = |k: usize| sim.state().aggregates[k].velocity.x;
    assert!(speed(0) < speed(1), "{} and {} m/s", speed(0), speed(1));
    let before = 20.0 * sim.state().aggregates[0].mass;
    assert!((sim.ledger().momentum.x / before - 1.0).abs() < 1e-9, "{:?}", sim.ledger());
}

#[test]
fn a_rod_that_newtons_law_would_give_energy_bounces_by_poissons() {
    // Struck at its lower end while it turns towards the ground, with μ = 0.2: Newton's law would give 15 % at e = 1.
    for (integrator, e) in EXPLICIT.into_iter().flat_map(|i| [0.95, 1.0].map(|e| (i, e))) {
        let shape = Shape::Capsule { radius: R, half_length: 0.2 };
        let tilt = 0.5 * std::f64::consts::PI - 1.2;
        let low = 0.2 * f64::sin(1.2) + R;
        let mut rod = body("rod", shape, DVec3::Z * (low + 1e-6), material(0.2, e));
        (rod.rotation, rod.velocity) = (DQuat::from_rotation_y(tilt), DVec3::new(0.7, 0.0, -1.5));
        rod.spin = DVec3::Y * -4.0;
        let setup = Setup { gravity: DVec3::ZERO, integrator, ..on_ground(vec![rod], 1.0 / 60.0, 1.0) };
        let mut sim = Simulation::new(&setup).unwrap();
        let before = sim.ledger().kinetic;
        (0..4).for_each(|_| drop(sim.step().unwrap()));
        let share = sim.ledger().kinetic / before;
        assert!(share < 1.0 + 1e-9 && share > 0.7, "{integrator:?}, e = {e}: {share} of its energy");
        assert!(sim.state().aggregates[0].velocity.z > 0.5, "{integrator:?}, e = {e}");
    }
}

#[test]
fn who_sleeps_on_a_plate_wakes_when_that_is_pulled_and_falls_when_it_breaks_off() {
    for integrator in [Integrator::SymplecticEuler, Integrator::Extrapolated] {
        let plate = Shape::Box { half_size: DVec3::new(0.5, 0.5, 0.05) };
        let cube = Shape::Box { half_size: DVec3::splat(0.1) };
        let mut bodies = vec![
            body("plate", plate, DVec3::Z * 50.0, material(0.5, 0.0)),
            body("box", cube, DVec3::Z * 50.15, material(0.5, 0.0)),
        ];
        (bodies[0].mass, bodies[1].mass) = (Some(100.0), Some(10.0));
        let mut setup = Setup { integrator, ..on_ground(bodies, 1.0 / 60.0, 5.0) };
        let (at, kind) = (DVec3::Z * 50.0, JointKind::Fixed);
        setup.joints.push(JointSetup {
            name: "hook".into(),
            kind,
            a: "plate".into(),
            at,
            break_force: 1500.0,
            ..JointSetup::default()
        });
        let kind = LoadKind::Region { region: Region::Body("plate".into()), force: DVec3::Z * -1000.0 };
        setup.loads.push(Load { name: "pull".into(), kind, profile: Profile::Ramp { start: 3.0, end: 4.0 } });
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(2.9).unwrap();
        assert!(sim.is_asleep(sim.body("box").unwrap()), "{integrator:?}");
        // The hook bears 110 kg and the pull: more than 1500 N from 3.4577 s on, where u³ (10 − 15u + 6u²) = 0.4209. It breaks within
        // two steps, and the box falls on its own.
        sim.run_until(4.0).unwrap();
        let fallen = 50.15 - sim.state().aggregates[1].position.z;
        let since = |t: f64| 0.5 * 9.81 * (4.0 - t).powi(2);
        let due = since(3.4577 + 2.0 / 60.0)..since(3.4577);
        assert!(due.contains(&fallen), "{integrator:?}: {fallen} m, not {due:?}");
    }
}

#[test]
fn tumbling_bodies_without_friction_bounce_back_with_all_their_energy_at_any_step() {
    // Two corners strike within a step, and the body has turned by a tenth of a radian when they do: boxes gained and lost a tenth of
    // their energy, and a cylinder a quarter where its rims struck soon after each other.
    let half_size = DVec3::new(0.15, 0.085, 0.055);
    let shapes = [
        Shape::Box { half_size },
        Shape::Ellipsoid { semi_axes: half_size },
        Shape::Cylinder { radius: 0.1, half_length: 0.06 },
        Shape::Cone { radius: 0.1, half_length: 0.1 },
    ];
    for (k, shape) in shapes.into_iter().enumerate() {
        for step in [1.0 / 60.0, 1.0 / 120.0, 1.0 / 240.0, 1e-3] {
            let mut thrown = body("thrown", shape.clone(), DVec3::Z * 0.9, material(0.0, 1.0));
            thrown.rotation = DQuat::from_axis_angle(DVec3::new(0.3, 1.0, 0.2).normalize(), 0.65);
            thrown.velocity = DVec3::X * 0.7;
            let mut sim = Simulation::new(&on_ground(vec![thrown], step, 2.5)).unwrap();
            let energy = |sim: &Simulation| sim.ledger().kinetic + sim.ledger().gravity;
            let start = energy(&sim);
            while sim.time() < 2.5 {
                sim.step().unwrap();
                let share = energy(&sim) / start;
                assert!((share - 1.0).abs() < 1e-3, "shape {k}, h = {step}: {share} at {} s", sim.time());
            }
        }
    }
}
