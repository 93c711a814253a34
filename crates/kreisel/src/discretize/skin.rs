//! Surfaces bound to elements: what every vertex rides on, by constant weights.

use crate::discretize::places::Places;
use crate::discretize::refine::refine;
use crate::discretize::{DiscretizeError, Matter};
use crate::linear::{Vectors, chunks};
use crate::model::affine::affine_weights;
use crate::model::{Bindings, Neighbours, Skin, Surface};
use glamx::DVec3;

/// How far below the surface a vertex looks for the element that it belongs to, in cells.
const DEPTH: f64 = 0.5;

/// Binds a surface to the elements of a body with cells as wide as `cell` [m].
///
/// Triangles larger than cells are cut smaller first, so that the surface can bend where the body bends. A vertex in a
/// cell of a lattice rides on its corners (trilinear); any other on elements that are joined to one below the surface
/// by [`affine_weights`]. Both reproduce the vertex, so the skin follows rigid and affine motions exactly.
pub fn bind(surface: &Surface, matter: &Matter, cell: f64) -> Result<Skin, DiscretizeError> {
    check(surface, matter, cell)?;
    let mesh = refine(&surface.vertices, &surface.triangles, cell)?;
    let inwards = inward_normals(&mesh.vertices, &mesh.triangles);
    let x = &matter.positions;
    let neighbours = Neighbours::new(matter.len(), &matter.connections.ends, &[]);
    let places = Places::new(x, cell);
    let bind_some = |range: std::ops::Range<usize>| {
        let mut bindings = Bindings::default();
        for v in range {
            let (point, below) = (mesh.vertices[v], mesh.vertices[v] + DEPTH * cell * inwards[v]);
            let seed = places.nearest(below);
            match corner_weights(point, seed, x, &neighbours, cell) {
                Some(corners) => bindings.push(corners),
                None => bindings.push(affine_weights(point, seed, x, &neighbours, cell)),
            }
        }
        bindings
    };
    let mut bindings = Bindings::default();
    for part in chunks::map_ranges(mesh.vertices.len(), bind_some) {
        bindings.append(&part, 0);
    }
    let (rest, triangles, origin) = (mesh.vertices, mesh.triangles, mesh.origin);
    Ok(Skin { surface: surface.clone(), rest, triangles, origin, bindings, ..Skin::default() })
}

fn check(surface: &Surface, matter: &Matter, cell: f64) -> Result<(), DiscretizeError> {
    let refuse = |reason: String| Err(DiscretizeError::BadSkin { reason });
    if matter.is_empty() {
        return refuse("there are no elements".into());
    }
    if !(cell > 0.0 && cell.is_finite()) {
        return refuse(format!("cells are {cell} m wide"));
    }
    if let Some(v) = surface.vertices.iter().position(|x| !x.is_finite()) {
        return refuse(format!("vertex {v} is at {}", surface.vertices[v]));
    }
    let count = surface.vertices.len();
    if let Some(t) = surface.triangles.iter().position(|t| t.iter().any(|&v| v as usize >= count)) {
        return refuse(format!("triangle {t} is {:?}, and there are {count} vertices", surface.triangles[t]));
    }
    Ok(())
}

/// Unit vectors into the body, from the areas of the triangles around each vertex; zero where they cancel.
fn inward_normals(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; vertices.len()];
    for &t in triangles {
        let [a, b, c] = t.map(|v| vertices[v as usize]);
        t.iter().for_each(|&v| normals[v as usize] -= (b - a).cross(c - a));
    }
    normals.into_iter().map(DVec3::normalize_or_zero).collect()
}

/// Trilinear weights of the corners of the lattice cell that holds a point, if it is in one near `seed`.
fn corner_weights(point: DVec3, seed: u32, x: &Vectors, neighbours: &Neighbours, cell: f64) -> Option<Vec<(u32, f64)>> {
    let step = |e: u32, axis: usize, sign: f64| {
        let from = x.get(e as usize);
        let is_along = |&&other: &&u32| {
            let way = x.get(other as usize) - from;
            let along = sign * way[axis];
            along > 0.5 * cell && way.length_squared() - along * along < 1e-12 * cell * cell
        };
        neighbours.of(e).iter().find(is_along).copied()
    };
    let mut low = seed;
    for axis in 0..3 {
        if point[axis] < x.get(low as usize)[axis] {
            low = step(low, axis, -1.0)?;
        } else if let Some(next) = step(low, axis, 1.0).filter(|&e| point[axis] > x.get(e as usize)[axis]) {
            low = next;
        }
    }
    let mut corners = [low; 8];
    for c in 1..8_usize {
        let axis = c.ilog2() as usize;
        corners[c] = step(corners[c - (1 << axis)], axis, 1.0)?;
    }
    let (a, b) = (x.get(low as usize), x.get(corners[7] as usize));
    let t = (point - a) / (b - a);
    let slack = 1e-9;
    if t.min_element() < -slack || t.max_element() > 1.0 + slack {
        return None;
    }
    let share = |c: usize, axis: usize| if c >> axis & 1 == 1 { t[axis] } else { 1.0 - t[axis] };
    let weighted = (0..8).map(|c| (corners[c], share(c, 0) * share(c, 1) * share(c, 2)));
    Some(weighted.filter(|(_, weight)| *weight != 0.0).collect())
}

/// The skin of a box: its own faces, each vertex an element of the surface; quadrilaterals are cut alternately.
pub fn box_skin(matter: &Matter) -> Skin {
    let mut number = vec![u32::MAX; matter.len()];
    matter.faces.iter().flatten().for_each(|&e| number[e as usize] = 0);
    let mut skin = Skin::default();
    for (e, vertex) in number.iter_mut().enumerate().filter(|(_, n)| **n == 0) {
        *vertex = skin.rest.len() as u32;
        skin.rest.push(matter.positions.get(e));
        skin.bindings.push([(e as u32, 1.0)]);
    }
    for (k, face) in matter.faces.iter().enumerate() {
        let [a, b, c, d] = face.map(|e| number[e as usize]);
        let halves = if k % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
        skin.triangles.extend(halves);
    }
    skin.origin = (0..skin.triangles.len() as u32).collect();
    skin.surface = Surface { vertices: skin.rest.clone(), triangles: skin.triangles.clone(), ..Surface::default() };
    skin
}
