//! Fracture splits the skin: triangles between matter that is no longer joined are cut at the middles of their edges.
//!
//! Every vertex has a *home*, the element that it rides on most. An edge is cut if the homes of its ends cannot reach
//! each other any more over unbroken connections near it; so cracks open the skin before the body has fallen apart. Each
//! side of a cut edge gets a node of its own, which rides on the elements of that side only. Vertices whose elements have
//! gone apart are bound anew to those of their home.

use crate::model::affine::affine_weights;
use crate::model::{Bindings, Model, Neighbours, Skin};
use crate::readout::skin::Mesh;
use crate::readout::skin::wounds::close;
use glamx::DVec3;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Elements may reach each other by a way that leads so far around [cells].
const DETOUR: f64 = 1.3;

/// The skin as it was made.
pub(super) fn whole(skin: &Skin) -> Mesh<'_> {
    Mesh {
        rest: Cow::Borrowed(&skin.rest),
        bindings: Cow::Borrowed(&skin.bindings),
        added: Vec::new(),
        triangles: Cow::Borrowed(&skin.triangles),
        origin: Vec::new(),
    }
}

/// The skin when these connections (ascending) are broken.
pub(super) fn fractured<'a>(model: &'a Model, skin: &'a Skin, broken: &[u32]) -> Mesh<'a> {
    let near_break = vertices_near(model, skin, broken);
    if !near_break.contains(&true) {
        return whole(skin);
    }
    let neighbours = Neighbours::new(model.elements.len(), &model.connections.ends, broken);
    let mut cut = Cut::new(model, skin, neighbours, near_break);
    cut.bind_anew();
    (0..skin.triangles.len()).for_each(|t| cut.triangle(t));
    let mut mesh = cut.mesh;
    close(&mut mesh, skin);
    mesh
}

/// True for each vertex that rides on an element with a broken connection.
fn vertices_near(model: &Model, skin: &Skin, broken: &[u32]) -> Vec<bool> {
    let mut exposed = vec![false; model.elements.len()];
    let ends = broken.iter().filter_map(|&c| model.connections.ends.get(c as usize)).flatten();
    ends.for_each(|&e| exposed[e as usize] = true);
    (0..skin.rest.len()).map(|v| skin.bindings.of(v).any(|(e, _)| exposed[e as usize])).collect()
}

struct Cut<'a> {
    model: &'a Model,
    skin: &'a Skin,
    neighbours: Neighbours,
    near_break: Vec<bool>,
    /// Usual distance of neighbours [m].
    cell: f64,
    /// Whether an edge is cut, for those asked about so far.
    cut_edges: BTreeMap<[u32; 2], bool>,
    /// The node in the middle of an edge on the side of its first end.
    middles: BTreeMap<[u32; 2], u32>,
    mesh: Mesh<'a>,
}

impl<'a> Cut<'a> {
    fn new(model: &'a Model, skin: &'a Skin, neighbours: Neighbours, near_break: Vec<bool>) -> Self {
        let mesh = Mesh {
            rest: Cow::Owned(skin.rest.clone()),
            bindings: Cow::Owned(skin.bindings.clone()),
            added: Vec::new(),
            triangles: Cow::Owned(Vec::with_capacity(skin.triangles.len())),
            origin: Vec::with_capacity(skin.triangles.len()),
        };
        let cell = cell_side(model, skin);
        Self { model, skin, neighbours, near_break, cell, cut_edges: BTreeMap::new(), middles: BTreeMap::new(), mesh }
    }

    /// The element that a vertex rides on most; of several the first.
    fn home(&self, vertex: u32) -> u32 {
        let mut best = (0, f64::NEG_INFINITY);
        for (e, weight) in self.skin.bindings.of(vertex as usize) {
            if weight > best.1 + 1e-12 {
                best = (e, weight);
            }
        }
        best.0
    }

    /// True if an element is still joined to others by connections near a point.
    fn are_joined(&self, a: u32, others: &[u32], point: DVec3) -> bool {
        if others.iter().all(|&e| self.neighbours.are_close(a, e)) {
            return true;
        }
        let x = &self.model.elements.rest;
        let distance = |e: &u32| x.get(*e as usize).distance(point);
        let radius = others.iter().map(distance).fold(distance(&a), f64::max) + DETOUR * self.cell;
        let found = self.neighbours.reach(a, point, radius, x);
        others.iter().all(|e| found.contains(e))
    }

