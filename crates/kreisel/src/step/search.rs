//! Candidate contacts, found anew only when something has left its margin.

use crate::collide::grid::Grid;
use crate::contact::coefficients::CoefficientTable;
use crate::contact::connections::Candidates;
use crate::contact::touch::Touch;
use crate::linear::Vectors;
use crate::linear::chunks::{map_chunks, map_ranges};
use crate::model::apart::{elements_are_apart, obstacle_is_apart};
use crate::model::mapping::carry_all;
use crate::model::setup::Law;
use crate::model::{FREE, Model, State, Topology};
use crate::step::skin_search::{SkinSearch, Spheres};
use glamx::{DQuat, DVec3};

/// Candidate pairs, valid while points stay inside their margin. Their age cannot show in any result.
#[derive(Debug, Default)]
pub struct Search {
    grid: Grid,
    /// Centres of the spheres of all elements that can touch something, when the search was made [m].
    centres: Vectors,
    /// Where they are now [m]; right for free elements and for those that forces reach.
    now: Vectors,
    radii: Vec<f64>,
    places: Vec<(u32, u32)>,
    pairs: Vec<(u32, u32)>,
    /// The pairs that may touch at the moment.
    close: Vec<(u32, u32)>,
    world: Vec<(u32, u16)>,
    margin: f64,
    /// Pose of each aggregate, and the distance of its farthest element, when the search was made.
    poses: Vec<(DVec3, DQuat, f64)>,
    valid: bool,
    pub(super) skins: SkinSearch,
    /// How often it searched.
    pub searches: u64,
}

/// The margin as a share of the smallest contact sphere.
const MARGIN: f64 = 0.5;

/// The quick look is wider than the law by this, so that rounding decides nothing.
const ROUNDING: f64 = 1.0 + 1e-9;

impl Search {
    /// Demands a new search: who carries what, or who is joined to whom, has changed.
    pub fn invalidate(&mut self, model: &Model, state: &State, topology: &Topology, coefficients: &CoefficientTable) {
        self.valid = false;
        // Under the law `constraint` those are looked for elsewhere.
        if model.law == Law::Connections {
            self.skins.refresh(model, state, topology, coefficients);
        }
    }

