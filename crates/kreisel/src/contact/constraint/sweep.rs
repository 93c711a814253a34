//! Gauss–Seidel over contacts: each is solved in its own block while the others rest [JAJ98].
//!
//! Push and friction take turns: the push of a contact alone, then its friction within the bound that the push of the moment
//! sets. A body on several corners thereby gets no friction that it does not need: solved together, corners would brace
//! themselves against each other. Where that does not converge, push and friction of a contact are solved together.
//! The iteration is driven by the residual of the natural map, not by a count; what it leaves is told.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::row::{Mode, Row};
use crate::linear::{cone_local, in_ball};
use glamx::{DMat3, DVec2, DVec3};

/// Sweeps between looks at what is left, at most.
const LOOK: u32 = 8;

/// What a solver left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Passes over all contacts.
    pub sweeps: u32,
    /// Newton steps.
    pub newton_steps: u32,
    /// True if Lemke's method on a friction pyramid had a part in it.
    pub lemke: bool,
    /// Largest natural map [m/s].
    pub residual: f64,
    /// True if that is within what was asked for.
    pub converged: bool,
}

impl Outcome {
    /// The outcome of a later attempt, with the work of both.
    pub fn then(self, last: Self) -> Self {
        let (sweeps, newton_steps) = (self.sweeps + last.sweeps, self.newton_steps + last.newton_steps);
        Self { sweeps, newton_steps, lemke: self.lemke || last.lemke, ..last }
    }
}

/// How a contact is solved in its own block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Local {
    /// Push first, then friction.
    ByTurns,
    /// Both at once, exactly.
    Together,
}

/// What a solver may leave: natural maps [m/s].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// The root of their mean square.
    pub mean: f64,
    /// The largest.
    pub each: f64,
}

impl Goal {
    /// No contact leaves more than this.
    pub fn strict(tolerance: f64) -> Self {
        Self { mean: tolerance, each: tolerance }
    }
}

/// What a solver of an island aims at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// So sharply it is solved where the method allows it.
    pub sharp: Goal,
    /// What is enough where it does not.
    pub enough: Goal,
    /// Of a heap, which is solved more sharply than is enough only to tell rest from creeping: the speed below which a body rests [m/s].
    pub rests_below: Option<f64>,
}

impl Aim {
    /// No contact leaves more than this.
    pub fn strict(tolerance: f64) -> Self {
        Self { sharp: Goal::strict(tolerance), enough: Goal::strict(tolerance), rests_below: None }
    }
}

/// Solves until the goal is reached, at most `most` sweeps, by turns forwards and backwards. The carriers' velocities are with
/// the rows' impulses at the start and at the end.
pub fn solve(rows: &mut [Row], carriers: &mut Carriers, goal: Goal, most: u32, local: Local) -> Outcome {
    let mut outcome = Outcome::default();
    loop {
        let change = pass(rows, carriers, local, outcome.sweeps % 2 == 1);
        outcome.sweeps += 1;
        // The true residual costs as much as a sweep: look at it when sweeps have become small, and now and then.
        let last = outcome.sweeps >= most;
        if change <= 4.0 * goal.mean || outcome.sweeps.is_multiple_of(LOOK) || last {
            (outcome.residual, outcome.converged) = judge(rows, carriers, goal);
            if outcome.converged || last {
                return outcome;
            }
        }
    }
}

/// Looks at what all contacts leave: the largest natural map [m/s], and whether that is good enough.
pub fn judge(rows: &[Row], carriers: &Carriers, goal: Goal) -> (f64, bool) {
    let (mut largest, mut squares) = (0.0_f64, 0.0);
    for row in rows {
        let left = row.left(carriers);
        largest = largest.max(left);
        squares += left * left;
    }
    let mean = (squares / rows.len().max(1) as f64).sqrt();
    (largest, largest <= goal.each && mean <= goal.mean)
}

/// Each contact once; the largest change of a contact's velocity [m/s].
pub fn pass(rows: &mut [Row], carriers: &mut Carriers, local: Local, backwards: bool) -> f64 {
    let mut largest: f64 = 0.0;
    let count = rows.len();
    for k in 0..count {
        let row = &mut rows[if backwards { count - 1 - k } else { k }];
        let u = row.world_velocity(carriers);
        if row.stays_open(u) {
            continue;
        }
        row.weigh_once(carriers);
        let (next, change) = match local {
            Local::ByTurns => by_turns(row, row.in_contact(u)),
            Local::Together => together(row, row.in_contact(u)),
        };
        if change != DVec3::ZERO {
            row.push(change, carriers);
            row.impulse = next;
            largest = largest.max((row.block() * change).abs().max_element());
        }
    }
    largest
}

/// The impulse of a weighed row for a relative velocity `u`, and its change: the push, then friction, the whole of it if the bound allows, else
/// a step against the slip, cut off at the bound.
#[inline]
pub fn by_turns(row: &Row, u: DVec3) -> (DVec3, DVec3) {
    let (p, weight, u) = (row.impulse, row.weight(), u + row.offset());
    let w = weight.block();
    let push = (p.x - u.x / w.x_axis.x).max(row.least());
    let more = push - p.x;
    if push == 0.0 && p == DVec3::ZERO {
        return (p, DVec3::ZERO);
    }
    let slip = DVec2::new(u.y + w.x_axis.y * more, u.z + w.x_axis.z * more);
    let (rub, bound) = (DVec2::new(p.y, p.z), row.friction * push);
    let mut next = rub - weight.tangential() * slip;
    if next.length_squared() > bound * bound {
        let step = rub - slip * weight.gentle();
        next = step * (bound / step.length().max(bound).max(f64::MIN_POSITIVE));
    }
    let change = DVec3::new(more, next.x - rub.x, next.y - rub.y);
    (p + change, change)
}

/// The impulse for a relative velocity `u`, and its change: take-off, stick, or slide, exactly. Where that pushes less than it
/// must, friction is that of the least push.
fn together(row: &Row, u: DVec3) -> (DVec3, DVec3) {
    let (w, least) = (row.block(), row.least());
    let q = u - w * row.impulse + row.offset();
    let mut p = cone_local::solve(&w, q, row.friction, row.impulse).p;
    if p.x < least {
        let slip = (q + w.x_axis * least).with_x(0.0);
        // A block for the tangents alone.
        let t = DMat3::from_cols(DVec3::X, w.y_axis.with_x(0.0), w.z_axis.with_x(0.0));
        p = in_ball::minimise(&t, slip, row.friction * least).with_x(least);
    }
    (p, p - row.impulse)
}

/// Largest natural map of all contacts [m/s].
pub fn residual(rows: &[Row], carriers: &Carriers) -> f64 {
    rows.iter().map(|row| row.left(carriers)).fold(0.0, f64::max)
}

/// What a contact does: it slides if its friction is all used up, or if that lacks less than its slip asks for by the natural map. Solvers leave
/// a little of both: a block that slides would be called stuck for the last bit of friction at one of its corners, and stopped.
pub fn mode(row: &Row, u: DVec3) -> Mode {
    let (push, rub) = (row.impulse.x, DVec2::new(row.impulse.y, row.impulse.z));
    let most = row.friction * push;
    if push <= 0.0 {
        Mode::Separate
    } else if (rub.length() >= most * (1.0 - 1e-9) && (u.y != 0.0 || u.z != 0.0)) || row.asks_for_more(u, rub, most) {
        Mode::Slip
    } else {
        Mode::Stick
    }
}
