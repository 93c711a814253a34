//! The step size: a rigorous bound of the fastest vibration, with dampers and contacts that may come.
//!
//! For every owner `uᵀKu ≤ Σ uᵀ 2A u`, `A = Σ k n nᵀ`, so `ω² ≤ α = λ_max(2A/m)`. With force-lagged dampers symplectic
//! Euler is stable while `h²K/4 + hC/2 ≤ M`; with `C ≤ βK` that is `h²α/4 + hγ/2 ≤ 1`, `γ = βα`.
//! Contact stiffness is reserved from the start for every element that can touch something, so that the step does
//! not jump when contact begins. Everything is taken in the reference configuration: a pure function of model and
//! topology.

use crate::contact::cladding::Cladding;
use crate::contact::coefficients::CoefficientTable;
use crate::force::volume;
use crate::linear::eigen::{largest_eigenvalue, outer};
use crate::linear::eigen6::largest_eigenvalue_6;
use crate::model::world::ElementGrab;
use crate::model::{Aggregate, FREE, Model, State, Topology};
use crate::step::reserve::Reserve;
use glamx::{DMat3, DVec3};
use rayon::prelude::*;
use std::ops::Range;

/// The largest stable step, and what sets it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// Largest stable step [s]; infinite if nothing vibrates.
    pub step: f64,
    /// The element that sets it.
    pub element: Option<u32>,
    /// Largest step that resolves the contacts of rigid aggregates [s]: their restitution is only as good as that.
    pub accurate: f64,
}

/// A contact of a rigid body should last ten steps or more for its restitution to be right within two per cent: `hω` is
/// kept below this, with all contacts counted that the body could have.
const RESOLVED: f64 = 0.5;

impl Default for Bound {
    fn default() -> Self {
        Self { step: f64::INFINITY, element: None, accurate: f64::INFINITY }
    }
}

/// Stiffness `2A`, largest damper-to-stiffness ratio of the connections, and dampers of grabs [N s/m] around one free element.
#[derive(Clone, Copy)]
struct Load {
    stiffness: DMat3,
    ratio: f64,
    damper: f64,
}

/// Ranges of elements at most: each is a pass over all connections.
const MOST_RANGES: usize = 16;
/// Elements in a range at least.
const SMALLEST_RANGE: usize = 1 << 14;

/// The bound of a state's topology.
///
/// The stiffness around every element would take more memory than anything else of the step does: elements are looked at
/// range by range, unless aggregates need them all.
pub fn bound(
    model: &Model,
    state: &State,
    topology: &Topology,
    coefficients: &CoefficientTable,
    cladding: &Cladding,
) -> Bound {
    let n = model.elements.len();
    let reserve = Reserve::new(model, state, topology, coefficients, cladding);
    if !state.aggregates.is_empty() {
        return bound_of(model, state, topology, &reserve, 0..n);
    }
    let size = n.div_ceil(MOST_RANGES).max(SMALLEST_RANGE);
    let range = |r: usize| r * size..n.min((r + 1) * size);
    let of_range = |r: usize| bound_of(model, state, topology, &reserve, range(r));
    let count = n.div_ceil(size);
    let bounds: Vec<Bound> =
        if count > 1 { (0..count).into_par_iter().map(of_range).collect() } else { (0..count).map(of_range).collect() };
    bounds.into_iter().fold(Bound::default(), |best, b| if b.step < best.step { b } else { best })
}

/// The bound of the elements in a range, and of the aggregates.
fn bound_of(model: &Model, state: &State, topology: &Topology, reserve: &Reserve, range: Range<usize>) -> Bound {
    let loads = Loads::new(model, state, topology, range);
    let mut best = Bound::default();
    for (i, load) in (loads.first..).zip(&loads.of) {
        if state.owner[i] == FREE && !is_held(model, i) {
            let m = model.elements.mass[i];
            let (k, c) = reserve.of(i);
            let stiff = largest_eigenvalue(load.stiffness);
            let h = largest_step((stiff + k) / m, (stiff * load.ratio + c + 2.0 * load.damper) / m);
            take_smaller(&mut best, h, i as u32);
        }
    }
    for (k, a) in state.aggregates.iter().enumerate() {
        let grabs = model.grabs.iter().filter(|g| g.carried_by.iter().all(|c| state.owner[c.0 as usize] == k as u32));
        let (h, accurate) = aggregate_step(model, a, &loads.of, reserve, &grabs.collect::<Vec<_>>());
        take_smaller(&mut best, h, a.elements[0]);
        best.accurate = best.accurate.min(accurate);
    }
    best
}

