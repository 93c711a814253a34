//! Candidate contacts, found anew only when something has left its margin.

use crate::collide::grid::Grid;
use crate::contact::connections::Candidates;
use crate::contact::touch::Touch;
use crate::linear::Vectors;
use crate::linear::chunks::map_ranges;
use crate::model::element::NO_ANCHOR;
use crate::model::mapping::carry_all;
use crate::model::{FREE, Model, State, Topology};
use glamx::{DQuat, DVec3};

/// Candidate pairs, valid while points stay inside their margin. Their age cannot show in any result.
#[derive(Debug, Default)]
pub struct Search {
    grid: Grid,
    centres: Vectors,
    radii: Vec<f64>,
    places: Vec<(u32, u32)>,
    pairs: Vec<(u32, u32)>,
    world: Vec<(u32, u16)>,
    margin: f64,
    /// Pose of each aggregate, and the distance of its farthest element, when the search was made.
    poses: Vec<(DVec3, DQuat, f64)>,
    valid: bool,
    /// How often it searched.
    pub searches: u64,
}

/// The margin as a share of the smallest contact sphere.
const MARGIN: f64 = 0.5;

impl Search {
    /// Demands a new search.
    pub fn invalidate(&mut self) {
        self.valid = false;
    }

    /// The candidates.
    pub fn candidates(&self) -> Candidates<'_> {
        Candidates { pairs: &self.pairs, world: &self.world }
    }

    /// Makes sure the candidates hold every contact of the state; true if that took a new search.
    pub fn update(&mut self, model: &Model, state: &mut State, topology: &Topology, step: f64) -> bool {
        if self.valid && !self.is_stale(model, state, topology) {
            return false;
        }
        carry_all(state);
        self.renew(model, state, topology, step);
        true
    }

    fn is_stale(&self, model: &Model, state: &State, topology: &Topology) -> bool {
        let limit = 0.5 * self.margin;
        let aggregate_left = state.aggregates.iter().zip(&self.poses).any(|(a, (p, q, reach))| {
            let turn = (a.orientation * q.inverse()).xyz().length();
            (a.position - *p).length() + 2.0 * turn * reach > limit
        });
        let has_left = |k: usize| {
            let i = topology.touching[k];
            state.owner[i as usize] == FREE
                && centre(model, topology, i, &state.position).distance_squared(self.centres.get(k)) > limit * limit
        };
        aggregate_left || map_ranges(topology.touching.len(), |mut range| range.any(has_left)).contains(&true)
    }

    fn renew(&mut self, model: &Model, state: &State, topology: &Topology, step: f64) {
        let x = &state.position;
        self.centres = Vectors::default();
        topology.touching.iter().for_each(|&i| self.centres.push(centre(model, topology, i, x)));
        self.radii = topology.touching.iter().map(|&i| reach(model, i)).collect();
        let smallest = self.radii.iter().copied().fold(f64::INFINITY, f64::min);
        let fastest = topology.touching.iter().map(|&i| state.velocity.get(i as usize).length()).fold(0.0, f64::max);
        self.margin = (MARGIN * smallest).max(8.0 * step * fastest);
        let element = |k: u32| topology.touching[k as usize];
        let accept = |a: u32, b: u32| may_touch(model, state, topology, element(a), element(b));
        self.grid.detect(&self.centres, &self.radii, self.margin, accept, &mut self.places);
        self.pairs = self.places.iter().map(|&(a, b)| (element(a), element(b))).collect();
        self.world.clear();
        for (k, &i) in topology.touching.iter().enumerate() {
            for (o, obstacle) in model.obstacles.iter().enumerate() {
                if obstacle.shape.distance(self.centres.get(k)).0 < self.radii[k] + self.margin {
                    self.world.push((i, o as u16));
                }
            }
        }
        let far = |a: &crate::model::Aggregate| a.local.iter().map(|s| s.length()).fold(0.0, f64::max);
        self.poses = state.aggregates.iter().map(|a| (a.position, a.orientation, far(a) + smallest)).collect();
        self.searches += 1;
        self.valid = true;
    }
}

fn centre(model: &Model, topology: &Topology, i: u32, x: &Vectors) -> DVec3 {
    Touch::new(&model.elements, i, topology.leans(model, i), x).centre
}

/// Radius of the contact sphere, with the distance within which adhesive contacts tear.
fn reach(model: &Model, i: u32) -> f64 {
    model.elements.radius[i as usize] * (1.0 + 2.0 * model.contact.adhesion)
}

/// Elements that are joined, carried by one aggregate, or overlap at rest within one piece do not touch.
fn may_touch(model: &Model, state: &State, topology: &Topology, i: u32, j: u32) -> bool {
    let (a, b) = (i as usize, j as usize);
    if state.owner[a] == state.owner[b] && state.owner[a] != FREE {
        return false;
    }
    let e = &model.elements;
    if e.component[a] != e.component[b] {
        return true;
    }
    let one_piece = topology.component(model, a) == topology.component(model, b);
    let joined = topology.neighbours(i).binary_search(&j).is_ok();
    model.contact.self_collision && !joined && !(one_piece && overlap_at_rest(model, i, j))
}

fn overlap_at_rest(model: &Model, i: u32, j: u32) -> bool {
    let e = &model.elements;
    let place = |i: u32| Touch::new(e, i, e.anchor[i as usize] != NO_ANCHOR, &e.rest).centre;
    let apart = place(i).distance(place(j));
    // Spheres of neighbours touch exactly in a lattice: rounding must not decide.
    apart < (e.radius[i as usize] + e.radius[j as usize]) * (1.0 + 1e-6)
}
