//! Islands with rolling, torsional or Contensou friction: push, slip and couples of each contact by turns.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::newton;
use crate::contact::constraint::row::Row;
use crate::contact::constraint::sweep::{self, Goal, Local, Outcome};
use crate::contact::constraint::twist::Twist;
use crate::model::material::Resistance;
use crate::model::setup::ConstraintSettings;
use glamx::DVec3;

/// Islands of so few contacts are aimed at this share of the tolerance.
const FEW: usize = 3;
const EXACT: f64 = 1e-6;
/// Sweeps between two helps of Newton's method, which takes the couples as they are.
const PATIENCE: u32 = 200;
/// Helps at most.
const MOST_HELPS: u32 = 8;

/// The couples of rows, one resistance for each row.
pub fn make(rows: &[Row], resistances: impl Iterator<Item = Resistance>, carriers: &Carriers) -> Vec<Twist> {
    let numbered = (0..).zip(rows).zip(resistances);
    numbered.filter_map(|((k, row), resistance)| Twist::new(k, row, resistance, carriers)).collect()
}

/// Solves rows and couples until the natural map is below `tolerance` [m/s]. The carriers bring the velocities without
/// contact; `twists` are sorted by their rows.
pub fn solve(
    rows: &mut [Row],
    twists: &mut [Twist],
    carriers: &mut Carriers,
    tolerance: f64,
    settings: &ConstraintSettings,
) -> Outcome {
    rows.iter().for_each(|row| row.push(row.impulse, carriers));
    twists.iter().for_each(|twist| twist.push(twist.impulse, carriers));
    let enough = tolerance;
    let tolerance = if rows.len() <= FEW { EXACT * tolerance } else { tolerance };
    let mut outcome = by_sweeps(rows, twists, carriers, tolerance, settings.sweeps.min(PATIENCE));
    for _ in 0..MOST_HELPS {
        if outcome.converged || outcome.sweeps >= settings.sweeps || rows.len() <= FEW {
            break;
        }
        let helped = newton::solve(rows, &mut [], carriers, Goal::strict(tolerance)).unwrap_or_default();
        let most = (settings.sweeps - outcome.sweeps).min(PATIENCE);
        let next = by_sweeps(rows, twists, carriers, tolerance, most);
        let newton_steps = outcome.newton_steps + helped.newton_steps;
        outcome = Outcome { sweeps: outcome.sweeps + next.sweeps, newton_steps, ..next };
    }
    finish(rows, twists, carriers);
    // A few contacts are aimed at far more sharply than they need to be solved.
    Outcome { converged: outcome.residual <= enough, ..outcome }
}

/// Says of every contact what it does.
pub fn finish(rows: &mut [Row], twists: &[Twist], carriers: &Carriers) {
    rows.iter_mut().for_each(|row| row.mode = sweep::mode(row, row.velocity(carriers)));
    for twist in twists.iter().filter(|t| t.is_shared()) {
        let row = &mut rows[twist.row as usize];
        row.mode = twist.mode(row);
    }
}

fn by_sweeps(rows: &mut [Row], twists: &mut [Twist], carriers: &mut Carriers, tolerance: f64, most: u32) -> Outcome {
    let mut outcome = Outcome::default();
    while outcome.sweeps < most && !outcome.converged {
        let change = pass(rows, twists, carriers, outcome.sweeps % 2 == 1);
        outcome.sweeps += 1;
        if change <= 4.0 * tolerance || outcome.sweeps.is_multiple_of(16) || outcome.sweeps == most {
            outcome.residual = residual(rows, twists, carriers);
            outcome.converged = outcome.residual <= tolerance;
        }
    }
    outcome
}

/// Each contact with its couples once; the largest change of a velocity [m/s].
pub fn pass(rows: &mut [Row], twists: &mut [Twist], carriers: &mut Carriers, backwards: bool) -> f64 {
    let mut largest: f64 = 0.0;
    for k in 0..rows.len() {
        let k = if backwards { rows.len() - 1 - k } else { k };
        let change = match twists.binary_search_by_key(&(k as u32), |t| t.row) {
            Ok(t) => one(&mut rows[k], &mut twists[t], carriers),
            Err(_) => sweep::pass(&mut rows[k..=k], carriers, Local::ByTurns, false),
        };
        largest = largest.max(change);
    }
    largest
}

/// The push, the slip, the couples.
fn one(row: &mut Row, twist: &mut Twist, carriers: &mut Carriers) -> f64 {
    if !twist.is_shared() {
        let change = sweep::pass(std::slice::from_mut(row), carriers, Local::ByTurns, false);
        return change.max(twist.turn(row.impulse.x, carriers));
    }
    let u = row.velocity(carriers);
    let push = (row.impulse.x - (u.x + row.bias) / row.mobility()).max(0.0);
    let more = push - row.impulse.x;
    row.push(DVec3::new(more, 0.0, 0.0), carriers);
    row.impulse.x = push;
    let change = (more * row.mobility()).abs();
    change.max(twist.rub(row, carriers)).max(twist.turn(push, carriers))
}

/// Largest natural map of all contacts and couples [m/s].
pub fn residual(rows: &[Row], twists: &[Twist], carriers: &Carriers) -> f64 {
    let mut twists = twists.iter().peekable();
    rows.iter().enumerate().fold(0.0, |largest: f64, (k, row)| {
        let u = row.velocity(carriers) + row.offset();
        let Some(twist) = twists.next_if(|t| t.row as usize == k) else { return largest.max(row.residual(u)) };
        let own = if twist.is_shared() { push_residual(row, u.x) } else { row.residual(u) };
        largest.max(own).max(twist.residual(row, carriers))
    })
}

/// `min(p_n/ρ, u_n)` of the push alone [m/s].
fn push_residual(row: &Row, u: f64) -> f64 {
    (row.impulse.x * row.mobility()).min(u).abs()
}
