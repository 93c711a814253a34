//! One island after the other: bodies that press on each other are solved together, and by the method that suits them.

use crate::contact::constraint::carriers::{Carriers, Velocities};
use crate::contact::constraint::halves::Half;
use crate::contact::constraint::row::Row;
use crate::contact::constraint::sweep::{self, Aim, Goal, Local, Outcome};
use crate::contact::constraint::{creeping, large, momentum, newton, pyramid, squeezed};
use crate::linear::cone::{ConeParams, solve_cone};
use crate::model::setup::{ConstraintSettings, ContactSolver};
use glamx::DVec3;

/// Islands of so few contacts are solved to this share of the tolerance.
pub const FEW: usize = 3;
const EXACT: f64 = 1e-6;
/// The share of the tolerance that they are sharpened to where a body slides or stops: errors of directions add up.
const STRAIGHT: f64 = 1e-8;
/// Islands of so many contacts are sharpened, and those of one body that moves if they have no more than so many.
const FEW_BODIES: usize = 8;
const ONE_BODY: usize = 64;
/// Sweeps after which Newton's method takes over.
const PATIENCE: u32 = 120;
/// Sweeps with momentum, after that, over bodies that are deep in each other.
const MORE_PATIENCE: u32 = 4 * PATIENCE;

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
    if pyramid::suits(rows.len(), settings)
        && let Some(outcome) = pyramid::solve(rows, carriers, aim.sharp.mean, settings)
    {
        return outcome;
    }
    let warm = rows.iter().any(|row| row.impulse != DVec3::ZERO);
    let free = carriers.velocities();
    rows.iter().for_each(|row| row.push(row.impulse, carriers));
    let outcome = match settings.solver {
        ContactSolver::GaussSeidel => by_sweeps(rows, carriers, &free, aim, settings.sweeps),
        ContactSolver::Newton => {
            let start = Outcome { residual: sweep::judge(rows, carriers, aim.sharp).0, ..Outcome::default() };
            by_newton(rows, carriers, &free, aim, settings.sweeps, (start, true))
        }
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
            let heap = !first.converged && is_heap_of_unlike(rows, carriers);
            let crowd = rows.len() > SMALL && aim.sharp == aim.enough;
            let first = match first.converged || !(crowd || heap) {
                true => first,
                false => by_momentum(rows, carriers, &free, aim, settings.sweeps, first),
            };
            if first.converged {
                straighten(rows, carriers, &free, aim, first)
            } else if let Some(told) = squeezed::give_way(rows, carriers, &free, aim.enough) {
                first.then(told)
            } else if heap {
                first
            } else {
                let next = by_newton(rows, carriers, &free, aim, settings.sweeps, (first, warm));
                // Of what is squeezed all methods together take seconds to find what brings no press anywhere.
                let whole = !next.converged && rows.len() <= SMALL && !squeezed::is_driven(rows, carriers);
                if whole { as_a_whole(rows, carriers, &free, aim.enough, next) } else { next }
            }
        }
    };
    let outcome = squeezed::bound(rows, carriers, &free, (aim.enough, PATIENCE), outcome);
    rows.iter_mut().for_each(|row| row.mode = sweep::mode(row, row.velocity(carriers)));
    outcome
}

/// Bodies deep in each other are pushed from all sides, and what they push each other with is anybody's guess: a few sweeps that
/// begin without impulses, and take energy only, are enough until they have come apart.
pub fn relax(rows: &mut [Row], carriers: &mut Carriers, goal: Goal) -> Outcome {
    rows.iter_mut().for_each(|row| row.impulse = DVec3::ZERO);
    let mut outcome = sweep::solve(rows, carriers, goal, PATIENCE, Local::ByTurns);
    if !outcome.converged && newton::are_unlike(rows, carriers) {
        outcome = outcome.then(momentum::solve(rows, carriers, goal, MORE_PATIENCE));
    }
    rows.iter_mut().for_each(|row| row.mode = sweep::mode(row, row.velocity(carriers)));
    outcome
}

