//! What forces, steps and distances are measured by while a scene comes to rest.

use crate::force::grab;
use crate::linear::Vectors;
use crate::model::{Aggregate, FREE, Model, State};
use crate::step::evaluate::evaluate_apart;
use crate::step::implicit::{Balance, Groups};
use crate::step::settle::{FIRST, SettleError};
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Rounding errors of a force, in units in the last place of the stiffest connection times the largest coordinate.
const ULPS: f64 = 16.0;
/// What comes farther than so many times the size of the scene does not come to rest in it.
const FAR: f64 = 3.0;
/// Loads that balance to this share of themselves do balance [1].
const BALANCED: f64 = 1e-9;

/// Measures of a scene.
#[derive(Clone, Debug)]
pub struct Yardstick {
    /// Sum of the sizes of weights and loads [N].
    pub loads: f64,
    /// Forces that are rounding errors [N].
    pub rounding: f64,
    /// The first step of pseudo-time [s].
    pub first_step: f64,
    /// How far anything may move in a step: nothing may pass through anything [m].
    pub longest_stride: f64,
    /// How far anything may come [m].
    reach: f64,
    /// What hangs together, and which of it fixes or grabs hold.
    groups: Groups,
    held: Vec<bool>,
    /// True if there is something to land on.
    others: bool,
    /// Weights and loads of each element [N].
    pushes: Vectors,
}

impl Yardstick {
    /// Measures a scene that stands still.
    pub fn new(model: &Model, state: &State, w: &mut Workspace, time: f64) -> Self {
        evaluate_apart(model, state, w, time);
        let n = model.elements.len();
        let mut pushes = Vectors::zeros(n);
        (0..n).for_each(|e| pushes.set(e, model.gravity * model.elements.mass[e]));
        if !w.load.is_empty() {
            pushes.axpy(1.0, &w.load);
        }
        let groups = Groups::new(model, state, &w.topology);
        let mut held = vec![false; groups.count];
        model.holds.iter().for_each(|h| held[groups.of[h.element as usize] as usize] = true);
        let active = model.grabs.iter().filter(|g| grab::is_active(g, time) && g.stiffness > 0.0);
        active.flat_map(|g| &g.carried_by).for_each(|&(e, _)| held[groups.of[e as usize] as usize] = true);
        let others = model.contact.enabled && (!model.obstacles.is_empty() || groups.count > 1);
        let radius = model.elements.radius.iter().copied().fold(f64::INFINITY, f64::min);
        let bound = FIRST * w.stable_step(model, state).step;
        let far = (0..n).map(|e| state.position.get(e).length()).fold(0.0, f64::max);
        let stiffest = model.connections.classes.iter().map(|c| c.stiffness).fold(0.0, f64::max);
        Self {
            loads: (0..n).map(|e| pushes.get(e).length()).sum(),
            rounding: ULPS * f64::EPSILON * stiffest * far,
            first_step: if bound.is_finite() && bound > 0.0 { bound } else { model.frame },
            longest_stride: if others { radius } else { f64::INFINITY },
            reach: FAR * (size(state) + clearance(model, state)),
            groups,
            held,
            others,
            pushes,
        }
    }

    /// The largest force left on a freedom [N], and its slot.
    pub fn largest(&self, state: &State, left: &Vectors) -> (f64, usize) {
        let n = state.position.len();
        let arm = |a: &Aggregate| a.local.iter().map(|s| s.length()).fold(0.0, f64::max);
        let size = |slot: usize| {
            let force = left.get(slot).length();
            if slot < n || (slot - n).is_multiple_of(2) {
                return force;
            }
            let arm = arm(&state.aggregates[(slot - n) / 2]);
            if arm > 0.0 { force / arm } else { 0.0 }
        };
        (0..left.len())
            .map(|slot| (size(slot), slot))
            .fold((0.0, 0), |a, b| if b.0 > a.0 || b.0.is_nan() { b } else { a })
    }

