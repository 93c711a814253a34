//! Skins: exact for rigid and affine motion, forces keep momentum, normals right.
#![allow(clippy::unwrap_used)]

#[path = "skin/bodies.rs"]
mod bodies;

use bodies::{box_model, model_of, moved, solid_model, sphere, torus};
use kreisel::discretize::{bind, box_lattice};
use kreisel::linear::Vectors;
use kreisel::model::{Material, Skin};
use kreisel::readout::skin::pose;
use kreisel::{DMat3, DQuat, DVec3};

/// A sphere in a block of soft cells, the block one cell short of it on one side.
fn bound_sphere(across: u32) -> (kreisel::model::Model, Skin) {
    let matter = box_lattice(DVec3::new(1.0, 0.9, 1.1), across, &Material::default()).unwrap();
    let cell = 0.9 / f64::from(across);
    let surface = sphere(DVec3::new(0.02, -0.01, 0.0), 0.45 + 0.5 * cell, 3);
    let skin = bind(&surface, &matter, cell).unwrap();
    (model_of(&matter), skin)
}

#[test]
fn weights_add_up_to_one_reproduce_the_vertex_and_are_small() {
    for across in [3, 6, 11] {
        let (model, skin) = bound_sphere(across);
        assert_eq!(skin.bindings.len(), skin.rest.len());
        assert!(skin.rest.starts_with(&skin.surface.vertices));
        for (v, place) in skin.positions(&model.elements.rest).into_iter().enumerate() {
            let sum: f64 = skin.bindings.of(v).map(|(_, w)| w).sum();
            let size: f64 = skin.bindings.of(v).map(|(_, w)| w.abs()).sum();
            let count = skin.bindings.of(v).count();
            assert!((sum - 1.0).abs() < 1e-12 && place.distance(skin.rest[v]) < 1e-12, "vertex {v}: {sum} {place}");
            assert!(size < 3.0 && (1..=24).contains(&count), "vertex {v}: Σ|φ| = {size} over {count} elements");
        }
    }
}

#[test]
fn a_skin_follows_rigid_and_affine_motion_and_its_normals_turn_with_it() {
    let (model, skin) = bound_sphere(6);
    let at_rest = pose(&model, &skin, &model.elements.rest, &[]);
    let turn = DMat3::from_quat(DQuat::from_scaled_axis(DVec3::new(0.4, -1.3, 2.0)));
    let shear = DMat3::from_cols(DVec3::new(1.3, 0.2, 0.0), DVec3::new(-0.4, 0.8, 0.1), DVec3::new(0.3, 0.0, 1.1));
    let shift = DVec3::new(0.3, -0.7, 0.2);
    for f in [turn, shear] {
        let x = moved(&model.elements.rest, |p| f * p + shift);
        let now = pose(&model, &skin, &x, &[]);
        for v in 0..now.vertices.len() {
            let expected = f * at_rest.vertices[v] + shift;
            assert!(now.vertices[v].distance(expected) < 1e-12, "vertex {v}");
            let normal = (f.inverse().transpose() * at_rest.normals[v]).normalize();
            assert!(now.normals[v].distance(normal) < 1e-11, "normal {v}: {} {normal}", now.normals[v]);
        }
    }
}

#[test]
fn normals_of_a_sphere_are_radial_and_those_of_a_box_are_its_axes() {
    let (model, skin) = bound_sphere(6);
    let round = pose(&model, &skin, &model.elements.rest, &[]);
    assert_eq!(round.vertices.len(), skin.rest.len(), "a sphere has no sharp edges");
    for (x, n) in round.vertices.iter().zip(&round.normals) {
        assert!((*x - DVec3::new(0.02, -0.01, 0.0)).normalize().dot(*n) > 0.99);
    }
    let model = box_model(DVec3::new(2.0, 1.0, 1.0), 2);
    let square = pose(&model, &model.skins[0], &model.elements.rest, &[]);
    // 5×3×3 corners: 8 of three sides, 4·(3+1+1) on edges of two.
    assert_eq!(square.vertices.len(), model.skins[0].rest.len() + 8 * 2 + 4 * (3 + 1 + 1));
    for (x, n) in square.vertices.iter().zip(&square.normals) {
        assert!((n.abs().max_element() - 1.0).abs() < 1e-14, "{n} at {x}");
        assert!(
            ((*n * DVec3::new(1.0, 0.5, 0.5)).dot(*x) - (*n * DVec3::new(1.0, 0.5, 0.5)).length_squared()).abs()
                < 1e-12
        );
    }
}

