//! One island after the other: bodies that press on each other are solved together, and by the method that suits them.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::halves::Half;
use crate::contact::constraint::row::Row;
use crate::contact::constraint::sweep::{self, Aim, Goal, Local, Outcome};
use crate::contact::constraint::{large, newton, pyramid};
use crate::linear::cone::{ConeParams, solve_cone};
use crate::model::setup::{ConstraintSettings, ContactSolver};
use glamx::DVec3;

/// Islands of so few contacts are solved to this share of the tolerance.
pub const FEW: usize = 3;
const EXACT: f64 = 1e-6;
/// Sweeps after which Newton's method takes over.
const PATIENCE: u32 = 120;

/// Islands of so few contacts are solved as a whole if all else fails.
const SMALL: usize = 64;
/// Sweeps with push and friction together before the method is given up.
const TOGETHER: u32 = 200;

/// Solves the rows, which need not be one island, as sharply as is aimed at, or well enough. The carriers bring the velocities without contact.
/// A large island is cut in halves.
pub fn solve(
    rows: &mut [Row],
    half: Option<&Half>,
    carriers: &mut Carriers,
    aim: Aim,
    settings: &ConstraintSettings,
) -> Outcome {
    if rows.is_empty() {
        return Outcome { converged: true, ..Outcome::default() };
    }
    if pyramid::suits(rows, settings)
        && let Some(outcome) = pyramid::solve(rows, carriers, aim.sharp.mean, settings)
    {
        return outcome;
    }
    let warm = rows.iter().any(|row| row.impulse != DVec3::ZERO);
    rows.iter().for_each(|row| row.push(row.impulse, carriers));
    let outcome = match settings.solver {
        ContactSolver::GaussSeidel => by_sweeps(rows, carriers, aim, settings.sweeps),
        ContactSolver::Newton => by_newton(rows, carriers, aim, settings.sweeps, Outcome::default()),
        ContactSolver::Automatic | ContactSolver::Lemke => {
            // A few contacts are solved exactly, it costs nothing; corners that brace each other are better solved by turns.
            let few = rows.len() <= FEW;
            let local = if few { Local::Together } else { Local::ByTurns };
            let aim = if few { Aim::strict(EXACT * aim.sharp.mean) } else { aim };
            let most = settings.sweeps.min(PATIENCE);
            let first = match half {
                Some(half) => large::solve(rows, carriers, half, aim.sharp, most),
                None => sweep::solve(rows, carriers, aim.sharp, most, local),
            };
            if first.converged {
                first
            } else {
                if !warm {
                    start_anew(rows, carriers);
                }
                let next = by_newton(rows, carriers, aim, settings.sweeps, first);
                if next.converged || rows.len() > SMALL { next } else { as_a_whole(rows, carriers, aim.enough, next) }
            }
        }
    };
    rows.iter_mut().for_each(|row| row.mode = sweep::mode(row, row.velocity(carriers)));
    outcome
}

/// Takes all impulses back.
fn start_anew(rows: &mut [Row], carriers: &mut Carriers) {
    for row in rows {
        row.push(-row.impulse, carriers);
        row.impulse = DVec3::ZERO;
    }
}

/// All methods there are on the assembled problem; what was before is kept if they do not come closer.
fn as_a_whole(rows: &mut [Row], carriers: &mut Carriers, goal: Goal, before: Outcome) -> Outcome {
    let kept: Vec<DVec3> = rows.iter().map(|row| row.impulse).collect();
    start_anew(rows, carriers);
    let problem = pyramid::assemble(rows, carriers);
    let answer = solve_cone(&problem, &ConeParams { start: kept.clone(), ..ConeParams::default() });
    give(rows, carriers, &answer.p);
    let (residual, converged) = sweep::judge(rows, carriers, goal);
    if !converged && residual > before.residual {
        start_anew(rows, carriers);
        give(rows, carriers, &kept);
        return before;
    }
    Outcome { residual, converged, ..before }
}

/// Gives all contacts their impulses.
fn give(rows: &mut [Row], carriers: &mut Carriers, impulses: &[DVec3]) {
    for (row, &p) in rows.iter_mut().zip(impulses) {
        row.impulse = p;
        row.push(p, carriers);
    }
}

/// Push and friction by turns, and together where that is not enough.
fn by_sweeps(rows: &mut [Row], carriers: &mut Carriers, aim: Aim, most: u32) -> Outcome {
    let first = well_enough(sweep::solve(rows, carriers, aim.sharp, most, Local::ByTurns), rows, carriers, aim.enough);
    if first.converged {
        return first;
    }
    first.then(sweep::solve(rows, carriers, aim.enough, most.min(TOGETHER), Local::Together))
}

/// What a method that did not get as far as was aimed at may still be.
fn well_enough(found: Outcome, rows: &[Row], carriers: &Carriers, enough: Goal) -> Outcome {
    if found.converged {
        return found;
    }
    let (residual, converged) = sweep::judge(rows, carriers, enough);
    Outcome { residual, converged, ..found }
}

/// Newton's method, and more sweeps where that leaves too much.
fn by_newton(rows: &mut [Row], carriers: &mut Carriers, aim: Aim, most: u32, before: Outcome) -> Outcome {
    let found = newton::solve(rows, &mut [], carriers, aim.sharp).unwrap_or_default();
    let found = before.then(well_enough(found, rows, carriers, aim.enough));
    if found.converged {
        return found;
    }
    found.then(by_sweeps(rows, carriers, Aim { sharp: aim.enough, ..aim }, most.saturating_sub(before.sweeps)))
}