/// True if Newton's method loses its way, and takes seconds to do so: in heaps of unlike masses. In towers, where a factorisation is cheap, it
/// arrives in some steps; what sweeps with momentum leave there adds up from box to box, and topples them.
fn is_heap_of_unlike(rows: &[Row], carriers: &Carriers) -> bool {
    rows.len() > SMALL && newton::are_unlike(rows, carriers) && newton::is_dear(rows, carriers)
}

/// Goes on from what sweeps have come to `before`, `most` sweeps in all; back to that if it does not come closer.
fn by_momentum(
    rows: &mut [Row],
    carriers: &mut Carriers,
    free: &[Velocities],
    aim: Aim,
    most: u32,
    before: Outcome,
) -> Outcome {
    let kept = impulses(rows);
    let found = momentum::solve(rows, carriers, aim.sharp, most.saturating_sub(before.sweeps));
    let (residual, converged) = judge_anew(rows, carriers, free, aim.enough);
    if !converged && residual > before.residual {
        give(rows, carriers, free, &kept);
        return found.then(before);
    }
    before.then(Outcome { residual, converged, ..found })
}

/// What slides keeps what its solver has left of the direction of its way in every step, and it adds up: a block on four corners
/// drifts aside. The step in which it stops counts most: there all contacts stick, and what is left of the speed of before points
/// anywhere. Where a few contacts, or one body, are in play they are solved exactly, if Newton's method can.
fn straighten(rows: &mut [Row], carriers: &mut Carriers, free: &[Velocities], aim: Aim, before: Outcome) -> Outcome {
    let most = if carriers.iter().filter(|c| c.is_movable()).count() == 1 { ONE_BODY } else { FEW_BODIES };
    if rows.len() <= FEW || rows.len() > most || before.residual <= STRAIGHT * aim.sharp.mean {
        return before;
    }
    let kept = impulses(rows);
    let sharper = newton::solve(rows, &mut [], carriers, Goal::strict(STRAIGHT * aim.sharp.mean));
    let (residual, _) = judge_anew(rows, carriers, free, aim.sharp);
    if residual > before.residual {
        give(rows, carriers, free, &kept);
        return sharper.unwrap_or_default().then(before);
    }
    sharper.unwrap_or_default().then(Outcome { residual, ..before })
}

/// Goes on from a solution to a sharper one, by the method that is chosen. None if that has nothing more to give: pyramids are
/// solved exactly, and some contact graphs are too tangled for Newton's method. `firmly` if that has not been enough. It ends where bodies
/// turn out to creep, if it is told below which speed they rest [m/s].
pub fn sharpen(
    rows: &mut [Row],
    carriers: &mut Carriers,
    (goal, firmly): (Goal, bool),
    rests_below: Option<f64>,
    settings: &ConstraintSettings,
) -> Option<Outcome> {
    match settings.solver {
        _ if pyramid::suits(rows.len(), settings) => None,
        ContactSolver::GaussSeidel => {
            Some(sweep::solve(rows, carriers, goal, settings.sweeps.min(PATIENCE), Local::ByTurns))
        }
        _ if firmly => newton::sharpen(rows, carriers, goal),
        _ => newton::solve_unless(rows, &mut [], carriers, goal, &|carriers, left| {
            rests_below.is_some_and(|slow| creeping::creeps(carriers, left, slow))
        }),
    }
}

/// Gives all contacts their impulses. The velocities are made anew from those without contact: what is added and taken back in
/// many sweeps leaves its rounding behind, and of light bodies between heavy ones that is all that is left.
fn give(rows: &mut [Row], carriers: &mut Carriers, free: &[Velocities], impulses: &[DVec3]) {
    carriers.move_as(free);
    for (row, &p) in rows.iter_mut().zip(impulses) {
        row.impulse = p;
        row.push(p, carriers);
    }
}

fn impulses(rows: &[Row]) -> Vec<DVec3> {
    rows.iter().map(|row| row.impulse).collect()
}

/// What is left with velocities made anew: the largest natural map [m/s], and whether that is good enough.
fn judge_anew(rows: &mut [Row], carriers: &mut Carriers, free: &[Velocities], goal: Goal) -> (f64, bool) {
    give(rows, carriers, free, &impulses(rows));
    sweep::judge(rows, carriers, goal)
}

