//! A state from outside (a file, another program) is looked at before anything runs with it.

use crate::linear::Vectors;
use crate::model::collider::OBSTACLES;
use crate::model::joint::Side;
use crate::model::{Aggregate, FREE, JointState, Model, ShapeContact, State, Touched};
use std::fmt;

/// What is wrong with a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateError {
    /// Which field.
    pub field: &'static str,
    /// What is wrong, with the facts.
    pub message: String,
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "state.{}: {}", self.field, self.message)
    }
}

impl std::error::Error for StateError {}

fn expect(good: bool, field: &'static str, message: impl FnOnce() -> String) -> Result<(), StateError> {
    if good { Ok(()) } else { Err(StateError { field, message: message() }) }
}

impl State {
    /// Says whether this can be a state of the model: lengths, numbers of things that exist, finite values.
    pub fn check(&self, model: &Model) -> Result<(), StateError> {
        let n = model.elements.len();
        check_field("position", &self.position, n)?;
        check_field("velocity", &self.velocity, n)?;
        expect(self.time.is_finite(), "time", || format!("{} s", self.time))?;
        self.check_owners(n)?;
        self.check_broken(model)?;
        self.check_contacts(model)?;
        self.check_shape_contacts(model)?;
        self.check_solver(n)?;
        self.check_joints(model)?;
        let calm = self.sleep.calm.iter().all(|c| *c >= 0.0);
        expect(calm, "sleep", || "a time at rest is no time".into())?;
        expect(self.apart.is_sorted(), "apart", || "not sorted".into())?;
        self.check_rest(model)
    }

    fn check_solver(&self, n: usize) -> Result<(), StateError> {
        let memory = &self.solver;
        for change in &memory.changes {
            check_field("solver", change, change.len())?;
        }
        if memory.pose.is_empty() {
            return Ok(());
        }
        check_field("solver", &memory.pose, n)?;
        let bodies = memory.bodies.iter().all(|(p, q)| p.is_finite() && q.is_normalized());
        let finite = bodies && memory.factors.0.is_finite() && memory.factors.1.is_finite();
        expect(finite, "solver", || "a pose is not finite".into())?;
        let fits = memory.epoch != self.epoch || memory.bodies.len() == self.aggregates.len();
        expect(fits, "solver", || format!("{} bodies for {}", memory.bodies.len(), self.aggregates.len()))
    }

    fn check_joints(&self, model: &Model) -> Result<(), StateError> {
        let (found, wanted) = (self.joints.len(), model.joints.len());
        expect(found == wanted, "joints", || format!("{found} for {wanted} joints"))?;
        let sound = |j: &JointState| {
            let numbers = [j.coordinate, j.speed, j.step, j.effort].iter().all(|x| x.is_finite());
            let impulses = j.impulses.iter().flatten().chain(&j.drive).all(|x| x.is_finite());
            let seats = j.seats.iter().flat_map(|seat| &seat.sides).all(|side| self.has_place(side));
            numbers && impulses && seats && j.force.is_finite() && j.torque.is_finite() && j.command.is_sound()
        };
        let wild = self.joints.iter().position(|j| !sound(j));
        expect(wild.is_none(), "joints", || format!("joint {wild:?} has impossible numbers"))
    }

    /// True if a side of a joint is on an element that there is, and somewhere.
    fn has_place(&self, side: &Side) -> bool {
        let there = side.element.is_none_or(|e| (e as usize) < self.owner.len());
        there && side.at.is_finite() && side.frame.is_normalized()
    }

    fn check_owners(&self, n: usize) -> Result<(), StateError> {
        expect(self.owner.len() == n, "owner", || format!("{} entries for {n} elements", self.owner.len()))?;
        let there = |o: u32| o == FREE || (o as usize) < self.aggregates.len();
        let stray = self.owner.iter().position(|&o| !there(o));
        expect(stray.is_none(), "owner", || format!("element {stray:?} belongs to an aggregate that is not there"))?;
        for (k, a) in self.aggregates.iter().enumerate() {
            check_aggregate(k, a)?;
            let own = |e: &u32| self.owner.get(*e as usize) == Some(&(k as u32));
            expect(a.elements.iter().all(own), "aggregates", || format!("aggregate {k} has elements of others"))?;
        }
        let carried: usize = self.aggregates.iter().map(|a| a.elements.len()).sum();
        let owned = self.owner.iter().filter(|&&o| o != FREE).count();
        expect(carried == owned, "owner", || format!("{owned} elements say they are carried, {carried} are"))
    }

