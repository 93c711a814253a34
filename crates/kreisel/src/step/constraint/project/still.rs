//! Sweeps over contacts that go on until nothing changes.

use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::row::Row;
use crate::linear::extrapolate::Extrapolation;
use crate::step::constraint::space::ContactSpace;
use glamx::DVec3;

/// Sweeps as they are.
const PLAIN: u32 = 60;
/// Extrapolated sweeps that follow end when so many of them have not lessened what is wrong
const PATIENCE: u32 = 40;
/// to this share of it [1].
const BETTER: f64 = 0.9;
/// Sweeps that are combined: as many as a few bodies can move in different ways.
const COMBINED: usize = 40;
/// What may be left of gaps and speeds, as a share of what was there [1].
const LEFT: f64 = 1e-10;
/// So many units in the last place of what they are differences of are rounding.
const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// Bodies move by no more than so many times what is wrong [1].
const FAR: f64 = 30.0;

/// Contacts that are put right one after the other.
pub trait Sweeps {
    /// Puts each right once; by how much the worst was wrong.
    fn sweep(&mut self) -> f64;
    /// How the bodies move, in so many numbers, and then the impulses that have made them do so.
    fn motion(&self) -> (Vec<f64>, usize);
    /// Goes on from another motion; false if it is none that sweeps could lead to.
    fn set(&mut self, motion: &[f64]) -> bool;
}

/// Velocities and spins of some carriers, so that their squares are twice the kinetic energy, or about that of spins.
pub fn velocities(carriers: &Carriers, which: &[u32]) -> Vec<f64> {
    let of = |&k: &u32| {
        let (c, [m, i]) = (&carriers[k as usize], weights(&carriers[k as usize]));
        [c.velocity * m, c.spin * i]
    };
    which.iter().flat_map(of).flat_map(|v| v.to_array()).collect()
}

/// Sets them.
pub fn set_velocities(carriers: &mut Carriers, which: &[u32], motion: &[f64]) {
    for (&k, v) in which.iter().zip(motion.chunks_exact(6)) {
        let c = &mut carriers[k as usize];
        let [m, i] = weights(c);
        (c.velocity, c.spin) = (DVec3::from_slice(v) / m, DVec3::from_slice(&v[3..]) / i);
    }
}

/// Roots of mass and of the mean moment of inertia [√kg, √(kg m²)]; 1 for what does not turn.
fn weights(c: &Carrier) -> [f64; 2] {
    let i = c.inverse_inertia;
    let mean = (i.x_axis.x + i.y_axis.y + i.z_axis.z) / 3.0;
    [c.inverse_mass.sqrt().recip(), if mean > 0.0 { mean.sqrt().recip() } else { 1.0 }]
}

/// All that some rows push.
pub fn pushed(rows: &[Row], carriers: &Carriers) -> Vec<u32> {
    let seats = |k: u32| carriers.members(k).iter().map(|m| m.carrier).chain([k]);
    let mut all: Vec<u32> = rows.iter().flat_map(|row| [row.a, row.b]).flat_map(seats).collect();
    all.sort_unstable();
    all.dedup();
    all.retain(|&k| carriers[k as usize].is_movable());
    all
}

/// How far the farthest of the points that push each mover is from its centre [m].
pub fn reaches(space: &ContactSpace, movers: &[u32]) -> Vec<f64> {
    let mut reaches = vec![0.0_f64; movers.len()];
    for f in &space.found {
        for k in space.sides(f).into_iter().filter_map(|c| movers.binary_search(&c).ok()) {
            let arm = space.point(f) - space.carriers[movers[k] as usize].position;
            reaches[k] = reaches[k].max(arm.length());
        }
    }
    reaches
}

/// True if who moves by `velocity` and `spin` does so by no more than contacts that are `wrong` by so much account for. Two of them that
/// contradict each other at nearly one point are put right by a turn of any size.
pub fn is_plausible((velocity, spin): (DVec3, DVec3), reach: f64, wrong: f64) -> bool {
    velocity.length() + spin.length() * reach <= FAR * wrong
}

/// Sweeps until what is wrong is nothing against `scale`, or against what rounding leaves of differences of numbers of this `size`, or gets
/// no less. To go on from rounding would mean to combine sweeps in which nothing can be told from anything.
///
/// A light body between heavy ones is carried from sweep to sweep by no more than the ratio of the masses. What plain sweeps leave,
/// the combination of the last of them that would change least lessens in as many rounds as there are bodies. What is to change least is
/// the motion: impulses of contacts that contradict each other, by rounding or more, grow for ever, and the motion settles.
pub fn until_still(contacts: &mut dyn Sweeps, scale: f64, size: f64) {
    let is_still = |wrong: f64| wrong <= (LEFT * scale).max(ROUNDING * size);
    let mut least = f64::INFINITY;
    for _ in 0..PLAIN {
        least = contacts.sweep();
        if is_still(least) {
            return;
        }
    }
    let (mut best, telling) = contacts.motion();
    let (mut ahead, mut point, mut since) = (Extrapolation::new(COMBINED, telling), best.clone(), 0);
    while since < PATIENCE {
        since += 1;
        if !contacts.set(&point) {
            ahead.forget();
            contacts.set(&best);
            contacts.sweep();
            point = contacts.motion().0;
            continue;
        }
        let wrong = contacts.sweep();
        if is_still(wrong) {
            return;
        }
        if wrong < BETTER * least {
            (least, best, since) = (wrong, point.clone(), 0);
        }
        point = ahead.next(&point, contacts.motion().0);
    }
    contacts.set(&best);
    contacts.sweep();
}
