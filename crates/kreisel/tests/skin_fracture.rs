//! Skins of bodies that break: split along the break, closed on every piece, volumes kept.
#![allow(clippy::unwrap_used)]

#[path = "fracture/bar.rs"]
mod bar;
#[path = "skin/bodies.rs"]
mod bodies;

use bodies::{box_model, model_of, moved, open_edges, solid_model, sphere, torus, volume};
use kreisel::discretize::{bind, box_lattice};
use kreisel::linear::Vectors;
use kreisel::model::{Material, Model};
use kreisel::readout::skin::{SkinPose, WOUND, pose};
use kreisel::{DMat3, DQuat, DVec3, Simulation};

/// Connections between the two sides of the plane `x = at`.
fn across(model: &Model, at: f64) -> Vec<u32> {
    let side = |e: u32| model.elements.rest.x[e as usize] < at;
    let ends = &model.connections.ends;
    (0..ends.len()).filter(|&c| side(ends[c][0]) != side(ends[c][1])).map(|c| c as u32).collect()
}

/// The right side pulled away and turned.
fn pulled_apart(model: &Model, at: f64) -> Vectors {
    let turn = DMat3::from_quat(DQuat::from_scaled_axis(DVec3::new(0.3, 0.5, -0.2)));
    moved(&model.elements.rest, |p| if p.x < at { p } else { turn * p + DVec3::X * 5.0 })
}

/// The triangles on one side of `x = at`.
fn side(pose: &SkinPose, at: f64, left: bool) -> SkinPose {
    let is_there = |t: &[u32; 3]| t.iter().all(|&v| (pose.vertices[v as usize].x < at) == left);
    let triangles: Vec<[u32; 3]> = pose.triangles.iter().copied().filter(is_there).collect();
    SkinPose { triangles, ..pose.clone() }
}

#[test]
fn a_bar_broken_in_two_has_two_closed_skins_whose_volumes_add_up() {
    let model = box_model(DVec3::new(0.5, 0.2, 0.2), 4);
    let skin = &model.skins[0];
    let (cut, x) = (across(&model, 0.12), pulled_apart(&model, 0.12));
    let now = pose(&model, skin, &x, &cut);
    let (left, right) = (side(&now, 2.0, true), side(&now, 2.0, false));
    assert_eq!(left.triangles.len() + right.triangles.len(), now.triangles.len(), "no triangle spans the gap");
    for half in [&left, &right] {
        assert_eq!(open_edges(half), 0);
        let wound = |t: &usize| now.triangle_origin[*t] == WOUND;
        assert!((0..now.triangles.len()).any(|t| wound(&t)));
    }
    // The break runs through the middle of the torn cells: they lie between 0.1 and 0.15 m.
    assert!((volume(&left) - 0.04 * (0.25 + 0.125)).abs() < 1e-12, "{}", volume(&left));
    assert!((volume(&right) - 0.04 * (0.25 - 0.125)).abs() < 1e-12, "{}", volume(&right));
}

#[test]
fn the_wounds_normals_look_out_of_the_piece_and_the_skin_keeps_its_own() {
    let model = box_model(DVec3::new(0.5, 0.2, 0.2), 4);
    let now = pose(&model, &model.skins[0], &model.elements.rest, &across(&model, 0.12));
    for (t, &origin) in now.triangles.iter().zip(&now.triangle_origin) {
        for &v in t {
            let n = now.normals[v as usize];
            assert!((n.abs().max_element() - 1.0).abs() < 1e-9, "{n}");
            assert_eq!(origin == WOUND, n.x.abs() > 0.5 && now.vertices[v as usize].x.abs() < 0.2, "{n}");
        }
    }
}

