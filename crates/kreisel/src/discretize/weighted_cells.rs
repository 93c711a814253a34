//! From cells that are filled to some share to elements, masses and springs, all weighted by the same share.
//!
//! A cell of weight `w` gives `w ρ V/8` to each of its eight corners, `w/4` of a whole edge spring to each of its twelve
//! edges and `w/2` of a whole diagonal spring to each of its twelve face diagonals. As masses and springs carry the same
//! weight, the explicit step stays that of the bulk (`2 λ_max(A_i)/m_i` is at most the largest of those of single cells),
//! however little a cell holds.

use crate::discretize::box_springs::{DIRECTIONS, WholeSprings, volume_modulus};
use crate::discretize::constants::needs_volume_term;
use crate::discretize::lattice::{Cells, FACES, Lattice, Rows};
use crate::discretize::matter::{MAX_ELEMENTS, Matter};
use crate::discretize::{DiscretizeError, DiscretizeError::TooMany};
use crate::model::{Cell, ConnectionClass, Connections, Material};
use glamx::DVec3;
use std::collections::HashMap;

/// No cell on this side of an element.
pub(super) const NONE: u32 = u32::MAX;

/// Cells with their corners numbered as elements.
#[derive(Debug)]
pub(super) struct Wiring<'a> {
    /// The cells.
    pub cells: &'a Cells,
    /// Material of each cell.
    pub material: &'a [u16],
    /// Elements, row by row.
    pub elements: Rows,
    /// Elements at the corners of each cell; bit 0, 1, 2 tells the upper side along x, y, z.
    pub corners: Vec<[u32; 8]>,
    /// Cells around each element, by the side on which they lie; [`NONE`]: none.
    pub around: Vec<[u32; 8]>,
}

impl<'a> Wiring<'a> {
    /// Numbers the corners of all cells, along the longest axis first, so that neighbours form long runs.
    pub fn new(cells: &'a Cells, material: &'a [u16]) -> Result<Self, DiscretizeError> {
        let elements = number_corners(cells);
        if elements.len() > MAX_ELEMENTS {
            return Err(TooMany { elements: elements.len() as f64, limit: MAX_ELEMENTS });
        }
        let lattice = &cells.lattice;
        let mut around = vec![[NONE; 8]; elements.len()];
        let mut corners = Vec::with_capacity(cells.len());
        for (c, p) in cells.places().enumerate() {
            let corner = |bits: u32| {
                let q = std::array::from_fn(|axis| p[axis] + (bits >> axis & 1));
                elements.find(lattice.corner_row(q), q[lattice.order[0]]).unwrap_or(NONE)
            };
            let of_cell: [u32; 8] = std::array::from_fn(|bits| corner(bits as u32));
            for (bits, &e) in of_cell.iter().enumerate() {
                around[e as usize][7 - bits] = c as u32;
            }
            corners.push(of_cell);
        }
        Ok(Self { cells, material, elements, corners, around })
    }

    /// The elements' positions [m].
    pub fn positions(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.elements.iter().map(|(row, along)| {
            let lattice = &self.cells.lattice;
            lattice.corner(lattice.corner_at(row, along))
        })
    }

    /// True if matter is missing on some side of an element.
    pub fn is_outermost(&self, e: usize) -> bool {
        self.around[e].contains(&NONE)
    }

    /// Positions, masses, materials, springs, volume cells and faces; contact spheres are not its business.
    pub fn matter(&self, materials: &[Material], size: DVec3) -> Result<Matter, DiscretizeError> {
        let mut matter = Matter {
            connections: self.springs(materials, size)?,
            cells: self.volume_cells(materials),
            faces: self.faces(),
            surface: (0..self.around.len()).map(|e| self.is_outermost(e)).collect(),
            coincident_spheres: 1,
            ..Matter::default()
        };
        self.positions().for_each(|x| matter.positions.push(x));
        for around in &self.around {
            let (mass, material) = self.share(around, materials);
            matter.masses.push(mass);
            matter.material.push(material);
        }
        Ok(matter)
    }

    /// Mass of an element [kg], and the material that gives most of it.
    fn share(&self, around: &[u32; 8], materials: &[Material]) -> (f64, u16) {
        let eighth = 0.125 * self.cells.lattice.volume();
        let mass =
            |c: u32| materials[self.material[c as usize] as usize].density * self.cells.weight[c as usize] * eighth;
        let present = || around.iter().copied().filter(|&c| c != NONE);
        let of = |m: u16| present().filter(|&c| self.material[c as usize] == m).map(mass).sum::<f64>();
        let heavier = |best: u16, m: u16| if of(m) > of(best) { m } else { best };
        let kinds = present().map(|c| self.material[c as usize]);
        (present().map(mass).sum(), kinds.reduce(heavier).unwrap_or(0))
    }

    /// All springs, direction by direction, ascending by their first element.
    fn springs(&self, materials: &[Material], size: DVec3) -> Result<Connections, DiscretizeError> {
        let Lattice { sides, cells, order, .. } = self.cells.lattice;
        let of_kind = |m: &Material| WholeSprings::new(sides, cells[order[2]], size, m);
        let kinds = materials.iter().map(of_kind).collect::<Result<Vec<_>, _>>()?;
        let (mut connections, mut known) = (Connections::default(), HashMap::new());
        for direction in DIRECTIONS {
            let whole: Vec<ConnectionClass> = kinds.iter().map(|k| k.constants(direction)).collect();
            let upwards = self.upwards(direction);
            for (e, around) in self.around.iter().enumerate() {
                let Some((end, class)) = self.spring(around, upwards, &whole) else { continue };
                connections.ends.push([e as u32, end]);
                let number = *known.entry(bits_of(&class)).or_insert_with(|| {
                    connections.classes.push(class);
                    connections.classes.len() as u32 - 1
                });
                connections.class.push(number);
            }
        }
        Ok(connections)
    }

