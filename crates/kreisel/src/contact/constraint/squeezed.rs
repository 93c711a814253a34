//! Bodies between something driven and something that does not give way: contacts that approach whatever impulses act.
//!
//! Of such a problem impulses have no solution but grow for as long as a solver is patient, and their work on what is driven with them. The
//! contacts ask for as little less as they can be given (`linear/cone/feasible`): a body between a press and the ground sinks into both by
//! halves, the press works against what that takes, and the step is told as unsolved.

use crate::contact::constraint::carriers::{Carriers, Velocities};
use crate::contact::constraint::pyramid::assemble;
use crate::contact::constraint::row::Row;
use crate::contact::constraint::sweep::{self, Goal, Local, Outcome};
use crate::linear::cone::approaching_forever;
use glamx::DVec3;

/// Islands of more contacts are not asked: the proof is one of dense matrices.
const MOST: usize = 64;
/// Sweeps for what is left to be asked for.
const SWEEPS: u32 = 400;
/// Impulses of so many times the momentum in play brace each other across slopes of less than the inverse of that [1].
const BRACED: f64 = 1e3;

/// Solves what can be solved of a problem that has no solution because something driven squeezes somebody; `None` if it has one, or nobody
/// knows. `free` are the velocities without contact.
pub fn give_way(rows: &mut [Row], carriers: &mut Carriers, free: &[Velocities], goal: Goal) -> Option<Outcome> {
    if rows.len() > MOST || !is_driven(rows, carriers) {
        return None;
    }
    let solved = carriers.velocities();
    carriers.move_as(free);
    let Some(lacking) = approaching_forever(&assemble(rows, carriers)) else {
        carriers.move_as(&solved);
        return None;
    };
    for (row, lacking) in rows.iter_mut().zip(&lacking) {
        row.impulse = DVec3::ZERO;
        row.bias += lacking;
    }
    let outcome = sweep::solve(rows, carriers, goal, SWEEPS, Local::ByTurns);
    rows.iter_mut().zip(&lacking).for_each(|(row, lacking)| row.bias -= lacking);
    let (residual, _) = sweep::judge(rows, carriers, goal);
    Some(Outcome { residual, converged: false, ..outcome })
}

/// Goes back to a few sweeps from nothing, whatever these leave, if something driven pushes with impulses that no momentum in play
/// accounts for.
///
/// A body that is squeezed tilts by some 10⁻⁹, and then its contacts have a solution: impulses of 10⁹ times what they stop, across the tilt. A
/// solver that finds it is right about the equations and wrong about the press, whose work goes with them. Each sweep adds no more than what
/// stops a contact, so that a hundred of them are bounded by a hundred times that.
pub fn bound(
    rows: &mut [Row],
    carriers: &mut Carriers,
    free: &[Velocities],
    (goal, most): (Goal, u32),
    found: Outcome,
) -> Outcome {
    if !is_driven(rows, carriers) {
        return found;
    }
    let largest = rows.iter().map(|row| row.impulse.length()).fold(0.0, f64::max);
    let solved = carriers.velocities();
    carriers.move_as(free);
    if largest <= BRACED * in_play(rows, carriers) {
        carriers.move_as(&solved);
        return found;
    }
    rows.iter_mut().for_each(|row| row.impulse = DVec3::ZERO);
    found.then(sweep::solve(rows, carriers, goal, most, Local::ByTurns))
}

/// The momentum that there would be if all bodies that move were as fast as the points that touch [kg m/s].
fn in_play(rows: &[Row], carriers: &Carriers) -> f64 {
    let speed = |row: &Row| row.world_velocity(carriers).length() + row.bias.abs();
    let fastest = rows.iter().map(speed).fold(0.0, f64::max);
    carriers.iter().filter(|c| c.inverse_mass > 0.0).map(|c| fastest / c.inverse_mass).sum()
}

/// True if something that no push can move moves.
pub fn is_driven(rows: &[Row], carriers: &Carriers) -> bool {
    let driven = |c: u32| !carriers[c as usize].is_movable() && !carriers[c as usize].is_still();
    rows.iter().any(|row| driven(row.a) || driven(row.b))
}
