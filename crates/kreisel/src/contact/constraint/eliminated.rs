//! Contacts of bodies with joints, when the joints are solved for and no longer there.
//!
//! Joints that only hold answer every push: `W̃ = J (M⁻¹ − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G M⁻¹) Jᵀ`, `G` the rows of the joints. What is left is a
//! friction problem of the contacts alone, for which there are all methods of `linear/cone`. Where a chain strikes itself, Newton's
//! penalties and sweeps over both do not get there: a push at one contact comes back to it around the loop that it has closed.

use crate::contact::constraint::bilateral::{self, Factor};
use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::joint::JointBlock;
use crate::contact::constraint::row::Row;
use crate::linear::cone::{ConeParams, FrictionProblem, solve_cone};
use glamx::{DMat3, DVec3};

/// Contacts at most: each takes three solutions of all joints, and the methods take time with their cube.
const MOST: usize = 32;

/// Solves contacts and joints, from the impulses that they have. False if that cannot be done so: then impulses and velocities are anybody's.
pub fn solve(rows: &mut [Row], joints: &mut [JointBlock], carriers: &mut Carriers) -> bool {
    if rows.is_empty() || rows.len() > MOST {
        return false;
    }
    let Some(factor) = bilateral::factor(joints, carriers) else { return false };
    let start: Vec<DVec3> = rows.iter().map(|row| row.impulse).collect();
    rows.iter().for_each(|row| row.push(-row.impulse, carriers));
    if bilateral::solve(joints, carriers, &factor).is_none() {
        return false;
    }
    let Some(problem) = assemble(rows, joints, carriers, &factor) else { return false };
    let answer = solve_cone(&problem, &ConeParams { start, look_ahead: false, ..ConeParams::default() });
    for (row, &p) in rows.iter_mut().zip(&answer.p) {
        row.impulse = p;
        row.push(p, carriers);
    }
    bilateral::solve(joints, carriers, &factor).is_some()
}

/// The friction problem of the contacts, whose bodies have answered the joints: `q = J v + (bias, drift)`.
fn assemble(rows: &[Row], joints: &[JointBlock], carriers: &Carriers, factor: &Factor) -> Option<FrictionProblem> {
    let mut idle = joints.to_vec();
    idle.iter_mut().flat_map(|joint| &mut joint.rows).for_each(|row| (row.law.bias, row.impulse) = (0.0, 0.0));
    let respond = |row: &Row, push: DVec3| {
        let (mut answers, mut moved) = (idle.clone(), carriers.at_rest());
        row.push(push, &mut moved);
        bilateral::solve(&mut answers, &mut moved, factor)?;
        Some(rows.iter().map(|row| row.velocity(&moved)).collect::<Vec<DVec3>>())
    };
    let mut blocks = Vec::with_capacity(rows.len() * rows.len());
    for (k, row) in rows.iter().enumerate() {
        let (x, y, z) = (respond(row, DVec3::X)?, respond(row, DVec3::Y)?, respond(row, DVec3::Z)?);
        blocks.extend((0..rows.len()).map(|i| (i, k, DMat3::from_cols(x[i], y[i], z[i]))));
    }
    let q = rows.iter().map(|row| row.velocity(carriers) + row.offset()).collect();
    Some(FrictionProblem::from_blocks(blocks, q, rows.iter().map(|row| row.friction).collect()))
}
