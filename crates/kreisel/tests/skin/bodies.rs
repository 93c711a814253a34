//! Bodies and surfaces to try skins on.

use kreisel::DVec3;
use kreisel::build::build;
use kreisel::discretize::Matter;
use kreisel::linear::Vectors;
use kreisel::model::setup::{BodySetup, BodyShape};
use kreisel::model::{Model, Setup, Surface};

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