#[test]
fn a_vertex_does_not_ride_on_the_other_leg_however_near_it_is() {
    // A block cut in two from below by removing every connection across the gap: two legs joined at the top.
    let mut matter = box_lattice(DVec3::new(0.5, 0.2, 0.6), 2, &Material::default()).unwrap();
    let x = |e: u32| matter.positions.get(e as usize);
    let crosses = |e: &[u32; 2]| {
        let (a, b) = (x(e[0]), x(e[1]));
        a.z.min(b.z) < 0.05 && (a.x - 0.0) * (b.x - 0.0) < 0.0
    };
    let keep: Vec<usize> = (0..matter.connections.len()).filter(|&c| !crosses(&matter.connections.ends[c])).collect();
    assert!(keep.len() < matter.connections.len());
    matter.connections.class = keep.iter().map(|&c| matter.connections.class[c]).collect();
    matter.connections.ends = keep.iter().map(|&c| matter.connections.ends[c]).collect();
    let leg = sphere(DVec3::new(-0.15, 0.0, -0.2), 0.12, 2);
    let skin = bind(&leg, &matter, 0.1).unwrap();
    for v in 0..skin.rest.len() {
        for (e, _) in skin.bindings.of(v) {
            let at = matter.positions.get(e as usize);
            assert!(at.x < 0.0 || at.z > 0.04, "vertex {} rides on {at}", skin.rest[v]);
        }
    }
}

#[test]
fn forces_on_the_skin_keep_momentum_angular_momentum_and_power_in_any_deformed_state() {
    let (model, skin) = bound_sphere(5);
    let bent = |p: DVec3| p + DVec3::new(0.3 * (4.0 * p.y).sin(), 0.2 * p.x * p.z, (3.0 * p.x).cos());
    let x = moved(&model.elements.rest, bent);
    let v = moved(&model.elements.rest, |p| DVec3::new(p.z.sin(), 5.0 * p.x * p.y, p.y - 2.0));
    let place = skin.positions(&x);
    for vertex in (0..skin.rest.len()).step_by(7) {
        let force = DVec3::new(3.0, -1.0 - vertex as f64 * 1e-3, 2.0);
        let mut f = Vectors::zeros(model.elements.len());
        skin.bindings.spread(vertex, force, &mut f);
        let total = (0..f.len()).fold(DVec3::ZERO, |s, e| s + f.get(e));
        let moment = (0..f.len()).fold(DVec3::ZERO, |s, e| s + x.get(e).cross(f.get(e)));
        assert!((total - force).length() < 1e-12);
        assert!((moment - place[vertex].cross(force)).length() < 1e-12);
        assert!((f.dot(&v) - force.dot(skin.bindings.gather(vertex, &v))).abs() < 1e-12);
    }
}

#[test]
fn the_skins_of_solids_are_their_surfaces_wherever_the_body_stands() {
    let shift = DVec3::new(3.0, -2.0, 7.0);
    let turn = DQuat::from_scaled_axis(DVec3::new(1.0, 0.3, -0.6));
    for surface in [sphere(DVec3::ZERO, 0.5, 4), torus(0.6, 0.15, 60, 24)] {
        let model = solid_model(surface.clone(), 8, shift, turn);
        let skin = &model.skins[0];
        for (v, place) in skin.positions(&model.elements.rest).into_iter().enumerate() {
            assert!(place.distance(skin.rest[v]) < 1e-12, "vertex {v} is off by {}", place.distance(skin.rest[v]));
            let size: f64 = skin.bindings.of(v).map(|(_, w)| w.abs()).sum();
            assert!(size < 3.0, "vertex {v}: Σ|φ| = {size}");
        }
        for (given, placed) in surface.vertices.iter().zip(&skin.rest) {
            assert!((shift + turn * *given).distance(*placed) < 1e-14);
        }
        let squeeze = DMat3::from_diagonal(DVec3::new(1.2, 0.7, 1.1));
        let now = pose(&model, skin, &moved(&model.elements.rest, |p| squeeze * p), &[]);
        let expected = squeeze.determinant() * surface.volume();
        assert!((bodies::volume(&now) - expected).abs() < 1e-11, "{} {expected}", bodies::volume(&now));
    }
}

#[test]
fn surfaces_that_make_no_sense_are_refused_with_the_facts() {
    let matter = box_lattice(DVec3::ONE, 2, &Material::default()).unwrap();
    let mut surface = sphere(DVec3::ZERO, 0.4, 1);
    assert!(bind(&surface, &matter, 0.0).unwrap_err().to_string().contains("0 m wide"));
    surface.triangles[3] = [0, 1, 99_999];
    assert!(bind(&surface, &matter, 0.5).unwrap_err().to_string().contains("triangle 3"));
    surface.vertices[5].y = f64::NAN;
    assert!(bind(&surface, &matter, 0.5).unwrap_err().to_string().contains("vertex 5"));
}

#[test]
fn the_number_of_threads_does_not_change_a_bit() {
    let matter = box_lattice(DVec3::ONE, 10, &Material::default()).unwrap();
    let surface = sphere(DVec3::ZERO, 0.5, 6);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| bind(&surface, &matter, 0.1).unwrap())
    };
    assert!(with(1) == with(3));
}
