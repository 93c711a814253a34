//! Sweeps over contacts that go on until nothing changes.

use crate::linear::extrapolate::Extrapolation;

/// Sweeps as they are.
const PLAIN: u32 = 60;
/// Sweeps from extrapolated points that follow, at most.
const EXTRAPOLATED: u32 = 240;
/// What may be left of gaps and speeds, as a share of what was there [1].
const LEFT: f64 = 1e-10;

/// Contacts that are put right one after the other.
pub trait Sweeps {
    /// Puts each right once; by how much the worst was wrong.
    fn sweep(&mut self) -> f64;
    /// The impulses so far.
    fn impulses(&self) -> Vec<f64>;
    /// Goes on from other impulses.
    fn set(&mut self, impulses: &[f64]);
}

/// Sweeps until what is wrong is nothing against `scale`.
///
/// A light body between heavy ones is carried from sweep to sweep by no more than the ratio of the masses. What plain sweeps leave,
/// the combination of the last of them that would change least lessens in as many rounds as there are bodies.
pub fn until_still(contacts: &mut dyn Sweeps, scale: f64) {
    let is_still = |wrong: f64| wrong <= LEFT * scale;
    if (0..PLAIN).any(|_| is_still(contacts.sweep())) {
        return;
    }
    let (mut ahead, mut least, mut best) = (Extrapolation::default(), f64::INFINITY, contacts.impulses());
    let mut point = best.clone();
    for _ in 0..EXTRAPOLATED {
        contacts.set(&point);
        let wrong = contacts.sweep();
        if wrong < least {
            (least, best) = (wrong, point.clone());
        }
        if is_still(wrong) {
            return;
        }
        point = ahead.next(&point, contacts.impulses());
    }
    contacts.set(&best);
    contacts.sweep();
}
