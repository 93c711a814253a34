//! Probes: the columns of a table and the row of a moment.
//!
//! A probe of several elements reads them as one: centre of mass, total momentum, total force, mean strain and stress
//! weighted by volume; principal and von Mises stresses are those of the mean stress. Of an exact body a point may be read: where it
//! is, and how it moves; anything else is that of the body.

use crate::linear::Vectors;
use crate::model::setup::Quantity;
use crate::model::world::ElementProbe;
use crate::model::{FREE, Model, State};
use crate::readout::Forces;
use crate::readout::elastic::elastic_energy;
use crate::readout::index::{Reading, Surroundings};
use crate::readout::joint;
use crate::readout::region::whole;
use crate::readout::strain::mean_strain;
use crate::readout::stress::{mean_stress, principal, von_mises};
use glamx::{DMat3, DVec3};

/// Names of the columns, probe by probe: `name.x` of vectors, `name.xx` of tensors (xx, yy, zz, yz, xz, xy), `name.1` of
/// principal stresses, `name.kinetic` of energies; the bare name of numbers and of single components.
pub fn column_names(model: &Model) -> Vec<String> {
    model.probes.iter().flat_map(names_of).collect()
}

fn names_of(probe: &ElementProbe) -> Vec<String> {
    let (name, parts) = (&probe.probe.name, component_names(probe.probe.quantity));
    if parts.is_empty() || chosen(probe, parts.len()).is_some() {
        return vec![name.clone()];
    }
    parts.iter().map(|part| format!("{name}.{part}")).collect()
}

/// True if a probe of the model reads forces, which take an evaluation of their own.
pub fn reads_forces(model: &Model) -> bool {
    let is_force = |q: Quantity| matches!(q, Quantity::Force | Quantity::Reaction | Quantity::ContactForce);
    model.probes.iter().any(|p| is_force(p.probe.quantity))
}

/// What the components of a quantity are called; numbers have none.
pub fn component_names(quantity: Quantity) -> &'static [&'static str] {
    match quantity {
        Quantity::VonMises | Quantity::Rigid => &[],
        Quantity::Strain | Quantity::Stress => &["xx", "yy", "zz", "yz", "xz", "xy"],
        Quantity::PrincipalStress => &["1", "2", "3"],
        Quantity::Energy => &["kinetic", "gravity", "elastic"],
        Quantity::Joint => &["coordinate", "speed", "effort", "force", "torque"],
        Quantity::Position
        | Quantity::Velocity
        | Quantity::Displacement
        | Quantity::Spin
        | Quantity::Momentum
        | Quantity::AngularMomentum
        | Quantity::Force
        | Quantity::Reaction
        | Quantity::ContactForce => &["x", "y", "z"],
    }
}

/// The single component a probe asks for, as a place among the components of its quantity; one that does not exist asks
/// for all.
fn chosen(probe: &ElementProbe, components: usize) -> Option<usize> {
    probe.probe.component.map(usize::from).filter(|&c| c < components)
}

/// All probes of a model with what they need to be read quickly. Made anew when connections or probes of the model change;
/// fracture and changes between rigid and soft need nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Probes {
    stressed: Surroundings,
    around: Surroundings,
    sets: Vec<Set>,
}

/// The elements of one probe, ascending, and their slots in its surroundings (if it needs any).
#[derive(Clone, Debug, Default, PartialEq)]
struct Set {
    elements: Vec<u32>,
    slots: Vec<u32>,
    shares: Vec<(u32, f64)>,
}

impl Probes {
    /// Finds what the probes of the model need, in a few passes over its connections.
    pub fn new(model: &Model) -> Self {
        let elements = |needs: fn(Quantity) -> bool| {
            let needing = model.probes.iter().filter(move |p| needs(p.probe.quantity));
            needing.flat_map(|p| p.elements.iter().copied()).collect()
        };
        let stressed = Surroundings::with_crossings(model, elements(is_stress));
        let around = Surroundings::new(model, elements(needs_surroundings));
        let set = |p: &ElementProbe| Set::new(p, if is_stress(p.probe.quantity) { &stressed } else { &around });
        let sets = model.probes.iter().map(set).collect();
        Self { stressed, around, sets }
    }

    /// True if there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// One number per column, in the order of [`column_names`].
    pub fn read(&self, model: &Model, state: &State, forces: &Forces) -> Vec<f64> {
        let reading = Reading::new(model, state, &self.around);
        let stressed = Reading::new(model, state, &self.stressed);
        let mut row = Vec::new();
        for (probe, set) in model.probes.iter().zip(&self.sets) {
            let quantity = probe.probe.quantity;
            let values = match quantity {
                Quantity::Joint => of_joint(model, state, probe.probe.joint.as_deref()),
                _ => set.read(if is_stress(quantity) { &stressed } else { &reading }, quantity, forces),
            };
            match chosen(probe, values.len()) {
                Some(component) => row.push(values[component]),
                None => row.extend(values),
            }
        }
        row
    }
}

fn is_stress(quantity: Quantity) -> bool {
    matches!(quantity, Quantity::Stress | Quantity::PrincipalStress | Quantity::VonMises)
}

