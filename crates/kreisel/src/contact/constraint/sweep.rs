//! Block Gauss–Seidel over contacts: each is solved exactly in its own block while the others rest [JAJ98].
//!
//! The iteration is driven by the residual of the natural map, not by a count; what it leaves is told.

use crate::contact::constraint::carriers::Carrier;
use crate::contact::constraint::row::{Mode, Row};
use crate::linear::cone_local;
use glamx::{DMat3, DVec3};

/// What a solver left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Passes over all contacts.
    pub sweeps: u32,
    /// Largest natural map [m/s].
    pub residual: f64,
    /// True if that is within what was asked for.
    pub converged: bool,
}

/// Solves until the natural map is below `tolerance` [m/s], at most `most` sweeps.
pub fn solve(rows: &mut [Row], carriers: &mut [Carrier], tolerance: f64, most: u32) -> Outcome {
    rows.iter().for_each(|row| row.push(row.impulse, carriers));
    let mut outcome = Outcome { residual: residual(rows, carriers), ..Outcome::default() };
    while outcome.residual > tolerance && outcome.sweeps < most {
        let change = sweep(rows, carriers);
        outcome.sweeps += 1;
        // The true residual costs as much as a sweep: look at it when sweeps have become small, and now and then.
        if change <= 2.0 * tolerance || outcome.sweeps.is_multiple_of(16) {
            outcome.residual = residual(rows, carriers);
        }
    }
    outcome.residual = residual(rows, carriers);
    outcome.converged = outcome.residual <= tolerance;
    rows.iter_mut().for_each(|row| row.mode = mode(row, row.velocity(carriers)));
    outcome
}

/// Each contact once; the largest change of a contact's velocity [m/s].
fn sweep(rows: &mut [Row], carriers: &mut [Carrier]) -> f64 {
    let mut largest: f64 = 0.0;
    for row in rows {
        let mut q = row.velocity(carriers) - row.block * row.impulse;
        q.x += row.bias;
        let p = in_own_block(row, q);
        let change = p - row.impulse;
        if change != DVec3::ZERO {
            row.push(change, carriers);
            row.impulse = p;
            largest = largest.max((row.block * change).abs().max_element());
        }
    }
    largest
}

/// Take-off, stick, or slide.
fn in_own_block(row: &Row, q: DVec3) -> DVec3 {
    if q.x >= 0.0 {
        return DVec3::ZERO;
    }
    if row.friction == 0.0 {
        return DVec3::new(-q.x / row.block.x_axis.x, 0.0, 0.0);
    }
    let stick = -(row.inverse * q);
    if stick.x > 0.0 && stick.y.hypot(stick.z) <= row.friction * stick.x && row.inverse != DMat3::ZERO {
        return stick;
    }
    cone_local::solve(&row.block, q, row.friction, row.impulse).p
}

/// Largest natural map of all contacts [m/s].
pub fn residual(rows: &[Row], carriers: &[Carrier]) -> f64 {
    rows.iter().fold(0.0, |largest, row| {
        let u = row.velocity(carriers) + DVec3::new(row.bias, 0.0, 0.0);
        largest.max(row.residual(u))
    })
}

/// What a contact does: it slides if its friction is all used up.
fn mode(row: &Row, u: DVec3) -> Mode {
    let (push, rub) = (row.impulse.x, row.impulse.y.hypot(row.impulse.z));
    if push <= 0.0 {
        Mode::Separate
    } else if rub >= row.friction * push * (1.0 - 1e-9) && u.y.hypot(u.z) > 0.0 {
        Mode::Slip
    } else {
        Mode::Stick
    }
}
