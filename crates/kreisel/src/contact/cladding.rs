//! Skins made ready for contact: which triangles are whole, what lies around a vertex, and how stiff the skin is there.

use crate::contact::closest::closest_on_triangle;
use crate::contact::coefficients::CoefficientTable;
use crate::contact::foot::Foot;
use crate::linear::Vectors;
use crate::model::setup::Gaps;
use crate::model::{Model, Skin, Topology};
use glamx::DVec3;

/// All skins, and the elements whose spheres meet skins instead of spheres.
#[derive(Clone, Debug, Default)]
pub struct Cladding {
    /// One for each skin of the model; empty if gaps come from spheres, or if fewer than two things are clad.
    pub skins: Vec<CladSkin>,
    /// True for clad elements; empty if there are none.
    clad: Vec<bool>,
}

impl Cladding {
    /// The cladding of a model at the moment. Elements that fracture has laid bare are not clad, nor is what is crossed by a
    /// crack.
    pub fn new(model: &Model, topology: &Topology, coefficients: &CoefficientTable) -> Self {
        let mut cladding = Self::default();
        if model.contact.gaps != Gaps::Skins || !model.contact.enabled {
            return cladding;
        }
        let clad = |s: &Skin| CladSkin::new(model, topology, coefficients, s);
        let skins: Vec<CladSkin> = model.skins.iter().map(clad).collect();
        let e = &model.elements;
        let mut skinned = vec![false; e.component.iter().max().map_or(0, |&c| c as usize + 1)];
        skins.iter().flat_map(|s| &s.components).for_each(|&c| skinned[c as usize] = true);
        if skinned.iter().filter(|&&s| s).count() < 2 {
            return cladding;
        }
        cladding.skins = skins;
        cladding.clad = vec![false; e.len()];
        for &i in topology.touching.iter().filter(|&&i| !topology.is_exposed(i as usize)) {
            cladding.clad[i as usize] = skinned[e.component[i as usize] as usize];
        }
        cladding
    }

    /// True if the sphere of element `i` meets the skins of other clad things, not their spheres.
    pub fn is_clad(&self, i: u32) -> bool {
        self.clad.get(i as usize).is_some_and(|&c| c)
    }
}

/// A skin made ready for contact.
#[derive(Clone, Debug, Default)]
pub struct CladSkin {
    /// Connected component that each triangle belongs to in the reference configuration, or [`TORN`].
    pub component: Vec<u32>,
    /// The components there are.
    components: Vec<u32>,
    starts: Vec<u32>,
    around: Vec<u32>,
    /// The element that carries most of each vertex.
    bearer: Vec<u32>,
    /// Size of the cells at each vertex [m].
    cell: Vec<f64>,
    /// Stiffness of the body at each vertex per area of contact [N/m³].
    bearing: Vec<f64>,
    /// Where the vertices are [m], for those that have been asked for.
    pub places: Vec<DVec3>,
}

/// Normals count as those of a triangle if the cosine between them is larger.
const FLAT: f64 = 1.0 - 1e-9;

/// The component of triangles that contact cannot use.
pub const TORN: u32 = u32::MAX;

impl CladSkin {
    fn new(model: &Model, topology: &Topology, coefficients: &CoefficientTable, skin: &Skin) -> Self {
        let vertices = skin.bindings.len();
        let component: Vec<u32> = skin.triangles.iter().map(|t| component_of(model, topology, skin, t)).collect();
        let mut components = component.clone();
        components.sort_unstable();
        components.dedup();
        components.retain(|&c| c != TORN);
        let (starts, around) = triangles_around(vertices, &skin.triangles, &component);
        let constants: Vec<Vertex> = (0..vertices).map(|v| Vertex::new(model, coefficients, skin, v)).collect();
        Self {
            component,
            components,
            starts,
            around,
            bearer: constants.iter().map(|v| v.bearer).collect(),
            cell: constants.iter().map(|v| v.cell).collect(),
            bearing: constants.iter().map(|v| v.bearing).collect(),
            places: vec![DVec3::ZERO; vertices],
        }
    }

