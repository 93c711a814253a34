//! Contact spheres that ride on several elements: forces are gradients, and momenta are kept.
#![allow(clippy::unwrap_used)]

use crate::lab::{self, Scene, contact_energy, momenta, waves};
use kreisel::model::setup::Gaps;
use kreisel::model::setup::RigidPart;
use kreisel::step::{self, Workspace};

fn pressed(rigid: Vec<RigidPart>, speed: f64) -> Scene {
    let mut scene = lab::pressed(rigid, speed, Gaps::Spheres);
    lab::perch(&mut scene.model);
    Scene::new(scene.model, scene.state)
}

#[test]
fn the_force_of_perched_spheres_is_the_gradient_of_their_energy() {
    for rigid in [vec![], vec![RigidPart::Whole]] {
        let mut scene = pressed(rigid, 0.0);
        let force = scene.forces();
        let along = waves(&scene);
        let h = 1e-7;
        let slope = (contact_energy(&scene.moved(&along, h)) - contact_energy(&scene.moved(&along, -h))) / (2.0 * h);
        let work = force.dot(&along);
        assert!(work.abs() > 1.0, "they should push: {work}");
        assert!((work + slope).abs() < 1e-5 * work.abs(), "{work} against {}", -slope);
    }
}

#[test]
fn perched_soft_and_rigid_bodies_that_rub_keep_both_momenta() {
    for rigid in [vec![], vec![RigidPart::Whole], vec![lab::left_half()]] {
        let mut scene = pressed(rigid, 0.4);
        let (p, l, scale) = momenta(&scene);
        for _ in 0..10 {
            scene.step(2e-3);
        }
        let (p1, l1, _) = momenta(&scene);
        let ledger = scene.state.ledger;
        assert!(ledger.friction_loss > 1e-4, "they should rub: {ledger:?}");
        assert!((p1 - p).length() < 1e-12 * scale, "P by {}", (p1 - p).length() / scale);
        assert!((l1 - l).length() < 1e-12 * scale, "L by {}", (l1 - l).length() / scale);
        assert!(ledger.relative_residual() < 0.01, "{ledger:?}");
    }
}

#[test]
fn no_workspace_is_needed_to_go_on_with_the_same_bits() {
    let run = |forget: bool| {
        let mut scene = pressed(vec![lab::left_half()], 0.4);
        for _ in 0..6 {
            if forget {
                scene.workspace = Workspace::default();
            }
            scene.step(2e-3);
        }
        scene.state
    };
    assert_eq!(run(false), run(true));
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