    /// Name of the body of a slot.
    pub fn body(&self, model: &Model, state: &State, slot: usize) -> String {
        let n = model.elements.len();
        let element =
            if slot < n { Some(slot as u32) } else { state.aggregates[(slot - n) / 2].elements.first().copied() };
        element.map_or_else(String::new, |e| model.body_name(e).to_string())
    }

    /// What nothing holds, and what has nothing to land on, must balance by itself.
    pub fn refuse_floating(&self, model: &Model, state: &State) -> Result<(), SettleError> {
        if self.others {
            return Ok(());
        }
        for group in (0..self.groups.count).filter(|&g| !self.held[g]) {
            let (force, torque, scale) = self.resultant(model, state, group);
            if force.length() > BALANCED * scale.0 || torque.length() > BALANCED * scale.1 {
                return Err(SettleError::Floating { body: self.first_body(model, group), force, torque });
            }
        }
        Ok(())
    }

    /// What has left the scene does not come to rest.
    pub fn refuse_runaway(
        &self,
        model: &Model,
        state: &State,
        begin: &Vectors,
        now: &Balance,
    ) -> Result<(), SettleError> {
        let gone = |e: &usize| {
            let way = state.position.get(*e).distance(begin.get(*e));
            way > self.reach || way.is_nan()
        };
        let Some(e) = (0..begin.len()).find(gone) else { return Ok(()) };
        let group = self.groups.of[e] as usize;
        let touches = |c: &crate::model::Contact| self.groups.of[c.element as usize] as usize == group;
        if !self.held[group] && !state.contacts.iter().any(touches) {
            let (force, torque, _) = self.resultant(model, state, group);
            return Err(SettleError::Floating { body: self.first_body(model, group), force, torque });
        }
        let slot = if state.owner[e] == FREE { e } else { begin.len() + 2 * state.owner[e] as usize };
        let distance = state.position.get(e).distance(begin.get(e));
        Err(SettleError::Runaway { body: model.body_name(e as u32).to_string(), distance, force: now.left.get(slot) })
    }

    fn first_body(&self, model: &Model, group: usize) -> String {
        let first = self.groups.of.iter().position(|&g| g as usize == group);
        first.map_or_else(String::new, |e| model.body_name(e as u32).to_string())
    }

    /// Sum of the weights and loads of a group, their moment about its centre of mass, and the sizes of both.
    fn resultant(&self, model: &Model, state: &State, group: usize) -> (DVec3, DVec3, (f64, f64)) {
        let members: Vec<usize> = (0..self.groups.of.len()).filter(|&e| self.groups.of[e] as usize == group).collect();
        let mass: f64 = members.iter().map(|&e| model.elements.mass[e]).sum();
        let centre = members.iter().map(|&e| state.position.get(e) * model.elements.mass[e]).sum::<DVec3>() / mass;
        let (mut force, mut torque, mut scale) = (DVec3::ZERO, DVec3::ZERO, (0.0, 0.0));
        for &e in &members {
            let (f, r) = (self.pushes.get(e), state.position.get(e) - centre);
            force += f;
            torque += r.cross(f);
            scale = (scale.0 + f.length(), scale.1 + r.length() * f.length());
        }
        (force, torque, scale)
    }
}

/// Diagonal of the box around all elements [m].
fn size(state: &State) -> f64 {
    let points = (0..state.position.len()).map(|e| state.position.get(e));
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = points.fold(none, |(low, high), x| (low.min(x), high.max(x)));
    if low.is_finite() { (high - low).length() } else { 0.0 }
}

/// The largest distance of an element from an obstacle [m].
fn clearance(model: &Model, state: &State) -> f64 {
    let places = || (0..state.position.len()).map(|e| state.position.get(e));
    let obstacles = model.obstacles.iter();
    obstacles.flat_map(|o| places().map(|x| o.shape.distance(x).0.abs())).fold(0.0, f64::max)
}