    /// Spheres that may touch each other, or the world, before the next search.
    pub fn candidates(&self) -> Candidates<'_> {
        Candidates { pairs: &self.pairs, world: &self.world, feet: &[] }
    }

    /// What may touch at the moment of the last update.
    pub fn close_candidates(&self) -> Candidates<'_> {
        Candidates { pairs: &self.close, world: &self.world, feet: self.skins.feet() }
    }

    /// Makes sure the candidates hold every contact of the state; true if that took a new search.
    pub fn update(&mut self, model: &Model, state: &mut State, topology: &Topology, step: f64) -> bool {
        self.find_centres(model, state, topology);
        let stale = !self.valid || self.is_stale(state, topology);
        if stale {
            carry_all(state);
            self.find_centres(model, state, topology);
            self.renew(model, state, topology, step);
        }
        self.find_close();
        let spheres = Spheres { centres: &self.now, radii: &self.radii, margin: self.margin };
        self.skins.find_feet(model, &state.position, spheres);
        stale
    }

    fn find_centres(&mut self, model: &Model, state: &State, topology: &Topology) {
        self.now.reset(topology.touching.len());
        let now = &mut self.now;
        map_chunks([&mut now.x, &mut now.y, &mut now.z], |first, [x, y, z]| {
            for k in 0..x.len() {
                let i = topology.touching[first + k];
                let leans = topology.leans(i);
                let centre = Touch::new(model, i, leans, &state.position).centre;
                (x[k], y[k], z[k]) = (centre.x, centre.y, centre.z);
            }
        });
    }

    /// A quick look at all pairs leaves few for the law, which decides.
    fn find_close(&mut self) {
        let (now, radii) = (&self.now, &self.radii);
        let may_touch = |&(a, b): &(u32, u32)| {
            let (a, b) = (a as usize, b as usize);
            let reach = (radii[a] + radii[b]) * ROUNDING;
            now.get(a).distance_squared(now.get(b)) < reach * reach
        };
        self.close.clear();
        let pairs = self.places.iter().zip(&self.pairs);
        self.close.extend(pairs.filter(|(places, _)| may_touch(places)).map(|(_, pair)| *pair));
    }

    fn is_stale(&self, state: &State, topology: &Topology) -> bool {
        let limit = 0.5 * self.margin;
        let aggregate_left = state.aggregates.iter().zip(&self.poses).any(|(a, (p, q, reach))| {
            let turn = (a.orientation * q.inverse()).xyz().length();
            (a.position - *p).length() + 2.0 * turn * reach > limit
        });
        let has_left = |k: usize| {
            let i = topology.touching[k];
            state.owner[i as usize] == FREE && self.now.get(k).distance_squared(self.centres.get(k)) > limit * limit
        };
        aggregate_left
            || self.skins.is_stale(&state.position, limit)
            || map_ranges(topology.touching.len(), |mut range| range.any(has_left)).contains(&true)
    }

    fn renew(&mut self, model: &Model, state: &State, topology: &Topology, step: f64) {
        self.centres.copy_from(&self.now);
        self.radii = topology.touching.iter().map(|&i| reach(model, i)).collect();
        let smallest = self.radii.iter().copied().fold(f64::INFINITY, f64::min);
        let fastest = topology.touching.iter().map(|&i| state.velocity.get(i as usize).length()).fold(0.0, f64::max);
        self.margin = (MARGIN * smallest).max(8.0 * step * fastest);
        let element = |k: u32| topology.touching[k as usize];
        let accept = |a: u32, b: u32| {
            let clad = self.skins.cladding.is_clad(element(a)) && self.skins.cladding.is_clad(element(b));
            may_touch(model, state, topology, clad, element(a), element(b))
        };
        self.grid.detect(&self.centres, &self.radii, self.margin, accept, &mut self.places);
        self.pairs = self.places.iter().map(|&(a, b)| (element(a), element(b))).collect();
        self.world.clear();
        for (k, &i) in topology.touching.iter().enumerate() {
            for (o, obstacle) in model.obstacles.iter().enumerate() {
                let near = obstacle.shape.distance(self.centres.get(k)).0 < self.radii[k] + self.margin;
                if near && !obstacle_is_apart(model, state, i, o) {
                    self.world.push((i, o as u16));
                }
            }
        }
        let spheres = Spheres { centres: &self.centres, radii: &self.radii, margin: self.margin };
        self.skins.renew(model, state, topology, spheres);
        // Spheres and skins may lie a little outside the elements.
        let far = |a: &crate::model::Aggregate| {
            let radius = |e: &u32| model.elements.radius[*e as usize];
            let widest = a.elements.iter().map(radius).fold(0.0, f64::max);
            a.local.iter().map(|s| s.length()).fold(0.0, f64::max) + 4.0 * widest
        };
        self.poses = state.aggregates.iter().map(|a| (a.position, a.orientation, far(a))).collect();
        self.searches += 1;
        self.valid = true;
    }
}

/// Radius of the contact sphere, with the distance within which adhesive contacts tear.
fn reach(model: &Model, i: u32) -> f64 {
    model.elements.radius[i as usize] * (1.0 + 2.0 * model.contact.adhesion)
}

/// Elements that are joined, carried by one aggregate, or overlap at rest within one piece do not touch; nor do the
/// spheres of two things that are both clad, which touch each other's skins.
pub fn may_touch(model: &Model, state: &State, topology: &Topology, clad: bool, i: u32, j: u32) -> bool {
    let (a, b) = (i as usize, j as usize);
    if state.owner[a] == state.owner[b] && state.owner[a] != FREE {
        return false;
    }
    let e = &model.elements;
    if elements_are_apart(model, state, i, j) {
        return false;
    }
    if e.component[a] != e.component[b] {
        return !clad;
    }
    let one_piece = topology.component(model, a) == topology.component(model, b);
    let joined = topology.neighbours(i).binary_search(&j).is_ok();
    model.contact.self_collision && !joined && !(one_piece && overlap_at_rest(model, i, j))
}

fn overlap_at_rest(model: &Model, i: u32, j: u32) -> bool {
    let e = &model.elements;
    let place = |i: u32| Touch::new(model, i, true, &e.rest).centre;
    let apart = place(i).distance(place(j));
    // Spheres of neighbours touch exactly in a lattice: rounding must not decide.
    apart < (e.radius[i as usize] + e.radius[j as usize]) * (1.0 + 1e-6)
}
