//! The workspace: caches and buffers. It may be dropped between any two frames without changing a bit.

use crate::contact::coefficients::CoefficientTable;
use crate::contact::connections::Active;
use crate::force::gravity;
use crate::force::springs::{Spring, SpringRuns};
use crate::force::volume;
use crate::force::volume_chunks::VolumeChunks;
use crate::linear::Vectors;
use crate::model::setup::Law;
use crate::model::{Aggregate, Cell, FREE, Model, Origin, State, Topology};
use crate::step::clock::Clock;
use crate::step::constraint::ContactSpace;
use crate::step::encounters::Encounter;
use crate::step::implicit::Solver;
use crate::step::limit::{Bound, bound};
use crate::step::rigid_fracture::{Strength, strengths};
use crate::step::search::Search;
use crate::step::support::Support;
use glamx::DVec3;

/// Everything that is derived from model and state.
#[derive(Debug, Default)]
pub struct Workspace {
    /// What the stages of a frame cost, if that is wanted.
    pub clock: Clock,
    /// The epoch of the state that the caches belong to.
    epoch: Option<u64>,
    pub(super) topology: Topology,
    pub(super) coefficients: CoefficientTable,
    /// Connections in the kernel, by its numbering; empty: all of them.
    active: Vec<u32>,
    pub(super) springs: Option<SpringRuns>,
    /// Cells that are alive and not wholly inside one aggregate.
    pub(super) cells: Vec<Cell>,
    pub(super) cell_chunks: VolumeChunks,
    /// Mass of free elements, zero for those of aggregates [kg].
    pub(super) free_mass: Vec<f64>,
    /// Their sum [kg].
    pub(super) total_free_mass: f64,
    /// First moment `Σ m x` of the free elements where they are [kg m], if it is known.
    pub(super) moment: Option<DVec3>,
    pub(super) supports: Vec<Support>,
    pub(super) immovable: Vec<bool>,
    /// Members of each aggregate that forces reach whatever touches it.
    crossing: Vec<Vec<u32>>,
    /// Members of each aggregate that forces may reach.
    pub(super) ports: Vec<Vec<u32>>,
    /// Aggregates that connections or cells tie to something else, ascending.
    pub(super) bonded: Vec<u32>,
    /// Elastic energy inside aggregates [J].
    pub(super) frozen: f64,
    /// `√Σk²` over all connections, whether they hold or not [N/m].
    pub(super) stiffness_norm: f64,
    bound: Bound,
    bound_epoch: Option<u64>,
    /// Elastic forces inside automatic aggregates, in their own axes, by aggregate and member [N].
    pub(super) internal: Vec<Vec<DVec3>>,
    /// Bodies that touch each other, or an obstacle: what events compare with.
    pub(super) meeting: Option<Vec<Encounter>>,
    /// Forces of springs, cells, gravity and contact [N].
    pub(super) force: Vectors,
    /// Forces of dampers and drag [N].
    pub(super) damping: Vectors,
    /// Forces of loads and grabs [N].
    pub(super) load: Vectors,
    /// Impulses of fixes on the elements in the last step, divided by it [N].
    pub(super) reaction: Vectors,
    /// Couples on aggregates [N m].
    pub(super) couples: Vec<DVec3>,
    pub(super) contacts: Vec<Active>,
    pub(super) search: Search,
    /// What the aggregates bear.
    pub(super) strengths: Vec<Strength>,
    /// What implicit steps keep.
    pub(super) solver: Solver,
    /// What contact problems are made of.
    pub(super) contact_space: ContactSpace,
}

impl Workspace {
    /// Brings the caches up to date with the state.
    pub fn refresh(&mut self, model: &Model, state: &State) {
        if self.epoch == Some(state.epoch) && self.springs.is_some() {
            return;
        }
        self.epoch = Some(state.epoch);
        // What is out of date makes room before its successor is built.
        self.springs = None;
        self.coefficients = CoefficientTable::new(model);
        self.topology = Topology::new(model, state);
        self.find_springs(model, state);
        let squares = (0..model.connections.len()).map(|c| model.connections.constants(c).stiffness.powi(2));
        self.stiffness_norm = squares.sum::<f64>().sqrt();
        self.find_cells(model, state);
        let mass = |(i, m): (usize, &f64)| if state.owner[i] == FREE { *m } else { 0.0 };
        self.free_mass = model.elements.mass.iter().enumerate().map(mass).collect();
        self.total_free_mass = self.free_mass.iter().sum();
        self.moment = None;
        self.supports = state.aggregates.iter().map(|a| Support::of(model, a)).collect();
        let still = self.supports.iter().zip(&state.aggregates).map(|(s, a)| s.is_immovable(a));
        self.immovable = still.collect();
        self.frozen = frozen_energy(model, state, &self.topology);
        self.find_crossing(model, state);
        self.find_bonded(model, state);
        self.strengths = strengths(model, state);
        self.internal = internal_forces(model, state, &self.topology);
        self.search.invalidate(model, state, &self.topology, &self.coefficients);
    }

