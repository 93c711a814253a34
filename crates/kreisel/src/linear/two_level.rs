//! The two-level preconditioner: block Jacobi for what is local, rigid clusters for what reaches far.
//!
//! `z = D⁻¹ r + P A_c⁻¹ Pᵀ r`, with `D` the diagonal blocks of `A` and `A_c = Pᵀ A P` the matrix of the scene in which clusters of
//! elements are rigid: the engine's own mapping is the coarse space.

use crate::linear::block_cholesky::BlockCholesky;
use crate::linear::blocks::{BlockSource, Diagonal, SlotMap};
use crate::linear::clusters::Clusters;
use crate::linear::coarse::{CoarseMatrix, RigidNodes, solve_nodes};
use crate::linear::{BlockJacobi, Operator, Preconditioner, Vectors, chunks};
use glamx::DMat3;
use std::cell::RefCell;

/// How the space is made coarse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoLevelParams {
    /// Points in a cluster, about.
    pub cluster_size: usize,
    /// Components of fewer points have no clusters: block Jacobi is good enough for them.
    pub least_component: usize,
    /// At most about so many clusters: in larger systems the clusters are larger.
    pub most_clusters: usize,
    /// If there are more bodies, they are not part of the coarse space.
    pub most_bodies: usize,
}

impl Default for TwoLevelParams {
    fn default() -> Self {
        Self { cluster_size: 125, least_component: 8, most_clusters: 1000, most_bodies: 1000 }
    }
}

/// How the two levels work together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cycle {
    /// Both on the same residual: no product with the matrix.
    #[default]
    Additive,
    /// Jacobi, clusters, Jacobi, each on what the one before left: two products with the matrix, half the iterations.
    Symmetric,
}

/// Block Jacobi and rigid clusters of one matrix. As an operator it is the additive cycle.
#[derive(Clone, Debug)]
pub struct TwoLevel {
    jacobi: BlockJacobi,
    nodes: RigidNodes,
    factor: BlockCholesky<6>,
}

impl TwoLevel {
    /// Builds both levels of a matrix.
    pub fn new(source: &dyn BlockSource, map: &SlotMap, params: &TwoLevelParams) -> Self {
        let size = params.cluster_size.max(map.points / params.most_clusters.max(1)).max(1);
        let clusters = Clusters::new(map, size, params.least_component);
        let nodes = RigidNodes::new(map, clusters, map.bodies <= params.most_bodies);
        let (mut diagonal, mut coarse) = (Diagonal::new(map), CoarseMatrix::new(&nodes));
        source.each_block(&mut |i, j, block| {
            diagonal.add(i, j, block);
            if i != j {
                coarse.add(i, j, &block);
            }
        });
        // Blocks of one slot are added up first: there is one for each slot, not one for each connection.
        (0u32..).zip(&diagonal.own).for_each(|(i, block)| coarse.add(i, i, block));
        let jacobi = BlockJacobi::of_diagonal(&diagonal, map);
        // Before the factor comes: the most memory that a large system takes is taken here.
        drop(diagonal);
        Self { jacobi, factor: coarse.factor(), nodes }
    }

    /// Unknowns of the coarse matrix.
    pub fn coarse_unknowns(&self) -> usize {
        6 * self.factor.len()
    }

    /// Bytes of memory held by the coarse factor.
    pub fn coarse_bytes(&self) -> usize {
        self.factor.bytes()
    }

    /// This preconditioner for the matrix `a` in the wanted cycle.
    pub fn cycled<'a>(&'a self, cycle: Cycle, a: &'a dyn Operator) -> Cycled<'a> {
        Cycled { levels: self, cycle, a, scratch: RefCell::default() }
    }

    /// `z += P A_c⁻¹ Pᵀ r`.
    fn add_coarse(&self, r: &Vectors, z: &mut Vectors) {
        let (motions, _) = solve_nodes(&self.nodes, &self.factor, r);
        let points = self.jacobi.points();
        let fields = [&mut z.x[..points], &mut z.y[..points], &mut z.z[..points]];
        chunks::for_chunks(fields, |first, z| self.nodes.add_to_points(&motions, first, z));
        self.nodes.add_to_bodies(&motions, z);
    }
}

impl Operator for TwoLevel {
    fn apply(&self, x: &Vectors, y: &mut Vectors) {
        self.apply_and_dot(x, y);
    }

    /// `xᵀ y = xᵀ D⁻¹ x + cᵀ A_c⁻¹ c` with `c = Pᵀ x`.
    fn apply_and_dot(&self, x: &Vectors, y: &mut Vectors) -> f64 {
        y.fit(x.len());
        let (motions, coarse) = solve_nodes(&self.nodes, &self.factor, x);
        let points = self.jacobi.points();
        let fields = [&mut y.x[..points], &mut y.y[..points], &mut y.z[..points]];
        let [fine] = chunks::sum_chunks(fields, |first, [u, v, w]| {
            let sum = self.jacobi.apply_to_points(first, x, [&mut *u, &mut *v, &mut *w]);
            self.nodes.add_to_points(&motions, first, [u, v, w]);
            [sum]
        });
        let of_bodies = self.jacobi.apply_bodies(x, y);
        self.nodes.add_to_bodies(&motions, y);
        fine + of_bodies + coarse
    }
}

impl Preconditioner for TwoLevel {
    fn turn(&mut self, turns: &[DMat3]) {
        self.jacobi.turn(turns);
        self.nodes.turn(turns);
    }
}

/// Share of a Jacobi step that is taken in the symmetric cycle. A spring's block Jacobi matrix has eigenvalues up to 2, so
/// that the cycle is positive definite for shares below 1.
const SHARE: f64 = 0.7;

/// A two-level preconditioner in a cycle of its own.
pub struct Cycled<'a> {
    levels: &'a TwoLevel,
    cycle: Cycle,
    a: &'a dyn Operator,
    scratch: RefCell<[Vectors; 2]>,
}

impl Operator for Cycled<'_> {
    fn apply(&self, r: &Vectors, z: &mut Vectors) {
        if self.cycle == Cycle::Additive {
            return self.levels.apply(r, z);
        }
        let [rest, part] = &mut *self.scratch.borrow_mut();
        z.reset(r.len());
        self.levels.jacobi.apply(r, part);
        z.axpy(SHARE, part);
        self.a.apply(z, rest);
        rest.scale_add(-1.0, r);
        self.levels.add_coarse(rest, z);
        self.a.apply(z, rest);
        rest.scale_add(-1.0, r);
        self.levels.jacobi.apply(rest, part);
        z.axpy(SHARE, part);
    }
}
