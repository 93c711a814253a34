//! Contacts of bodies with joints, when the joints are solved for and no longer there.
//!
//! Joints that only hold answer every push: `W̃ = J (M⁻¹ − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G M⁻¹) Jᵀ`, `G` the rows of the joints. What is left is a
//! friction problem of the contacts alone, for which there are all methods of `linear/cone`. Where a chain strikes itself, Newton's
//! penalties and sweeps over both do not get there: a push at one contact comes back to it around the loop that it has closed.
//!
//! Joints bear what contacts might bear, and often it is open who does: a door on its hinges may stand on any of its corners. Of all answers
//! the most even is taken, as if each contact gave way a little, equally: `W̃ + ε w` with the mean mobility `w` of the contacts, first about
//! no impulses, then about those that came out, which leaves an error of `ε²`.

use crate::contact::constraint::bilateral::{self, Factor};
use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::joint::JointBlock;
use crate::contact::constraint::row::Row;
use crate::linear::cone::{ConeParams, FrictionProblem, solve_cone};
use glamx::{DMat3, DVec3};

/// Contacts at most: each takes three solutions of all joints, and the methods take time with their cube.
const MOST: usize = 32;

/// How much each contact gives way, as a share `ε` of what an average contact does without joints [1].
const GIVES_WAY: f64 = 1e-4;

/// Solves contacts and joints. False if that cannot be done so: then impulses and velocities are anybody's.
pub fn solve(rows: &mut [Row], joints: &mut [JointBlock], carriers: &mut Carriers) -> bool {
    if rows.is_empty() || rows.len() > MOST {
        return false;
    }
    let Some(factor) = bilateral::factor(joints, carriers) else { return false };
    rows.iter().for_each(|row| row.push(-row.impulse, carriers));
    if bilateral::solve(joints, carriers, &factor).is_none() {
        return false;
    }
    let mobility = rows.iter().map(|row| row.weight().trace()).sum::<f64>() / (3 * rows.len()) as f64;
    let gives = GIVES_WAY * mobility;
    let Some(problem) = assemble(rows, gives, joints, carriers, &factor) else { return false };
    for (row, p) in rows.iter_mut().zip(most_even(problem, gives)) {
        row.impulse = p;
        row.push(p, carriers);
    }
    bilateral::solve(joints, carriers, &factor).is_some()
}

/// The most even impulses that solve a problem whose contacts give way.
fn most_even(mut problem: FrictionProblem, gives: f64) -> Vec<DVec3> {
    let params = |start| ConeParams { start, look_ahead: false, ..ConeParams::default() };
    let first = solve_cone(&problem, &params(Vec::new())).p;
    problem.q.iter_mut().zip(&first).for_each(|(q, &p)| *q -= p * gives);
    solve_cone(&problem, &params(first)).p
}

/// The friction problem of the contacts, which give way by `gives` [1/kg] and whose bodies have answered the joints: `q = J v + (bias, drift)`.
fn assemble(
    rows: &[Row],
    gives: f64,
    joints: &[JointBlock],
    carriers: &Carriers,
    factor: &Factor,
) -> Option<FrictionProblem> {
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
        blocks.push((k, k, DMat3::from_diagonal(DVec3::splat(gives))));
    }
    let q = rows.iter().map(|row| row.velocity(carriers) + row.offset()).collect();
    Some(FrictionProblem::from_blocks(blocks, q, rows.iter().map(|row| row.friction).collect()))
}
