//! Stacks that stand.

use super::scenes::{body, material, on_ground};
use kreisel::model::shape::Shape;
use kreisel::{DVec3, Simulation};

#[test]
fn a_column_of_twenty_boxes_neither_sinks_nor_drifts() {
    let cube = Shape::Box { half_size: DVec3::splat(0.5) };
    let bodies = (0..20)
        .map(|k| body(&format!("box-{k}"), cube.clone(), DVec3::new(0.0, 0.0, 0.5 + f64::from(k)), material(0.5, 0.0)));
    let mut sim = Simulation::new(&on_ground(bodies.collect(), 1.0 / 60.0, 10.0)).unwrap();
    let mut sweeps = 0;
    let clock = std::time::Instant::now();
    for k in 0..600 {
        let report = sim.step().unwrap();
        sweeps += report.contact_sweeps;
        if k % 100 == 0 {
            println!(
                "{k}: {} contacts, {} sweeps, {} newton, residual {:e}",
                report.contacts, report.contact_sweeps, report.newton_iterations, report.contact_residual
            );
        }
        assert_eq!(report.unconverged_contacts, 0, "step {k}: {:e}", report.contact_residual);
    }
    println!("{sweeps} sweeps, {:?}", clock.elapsed());
    for (k, a) in sim.state().aggregates.iter().enumerate() {
        let off = a.position - DVec3::new(0.0, 0.0, 0.5 + k as f64);
        assert!(off.abs().max_element() < 1e-3, "box {k} is off by {off}");
    }
    println!("{:?}", sim.ledger());
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
    let clock = std::time::Instant::now();
    for k in 0..300 {
        let report = sim.step().unwrap();
        if k < 5 || k % 50 == 0 {
            println!(
                "{k}: {} contacts, {} sweeps, {} newton, residual {:e} {:?}",
                report.contacts,
                report.contact_sweeps,
                report.newton_iterations,
                report.contact_residual,
                clock.elapsed()
            );
        }
        assert_eq!(report.unconverged_contacts, 0, "step {k}: {:e}", report.contact_residual);
    }
    let off = sim.state().aggregates.iter().zip(&start).map(|(a, b)| (a.position - *b).length()).fold(0.0, f64::max);
    println!("off by {off:e}, {:?}", clock.elapsed());
    assert!(off < 1e-3);
}

#[test]
fn dominoes_fall() {
    use kreisel::DQuat;
    let tile = Shape::Box { half_size: DVec3::new(0.05, 0.25, 0.5) };
    let mut bodies = Vec::new();
    for k in 0..30 {
        bodies.push(body(&format!("d{k}"), tile.clone(), DVec3::new(0.5 * f64::from(k), 0.0, 0.5), material(0.5, 0.0)));
    }
    bodies[0].rotation = DQuat::from_rotation_y(15f64.to_radians());
    bodies[0].at = DVec3::new(0.13111323123680696, 0.0, 0.4959038653996602);
    let mut sim = Simulation::new(&on_ground(bodies, 1.0 / 120.0, 5.0)).unwrap();
    let clock = std::time::Instant::now();
    for k in 0..600 {
        let report = sim.step().unwrap();
        if report.contact_sweeps > 100 || report.newton_iterations > 10 || k % 100 == 0 {
            println!(
                "{k}: {} contacts, {} sweeps, {} newton, unconverged {} residual {:e} {:?}",
                report.contacts,
                report.contact_sweeps,
                report.newton_iterations,
                report.unconverged_contacts,
                report.contact_residual,
                clock.elapsed()
            );
        }
        if clock.elapsed().as_secs() > 20 {
            break;
        }
    }
}