/// An element that is held in all directions does not vibrate.
fn is_held(model: &Model, i: usize) -> bool {
    let hold = model.holds.binary_search_by_key(&(i as u32), |h| h.element);
    hold.is_ok_and(|h| model.holds[h].axes == [true; 3])
}

fn take_smaller(best: &mut Bound, h: f64, element: u32) {
    if h < best.step {
        *best = Bound { step: h, element: Some(element), ..*best };
    }
}

/// The largest `h` with `h²α/4 + hγ/2 ≤ 1`.
fn largest_step(alpha: f64, gamma: f64) -> f64 {
    let root = (0.25 * gamma * gamma + alpha).sqrt();
    if alpha <= 0.0 && gamma <= 0.0 { f64::INFINITY } else { 2.0 / (0.5 * gamma + root) }
}

/// What acts around the elements of a range.
struct Loads {
    first: usize,
    of: Vec<Load>,
}

impl Loads {
    fn new(model: &Model, state: &State, topology: &Topology, range: Range<usize>) -> Self {
        let nothing = Load { stiffness: DMat3::ZERO, ratio: 0.0, damper: 0.0 };
        let mut loads = Self { first: range.start, of: vec![nothing; range.len()] };
        loads.add_springs(model, state, topology);
        loads.add_cells(model);
        loads.add_grabs(model, state);
        loads
    }

    /// Grabs of free elements: those of aggregates act at points of their own. `φ_i φ_j k ≤ |φ_i| Σ |φ| k` row by row.
    fn add_grabs(&mut self, model: &Model, state: &State) {
        for grab in &model.grabs {
            let sum: f64 = grab.carried_by.iter().map(|c| c.1.abs()).sum();
            for &(e, weight) in grab.carried_by.iter().filter(|c| state.owner[c.0 as usize] == FREE) {
                let share = sum * weight.abs();
                // A grab's damper is its own: its ratio must not be taken for that of stiff connections beside it.
                self.add(e as usize, DMat3::from_diagonal(DVec3::splat(share * grab.stiffness)), 0.0);
                if let Some(load) = self.of.get_mut((e as usize).wrapping_sub(self.first)) {
                    load.damper += share * grab.damping;
                }
            }
        }
    }

    fn holds(&self, i: usize) -> bool {
        i.wrapping_sub(self.first) < self.of.len()
    }

    /// Adds to element `i`, if it is in the range.
    fn add(&mut self, i: usize, stiffness: DMat3, ratio: f64) {
        if let Some(load) = self.of.get_mut(i.wrapping_sub(self.first)) {
            load.stiffness += stiffness;
            load.ratio = load.ratio.max(ratio);
        }
    }

    fn add_springs(&mut self, model: &Model, state: &State, topology: &Topology) {
        let x = &model.elements.rest;
        for (c, &[a, b]) in model.connections.ends.iter().enumerate() {
            let (a, b) = (a as usize, b as usize);
            let inside = state.owner[a] == state.owner[b] && state.owner[a] != FREE;
            if !(self.holds(a) || self.holds(b)) || inside || topology.is_broken(c) {
                continue;
            }
            let class = model.connections.constants(c);
            let n = (x.get(a) - x.get(b)).normalize_or_zero();
            let block = outer(n, n) * (2.0 * class.stiffness);
            let ratio = if class.stiffness > 0.0 { class.damping / class.stiffness } else { 0.0 };
            self.add(a, block, ratio);
            self.add(b, block, ratio);
        }
    }

    fn add_cells(&mut self, model: &Model) {
        let mut blocks = vec![DMat3::ZERO; if model.cells.is_empty() { 0 } else { self.of.len() }];
        for cell in model.cells.iter().filter(|cell| cell.corners.iter().any(|&e| self.holds(e as usize))) {
            volume::each_bound(cell, &model.elements.rest, |e, block| {
                if let Some(sum) = blocks.get_mut(e.wrapping_sub(self.first)) {
                    *sum += block;
                }
            });
        }
        self.of.iter_mut().zip(blocks).for_each(|(load, block)| load.stiffness += block * 2.0);
    }
}

