//! A body of a running scene cut anew, coarser or finer: same material, same motion.
//!
//! Spring constants, masses and fracture strains come from the material and the size of the cells, so that `E`, `ρ`, `ν`,
//! `G_c` and the damping of modes stay. Positions and velocities are interpolated by weights that are exact for affine
//! fields; a rigid velocity then makes up what the interpolation changed of linear and angular momentum.

use crate::build::{BuildError, bodies, build};
use crate::discretize::carry;
use crate::linear::Vectors;
use crate::linear::eigen::{outer, pseudo_inverse};
use crate::model::setup::{BodyShape, Resolution};
use crate::model::{Aggregate, Bindings, BodyId, Contact, FREE, Model, Setup, State, Touched};
use crate::step::convert;
use glamx::{DMat3, DVec3};
use std::ops::Range;

/// A scene with one body cut anew.
#[derive(Debug)]
pub struct Resampled {
    /// The scene, with the new resolution.
    pub setup: Setup,
    /// Its model.
    pub model: Model,
    /// Where everything is and how it moves; the ledger is that of before.
    pub state: State,
}

/// Cuts a body anew and carries its motion over.
pub fn resample(
    setup: &Setup,
    model: &Model,
    state: &State,
    body: BodyId,
    resolution: Resolution,
) -> Result<Resampled, BuildError> {
    let b = number_in_setup(setup, body)?;
    let path = format!("body[{b}]");
    let old = elements_of(setup, model, b);
    let is_old = |e: u32| old.contains(&(e as usize));
    if let Some(&c) = state.broken.iter().find(|&&c| is_old(model.connections.ends[c as usize][0])) {
        let message = format!("the body is broken (connection {c}): a new lattice would not know where");
        return Err(BuildError::new(&path, message, "change the resolution before it breaks"));
    }
    let mut setup = setup.clone();
    set_resolution(&mut setup.bodies[b].shape, resolution, &path)?;
    let (new_model, mut next) = build(&setup)?;
    let change = Change { old, new: elements_of(&setup, &new_model, b), model, new_model: &new_model, state };
    let bindings = change.bindings();
    change.carry_over(&bindings, &mut next);
    keep_momenta(&change, &mut next);
    change.adopt_aggregates(&bindings, &mut next);
    Ok(Resampled { setup, state: next, model: new_model })
}

/// Which body of the setup a body of the model belongs to: split parts come after their body.
fn number_in_setup(setup: &Setup, body: BodyId) -> Result<usize, BuildError> {
    let mut parts = 0;
    for (b, x) in setup.bodies.iter().enumerate() {
        parts += 1 + x.split.len();
        if (body.0 as usize) < parts {
            return Ok(b);
        }
    }
    Err(BuildError::new("body", format!("there is no body {}", body.0), "ask the simulation for it by name"))
}

/// The elements of a body of the setup: they are numbered in a row.
fn elements_of(setup: &Setup, model: &Model, b: usize) -> Range<usize> {
    let all = bodies::elements_of(setup, model, b);
    let first = all.first().map_or(0, |&e| e as usize);
    first..first + all.len()
}

fn set_resolution(shape: &mut BodyShape, wanted: Resolution, path: &str) -> Result<(), BuildError> {
    match shape {
        BodyShape::Solid { resolution, .. } => *resolution = wanted,
        BodyShape::Box { size, cells } => *cells = cells_across(*size, wanted),
        BodyShape::Elements { .. } | BodyShape::Exact { .. } => {
            let help = "only boxes and solids have a resolution";
            return Err(BuildError::new(path, "the body is a list of elements", help));
        }
    }
    Ok(())
}

/// Cells across the thinnest side of a box.
fn cells_across(size: DVec3, resolution: Resolution) -> u32 {
    let thinnest = size.min_element();
    let count = |n: u32| (size * (f64::from(n) / thinnest)).round().max(DVec3::ONE) + 1.0;
    let elements = |n: u32| count(n).element_product();
    match resolution {
        Resolution::CellsAcross(n) => n,
        Resolution::CellSize(side) => (thinnest / side).round().max(1.0) as u32,
        Resolution::Elements(wanted) => {
            let wanted = f64::from(wanted);
            let upper = (1..4000).find(|&n| elements(n) >= wanted).unwrap_or(4000);
            let lower = upper.saturating_sub(1).max(1);
            if wanted - elements(lower) < elements(upper) - wanted { lower } else { upper }
        }
    }
}

/// What changes: which elements are replaced by which.
struct Change<'a> {
    old: Range<usize>,
    new: Range<usize>,
    model: &'a Model,
    new_model: &'a Model,
    state: &'a State,
}

