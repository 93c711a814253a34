//! Stacks that stand.

use super::scenes::{body, material, on_ground};
use kreisel::model::Setup;
use kreisel::model::setup::{BodySetup, Combine, Integrator};
use kreisel::model::shape::Shape;
use kreisel::{DQuat, DVec3, Simulation};

#[test]
fn a_column_of_twenty_boxes_neither_sinks_nor_drifts() {
    let cube = Shape::Box { half_size: DVec3::splat(0.5) };
    let bodies = (0..20)
        .map(|k| body(&format!("box-{k}"), cube.clone(), DVec3::new(0.0, 0.0, 0.5 + f64::from(k)), material(0.5, 0.0)));
    let mut sim = Simulation::new(&on_ground(bodies.collect(), 1.0 / 60.0, 10.0)).unwrap();
    for k in 0..600 {
        let report = sim.step().unwrap();
        assert_eq!(report.unconverged_contacts, 0, "step {k}: {:e}", report.contact_residual);
    }
    for (k, a) in sim.state().aggregates.iter().enumerate() {
        let off = a.position - DVec3::new(0.0, 0.0, 0.5 + k as f64);
        assert!(off.abs().max_element() < 1e-3, "box {k} is off by {off}");
    }
}

#[test]
fn a_column_of_more_floors_than_a_step_has_turns_stands_in_implicit_steps() {
    let shape = Shape::Box { half_size: DVec3::splat(0.5) };
    let cube = |k: u32| body(&format!("box-{k}"), shape.clone(), DVec3::Z * (0.5 + f64::from(k)), material(0.5, 0.0));
    let setup = on_ground((0..24).map(cube).collect(), 1.0 / 60.0, 1.0);
    let mut sim = Simulation::new(&Setup { integrator: Integrator::BackwardEuler, ..setup }).unwrap();
    for _ in 0..10 {
        let report = sim.step().unwrap();
        assert_eq!((report.retries, report.unconverged_contacts), (0, 0));
    }
    for (k, a) in (0_u32..).zip(&sim.state().aggregates) {
        let off = a.position.distance(DVec3::Z * (0.5 + f64::from(k)));
        assert!(off < 1e-9, "box {k} moved by {off} m");
    }
}

#[test]
fn a_column_that_grows_lighter_upwards_stands_as_still_as_one_of_equal_boxes() {
    // Its contacts are solved by sweeps, which leave little at each of them, and all of it at the top.
    let cube = Shape::Box { half_size: DVec3::splat(0.5) };
    let bodies = (0..20).map(|k| {
        let at = DVec3::new(0.0, 0.0, 0.5 + f64::from(k));
        let mass = Some(0.001_f64.powf(f64::from(k) / 19.0));
        BodySetup { mass, ..body(&format!("box-{k}"), cube.clone(), at, material(0.5, 0.0)) }
    });
    let mut sim = Simulation::new(&on_ground(bodies.collect(), 1.0 / 60.0, 10.0)).unwrap();
    sim.run_until(5.0).unwrap();
    let off = sim.state().aggregates[19].position - DVec3::Z * 19.5;
    assert!(off.length() < 1e-5, "{off}");
}

#[test]
fn columns_that_stand_a_little_askew_stand_still() {
    let spread = |n: u32, step: f64| 2.0 * (f64::from(n + 1) * step).fract() - 1.0;
    for (count, width, most) in [(20, 1.0, 0.02), (20, 0.02, 0.0005), (40, 0.1, 0.002)] {
        let cube = Shape::Box { half_size: DVec3::splat(0.5 * width) };
        let place = |k| DVec3::new(most * spread(k, 0.618), most * spread(k, 0.755), width * (0.5 + f64::from(k)));
        let at: Vec<DVec3> = (0..count).map(place).collect();
        let bodies =
            at.iter().enumerate().map(|(k, at)| body(&format!("box-{k}"), cube.clone(), *at, material(0.5, 0.0)));
        let mut sim = Simulation::new(&on_ground(bodies.collect(), 1.0 / 60.0, 10.0)).unwrap();
        sim.run_until(5.0).unwrap();
        let off = sim.state().aggregates.iter().zip(&at).map(|(a, at)| (a.position - *at).length()).fold(0.0, f64::max);
        assert!(off < 1e-5 * width, "{off} m, {count} boxes of {width} m");
    }
}

#[test]
fn a_pyramid_neither_sinks_nor_spreads() {
    let cube = Shape::Box { half_size: DVec3::splat(0.5) };
    let mut bodies = Vec::new();
    for row in 0..20 {
        for k in 0..20 - row {
            let x = 1.1 * (f64::from(k) - 0.5 * f64::from(19 - row));
            let at = DVec3::new(x, 0.0, 0.5 + f64::from(row));
            bodies.push(body(&format!("box-{row}-{k}"), cube.clone(), at, material(0.5, 0.0)));
        }
    }
    let mut sim = Simulation::new(&on_ground(bodies, 1.0 / 60.0, 5.0)).unwrap();
    let start: Vec<DVec3> = sim.state().aggregates.iter().map(|a| a.position).collect();
    for k in 0..300 {
        let report = sim.step().unwrap();
        assert_eq!(report.unconverged_contacts, 0, "step {k}: {:e}", report.contact_residual);
    }
    let off = sim.state().aggregates.iter().zip(&start).map(|(a, b)| (a.position - *b).length()).fold(0.0, f64::max);
    assert!(off < 1e-3);
}

