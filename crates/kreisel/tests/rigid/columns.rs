//! Columns of unlike boxes: what each floor leaves would tilt all above it.

use super::scenes::{body, material, on_ground};
use kreisel::model::setup::{BodySetup, Integrator};
use kreisel::model::shape::Shape;
use kreisel::{DQuat, DVec3, Simulation};

/// Boxes of 40 by 30 cm and three heights, turned, aside of each other, and `gap` apart [m]; the heaviest have `ratio` times the density of
/// the lightest. With the places where they come to rest.
fn column(count: u32, (seed, gap, ratio): (u32, f64, f64)) -> (Vec<BodySetup>, Vec<DVec3>) {
    let noise = |k: u32, step: f64| 2.0 * (f64::from(k + 1 + 97 * seed) * step).fract() - 1.0;
    let mut rest = Vec::new();
    let mut top = 0.0;
    let one = |k: u32| {
        let height = [0.12, 0.17, 0.22][((k * 7 + seed) % 3) as usize];
        let at = DVec3::new(0.006 * noise(k, 0.618), 0.006 * noise(k, 0.755), top + 0.5 * height);
        top += height;
        rest.push(at);
        let shape = Shape::Box { half_size: DVec3::new(0.2, 0.15, 0.5 * height) };
        let density = 300.0 * ratio.powf(0.5 * noise(k, 0.414));
        let fallen = at + DVec3::Z * gap * f64::from(k + 1);
        BodySetup {
            mass: Some(density * 0.12 * height),
            rotation: DQuat::from_rotation_z(0.5 * noise(k, 0.332)),
            ..body(&format!("box-{k}"), shape, fallen, material(0.5, 0.0))
        }
    };
    let bodies = (0..count).map(one).collect();
    (bodies, rest)
}

/// How far the boxes are from their places at the end, upwards or aside [m], and how many islands were not solved.
fn off_at_the_end((bodies, rest): (Vec<BodySetup>, Vec<DVec3>), duration: f64) -> (f64, u64) {
    let mut sim = Simulation::new(&on_ground(bodies, 1.0 / 60.0, duration)).unwrap();
    let mut unsolved = 0;
    while sim.time() < duration {
        unsolved += sim.step().unwrap().unconverged_contacts;
    }
    let off = sim.state().aggregates.iter().zip(&rest).map(|(a, at)| (a.position - *at).length());
    (off.fold(0.0, f64::max), unsolved)
}

#[test]
fn columns_of_boxes_of_unlike_heights_and_densities_stand_still() {
    for (count, seed, ratio) in
        [(20, 1, 1.0), (25, 2, 1.0), (20, 3, 10.0), (25, 4, 10.0), (20, 5, 100.0), (25, 6, 1000.0)]
    {
        let (off, unsolved) = off_at_the_end(column(count, (seed, 0.0, ratio)), 10.0);
        assert!(
            off < 1e-6 && unsolved == 0,
            "{count} boxes, densities over {ratio}: off by {off} m, {unsolved} unsolved"
        );
    }
}

#[test]
fn columns_of_equal_cubes_of_any_size_stand_in_second_order_steps() {
    for (size, step) in
        [(2e-3, 1.0 / 120.0), (2e-3, 1.0 / 60.0), (0.01, 1.0 / 60.0), (0.02, 0.1 / 3.8), (1.0, 1.0 / 60.0)]
    {
        for integrator in [Integrator::VelocityVerlet, Integrator::Extrapolated] {
            let at = |k: u32| DVec3::Z * size * (f64::from(k) + 0.5);
            let cube = |k: u32| {
                let shape = Shape::Box { half_size: DVec3::splat(0.5 * size) };
                BodySetup { mass: Some(1.0), ..body(&format!("cube-{k}"), shape, at(k), material(0.5, 0.0)) }
            };
            let mut setup = on_ground((0..13).map(cube).collect(), step, 0.5);
            setup.integrator = integrator;
            let mut sim = Simulation::new(&setup).unwrap();
            let mut unsolved = 0;
            while sim.time() < 0.5 {
                unsolved += sim.step().unwrap().unconverged_contacts;
            }
            let off =
                (0..).zip(&sim.state().aggregates).map(|(k, a)| (a.position - at(k)).length()).fold(0.0, f64::max);
            assert!(
                off <= 1e-9 * size && unsolved == 0,
                "{integrator:?}, cubes of {size} m in steps of {step} s: off by {off} m, {unsolved} unsolved"
            );
        }
    }
}

#[test]
fn a_column_that_falls_box_on_box_from_small_gaps_comes_to_rest_where_it_stands() {
    // Each box lands flat on the one below, within its edges: nothing pushes it aside, and nothing turns it.
    for (seed, gap, ratio) in [(1, 1e-3, 1.0), (2, 5e-4, 10.0), (3, 1e-3, 10.0), (4, 2e-3, 1.0)] {
        let (off, _) = off_at_the_end(column(20, (seed, gap, ratio)), 8.0);
        assert!(off < 1e-3, "gaps of {gap} m, densities over {ratio}: off by {off} m");
    }
}
