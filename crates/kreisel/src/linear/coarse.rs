//! The coarse matrix: the matrix of the same system with every cluster of points made rigid.
//!
//! With `P` the motions of all points and bodies as the clusters move, `A_c = Pᵀ A P`. A point at the arm `r` from its cluster's
//! centre moves with `V + ω × r`, so that its rows of `P` are `[1, −[r]×]`; a rigid body is a cluster of its own.

use crate::linear::block_cholesky::{BlockCholesky, BlockMatrix};
use crate::linear::blocks::SlotMap;
use crate::linear::clusters::{Clusters, NONE};
use crate::linear::eigen::principal_frame;
use crate::linear::small::Matrix;
use crate::linear::stretches::{Arms, Stretches, arm_of, set_arm};
use crate::linear::{Vectors, chunks};
use glamx::{DMat3, DVec3};
use rayon::prelude::*;

/// Turning a cluster about an axis moves nothing if its moment about it is below this share of the largest one.
const THIN: f64 = 1e-8;

/// Which slots move with which rigid node, and how.
#[derive(Clone, Debug)]
pub(crate) struct RigidNodes {
    clusters: Clusters,
    stretches: Stretches,
    /// Of each slot its node, or `NONE`.
    node: Vec<u32>,
    /// Of each point the arm from the centre of its cluster, as built [m].
    arm: Arms,
    /// The same after turning [m].
    turned_arm: Arms,
    /// Centre of each node [m].
    centre: Vec<DVec3>,
    component: Vec<u32>,
    turn: Vec<DMat3>,
    points: usize,
}

impl RigidNodes {
    /// Clusters first, then bodies if they are to be nodes.
    pub fn new(map: &SlotMap, clusters: Clusters, with_bodies: bool) -> Self {
        let mut node = clusters.of.clone();
        node.resize(map.slots(), NONE);
        let mut arm: Arms = std::array::from_fn(|_| vec![0.0; map.points]);
        let (mut centre, mut component) = (Vec::new(), Vec::new());
        let component_of = |slot: usize| map.component.get(slot).copied().unwrap_or(0);
        for c in 0..clusters.len() {
            let members = &clusters.members[clusters.range(c)];
            let place = |i: &u32| map.place.get(*i as usize);
            let mean = members.iter().fold(DVec3::ZERO, |sum, i| sum + place(i)) / members.len() as f64;
            members.iter().for_each(|i| set_arm(&mut arm, *i as usize, place(i) - mean));
            centre.push(mean);
            component.push(members.first().map_or(0, |i| component_of(*i as usize)));
        }
        for slot in (0..if with_bodies { map.bodies } else { 0 }).map(|a| map.body_slot(a)) {
            let used = |s: usize| map.used.get(s).copied().unwrap_or(false);
            (slot..slot + 2).filter(|s| used(*s)).for_each(|s| node[s] = centre.len() as u32);
            centre.push(map.place.get(slot));
            component.push(component_of(slot));
        }
        let (turn, turned_arm) = (vec![DMat3::IDENTITY; centre.len()], arm.clone());
        let stretches = Stretches::new(&clusters.of, clusters.len());
        Self { clusters, stretches, node, arm, turned_arm, centre, component, turn, points: map.points }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.centre.len()
    }

    /// Points and bodies have turned with their components.
    pub fn turn(&mut self, turns: &[DMat3]) {
        for (turn, component) in self.turn.iter_mut().zip(&self.component) {
            *turn = turns.get(*component as usize).copied().unwrap_or(DMat3::IDENTITY);
        }
        self.stretches.turn(&self.turn, &self.arm, &mut self.turned_arm);
    }

    /// What a slot's motion is made of: its node, its arm, and whether it is the node's spin itself.
    fn lever(&self, slot: u32) -> Option<(u32, DVec3, bool)> {
        let i = slot as usize;
        let node = self.node.get(i).copied().filter(|node| *node != NONE)?;
        if i < self.points {
            return Some((node, arm_of(&self.arm, i), false));
        }
        Some((node, DVec3::ZERO, (i - self.points) % 2 == 1))
    }

    /// Force and torque on node `n`, in the axes in which it was built: its rows of `Pᵀ r`.
    fn gather(&self, n: usize, r: &Vectors) -> [f64; 6] {
        let [force, torque] = if n < self.clusters.len() {
            self.stretches.gather(n, &self.turned_arm, r)
        } else {
            let slot = self.points + 2 * (n - self.clusters.len());
            [slot, slot + 1].map(|s| if self.node[s] == NONE { DVec3::ZERO } else { r.get(s) })
        };
        let back = self.turn[n].transpose();
        pack(back * force, back * torque)
    }

    /// Adds what the points from `first` on, where a chunk begins, move by as the nodes move: their rows of `P c`.
    #[inline]
    pub fn add_to_points(&self, motions: &[[DVec3; 2]], first: usize, y: [&mut [f64]; 3]) {
        self.stretches.add_motion(first, &self.turned_arm, motions, y);
    }

    /// Adds the motion of the bodies' slots.
    pub fn add_to_bodies(&self, motions: &[[DVec3; 2]], y: &mut Vectors) {
        for slot in self.points..self.node.len() {
            if let Some(motion) = motions.get(self.node[slot] as usize) {
                y.add(slot, motion[(slot - self.points) % 2]);
            }
        }
    }
}

