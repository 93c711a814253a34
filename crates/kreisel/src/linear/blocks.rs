//! Sparse symmetric matrices given block by block over slots of three numbers, and what preconditioners know of the slots.

use crate::linear::Vectors;
use glamx::DMat3;

/// A symmetric positive semidefinite matrix of 3×3 blocks over slots, given block by block; blocks of the same place add.
pub trait BlockSource {
    /// Gives all blocks `(i, j)` with `i ≤ j`, always in the same order. Block `(j, i)` is the transpose of `(i, j)`; blocks
    /// `(i, i)` are symmetric.
    fn each_block(&self, take: &mut dyn FnMut(u32, u32, DMat3));
}

/// What the preconditioners must know of the slots: first one per point, then two per rigid body (velocity, spin).
#[derive(Clone, Copy, Debug)]
pub struct SlotMap<'a> {
    /// Number of points n: slots `0..n`.
    pub points: usize,
    /// Number of bodies A: body `a` has the slots `n + 2a` (velocity) and `n + 2a + 1` (spin).
    pub bodies: usize,
    /// Position of every slot [m]; a body's centre of mass in both of its slots.
    pub place: &'a Vectors,
    /// Connected component of each slot: what turns together.
    pub component: &'a [u32],
    /// False: the slot takes no part (rides on a body, or is held in all directions).
    pub used: &'a [bool],
}

impl SlotMap<'_> {
    /// Number of slots, n + 2A.
    pub fn slots(&self) -> usize {
        self.points + 2 * self.bodies
    }

    /// The slot of body `a`'s velocity; its spin is the next.
    pub fn body_slot(&self, a: usize) -> usize {
        self.points + 2 * a
    }
}

/// The diagonal blocks of a matrix: 3×3 for every slot, and between velocity and spin of every body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diagonal {
    /// Block `(i, i)` of every slot.
    pub own: Vec<DMat3>,
    /// Block (velocity, spin) of every body.
    pub cross: Vec<DMat3>,
    points: usize,
}

impl Diagonal {
    /// Zeros for all slots.
    pub fn new(map: &SlotMap) -> Self {
        let (own, cross) = (vec![DMat3::ZERO; map.slots()], vec![DMat3::ZERO; map.bodies]);
        Self { own, cross, points: map.points }
    }

    /// Takes a block of the matrix; those that are not diagonal are left to others.
    pub fn add(&mut self, i: u32, j: u32, block: DMat3) {
        let (i, j) = (i as usize, j as usize);
        let is_velocity = i >= self.points && (i - self.points).is_multiple_of(2);
        let place = if i == j {
            self.own.get_mut(i)
        } else if is_velocity && j == i + 1 {
            self.cross.get_mut((i - self.points) / 2)
        } else {
            None
        };
        if let Some(place) = place {
            *place += block;
        }
    }

    /// All diagonal blocks of a matrix.
    pub fn of(source: &dyn BlockSource, map: &SlotMap) -> Self {
        let mut diagonal = Self::new(map);
        source.each_block(&mut |i, j, block| diagonal.add(i, j, block));
        diagonal
    }
}