/// The stable and the accurate step of an aggregate, from `λ_max(M⁻¹ Σ Jᵀ 2A J)` in its principal frame at rest, where `M`
/// is diagonal; `γ` of its grabs is `λ_max(M⁻¹ Σ Jᵀ 2c J)`: twice as much as is stable, so that what is grabbed does not
/// swing from step to step.
fn aggregate_step(
    model: &Model,
    a: &Aggregate,
    loads: &[Load],
    reserve: &Reserve,
    grabs: &[&ElementGrab],
) -> (f64, f64) {
    let turn = rest_frame(model, a);
    let (mut s, mut ratio, mut touches) = ([[0.0; 6]; 6], 0.0f64, false);
    for (k, &e) in a.elements.iter().enumerate() {
        let i = e as usize;
        let contact = reserve.of(i).0;
        let local = turn.transpose() * loads[i].stiffness * turn + DMat3::from_diagonal(DVec3::splat(contact));
        ratio = ratio.max(loads[i].ratio);
        touches |= contact > 0.0;
        if local != DMat3::ZERO {
            add_block(&mut s, local, a.local[k], reserve.reach(model, i), contact);
        }
    }
    let mut dampers = [[0.0; 6]; 6];
    for grab in grabs {
        let r = local_point(a, grab);
        add_block(&mut s, DMat3::from_diagonal(DVec3::splat(grab.stiffness)), r, 0.0, 0.0);
        add_block(&mut dampers, DMat3::from_diagonal(DVec3::splat(2.0 * grab.damping)), r, 0.0, 0.0);
    }
    let (alpha, grabbed) = (fastest(a, s), if grabs.is_empty() { 0.0 } else { fastest(a, dampers) });
    let accurate = if touches { RESOLVED / alpha.sqrt() } else { f64::INFINITY };
    (largest_step(alpha, alpha * ratio + 2.0 * reserve.ratio * alpha.sqrt() + grabbed), accurate)
}

/// Where the point that a grab holds is in the principal frame of the aggregate that carries it [m].
fn local_point(a: &Aggregate, grab: &ElementGrab) -> DVec3 {
    let local = |e: u32| a.elements.binary_search(&e).map_or(DVec3::ZERO, |k| a.local[k]);
    grab.carried_by.iter().fold(DVec3::ZERO, |sum, &(e, weight)| sum + weight * local(e))
}

/// `λ_max(M⁻¹ S)` of an aggregate.
fn fastest(a: &Aggregate, mut s: [[f64; 6]; 6]) -> f64 {
    let root_inverse = |k: usize| {
        if k < 3 { 1.0 / a.mass.sqrt() } else { a.inverse_moments()[k - 3].sqrt() }
    };
    for (p, row) in s.iter_mut().enumerate() {
        for (q, entry) in row.iter_mut().enumerate() {
            *entry *= root_inverse(p) * root_inverse(q);
        }
    }
    largest_eigenvalue_6(s)
}

/// `Jᵀ A J` with `J = [1, −[r]×]`; contacts act at a distance `reach` from the element.
fn add_block(s: &mut [[f64; 6]; 6], a: DMat3, r: DVec3, reach: f64, contact: f64) {
    let cross = DMat3::from_cols(DVec3::X.cross(r), DVec3::Y.cross(r), DVec3::Z.cross(r));
    // cross · e = e × r, so velocity = v + cross(ω) and Jᵀ = [1; crossᵀ].
    let (upper, lower) = (a * cross, cross.transpose() * a * cross);
    let extra = DMat3::from_diagonal(DVec3::splat(contact * reach * reach));
    for p in 0..3 {
        for q in 0..3 {
            s[p][q] += a.col(q)[p];
            s[p][q + 3] += upper.col(q)[p];
            s[q + 3][p] += upper.col(q)[p];
            s[p + 3][q + 3] += lower.col(q)[p] + extra.col(q)[p];
        }
    }
}

/// The rotation from an aggregate's principal frame to the reference configuration, from three of its elements.
fn rest_frame(model: &Model, a: &Aggregate) -> DMat3 {
    let rest = |k: usize| model.elements.rest.get(a.elements[k] as usize);
    let count = a.elements.len();
    let far = |from: usize, across: Option<DVec3>| {
        (0..count).max_by(|&p, &q| {
            let size = |k: usize| {
                let d = a.local[k] - a.local[from];
                across.map_or(d.length_squared(), |axis| d.cross(axis).length_squared())
            };
            size(p).total_cmp(&size(q))
        })
    };
    let Some(second) = far(0, None) else { return DMat3::IDENTITY };
    let third = far(0, Some(a.local[second] - a.local[0])).unwrap_or(0);
    let frame = |x: DVec3, y: DVec3| {
        let e1 = x.normalize_or_zero();
        let e3 = e1.cross(y).normalize_or_zero();
        DMat3::from_cols(e1, e3.cross(e1), e3)
    };
    let body = frame(a.local[second] - a.local[0], a.local[third] - a.local[0]);
    let world = frame(rest(second) - rest(0), rest(third) - rest(0));
    if body.determinant() < 0.5 || world.determinant() < 0.5 { DMat3::IDENTITY } else { world * body.transpose() }
}