    /// After fracture: who is joined to whom has changed, who carries what has not.
    ///
    /// Returns the topology of before.
    pub(super) fn refresh_after_fracture(&mut self, model: &Model, state: &State, broken: &[u32]) -> Topology {
        if let Some(springs) = &mut self.springs {
            for &slot in broken {
                springs.disable(slot);
            }
        }
        let before = std::mem::replace(&mut self.topology, Topology::new(model, state));
        self.find_cells(model, state);
        // A crack beside an aggregate ends the volume term of cells inside it.
        self.frozen = frozen_energy(model, state, &self.topology);
        self.search.invalidate(model, state, &self.topology, &self.coefficients);
        self.epoch = Some(state.epoch);
        before
    }

    /// The bound of the step, worked out anew if something has broken or switched since.
    pub(super) fn stable_step(&mut self, model: &Model, state: &State) -> Bound {
        if self.bound_epoch != Some(state.epoch) {
            self.bound = bound(model, state, &self.topology, &self.coefficients, &self.search.skins.cladding);
            self.bound_epoch = Some(state.epoch);
        }
        self.bound
    }

    /// First moment `Σ m x` of the free elements [kg m]; zero without gravity, where nobody asks.
    pub(super) fn free_moment(&mut self, model: &Model, position: &Vectors) -> DVec3 {
        if model.gravity == DVec3::ZERO {
            return DVec3::ZERO;
        }
        *self.moment.get_or_insert_with(|| gravity::moment(&self.free_mass, position))
    }

    /// The connection that the kernel knows under this number.
    pub(super) fn connection(&self, slot: u32) -> u32 {
        if self.active.is_empty() { slot } else { self.active[slot as usize] }
    }

    fn find_springs(&mut self, model: &Model, state: &State) {
        let ends = &model.connections.ends;
        let inside = |c: usize| {
            let [a, b] = ends[c];
            let owner = state.owner[a as usize];
            owner != FREE && owner == state.owner[b as usize]
        };
        self.active = if state.aggregates.is_empty() {
            Vec::new()
        } else {
            (0..ends.len()).filter(|&c| !inside(c)).map(|c| c as u32).collect()
        };
        let all = state.aggregates.is_empty();
        let count = if all { ends.len() } else { self.active.len() };
        let spring = |s: usize| {
            let c = if all { s } else { self.active[s] as usize };
            let (class, [e1, e2]) = (model.connections.constants(c), ends[c]);
            let alive = if self.topology.is_broken(c) { 0.0 } else { 1.0 };
            let break_length = if alive > 0.0 { class.break_length } else { f64::INFINITY };
            Spring {
                e1,
                e2,
                stiffness: alive * class.stiffness,
                rest_length: class.rest_length,
                damping: alive * class.damping,
                break_length,
            }
        };
        self.springs = Some(SpringRuns::build_with(model.elements.len(), count, spring));
    }

    fn find_cells(&mut self, model: &Model, state: &State) {
        let inside = |cell: &Cell| {
            let owner = state.owner[cell.corners[0] as usize];
            owner != FREE && cell.corners.iter().all(|&e| state.owner[e as usize] == owner)
        };
        let alive = |cell: &Cell| self.topology.is_whole(cell);
        self.cells = model.cells.iter().filter(|c| !inside(c) && alive(c)).copied().collect();
        self.cell_chunks = VolumeChunks::new(&self.cells);
    }

    fn find_crossing(&mut self, model: &Model, state: &State) {
        let mut reached = vec![false; if state.aggregates.is_empty() { 0 } else { model.elements.len() }];
        if !state.aggregates.is_empty() {
            for &c in &self.active {
                model.connections.ends[c as usize].iter().for_each(|&e| reached[e as usize] = true);
            }
            self.cells.iter().flat_map(|c| c.corners).for_each(|e| reached[e as usize] = true);
            model.loads.iter().flat_map(|l| &l.forces).for_each(|f| reached[f.0 as usize] = true);
            model.pressures.iter().flat_map(|p| p.faces.iter().flatten()).for_each(|&e| reached[e as usize] = true);
            model.grabs.iter().flat_map(|g| &g.carried_by).for_each(|c| reached[c.0 as usize] = true);
            // A sphere between the free and the carried must be where it is, before anybody looks for what it touches.
            let owner = |e: u32| state.owner[e as usize];
            let watched = |i: u32| model.law == Law::Constraint || seat(model, i).any(|e| owner(e) != owner(i));
            for &i in self.topology.touching.iter().filter(|&&i| watched(i)) {
                seat(model, i).chain([i]).for_each(|e| reached[e as usize] = true);
            }
            let skins = model.skins.iter().filter(|_| model.law == Law::Constraint);
            skins.flat_map(|s| &s.bindings.elements).for_each(|&e| reached[e as usize] = true);
        }
        let members = |a: &Aggregate| {
            let hit = |(_, e): &(usize, &u32)| reached[**e as usize];
            a.elements.iter().enumerate().filter(hit).map(|(k, _)| k as u32).collect()
        };
        self.crossing = state.aggregates.iter().map(members).collect();
        self.ports = self.crossing.clone();
    }

