//! The scenes of the benchmark: how long a step takes, and what comes out. Not run by default; `PACE=name` chooses one.

use kreisel::model::setup::{BodySetup, BodyShape, Law};
use kreisel::model::shape::{PlacedShape, Shape};
use kreisel::model::{Material, Obstacle, ObstacleShape, Setup};
use kreisel::{DQuat, DVec3, Simulation};

fn body(k: usize, shape: Shape, at: DVec3, rotation: DQuat) -> BodySetup {
    let part = PlacedShape { shape, at: DVec3::ZERO, rotation: DQuat::IDENTITY };
    let (density, friction) = (1000.0, 0.5);
    let material = Material {
        density,
        static_friction: friction,
        dynamic_friction: friction,
        restitution: 0.0,
        ..Material::default()
    };
    let shape = BodyShape::Exact { parts: vec![part], centre: None };
    BodySetup { name: format!("body-{k}"), shape, at, rotation, material, ..BodySetup::default() }
}

fn wall(k: usize, half_size: DVec3, centre: DVec3) -> Obstacle {
    let shape = ObstacleShape::Box { centre, half_size, rotation: DQuat::IDENTITY };
    Obstacle { name: format!("world-{k}"), shape, friction: None, restitution: None }
}

fn scene(name: &str) -> (Setup, usize) {
    let mut obstacles = vec![wall(0, DVec3::new(60.0, 0.5, 20.0), DVec3::new(0.0, -0.5, 0.0))];
    let cube = Shape::Box { half_size: DVec3::splat(0.5) };
    let mut bodies = Vec::new();
    let (step, steps) = match name {
        "stack" => {
            for k in 0..20 {
                let at = DVec3::new(0.0, 0.5 + f64::from(k), 0.0);
                bodies.push(body(bodies.len(), cube.clone(), at, DQuat::IDENTITY));
            }
            (1.0 / 60.0, 600)
        }
        "pyramid" => {
            for row in 0..20 {
                for k in 0..20 - row {
                    let x = 1.1 * (f64::from(k) - 0.5 * f64::from(19 - row));
                    let at = DVec3::new(x, 0.5 + f64::from(row), 0.0);
                    bodies.push(body(bodies.len(), cube.clone(), at, DQuat::IDENTITY));
                }
            }
            (1.0 / 60.0, 300)
        }
        "dominoes" => {
            let half_size = DVec3::new(0.05, 0.5, 0.25);
            for k in 0..200 {
                let mut at = DVec3::new(0.5 * (f64::from(k) - 99.5), 0.5, 0.0);
                let mut turn = DQuat::IDENTITY;
                if k == 0 {
                    let edge = at + DVec3::new(0.05, -0.5, 0.0);
                    turn = DQuat::from_rotation_z(-15_f64.to_radians());
                    at = edge + turn * (at - edge);
                }
                bodies.push(body(bodies.len(), Shape::Box { half_size }, at, turn));
            }
            (1.0 / 120.0, 1200)
        }
        _ => {
            let side = |even: bool| if even { 0.02 } else { -0.02 };
            for n in 0..2000 {
                let (k, i, j) = (n / 100, n / 10 % 10, n % 10);
                let x = 0.28 * (f64::from(i) - 4.5) + side(k % 2 == 0);
                let z = 0.28 * (f64::from(j) - 4.5) + side(k / 2 % 2 == 0);
                let at = DVec3::new(x, 0.2 + 0.25 * f64::from(k), z);
                bodies.push(body(bodies.len(), Shape::Sphere { radius: 0.1 }, at, DQuat::IDENTITY));
            }
            for s in [-1.0, 1.0] {
                obstacles.push(wall(obstacles.len(), DVec3::new(0.5, 3.0, 2.5), DVec3::new(s * 2.0, 3.0, 0.0)));
                obstacles.push(wall(obstacles.len(), DVec3::new(1.5, 3.0, 0.5), DVec3::new(0.0, 3.0, s * 2.0)));
            }
            (1.0 / 60.0, 600)
        }
    };
    let (law, gravity, frame) = (Law::Constraint, DVec3::new(0.0, -9.81, 0.0), step);
    let duration = step * f64::from(steps);
    (Setup { law, gravity, bodies, obstacles, step: Some(step), frame, duration, ..Setup::default() }, steps as usize)
}

/// Processor time of all threads so far [s].
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = text.rsplit(')').next().unwrap_or_default();
    let ticks = after.split_whitespace().skip(11).take(2).filter_map(|n| n.parse::<f64>().ok());
    0.01 * ticks.sum::<f64>()
}

#[test]
#[ignore = "prints times"]
fn pace_of_the_benchmark() {
    let wanted = std::env::var("PACE").unwrap_or_else(|_| "stack,pyramid,dominoes".into());
    for name in wanted.split(',') {
        let (setup, steps) = scene(name);
        let steps = std::env::var("STEPS").ok().and_then(|n| n.parse().ok()).unwrap_or(steps);
        let mut sim = Simulation::new(&setup).unwrap();
        let start: Vec<DVec3> = sim.state().aggregates.iter().map(|a| a.position).collect();
        let mut sums = [0u64; 4];
        let begin = processor_time();
        let mut time = 0.0;
        let mut last = [0u64; 4];
        for k in 0..steps {
            let report = sim.step().unwrap();
            time = processor_time() - begin;
            let now =
                [report.contact_sweeps, report.newton_iterations, report.unconverged_contacts, report.contacts as u64];
            (0..4).for_each(|i| sums[i] += now[i]);
            if (k + 1) % (steps / 12).max(1) == 0 {
                let part: Vec<u64> = (0..4).map(|i| (sums[i] - last[i]) / (steps / 12).max(1) as u64).collect();
                println!(
                    "  {k}: {part:?} residual {:.1e}, {:.3} ms/step so far",
                    report.contact_residual,
                    1e3 * time / (k + 1) as f64
                );
                last = sums;
            }
        }
        let away = || sim.state().aggregates.iter().zip(&start).map(|(a, s)| a.position - *s);
        let sink = away().map(|d| -d.y).fold(0.0, f64::max);
        let drift = away().map(|d| d.x.hypot(d.z)).fold(0.0, f64::max);
        let gap = sim.state().shape_contacts.iter().map(|c| c.gap).fold(0.0, f64::min);
        let l = sim.ledger();
        println!(
            "{name}: {:.4} ms/step, sums {sums:?}, sink {:.3} mm, drift {:.3} mm, deepest {:.3} mm, ledger {l:?}",
            1e3 * time / steps as f64,
            1e3 * sink,
            1e3 * drift,
            -1e3 * gap
        );
    }
}
