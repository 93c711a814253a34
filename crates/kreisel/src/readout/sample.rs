//! A small lattice made by hand, cell by cell, for the tests of what is read.

use crate::linear::Vectors;
use crate::linear::eigen::{inertia_of_point, principal_frame};
use crate::model::{
    Aggregate, Body, BodyId, Cell, ConnectionClass, Elements, FREE, Material, MaterialId, Model, Origin, State,
};
use glamx::{DMat3, DVec3};
use std::collections::BTreeMap;

/// Side of a cell [m].
pub const SIDE: f64 = 0.5;

/// Cells of side [`SIDE`] from the origin: `k/4` on each edge, `k/2` on each face diagonal, `k = μ a`, `ρ a³/8` on each
/// corner, and the volume term `λ − μ`, for the default material with another Poisson's ratio.
pub fn lattice(cells: [u32; 3], poisson: f64) -> Model {
    let material = Material { poisson, ..Material::default() };
    let counts = cells.map(|n| n + 1);
    let number = |p: [u32; 3]| p[0] + counts[0] * (p[1] + counts[1] * p[2]);
    let n = (counts[0] * counts[1] * counts[2]) as usize;
    let mut model = Model { elements: corners_of(counts), ..Model::default() };
    let (mu, lambda) = moduli(&material);
    let mut springs: BTreeMap<[u32; 2], f64> = BTreeMap::new();
    for c in 0..cells[0] * cells[1] * cells[2] {
        let low = [c % cells[0], c / cells[0] % cells[1], c / cells[0] / cells[1]];
        let corners: [u32; 8] = std::array::from_fn(|b| number(std::array::from_fn(|i| low[i] + (b as u32 >> i & 1))));
        for (a, b) in (0..8u32).flat_map(|a| (a + 1..8).map(move |b| (a, b))) {
            let share = [0.25, 0.5, 0.0][(a ^ b).count_ones() as usize - 1];
            *springs.entry([corners[a as usize], corners[b as usize]]).or_default() += share * mu * SIDE;
        }
        for e in corners {
            model.elements.mass[e as usize] += material.density * SIDE.powi(3) / 8.0;
        }
        model.cells.push(Cell { corners, sides: [SIDE; 3], modulus: lambda - mu });
    }
    for (ends, stiffness) in springs.into_iter().filter(|s| s.1 > 0.0) {
        let [a, b] = ends.map(|e| model.elements.rest.get(e as usize));
        let class =
            ConnectionClass { stiffness, rest_length: a.distance(b), damping: 0.0, break_length: f64::INFINITY };
        model.connections.ends.push(ends);
        model.connections.class.push(model.connections.classes.len() as u32);
        model.connections.classes.push(class);
    }
    model.materials.push(material);
    model.bodies.push(Body {
        name: "block".into(),
        elements: (0..n as u32).collect(),
        automatic: false,
        quasi_static: false,
        contact: true,
        coincident_spheres: 1,
        cell_side: None,
        fidelity: None,
    });
    model
}

/// Lamé's `μ` and `λ` [Pa].
pub fn moduli(m: &Material) -> (f64, f64) {
    let mu = m.young / (2.0 * (1.0 + m.poisson));
    (mu, 2.0 * mu * m.poisson / (1.0 - 2.0 * m.poisson))
}

fn corners_of(counts: [u32; 3]) -> Elements {
    let n = counts[0] * counts[1] * counts[2];
    let place = |i: u32| [i % counts[0], i / counts[0] % counts[1], i / counts[0] / counts[1]].map(f64::from);
    let mut rest = Vectors::default();
    (0..n).for_each(|i| rest.push(SIDE * DVec3::from_array(place(i))));
    let n = n as usize;
    let (material, body) = (vec![MaterialId(0); n], vec![BodyId(0); n]);
    Elements { rest, mass: vec![0.0; n], material, body, ..Elements::default() }
}

/// Everything free and at rest where it was made.
pub fn resting(model: &Model) -> State {
    let n = model.elements.len();
    let position = model.elements.rest.clone();
    State { position, velocity: Vectors::zeros(n), owner: vec![FREE; n], ..State::default() }
}

/// Everything deformed by `x = F X`.
pub fn deformed(model: &Model, gradient: DMat3) -> State {
    let mut state = resting(model);
    for e in 0..model.elements.len() {
        state.position.set(e, gradient * model.elements.rest.get(e));
    }
    state
}

/// One more aggregate of the listed elements, with their momentum and angular momentum.
pub fn make_rigid(model: &Model, state: &mut State, elements: &[u32]) {
    let each = || elements.iter().map(|&e| (e as usize, model.elements.mass[e as usize]));
    let mass: f64 = each().map(|(_, m)| m).sum();
    let centre = each().map(|(e, m)| m * state.position.get(e)).sum::<DVec3>() / mass;
    let velocity = each().map(|(e, m)| m * state.velocity.get(e)).sum::<DVec3>() / mass;
    let inertia = each().map(|(e, m)| inertia_of_point(state.position.get(e) - centre) * m).sum::<DMat3>();
    let turning = |(e, m): (usize, f64)| m * (state.position.get(e) - centre).cross(state.velocity.get(e) - velocity);
    let (moments, orientation) = principal_frame(inertia);
    let aggregate = Aggregate {
        elements: elements.to_vec(),
        local: each().map(|(e, _)| orientation.inverse() * (state.position.get(e) - centre)).collect(),
        mass,
        inertia: moments,
        position: centre,
        orientation,
        velocity,
        angular_momentum: each().map(turning).sum(),
        origin: Origin::Requested,
        given_inertia: false,
    };
    for &e in elements {
        state.owner[e as usize] = state.aggregates.len() as u32;
    }
    state.aggregates.push(aggregate);
}
