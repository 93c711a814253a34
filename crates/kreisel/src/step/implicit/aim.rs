//! How well a step is to be solved: to a share of what there was, but not beyond what rounding lets one tell.

use crate::linear::Vectors;
use crate::model::Model;
use crate::step::implicit::pose::Start;
use crate::step::implicit::scheme::Scheme;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Positions are not asked to be better than this share of the smallest radius.
const FINEST: f64 = 1e-10;
/// What is left may be so many times the goal …
const NEARLY: f64 = 30.0;
/// … if an iteration moves nothing by more than this share of the smallest radius: then it is the last.
const SETTLED: f64 = 1e-9;

/// When Newton's iteration ends.
pub struct Aim {
    /// What may be left of the equation [kg m/s].
    pub goal: f64,
    /// What there was, or the impulse of weight and loads if that is more [kg m/s].
    reference: f64,
    smallest_radius: f64,
}

impl Aim {
    /// The aim of a step whose equation begins with so much left [kg m/s].
    pub fn new(model: &Model, w: &Workspace, (start, scheme): (&Start, &Scheme), first: f64) -> Self {
        let smallest_radius = model.elements.radius.iter().copied().fold(f64::INFINITY, f64::min);
        let reference = first.max(external_impulse(model, w, scheme));
        let floor = finest_impulse(model, smallest_radius, scheme).max(rounding(w, start, scheme));
        Self { goal: (model.implicit.tolerance * reference).max(floor), reference, smallest_radius }
    }

    /// True if so much may be left after a step `p` of the iteration.
    ///
    /// Loose solves may stand still far from a solution: only what is nearly there counts as settled.
    pub fn is_met(&self, left: f64, p: &Vectors, scheme: &Scheme) -> bool {
        let settled = || farthest(p) * scheme.reach <= SETTLED * self.smallest_radius;
        left <= self.goal || (left <= NEARLY * self.goal && settled())
    }

    /// What is left as a share of what there was [1].
    pub fn share(&self, left: f64) -> f64 {
        if self.reference > 0.0 { left / self.reference } else { 0.0 }
    }
}

/// The largest change of velocity [m/s].
fn farthest(p: &Vectors) -> f64 {
    (0..p.len()).map(|i| p.get(i).length_squared()).fold(0.0, f64::max).sqrt()
}

/// Impulses that would move everything by less than rounding allows to tell [kg m/s].
fn finest_impulse(model: &Model, radius: f64, scheme: &Scheme) -> f64 {
    let mass = model.elements.mass.iter().map(|m| m * m).sum::<f64>().sqrt();
    if radius.is_finite() { FINEST * radius / scheme.h * mass } else { 0.0 }
}

/// Impulses of springs whose ends are as far from the origin as they are, and rounded [kg m/s].
fn rounding(w: &Workspace, start: &Start, scheme: &Scheme) -> f64 {
    let x = &start.position;
    let far = (0..x.len()).map(|e| x.get(e).length_squared()).fold(0.0, f64::max).sqrt();
    scheme.h * f64::EPSILON * far * std::f64::consts::SQRT_2 * w.stiffness_norm
}

/// Size of the impulses of weight and loads [kg m/s]: what is small beside them is small.
fn external_impulse(model: &Model, w: &Workspace, scheme: &Scheme) -> f64 {
    let mass = model.elements.mass.iter().map(|m| m * m).sum::<f64>().sqrt();
    let weight = if model.gravity == DVec3::ZERO { 0.0 } else { model.gravity.length() * mass };
    scheme.h * weight.max(if w.load.is_empty() { 0.0 } else { w.load.dot(&w.load).sqrt() })
}