    /// Triangles around a vertex, ascending.
    pub fn around(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.around[self.starts[v] as usize..self.starts[v + 1] as usize]
    }

    /// Works out where vertices are.
    pub fn place(&mut self, skin: &Skin, vertices: &[u32], x: &Vectors) {
        for &v in vertices {
            self.places[v as usize] = skin.bindings.gather(v as usize, x);
        }
    }

    /// Corners of a triangle [m].
    pub fn corners(&self, triangle: [u32; 3]) -> [DVec3; 3] {
        triangle.map(|v| self.places[v as usize])
    }

    /// Stiffness of the body per area [N/m³] and size of its cells [m] at a vertex.
    pub fn at_vertex(&self, vertex: usize) -> (f64, f64) {
        (self.bearing[vertex], self.cell[vertex])
    }

    /// The point closest to `c` among the listed triangles of skin number `number`, if one is within `reach` [m].
    pub fn closest(&self, (number, skin): (u32, &Skin), triangles: &[u32], c: DVec3, reach: f64) -> Option<Foot> {
        let mut best: Option<(f64, u32, [f64; 3], DVec3)> = None;
        let mut nearest = reach * reach;
        for &t in triangles {
            let corners = self.corners(skin.triangles[t as usize]);
            if is_beyond(corners, c, reach) {
                continue;
            }
            let beta = closest_on_triangle(c, corners);
            let q = corners[0] * beta[0] + corners[1] * beta[1] + corners[2] * beta[2];
            let d = q.distance_squared(c);
            if d < nearest {
                (nearest, best) = (d, Some((d, t, beta, q)));
            }
        }
        best.map(|(_, t, beta, q)| self.foot((number, skin), t, beta, q, c))
    }

    fn foot(&self, (number, skin): (u32, &Skin), t: u32, beta: [f64; 3], q: DVec3, c: DVec3) -> Foot {
        let corners = skin.triangles[t as usize];
        let outward = self.outward(skin, t, beta);
        let apart = c - q;
        let length = apart.length();
        let sign = if apart.dot(outward) < 0.0 { -1.0 } else { 1.0 };
        // A centre on the surface itself has no direction to it but that of the surface.
        let on_surface = length <= 1e-9 * self.cell[corners[0] as usize];
        let normal = if on_surface { outward.normalize_or_zero() } else { apart * (sign / length) };
        let mix = |of: &[f64]| (0..3).map(|k| beta[k] * of[corners[k] as usize]).sum();
        let main = (0..3).fold(0, |m, k| if beta[k] > beta[m] { k } else { m });
        let bearer = self.bearer[corners[main] as usize];
        let (bearing, cell) = (mix(&self.bearing), mix(&self.cell));
        let sharp = normal.dot(self.unit_normal(skin, t)) < FLAT;
        Foot { skin: number, corners, beta, point: q, normal, sharp, distance: sign * length, bearing, cell, bearer }
    }

    /// A vector that points outwards at a point of triangle `t`: normals of the triangles that meet there, weighted by
    /// their angles, tell inside from outside wherever the closest point is [BA05].
    fn outward(&self, skin: &Skin, t: u32, beta: [f64; 3]) -> DVec3 {
        let own = skin.triangles[t as usize];
        let on: [bool; 3] = beta.map(|b| b > 0.0);
        match on.iter().filter(|&&o| o).count() {
            1 => {
                let v = own[on.iter().position(|&o| o).unwrap_or(0)];
                let angled = |t: &u32| self.unit_normal(skin, *t) * self.angle_at(skin, *t, v);
                self.around(v).iter().map(angled).sum()
            }
            2 => {
                let across = on.iter().position(|&o| !o).unwrap_or(0);
                let (a, b) = (own[(across + 1) % 3], own[(across + 2) % 3]);
                let both = |t: &&u32| skin.triangles[**t as usize].contains(&b);
                self.around(a).iter().filter(both).map(|&t| self.unit_normal(skin, t)).sum()
            }
            _ => self.unit_normal(skin, t),
        }
    }