    fn find_bonded(&mut self, model: &Model, state: &State) {
        let ends = self.active.iter().flat_map(|&c| model.connections.ends[c as usize]);
        let elements = ends.chain(self.cells.iter().flat_map(|c| c.corners));
        self.bonded = elements.map(|e| state.owner[e as usize]).filter(|&a| a != FREE).collect();
        self.bonded.sort_unstable();
        self.bonded.dedup();
    }

    /// Members of aggregate `a` that forces reach whatever touches it.
    pub(super) fn crossing(&self, a: usize) -> &[u32] {
        &self.crossing[a]
    }

    /// Adds the elements of candidate contacts, and what their spheres lean on, to the ports of aggregates.
    pub(super) fn find_ports(&mut self, model: &Model, state: &State) {
        self.ports.clone_from(&self.crossing);
        let candidates = self.search.candidates();
        let pairs = candidates.pairs.iter().flat_map(|p| [p.0, p.1]);
        let touched = pairs.chain(candidates.world.iter().map(|p| p.0)).chain(self.search.skins.standing());
        let ports = &mut self.ports;
        let mut open = |e: u32| {
            let Some(&owner) = state.owner.get(e as usize).filter(|&&o| o != FREE) else { return };
            if let Ok(k) = state.aggregates[owner as usize].elements.binary_search(&e) {
                ports[owner as usize].push(k as u32);
            }
        };
        for e in touched {
            open(e);
            seat(model, e).for_each(&mut open);
        }
        self.search.skins.reached(model).for_each(&mut open);
        for ports in &mut self.ports {
            ports.sort_unstable();
            ports.dedup();
        }
    }
}

/// What the contact sphere of element `i` leans on.
fn seat(model: &Model, i: u32) -> impl Iterator<Item = u32> + '_ {
    let perch = model.elements.perch_of(i as usize);
    let anchor = model.elements.anchor_of(i as usize);
    perch.into_iter().flat_map(|p| model.perches.of(p as usize).map(|(e, _)| e)).chain(anchor)
}

/// Elastic forces of the connections inside each automatic aggregate on its members, in its own axes [N].
fn internal_forces(model: &Model, state: &State, topology: &Topology) -> Vec<Vec<DVec3>> {
    let automatic = |a: &Aggregate| a.origin == Origin::Automatic;
    let size = |a: &Aggregate| if automatic(a) { a.elements.len() } else { 0 };
    let mut forces: Vec<Vec<DVec3>> = state.aggregates.iter().map(|a| vec![DVec3::ZERO; size(a)]).collect();
    if !state.aggregates.iter().any(automatic) {
        return forces;
    }
    for (c, &[i, j]) in model.connections.ends.iter().enumerate() {
        let owner = state.owner[i as usize];
        if owner == FREE || owner != state.owner[j as usize] || topology.is_broken(c) {
            continue;
        }
        let a = &state.aggregates[owner as usize];
        let (Ok(p), Ok(q)) = (a.elements.binary_search(&i), a.elements.binary_search(&j)) else { continue };
        if automatic(a) {
            let class = model.connections.constants(c);
            let apart = a.local[p] - a.local[q];
            let d = apart.length();
            let f = apart * (class.stiffness * (d - class.rest_length) / d.max(f64::MIN_POSITIVE));
            forces[owner as usize][p] -= f;
            forces[owner as usize][q] += f;
        }
    }
    forces
}

/// Elastic energy of connections and cells inside one aggregate [J], from local coordinates: the same bits in every pose.
fn frozen_energy(model: &Model, state: &State, topology: &Topology) -> f64 {
    if state.aggregates.is_empty() {
        return 0.0;
    }
    let mut x = Vectors::zeros(model.elements.len());
    for a in &state.aggregates {
        a.elements.iter().zip(&a.local).for_each(|(&e, &s)| x.set(e as usize, s));
    }
    let mut sum = 0.0;
    for (c, &[a, b]) in model.connections.ends.iter().enumerate() {
        let owner = state.owner[a as usize];
        if owner != FREE && owner == state.owner[b as usize] && !topology.is_broken(c) {
            let class = model.connections.constants(c);
            let stretch = x.get(a as usize).distance(x.get(b as usize)) - class.rest_length;
            sum += 0.5 * class.stiffness * stretch * stretch;
        }
    }
    let inside = |cell: &&Cell| {
        let owner = state.owner[cell.corners[0] as usize];
        owner != FREE && cell.corners.iter().all(|&e| state.owner[e as usize] == owner) && topology.is_whole(cell)
    };
    let cells: Vec<Cell> = model.cells.iter().filter(inside).copied().collect();
    sum + volume::energy(&cells, &x)
}
