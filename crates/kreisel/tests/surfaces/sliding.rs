//! Flat surfaces slide without bumps on skins, and not on spheres.
#![allow(clippy::unwrap_used)]

use crate::lab::{Scene, block, scene};
use kreisel::model::Setup;
use kreisel::model::setup::{Gaps, RigidPart};
use kreisel::{DQuat, DVec3};

/// A rigid slider of `cells` cells pressed into a soft table, its lattice turned and shifted against the table's.
fn slider(cells: u32, offset: DVec3, turn: f64, friction: f64, gaps: Gaps) -> Scene {
    let table = block("table", DVec3::new(1.2, 0.8, 0.2), DVec3::new(0.0, 0.0, -0.1), 3);
    let mut slider = block("slider", DVec3::new(0.4, 0.3, 0.2), DVec3::new(0.0, 0.0, 0.1) + offset, cells);
    slider.rotation = DQuat::from_rotation_z(turn);
    slider.rigid = vec![RigidPart::Whole];
    let mut bodies = vec![table, slider];
    for b in &mut bodies {
        (b.material.static_friction, b.material.dynamic_friction) = (friction, friction);
    }
    let mut setup = Setup { bodies, gravity: DVec3::ZERO, ..Setup::default() };
    setup.contact.gaps = gaps;
    scene(&setup)
}

/// Tangential over normal force on the slider.
fn slope(mut scene: Scene) -> f64 {
    let force = scene.forces();
    let own = scene.model.bodies[1].elements.iter();
    let total = own.fold(DVec3::ZERO, |s, &e| s + force.get(e as usize));
    assert!(total.z > 0.0, "it should be pressed: {total}");
    total.truncate().length() / total.z
}

#[test]
fn without_friction_flat_blocks_feel_bumps_of_spheres_but_none_of_skins() {
    let (mut skins, mut spheres) = (0.0f64, 0.0f64);
    for cells in [2, 3, 5] {
        for k in 0..8 {
            let k = f64::from(k);
            // Spheres sink into each other's gaps before they push.
            let at = |depth: f64| DVec3::new(0.013 * k, 0.007 * k, -depth);
            skins = skins.max(slope(slider(cells, at(1e-4), 0.1 * k, 0.0, Gaps::Skins)));
            spheres = spheres.max(slope(slider(cells, at(0.03), 0.1 * k, 0.0, Gaps::Spheres)));
        }
    }
    assert!(skins < 0.005, "{skins}");
    assert!(spheres > 0.05, "{spheres}");
}

/// A slider on a fixed table under gravity.
fn under_gravity(cells: u32, rigid: bool, gravity: DVec3, friction: f64, gaps: Gaps) -> Scene {
    let mut table = block("table", DVec3::new(1.2, 0.8, 0.2), DVec3::new(0.0, 0.0, -0.1), 3);
    table.rigid = vec![RigidPart::Whole];
    let mut slider = block("slider", DVec3::new(0.4, 0.3, 0.2), DVec3::new(-0.211, 0.017, 0.1), cells);
    slider.rotation = DQuat::from_rotation_z(0.2);
    slider.rigid = if rigid { vec![RigidPart::Whole] } else { vec![] };
    let mut bodies = vec![table, slider];
    for b in &mut bodies {
        (b.material.static_friction, b.material.dynamic_friction) = (friction, friction);
    }
    let fix = kreisel::model::setup::Fix {
        name: "table".into(),
        region: kreisel::model::Region::Body("table".into()),
        axes: [true; 3],
        motion: None,
    };
    let mut setup = Setup { bodies, gravity, fixes: vec![fix], ..Setup::default() };
    setup.contact.gaps = gaps;
    scene(&setup)
}

fn centre(scene: &Scene) -> DVec3 {
    let (e, x) = (&scene.model.elements, &scene.state.position);
    let own = scene.model.bodies[1].elements.iter().map(|&i| i as usize);
    let mass: f64 = own.clone().map(|i| e.mass[i]).sum();
    own.fold(DVec3::ZERO, |s, i| s + x.get(i) * e.mass[i]) / mass
}

#[test]
fn a_block_that_rests_on_a_block_does_not_creep() {
    for rigid in [false, true] {
        let mut scene = under_gravity(3, rigid, DVec3::new(2.0, 1.0, -9.0), 0.5, Gaps::Skins);
        (0..30).for_each(|_| scene.step(1.0 / 60.0));
        let before = centre(&scene);
        (0..30).for_each(|_| scene.step(1.0 / 60.0));
        let crept = (centre(&scene) - before).length();
        // The soft block still trembles a little; on spheres it wanders by half a millimetre.
        let tolerated = if rigid { 1e-7 } else { 1e-5 };
        assert!(crept < tolerated, "rigid {rigid}: {crept} m in half a second");
    }
}

#[test]
fn a_block_that_slides_on_a_block_is_held_back_by_friction_and_by_nothing_else() {
    for (rigid, friction) in [(false, 0.2), (true, 0.2), (true, 0.0)] {
        let mut scene = under_gravity(4, rigid, DVec3::new(3.0, 0.0, -9.0), friction, Gaps::Skins);
        (0..12).for_each(|_| scene.step(1.0 / 60.0));
        let before = centre(&scene);
        (0..9).for_each(|_| scene.step(1.0 / 60.0));
        let middle = centre(&scene);
        (0..9).for_each(|_| scene.step(1.0 / 60.0));
        let a = (centre(&scene) - middle * 2.0 + before).x / 0.15f64.powi(2);
        let expected = 3.0 - friction * 9.0;
        assert!((a - expected).abs() < 0.03 * expected, "rigid {rigid}: {a} against {expected} m/s²");
        let residual = scene.state.ledger.relative_residual();
        assert!(residual < 0.01, "rigid {rigid}: {residual}");
    }
}