fn needs_surroundings(quantity: Quantity) -> bool {
    matches!(quantity, Quantity::Strain | Quantity::Energy)
}

impl Set {
    fn new(probe: &ElementProbe, around: &Surroundings) -> Self {
        let mut elements = probe.elements.clone();
        elements.sort_unstable();
        elements.dedup();
        let mut slots = Vec::new();
        if is_stress(probe.probe.quantity) || needs_surroundings(probe.probe.quantity) {
            slots.extend(elements.iter().filter_map(|&e| around.slot(e)).map(|s| s as u32));
        }
        Self { elements, slots, shares: probe.shares.clone() }
    }

    /// All components of a quantity.
    fn read(&self, reading: &Reading, quantity: Quantity, forces: &Forces) -> Vec<f64> {
        let (model, state) = (reading.model, reading.state);
        let whole = || whole(model, state, &self.elements);
        let vector = |a: DVec3| a.to_array().to_vec();
        match quantity {
            Quantity::Position => vector(self.at_point(&state.position).unwrap_or_else(|| whole().centre)),
            Quantity::Velocity => vector(self.at_point(&state.velocity).unwrap_or_else(|| whole().velocity)),
            Quantity::Displacement => vector(self.displacement(model, state)),
            Quantity::Spin => vector(whole().spin()),
            Quantity::Momentum => vector(whole().momentum()),
            Quantity::AngularMomentum => vector(whole().angular_momentum()),
            Quantity::Force => vector(self.sum(&forces.total)),
            Quantity::Reaction => vector(self.sum(&forces.reaction)),
            Quantity::ContactForce => vector(self.sum(&forces.contact)),
            Quantity::Strain => tensor(mean_strain(reading, &self.slots)),
            Quantity::Stress => tensor(mean_stress(reading, &self.slots)),
            Quantity::PrincipalStress => vector(principal(mean_stress(reading, &self.slots))),
            Quantity::VonMises => vec![von_mises(mean_stress(reading, &self.slots))],
            Quantity::Energy => {
                let w = whole();
                let gravity = -w.mass * model.gravity.dot(w.centre);
                vec![w.kinetic, gravity, elastic_energy(reading, &self.slots)]
            }
            Quantity::Rigid => vec![self.rigid_share(model, state)],
            // A joint has no elements: it is read by its name.
            Quantity::Joint => of_joint(model, state, None),
        }
    }

    /// The value of a field at the point that is read; none if elements are read as a whole.
    fn at_point(&self, field: &Vectors) -> Option<DVec3> {
        let sum = |sum: DVec3, &(e, share): &(u32, f64)| sum + field.get(e as usize) * share;
        (!self.shares.is_empty()).then(|| self.shares.iter().fold(DVec3::ZERO, sum))
    }

    fn sum(&self, field: &Vectors) -> DVec3 {
        let there = self.elements.iter().filter(|&&e| (e as usize) < field.len());
        there.fold(DVec3::ZERO, |sum, &e| sum + field.get(e as usize))
    }

    /// Mean displacement from the reference configuration, weighted by mass: that of the centre of mass.
    fn displacement(&self, model: &Model, state: &State) -> DVec3 {
        if let Some((now, then)) = self.at_point(&state.position).zip(self.at_point(&model.elements.rest)) {
            return now - then;
        }
        let moved = |e: usize| state.position.get(e) - model.elements.rest.get(e);
        self.mean_by_mass(model, |e| moved(e).to_array()).into()
    }

    /// Share of the mass that aggregates carry; a lone ball is one.
    fn rigid_share(&self, model: &Model, state: &State) -> f64 {
        self.mean_by_mass(model, |e| [f64::from(state.owner[e] != FREE)])[0]
    }

    fn mean_by_mass<const K: usize>(&self, model: &Model, value: impl Fn(usize) -> [f64; K]) -> [f64; K] {
        let (mut sum, mut mass) = ([0.0; K], 0.0);
        for e in self.elements.iter().map(|&e| e as usize) {
            let (m, a) = (model.elements.mass[e], value(e));
            mass += m;
            sum = std::array::from_fn(|k| sum[k] + m * a[k]);
        }
        if mass > 0.0 { sum.map(|s| s / mass) } else { sum }
    }
}

/// Coordinate, speed, effort, force and torque of a joint; zeros if there is none of that name.
fn of_joint(model: &Model, state: &State, name: Option<&str>) -> Vec<f64> {
    let number = name.and_then(|name| model.joints.iter().position(|j| j.name == name));
    let values = number
        .and_then(|k| joint::read(model, state, k))
        .map_or([0.0; 5], |j| [j.coordinate, j.speed, j.effort, j.force.length(), j.torque.length()]);
    values.to_vec()
}

/// xx, yy, zz, yz, xz, xy.
fn tensor(t: DMat3) -> Vec<f64> {
    vec![t.x_axis.x, t.y_axis.y, t.z_axis.z, t.z_axis.y, t.z_axis.x, t.y_axis.x]
}

#[cfg(test)]
mod tests;