impl Change<'_> {
    /// The number of an element of another body after the change; `None` for those of the body itself.
    fn renumbered(&self, e: u32) -> Option<u32> {
        let i = e as usize;
        let moved = if i < self.old.start { i } else { (i + self.new.len()).wrapping_sub(self.old.len()) };
        (!self.old.contains(&i)).then_some(moved as u32)
    }

    /// What every new element rides on: old elements, numbered within the body.
    fn bindings(&self) -> Bindings {
        let part = |x: &Vectors, range: &Range<usize>| {
            let mut some = Vectors::default();
            range.clone().for_each(|i| some.push(x.get(i)));
            some
        };
        let connections = &self.model.connections;
        let (mut ends, mut cell) = (Vec::new(), f64::INFINITY);
        for (c, pair) in connections.ends.iter().enumerate().filter(|(_, p)| self.old.contains(&(p[0] as usize))) {
            ends.push(pair.map(|e| e - self.old.start as u32));
            cell = cell.min(connections.constants(c).rest_length);
        }
        let rest = part(&self.model.elements.rest, &self.old);
        carry(&part(&self.new_model.elements.rest, &self.new), &rest, &ends, cell)
    }

    /// Everything but aggregates.
    fn carry_over(&self, bindings: &Bindings, next: &mut State) {
        let state = self.state;
        for e in 0..state.owner.len() as u32 {
            let Some(to) = self.renumbered(e) else { continue };
            next.position.set(to as usize, state.position.get(e as usize));
            next.velocity.set(to as usize, state.velocity.get(e as usize));
            if let (Some(calm), Some(before)) = (next.calm.get_mut(to as usize), state.calm.get(e as usize)) {
                *calm = *before;
            }
        }
        for (k, i) in self.new.clone().enumerate() {
            let mix = |field: &Vectors| {
                bindings.of(k).fold(DVec3::ZERO, |sum, (e, w)| sum + field.get(self.old.start + e as usize) * w)
            };
            next.position.set(i, mix(&state.position));
            next.velocity.set(i, mix(&state.velocity));
        }
        next.owner.fill(FREE);
        next.aggregates.clear();
        next.contacts = state.contacts.iter().filter_map(|c| self.contact(c)).collect();
        next.broken = state.broken.iter().map(|&c| self.connection(c)).collect();
        (next.time, next.steps, next.frames) = (state.time, state.steps, state.frames);
        (next.scheduled, next.epoch, next.ledger) = (state.scheduled, state.epoch + 1, state.ledger);
    }

    /// True for the skin of the body that is cut anew.
    fn is_own_skin(&self, skin: u32) -> bool {
        let bodies = &self.model.elements.body[self.old.clone()];
        self.model.skins.get(skin as usize).is_none_or(|s| bodies.contains(&s.body))
    }

    /// Contacts of the body begin anew.
    fn contact(&self, contact: &Contact) -> Option<Contact> {
        let other = match contact.other {
            Touched::Element(j) => Touched::Element(self.renumbered(j)?),
            Touched::Skin(s) if self.is_own_skin(s) => return None,
            other => other,
        };
        Some(Contact { element: self.renumbered(contact.element)?, other, ..*contact })
    }

    /// Connections are numbered body after body.
    fn connection(&self, c: u32) -> u32 {
        let after = self.model.connections.ends[c as usize][0] as usize >= self.old.end;
        let (old, new) = (self.model.connections.len(), self.new_model.connections.len());
        if after { (c as usize + new - old) as u32 } else { c }
    }

    /// Rigid parts stay rigid: a new element belongs to the aggregate of the old one that carries most of it.
    fn adopt_aggregates(&self, bindings: &Bindings, next: &mut State) {
        let heaviest = |k: usize| {
            bindings.of(k).fold((0, f64::NEG_INFINITY), |best, (e, w)| if w > best.1 { (e, w) } else { best }).0
        };
        let owner = |k: usize| self.state.owner[self.old.start + heaviest(k) as usize];
        let owners: Vec<u32> = (0..self.new.len()).map(owner).collect();
        for (number, a) in self.state.aggregates.iter().enumerate() {
            let others = a.elements.iter().filter_map(|&e| self.renumbered(e));
            let own = owners.iter().zip(self.new.clone()).filter(|(o, _)| **o == number as u32).map(|(_, i)| i as u32);
            let untouched = !a.elements.iter().any(|&e| self.old.contains(&(e as usize)));
            let mut elements: Vec<u32> = others.chain(own).collect();
            elements.sort_unstable();
            if elements.is_empty() {
                continue;
            }
            let aggregate = if untouched {
                Aggregate { elements, ..a.clone() }
            } else if a.given_inertia {
                let place = |&e: &u32| a.orientation.inverse() * (next.position.get(e as usize) - a.position);
                let local = elements.iter().map(place).collect();
                Aggregate { elements, local, ..a.clone() }
            } else {
                convert::gather_aggregate(self.new_model, next, &elements, a.origin)
            };
            convert::adopt(next, aggregate);
        }
    }
}

/// `P`, `L` about the origin, mass, centre and inertia about the centre of some elements.
fn sums(model: &Model, state: &State, range: &Range<usize>) -> (DVec3, DVec3, f64, DVec3, DMat3) {
    let (mut p, mut l, mut mass, mut first, mut second) = (DVec3::ZERO, DVec3::ZERO, 0.0, DVec3::ZERO, DMat3::ZERO);
    for i in range.clone() {
        let (m, x, v) = (model.elements.mass[i], state.position.get(i), state.velocity.get(i));
        (p, l, mass) = (p + m * v, l + x.cross(v) * m, mass + m);
        (first, second) = (first + m * x, second + outer(x, x) * m);
    }
    let centre = first / mass;
    let about = second - outer(centre, centre) * mass;
    let trace = about.x_axis.x + about.y_axis.y + about.z_axis.z;
    (p, l, mass, centre, DMat3::from_diagonal(DVec3::splat(trace)) - about)
}

/// Adds the rigid velocity that gives the body its momenta back.
fn keep_momenta(change: &Change, next: &mut State) {
    let (p0, l0, ..) = sums(change.model, change.state, &change.old);
    // The second time it mends what rounding left of the first.
    for _ in 0..2 {
        let (p, l, mass, centre, inertia) = sums(change.new_model, next, &change.new);
        let push = (p0 - p) / mass;
        let turn = pseudo_inverse(inertia) * (l0 - l - centre.cross(p0 - p));
        for i in change.new.clone() {
            let arm = next.position.get(i) - centre;
            next.velocity.add(i, push + turn.cross(arm));
        }
    }
}