    fn weights(&self, point: DVec3, home: u32) -> Vec<(u32, f64)> {
        affine_weights(point, home, &self.model.elements.rest, &self.neighbours, self.cell)
    }

    /// Vertices whose elements have gone apart ride on those of their home.
    fn bind_anew(&mut self) {
        let mut bindings = Bindings::default();
        for v in 0..self.skin.rest.len() {
            let (point, home) = (self.skin.rest[v], self.home(v as u32));
            let elements = || self.skin.bindings.of(v).map(|(e, _)| e).collect::<Vec<u32>>();
            if self.near_break[v] && !self.are_joined(home, &elements(), point) {
                bindings.push(self.weights(point, home));
            } else {
                bindings.push(self.skin.bindings.of(v));
            }
        }
        self.mesh.bindings = Cow::Owned(bindings);
    }

    fn is_cut(&mut self, a: u32, b: u32) -> bool {
        if !(self.near_break[a as usize] && self.near_break[b as usize]) {
            return false;
        }
        let edge = [a.min(b), a.max(b)];
        if let Some(&known) = self.cut_edges.get(&edge) {
            return known;
        }
        let middle = self.middle(a, b);
        let cut = !self.are_joined(self.home(edge[0]), &[self.home(edge[1])], middle);
        self.cut_edges.insert(edge, cut);
        cut
    }

    fn middle(&self, a: u32, b: u32) -> DVec3 {
        0.5 * (self.skin.rest[a as usize] + self.skin.rest[b as usize])
    }

    /// A new node at a place, on the side of a vertex.
    fn node(&mut self, place: DVec3, vertex: u32) -> u32 {
        let weights = self.weights(place, self.home(vertex));
        self.mesh.add_node(place, weights, vertex)
    }

    /// The node in the middle of an edge on the side of its first end.
    fn middle_node(&mut self, on: u32, other: u32) -> u32 {
        if let Some(&known) = self.middles.get(&[on, other]) {
            return known;
        }
        let node = self.node(self.middle(on, other), on);
        self.middles.insert([on, other], node);
        node
    }

    /// A triangle as it is, or its parts. Two corners stay together unless both ways between them are cut.
    fn triangle(&mut self, number: usize) {
        let t = self.skin.triangles[number];
        let cuts = [self.is_cut(t[0], t[1]), self.is_cut(t[1], t[2]), self.is_cut(t[2], t[0])];
        let origin = number as u32;
        match cuts {
            [true, true, true] => self.three_parts(t, origin),
            [false, true, true] => self.two_parts(t, origin),
            [true, false, true] => self.two_parts([t[1], t[2], t[0]], origin),
            [true, true, false] => self.two_parts([t[2], t[0], t[1]], origin),
            _ => self.mesh.add_triangles([t], origin),
        }
    }

    /// `a` and `b` stay together, `c` goes.
    fn two_parts(&mut self, [a, b, c]: [u32; 3], origin: u32) {
        let (from_b, from_a) = (self.middle_node(b, c), self.middle_node(a, c));
        let (to_b, to_a) = (self.middle_node(c, b), self.middle_node(c, a));
        self.mesh.add_triangles([[a, b, from_b], [a, from_b, from_a], [c, to_a, to_b]], origin);
    }

    /// Each corner goes with a third of the triangle.
    fn three_parts(&mut self, t: [u32; 3], origin: u32) {
        let centre = t.iter().fold(DVec3::ZERO, |s, &v| s + self.skin.rest[v as usize]) / 3.0;
        for k in 0..3 {
            let (v, next, last) = (t[k], t[(k + 1) % 3], t[(k + 2) % 3]);
            let (p, q) = (self.middle_node(v, next), self.middle_node(v, last));
            let own_centre = self.node(centre, v);
            self.mesh.add_triangles([[v, p, own_centre], [v, own_centre, q]], origin);
        }
    }
}

/// The shortest connection of the elements that the skin rides on [m].
fn cell_side(model: &Model, skin: &Skin) -> f64 {
    let mut carries = vec![false; model.elements.len()];
    skin.bindings.elements.iter().for_each(|&e| carries[e as usize] = true);
    let c = &model.connections;
    let own = (0..c.len()).filter(|&k| c.ends[k].iter().any(|&e| carries[e as usize]));
    own.map(|k| c.constants(k).rest_length).fold(f64::INFINITY, f64::min)
}
