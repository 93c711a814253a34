//! Spheres that stand on skins: forces are gradients, momenta are kept, nothing is overlooked.
#![allow(clippy::unwrap_used)]

use crate::lab::{
    Scene, error_of_gradient, expect_no_workspace_needed, expect_rubbing_keeps_both_momenta, left_half, pressed,
};
use kreisel::DVec3;
use kreisel::contact::closest::closest_on_triangle;
use kreisel::model::Touched;
use kreisel::model::mapping::carry_all;
use kreisel::model::setup::{Gaps, RigidPart};
use kreisel::step;

#[test]
fn the_push_on_a_skin_is_the_gradient_of_its_energy() {
    for rigid in [vec![], vec![RigidPart::Whole], vec![left_half()]] {
        let mut scene = pressed(rigid.clone(), 0.0, Gaps::Skins);
        let error = error_of_gradient(pressed(rigid, 0.0, Gaps::Skins));
        // Towards edges the skin bears less; the slope of its stiffness, of the order of overlap over cell, is left out.
        assert!(error < 5e-3, "{error}");
        let heaviest = scene.model.elements.mass.iter().copied().fold(0.0, f64::max);
        scene.model.elements.mass.iter_mut().for_each(|m| *m = heaviest);
        let error = error_of_gradient(Scene::new(scene.model, scene.state));
        assert!(error < 1e-6, "{error}");
    }
}

#[test]
fn bodies_that_rub_on_each_others_skins_keep_both_momenta() {
    for rigid in [vec![], vec![RigidPart::Whole], vec![left_half()]] {
        expect_rubbing_keeps_both_momenta(pressed(rigid, 0.4, Gaps::Skins));
    }
}

#[test]
fn contacts_are_of_spheres_and_skins_both_ways_and_none_of_two_spheres() {
    let mut scene = pressed(vec![], 0.0, Gaps::Skins);
    scene.step(1e-3);
    let on = |s: u32| scene.state.contacts.iter().filter(|c| c.other == Touched::Skin(s)).count();
    assert!(on(0) > 3 && on(1) > 3, "{} and {}", on(0), on(1));
    assert_eq!(on(0) + on(1), scene.state.contacts.len());
}

#[test]
fn no_workspace_is_needed_to_go_on_with_the_same_bits() {
    expect_no_workspace_needed(|| pressed(vec![left_half()], 2.0, Gaps::Skins), 12, 4e-3);
}

#[test]
fn the_search_finds_the_closest_point_of_all_triangles() {
    let mut scene = pressed(vec![RigidPart::Whole], 0.0, Gaps::Skins);
    let start = scene.state.aggregates[0].clone();
    let mut found = 0;
    for k in 0..60 {
        let k = f64::from(k);
        let body = &mut scene.state.aggregates[0];
        body.position = start.position + DVec3::new(0.3 * (1.3 * k).sin(), 0.2 * k.cos(), 0.02 * (0.7 * k).sin());
        body.orientation = glam_turn(k) * start.orientation;
        carry_all(&mut scene.state);
        found += compare_with_all(&scene);
    }
    assert!(found > 200, "{found} contacts");
}

fn glam_turn(k: f64) -> kreisel::DQuat {
    kreisel::DQuat::from_scaled_axis(DVec3::new((2.1 * k).sin(), (1.7 * k).cos(), (0.9 * k).sin()) * 0.8)
}

/// Compares the search with a look at every triangle; returns how many contacts there are.
fn compare_with_all(scene: &Scene) -> usize {
    let mut state = scene.state.clone();
    let feet = step::feet(&scene.model, &mut state);
    let topology = kreisel::model::Topology::new(&scene.model, &state);
    let mut found = 0;
    for &i in &topology.touching {
        let sphere = kreisel::contact::touch::Touch::new(&scene.model, i, topology.leans(i), &state.position);
        for (s, skin) in scene.model.skins.iter().enumerate() {
            if scene.model.elements.body[i as usize] == skin.body {
                continue;
            }
            let places = skin.positions(&state.position);
            let distance = |t: &[u32; 3]| {
                let corners = t.map(|v| places[v as usize]);
                let beta = closest_on_triangle(sphere.centre, corners);
                (corners[0] * beta[0] + corners[1] * beta[1] + corners[2] * beta[2]).distance(sphere.centre)
            };
            let nearest = skin.triangles.iter().map(distance).fold(f64::INFINITY, f64::min);
            let foot = feet.iter().find(|(e, f)| *e == i && f.skin == s as u32);
            if nearest < scene.model.elements.radius[i as usize] * 0.999 {
                found += 1;
                assert!((foot.unwrap().1.distance.abs() - nearest).abs() < 1e-12);
            }
        }
    }
    found
}

#[test]
fn a_centre_beyond_the_surface_is_pushed_back_outwards() {
    let mut scene = pressed(vec![RigidPart::Whole], 0.0, Gaps::Skins);
    // The spheres of the lower block have a radius of 0.05 m: now their centres are inside the upper block.
    scene.state.aggregates[0].position.z -= 0.06;
    carry_all(&mut scene.state);
    let feet = step::feet(&scene.model, &mut scene.state);
    let low = feet.iter().filter(|(_, f)| f.skin == 1 && f.distance < 0.0);
    let normals: Vec<DVec3> = low.map(|(_, f)| f.normal).collect();
    assert!(normals.len() > 4, "{}", normals.len());
    assert!(normals.iter().all(|n| n.z < -0.9), "{normals:?}");
}