#[test]
fn a_wave_through_dominoes_settles_at_its_own_speed() {
    // Thickness 0.179 and gap 0.5 of the height, no slip on the table, no friction among them, no bounce: 1.678 √(g h).
    let (thick, pitch, last) = (0.179, 0.679, 34);
    let tile = Shape::Box { half_size: DVec3::new(0.5 * thick, 0.15, 0.5) };
    let place = |k: u32| DVec3::new(pitch * f64::from(k), 0.0, 0.5);
    let mut bodies: Vec<_> =
        (0..=last + 4).map(|k| body(&format!("domino-{k}"), tile.clone(), place(k), material(0.0, 0.0))).collect();
    // The first one turns about its lower edge.
    let turn = DVec3::Y * 2.0;
    (bodies[0].spin, bodies[0].velocity) = (turn, turn.cross(DVec3::new(-0.5 * thick, 0.0, 0.5)));
    let mut setup = on_ground(bodies, 2e-3, 10.0);
    setup.obstacles[0].friction = Some((10.0, 10.0));
    setup.contact.friction = Combine::Maximum;
    let mut sim = Simulation::new(&setup).unwrap();
    let mut starts = Vec::new();
    while starts.len() <= last as usize && sim.time() < 10.0 {
        sim.step().unwrap();
        while starts.len() <= last as usize && sim.state().aggregates[starts.len()].spin().y > 0.05 {
            starts.push(sim.time());
        }
    }
    assert!(starts.len() > last as usize, "the wave stopped after {} dominoes", starts.len());
    let speed = f64::from(last - 19) * pitch / (starts[last as usize] - starts[19]);
    let expected = 1.678 * 9.81_f64.sqrt();
    assert!((speed / expected - 1.0).abs() < 0.02, "{speed} of {expected}");
}

#[test]
fn what_is_a_thousand_or_a_million_times_as_heavy_rests_on_light_boxes_in_second_order_steps() {
    // Sweeps that close gaps and stop points carry a share of one to the ratio each; what they left grew until the stack fell.
    let cube = Shape::Box { half_size: DVec3::splat(0.5) };
    for (top, h) in [(1e3, 1.0 / 60.0), (1e3, 1.0 / 240.0), (1e6, 1.0 / 60.0)] {
        let boxes = [1.0, 1.0, top].into_iter().enumerate().map(|(k, mass)| {
            let at = DVec3::Z * (0.5 + k as f64);
            BodySetup { mass: Some(mass), ..body(&format!("box-{k}"), cube.clone(), at, material(0.5, 0.0)) }
        });
        let setup = Setup { integrator: Integrator::VelocityVerlet, ..on_ground(boxes.collect(), h, 1.0) };
        let mut sim = Simulation::new(&setup).unwrap();
        while sim.time() < 1.0 {
            assert_eq!(sim.step().unwrap().unconverged_contacts, 0, "{top} kg, {h} s");
        }
        for (k, a) in sim.state().aggregates.iter().enumerate() {
            let off = a.position - DVec3::Z * (0.5 + k as f64);
            assert!(off.length() < 1e-5, "box {k} under {top} kg at {h} s is off by {off}");
        }
        // Nothing moves: nothing is lost, and nothing comes from nowhere, but what gaps of 10⁻¹¹ m are worth.
        let l = sim.ledger();
        let gone = l.contact_loss.abs().max(l.friction_loss.abs()).max(l.residual.abs());
        assert!(gone < 1e-11 * (top + 2.0) * 9.81, "{gone} J under {top} kg");
    }
}

#[test]
fn an_egg_that_rocks_without_friction_books_nothing_twice() {
    // Steps let it sink by a tenth of a micrometre, and it is lifted again when the next begins: what contact was booked to have
    // lost by the former came back as a residual by the latter, the more the smaller the steps.
    let egg = Shape::Ellipsoid { semi_axes: DVec3::new(0.3, 0.2, 0.1) };
    for h in [4e-3, 1e-3, 2.5e-4] {
        let mut tilted = body("egg", egg.clone(), DVec3::Z * 0.100159851, material(0.0, 0.0));
        tilted.rotation = DQuat::from_rotation_y(0.02);
        let mut sim = Simulation::new(&on_ground(vec![tilted], h, 2.0)).unwrap();
        let start = sim.ledger().kinetic + sim.ledger().gravity;
        sim.run_until(2.0).unwrap();
        let l = sim.ledger();
        let lost = start - (l.kinetic + l.gravity);
        assert!(l.residual.abs() < 1e-11 * l.turnover, "h = {h}: {} J of {} J", l.residual, l.turnover);
        assert!((l.contact_loss - lost).abs() < 1e-11 * l.turnover, "h = {h}: {} J, {lost} J", l.contact_loss);
    }
}
