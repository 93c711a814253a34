//! What swings: elements with all that is joined to them, cut out of a model at a state.

use crate::linear::Vectors;
use crate::linear::eigen::inertia_of_point;
use crate::model::{Model, State, Topology};
use crate::statics::{Held, Part};
use glamx::{DMat3, DQuat, DVec3};

/// A rigid part, in local numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct RigidPiece {
    /// Its elements.
    pub elements: Vec<u32>,
    /// Mass [kg].
    pub mass: f64,
    /// Inertia about its centre, world axes [kg m²].
    pub inertia: DMat3,
    /// Centre of mass [m].
    pub centre: DVec3,
}

impl RigidPiece {
    /// Elements (by local number) as one rigid piece, mass and inertia from theirs.
    pub fn of_points(elements: Vec<u32>, positions: &Vectors, masses: &[f64]) -> Self {
        let points = || elements.iter().map(|&e| (masses[e as usize], positions.get(e as usize)));
        let mass: f64 = points().map(|(m, _)| m).sum();
        let centre = points().map(|(m, x)| m * x).sum::<DVec3>() / mass;
        let inertia = points().fold(DMat3::ZERO, |sum, (m, x)| sum + inertia_of_point(x - centre) * m);
        Self { elements, mass, inertia, centre }
    }
}

/// Elements whose small vibrations are sought, with their springs, cells, supports and rigid pieces in local numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModePart {
    /// Number of each element in the model.
    pub elements: Vec<u32>,
    /// Positions, connections and cells.
    pub part: Part,
    /// Masses [kg].
    pub masses: Vec<f64>,
    /// Forces that keep their direction, such as loads [N]: they turn rigid pieces back, or over.
    pub loads: Vectors,
    /// What is held; displacements do not matter.
    pub held: Vec<Held>,
    /// Rigid pieces.
    pub rigid: Vec<RigidPiece>,
    /// Connected piece of each element, from 0.
    pub piece: Vec<u32>,
}

impl ModePart {
    /// Everything that is joined to `wanted` elements (numbers of the model), where and how it is in a state.
    ///
    /// Loads count as they are at the time of the state. Contacts, grabs and pressures are left out: what vibrates has
    /// nothing but its own stiffness and its fixes.
    pub fn new(model: &Model, state: &State, wanted: &[u32]) -> Self {
        let n = model.elements.len();
        let joined = pieces(model, state);
        let mut chosen = vec![false; n + 1];
        wanted.iter().filter_map(|&e| joined.get(e as usize)).for_each(|&p| chosen[p as usize] = true);
        let elements: Vec<u32> = (0..n as u32).filter(|&e| chosen[joined[e as usize] as usize]).collect();
        let mut local = vec![None; n];
        elements.iter().enumerate().for_each(|(i, &e)| local[e as usize] = Some(i as u32));
        let topology = Topology::new(model, state);
        let whole: Vec<_> = model.cells.iter().filter(|c| topology.is_whole(c)).copied().collect();
        let part = Part::new(&elements, &state.position, &model.connections, &state.broken, &whole);
        let masses = elements.iter().map(|&e| model.elements.mass[e as usize]).collect();
        let piece = renumbered(&elements.iter().map(|&e| joined[e as usize]).collect::<Vec<_>>());
        let mut cut = Self { elements, part, masses, piece, ..Self::default() };
        cut.held = held(model, &local);
        cut.loads = loads(model, state, &local, cut.elements.len());
        cut.rigid = rigid(state, &local);
        cut
    }

    /// Total mass [kg].
    pub fn mass(&self) -> f64 {
        let members: Vec<bool> = self.is_member();
        let soft = self.masses.iter().zip(&members).filter(|(_, member)| !**member).map(|(m, _)| m);
        soft.sum::<f64>() + self.rigid.iter().map(|r| r.mass).sum::<f64>()
    }

    /// True for elements of rigid pieces.
    pub(super) fn is_member(&self) -> Vec<bool> {
        let mut member = vec![false; self.elements.len()];
        self.rigid.iter().flat_map(|r| &r.elements).for_each(|&e| member[e as usize] = true);
        member
    }
}

/// Connected pieces by unbroken connections and rigid aggregates.
fn pieces(model: &Model, state: &State) -> Vec<u32> {
    let mut ends: Vec<[u32; 2]> = Vec::with_capacity(model.connections.len());
    let unbroken = |c: &usize| state.broken.binary_search(&(*c as u32)).is_err();
    ends.extend((0..model.connections.len()).filter(unbroken).map(|c| model.connections.ends[c]));
    for a in &state.aggregates {
        ends.extend(a.elements.windows(2).map(|pair| [pair[0], pair[1]]));
    }
    crate::model::topology::components(model.elements.len(), &ends, &[]).0
}

/// The same pieces, counted from 0 in the order in which they appear.
fn renumbered(pieces: &[u32]) -> Vec<u32> {
    let mut numbers = vec![None; pieces.iter().max().map_or(0, |&p| p as usize + 1)];
    let mut count = 0;
    let mut number = |p: &u32| {
        *numbers[*p as usize].get_or_insert_with(|| {
            count += 1;
            count - 1
        })
    };
    pieces.iter().map(&mut number).collect()
}

fn held(model: &Model, local: &[Option<u32>]) -> Vec<Held> {
    let hold = |h: &crate::model::world::Hold| {
        let element = local.get(h.element as usize).copied().flatten()?;
        Some(Held { element, axes: h.axes, displacement: DVec3::ZERO })
    };
    model.holds.iter().filter_map(hold).collect()
}

/// Dead loads at the time of the state. Gravity acts at the centres of rigid pieces and does not turn them.
fn loads(model: &Model, state: &State, local: &[Option<u32>], n: usize) -> Vectors {
    let mut loads = Vectors::zeros(n);
    for load in &model.loads {
        let factor = load.profile.value(state.time);
        for &(e, force) in &load.forces {
            if let Some(i) = local.get(e as usize).copied().flatten() {
                loads.add(i as usize, factor * force);
            }
        }
    }
    loads
}

/// Aggregates all of whose elements are there.
fn rigid(state: &State, local: &[Option<u32>]) -> Vec<RigidPiece> {
    let mut pieces = Vec::new();
    for a in &state.aggregates {
        let members: Option<Vec<u32>> = a.elements.iter().map(|&e| local[e as usize]).collect();
        let Some(elements) = members else { continue };
        let inertia = world_inertia(a.inertia, a.orientation);
        pieces.push(RigidPiece { elements, mass: a.mass, inertia, centre: a.position });
    }
    pieces
}

fn world_inertia(moments: DVec3, orientation: DQuat) -> DMat3 {
    let r = DMat3::from_quat(orientation);
    r * DMat3::from_diagonal(moments) * r.transpose()
}
