//! Stretches of consecutive points that move with the same rigid node: the loops over them need no indices.

use crate::linear::clusters::NONE;
use crate::linear::{Vectors, chunks};
use glamx::{DMat3, DVec3};
use std::ops::Range;

/// Arms of points, component by component [m]. Half the digits are enough: what comes out is only a direction to search in.
pub(crate) type Arms = [Vec<f32>; 3];

/// The arm of a point [m].
pub(crate) fn arm_of(arms: &Arms, i: usize) -> DVec3 {
    let [x, y, z] = arms.each_ref().map(|a| f64::from(a[i]));
    DVec3::new(x, y, z)
}

/// Sets the arm of a point [m].
pub(crate) fn set_arm(arms: &mut Arms, i: usize, arm: DVec3) {
    arms.iter_mut().zip(arm.to_array()).for_each(|(a, value)| a[i] = value as f32);
}

/// Points `first..first + count` of one node.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    node: u32,
    first: u32,
    count: u32,
}

impl Stretch {
    fn range(&self) -> Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }
}

/// All stretches; none crosses from one chunk of points to the next.
#[derive(Clone, Debug)]
pub(crate) struct Stretches {
    /// In the order of the points.
    all: Vec<Stretch>,
    /// Where the stretches of each chunk begin, and where the last ends.
    chunk_bounds: Vec<usize>,
    /// The stretches node by node.
    by_node: Vec<Stretch>,
    /// Where the stretches of each node begin, and where the last ends.
    node_bounds: Vec<usize>,
}

impl Stretches {
    /// Of points whose nodes are given, or `NONE`; there are `nodes` nodes.
    pub fn new(node: &[u32], nodes: usize) -> Self {
        let (mut all, mut chunk_bounds) = (Vec::new(), vec![0]);
        let mut first = 0;
        for chunk in node.chunks(chunks::CHUNK) {
            for run in chunk.chunk_by(|a, b| a == b) {
                let (node, count) = (run.first().copied().unwrap_or(NONE), run.len() as u32);
                if node != NONE {
                    all.push(Stretch { node, first, count });
                }
                first += count;
            }
            chunk_bounds.push(all.len());
        }
        let mut by_node = all.clone();
        by_node.sort_by_key(|s| s.node);
        let node_bounds = (0..=nodes as u32).map(|n| by_node.partition_point(|s| s.node < n)).collect();
        Self { all, chunk_bounds, by_node, node_bounds }
    }

    /// Force and torque on node `n` of forces `f` at the points with the given arms.
    pub fn gather(&self, n: usize, arm: &Arms, f: &Vectors) -> [DVec3; 2] {
        let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
        for stretch in &self.by_node[self.node_bounds[n]..self.node_bounds[n + 1]] {
            let range = stretch.range();
            let [fx, fy, fz] = parts(f, &range);
            let [x, y, z] = arm.each_ref().map(|a| &a[range.clone()]);
            for t in 0..range.len() {
                let (f, r) = (DVec3::new(fx[t], fy[t], fz[t]), DVec3::new(x[t].into(), y[t].into(), z[t].into()));
                force += f;
                torque += r.cross(f);
            }
        }
        [force, torque]
    }

    /// Adds to `y`, which begins with a chunk at point `first`, what the points move by as the nodes move.
    #[inline]
    pub fn add_motion(&self, first: usize, arm: &Arms, motions: &[[DVec3; 2]], y: [&mut [f64]; 3]) {
        let chunk = first / chunks::CHUNK;
        let [u, v, w] = y;
        for stretch in &self.all[self.chunk_bounds[chunk]..self.chunk_bounds[chunk + 1]] {
            let Some([velocity, spin]) = motions.get(stretch.node as usize) else { continue };
            let range = stretch.range();
            let [rx, ry, rz] = arm.each_ref().map(|a| &a[range.clone()]);
            let here = range.start - first..range.end - first;
            let (u, v, w) = (&mut u[here.clone()], &mut v[here.clone()], &mut w[here]);
            for t in 0..range.len() {
                let (x, y, z) = (f64::from(rx[t]), f64::from(ry[t]), f64::from(rz[t]));
                u[t] += velocity.x + (spin.y * z - spin.z * y);
                v[t] += velocity.y + (spin.z * x - spin.x * z);
                w[t] += velocity.z + (spin.x * y - spin.y * x);
            }
        }
    }

    /// Turns the arms of all nodes.
    pub fn turn(&self, turn: &[DMat3], arm: &Arms, turned: &mut Arms) {
        for stretch in &self.all {
            let q = turn[stretch.node as usize];
            stretch.range().for_each(|i| set_arm(turned, i, q * arm_of(arm, i)));
        }
    }
}

#[inline(always)]
fn parts<'a>(a: &'a Vectors, range: &Range<usize>) -> [&'a [f64]; 3] {
    [&a.x[range.clone()], &a.y[range.clone()], &a.z[range.clone()]]
}
