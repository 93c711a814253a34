//! Gaps are closed by the smallest shifts in the mass metric, from either side.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::row::Row;
use crate::step::constraint::project::still::{Sweeps, until_still};
use crate::step::constraint::second_order::meeting;
use crate::step::constraint::space::ContactSpace;
use glamx::DVec3;

/// Contacts whose gaps are being closed.
struct Closing {
    rows: Vec<Row>,
    /// Gaps before anything is moved [m].
    gaps: Vec<f64>,
    /// Normal impulses that move by as much as they would in a unit of time [kg m].
    pushes: Vec<f64>,
    /// How everything has been moved: velocities and spins as shifts [m, rad].
    moved: Carriers,
}

/// Smallest shifts in the mass metric that close all gaps.
pub fn shifts(space: &ContactSpace) -> Carriers {
    let moved = space.carriers.at_rest();
    let rows: Vec<Row> = space.found.iter().map(|f| Row::new(&meeting(space, f, 0.0), &moved, DVec3::ZERO)).collect();
    let gaps: Vec<f64> = space.found.iter().map(|f| f.touch.gap).collect();
    let largest = gaps.iter().fold(0.0_f64, |m, gap| m.max(gap.abs()));
    let mut closing = Closing { pushes: vec![0.0; rows.len()], rows, gaps, moved };
    until_still(&mut closing, largest);
    closing.moved
}

impl Sweeps for Closing {
    fn sweep(&mut self) -> f64 {
        let mut widest: f64 = 0.0;
        for ((row, gap), push) in self.rows.iter().zip(&self.gaps).zip(&mut self.pushes) {
            let left = row.velocity(&self.moved).x + gap;
            let more = -left / row.mobility();
            row.push(DVec3::new(more, 0.0, 0.0), &mut self.moved);
            *push += more;
            widest = widest.max(left.abs());
        }
        widest
    }

    fn impulses(&self) -> Vec<f64> {
        self.pushes.clone()
    }

    fn set(&mut self, impulses: &[f64]) {
        self.moved.stop();
        self.pushes.copy_from_slice(impulses);
        for (row, &push) in self.rows.iter().zip(impulses) {
            row.push(DVec3::new(push, 0.0, 0.0), &mut self.moved);
        }
    }
}