fn pack(a: DVec3, b: DVec3) -> [f64; 6] {
    [a.x, a.y, a.z, b.x, b.y, b.z]
}

/// The coarse matrix while its blocks come in.
pub(crate) struct CoarseMatrix<'a> {
    nodes: &'a RigidNodes,
    matrix: BlockMatrix<6>,
}

impl<'a> CoarseMatrix<'a> {
    pub fn new(nodes: &'a RigidNodes) -> Self {
        Self { nodes, matrix: BlockMatrix::zeros(nodes.len()) }
    }

    /// Adds `J_iᵀ B J_j` (and its transpose, if `i ≠ j`).
    pub fn add(&mut self, i: u32, j: u32, block: &DMat3) {
        let (Some(left), Some(right)) = (self.nodes.lever(i), self.nodes.lever(j)) else { return };
        // Only the symmetric part of a diagonal block is used: twice the one stands for it and its transpose.
        if left.0 == right.0 {
            let block = if i == j { *block } else { *block * 2.0 };
            add_levers(&mut self.matrix.diagonal[left.0 as usize], left, &block, right);
        } else if left.0 < right.0 {
            add_levers(self.matrix.block_mut(left.0, right.0), left, block, right);
        } else {
            add_levers(self.matrix.block_mut(right.0, left.0), right, &block.transpose(), left);
        }
    }

    /// Factors the matrix; turns that move nothing are given some stiffness.
    pub fn factor(mut self) -> BlockCholesky<6> {
        for (c, diagonal) in self.matrix.diagonal.iter_mut().enumerate() {
            let raw = diagonal.0;
            *diagonal = Matrix(std::array::from_fn(|c| std::array::from_fn(|r| 0.5 * (raw[c][r] + raw[r][c]))));
            if c < self.nodes.clusters.len() {
                stiffen_idle_turns(diagonal, self.nodes, c);
            }
        }
        BlockCholesky::new(&self.matrix, &self.nodes.centre)
    }
}

/// Adds `[1; [r_i]×] B [1, −[r_j]×]`; for a spin's slot the second half alone, with 1 in place of `r`.
fn add_levers(to: &mut Matrix<6>, left: (u32, DVec3, bool), b: &DMat3, right: (u32, DVec3, bool)) {
    let (r, [x, y, z]) = (right.1, [b.x_axis, b.y_axis, b.z_axis]);
    let turned = if right.2 { *b } else { DMat3::from_cols(r.y * z - r.z * y, r.z * x - r.x * z, r.x * y - r.y * x) };
    let straight = if right.2 { DMat3::ZERO } else { *b };
    for (column, m) in [(0, straight), (3, turned)] {
        if left.2 {
            to.add_block(3, column, &m);
        } else {
            to.add_block(0, column, &m);
            let r = left.1;
            to.add_block(3, column, &DMat3::from_cols(r.cross(m.x_axis), r.cross(m.y_axis), r.cross(m.z_axis)));
        }
    }
}

/// A single point, or points in a line, do not move as their cluster turns about them.
fn stiffen_idle_turns(diagonal: &mut Matrix<6>, nodes: &RigidNodes, c: usize) {
    let arms = nodes.clusters.members[nodes.clusters.range(c)].iter().map(|i| arm_of(&nodes.arm, *i as usize));
    let moment = |r: DVec3| DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer(r, r);
    let (moments, frame) = principal_frame(arms.fold(DMat3::ZERO, |sum, r| sum + moment(r)));
    let trace = (3..6).fold(0.0, |sum, d| sum + diagonal.0[d][d]);
    let stiffness = if trace > 0.0 { trace } else { 1.0 };
    for k in 0..3 {
        if moments[k] <= THIN * moments.max_element() {
            let axis = frame * DVec3::AXES[k];
            diagonal.add_block(3, 3, &(stiffness * outer(axis, axis)));
        }
    }
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// `A_c⁻¹ Pᵀ r`: how the rigid nodes move under `r`; and `rᵀ P A_c⁻¹ Pᵀ r`.
pub(crate) fn solve_nodes(nodes: &RigidNodes, factor: &BlockCholesky<6>, r: &Vectors) -> (Vec<[DVec3; 2]>, f64) {
    let gather = |n: &u32| nodes.gather(*n as usize, r);
    let mut c: Vec<[f64; 6]> = if chunks::is_worth_threads(nodes.points) {
        factor.order.par_iter().map(gather).collect()
    } else {
        factor.order.iter().map(gather).collect()
    };
    let right = c.clone();
    factor.solve(&mut c);
    let work = right.iter().flatten().zip(c.iter().flatten()).fold(0.0, |sum, (a, b)| sum + a * b);
    let mut motions = vec![[DVec3::ZERO; 2]; c.len()];
    for (n, [x, y, z, u, v, w]) in factor.order.iter().zip(c) {
        let turn = nodes.turn[*n as usize];
        motions[*n as usize] = [turn * DVec3::new(x, y, z), turn * DVec3::new(u, v, w)];
    }
    (motions, work)
}