#[test]
fn a_sphere_in_a_block_of_cells_breaks_into_two_closed_caps() {
    let matter = box_lattice(DVec3::ONE, 8, &Material::default()).unwrap();
    let skin = bind(&sphere(DVec3::ZERO, 0.47, 4), &matter, 0.125).unwrap();
    let model = model_of(&matter);
    let whole = volume(&pose(&model, &skin, &model.elements.rest, &[]));
    let (cut, x) = (across(&model, 0.2), pulled_apart(&model, 0.2));
    let now = pose(&model, &skin, &x, &cut);
    let (left, right) = (side(&now, 2.0, true), side(&now, 2.0, false));
    assert_eq!(left.triangles.len() + right.triangles.len(), now.triangles.len());
    assert_eq!((open_edges(&left), open_edges(&right)), (0, 0));
    assert!((volume(&left) + volume(&right) - whole).abs() < 1e-9 * whole);
    // A cap of height h has the volume π h² (3 r − h)/3; the break is somewhere in the torn layer of cells.
    let cap = |x: f64| std::f64::consts::PI * (0.47 - x).powi(2) * (2.0 * 0.47 + x) / 3.0;
    assert!(volume(&right) < cap(0.125) && volume(&right) > cap(0.25), "{}", volume(&right));
}

#[test]
fn a_ring_broken_across_falls_into_two_closed_halves() {
    let model = solid_model(torus(0.6, 0.15, 90, 36), 8, DVec3::ZERO, DQuat::IDENTITY);
    let (cut, x) = (across(&model, 0.01), pulled_apart(&model, 0.01));
    let now = pose(&model, &model.skins[0], &x, &cut);
    let (left, right) = (side(&now, 2.5, true), side(&now, 2.5, false));
    assert_eq!(left.triangles.len() + right.triangles.len(), now.triangles.len());
    assert_eq!((open_edges(&left), open_edges(&right)), (0, 0));
    let whole = model.skins[0].surface.volume();
    assert!((volume(&left) + volume(&right) - whole).abs() < 1e-9 * whole);
    assert!((volume(&left) / whole - 0.5).abs() < 0.03, "{} of {whole}", volume(&left));
}

#[test]
fn a_crack_opens_the_skin_before_the_body_has_fallen_apart() {
    let model = box_model(DVec3::new(0.6, 0.2, 0.6), 4);
    let z = |c: &u32| model.connections.ends[*c as usize].map(|e| model.elements.rest.z[e as usize]);
    let cut: Vec<u32> = across(&model, 0.02).into_iter().filter(|c| z(c)[0].max(z(c)[1]) > 0.0).collect();
    // A wedge opens about the bottom: the crack gapes by 0.1 m at the top.
    let x = moved(&model.elements.rest, |p| if p.x < 0.02 || p.z < 0.0 { p } else { p + DVec3::X * (p.z / 3.0) });
    let now = pose(&model, &model.skins[0], &x, &cut);
    assert_eq!(open_edges(&now), 0);
    let longest = |wound: bool| {
        let of = |t: usize| (now.triangle_origin[t] == WOUND) == wound;
        let length = |t: usize| {
            let [a, b, c] = now.triangles[t].map(|v| now.vertices[v as usize]);
            (a - b).length().max((b - c).length()).max((c - a).length())
        };
        (0..now.triangles.len()).filter(|&t| of(t)).map(length).fold(0.0, f64::max)
    };
    let cell = 0.05;
    assert!(longest(false) < 2.0 * cell, "skin stretched over the crack: {}", longest(false));
    assert!(longest(true) > cell, "the crack is closed by a wound");
}

#[test]
fn what_is_left_of_a_bar_torn_by_pulling_is_closed_at_every_moment() {
    let mut sim = Simulation::new(&bar::pulled_bar(3)).unwrap();
    for k in 1..=10 {
        sim.run_until(0.02 * f64::from(k)).unwrap();
        let now = pose(sim.model(), &sim.model().skins[0], &sim.state().position, &sim.state().broken);
        assert_eq!(open_edges(&now), 0);
        assert!(now.vertices.iter().chain(&now.normals).all(|x| x.is_finite()));
        let v = volume(&now);
        assert!(v > 0.7 * 0.004 && v < 1.3 * 0.004, "{v} at {} s", sim.time());
    }
    assert!(!sim.state().broken.is_empty());
}