    fn unit_normal(&self, skin: &Skin, t: u32) -> DVec3 {
        let [a, b, c] = self.corners(skin.triangles[t as usize]);
        (b - a).cross(c - a).normalize_or_zero()
    }

    fn angle_at(&self, skin: &Skin, t: u32, vertex: u32) -> f64 {
        let own = skin.triangles[t as usize];
        let k = own.iter().position(|&v| v == vertex).unwrap_or(0);
        let [a, b, c] = [0, 1, 2].map(|j| self.places[own[(k + j) % 3] as usize]);
        let (u, v) = ((b - a).normalize_or_zero(), (c - a).normalize_or_zero());
        u.dot(v).clamp(-1.0, 1.0).acos()
    }
}

/// True if a box around the triangle is farther than `reach` from `c`.
fn is_beyond([a, b, d]: [DVec3; 3], c: DVec3, reach: f64) -> bool {
    let (low, high) = (a.min(b).min(d), a.max(b).max(d));
    (low - c).max_element() > reach || (c - high).max_element() > reach
}

/// The component of a triangle, or [`TORN`] if it rides on several pieces or takes no part in contact.
fn component_of(model: &Model, topology: &Topology, skin: &Skin, triangle: &[u32; 3]) -> u32 {
    let mut elements = triangle.iter().flat_map(|&v| skin.bindings.of(v as usize)).map(|(e, _)| e as usize);
    let Some(first) = elements.next() else { return TORN };
    let piece = topology.component(model, first);
    let touches = model.bodies[model.elements.body[first].0 as usize].contact;
    let whole = touches && elements.all(|e| topology.component(model, e) == piece);
    if whole { model.elements.component[first] } else { TORN }
}

/// For each vertex the triangles around it that are whole.
fn triangles_around(vertices: usize, triangles: &[[u32; 3]], component: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let whole = || (0u32..).zip(triangles).zip(component).filter(|(_, c)| **c != TORN).map(|(t, _)| t);
    let mut starts = vec![0u32; vertices + 1];
    whole().for_each(|(_, t)| t.iter().for_each(|&v| starts[v as usize + 1] += 1));
    (0..vertices).for_each(|v| starts[v + 1] += starts[v]);
    let mut next = starts.clone();
    let mut around = vec![0; starts.last().map_or(0, |&n| n as usize)];
    for (k, t) in whole() {
        for &v in t {
            around[next[v as usize] as usize] = k;
            next[v as usize] += 1;
        }
    }
    (starts, around)
}

/// What holds at a vertex of a skin.
pub(super) struct Vertex {
    bearer: u32,
    /// Size of the cells [m].
    pub cell: f64,
    /// Stiffness per area [N/m³].
    pub bearing: f64,
}

impl Vertex {
    /// A half cell bears `2 E/a` per area. Where the vertex rides on elements that hold less than half a cell, as at edges, it
    /// bears so much less that none of them gets a stiffness beyond what its mass suits, `k |φ_j| Σ|φ| ≤ 2 E a s_j`.
    pub fn new(model: &Model, coefficients: &CoefficientTable, skin: &Skin, v: usize) -> Self {
        let e = &model.elements;
        let largest = |best: (u32, f64), (j, w): (u32, f64)| if w.abs() > best.1 { (j, w.abs()) } else { best };
        let bearer = skin.bindings.of(v).fold((0, 0.0), largest).0;
        let cell = 2.0 * e.radius[bearer as usize];
        let young = model.materials[e.material[bearer as usize].0 as usize].young;
        let gain: f64 = skin.bindings.of(v).map(|(_, w)| w.abs()).sum();
        let stiffness = |j: u32| coefficients.element_stiffness(model, j as usize);
        let bearable = |(j, w): (u32, f64)| stiffness(j) / (w.abs() * gain * cell * cell);
        let bearing = skin.bindings.of(v).filter(|b| b.1 != 0.0).map(bearable).fold(2.0 * young / cell, f64::min);
        Self { bearer, cell, bearing }
    }
}
