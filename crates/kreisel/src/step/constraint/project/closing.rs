//! Gaps are closed by the smallest shifts in the mass metric, from either side.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::row::Row;
use crate::step::constraint::project::still::{
    Sweeps, is_plausible, pushed, reaches, set_velocities, until_still, velocities,
};
use crate::step::constraint::second_order::meeting;
use crate::step::constraint::space::ContactSpace;
use glamx::DVec3;

/// Contacts whose gaps are being closed.
struct Closing {
    rows: Vec<Row>,
    /// Gaps before anything is moved [m].
    gaps: Vec<f64>,
    /// The largest of them [m].
    largest: f64,
    /// Those that are moved, and how far the points that do so are from their centres [m].
    movers: Vec<u32>,
    reaches: Vec<f64>,
    /// How everything has been moved: velocities and spins as shifts [m, rad].
    moved: Carriers,
}

/// Smallest shifts in the mass metric that close all gaps.
pub fn shifts(space: &ContactSpace) -> Carriers {
    let moved = space.carriers.at_rest();
    let rows: Vec<Row> = space.found.iter().map(|f| Row::new(&meeting(space, f, 0.0), &moved, DVec3::ZERO)).collect();
    let gaps: Vec<f64> = space.found.iter().map(|f| f.touch.gap).collect();
    let largest = gaps.iter().fold(0.0_f64, |m, gap| m.max(gap.abs()));
    let farthest = space.found.iter().map(|f| space.point(f).abs().max_element()).fold(0.0, f64::max);
    let movers = pushed(&rows, &moved);
    let reaches = reaches(space, &movers);
    let mut closing = Closing { rows, gaps, largest, movers, reaches, moved };
    until_still(&mut closing, largest, farthest);
    closing.moved
}

impl Sweeps for Closing {
    fn sweep(&mut self) -> f64 {
        let mut widest: f64 = 0.0;
        for (row, gap) in self.rows.iter().zip(&self.gaps) {
            let left = row.velocity(&self.moved).x + gap;
            row.push(DVec3::new(-left / row.mobility(), 0.0, 0.0), &mut self.moved);
            widest = widest.max(left.abs());
        }
        widest
    }

    fn motion(&self) -> (Vec<f64>, usize) {
        let motion = velocities(&self.moved, &self.movers);
        let telling = motion.len();
        (motion, telling)
    }

    fn set(&mut self, motion: &[f64]) -> bool {
        set_velocities(&mut self.moved, &self.movers, motion);
        self.movers.iter().zip(&self.reaches).all(|(&k, &reach)| {
            let c = &self.moved[k as usize];
            is_plausible((c.velocity, c.spin), reach, self.largest)
        })
    }
}