/// All methods there are on the assembled problem; what was before is kept if they do not come closer.
fn as_a_whole(rows: &mut [Row], carriers: &mut Carriers, free: &[Velocities], goal: Goal, before: Outcome) -> Outcome {
    let kept = impulses(rows);
    give(rows, carriers, free, &vec![DVec3::ZERO; rows.len()]);
    let problem = pyramid::assemble(rows, carriers);
    let answer = solve_cone(&problem, &ConeParams { start: kept.clone(), look_ahead: false, ..ConeParams::default() });
    give(rows, carriers, free, &answer.p);
    let (residual, converged) = sweep::judge(rows, carriers, goal);
    let closer = residual < before.residual;
    if !(converged || closer) {
        give(rows, carriers, free, &kept);
        return before;
    }
    Outcome { residual, converged, ..before }
}

/// Push and friction by turns, and together where that is not enough.
fn by_sweeps(rows: &mut [Row], carriers: &mut Carriers, free: &[Velocities], aim: Aim, most: u32) -> Outcome {
    let mut sum = Outcome::default();
    let ways = [(aim.sharp, most, Local::ByTurns), (aim.enough, most.min(TOGETHER), Local::Together)];
    for (goal, most, local) in ways {
        let found = sweep::solve(rows, carriers, goal, most, local);
        let (residual, converged) = judge_anew(rows, carriers, free, aim.enough);
        sum = Outcome { sweeps: sum.sweeps + found.sweeps, residual, converged, ..sum };
        if converged {
            break;
        }
    }
    sum
}

/// Newton's method, and more sweeps where that leaves too much: from what was `before` if it has not come closer. Cold, it
/// starts from nothing.
fn by_newton(
    rows: &mut [Row],
    carriers: &mut Carriers,
    free: &[Velocities],
    aim: Aim,
    most: u32,
    (before, warm): (Outcome, bool),
) -> Outcome {
    let kept = impulses(rows);
    if !warm {
        give(rows, carriers, free, &vec![DVec3::ZERO; rows.len()]);
    }
    let found = match aim.rests_below {
        Some(slow) if aim.sharp != aim.enough => ask(rows, carriers, aim, slow),
        _ => newton::solve(rows, &mut [], carriers, aim.sharp),
    };
    let newton_steps = before.newton_steps + found.map_or(0, |f| f.newton_steps);
    let sweeps = before.sweeps;
    if let Some(found) = found.filter(|f| f.converged) {
        return Outcome { sweeps, newton_steps, ..found };
    }
    if !found.is_some_and(|f| f.residual < before.residual) {
        give(rows, carriers, free, &kept);
    }
    let (residual, converged) = judge_anew(rows, carriers, free, aim.enough);
    if converged {
        return Outcome { sweeps, newton_steps, residual, converged, ..Outcome::default() };
    }
    let aim = Aim { sharp: aim.enough, ..aim };
    let rest = by_sweeps(rows, carriers, free, aim, most.saturating_sub(sweeps));
    Outcome { sweeps: sweeps + rest.sweeps, newton_steps, ..rest }
}

/// Newton's method where nothing but rest asks for so sharp a solution: until that is found, or the bodies turn out to creep. What is
/// enough, and has not become sharper with friction that follows the push, is left at that.
fn ask(rows: &mut [Row], carriers: &mut Carriers, aim: Aim, slow: f64) -> Option<Outcome> {
    let is_enough = |left: f64| left <= aim.enough.mean;
    let in_vain = |carriers: &Carriers, left: f64| is_enough(left) && creeping::creeps(carriers, left, slow);
    let first = newton::follow(rows, carriers, aim.sharp, &in_vain);
    if let Some(first) = first.filter(|first| first.converged || is_enough(first.residual)) {
        return Some(first);
    }
    let next = newton::solve(rows, &mut [], carriers, aim.sharp);
    next.map(|next| first.unwrap_or_default().then(next))
}
