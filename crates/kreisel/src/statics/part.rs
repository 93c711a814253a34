//! A part of a model as a static problem of its own, and the inertia relief of a part that moves freely.

use crate::linear::{RigidModes, Vectors};
use crate::model::{Cell, Connections};
use glamx::DVec3;

/// Some elements with the connections and cells that lie wholly among them, in local numbering.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Where the elements are [m].
    pub positions: Vectors,
    /// Connections among them.
    pub connections: Connections,
    /// Number of each of those connections in the model.
    pub connection_numbers: Vec<u32>,
    /// Cells all of whose corners are among them.
    pub cells: Vec<Cell>,
}

impl Part {
    /// Cuts `elements` out of a model; their order becomes the local numbering. All numbers are those of the model,
    /// `broken` is ascending.
    pub fn new(
        elements: &[u32],
        positions: &Vectors,
        connections: &Connections,
        broken: &[u32],
        cells: &[Cell],
    ) -> Self {
        let mut local: Vec<Option<u32>> = vec![None; positions.len()];
        let mut part = Self::default();
        for (i, &e) in elements.iter().enumerate() {
            local[e as usize] = Some(i as u32);
            part.positions.push(positions.get(e as usize));
        }
        part.connections.classes.clone_from(&connections.classes);
        for (c, &[a, b]) in connections.ends.iter().enumerate() {
            let (Some(a), Some(b)) = (local[a as usize], local[b as usize]) else { continue };
            if broken.binary_search(&(c as u32)).is_err() {
                part.connections.ends.push([a.min(b), a.max(b)]);
                part.connections.class.push(connections.class[c]);
                part.connection_numbers.push(c as u32);
            }
        }
        part.cells = cells.iter().filter_map(|cell| renumbered(cell, &local)).collect();
        part
    }
}

/// The cell in local numbering, if all its corners have a number.
fn renumbered(cell: &Cell, local: &[Option<u32>]) -> Option<Cell> {
    let mut corners = cell.corners;
    for corner in &mut corners {
        *corner = local[*corner as usize]?;
    }
    Some(Cell { corners, ..*cell })
}

/// Inertia relief: takes from the loads [N] the inertia of the rigid motion they cause, so that they balance.
///
/// `f_i ← f_i − m_i (a + α × r_i + ω × (ω × r_i))`, `a` and `α` from Newton's and Euler's equations. What is left
/// strains the part; solving the static problem with it gives the strain it would have as a soft body in steady motion.
pub fn relieve(positions: &Vectors, masses: &[f64], spin: DVec3, loads: &mut Vectors) {
    let modes = RigidModes::weighted(positions, masses.to_vec());
    for (i, &m) in masses.iter().enumerate() {
        loads.add(i, -m * spin.cross(spin.cross(modes.arm(i))));
    }
    modes.remove(loads);
}
