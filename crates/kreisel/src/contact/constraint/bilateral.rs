//! Joints that only hold, all at once: `W Δp = −(u + b)` factored along the joints.
//!
//! `W = J M⁻¹ Jᵀ` has no penalties in it: what a light link that bears a weight a billion times its own leaves is the rounding of
//! its impulses, and no more. Directions that other joints hold already drop out of the factor.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::joint::JointBlock;
use crate::linear::block_cholesky::{BlockCholesky, BlockMatrix};
use glamx::DVec3;

/// Joints of one carrier at most: each of them would be coupled to each other.
const MOST_ON_ONE: usize = 32;
/// Solutions at most: the second takes out what rounding has left of the first.
const MOST_PASSES: u32 = 4;

/// Solves joints that hold; how many times their matrix was used, and what is left of them [m/s].
pub fn solve(joints: &mut [JointBlock], carriers: &mut Carriers, factor: &Factor) -> Option<(u32, f64)> {
    let Factor(factor) = factor;
    let left =
        |joints: &[JointBlock], carriers: &Carriers| joints.iter().fold(0.0, |m: f64, j| m.max(j.residual(carriers)));
    let mut last = left(joints, carriers);
    for pass in 1..=MOST_PASSES {
        let mut change: Vec<[f64; 6]> = factor.order.iter().map(|&k| joints[k as usize].lacking(carriers)).collect();
        factor.solve(&mut change);
        let finite = change.iter().flatten().all(|p| p.is_finite());
        if !finite {
            return None;
        }
        factor.order.iter().zip(&change).for_each(|(&k, p)| joints[k as usize].add(p, carriers));
        let now = left(joints, carriers);
        if now == 0.0 || now > 0.5 * last || pass == MOST_PASSES {
            return Some((pass, now));
        }
        last = now;
    }
    None
}

/// `W`, factored.
pub struct Factor(BlockCholesky<6>);

/// The factor of `W`. Nothing if something drives one of the joints, or if too many are at one body.
pub fn factor(joints: &[JointBlock], carriers: &Carriers) -> Option<Factor> {
    if joints.iter().any(JointBlock::is_driven) {
        return None;
    }
    let mut on: Vec<Vec<u32>> = vec![Vec::new(); carriers.len()];
    for (k, joint) in (0..).zip(joints) {
        let ends = [joint.a, joint.b].into_iter().filter(|&c| carriers[c as usize].is_movable());
        ends.for_each(|c| on[c as usize].push(k));
    }
    if on.iter().any(|list| list.len() > MOST_ON_ONE) {
        return None;
    }
    let mut matrix = BlockMatrix::zeros(joints.len());
    matrix.diagonal = joints.iter().map(|joint| joint.own(carriers)).collect();
    for list in &on {
        for (n, &i) in list.iter().enumerate() {
            for &j in &list[n + 1..] {
                *matrix.block_mut(i, j) = joints[i as usize].coupling(&joints[j as usize], carriers);
            }
        }
    }
    let places: Vec<DVec3> = joints.iter().map(|joint| joint.point).collect();
    Some(Factor(BlockCholesky::new(&matrix, &places)))
}
