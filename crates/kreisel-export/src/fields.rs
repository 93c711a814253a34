//! What is not recorded but follows from model and positions: forces and stresses of elements, strains of connections.

use kreisel::force;
use kreisel::linear::Vectors;
use kreisel::model::{Cell, FREE, Model, State, Topology};
use kreisel::readout::index::{Reading, Surroundings};
use kreisel::readout::stress::{virial, volume};
use kreisel::{DMat3, DVec3};
use kreisel_record::Frame;

/// The fields of a model; what does not change is found once.
#[derive(Debug)]
pub struct Fields<'a> {
    model: &'a Model,
    around: Surroundings,
}

impl<'a> Fields<'a> {
    /// Prepares the fields of a model that has been checked.
    pub fn new(model: &'a Model) -> Self {
        Self { model, around: Surroundings::with_crossings(model, (0..model.elements.len() as u32).collect()) }
    }

    /// Kirchhoff's stress of every element [Pa], from the virial theorem; zero where the volume is.
    pub fn stresses(&self, state: &State) -> Vec<DMat3> {
        let reading = Reading::new(self.model, state, &self.around);
        let stress = |e: usize| {
            let space = volume(self.model, e as u32);
            if space > 0.0 { virial(&reading, e) * (1.0 / space) } else { DMat3::ZERO }
        };
        (0..self.model.elements.len()).map(stress).collect()
    }

    /// Elastic force on every element [N]: `Σ k (d − l) n` of its unbroken connections and what its cells push.
    ///
    /// Connections and cells inside one rigid aggregate push nobody, nor do dampers, contacts, loads and gravity count.
    pub fn forces(&self, state: &State, broken: &[bool]) -> Vectors {
        let mut forces = Vectors::zeros(self.model.elements.len());
        for (c, &[a, b]) in self.model.connections.ends.iter().enumerate() {
            if broken[c] || is_one_piece(state, &[a, b]) {
                continue;
            }
            let pull = self.tension(c, &state.position);
            forces.add(a as usize, pull);
            forces.add(b as usize, -pull);
        }
        force::volume::add_force(&self.pushing_cells(state), &state.position, &mut forces);
        forces
    }

    /// `k (d − l) n` [N], `n` from the first end to the second.
    fn tension(&self, c: usize, x: &Vectors) -> DVec3 {
        let constants = self.model.connections.constants(c);
        let [a, b] = self.model.connections.ends[c].map(|e| x.get(e as usize));
        (b - a).normalize_or_zero() * (constants.stiffness * (a.distance(b) - constants.rest_length))
    }

    fn pushing_cells(&self, state: &State) -> Vec<Cell> {
        if self.model.cells.is_empty() {
            return Vec::new();
        }
        let topology = Topology::new(self.model, state);
        let pushes = |cell: &&Cell| topology.is_whole(cell) && !is_one_piece(state, &cell.corners);
        self.model.cells.iter().filter(pushes).copied().collect()
    }

    /// `(d − l)/l` [1] of every connection, broken ones included.
    pub fn strains(&self, x: &Vectors) -> Vec<f64> {
        let strain = |(c, ends): (usize, &[u32; 2])| {
            let rest = self.model.connections.constants(c).rest_length;
            let [a, b] = ends.map(|e| x.get(e as usize));
            if rest > 0.0 { a.distance(b) / rest - 1.0 } else { 0.0 }
        };
        self.model.connections.ends.iter().enumerate().map(strain).collect()
    }
}

/// True if all elements are carried by one aggregate.
fn is_one_piece(state: &State, elements: &[u32]) -> bool {
    let first = state.owner[elements[0] as usize];
    first != FREE && elements.iter().all(|&e| state.owner[e as usize] == first)
}

/// As much of the state as a frame tells.
pub fn state_of(frame: &Frame, connections: usize) -> State {
    State {
        time: frame.time,
        position: frame.position.clone(),
        velocity: frame.velocity.clone(),
        owner: frame.owner.clone(),
        broken: frame.broken.iter().copied().filter(|&c| (c as usize) < connections).collect(),
        ..State::default()
    }
}

/// True for every broken connection.
pub fn broken_flags(frame: &Frame, connections: usize) -> Vec<bool> {
    let mut flags = vec![false; connections];
    for &c in &frame.broken {
        if let Some(flag) = flags.get_mut(c as usize) {
            *flag = true;
        }
    }
    flags
}
