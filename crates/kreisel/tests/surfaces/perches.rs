//! Contact spheres that ride on several elements: forces are gradients, and momenta are kept.
#![allow(clippy::unwrap_used)]

use crate::lab::{self, Scene, error_of_gradient, expect_no_workspace_needed, expect_rubbing_keeps_both_momenta};
use kreisel::model::setup::Gaps;
use kreisel::model::setup::RigidPart;
use kreisel::step;

fn pressed(rigid: Vec<RigidPart>, speed: f64) -> Scene {
    let mut scene = lab::pressed(rigid, speed, Gaps::Spheres);
    lab::perch(&mut scene.model);
    Scene::new(scene.model, scene.state)
}

#[test]
fn the_force_of_perched_spheres_is_the_gradient_of_their_energy() {
    for rigid in [vec![], vec![RigidPart::Whole]] {
        let error = error_of_gradient(pressed(rigid, 0.0));
        assert!(error < 1e-5, "{error}");
    }
}

#[test]
fn perched_soft_and_rigid_bodies_that_rub_keep_both_momenta() {
    for rigid in [vec![], vec![RigidPart::Whole], vec![lab::left_half()]] {
        expect_rubbing_keeps_both_momenta(pressed(rigid, 0.4));
    }
}

#[test]
fn no_workspace_is_needed_to_go_on_with_the_same_bits() {
    expect_no_workspace_needed(|| pressed(vec![lab::left_half()], 0.4), 6, 2e-3);
}

#[test]
fn the_step_is_stable_with_spheres_that_ride_on_light_elements() {
    let Scene { model, state, .. } = pressed(vec![], 0.0);
    let mut heavy = Scene::new(model.clone(), state.clone());
    let before = step::plan(&heavy.model, &heavy.state, &mut heavy.workspace, 1.0).stable_step;
    let mut light = Scene::new(model, state);
    let perched = light.model.perches.elements[1] as usize;
    light.model.elements.mass[perched] *= 0.01;
    let after = step::plan(&light.model, &light.state, &mut light.workspace, 1.0).stable_step;
    assert!(after < 0.2 * before, "{after} against {before}");
}