    /// The direction, or its opposite, that leads to larger numbers.
    fn upwards(&self, direction: [i32; 3]) -> [i32; 3] {
        let [fast, middle, slow] = self.cells.lattice.order;
        let leads = [slow, middle, fast].into_iter().map(|axis| direction[axis]).find(|&d| d != 0);
        if leads == Some(-1) { direction.map(|d| -d) } else { direction }
    }

    /// The spring from an element in a direction: its other end and the sum of what the cells along it give.
    ///
    /// Stiffness and damping add. The strain at which it breaks is the harmonic mean of those of its materials, weighted
    /// by stiffness: a spring that lies half in matter which never breaks stands twice the strain.
    fn spring(&self, around: &[u32; 8], way: [i32; 3], whole: &[ConnectionClass]) -> Option<(u32, ConnectionClass)> {
        let along = (0..3).filter(|&axis| way[axis] != 0).fold(0, |bits, axis| bits | 1 << axis);
        let share = if usize::count_ones(along) == 1 { 0.25 } else { 0.5 };
        let beside = |side: &usize| (0..3).all(|axis| way[axis] == 0 || (way[axis] > 0) == (side >> axis & 1 == 1));
        let (mut end, mut sum) = (None, ConnectionClass { stiffness: 0.0, damping: 0.0, ..whole[0] });
        let mut brittleness = 0.0;
        for side in (0..8).filter(beside).filter(|&side| around[side] != NONE) {
            let c = around[side] as usize;
            let kind = &whole[self.material[c] as usize];
            let part = share * self.cells.weight[c] * kind.stiffness;
            sum.stiffness += part;
            sum.damping += share * self.cells.weight[c] * kind.damping;
            brittleness += part / (kind.break_length / kind.rest_length - 1.0);
            end = Some(self.corners[c][(7 - side) ^ along]);
        }
        let strain = if brittleness > 0.0 { sum.stiffness / brittleness } else { f64::INFINITY };
        sum.break_length = sum.rest_length * (1.0 + strain);
        end.map(|end| (end, sum))
    }

    /// Volume terms of the cells whose Poisson's ratio is not 1/4, times their weights.
    fn volume_cells(&self, materials: &[Material]) -> Vec<Cell> {
        let kind = |c: usize| &materials[self.material[c] as usize];
        let cell = |c: usize| {
            let modulus = self.cells.weight[c] * volume_modulus(kind(c));
            Cell { corners: self.corners[c], sides: self.cells.lattice.sides, modulus }
        };
        (0..self.cells.len()).filter(|&c| needs_volume_term(kind(c))).map(cell).collect()
    }

    /// Faces of cells that no other cell shares, anticlockwise seen from outside.
    fn faces(&self) -> Vec<[u32; 4]> {
        let mut faces = Vec::new();
        for (c, p) in self.cells.places().enumerate() {
            for (k, way) in FACES.into_iter().enumerate() {
                if self.cells.neighbour(p, way).is_none() {
                    faces.push(face(&self.corners[c], k / 2, k % 2 == 1));
                }
            }
        }
        faces
    }
}

/// One face of a cell. The two axes that follow `axis` in cyclic order turn anticlockwise seen from above.
fn face(corners: &[u32; 8], axis: usize, upper: bool) -> [u32; 4] {
    let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
    let base = if upper { 1 << axis } else { 0 };
    let [a, b, c, d] = [base, base | u, base | u | v, base | v].map(|k: usize| corners[k]);
    if upper { [a, b, c, d] } else { [a, d, c, b] }
}

fn bits_of(class: &ConnectionClass) -> [u64; 4] {
    [class.stiffness, class.rest_length, class.damping, class.break_length].map(f64::to_bits)
}

/// Number of elements that cells would give.
pub(super) fn count_corners(cells: &Cells) -> usize {
    number_corners(cells).len()
}

/// Corners of the cells, each once: a row of corners belongs to up to four rows of cells.
fn number_corners(cells: &Cells) -> Rows {
    let lattice = &cells.lattice;
    let (middle, slow) = (lattice.cells[lattice.order[1]], lattice.cells[lattice.order[2]]);
    let (mut corners, mut row) = (Vec::new(), Vec::new());
    for (c, b) in (0..=slow).flat_map(|c| (0..=middle).map(move |b| (c, b))) {
        row.clear();
        for (c, b) in [(c, b), (c, b.wrapping_sub(1)), (c.wrapping_sub(1), b), (c.wrapping_sub(1), b.wrapping_sub(1))] {
            if c < slow && b < middle {
                row.extend(cells.rows.row(c * middle + b).1.iter().flat_map(|&k| [k, k + 1]));
            }
        }
        row.sort_unstable();
        row.dedup();
        corners.extend(row.iter().map(|&along| (c * (middle + 1) + b, along)));
    }
    Rows::new((slow as usize + 1) * (middle as usize + 1), corners.into_iter())
}
