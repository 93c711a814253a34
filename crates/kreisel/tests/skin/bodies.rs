//! Bodies and surfaces to try skins on.
#![allow(dead_code)]

use kreisel::build::build;
use kreisel::discretize::Matter;
use kreisel::linear::Vectors;
use kreisel::model::setup::{BodySetup, BodyShape, Resolution};
use kreisel::model::{Model, Setup, Surface};
use kreisel::readout::skin::SkinPose;
use kreisel::{DQuat, DVec3};

/// A sphere: an octahedron whose triangles are cut in four again and again.
pub fn sphere(centre: DVec3, radius: f64, times: u32) -> Surface {
    let mut vertices = vec![DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
    let mut triangles: Vec<[u32; 3]> =
        vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
    for _ in 0..times {
        let mut known = std::collections::BTreeMap::new();
        let mut finer = Vec::new();
        for [a, b, c] in triangles {
            let mut middle = |p: u32, q: u32| {
                *known.entry((p.min(q), p.max(q))).or_insert_with(|| {
                    vertices.push((vertices[p as usize] + vertices[q as usize]).normalize());
                    vertices.len() as u32 - 1
                })
            };
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    let vertices = vertices.into_iter().map(|v| centre + radius * v).collect();
    Surface { vertices, triangles, ..Surface::default() }
}

/// A torus about the z axis: `around` by `along` quadrilaterals cut in two.
pub fn torus(large: f64, small: f64, around: u32, along: u32) -> Surface {
    let at = |i: u32, j: u32| {
        let angle = |k: u32, n: u32| std::f64::consts::TAU * f64::from(k) / f64::from(n);
        let ((s, c), (t, d)) = (angle(i, around).sin_cos(), angle(j, along).sin_cos());
        DVec3::new((large + small * d) * c, (large + small * d) * s, small * t)
    };
    let vertices = (0..around).flat_map(|i| (0..along).map(move |j| at(i, j))).collect();
    let number = |i: u32, j: u32| (i % around) * along + j % along;
    let quad = |i: u32, j: u32| {
        let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    let triangles = (0..around).flat_map(|i| (0..along).flat_map(move |j| quad(i, j))).collect();
    Surface { vertices, triangles, ..Surface::default() }
}

/// A solid as a scene makes it.
pub fn solid_model(surface: Surface, across: u32, at: DVec3, rotation: DQuat) -> Model {
    let shape = BodyShape::Solid { surface: surface.into(), resolution: Resolution::CellsAcross(across) };
    let body = BodySetup { shape, at, rotation, ..BodySetup::default() };
    build(&Setup { bodies: vec![body], ..Setup::default() }).unwrap().0
}

/// The elements and connections of a body as a model.
pub fn model_of(matter: &Matter) -> Model {
    let mut model = Model::default();
    model.elements.rest = matter.positions.clone();
    model.elements.mass = matter.masses.clone();
    model.connections = matter.connections.clone();
    model
}

/// A box as a scene makes it.
pub fn box_model(size: DVec3, cells: u32) -> Model {
    let body = BodySetup { shape: BodyShape::Box { size, cells }, ..BodySetup::default() };
    build(&Setup { bodies: vec![body], ..Setup::default() }).unwrap().0
}

/// All positions moved by a function.
pub fn moved(x: &Vectors, f: impl Fn(DVec3) -> DVec3) -> Vectors {
    let mut y = Vectors::default();
    (0..x.len()).for_each(|e| y.push(f(x.get(e))));
    y
}

/// Volume inside a closed surface [m³].
pub fn volume(pose: &SkinPose) -> f64 {
    let at = |v: u32| pose.vertices[v as usize];
    let origin = pose.triangles.first().map_or(DVec3::ZERO, |t| at(t[0]));
    let sixfold = |t: &[u32; 3]| (at(t[0]) - origin).dot((at(t[1]) - origin).cross(at(t[2]) - origin));
    pose.triangles.iter().map(sixfold).sum::<f64>() / 6.0
}

/// Number of edges that no triangle runs through the other way; vertices at the same place count as one.
pub fn open_edges(pose: &SkinPose) -> usize {
    let mut balance = std::collections::BTreeMap::new();
    let key = |v: u32| pose.vertices[v as usize].to_array().map(f64::to_bits);
    for t in &pose.triangles {
        for k in 0..3 {
            let (a, b) = (key(t[k]), key(t[(k + 1) % 3]));
            *balance.entry((a.min(b), a.max(b))).or_insert(0) += if a < b { 1 } else { -1 } * i32::from(a != b);
        }
    }
    balance.values().filter(|&&n| n != 0).count()
}
