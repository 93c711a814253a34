//! The direct solver: a sparse Cholesky factorisation of the whole matrix, for small or ill-conditioned systems.
//!
//! As a preconditioner it makes conjugate gradients converge at once, and lets them say the residual.

use crate::linear::block_cholesky::{BlockCholesky, BlockMatrix};
use crate::linear::blocks::{BlockSource, SlotMap};
use crate::linear::clusters::Clusters;
use crate::linear::small::Matrix;
use crate::linear::{Operator, Preconditioner, Vectors};
use glamx::{DMat3, DVec3};

/// Slots in a block: neighbours are eliminated together, in dense blocks.
const TOGETHER: usize = 4;
const B: usize = 3 * TOGETHER;

/// The slot of an empty place.
const NOBODY: u32 = u32::MAX;

/// A factored matrix over slots.
#[derive(Clone, Debug)]
pub struct Direct {
    factor: BlockCholesky<B>,
    /// Of every block row, in elimination order, its slots.
    slots: Vec<[u32; TOGETHER]>,
    component: Vec<u32>,
    turns: Vec<DMat3>,
    /// The block row from which on all are eliminated last.
    end: usize,
}

impl Direct {
    /// Factors a matrix. Where it is singular (a body that floats without mass) the solution has nothing.
    pub fn new(source: &dyn BlockSource, map: &SlotMap) -> Self {
        Self::ending_with(source, map, &[])
    }

    /// The same, with some slots eliminated last: the corner of the factor that belongs to them holds all of `A⁻¹` between them.
    pub fn ending_with(source: &dyn BlockSource, map: &SlotMap, last: &[u32]) -> Self {
        let groups = groups(map);
        let mut at = vec![None; map.slots()];
        for (g, group) in (0u32..).zip(&groups) {
            (0..).zip(group).filter(|(_, s)| **s != NOBODY).for_each(|(k, s)| at[*s as usize] = Some((g, 3 * k)));
        }
        let mut matrix = BlockMatrix::zeros(groups.len());
        let find = |slot: u32| at.get(slot as usize).copied().flatten();
        source.each_block(&mut |i, j, block| {
            if let (Some(a), Some(b)) = (find(i), find(j)) {
                add_block(&mut matrix, a, b, &block, i == j);
            }
        });
        let places: Vec<DVec3> = groups.iter().map(|group| middle(group, map)).collect();
        let mut is_last = vec![false; groups.len()];
        last.iter().filter_map(|slot| find(*slot)).for_each(|(g, _)| is_last[g as usize] = true);
        let factor = BlockCholesky::ending_with(&matrix, &places, &|g| is_last[g as usize]);
        let slots: Vec<_> = factor.order.iter().map(|g| groups[*g as usize]).collect();
        let end = is_last.iter().filter(|last| !**last).count();
        Self { factor, slots, component: map.component.to_vec(), turns: Vec::new(), end }
    }

    /// `y = L⁻¹ b` of right sides that have something in the last slots only: `y_i · y_j = b_iᵀ A⁻¹ b_j`.
    pub fn lower_solves(&self, rights: &[Vec<(u32, DVec3)>]) -> Vec<Vec<f64>> {
        let mut at = vec![None; self.component.len()];
        for (row, slots) in self.slots[self.end..].iter().enumerate() {
            (0..).zip(slots).filter(|(_, s)| **s != NOBODY).for_each(|(k, s)| at[*s as usize] = Some((row, 3 * k)));
        }
        let solve = |right: &Vec<(u32, DVec3)>| {
            let mut b = vec![[0.0; B]; self.slots.len() - self.end];
            for (slot, value) in right {
                let Some((row, first)) = at.get(*slot as usize).copied().flatten() else { continue };
                (0..3).for_each(|d| b[row][first + d] += value[d]);
            }
            self.factor.solve_lower(self.end, &mut b);
            b.into_flattened()
        };
        rights.iter().map(solve).collect()
    }

    /// Bytes of memory held by the factor.
    pub fn bytes(&self) -> usize {
        self.factor.bytes()
    }

    fn turn_of(&self, slot: u32) -> DMat3 {
        let component = self.component.get(slot as usize);
        component.and_then(|c| self.turns.get(*c as usize)).copied().unwrap_or(DMat3::IDENTITY)
    }
}

impl Operator for Direct {
    fn apply(&self, x: &Vectors, y: &mut Vectors) {
        y.reset(x.len());
        let of = |slot: u32| {
            if slot == NOBODY { DVec3::ZERO } else { self.turn_of(slot).transpose() * x.get(slot as usize) }
        };
        let row = |slots: &[u32; TOGETHER]| -> [f64; B] { std::array::from_fn(|d| of(slots[d / 3])[d % 3]) };
        let mut b: Vec<[f64; B]> = self.slots.iter().map(row).collect();
        self.factor.solve(&mut b);
        for (slots, b) in self.slots.iter().zip(&b) {
            for (k, slot) in slots.iter().enumerate().filter(|(_, slot)| **slot != NOBODY) {
                y.set(*slot as usize, self.turn_of(*slot) * DVec3::from_slice(&b[3 * k..]));
            }
        }
    }
}

impl Preconditioner for Direct {
    fn turn(&mut self, turns: &[DMat3]) {
        self.turns = turns.to_vec();
    }
}

/// The used slots in groups of neighbours: points by position, each body on its own.
fn groups(map: &SlotMap) -> Vec<[u32; TOGETHER]> {
    // Bisection may leave groups a little larger than asked for: those are cut in two.
    let clusters = Clusters::new(map, TOGETHER, 1);
    let fill = |slots: &[u32]| std::array::from_fn(|k| slots.get(k).copied().unwrap_or(NOBODY));
    let of_cluster = |c: usize| clusters.members[clusters.range(c)].chunks(TOGETHER).map(fill);
    let used = |slot: &u32| map.used.get(*slot as usize).copied().unwrap_or(false);
    let of_body = |a: usize| {
        let slot = map.body_slot(a) as u32;
        let own: Vec<u32> = [slot, slot + 1].into_iter().filter(used).collect();
        (!own.is_empty()).then(|| fill(&own))
    };
    (0..clusters.len()).flat_map(of_cluster).chain((0..map.bodies).filter_map(of_body)).collect()
}

fn middle(group: &[u32; TOGETHER], map: &SlotMap) -> DVec3 {
    let places = || group.iter().filter(|slot| **slot != NOBODY).map(|slot| map.place.get(*slot as usize));
    places().sum::<DVec3>() / places().count().max(1) as f64
}

fn add_block(matrix: &mut BlockMatrix<B>, (g, row): (u32, usize), (h, column): (u32, usize), block: &DMat3, own: bool) {
    if g == h {
        let diagonal: &mut Matrix<B> = &mut matrix.diagonal[g as usize];
        diagonal.add_block(row, column, block);
        if !own {
            diagonal.add_block(column, row, &block.transpose());
        }
    } else if g < h {
        matrix.block_mut(g, h).add_block(row, column, block);
    } else {
        matrix.block_mut(h, g).add_block(column, row, &block.transpose());
    }
}
