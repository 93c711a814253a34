//! The matrix of a step block by block, for preconditioners: every interaction at points, mapped down to the freedoms.

use crate::contact::rows::cross_matrix;
use crate::force::volume;
use crate::linear::BlockSource;
use crate::linear::eigen::outer;
use crate::step::implicit::slots::Slots;
use crate::step::implicit::system::System;
use glamx::{DMat3, DVec3};

/// Blocks of a contact's Jacobian below this share of the largest are left out of preconditioners.
const NEGLIGIBLE: f64 = 0.1;

impl BlockSource for System<'_> {
    fn each_block(&self, take: &mut dyn FnMut(u32, u32, DMat3)) {
        let down = Down::new(&self.slots);
        for (e, &m) in self.mass.iter().enumerate().filter(|(_, m)| **m > 0.0) {
            take(e as u32, e as u32, diagonal(m));
        }
        for (a, (mass, inertia)) in self.bodies.iter().enumerate() {
            take(self.slots.velocity(a) as u32, self.slots.velocity(a) as u32, diagonal(*mass));
            take(self.slots.spin(a) as u32, self.slots.spin(a) as u32, *inertia);
        }
        if let Some(springs) = &self.springs {
            springs.each_connection(&mut |i, j, s| {
                down.own(i, s, take);
                down.own(j, s, take);
                down.pair(i, j, -s, take);
            });
        }
        self.each_cell_block(&down, take);
        for (grab, k) in &self.grabs {
            for (n, &(e, weight)) in grab.carried_by.iter().enumerate() {
                down.own(e, diagonal(k * weight * weight), take);
                let others = grab.carried_by[n + 1..].iter();
                others.for_each(|&(o, other)| down.pair(e, o, diagonal(k * weight * other), take));
            }
        }
        self.each_contact_block(&down, take);
    }
}

impl System<'_> {
    fn each_cell_block(&self, down: &Down, take: &mut dyn FnMut(u32, u32, DMat3)) {
        for cell in self.cells {
            let (gradient, stiffness) = volume::gradients(cell, &self.place);
            for a in 0..8 {
                for b in a..8 {
                    let block = outer(gradient[a], gradient[b]) * (stiffness * self.factor);
                    let (i, j) = (cell.corners[a], cell.corners[b]);
                    if a == b { down.own(i, block, take) } else { down.pair(i, j, block, take) }
                }
            }
        }
    }

    fn each_contact_block(&self, down: &Down, take: &mut dyn FnMut(u32, u32, DMat3)) {
        for c in self.contacts.iter().filter(|c| c.symmetric != DMat3::ZERO) {
            let size = |b: &DMat3| b.x_axis.length_squared() + b.y_axis.length_squared() + b.z_axis.length_squared();
            let largest = c.row.iter().map(|r| size(&r.1)).fold(0.0, f64::max);
            let main = || c.row.iter().filter(|r| size(&r.1) > NEGLIGIBLE * NEGLIGIBLE * largest);
            for (k, (i, b)) in main().enumerate() {
                down.own(*i, b.transpose() * c.symmetric * *b, take);
                for (j, d) in main().skip(k + 1) {
                    down.pair(*i, *j, b.transpose() * c.symmetric * *d, take);
                }
            }
        }
    }
}

fn diagonal(a: f64) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(a))
}

/// Maps blocks between points down to the slots that move the points.
struct Down<'a> {
    slots: &'a Slots,
    /// Number of each element's rider, or `u32::MAX`; empty if there are no aggregates.
    rider: Vec<u32>,
}

impl<'a> Down<'a> {
    fn new(slots: &'a Slots) -> Self {
        let mut rider = vec![u32::MAX; if slots.riders.is_empty() { 0 } else { slots.elements }];
        for (k, r) in slots.riders.iter().enumerate() {
            rider[r.element as usize] = k as u32;
        }
        Self { slots, rider }
    }

    /// The slots that move a point, and their blocks.
    fn movers(&self, i: u32) -> [Option<(u32, DMat3)>; 2] {
        match self.rider.get(i as usize).filter(|&&k| k != u32::MAX) {
            None => [Some((i, DMat3::IDENTITY)), None],
            Some(&k) => {
                let r = &self.slots.riders[k as usize];
                let a = r.body as usize;
                let spin = (self.slots.spin(a) as u32, cross_matrix(r.arm) * -1.0);
                [Some((self.slots.velocity(a) as u32, DMat3::IDENTITY)), Some(spin)]
            }
        }
    }

    fn is_free(&self, i: u32) -> bool {
        self.rider.get(i as usize).is_none_or(|&k| k == u32::MAX)
    }

    /// A symmetric block of a point with itself.
    fn own(&self, i: u32, block: DMat3, take: &mut dyn FnMut(u32, u32, DMat3)) {
        if self.is_free(i) {
            return take(i, i, block);
        }
        let [Some((v, _)), Some((w, lever))] = self.movers(i) else { return };
        take(v, v, block);
        take(v, w, block * lever);
        take(w, w, lever.transpose() * block * lever);
    }

    /// A block between two points, and its transpose.
    fn pair(&self, i: u32, j: u32, block: DMat3, take: &mut dyn FnMut(u32, u32, DMat3)) {
        for (s, left) in self.movers(i).into_iter().flatten() {
            for (t, right) in self.movers(j).into_iter().flatten() {
                let b = left.transpose() * block * right;
                match s.cmp(&t) {
                    std::cmp::Ordering::Less => take(s, t, b),
                    std::cmp::Ordering::Greater => take(t, s, b.transpose()),
                    std::cmp::Ordering::Equal => take(s, s, b + b.transpose()),
                }
            }
        }
    }
}