    fn check_broken(&self, model: &Model) -> Result<(), StateError> {
        expect(self.broken.is_sorted_by(|a, b| a < b), "broken", || "not ascending".into())?;
        let last = self.broken.last().copied().unwrap_or(0) as usize;
        let count = model.connections.len();
        expect(self.broken.is_empty() || last < count, "broken", || format!("connection {last} of {count}"))
    }

    fn check_contacts(&self, model: &Model) -> Result<(), StateError> {
        let n = model.elements.len();
        let sorted = self.contacts.is_sorted_by(|a, b| (a.element, a.other) < (b.element, b.other));
        expect(sorted, "contacts", || "not sorted by their ends".into())?;
        for (k, c) in self.contacts.iter().enumerate() {
            let other = match c.other {
                Touched::Element(j) => j > c.element && (j as usize) < n,
                Touched::Obstacle(o) => (o as usize) < model.obstacles.len(),
                Touched::Skin(s) => (s as usize) < model.skins.len(),
            };
            expect(other && (c.element as usize) < n, "contacts", || {
                format!("contact {k} of what is not there: {c:?}")
            })?;
            expect(c.rest.is_finite() && c.stretch.is_finite(), "contacts", || format!("contact {k}: {c:?}"))?;
        }
        Ok(())
    }

    fn check_shape_contacts(&self, model: &Model) -> Result<(), StateError> {
        let most = (model.colliders.len() + model.obstacles.len() + model.elements.len() + model.skins.len()) as u32;
        let key = |c: &ShapeContact| (c.first, c.second, c.feature);
        let sorted = self.shape_contacts.is_sorted_by(|a, b| key(a) <= key(b));
        expect(sorted, "shape_contacts", || "not sorted by their shapes and features".into())?;
        let whose = |b: u32| match b.checked_sub(OBSTACLES) {
            Some(obstacle) => (obstacle as usize) < model.obstacles.len(),
            None => (b as usize) < model.bodies.len(),
        };
        for (k, c) in self.shape_contacts.iter().enumerate() {
            let there = c.first < most && c.second < most && c.between.iter().all(|&b| whose(b));
            let numbers = c.impulse.is_finite()
                && c.torque.is_finite()
                && c.point.is_finite()
                && c.step > 0.0
                && c.step.is_finite();
            expect(there && numbers, "shape_contacts", || format!("contact {k} cannot be: {c:?}"))?;
        }
        Ok(())
    }

    fn check_rest(&self, model: &Model) -> Result<(), StateError> {
        let wanted = if model.bodies.iter().any(|b| b.automatic) { model.elements.len() } else { 0 };
        expect(self.calm.len() == wanted, "calm", || format!("{} entries instead of {wanted}", self.calm.len()))?;
        expect(self.calm.iter().all(|t| t.is_finite()), "calm", || "a time is not finite".into())?;
        let (done, all) = (self.scheduled as usize, model.schedule.len());
        expect(done <= all, "scheduled", || format!("{done} switches done of {all}"))?;
        expect(self.gripped.is_finite() && self.ledger.is_finite(), "ledger", || "an entry is not finite".into())
    }
}

fn check_field(field: &'static str, v: &Vectors, n: usize) -> Result<(), StateError> {
    let lengths = [v.x.len(), v.y.len(), v.z.len()];
    expect(lengths == [n; 3], field, || format!("{lengths:?} numbers for {n} elements"))?;
    let wild = v.first_not_finite();
    expect(wild.is_none(), field, || format!("element {wild:?} is not finite"))
}

fn check_aggregate(k: usize, a: &Aggregate) -> Result<(), StateError> {
    let e = &a.elements;
    let good = !e.is_empty() && e.is_sorted_by(|a, b| a < b) && a.local.len() == e.len();
    expect(good, "aggregates", || format!("aggregate {k}: elements must be some, ascending, each with a place"))?;
    let finite = a.position.is_finite() && a.velocity.is_finite() && a.angular_momentum.is_finite();
    let unit = (a.orientation.length() - 1.0).abs() < 1e-6;
    let body = a.mass > 0.0 && a.mass.is_finite() && a.inertia.is_finite() && a.inertia.min_element() >= 0.0;
    let places = a.local.iter().all(|s| s.is_finite());
    expect(finite && unit && body && places, "aggregates", || format!("aggregate {k} has impossible numbers"))
}
